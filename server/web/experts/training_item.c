/* training_item.c - one image of a training list: choosing a class, and what one is told then. Addresses have the image's place
 * in the list and nothing else of it; nothing is told before one has answered. Rows in routes.c;
 * templates/experts/training_item.mustache. */
#include "base/clock.h"
#include "json/object.h"
#include "store/images/images.h"
#include "web/core/form_refused.h"
#include "web/core/image_bytes.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/core/shown_to.h"
#include "web/experts/training.h"
#include "web/naming/class_picker.h"
#include "web/naming/guide_text.h"
#include "web/naming/relation_data.h"

static json_t *class_json(struct ctx *c, const struct class_info *k)
{
    return object(field_text("name", data_class_name(c->arena, k->synset, k->wnid)), field_text("synset", data_synset(c->arena, k->synset, ", ")),
                  field_sv("wnid", k->wnid), field_sv("gloss", k->gloss), field_text("url", class_entry_url(c, k->wnid)));
}

/* ---- what one is told ---- */

static const struct {
    const char *value, *label, *key;
} says[] = {
    {"correct", "Correct", "1"}, {"wrong", "Wrong", "2"}, {"unclear", "Unclear", "3"}, {"dontknow", "Don\xe2\x80\x99t know", "4"},
    {"none", "Nothing", "5"},
};

static const struct training_suggested *own_suggestion(struct ctx *c, const struct training_view *v, int64_t class_id)
{
    for (size_t i = 0; i < v->n_suggested; i++) {
        if (v->suggested[i].account == c->user.account && v->suggested[i].class_id == class_id) {
            return &v->suggested[i];
        }
    }
    return NULL;
}

static json_t *says_json(const struct training_suggested *own)
{
    json_t *list = json_array();
    for (size_t i = 0; i < sizeof says / sizeof *says; i++) {
        object_add(list, field_text("value", says[i].value), field_text("label", says[i].label), field_text("key", says[i].key),
                   field_bool("current", own ? sv_is(own->verdict, says[i].value) : i + 1 == sizeof says / sizeof *says));
    }
    return list;
}

/* Others' suggestions, without names: rows of one label and verdict are one. */
static json_t *suggested_json(struct ctx *c, const struct training_view *v)
{
    json_t *list = json_array();
    for (size_t i = 0; i < v->n_suggested; i++) {
        const struct training_suggested *s = &v->suggested[i];
        if (s->account == c->user.account) {
            continue;
        }
        object_add(list, field_text("name", s->class_id ? data_class_name(c->arena, s->synset, s->wnid) : "The image"),
                   field_text("verdict", sv_is(s->verdict, "dontknow") ? "not known" : arena_cstr(c->arena, s->verdict)), field_sv("comment", s->comment));
    }
    for (size_t i = 0; i < v->n_known; i++) {
        const struct training_known *k = &v->known[i];
        object_add(list, field_text("name", data_class_name(c->arena, k->synset, k->wnid)),
                   field_text("verdict", arena_printf(c->arena, "reviewed: %lld correct, %lld unclear, %lld wrong", (long long)k->correct,
                                                      (long long)k->unclear, (long long)k->wrong)),
                   field_sv("comment", SV("")));
    }
    return list;
}

/* What the guide says of a class, and in which version; null: nothing. NULL with c->err set. */
static json_t *guide_json(struct ctx *c, struct sv wnid)
{
    struct guide_version g;
    json_t *text = guide_newest(c->db, wnid, c->arena, &g, &c->err) == OK ? guide_text_json(c, g.text) : NULL;
    if (!text || json_is_null(text)) {
        return text;
    }
    return object(field_json("text", text), field_text("version", arena_printf(c->arena, "%lld", (long long)g.id)));
}

