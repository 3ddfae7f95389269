/* item.c - one image of a label review: its labels as rows, one verdict each. What models and other people say is shown once
 * the reviewer has saved, and never of an image that a sealed revision has. Addresses have the image's place in the list and
 * nothing else of it. Rows in routes.c; templates/experts/item.mustache. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "json/object.h"
#include "store/images/images.h"
#include "store/labels/label_seen.h"
#include "view/people_texts.h"
#include "web/core/form_refused.h"
#include "web/core/image_bytes.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/core/shown_to.h"
#include "web/experts/review.h"
#include "web/naming/class_picker.h"
#include "web/naming/relation_data.h"

static const char field_add[] = "add"; /* a label that is chosen from all classes */

static const struct {
    const char *value, *label, *key;
} says[] = {
    {"correct", "Correct", "1"}, {"wrong", "Wrong", "2"}, {"unclear", "Unclear", "3"}, {"dontknow", "Don\xe2\x80\x99t know", "4"},
    {"unreviewed", "Unreviewed", "5"},
};
enum { SAYS = sizeof says / sizeof *says };

/* What the page is made of besides the image. */
struct shown {
    const struct form *form; /* what was typed, when the form is shown again; NULL: nothing was */
    bool again, adjudicates;
    bool reads;              /* a lead who does not review it: nothing can be said */
    const char *why;         /* they do not: their work is the list, but not this image */
    const char *name;        /* the image's, to leads; NULL: not told */
    int64_t ahead;           /* the image that probably comes next; -1: none */
};

/* ---- rows ---- */

static const char *field_of(struct ctx *c, const char *what, struct sv wnid)
{
    return arena_printf(c->arena, "%s-" SV_FMT, what, SV_ARG(wnid));
}

/* The verdict that is chosen: as typed, else as saved. */
static const char *chosen(struct ctx *c, const struct shown *s, struct sv wnid, unsigned char own)
{
    struct sv typed = s->form ? form_get(s->form, field_of(c, "say", wnid)) : SV("");
    return typed.n                   ? arena_cstr(c->arena, typed)
           : own == LABEL_UNREVIEWED ? "unreviewed"
                                     : label_verdict_word((enum label_verdict)own);
}

static json_t *says_json(const char *value)
{
    json_t *list = json_array();
    for (int i = 0; i < SAYS; i++) {
        object_add(list, field_text("value", says[i].value), field_text("label", says[i].label), field_text("key", says[i].key),
                   field_bool("checked", strcmp(says[i].value, value) == 0));
    }
    return list;
}

static json_t *row_json(struct ctx *c, const struct shown *s, const struct label_asked *k, unsigned char own, bool added, bool suggested,
                        size_t number)
{
    const char *name = data_class_name(c->arena, k->synset, k->wnid);
    return object(field_count("number", number), field_sv("wnid", k->wnid), field_text("name", name),
                  field_text("search", data_in_query(c->arena, sv_of(name))),
                  field_text("synset", data_synset(c->arena, k->synset, ", ")), field_sv("gloss", k->gloss),
                  field_bool("added", added), field_bool("suggested", suggested),
                  field_json("says", says_json(chosen(c, s, k->wnid, own))));
}

/* The rows with what is known of how their classes relate; takes the reference. NULL with c->err set. */
static json_t *with_hints(struct ctx *c, json_t *rows, const int64_t *classes)
{
    const size_t n = json_array_size(rows);
    for (size_t i = 0; i < n; i++) {
        json_t *hints = relation_hints_json(c, classes[i], classes, n);
        if (!hints) {
            json_decref(rows);
            return NULL;
        }
        json_object_set_new(json_array_get(rows, i), "hints", hints);
    }
    return rows;
}

/* A label that the form adds: the value of a field "added", and that of "add" where the button to add it was pressed. */
static bool adds(const struct form *f, const struct form_field *field)
{
    return sv_is(field->name, "added") || (sv_is(field->name, field_add) && sv_is(form_get(f, "do"), "add"));
}

static bool has_class(const int64_t *classes, size_t n, int64_t id)
{
    size_t i = 0;
    while (i < n && classes[i] != id) {
        i++;
    }
    return i < n;
}

