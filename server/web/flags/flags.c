/* flags.c - a lead decides what becomes of images that workers flagged, and sets flags aside. Rows in
 * routes.c; templates/flags/. What is hidden then is study/quarantine.c's; this never learns who a worker
 * is beyond a pseudonym. */
#include <jansson.h>

#include "base/clock.h"
#include "json/object.h"
#include "study/flagging.h"
#include "web/core/app.h"
#include "web/core/lists.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/core/study_of.h"
#include "web/parts/people_data.h"

enum { FLAGS_A_PAGE = 50, NOTES_SHOWN = 10, DECIDED_TEXT = 300, ACTIONS_SHOWN = 10 };

/* ---- besides the images ---- */

static const char *counted(struct ctx *c, int64_t n, const char *one, const char *many)
{
    return arena_printf(c->arena, "%s %s", data_count(c->arena, n), n == 1 ? one : many);
}

/* "3 people" */
static const char *flag_people_text(struct ctx *c, int64_t n)
{
    return counted(c, n, "person", "people");
}

static json_t *sum_json(struct ctx *c, const struct flag_sum *s)
{
    return object(field_int("first", s->first), field_int("last", s->last),
                  field_text("from", people_minute(c->arena, s->first_at)),
                  field_text("to", people_minute(c->arena, s->last_at)),
                  field_text("flags", counted(c, s->flags, "flag", "flags")),
                  field_text("images", counted(c, s->images, "image", "images")),
                  field_text("people", flag_people_text(c, s->people)),
                  field_text("hidden", data_count(c->arena, s->hidden)),
                  field_text("uncounted", data_count(c->arena, s->uncounted)),
                  field_bool("any_uncounted", s->uncounted > 0));
}

static json_t *surges_json(struct ctx *c, const struct flag_waiting *w)
{
    json_t *out = json_array();
    for (size_t i = 0; i < w->n_surges; i++) {
        json_array_append_new(out, sum_json(c, &w->surges[i]));
    }
    return out;
}

static json_t *people_json(struct ctx *c, const struct flag_waiting *w)
{
    json_t *out = json_array();
    for (size_t i = 0; i < w->n_people; i++) {
        const struct flag_person *who = &w->people[i];
        json_t *row = sum_json(c, &who->sum);
        json_object_set_new(row, "pseudonym", data_text(who->pseudonym));
        json_object_set_new(row, "who_url", json_string(people_url(c->arena, who->pseudonym)));
        json_array_append_new(out, row);
    }
    return out;
}

/* Sets *done to the row that the address names. NULL on failure. */
static json_t *actions_json(struct ctx *c, json_t **done)
{
    struct flag_action *list;
    size_t n;
    int64_t wanted = 0;
    sv_i64(request_query(c->req, "dismissed"), &wanted);
    if (flags_actions(c->db, ACTIONS_SHOWN, c->arena, &list, &n, &c->err) != OK) {
        return NULL;
    }
    json_t *out = json_array();
    for (size_t i = 0; i < n; i++) {
        json_t *row = object(
            field_int("action", list[i].action),
            field_text("at", people_minute(c->arena, list[i].at)),
            field_text("flags", counted(c, list[i].flags, "flag", "flags")),
            field_text("images", counted(c, list[i].images, "image", "images")),
            field_text("people", flag_people_text(c, list[i].people)),
            field_json("who", list[i].login.n ? data_text(list[i].login) : json_string("erased")));
        if (list[i].action == wanted) {
            *done = json_incref(row);
        }
        json_array_append_new(out, row);
    }
    return out;
}

/* {surges [...], people [...], actions [...], done, restored}: see templates/flags/index.mustache.
 * `all`: the page that shows everything, dismissals too. NULL with c->err on failure. */
static json_t *flag_about_json(struct ctx *c, bool all)
{
    struct flag_waiting w;
    const struct study study = study_of(c);
    int64_t restored = 0;
    json_t *done = NULL;
    if (flag_waiting_read(&study, &w) != OK) {
        return NULL;
    }
    json_t *actions = actions_json(c, &done);
    if (!actions) {
        return NULL;
    }
    sv_i64(request_query(c->req, "restored"), &restored);
    return object(
        field_json("surges", surges_json(c, &w)), field_bool("any_people", w.n_people > 0),
        field_json("people", people_json(c, &w)),
        field_bool("any_action", all && json_array_size(actions) > 0),
        field_json("actions", actions), field_json("done", done ? done : json_null()),
        field_text("restored", restored > 0 ? counted(c, restored, "flag", "flags") : NULL));
}

/* ---- the page ---- */

