/* training_item.c - one image of a training list: choosing a class, and what one is told then. Addresses have the image's place
 * in the list and nothing else of it; nothing is told before one has answered. Rows in routes.c;
 * templates/experts/training_item.mustache. */
#include "base/clock.h"
#include "base/list.h"
#include "experts/class_search.h"
#include "json/object.h"
#include "store/images/images.h"
#include "web/core/form_refused.h"
#include "web/core/image_bytes.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/core/shown_to.h"
#include "web/experts/training.h"

enum { FOUND_MOST = 30, ALL_MOST = 40, RECENT_MOST = 8 };

/* ---- choosing ---- */

struct choices {
    struct list rows; /* struct class_info */
    const char *what; /* "All classes" */
};

static void choose_add(struct ctx *c, struct choices *list, const struct class_info *k)
{
    const struct class_info *rows = list->rows.items;
    for (size_t i = 0; i < list->rows.n; i++) {
        if (rows[i].id == k->id) {
            return;
        }
    }
    *LIST_ADD(&list->rows, c->arena, struct class_info) = *k;
}

/* What one chose last in this list, the newest first. */
static enum err_code add_recent(struct ctx *c, const struct training_list_row *l, struct choices *out)
{
    struct training_answer_row *rows;
    size_t n = 0;
    enum err_code rc = training_answers_own(c->db, l->id, c->user.account, c->arena, &rows, &n, &c->err);
    for (size_t i = n; i > 0 && out->rows.n < RECENT_MOST && rc == OK; i--) {
        struct class_info k;
        rc = classes_get(c->db, rows[i - 1].class_id, c->arena, &k, &c->err);
        if (rc == OK) {
            choose_add(c, out, &k);
        }
    }
    return rc;
}

static enum err_code add_found(struct ctx *c, struct sv query, struct choices *out)
{
    struct class_found *found;
    size_t n = 0;
    enum err_code rc = class_search(c->db, query, FOUND_MOST, c->arena, &found, &n, &c->err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        choose_add(c, out, &found[i].k);
    }
    return rc;
}

/* The classes to choose among: what a search found; without one all classes if they are few, else what one chose before. What is
 * chosen already is always there. */
static enum err_code read_choices(struct ctx *c, const struct training_list_row *l, struct sv query, struct sv chosen, struct choices *out)
{
    struct class_info *all, k;
    size_t n = 0;
    enum err_code rc = classes_list(c->db, c->arena, &all, &n, &c->err);
    *out = (struct choices){.what = query.n         ? arena_printf(c->arena, "Classes that fit \xe2\x80\x9c" SV_FMT "\xe2\x80\x9d", SV_ARG(query))
                                    : n <= ALL_MOST ? "All classes"
                                                    : "Chosen before"};
    if (rc == OK && chosen.n && classes_find(c->db, chosen, c->arena, &k, &c->err) == OK) {
        choose_add(c, out, &k);
    }
    err_clear(&c->err);
    if (rc == OK && query.n) {
        return add_found(c, query, out);
    }
    for (size_t i = 0; i < n && n <= ALL_MOST && rc == OK; i++) {
        choose_add(c, out, &all[i]);
    }
    return rc == OK && n > ALL_MOST ? add_recent(c, l, out) : rc;
}

static json_t *class_json(struct ctx *c, const struct class_info *k, bool checked)
{
    return object(field_sv("wnid", k->wnid), field_text("name", data_class_name(c->arena, k->synset, k->wnid)),
                  field_text("synset", data_synset(c->arena, k->synset, ", ")), field_sv("gloss", k->gloss), field_bool("checked", checked));
}