/* Labels that somebody chose from all classes are rows too, each once. NULL with c->err set. */
static json_t *rows_json(struct ctx *c, const struct review_item *item, const struct shown *s)
{
    json_t *list = json_array();
    int64_t *classes = arena_calloc(c->arena, item->n + (s->form ? s->form->n : 0) + 1, sizeof *classes);
    for (size_t i = 0; i < item->n; i++) {
        const struct review_label *l = &item->labels[i];
        classes[i] = l->asked.class_id;
        json_array_append_new(list, row_json(c, s, &l->asked, l->own, l->added, l->suggested, i + 1));
    }
    for (size_t i = 0; s->form && i < s->form->n; i++) {
        struct class_info k;
        struct err none = {OK, "", ""};
        const size_t n = json_array_size(list);
        if (!adds(s->form, &s->form->fields[i]) || classes_find(c->db, s->form->fields[i].value, c->arena, &k, &none) != OK ||
            has_class(classes, n, k.id)) {
            continue; /* what is no class is refused where it is saved */
        }
        const struct label_asked asked = {.wnid = k.wnid, .synset = k.synset, .gloss = k.gloss};
        classes[n] = k.id;
        json_array_append_new(list, row_json(c, s, &asked, VERDICT_CORRECT, true, false, n + 1));
    }
    return with_hints(c, list, classes);
}

/* Any class as a further label; null for who can only look. NULL with c->err set. */
static json_t *choose_json(struct ctx *c, const struct shown *s)
{
    static const struct form nothing = {.n = 0};
    struct class_picker_ask ask = class_picker_of_form(s->form ? s->form : &nothing, field_add, "Which label is missing?");
    ask.brief = !s->form || !class_picker_turns(s->form);
    if (s->form && sv_is(form_get(s->form, "do"), "add")) {
        ask.chosen = SV(""); /* it is a row now */
    }
    return s->reads ? json_null() : class_picker_json(c, &ask);
}

/* The row that a script fills for a label that is chosen without sending the form. */
static json_t *blank_json(struct ctx *c)
{
    const struct shown plain = {.ahead = -1};
    const struct label_asked none = {.class_id = 0};
    return row_json(c, &plain, &none, VERDICT_CORRECT, true, false, 0);
}

static json_t *problems_json(struct sv chosen_word)
{
    json_t *list = json_array();
    for (int p = 0; p < PROBLEMS; p++) {
        object_add(list, field_text("value", problem_word((enum problem)p)), field_text("label", problem_about((enum problem)p)),
                   field_bool("checked", sv_is(chosen_word, problem_word((enum problem)p))));
    }
    return list;
}

/* ---- what others say ---- */

/* Reviewers have letters, so that nobody is judged by their name. */
static const char *person_name(struct ctx *c, const struct review_item *item, int64_t account)
{
    int64_t seen[LABEL_REVIEWERS * 4];
    size_t n = 0;
    for (size_t i = 0; i < item->n_looks && n < sizeof seen / sizeof *seen; i++) {
        bool known = false;
        for (size_t k = 0; k < n; k++) {
            known = known || seen[k] == item->looks[i].account;
        }
        if (!known) {
            seen[n++] = item->looks[i].account;
        }
    }
    for (size_t k = 0; k < n; k++) {
        if (seen[k] == account) {
            return account && account == c->user.account ? "You" : arena_printf(c->arena, "Reviewer %c", (char)('A' + k % 26));
        }
    }
    return "Reviewer";
}

static json_t *look_verdicts(struct ctx *c, const struct review_item *item, int64_t look)
{
    json_t *list = json_array();
    for (size_t i = 0; i < item->n_said; i++) {
        const struct label_asked *asked = review_item_said(item, i, look);
        if (asked) {
            object_add(list, field_bool("first", json_array_size(list) == 0),
                       field_text("name", data_class_name(c->arena, asked->synset, asked->wnid)),
                       field_text("verdict", label_verdict_word(item->said[i].verdict)));
        }
    }
    return list;
}

/* A look of somebody else that one can agree with: the newest of each. */
static const char *agreeable(struct ctx *c, const struct review_item *item, const struct label_look_row *k)
{
    bool newest = k->account != c->user.account && sv_is(k->part, "review");
    for (size_t i = 0; i < item->n_looks; i++) {
        const struct label_look_row *o = &item->looks[i];
        newest = newest && !(o->account == k->account && o->id > k->id && sv_is(o->part, "review"));
    }
    return newest ? arena_printf(c->arena, "%lld", (long long)k->id) : NULL;
}