/* NULL on failure. */
static json_t *notes_json(struct ctx *c, int64_t image)
{
    struct flag_note *list;
    size_t n;
    char iso[CLOCK_ISO_SIZE];
    if (flags_notes(c->db, image, NOTES_SHOWN, c->arena, &list, &n, &c->err) != OK) {
        return NULL;
    }
    json_t *notes = json_array();
    for (size_t i = 0; i < n; i++) {
        object_add(notes, field_sv("kind", list[i].kind), field_sv("note", list[i].note),
                   field_sv("who", list[i].pseudonym),
                   field_sv("at", sv_make(clock_iso(list[i].at, iso), (size_t)10)));
    }
    return notes;
}

static json_t *kinds_json(struct sv kinds)
{
    json_t *list = json_array();
    while (kinds.n) {
        object_add(list, field_sv("kind", sv_cut(&kinds, '|')));
    }
    return list;
}

/* NULL on failure. */
static json_t *flagged_json(struct ctx *c, const struct flagged *f)
{
    char iso[CLOCK_ISO_SIZE];
    json_t *notes = notes_json(c, f->image);
    if (!notes) {
        return NULL;
    }
    bool down = sv_is(f->state, "takedown");
    return object(
        field_int("image", f->image), field_sv("name", f->name), field_sv("wnid", f->wnid),
        field_text("class", data_class_called(c, f->wnid)),
        field_text("class_url", arena_printf(c->arena, "/classes/" SV_FMT, SV_ARG(f->wnid))),
        field_json("kinds", kinds_json(f->kinds)),
        field_text("people", flag_people_text(c, f->people)), field_sv("state", f->state),
        field_bool("quarantined", sv_is(f->state, "quarantine")), field_bool("takedown", down),
        field_bool("cleared", sv_is(f->state, "clear")), field_bool("decided", f->decided),
        field_sv("reason", f->reason),
        field_sv("at", sv_make(clock_iso(f->newest_at, iso), (size_t)10)),
        field_json("notes", notes),
        field_text("image_url",
                   arena_printf(c->arena, "/images/%lld/grid?reveal=1", (long long)f->image)),
        field_text("action", arena_printf(c->arena, "/flags/%lld", (long long)f->image)));
}

/* Images that were decided on this page a moment ago, "12.15": they stay where they were, so that no other
 * one's buttons come under the pointer. */
struct decided {
    int64_t *ids;
    size_t n;
};

static struct decided read_decided(struct ctx *c, struct sv text)
{
    struct decided d = {arena_calloc(c->arena, text.n / 2 + 1, sizeof *d.ids), 0};
    while (text.n) {
        d.n += sv_i64(sv_cut(&text, '.'), &d.ids[d.n]);
    }
    return d;
}

static bool was_decided(const struct decided *d, int64_t image)
{
    for (size_t i = 0; i < d->n; i++) {
        if (d->ids[i] == image) {
            return true;
        }
    }
    return false;
}

/* NULL on failure. */
static json_t *rows_json(struct ctx *c, const struct flag_queue *q, const struct decided *decided)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < q->n; i++) {
        json_t *row = flagged_json(c, &q->list[i]);
        if (!row) {
            json_decref(rows);
            return NULL;
        }
        json_object_set_new(row, "done", json_boolean(was_decided(decided, q->list[i].image)));
        json_array_append_new(rows, row);
    }
    return rows;
}

/* GET /flags?before=&all=1&decided= */
enum err_code page_flags(struct ctx *c)
{
    struct flag_queue q;
    const struct study study = study_of(c);
    struct sv text = request_query(c->req, "decided");
    const struct decided decided = read_decided(c, text);
    struct flag_queue_ask ask = {.all = sv_is(request_query(c->req, "all"), "1"), .most = FLAGS_A_PAGE,
                                 .kept = decided.ids, .n_kept = decided.n};
    ask.before = list_cursor(c, "before");
    if (flag_queue_read(&study, &ask, &q) != OK) {
        return c->err.code;
    }
    json_t *rows = rows_json(c, &q, &decided), *about = rows ? flag_about_json(c, ask.all) : NULL;
    if (!about) {
        json_decref(rows);
        return c->err.code;
    }
    const char *more = q.next ? arena_printf(c->arena, "/flags?before=%lld%s", (long long)q.next,
                                             ask.all ? "&all=1" : "")
                              : NULL;
    json_t *page =
        object(field_json("flags", rows), field_bool("any", q.n > 0),
               field_json("filters",
                          list(object(field_text("label", "To decide"), field_text("url", "/flags"),
                                      field_bool("current", !ask.all)),
                               object(field_text("label", "All"), field_text("url", "/flags?all=1"),
                                      field_bool("current", ask.all)))),
               field_text("k_text", flag_people_text(c, study.flags_to_quarantine)),
               field_int("note_max", FLAG_NOTE_MAX), field_text("next_url", more),
               field_json("about", about), field_sv("decided", sv_utf8(text) ? text : SV("")),
               field_sv("before", ask.before > 0 ? request_query(c->req, "before") : SV("")),
               field_bool("all", ask.all));
    return reply_page(c, 200, "flags/index", "Flags", page);
}

