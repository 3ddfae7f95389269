/* decided_data.c - what is shown of a decision about the images of a class. */
#include "web/parts/decided_data.h"

#include "json/object.h"
#include "store/images/images.h"
#include "store/sets/sets.h"
#include "web/core/page_data.h"
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

static json_t *image_json(struct ctx *c, const struct blacklist_entry *e)
{
    int64_t id = 0;
    enum blacklist_reason reason = blacklist_reason_of(e->reason);
    if (images_find(c->db, e->name, &id, &c->err) != OK) {
        return NULL;
    }
    return object(
        field_sv("image", e->name),
        field_text("url", id ? arena_printf(c->arena, "/images/%lld", (long long)id) : NULL),
        field_text("thumb_url",
                   id ? arena_printf(c->arena, "/images/%lld/grid", (long long)id) : NULL),
        field_bool("banned", e->banned), field_sv("reason", e->reason),
        field_text("label", reason < BLACKLIST_REASONS ? blacklist_labels[reason] : ""),
        field_sv("note", e->note));
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

static json_t *pairs_json(const struct decided *d, bool same)
{
    json_t *list = json_array();
    for (size_t i = 0; i < d->n_pairs; i++) {
        if (d->pairs[i].same == same) {
            object_add(list, field_sv("a", d->pairs[i].a), field_sv("b", d->pairs[i].b));
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

static json_t *flag_json(int flag)
{
    return flag == DECIDED_NOTHING ? json_null() : json_boolean(flag);
}

static json_t *number_or_null(int64_t n)
{
    return n ? json_integer(n) : json_null();
}

/* "SET/NUMBER", null for none; NULL with c->err set. */
static json_t *revision_json(struct ctx *c, int64_t id)
{
    struct revision_row r;
    if (!id) {
        return json_null();
    }
    return revisions_get(c->db, id, c->arena, &r, &c->err) == OK
               ? json_string(set_title(c->arena, &r))
               : NULL;
}

static const char *who_of(struct ctx *c, const struct decided *d)
{
    return d->login.n ? arena_cstr(c->arena, d->login) : "a former account";
}

json_t *decided_json(struct ctx *c, const struct decided *d)
{
    json_t *images = images_json(c, d);
    json_t *revision = images ? revision_json(c, d->revision) : NULL;
    if (!revision) {
        json_decref(images);
        return NULL;
    }
    return object(field_int("id", d->id), field_text("at", people_minute(c->arena, d->at)),
                  field_text("who", who_of(c, d)),
                  field_bool("mine", d->account == c->user.account),
                  field_text("text", words_of_decision(c->arena, d)),
                  field_json("revision", revision), field_json("undoes", number_or_null(d->undoes)),
                  field_json("undone_by", number_or_null(d->undone_by)),
                  field_bool("can_undo", d->undone_by == 0), field_json("images", images),
                  field_json("near_duplicates", pairs_json(d, true)),
                  field_json("apart", pairs_json(d, false)),
                  field_json("near_names", keys_json(names_of_pairs(d, true))),
                  field_json("reviewed", flag_json(d->reviewed)),
                  field_json("problematic", flag_json(d->problematic)));
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