static const char *stand_of(const struct review_item *item, int64_t account)
{
    static const char *const does[LABEL_STANDS] = {"agreed with another", "keeps that", "wants to discuss it"};
    for (size_t i = 0; i < item->n_stands; i++) {
        if (item->stands[i].account == account && account) {
            return does[item->stands[i].stand];
        }
    }
    return NULL;
}

static json_t *looks_json(struct ctx *c, const struct review_item *item)
{
    json_t *list = json_array();
    for (size_t i = 0; i < item->n_looks; i++) {
        const struct label_look_row *k = &item->looks[i];
        object_add(list, field_text("who", person_name(c, item, k->account)), field_sv("part", k->part),
                   field_text("at", people_minute(c->arena, k->at)), field_json("verdicts", look_verdicts(c, item, k->id)),
                   field_sv("problematic", k->problematic), field_sv("comment", k->comment),
                   field_text("agree", agreeable(c, item, k)), field_text("stand", sv_is(k->part, "review") ? stand_of(item, k->account) : NULL));
    }
    return list;
}

static json_t *models_json(struct ctx *c, const struct review_item *item)
{
    json_t *list = json_array();
    for (size_t i = 0; i < item->n; i++) {
        const struct label_asked *k = &item->labels[i].asked;
        object_add(list, field_text("name", data_class_name(c->arena, k->synset, k->wnid)),
                   field_text("models", k->models == 0 ? "no model" : arena_printf(c->arena, "%lld model%s", (long long)k->models, k->models == 1 ? "" : "s")),
                   field_bool("of_set", k->origins & ORIGIN_SET), field_bool("added", item->labels[i].added),
                   field_bool("of_source", k->origins & ORIGIN_SOURCE), field_bool("of_person", k->origins & ORIGIN_PERSON),
                   field_bool("of_contains", k->origins & ORIGIN_CONTAINS), field_bool("of_classify", k->origins & ORIGIN_CLASSIFY));
    }
    return list;
}

static bool others(struct ctx *c, const struct review_item *item)
{
    bool any = false;
    for (size_t i = 0; i < item->n_looks; i++) {
        any = any || agreeable(c, item, &item->looks[i]);
    }
    return any;
}

/* ---- the page ---- */

static const char *state_text(const struct review_item *item, const struct shown *s)
{
    return s->reads                                        ? s->why
           : s->adjudicates                                ? "What reviewers said is below. What you save holds."
           : s->again                                      ? "You have seen this image before: say once more what you see."
           : item->saved                                   ? "You have reviewed this image. What you save replaces what you said."
                                                           : NULL;
}

static enum err_code reply_item(struct ctx *c, const struct review_item *item, const struct shown *s, int status)
{
    json_t *rows = rows_json(c, item, s), *choose = rows ? choose_json(c, s) : NULL;
    if (!choose) {
        json_decref(rows);
        return c->err.code;
    }
    const struct label_review_row *r = &item->review;
    const bool leads = s->reads || s->adjudicates, models = item->shows || (leads && !item->sealed);
    const bool shows = (item->shows || leads) && !s->again;
    const char *self = review_item_url(c, r->name, item->position);
    struct sv problem = s->form ? form_get(s->form, "problematic") : item->problematic;
    struct sv comment = s->form ? form_get(s->form, "comment") : item->comment;
    json_t *page = object(
        field_sv("list", r->name), field_text("list_url", review_url(c, r->name)),
        field_text("number", data_count(c->arena, item->position + 1)), field_text("images", data_count(c->arena, r->images)),
        field_text("picture", arena_printf(c->arena, "%s/image", self)),
        field_text("action", s->adjudicates ? arena_printf(c->arena, "/labels/" SV_FMT "/adjudicate/%lld", SV_ARG(r->name), (long long)item->position)
                                            : self),
        field_bool("open", sv_is(r->state, "open")), field_bool("again", s->again), field_bool("adjudicates", s->adjudicates),
        field_text("state", state_text(item, s)), field_json("rows", rows), field_json("choose", choose),
        field_bool("choosing", s->form && (class_picker_turns(s->form) || form_get(s->form, field_add).n > 0)), field_json("blank", blank_json(c)), field_json("problems", problems_json(problem)),
        field_bool("problematic", problem.n > 0), field_sv("comment", comment), field_bool("shows", shows),
        field_bool("hidden", item->saved && !item->shows && !s->again && !leads), field_bool("reads", s->reads),
        field_text("image_name", s->name), field_text("image_url", s->name ? arena_printf(c->arena, "/images/%lld", (long long)item->image) : NULL),
        field_text("ahead", s->ahead < 0 ? NULL : arena_printf(c->arena, "%s/image", review_item_url(c, r->name, s->ahead))),
        field_text("stand_action", shows && !leads && others(c, item) ? arena_printf(c->arena, "%s/stand", self) : NULL),
        field_json("looks", shows ? looks_json(c, item) : json_array()),
        field_json("models", shows && models ? models_json(c, item) : json_array()),
        field_bool("any_models", shows && models),
        field_text("undo_look", item->look && !s->again && !leads ? arena_printf(c->arena, "%lld", (long long)item->look) : NULL),
        field_text("undo_action", arena_printf(c->arena, "%s/undo", review_url(c, r->name))));
    response_header(c->res, "Cache-Control", "no-store");
    return reply_page(c, status, "experts/item", arena_printf(c->arena, SV_FMT ", image %lld", SV_ARG(r->name), (long long)item->position + 1), page);
}