/* ---- deciding ---- */

/* The page that the form stood on, where the image keeps its place. */
static const char *decided_url(struct ctx *c, int64_t image)
{
    int64_t before = 0;
    struct sv decided = form_get(&c->form, "decided");
    const struct decided list = read_decided(c, decided);
    bool kept = decided.n > 0 && decided.n < DECIDED_TEXT && !was_decided(&list, image);
    for (size_t i = 0; i < decided.n; i++) {
        kept = kept && ((decided.p[i] >= '0' && decided.p[i] <= '9') || decided.p[i] == '.');
    }
    sv_i64(form_get(&c->form, "before"), &before);
    return arena_printf(c->arena, "/flags?%s%sdecided=" SV_FMT "%s%lld#flag-%lld",
                        sv_is(form_get(&c->form, "all"), "1") ? "all=1&" : "",
                        before > 0 ? arena_printf(c->arena, "before=%lld&", (long long)before) : "",
                        SV_ARG(kept ? decided : SV("")), kept ? "." : "", (long long)image,
                        (long long)image);
}

/* What cannot be undone is decided again by the buttons on the image's card. */
static enum err_code reply_decided(struct ctx *c, const struct flag_decision *d,
                                   const struct flag_decided *done)
{
    const struct flagged *was = &done->was;
    const struct undo undo = {
        .action = arena_printf(c->arena, "/flags/%lld", (long long)d->image),
        .fields = {{"decision", arena_cstr(c->arena, was->state)},
                   {"reason", was->decided ? arena_cstr(c->arena, was->reason) : ""},
                   {"decided", arena_printf(c->arena, "%lld", (long long)d->image)},
                   {"was", arena_cstr(c->arena, d->decision)}}};
    return reply_did(c, decided_url(c, d->image), done->can_go_back ? &undo : NULL, "%s",
                     sv_is(d->decision, "clear") ? "Cleared: the image is shown in grids again."
                     : sv_is(d->decision, "quarantine")
                         ? "In quarantine: nobody gets this image in a grid."
                         : "Taken down: the image is left out everywhere from now on.");
}

/* POST /flags/:image: decision, reason, was (the state that the page showed), all, before, decided */
enum err_code page_flag_decide(struct ctx *c)
{
    const struct study study = study_of(c);
    struct flag_decision d = {.account = c->user.account,
                              .decision = form_get(&c->form, "decision"),
                              .reason = form_get(&c->form, "reason"),
                              .seen = form_get(&c->form, "was")};
    struct flag_decided done;
    if (!sv_i64(c->req->params[0], &d.image)) {
        return err_set(&c->err, ERR_NOT_FOUND, "There is no such image.");
    }
    return flag_decide(&study, &d, &done) == OK ? reply_decided(c, &d, &done) : c->err.code;
}

/* ---- setting flags aside ---- */

static enum err_code aside_step(struct db *db, void *arg, struct err *err)
{
    return flag_aside_slice(db, arg, clock_wall_ms(), err);
}

static enum err_code write_aside(struct ctx *c, struct flag_aside *o)
{
    enum err_code rc;
    o->account = c->user.account;
    do {
        rc = writer_call(app_writer(c->app), aside_step, o, &c->err);
    } while (rc == OK && flag_aside_more(o));
    return rc;
}

/* POST /flags/dismiss: person, or first and last */
enum err_code page_flags_dismiss(struct ctx *c)
{
    struct flag_aside o;
    const struct study study = study_of(c);
    if (flag_aside_which(&study, form_get(&c->form, "person"), form_get(&c->form, "first"),
                         form_get(&c->form, "last"), &o) != OK ||
        write_aside(c, &o) != OK) {
        return c->err.code;
    }
    return o.now.flags ? reply_redirect(c, arena_printf(c->arena, "/flags?dismissed=%lld",
                                                        (long long)o.now.action))
                       : reply_did(c, "/flags", NULL,
                                   "Nothing had to change: these flags were dismissed or decided "
                                   "about already.");
}

/* POST /flags/restore: action */
enum err_code page_flags_restore(struct ctx *c)
{
    struct flag_aside o;
    const struct study study = study_of(c);
    if (flag_aside_back(&study, form_get(&c->form, "action"), &o) != OK || write_aside(c, &o) != OK) {
        return c->err.code;
    }
    return o.now.flags ? reply_redirect(c, arena_printf(c->arena, "/flags?restored=%lld",
                                                        (long long)o.now.flags))
                       : reply_did(c, "/flags", NULL,
                                   "Nothing had to change: these flags were restored already.");
}
