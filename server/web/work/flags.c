/* flags.c - a worker says what is wrong with a photo: form and JSON, by the assignment's token and the
 * shown position. What leads do about it is web/flags/. */
#include "domain/grids/grid.h"
#include "json/object.h"
#include "study/flagging.h"
#include "web/core/form_refused.h"
#include "web/core/pages.h"
#include "web/core/records.h"
#include "web/core/reply.h"
#include "web/work/shared.h"

static struct sv json_text(const json_t *v)
{
    return sv_make(json_string_value(v), json_string_length(v));
}

struct flag_reply {
    const char *status;
};

RECORD(flagged_record, struct flag_reply, "flagged", "A photo that was reported.",
       {"status", RECORD_OF(struct flag_reply, status), .about = "stored, or known: the same person reported it before."});

/* POST /api/v1/assignments/:assignment/flags */
enum err_code api_flag_create(struct ctx *c)
{
    struct assignment as;
    int stored;
    if (gate_need_json(c) != OK || work_assignment_named(c, &as) != OK ||
        work_language(c, as.campaign, as.classify) != OK) {
        return c->err.code;
    }
    const json_t *at = json_object_get(c->json, "position");
    const json_t *kind = json_object_get(c->json, "kind");
    const json_t *note = json_object_get(c->json, "note");
    json_int_t position = json_integer_value(at);
    if (!json_is_integer(at) || position < 0 || position >= GRID_CELLS) {
        return err_rule(&c->err, ERR_INPUT, "position",
                        "\"position\" must be the position at which this grid shows a photo, from 0. Nothing "
                        "was stored.");
    }
    if (!json_is_string(kind) || (note && !json_is_string(note))) {
        return err_rule(&c->err, ERR_INPUT, "flag-kind",
                        "\"kind\" must be a word and \"note\", if any, text. Nothing was stored.");
    }
    struct flagging f = {(uint64_t)1 << position, json_text(kind),
                         note ? json_text(note) : SV("")};
    const struct study study = work_study_of(c);
    enum err_code rc = flag_photos(&study, &as, &f, &stored);
    const struct flag_reply flagged = {rc == OK && stored ? "stored" : "known"};
    return rc == OK ? reply_json(c, 200, record_json(&flagged_record, &flagged)) : rc;
}

static json_t *photos_json(struct ctx *c, const struct assignment *as, unsigned n, int64_t chosen)
{
    json_t *cells = json_array();
    const char *base = work_assignment_url(c, as);
    for (unsigned i = 0; i < n; i++) {
        const char *label = strings_fill(work_texts(c), c->arena, "flag_photo", "n",
                                         arena_printf(c->arena, "%u", i + 1), (char *)NULL);
        object_add(cells, field_int("position", i),
                   field_text("url", arena_printf(c->arena, "%s/%u", base, i)),
                   field_text("label", label), field_bool("checked", chosen == (int64_t)i));
    }
    return cells;
}

static json_t *flag_kinds_json(struct ctx *c)
{
    json_t *list = json_array();
    for (size_t i = 0; i < FLAG_KINDS; i++) {
        const char *key = arena_printf(c->arena, "flag_kind_%s", flag_kinds[i]);
        object_add(list, field_text("kind", flag_kinds[i]),
                   field_text("label", strings_fill(work_texts(c), c->arena, key, (char *)NULL)));
    }
    return list;
}

/* GET /work/assignment/:assignment/flag?position= */
enum err_code page_work_flag_form(struct ctx *c)
{
    struct assignment as;
    int64_t at = -1; /* none is chosen yet */
    if (work_assignment_named(c, &as) != OK || work_language(c, as.campaign, as.classify) != OK) {
        return c->err.code;
    }
    sv_i64(request_query(c->req, "position"), &at);
    json_t *page =
        object(field_text("action", arena_printf(c->arena, "%s/flag", work_assignment_url(c, &as))),
               field_text("back", work_assignment_url(c, &as)),
               field_json("cells", photos_json(c, &as, work_cells(c, as.grid), at)),
               field_json("kinds", flag_kinds_json(c)), field_int("note_max", FLAG_NOTE_MAX),
               field_bool("sent", sv_is(request_query(c->req, "sent"), "1")));
    return reply_page(c, 200, "work/flag",
                      strings_fill(work_texts(c), c->arena, "flag_title", (char *)NULL), page);
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
    if (work_assignment_named(c, &as) != OK || work_language(c, as.campaign, as.classify) != OK) {
        return c->err.code;
    }
    struct flagging f = {form_photos(&c->form), form_get(&c->form, "kind"),
                         form_get(&c->form, "note")};
    const json_t *t = work_texts(c);
    if (f.shown == 0) {
        form_wrong(c, "cell", "%s", strings_fill(t, c->arena, "flag_need_photo", (char *)NULL));
    }
    if (f.kind.n == 0) {
        form_wrong(c, "kind", "%s", strings_fill(t, c->arena, "flag_need_kind", (char *)NULL));
    }
    if (f.note.n > FLAG_NOTE_MAX) {
        form_wrong(c, "note", "%s", strings_fill(t, c->arena, "flag_note_long", (char *)NULL));
    }
    if (c->err.code != OK) {
        return c->err.code;
    }
    const struct study study = work_study_of(c);
    enum err_code rc = flag_photos(&study, &as, &f, &stored);
    return rc == OK ? reply_redirect(c, arena_printf(c->arena, "%s/flag?sent=1",
                                                     work_assignment_url(c, &as)))
                    : rc;
}