static json_t *choices_json(struct ctx *c, const struct choices *list, struct sv chosen)
{
    const struct class_info *rows = list->rows.items;
    json_t *all = json_array();
    for (size_t i = 0; i < list->rows.n; i++) {
        json_array_append_new(all, class_json(c, &rows[i], sv_eq(rows[i].wnid, chosen)));
    }
    return all;
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

/* null before one has answered. */
static json_t *told_json(struct ctx *c, const struct training_view *v)
{
    if (v->n == 0) {
        return json_null();
    }
    const struct training_answer_row *last = &v->answers[v->n - 1], *first = &v->answers[0];
    const struct training_suggested *own = own_suggestion(c, v, v->chosen.id), *problem = own_suggestion(c, v, 0);
    json_t *suggested = suggested_json(c, v);
    return object(field_json("chosen", class_json(c, &v->chosen, true)), field_json("right", class_json(c, &v->right, false)),
                  field_bool("fits", last->fits), field_bool("other", last->fits && last->class_id != v->right.id), field_bool("again", v->n > 1),
                  field_bool("first_fits", first->fits), field_bool("counts", first->counts), field_json("says", says_json(own)),
                  field_sv("comment", own ? own->comment : SV("")), field_bool("problematic", problem != NULL),
                  field_sv("problem_comment", problem ? problem->comment : SV("")), field_bool("any_suggested", json_array_size(suggested) > 0),
                  field_json("suggested", suggested));
}

/* ---- the page ---- */

static enum err_code reply_item(struct ctx *c, const struct training_view *v, const struct form *form, int status)
{
    const struct training_list_row *l = &v->list;
    struct training_facts f;
    struct choices choices;
    const struct sv query = form ? sv_trim(form_get(form, "find")) : SV(""), chosen = form ? form_get(form, "choice") : SV("");
    enum err_code rc = training_facts_read(c->db, l, c->user.account, c->arena, &f, &c->err);
    rc = rc == OK ? read_choices(c, l, query, chosen, &choices) : rc;
    if (rc != OK) {
        return rc;
    }
    const char *self = training_item_url(c, l->name, v->position);
    const int64_t part = v->position / TRAINING_PART, of_part = v->position % TRAINING_PART + 1;
    const int64_t in_part = (part + 1) * TRAINING_PART <= l->images ? TRAINING_PART : l->images - part * TRAINING_PART;
    json_t *page = object(
        field_json("list", training_list_json(c, &f)), field_text("number", data_count(c->arena, of_part)), field_int("of", in_part),
        field_text("part", data_count(c->arena, part + 1)), field_text("picture", arena_printf(c->arena, "%s/image", self)),
        field_text("action", self), field_text("suggest_action", arena_printf(c->arena, "%s/suggest", self)),
        field_count("seen", v->n), field_json("told", told_json(c, v)), field_bool("finding", form && sv_is(form_get(form, "do"), "find")),
        field_sv("query", query), field_text("what", choices.what), field_bool("any_choices", choices.rows.n > 0),
        field_json("choices", choices_json(c, &choices, chosen)),
        field_text("next_url", arena_printf(c->arena, "%s/next?after=%lld", training_url(c, l->name), (long long)v->position)));
    response_header(c->res, "Cache-Control", "no-store");
    return reply_page(c, status, "experts/training_item", arena_printf(c->arena, SV_FMT ", part %lld", SV_ARG(l->name), (long long)part + 1), page);
}

static enum err_code read_view(struct ctx *c, struct training_view *v)
{
    struct training_list_row l;
    int64_t position;
    enum err_code rc = training_open_item(c, &l, &position);
    rc = rc == OK ? training_view_read(c->db, &l, position, c->user.account, c->arena, v, &c->err) : rc;
    return rc;
}

/* GET /training/:list/:position */
enum err_code page_training_item(struct ctx *c)
{
    struct training_view v;
    enum err_code rc = read_view(c, &v);
    return rc == OK ? reply_item(c, &v, NULL, 200) : rc;
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

/* GET /training/:list/next?after=, from=: where one goes on. Behind the last image of a part comes the list's page. */
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
                                    .active_ms = ms > 0 && ms < 86400000 ? ms : 0, .verdict = form_get(&c->form, "verdict"),
                                    .comment = form_get(&c->form, "comment")};
}

/* POST, first step: shows the page again with what a search found, or reads what is to be stored. */
enum err_code page_training_read(struct ctx *c)
{
    struct training_view v;
    struct training_saying *s = arena_calloc(c->arena, 1, sizeof *s);
    c->state = s;
    enum err_code rc = read_view(c, &v);
    if (rc != OK || sv_is(form_get(&c->form, "do"), "find")) {
        return rc == OK ? reply_item(c, &v, &c->form, 200) : rc;
    }
    *s = saying_of_form(c, &v);
    return OK;
}

/* POST /training/:list/:position */
enum err_code page_training_check(struct ctx *c)
{
    const struct training_saying *s = c->state;
    enum err_code rc = training_check(c->db, s, clock_wall_ms(), c->arena, &c->err);
    return rc == OK ? reply_redirect(c, arena_printf(c->arena, "%s#told", training_item_url(c, s->list, s->position))) : rc;
}

/* POST /training/:list/:position/suggest */
enum err_code page_training_suggest(struct ctx *c)
{
    const struct training_saying *s = c->state;
    enum err_code rc = training_say(c->db, s, clock_wall_ms(), c->arena, &c->err);
    const bool none = sv_is(s->verdict, "none");
    const struct undo undo = {arena_printf(c->arena, "%s/suggest", training_item_url(c, s->list, s->position)),
                              {{"verdict", "none"}, {"choice", arena_cstr(c->arena, s->wnid)}}};
    return rc == OK ? reply_did(c, arena_printf(c->arena, "%s#told", training_item_url(c, s->list, s->position)), none ? NULL : &undo,
                                none ? "Took the suggestion back." : "Noted the suggestion.")
                    : rc;
}