/* Leads look at what is nobody's work of theirs; whose work it is does so only with images that they were not shown elsewhere.
 * What is seen on such a page is noted, so that it is not asked about later. */
static enum err_code may_review(struct ctx *c, const struct label_review_row *r, int64_t position, struct shown *s)
{
    bool theirs = false, lead = c->user.role >= ROLE_LEAD;
    enum err_code rc = label_reviewer_is(c->db, r->id, c->user.account, &theirs, &c->err);
    if (rc != OK || !theirs) {
        s->reads = rc == OK;
        s->why = "This review is not your work, so you can only look. Join it on its page.";
        return rc;
    }
    c->onward = arena_printf(c->arena, "%s/next", review_url(c, r->name));
    rc = label_seen_check(c->db, r, position, c->user.account, &c->err);
    if (rc == ERR_DENIED && lead) {
        s->reads = true;
        s->why = arena_strdup(c->arena, c->err.msg);
        err_clear(&c->err);
        return OK;
    }
    return rc;
}

static enum err_code tell_name(struct ctx *c, const struct review_item *item, struct shown *s)
{
    struct image_row image;
    enum err_code rc = images_get(c->db, item->image, c->arena, &image, &c->err);
    s->name = rc == OK ? arena_cstr(c->arena, image.name) : NULL;
    shown_note(c, item->image, SAW_PAGE);
    return rc;
}

/* Shown once more only when that is due: else the address would show one's own words as if they were new. */
static enum err_code read_again(struct ctx *c, const struct label_review_row *r, int64_t position, struct sv given, bool *again)
{
    *again = false;
    return sv_is(given, "1") ? review_item_repeats(c->db, r, position, c->user.account, again, &c->err) : OK;
}

/* What was typed in the form that is refused, if it is this page's own and not one beside it (undo, stand). */
static const struct form *typed_here(struct ctx *c)
{
    return c->refused && sv_eq(c->refused_at, c->req->path) ? c->refused : NULL;
}

/* GET /labels/:list/:position?again= */
enum err_code page_label_item(struct ctx *c)
{
    struct label_review_row r;
    struct review_item item;
    struct shown s = {.ahead = -1, .form = typed_here(c)};
    int64_t position;
    enum err_code rc = review_open_item(c, &r, &position);
    rc = rc == OK ? may_review(c, &r, position, &s) : rc;
    rc = rc == OK ? read_again(c, &r, position, request_query(c->req, "again"), &s.again) : rc;
    rc = rc == OK ? review_item_read(c->db, &r, position, c->user.account, s.again, c->arena, &item, &c->err) : rc;
    rc = rc == OK && s.reads ? tell_name(c, &item, &s) : rc;
    rc = rc == OK && !s.reads ? review_ahead(c->db, &r, c->user.account, position, &s.ahead, &c->err) : rc;
    return rc == OK ? reply_item(c, &item, &s, 200) : rc;
}

/* GET /labels/:list/adjudicate/:position */
enum err_code page_label_adjudicate(struct ctx *c)
{
    struct label_review_row r;
    struct review_item item;
    struct shown s = {.adjudicates = true, .ahead = -1, .form = typed_here(c)};
    int64_t position;
    enum err_code rc = review_open_item(c, &r, &position);
    rc = rc == OK ? review_item_read(c->db, &r, position, c->user.account, true, c->arena, &item, &c->err) : rc;
    rc = rc == OK ? tell_name(c, &item, &s) : rc;
    return rc == OK ? reply_item(c, &item, &s, 200) : rc;
}

