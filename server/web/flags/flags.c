/* flags.c - a lead decides what becomes of images that workers flagged, and sets flags aside. Rows in
 * routes.c; templates/flags/. What is hidden then is study/quarantine.c's; this never learns who a worker
 * is beyond a pseudonym. */
#include <jansson.h>

#include "base/clock.h"
#include "base/outside.h"
#include "json/object.h"
#include "study/flagging.h"
#include "web/core/app.h"
#include "web/core/lists.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/core/study_of.h"
#include "web/parts/people_data.h"

enum { FLAGS_A_PAGE = 50, NOTES_SHOWN = 10, DECIDED_TEXT = 300, ACTIONS_SHOWN = 10, BACK_MOST = 1000 };

/* ---- what the list asks for ---- */

struct query {
    int show, sort;
    int64_t page;
    struct sv decided; /* images that were decided here a moment ago: "12.15" */
};

enum { OPEN = 1 << FLAG_OPEN, QUARANTINE = 1 << FLAG_QUARANTINE, CLEAR = 1 << FLAG_CLEAR, TAKEDOWN = 1 << FLAG_TAKEDOWN };
enum { TO_DECIDE = OPEN | QUARANTINE, ALL = TO_DECIDE | CLEAR | TAKEDOWN };
static const struct list_word shows[] = {
    {"to-decide", "To decide", TO_DECIDE},
    {"open", "Open", OPEN},
    {"quarantine", "In quarantine", QUARANTINE},
    {"clear", "Cleared", CLEAR},
    {"takedown", "Taken down", TAKEDOWN},
    {"all", "All", ALL},
    {0},
};
static const struct list_word sorts[] = {
    {"reports", "Most reported first", QUARANTINE_MOST_REPORTED},
    {"newest", "Newest first", QUARANTINE_NEWEST},
    {0},
};

#define AT(member) .at = offsetof(struct query, member)
static const struct list_param params[] = {
    {"show", LIST_WORD, AT(show), .words = shows, .chips = "Which images"},
    {"sort", LIST_WORD, AT(sort), .words = sorts, .chips = "Order"},
    {"page", LIST_NUMBER, AT(page), .least = 1, .most = INT32_MAX, .moment = true},
    {"decided", LIST_TEXT, AT(decided), .moment = true},
    {0},
};
static const struct list_table table = {.params = params, .size = sizeof(struct query)};
static const struct query usual = {.show = TO_DECIDE, .sort = QUARANTINE_MOST_REPORTED, .page = 1};

static const char *flags_url(struct ctx *c, const struct query *q, bool moment)
{
    return list_url(c, &table, "/flags", &usual, q, moment);
}

/* The images that were decided here: they stay where they were, so that no other one's buttons come under the
 * pointer. */
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

/* This page once the image is decided, too. */
static const char *back_url(struct ctx *c, const struct query *q, const struct decided *d, int64_t image)
{
    struct query then = *q;
    if (!was_decided(d, image)) {
        bool few = q->decided.n > 0 && q->decided.n < DECIDED_TEXT;
        then.decided = sv_of(arena_printf(c->arena, SV_FMT "%s%lld", SV_ARG(few ? q->decided : SV("")),
                                          few ? "." : "", (long long)image));
    }
    return flags_url(c, &then, true);
}

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
static json_t *flagged_json(struct ctx *c, const struct query *q, const struct decided *decided,
                            const struct flagged *f)
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
        field_bool("done", was_decided(decided, f->image)), field_sv("reason", f->reason),
        field_sv("at", sv_make(clock_iso(f->newest_at, iso), (size_t)10)),
        field_json("notes", notes),
        field_text("image_url",
                   arena_printf(c->arena, "/images/%lld/grid?reveal=1", (long long)f->image)),
        field_text("action", arena_printf(c->arena, "/flags/%lld", (long long)f->image)),
        field_text("back", back_url(c, q, decided, f->image)));
}

/* NULL on failure. */
static json_t *rows_json(struct ctx *c, const struct query *q, const struct list_page *part)
{
    const struct study study = study_of(c);
    const struct decided decided = read_decided(c, q->decided);
    const struct flag_queue_ask ask = {.states = (unsigned)q->show, .sort = q->sort, .skip = part->skip,
                                       .most = part->most, .kept = decided.ids, .n_kept = decided.n};
    struct flagged *list;
    size_t n;
    if (flag_queue_read(&study, &ask, &list, &n) != OK) {
        return NULL;
    }
    json_t *rows = json_array();
    for (size_t i = 0; i < n; i++) {
        json_t *row = flagged_json(c, q, &decided, &list[i]);
        if (!row) {
            json_decref(rows);
            return NULL;
        }
        json_array_append_new(rows, row);
    }
    return rows;
}

/* GET /flags?show=&sort=&page=&decided= */
enum err_code page_flags(struct ctx *c)
{
    struct query q;
    const struct study study = study_of(c);
    if (list_read(c, &table, &usual, &q) != OK) {
        return c->err.code;
    }
    const struct list_page part =
        list_page_of(quarantine_count(study.quarantine, (unsigned)q.show), FLAGS_A_PAGE, q.page);
    json_t *rows = rows_json(c, &q, &part), *about = rows ? flag_about_json(c, q.show == ALL) : NULL;
    if (!about) {
        json_decref(rows);
        return c->err.code;
    }
    json_t *page = object(
        field_json("chips", list_chips(c, &table, "/flags", &q)),
        field_bool("any", json_array_size(rows) > 0), field_json("flags", rows),
        field_bool("narrowed", q.show != TO_DECIDE && q.show != ALL),
        field_json("pages", list_page_links(c, &part, flags_url(c, &q, false), "")),
        field_text("pages_label", "Pages of flags"),
        field_text("k_text", flag_people_text(c, study.flags_to_quarantine)),
        field_int("note_max", FLAG_NOTE_MAX), field_json("about", about));
    return reply_page(c, 200, "flags/index", "Flags", page);
}

/* ---- deciding ---- */

/* What cannot be undone is decided again by the buttons on the image's card. */
static enum err_code reply_decided(struct ctx *c, const struct flag_decision *d,
                                   const struct flag_decided *done)
{
    const struct flagged *was = &done->was;
    struct sv back = form_get(&c->form, "back");
    const char *to = back.n < BACK_MOST && outside_own_path(back) ? arena_cstr(c->arena, back) : "/flags";
    const struct undo undo = {
        .action = arena_printf(c->arena, "/flags/%lld", (long long)d->image),
        .fields = {{"decision", arena_cstr(c->arena, was->state)},
                   {"reason", was->decided ? arena_cstr(c->arena, was->reason) : ""},
                   {"back", to},
                   {"was", arena_cstr(c->arena, d->decision)}}};
    return reply_did(c, arena_printf(c->arena, "%s#flag-%lld", to, (long long)d->image),
                     done->can_go_back ? &undo : NULL, "%s",
                     sv_is(d->decision, "clear") ? "Cleared: the image is shown in grids again."
                     : sv_is(d->decision, "quarantine")
                         ? "In quarantine: nobody gets this image in a grid."
                         : "Taken down: the image is left out everywhere from now on.");
}

/* POST /flags/:image: decision, reason, was (the state that the page showed), back */
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
