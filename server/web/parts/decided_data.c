/* decided_data.c - what is shown of a decision about the images of a class. */
#include "web/parts/decided_data.h"

#include "json/object.h"
#include "store/images/images.h"
#include "store/sets/sets.h"
#include "web/core/page_data.h"
#include "web/core/records.h"
#include "web/parts/people_data.h"
#include "web/parts/set_data.h"

/* ---- in words ---- */

static void add_words(struct str *s, const char *verb, size_t n, const char *how)
{
    if (n) {
        str_printf(s, "%s%s %zu %s%s", s->n ? ", " : "", verb, n, n == 1 ? "image" : "images", how);
    }
}

static size_t count_banned(const struct decided *d, bool banned)
{
    size_t n = 0;
    for (size_t i = 0; i < d->n_images; i++) {
        n += d->images[i].banned == banned;
    }
    return n;
}

/* Names of a kind of pairs, each once. */
static json_t *names_of_pairs(const struct decided *d, bool same)
{
    json_t *seen = json_object();
    for (size_t i = 0; i < d->n_pairs; i++) {
        if (d->pairs[i].same == same) {
            json_object_setn_new(seen, d->pairs[i].a.p, d->pairs[i].a.n, json_true());
            json_object_setn_new(seen, d->pairs[i].b.p, d->pairs[i].b.n, json_true());
        }
    }
    return seen;
}

static size_t count_names(const struct decided *d, bool same)
{
    json_t *seen = names_of_pairs(d, same);
    size_t n = json_object_size(seen);
    json_decref(seen);
    return n;
}

/* "blacklisted 2 images, grouped 3 images as near-duplicates, marked the class as reviewed" */
static const char *words_of_decision(struct arena *a, const struct decided *d)
{
    struct str s;
    str_init(&s, 1024);
    if (d->undoes) {
        str_addz(&s, "undid a decision");
    }
    add_words(&s, "blacklisted", count_banned(d, true), "");
    add_words(&s, "took", count_banned(d, false), " off the blacklist");
    add_words(&s, "grouped", count_names(d, true), " as near-duplicates");
    add_words(&s, "separated", count_names(d, false), " from near-duplicates");
    if (d->reviewed != DECIDED_NOTHING) {
        str_printf(&s, "%smarked the class as %s%s", s.n ? ", " : "",
                   d->reviewed ? "reviewed" : "not reviewed",
                   d->problematic == 1 ? " and problematic" : "");
    }
    const char *text = arena_cstr(a, str_sv(&s));
    str_release(&s);
    return text;
}

static void add_short(struct str *s, size_t n, const char *what)
{
    if (n) {
        str_printf(s, "%s%zu %s", s->n ? ", " : "", n, what);
    }
}

const char *decided_short(struct arena *a, const struct decided *d)
{
    struct str s;
    str_init(&s, 512);
    add_short(&s, count_banned(d, true), "blacklisted");
    add_short(&s, count_banned(d, false), "off the blacklist");
    add_short(&s, count_names(d, true), "grouped as near-duplicates");
    add_short(&s, count_names(d, false), "separated from near-duplicates");
    if (d->reviewed != DECIDED_NOTHING) {
        str_printf(&s, "%sclass %s%s", s.n ? ", " : "", d->reviewed ? "reviewed" : "not reviewed",
                   d->problematic == 1 ? " and problematic" : "");
    }
    const char *text = arena_cstr(a, str_sv(&s));
    str_release(&s);
    return text;
}

/* ---- its parts ---- */

struct image_data {
    struct blacklist_entry e;
    const char *url, *thumb_url, *label;
};
#define OF(member) RECORD_OF(struct image_data, member)
static RECORD(image_record, struct image_data, "blacklist_change", "An image that a decision put on the blacklist or took off it.",
              {"image", OF(e.name), .about = "Its name."},
              {"url", OF(url), .maybe = true, .about = "The address of its page; null: the project has no such image."},
              {"thumb_url", OF(thumb_url), .maybe = true, .about = "The address of a small copy; null likewise."},
              {"banned", OF(e.banned), .about = "Whether it was put on the blacklist; otherwise it was taken off."},
              {"reason", OF(e.reason), .about = "Why, as a word of the API."},
              {"label", OF(label), .about = "Why, for people."},
              {"note", OF(e.note), .about = "What whoever decided wrote about it."});
#undef OF

static json_t *image_json(struct ctx *c, const struct blacklist_entry *e)
{
    int64_t id = 0;
    enum blacklist_reason reason = blacklist_reason_of(e->reason);
    if (images_find(c->db, e->name, &id, &c->err) != OK) {
        return NULL;
    }
    const char *url = id ? arena_printf(c->arena, "/images/%lld", (long long)id) : NULL;
    const struct image_data image = {*e, url, url ? arena_printf(c->arena, "%s/grid", url) : NULL,
                                     reason < BLACKLIST_REASONS ? blacklist_labels[reason] : ""};
    return record_json(&image_record, &image);
}

static json_t *images_json(struct ctx *c, const struct decided *d)
{
    json_t *list = json_array();
    for (size_t i = 0; i < d->n_images; i++) {
        json_t *one = image_json(c, &d->images[i]);
        if (!one) {
            json_decref(list);
            return NULL;
        }
        json_array_append_new(list, one);
    }
    return list;
}

#define OF(member) RECORD_OF(struct decided_pair, member)
static RECORD(pair_record, struct decided_pair, "image_pair", "Two images.", {"a", OF(a), .about = "The name of one."},
              {"b", OF(b), .about = "The name of the other."});
#undef OF

