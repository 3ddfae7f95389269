/* page_flags.c - flags on images: a worker says what is wrong with a photo (form and JSON, by the
 * assignment's token and the shown position), a lead decides what becomes of it. What is hidden then
 * is web/quarantine.c's; this never learns who a worker is beyond a pseudonym. */
#include <string.h>

#include "base/clock.h"
#include "domain/grid.h"
#include "store/flags.h"
#include "store/grids.h"
#include "web/page_data.h"
#include "web/pages.h"
#include "web/reply.h"
#include "web/work_flow.h"
#include "web/work_parts.h"

enum { FLAGS_A_PAGE = 50, NOTES_SHOWN = 10 };

/* --- a worker flags --- */

/* What one press of "send" says about a grid. */
struct flagging {
    uint64_t shown; /* bit i: the photo at shown position i */
    struct sv kind, note;
};

/* Write step. *stored: how many flags are new; the same again changes nothing. */
static enum err_code flag_cells(struct ctx *c, const struct assignment *as,
                                const struct flagging *f, int *stored)
{
    struct grid_cells cells;
    uint8_t order[GRID_CELLS];
    int64_t now = clock_wall_ms();
    *stored = 0;
    if (grids_cells(c->db, as->grid, &cells, &c->err) != OK) {
        return c->err.code;
    }
    if (f->shown == 0 || !grid_mask_fits(f->shown, cells.n)) {
        return err_rule(&c->err, ERR_INPUT, "position",
                        "Choose a photo of this grid. Nothing was stored.");
    }
    work_order(as, cells.n, order);
    for (unsigned i = 0; i < cells.n; i++) {
        bool added = false;
        if (f->shown >> i & 1 && flags_add(c->db, cells.image[order[i]], as->person, as->id,
                                           f->kind, f->note, now, &added, &c->err) != OK) {
            return c->err.code;
        }
        *stored += added;
    }
    return OK;
}

static struct sv json_text(const json_t *v)
{
    return sv_make(json_string_value(v), json_string_length(v));
}

/* POST /api/v1/assignments/:assignment/flags */
enum err_code api_flag_create(struct ctx *c)
{
    struct assignment as;
    int stored;
    if (gate_need_json(c) != OK || work_assignment_named(c, &as) != OK ||
        work_language(c, as.campaign) != OK) {
        return c->err.code;
    }
    const json_t *at = json_object_get(c->json, "position");
    const json_t *kind = json_object_get(c->json, "kind");
    const json_t *note = json_object_get(c->json, "note");
    json_int_t position = json_integer_value(at);
    if (!json_is_integer(at) || position < 0 || position >= GRID_CELLS) {
        return err_rule(&c->err, ERR_INPUT, "position",
                        "\"position\" must be the shown position of a photo of this grid, from 0. "
                        "Nothing was stored.");
    }
    if (!json_is_string(kind) || (note && !json_is_string(note))) {
        return err_rule(&c->err, ERR_INPUT, "flag-kind",
                        "\"kind\" must be a word and \"note\", if any, a text. Nothing was "
                        "stored.");
    }
    struct flagging f = {(uint64_t)1 << position, json_text(kind),
                         note ? json_text(note) : SV("")};
    enum err_code rc = flag_cells(c, &as, &f, &stored);
    return rc != OK ? rc
                    : reply_json(c, 200, json_pack("{s:s}", "status", stored ? "stored" : "known"));
}

static json_t *flag_photos(struct ctx *c, const struct assignment *as, unsigned n, uint64_t chosen)
{
    json_t *cells = json_array();
    const char *base = work_assignment_url(c, as);
    for (unsigned i = 0; i < n; i++) {
        const char *label = strings_fill(work_texts(c), c->arena, "flag_photo", "n",
                                         arena_printf(c->arena, "%u", i + 1), (char *)NULL);
        json_array_append_new(
            cells, json_pack("{s:i, s:s, s:s, s:b}", "position", (int)i, "url",
                             arena_printf(c->arena, "%s/%u", base, i), "label", label, "checked",
                             (int)(chosen >> i & 1)));
    }
    return cells;
}