/* null before one has answered; NULL with c->err set. */
static json_t *told_json(struct ctx *c, const struct training_view *v)
{
    struct relation_row *relations;
    size_t n = 0;
    if (v->n == 0) {
        return json_null();
    }
    json_t *guide = relations_list(c->db, v->right.id, c->arena, &relations, &n, &c->err) == OK ? guide_json(c, v->right.wnid) : NULL;
    if (!guide) {
        return NULL;
    }
    const struct training_answer_row *last = &v->answers[v->n - 1], *first = &v->answers[0];
    const struct training_suggested *own = own_suggestion(c, v, v->chosen.id), *problem = own_suggestion(c, v, 0);
    json_t *suggested = suggested_json(c, v);
    return object(field_json("chosen", class_json(c, &v->chosen)), field_json("right", class_json(c, &v->right)),
                  field_bool("fits", last->fits), field_bool("other", last->fits && last->class_id != v->right.id), field_bool("again", v->n > 1),
                  field_bool("first_fits", first->fits), field_bool("counts", first->counts), field_json("says", says_json(own)),
                  field_sv("comment", own ? own->comment : SV("")), field_bool("problematic", problem != NULL),
                  field_sv("problem_comment", problem ? problem->comment : SV("")), field_bool("any_suggested", json_array_size(suggested) > 0),
                  field_json("suggested", suggested), field_json("guide", guide), field_bool("any_relations", n > 0),
                  field_json("relations", relations_json(c, relations, n, v->right.id)),
                  field_text("pair_url", v->chosen.id == v->right.id ? NULL : arena_printf(c->arena, "%s/with/" SV_FMT, class_entry_url(c, v->right.wnid), SV_ARG(v->chosen.wnid))));
}

/* ---- the page ---- */

static const char legend[] = "Your choice";

static const char *next_url(struct ctx *c, const struct training_list_row *l, int64_t position)
{
    return arena_printf(c->arena, "%s/next?after=%lld", training_url(c, l->name), (long long)position);
}

static enum err_code reply_item(struct ctx *c, const struct training_view *v, const struct class_picker_ask *ask, int status)
{
    const struct training_list_row *l = &v->list;
    struct training_facts f;
    enum err_code rc = training_facts_read(c->db, l, c->user.account, c->arena, &f, &c->err);
    json_t *choose = rc == OK ? class_picker_json(c, ask) : NULL, *told = choose ? told_json(c, v) : NULL;
    if (!told) {
        json_decref(choose);
        return c->err.code;
    }
    const char *self = training_item_url(c, l->name, v->position);
    const int64_t part = v->position / TRAINING_PART, of_part = v->position % TRAINING_PART + 1;
    const int64_t in_part = (part + 1) * TRAINING_PART <= l->images ? TRAINING_PART : l->images - part * TRAINING_PART;
    json_t *page = object(
        field_json("list", training_list_json(c, &f)), field_text("number", data_count(c->arena, of_part)), field_int("of", in_part),
        field_text("part", data_count(c->arena, part + 1)), field_text("picture", arena_printf(c->arena, "%s/image", self)),
        field_text("action", self), field_text("suggest_action", arena_printf(c->arena, "%s/suggest", self)), field_count("seen", v->n),
        field_json("told", told), field_bool("turned", class_picker_turns(&c->form)), field_json("choose", choose),
        field_text("next_url", next_url(c, l, v->position)));
    response_header(c->res, "Cache-Control", "no-store");
    return reply_page(c, status, "experts/training_item", arena_printf(c->arena, SV_FMT ", part %lld", SV_ARG(l->name), (long long)part + 1), page);
}

static enum err_code read_view(struct ctx *c, struct training_view *v)
{
    struct training_list_row l;
    int64_t position;
    if (training_open_item(c, &l, &position) != OK) {
        return c->err.code;
    }
    c->onward = next_url(c, &l, position);
    return training_view_read(c->db, &l, position, c->user.account, c->arena, v, &c->err);
}

/* GET /training/:list/:position */
enum err_code page_training_item(struct ctx *c)
{
    struct training_view v;
    const struct class_picker_ask ask = class_picker_of_address(c, "choice", legend);
    enum err_code rc = read_view(c, &v);
    return rc == OK ? reply_item(c, &v, &ask, 200) : rc;
}

