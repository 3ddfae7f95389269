/* said.c - an image's place in sets: what holds, who said so, what sampling makes of it. */
#include "web/images/said.h"

#include "json/object.h"
#include "sets/pool/class_facts.h"
#include "store/images/said.h"
#include "store/review/class_decisions.h"
#include "view/escape.h"
#include "web/core/page_data.h"
#include "web/core/view_choice.h"
#include "web/parts/class_browser.h"
#include "web/parts/people_data.h"

enum { SAID_MOST = 100, FAMILY_MOST = 100 };

/* ---- what holds ---- */

/* Name and address of an image that may not be in the project. */
static enum err_code link_json(struct ctx *c, struct sv name, json_t **out)
{
    int64_t id = 0;
    if (images_find(c->db, name, &id, &c->err) != OK) {
        return c->err.code;
    }
    *out = object(
        field_sv("name", name),
        field_text("url", id ? arena_printf(c->arena, "/images/%lld", (long long)id) : NULL));
    return OK;
}

/* Those of the same photo but for the image itself. */
static json_t *family_json(struct ctx *c, const struct class_facts *f, const struct class_fact *i)
{
    json_t *list = json_array();
    const struct class_component *k =
        i && i->component != NEAR_NONE ? &f->components[i->component] : NULL;
    for (size_t m = 0; k && m < k->n && m < FAMILY_MOST; m++) {
        const struct class_relative *r = &k->members[m];
        struct class_info of = {.wnid = SV("")};
        json_t *row = NULL;
        if (r->image == (int64_t)i->image) {
            continue;
        }
        if ((r->class_id && classes_get(c->db, r->class_id, c->arena, &of, &c->err) != OK) ||
            link_json(c, r->name, &row) != OK) {
            json_decref(list);
            return NULL;
        }
        json_object_set_new(row, "wnid", data_text(of.wnid));
        json_object_set_new(row, "class",
                            json_string(data_class_name(c->arena, of.synset, of.wnid)));
        json_object_set_new(
            row, "thumb_url",
            r->image ? json_string(arena_printf(c->arena, "/images/%lld/grid", (long long)r->image))
                     : json_null());
        json_object_set_new(row, "original", json_boolean(r->original));
        json_object_set_new(row, "out", json_boolean(r->out));
        json_array_append_new(list, row);
    }
    return list;
}

static const char *why_text(const struct class_facts *f, const struct class_fact *i)
{
    static const char *const rules[NEAR_RULES] = {
        [NEAR_ORIGINAL] = "It shows the photo of an original, so sampling does not take it.",
        [NEAR_KEPT] = "Somebody decided which image of this photo stays; it is another one.",
        [NEAR_GOOD] = "Of its photo another image stays: the one with the highest frequency in the "
                      "class that has the "
                      "fewest good candidates.",
        [NEAR_FAIR] = "Of its photo another image stays: the one with the highest frequency in the "
                      "class that has the "
                      "fewest good candidates.",
        [NEAR_BEST] = "Of its photo another image stays: the one with the highest frequency.",
    };
    if (!i || i->original) {
        return i ? "An original is measured, never sampled."
                 : "Neither original nor candidate: sets do not know it.";
    }
    if (i->blacklisted) {
        return "It is on the blacklist, so sampling does not take it.";
    }
    if (i->near_duplicate) {
        return rules[f->components[i->component].rule];
    }
    if (i->hidden) {
        return "It is hidden, so sampling does not take it.";
    }
    if (i->unsearched && !i->unreviewed) {
        return "It can be sampled once it has been searched for near-duplicates.";
    }
    return i->unreviewed ? "Sampling takes it once somebody has looked at its nearest neighbours."
           : i->shown < SAMPLE_ANSWERS_LEAST ? "Sampling takes it once it has enough answers; sets "
                                               "without votes may take it as it is."
                                             : "Sampling may take it.";
}

/* ---- who said so ---- */