static json_t *flag_kinds_json(struct ctx *c, struct sv chosen)
{
    json_t *list = json_array();
    for (size_t i = 0; i < FLAG_KINDS; i++) {
        const char *key = arena_printf(c->arena, "flag_kind_%s", flag_kinds[i]);
        json_array_append_new(
            list, json_pack("{s:s, s:s, s:b}", "kind", flag_kinds[i], "label",
                            strings_fill(work_texts(c), c->arena, key, (char *)NULL), "checked",
                            sv_is(chosen, flag_kinds[i])));
    }
    return list;
}

/* The form, with what was chosen; `error` names a text or is NULL. */
static enum err_code flag_page(struct ctx *c, const struct assignment *as,
                               const struct flagging *f, int status, const char *error)
{
    const json_t *t = work_texts(c);
    json_t *page = json_pack(
        "{s:s, s:s, s:o, s:o, s:o, s:b, s:s?}", "action",
        arena_printf(c->arena, "%s/flag", work_assignment_url(c, as)), "back",
        work_assignment_url(c, as), "cells", flag_photos(c, as, work_cells(c, as->grid), f->shown),
        "kinds", flag_kinds_json(c, f->kind), "note",
        data_text(sv_utf8(f->note) ? f->note : SV("")), "sent",
        sv_is(request_query(c->req, "sent"), "1"), "error",
        error ? strings_fill(t, c->arena, error, (char *)NULL) : NULL);
    return reply_page(c, status, "work/flag",
                      strings_fill(t, c->arena, "flag_title", (char *)NULL), page);
}

/* GET /work/assignment/:assignment/flag?position= */
enum err_code page_work_flag_form(struct ctx *c)
{
    struct assignment as;
    int64_t at = -1;
    if (work_assignment_named(c, &as) != OK || work_language(c, as.campaign) != OK) {
        return c->err.code;
    }
    sv_i64(request_query(c->req, "position"), &at);
    struct flagging f = {at >= 0 && at < GRID_CELLS ? (uint64_t)1 << at : 0, SV(""), SV("")};
    return flag_page(c, &as, &f, 200, NULL);
}

/* The photos that the form's boxes name; a number that no grid has is left out. */
static uint64_t form_photos(const struct form *form)
{
    uint64_t shown = 0;
    for (size_t i = 0; i < form->n; i++) {
        int64_t at;
        if (sv_is(form->fields[i].name, "cell") && sv_i64(form->fields[i].value, &at) && at >= 0 &&
            at < GRID_CELLS) {
            shown |= (uint64_t)1 << at;
        }
    }
    return shown;
}

/* POST /work/assignment/:assignment/flag */
enum err_code page_work_flag(struct ctx *c)
{
    struct assignment as;
    int stored;
    if (work_assignment_named(c, &as) != OK || work_language(c, as.campaign) != OK) {
        return c->err.code;
    }
    struct flagging f = {form_photos(&c->form), form_get(&c->form, "kind"),
                         form_get(&c->form, "note")};
    if (f.shown == 0 || f.kind.n == 0) {
        return flag_page(c, &as, &f, 400, f.shown ? "flag_need_kind" : "flag_need_photo");
    }
    if (f.note.n > FLAG_NOTE_MAX) {
        return flag_page(c, &as, &f, 400, "flag_note_long");
    }
    enum err_code rc = flag_cells(c, &as, &f, &stored);
    return rc != OK ? rc
                    : reply_redirect(c, arena_printf(c->arena, "%s/flag?sent=1",
                                                     work_assignment_url(c, &as)));
}

