/* changes.c - what every new set changes against the same originals, as a section of the page of measures, as JSON, and
 * as a table for papers. Rows in routes.c. */
#include "web/measures/changes.h"

#include "json/object.h"
#include "measures/scores/score_sheet.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/records.h"
#include "web/core/reply.h"
#include "web/parts/set_averages.h"
#include "web/parts/set_data.h"

/* ---- the rows ---- */

static size_t choose(struct ctx *c, const struct revision_row *original, const struct revision_row *all, size_t n_all,
                     struct revision_row **out)
{
    size_t n = 0;
    *out = arena_calloc(c->arena, n_all + 1, sizeof **out);
    (*out)[n++] = *original;
    for (size_t i = 0; i < n_all; i++) {
        if (sv_is(all[i].role, "new") && revision_leads_set(all, n_all, &all[i])) {
            (*out)[n++] = all[i];
        }
    }
    return n;
}

/* Of the originals, then of the newest revision of every new set on which models may be scored; `all`: every revision. */
static enum err_code make_rows(struct ctx *c, const struct revision_row *original, const struct revision_row *all, size_t n_all,
                               struct set_changes_row **out, size_t *n)
{
    struct revision_row *list;
    *n = choose(c, original, all, n_all, &list);
    *out = arena_calloc(c->arena, *n, sizeof **out);
    struct revision_averages *averages = arena_calloc(c->arena, *n, sizeof *averages);
    enum err_code rc = set_changes_make(app_model_scores(c->app), c->db, list, *n, c->arena, *out, &c->err);
    rc = rc == OK ? set_averages_get(c, list, *n, averages) : rc;
    for (size_t i = 0; i < *n && rc == OK; i++) {
        set_changes_take(&(*out)[i], &averages[i].now.f, averages[i].now.has_interval);
    }
    return rc;
}

/* ---- the page ---- */

static const char *points(struct ctx *c, double v)
{
    return data_minus(c->arena, arena_printf(c->arena, v > 0 ? "+%.1f" : "%.1f", v));
}

static json_t *change_json(struct ctx *c, const struct set_change *s)
{
    return s->models ? object(field_text("value", points(c, s->mean)),
                              field_text("note", arena_printf(c->arena, "%s to %s", points(c, s->least), points(c, s->most))))
                     : json_null();
}

static json_t *frequency_json(struct ctx *c, const struct set_changes_row *r)
{
    const char *note = r->bounded ? arena_printf(c->arena, "%.2f\xe2\x80\x93%.2f", r->frequency.ci.lo, r->frequency.ci.hi) : "";
    return r->counted ? object(field_text("value", arena_printf(c->arena, "%.2f", r->frequency.mean)), field_text("note", note))
                      : json_null();
}

static json_t *formats_json(struct ctx *c, const struct revision_row *original)
{
    static const char *const formats[][2] = {{"CSV", ".csv"}, {"JSON", ""}, {"Markdown", ".markdown"}, {"LaTeX", ".latex"}};
    json_t *list = json_array();
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        object_add(list, field_text("label", formats[i][0]),
                   field_text("url", arena_printf(c->arena, "/api/v1/changes%s?original=%s", formats[i][1],
                                                  set_title(c->arena, original))));
    }
    return list;
}

json_t *measures_changes_json(struct ctx *c, const struct model_table *t)
{
    const struct revision_row *original = t->sets[SIDE_ORIGINAL].r;
    struct set_changes_row *rows;
    size_t n;
    if (!original || !t->sets[SIDE_NEW].r) {
        return json_null();
    }
    if (make_rows(c, original, t->revisions, t->n_revisions, &rows, &n) != OK) {
        return NULL;
    }
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        const struct set_changes_row *r = &rows[i];
        object_add(list, field_text("name", r->set), field_text("url", arena_printf(c->arena, "/sets/%s", r->set)),
                   field_sv("strategy", r->strategy), field_text("images", data_count(c->arena, r->images)),
                   field_bool("apart", r->compared && !r->same_shares), field_json("frequency", frequency_json(c, r)),
                   field_json("top1", change_json(c, &r->top1)), field_json("top5", change_json(c, &r->top5)),
                   field_text("models", r->has1 ? data_count(c->arena, (int64_t)r->top1.models) : NULL));
    }
    return object(field_json("rows", list), field_text("original", rows[0].set), field_json("formats", formats_json(c, original)));
}

/* ---- for scripts and papers ---- */

struct changes_reply {
    const char *original;
    struct set_changes_row *rows;
    size_t n;
};
#define OF(member) RECORD_OF(struct changes_reply, member)
RECORD(changes_record, struct changes_reply, "changes", "What new sets change against the same originals.",
       {"original", OF(original), .maybe = true, .about = "The originals, SET/NUMBER; null: there are none."},
       {"items", RECORD_ROWS(struct changes_reply, rows, n), .of = &set_changes_record,
        .about = "The originals, then the newest revision of every new set on which models may be scored."});
#undef OF

/* ?original=: else the newest originals. Nothing without originals. */
static enum err_code read_changes(struct ctx *c, struct changes_reply *out)
{
    struct sv asked = request_query(c->req, "original");
    struct revision_row *all, own;
    size_t n;
    *out = (struct changes_reply){.n = 0};
    if (revisions_list(c->db, 0, c->arena, &all, &n, &c->err) != OK ||
        (asked.n && revisions_find(c->db, asked, c->arena, &own, &c->err) != OK)) {
        return c->err.code;
    }
    const struct revision_row *original = asked.n ? &own : revision_newest(all, n, "original");
    out->original = original ? set_title(c->arena, original) : NULL;
    return original ? make_rows(c, original, all, n, &out->rows, &out->n) : OK;
}

/* GET /api/v1/changes?original= */
enum err_code api_changes(struct ctx *c)
{
    struct changes_reply r;
    return read_changes(c, &r) == OK ? reply_json(c, 200, record_json(&changes_record, &r)) : c->err.code;
}

static enum err_code reply_table(struct ctx *c, const struct score_format *format)
{
    struct changes_reply r;
    if (read_changes(c, &r) != OK) {
        return c->err.code;
    }
    set_changes_write(r.rows, r.n, format->as, &c->res->body);
    return reply_table_file(c, arena_printf(c->arena, "changes.%s", format->ending), format->content_type);
}

enum err_code api_changes_csv(struct ctx *c)
{
    return reply_table(c, &score_formats[0]);
}

enum err_code api_changes_markdown(struct ctx *c)
{
    return reply_table(c, &score_formats[1]);
}

enum err_code api_changes_latex(struct ctx *c)
{
    return reply_table(c, &score_formats[2]);
}