/* GET /labels/:list/:position/image */
enum err_code page_label_image(struct ctx *c)
{
    struct label_review_row r;
    struct image_source source;
    int64_t position, image;
    double p;
    enum err_code rc = review_open_item(c, &r, &position);
    rc = rc == OK && c->user.role < ROLE_LEAD ? label_seen_check(c->db, &r, position, c->user.account, &c->err) : rc;
    rc = rc == OK ? label_review_image(c->db, r.id, position, &image, &p, &c->err) : rc;
    if (rc == OK && app_image_hidden(c->app, image)) {
        return page_send_veil(c);
    }
    rc = rc == OK ? sources_of_image(c->db, image, &source, &c->err) : rc;
    if (rc != OK) {
        return rc;
    }
    shown_note(c, image, SAW_REVIEW);
    const struct image_sent at = image_sent_of(&source, RENDITION_VIEW);
    response_header(c->res, "Vary", "Cookie"); /* whoever signs in next in this browser asks again, and that is noted */
    return reply_image(c, &at, true);
}

/* GET /labels/:list/next */
enum err_code page_label_next(struct ctx *c)
{
    struct label_review_row r;
    struct label_next next;
    enum err_code rc = review_open_work(c, &r);
    rc = rc == OK ? review_next(c->db, &r, c->user.account, &next, &c->err) : rc;
    if (rc != OK) {
        return rc;
    }
    return reply_redirect(c, next.position < 0 || !sv_is(r.state, "open")
                                 ? review_url(c, r.name)
                                 : arena_printf(c->arena, "%s%s", review_item_url(c, r.name, next.position), next.repeat ? "?again=1" : ""));
}

/* ---- saving ---- */

struct saving {
    struct review_saving s;
    struct label_review_row r;
};

/* "say-n01440764". */
static bool says_of(const struct form_field *f, struct sv *wnid)
{
    *wnid = f->name;
    bool is = sv_starts(f->name, "say-");
    if (is) {
        *wnid = sv_make(f->name.p + 4, f->name.n - 4);
    }
    return is;
}

static void read_said(struct ctx *c, struct review_saving *s)
{
    struct review_said *said = arena_calloc(c->arena, c->form.n + 1, sizeof *said);
    for (size_t i = 0; i < c->form.n; i++) {
        struct sv wnid;
        if (says_of(&c->form.fields[i], &wnid)) {
            said[s->n++] = (struct review_said){wnid, c->form.fields[i].value};
        }
    }
    struct sv chosen = form_get(&c->form, field_add);
    bool said_of = chosen.n == 0;
    for (size_t i = 0; i < s->n; i++) {
        said_of = said_of || sv_eq(said[i].wnid, chosen);
    }
    if (!said_of) { /* chosen, and saved at once */
        said[s->n++] = (struct review_said){chosen, SV("correct")};
    }
    s->said = said;
}

/* "The assigned label is correct, whichever it is", where nothing else is said of it. */
static void say_assigned(struct ctx *c, struct review_saving *s, const struct review_item *item)
{
    struct review_said *said = arena_calloc(c->arena, s->n + 1, sizeof *said);
    memcpy(said, s->said, s->n * sizeof *said);
    for (size_t i = 0; i < item->n; i++) {
        for (size_t k = 0; k < s->n && (item->labels[i].asked.origins & ORIGIN_SET); k++) {
            bool open = said[k].verdict.n == 0 || sv_is(said[k].verdict, "unreviewed");
            if (open && sv_eq(said[k].wnid, item->labels[i].asked.wnid)) {
                said[k].verdict = SV("correct");
            }
        }
    }
    s->said = said;
}