static json_t *pairs_json(const struct decided *d, bool same)
{
    json_t *list = json_array();
    for (size_t i = 0; i < d->n_pairs; i++) {
        if (d->pairs[i].same == same) {
            json_array_append_new(list, record_json(&pair_record, &d->pairs[i]));
        }
    }
    return list;
}

static json_t *keys_json(json_t *object)
{
    const char *key;
    json_t *value, *list = json_array();
    json_object_foreach(object, key, value)
    {
        json_array_append_new(list, json_string(key));
    }
    json_decref(object);
    return list;
}

/* "SET/NUMBER", empty for none. */
static enum err_code find_revision(struct ctx *c, int64_t id, const char **out)
{
    struct revision_row r;
    *out = "";
    if (!id) {
        return OK;
    }
    enum err_code rc = revisions_get(c->db, id, c->arena, &r, &c->err);
    *out = rc == OK ? set_title(c->arena, &r) : "";
    return rc;
}

static const char *who_of(struct ctx *c, const struct decided *d)
{
    return d->login.n ? arena_cstr(c->arena, d->login) : "a former account";
}

struct decided_face {
    struct decided d;
    const char *at, *who, *text, *revision;
    bool mine, can_undo, says_reviewed, reviewed, says_problematic, problematic;
    json_t *images, *near_duplicates, *apart, *near_names;
};
#define OF(member) RECORD_OF(struct decided_face, member)
#define IF(member) RECORD_IF(struct decided_face, member)
RECORD(decided_record, struct decided_face, "class_decision", "A decision about the images of a class.",
       {"id", OF(d.id), .about = "Its number."},
       {"at", OF(at), .about = "When it was made, in UTC to the minute."},
       {"who", OF(who), .about = "Who made it."},
       {"mine", OF(mine), .about = "Whether the one who asks made it."},
       {"text", OF(text), .about = "What was decided, for people."},
       {"revision", OF(revision), .maybe = true, .about = "The revision in whose review it was made; null: on the class's page."},
       {"undoes", OF(d.undoes), .maybe = true, .about = "The decision that it undoes; null: none."},
       {"undone_by", OF(d.undone_by), .maybe = true, .about = "The decision that undid it; null: none."},
       {"can_undo", OF(can_undo), .about = "Whether it may be undone."},
       {"images", OF(images), RECORD_LIST, .of = &image_record, .about = "Images put on the blacklist or taken off it."},
       {"near_duplicates", OF(near_duplicates), RECORD_LIST, .of = &pair_record, .about = "Images that show the same photo."},
       {"apart", OF(apart), RECORD_LIST, .of = &pair_record, .about = "Images that do not show the same photo."},
       {"near_names", OF(near_names), RECORD_TEXTS, .about = "The names in near_duplicates, each once."},
       {"reviewed", OF(reviewed), IF(says_reviewed), .about = "Whether the class is reviewed now; null: it says nothing of it."},
       {"problematic", OF(problematic), IF(says_problematic), .about = "Whether it is problematic; null likewise."});
#undef OF
#undef IF

json_t *decided_json(struct ctx *c, const struct decided *d)
{
    struct decided_face face = {.d = *d};
    if (find_revision(c, d->revision, &face.revision) != OK || (face.images = images_json(c, d)) == NULL) {
        return NULL;
    }
    face.at = people_minute(c->arena, d->at);
    face.who = who_of(c, d);
    face.text = words_of_decision(c->arena, d);
    face.mine = d->account == c->user.account;
    face.can_undo = d->undone_by == 0;
    face.near_duplicates = pairs_json(d, true);
    face.apart = pairs_json(d, false);
    face.near_names = keys_json(names_of_pairs(d, true));
    face.says_reviewed = d->reviewed != DECIDED_NOTHING;
    face.reviewed = d->reviewed == 1;
    face.says_problematic = d->problematic != DECIDED_NOTHING;
    face.problematic = d->problematic == 1;
    return record_json(&decided_record, &face);
}

/* ---- lists ---- */

static json_t *list_json(struct ctx *c, int64_t class_id, int64_t after, size_t most, bool others)
{
    struct decided *list;
    size_t n;
    if (class_decisions_list(c->db, class_id, after, most, c->arena, &list, &n, &c->err) != OK) {
        return NULL;
    }
    json_t *rows = json_array();
    for (size_t i = 0; i < n; i++) {
        if (others && list[i].account == c->user.account) {
            continue;
        }
        json_t *row = decided_json(c, &list[i]);
        if (!row) {
            json_decref(rows);
            return NULL;
        }
        json_array_append_new(rows, row);
    }
    return rows;
}

json_t *decided_list_json(struct ctx *c, int64_t class_id, int64_t after, size_t most)
{
    return list_json(c, class_id, after, most, false);
}

json_t *decided_by_others_json(struct ctx *c, int64_t class_id, int64_t after, size_t most)
{
    return list_json(c, class_id, after, most, true);
}

void decided_without_ways(json_t *list)
{
    size_t i, k;
    json_t *row, *image;
    json_array_foreach(list, i, row)
    {
        json_array_foreach(json_object_get(row, "images"), k, image)
        {
            json_object_set_new(image, "url", json_null());
        }
    }
}

json_t *decided_reasons_json(struct sv current)
{
    json_t *list = json_array();
    for (size_t i = 0; i < BLACKLIST_REASONS; i++) {
        object_add(list, field_text("reason", blacklist_reasons[i]),
                   field_text("label", blacklist_labels[i]),
                   field_bool("current", sv_is(current, blacklist_reasons[i])));
    }
    return list;
}