/* --- a lead decides --- */

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
        json_array_append_new(
            notes, json_pack("{s:o, s:o, s:o, s:s%}", "kind", data_text(list[i].kind), "note",
                            data_text(list[i].note), "who", data_text(list[i].pseudonym), "at",
                            clock_iso(list[i].at, iso), (size_t)10));
    }
    return notes;
}

static json_t *kinds_json(struct sv kinds)
{
    json_t *list = json_array();
    while (kinds.n) {
        json_array_append_new(list, json_pack("{s:o}", "kind", data_text(sv_cut(&kinds, '|'))));
    }
    return list;
}

static const char *people_text(struct ctx *c, int64_t n)
{
    return arena_printf(c->arena, "%s %s", data_count(c->arena, n), n == 1 ? "person" : "people");
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
    return json_pack(
        "{s:I, s:o, s:o, s:s, s:o, s:s, s:o, s:b, s:b, s:b, s:b, s:o, s:s%, s:o, s:s, s:s}", "image",
        (json_int_t)f->image, "name", data_text(f->name), "wnid", data_text(f->wnid), "class_url",
        arena_printf(c->arena, "/classes/" SV_FMT, SV_ARG(f->wnid)), "kinds",
        kinds_json(f->kinds), "people", people_text(c, f->people),
        "state", data_text(f->state), "quarantined", sv_is(f->state, "quarantine"), "takedown",
        down, "cleared", sv_is(f->state, "clear"), "decided", f->decided, "reason",
        data_text(f->reason), "at", clock_iso(f->newest_at, iso), (size_t)10, "notes", notes,
        "image_url", arena_printf(c->arena, "/images/%lld/grid?reveal=1", (long long)f->image),
        "action", arena_printf(c->arena, "/flags/%lld", (long long)f->image));
}

/* GET /flags?before=&all=1 */
enum err_code page_flags(struct ctx *c)
{
    struct flagged *list;
    size_t n;
    int64_t before = 0;
    bool all = sv_is(request_query(c->req, "all"), "1");
    sv_i64(request_query(c->req, "before"), &before);
    if (flags_list(c->db, c->config->flags_to_quarantine, before, !all, FLAGS_A_PAGE + 1, c->arena,
                   &list, &n, &c->err) != OK) {
        return c->err.code;
    }
    size_t shown = n > FLAGS_A_PAGE ? FLAGS_A_PAGE : n;
    json_t *rows = json_array();
    for (size_t i = 0; i < shown; i++) {
        json_t *row = flagged_json(c, &list[i]);
        if (!row) {
            json_decref(rows);
            return c->err.code;
        }
        json_array_append_new(rows, row);
    }
    const char *more = n > shown ? arena_printf(c->arena, "/flags?before=%lld%s",
                                                (long long)list[shown - 1].newest,
                                                all ? "&all=1" : "")
                                 : NULL;
    json_t *page = json_pack(
        "{s:o, s:b, s:[{s:s, s:s, s:b}, {s:s, s:s, s:b}], s:s, s:i, s:s?}", "flags", rows, "any",
        shown > 0, "filters", "label", "To decide", "url", "/flags", "current", !all, "label",
        "All", "url", "/flags?all=1", "current", all, "k_text",
        people_text(c, c->config->flags_to_quarantine), "note_max", FLAG_NOTE_MAX, "next_url", more);
    return reply_page(c, 200, "flags/index", "Flags", page);
}

/* POST /flags/:image: decision, reason */
enum err_code page_flag_decide(struct ctx *c)
{
    int64_t image;
    if (!sv_i64(c->req->params[0], &image)) {
        return err_set(&c->err, ERR_NOT_FOUND, "There is no such image.");
    }
    enum err_code rc =
        flags_decide(c->db, image, form_get(&c->form, "decision"),
                     sv_trim(form_get(&c->form, "reason")), c->user.account, clock_wall_ms(),
                     &c->err);
    return rc != OK ? rc : reply_redirect(c, "/flags");
}