/* POST, first step: shows the page again with another view of the classes or one more row, or reads what is to be saved. */
static enum err_code read_saving(struct ctx *c, bool adjudicates)
{
    struct saving *v = arena_calloc(c->arena, 1, sizeof *v);
    struct review_item item;
    struct shown s = {.ahead = -1, .form = &c->form, .again = sv_is(form_get(&c->form, "again"), "1"), .adjudicates = adjudicates};
    int64_t position, ms = 0;
    c->state = v;
    enum err_code rc = review_open_item(c, &v->r, &position);
    if (rc == OK && !s.adjudicates) {
        rc = review_need_theirs(c->db, &v->r, c->user.account, &c->err);
        rc = rc == OK ? label_seen_check(c->db, &v->r, position, c->user.account, &c->err) : rc;
    }
    rc = rc == OK ? review_item_read(c->db, &v->r, position, c->user.account, s.again || s.adjudicates, c->arena, &item, &c->err) : rc;
    if (rc != OK || class_picker_turns(&c->form) || sv_is(form_get(&c->form, "do"), "add")) {
        return rc == OK ? reply_item(c, &item, &s, 200) : rc;
    }
    sv_i64(form_get(&c->form, "active_ms"), &ms);
    v->s = (struct review_saving){.review = v->r.name, .position = position, .account = c->user.account, .again = s.again,
                                  .adjudicates = s.adjudicates, .problematic = form_get(&c->form, "problematic"),
                                  .comment = form_get(&c->form, "comment"), .searched = sv_is(form_get(&c->form, "searched"), "1"),
                                  .active_ms = ms};
    read_said(c, &v->s);
    if (sv_is(form_get(&c->form, "assigned"), "1")) {
        say_assigned(c, &v->s, &item);
    }
    return OK;
}

enum err_code page_label_check(struct ctx *c) { return read_saving(c, false); }

enum err_code page_label_adjudicate_check(struct ctx *c) { return read_saving(c, true); }

static enum err_code save(struct ctx *c, const char *then)
{
    const struct saving *v = c->state;
    int64_t look;
    enum err_code rc = review_save(c->db, &v->s, clock_wall_ms(), c->arena, &look, &c->err);
    if (rc != OK) {
        return sv_is(sv_of(c->err.rule), "no-class") ? form_wrong_field(c, "class_query") : rc;
    }
    const struct undo undo = {arena_printf(c->arena, "%s/undo", review_url(c, v->r.name)),
                              {{"look", arena_printf(c->arena, "%lld", (long long)look)}}};
    return reply_did(c, then, &undo, "Saved image %lld.", (long long)v->s.position + 1);
}

/* POST /labels/:list/:position */
enum err_code page_label_save(struct ctx *c)
{
    const struct saving *v = c->state;
    return save(c, arena_printf(c->arena, "%s/next", review_url(c, v->r.name)));
}

/* POST /labels/:list/adjudicate/:position */
enum err_code page_label_adjudicated(struct ctx *c)
{
    const struct saving *v = c->state;
    return save(c, arena_printf(c->arena, "%s#disputes", review_url(c, v->r.name)));
}

/* POST /labels/:list/:position/stand: do (agree, keep, discuss), look (with which one agrees) */
enum err_code page_label_stand(struct ctx *c)
{
    struct review_standing s = {.review = c->req->params[0], .account = c->user.account};
    int64_t made = 0;
    struct sv what = form_get(&c->form, "do");
    if (sv_starts(what, "agree-")) { /* the button's value has the look */
        what = SV("agree");
        sv_i64(sv_make(form_get(&c->form, "do").p + 6, form_get(&c->form, "do").n - 6), &s.look);
    }
    if (!sv_i64(c->req->params[1], &s.position) || s.position < 0 || !label_stand_of(what, &s.stand)) {
        return err_rule(&c->err, ERR_INPUT, "label-review-stand", "Choose what you make of it: agree, keep or discuss. Nothing was changed.");
    }
    enum err_code rc = review_stand(c->db, &s, clock_wall_ms(), c->arena, &made, &c->err);
    const char *self = review_item_url(c, s.review, s.position);
    const struct undo undo = {arena_printf(c->arena, "%s/undo", review_url(c, s.review)),
                              {{"look", arena_printf(c->arena, "%lld", (long long)made)}}};
    return rc == OK ? reply_did(c, self, made ? &undo : NULL, "Image %lld: %s.", (long long)s.position + 1,
                                s.stand == STAND_AGREE  ? "you agree with what another said"
                                : s.stand == STAND_KEEP ? "you keep what you said; a lead decides"
                                                        : "you want to discuss it; leads see that")
                    : rc;
}

/* POST /labels/:list/undo: look */
enum err_code page_label_undo(struct ctx *c)
{
    int64_t look, position;
    if (!sv_i64(form_get(&c->form, "look"), &look)) {
        return err_rule(&c->err, ERR_NOT_FOUND, "label-undo", "You have saved nothing under that number.");
    }
    enum err_code rc = review_undo(c->db, c->req->params[0], look, c->user.account, clock_wall_ms(), c->arena, &position, &c->err);
    return rc == OK ? reply_did(c, review_item_url(c, c->req->params[0], position), NULL, "Took back what you said about image %lld.",
                                (long long)position + 1)
                    : rc;
}