static const char *words_of_said(struct ctx *c, const struct image_said *s)
{
    enum blacklist_reason reason = blacklist_reason_of(s->what);
    switch (s->kind) {
    case SAID_BLACKLIST:
        return s->yes ? arena_printf(c->arena, "put it on the blacklist: %s",
                                     reason < BLACKLIST_REASONS ? blacklist_labels[reason]
                                                                : "no reason known")
                      : "took it off the blacklist";
    case SAID_NEAR_DUPLICATE:
        return s->yes ? "called it a near-duplicate of" : "said it is no near-duplicate of";
    case SAID_KEEP:
        return s->yes ? "chose it to stay of its photo" : "no longer chose it to stay";
    case SAID_PICK:
        break;
    }
    return s->yes ? arena_printf(c->arena, SV_FMT " it", SV_ARG(s->what))
                  : "put it back among those to pick from";
}

static json_t *said_json(struct ctx *c, struct sv name, struct sv *pick)
{
    struct image_said *said;
    size_t n;
    if (image_said(c->db, name, SAID_MOST, c->arena, &said, &n, &c->err) != OK) {
        return NULL;
    }
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        const struct image_said *s = &said[i];
        json_t *other = json_null();
        if (s->kind == SAID_NEAR_DUPLICATE && link_json(c, s->what, &other) != OK) {
            json_decref(list);
            return NULL;
        }
        if (s->kind == SAID_PICK && pick->n == 0) {
            *pick = s->what; /* the newest holds */
        }
        const char *who = s->login.n    ? arena_cstr(c->arena, s->login)
                          : s->imported ? "an import"
                                        : "a former account";
        object_add(list, field_text("at", people_minute(c->arena, s->at)), field_text("who", who),
                   field_text("text", words_of_said(c, s)), field_json("other", other),
                   field_sv("note", s->note));
    }
    return list;
}

/* ---- all of it ---- */

static enum err_code load_facts(struct ctx *c, int64_t class_id, struct sv view,
                                struct class_facts *f)
{
    const struct counted_view *counted = NULL;
    enum err_code rc = view_choice_is_default(view) ? OK : view_choice_get(c, view, &counted);
    if (rc == OK) {
        struct class_facts_ask ask = {class_id, counted ? &counted->counts : NULL,
                                      c->config->flags_to_quarantine};
        rc = class_facts_make(c->db, app_tally(c->app), &ask, c->arena, f, &c->err);
    }
    view_choice_put(counted);
    return rc;
}

/* Where people pick among the images of its keyword. */
static const char *pick_url(struct ctx *c, const struct image_row *image,
                            const struct class_info *k)
{
    struct str s;
    str_init(&s, 8192);
    str_printf(&s, "/picks/" SV_FMT "?keyword=", SV_ARG(k->wnid));
    escape_url(&s, image->keyword);
    const char *url = arena_cstr(c->arena, str_sv(&s));
    str_release(&s);
    return url;
}

json_t *image_said_json(struct ctx *c, const struct image_row *image, const struct class_info *k,
                        struct sv view)
{
    struct class_facts f;
    int64_t version = 0;
    struct sv pick = SV("");
    json_t *said = NULL;
    if (class_version(c->db, k->id, &version, &c->err) != OK || /* before what it is about */
        load_facts(c, k->id, view, &f) != OK || (said = said_json(c, image->name, &pick)) == NULL) {
        return NULL;
    }
    const struct class_fact *i = class_facts_find(&f, (uint32_t)image->id);
    json_t *family = family_json(c, &f, i);
    if (!family) {
        json_decref(said);
        return NULL;
    }
    bool keyword = i && !i->original && image->keyword.n;
    return object(
        field_bool("sampled", i != NULL), field_int("version", version),
        field_text("back", arena_printf(c->arena, "/images/%lld#sets", (long long)image->id)),
        field_json("state", class_browser_state(c, &f, (uint32_t)image->id, true)),
        field_text("why", why_text(&f, i)), field_bool("any_family", json_array_size(family) > 0),
        field_json("family", family), field_bool("any_said", json_array_size(said) > 0),
        field_json("said", said), field_text("pick_url", keyword ? pick_url(c, image, k) : NULL),
        field_json("pick", pick.n ? data_text(pick) : json_null()),
        field_bool("picked", sv_is(pick, "picked")));
}