/* GET /training/:list/:position/image */
enum err_code page_training_image(struct ctx *c)
{
    struct training_view v;
    struct image_source source;
    enum err_code rc = read_view(c, &v);
    if (rc == OK && app_image_hidden(c->app, v.image)) {
        return page_send_veil(c);
    }
    rc = rc == OK ? sources_of_image(c->db, v.image, &source, &c->err) : rc;
    if (rc != OK) {
        return rc;
    }
    shown_note(c, v.image, SAW_TRAINING);
    const struct image_sent at = image_sent_of(&source, RENDITION_VIEW);
    return reply_image(c, &at, false);
}

/* A place in a list from the address; -1: there is none. */
static int64_t place_of(struct ctx *c, const char *name)
{
    int64_t at;
    return sv_i64(request_query(c->req, name), &at) && at >= 0 && at < TRAINING_IMAGES ? at : -1;
}

/* GET /training/:list/next?after=, from=: the next image; after the last one of a part the list's page. */
enum err_code page_training_next(struct ctx *c)
{
    struct training_list_row l;
    const int64_t after = place_of(c, "after"), from = place_of(c, "from");
    int64_t next = -1;
    enum err_code rc = training_open(c, &l);
    rc = rc == OK && sv_is(l.state, "open") ? training_goes_on(c, &l, from >= 0 ? from - 1 : after, &next) : rc;
    if (rc != OK) {
        return rc;
    }
    const bool ends = next < 0 || (after >= 0 && next / TRAINING_PART != after / TRAINING_PART);
    return reply_redirect(c, !ends         ? training_item_url(c, l.name, next)
                             : after >= 0 ? arena_printf(c->arena, "%s?done=%lld", training_url(c, l.name), (long long)(after / TRAINING_PART + 1))
                                          : training_url(c, l.name));
}

/* ---- saying ---- */

static struct training_saying saying_of_form(struct ctx *c, const struct training_view *v)
{
    int64_t ms = 0, seen = 0;
    sv_i64(form_get(&c->form, "active_ms"), &ms);
    sv_i64(form_get(&c->form, "seen"), &seen);
    return (struct training_saying){.list = v->list.name, .position = v->position, .account = c->user.account, .seen = seen,
                                    .wnid = form_get(&c->form, "choice"), .searched = sv_is(form_get(&c->form, "searched"), "1"),
                                    .active_ms = ms, .verdict = form_get(&c->form, "verdict"),
                                    .comment = form_get(&c->form, "comment")};
}

/* POST, first step: shows the page with another view of the classes, or reads what is to be stored. */
enum err_code page_training_read(struct ctx *c)
{
    struct training_view v;
    struct training_saying *s = arena_calloc(c->arena, 1, sizeof *s);
    const struct class_picker_ask ask = class_picker_of_form(&c->form, "choice", legend);
    c->state = s;
    enum err_code rc = read_view(c, &v);
    if (rc != OK || class_picker_turns(&c->form)) {
        return rc == OK ? reply_item(c, &v, &ask, 200) : rc;
    }
    *s = saying_of_form(c, &v);
    return OK;
}

/* POST /training/:list/:position */
enum err_code page_training_check(struct ctx *c)
{
    const struct training_saying *s = c->state;
    enum err_code rc = training_check(c->db, s, clock_wall_ms(), c->arena, &c->err);
    return rc == OK ? reply_redirect(c, arena_printf(c->arena, "%s#told-head", training_item_url(c, s->list, s->position))) : rc;
}

/* POST /training/:list/:position/suggest */
enum err_code page_training_suggest(struct ctx *c)
{
    const struct training_saying *s = c->state;
    enum err_code rc = training_say(c->db, s, clock_wall_ms(), c->arena, &c->err);
    const bool none = sv_is(s->verdict, "none");
    const struct undo undo = {arena_printf(c->arena, "%s/suggest", training_item_url(c, s->list, s->position)),
                              {{"verdict", "none"}, {"choice", arena_cstr(c->arena, s->wnid)}}};
    return rc == OK ? reply_did(c, arena_printf(c->arena, "%s#told-head", training_item_url(c, s->list, s->position)), none ? NULL : &undo,
                                none ? "Took the suggestion back." : "Noted the suggestion.")
                    : rc;
}
