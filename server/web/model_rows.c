/* model_rows.c - the lines of the table of models, with every number as text. */
#include "web/model_rows.h"

#include "web/page_data.h"
#include "web/set_data.h"

enum { FIRST_SHOWN = 10 };
#define DASH "\xe2\x80\x93"

const char *model_rows_parameters(struct arena *a, int64_t n)
{
    return n <= 0        ? DASH
           : n < 10000   ? data_count(a, n)
           : n < 1000000 ? arena_printf(a, "%.0f k", (double)n / 1e3)
                         : arena_printf(a, "%.1f M", (double)n / 1e6);
}

static json_t *cell(struct arena *a, const struct model_score *s, int top)
{
    return model_score_knows(s, top)
               ? set_data_short_cell(a, model_score_right(s, top), s->predicted, s->images)
               : json_null();
}

#define MINUS "\xe2\x88\x92"

static const char *signed_text(struct arena *a, int32_t n)
{
    return n ? arena_printf(a, "%s%d", n > 0 ? "+" : MINUS, n > 0 ? n : -n) : "0";
}

/* The digits that the paper's tables have, with a real minus. */
static const char *gap_text(struct arena *a, double gap)
{
    const char *text = arena_printf(a, "%.1f", gap);
    return text[0] == '-' ? arena_printf(a, MINUS "%s", text + 1) : text;
}

static json_t *row_json(struct ctx *c, const struct model_line *l, const struct model_jobs *jobs)
{
    struct arena *a = c->arena;
    const struct score_line *r = l->ranked;
    const struct model_score *o = l->on[SIDE_ORIGINAL], *w = l->on[SIDE_NEW];
    return json_pack(
        "{s:o, s:s, s:b, s:s, s:o, s:o, s:o, s:o, s:s, s:s, s:s, s:s, s:o}", "name",
        data_text(l->model->name), "url",
        arena_printf(a, "/models/" SV_FMT, SV_ARG(l->model->name)), "is_import",
        sv_is(l->model->kind, "import"), "parameters", model_rows_parameters(a, l->parameters),
        "original1", cell(a, o, 1), "original5", cell(a, o, 5), "new1", cell(a, w, 1), "new5",
        cell(a, w, 5), "gap", r ? gap_text(a, r->gap) : DASH, "rank",
        r ? arena_printf(a, "%u", r->orig_rank) : DASH, "new_rank",
        r ? arena_printf(a, "%u", r->new_rank) : DASH, "change",
        r ? signed_text(a, r->delta_rank) : DASH, "job", model_jobs_json(c, jobs, l->model->name));
}

/* What stands under a head: of which set, of how many images. */
static const char *head_note(struct ctx *c, const struct model_table *t, enum model_sort sort)
{
    bool original = sort == MODEL_ORIGINAL1 || sort == MODEL_ORIGINAL5;
    const struct model_set *s = &t->sets[original ? SIDE_ORIGINAL : SIDE_NEW];
    return sort >= MODEL_ORIGINAL1 && sort <= MODEL_NEW5 && s->r
               ? arena_printf(c->arena, "n %s", data_count(c->arena, s->r->images))
               : NULL;
}

static bool any_parameters(const struct model_table *t)
{
    for (size_t i = 0; i < t->n_models; i++) {
        if (t->lines[i].parameters) {
            return true;
        }
    }
    return false;
}

static json_t *heads_json(struct ctx *c, const struct model_table *t, bool sortable)
{
    static const struct {
        enum model_sort sort;
        const char *label;
    } heads[] = {{MODEL_NAME_, "Model"},        {MODEL_PARAMETERS, "Parameters"},
                 {MODEL_ORIGINAL1, "Original top-1"}, {MODEL_ORIGINAL5, "Original top-5"},
                 {MODEL_NEW1, "New top-1"},     {MODEL_NEW5, "New top-5"},
                 {MODEL_GAP, "Gap"},            {MODEL_RANK, "Rank"},
                 {MODEL_NEW_RANK, "New rank"},  {MODEL_CHANGE, "Change"}};
    json_t *list = json_array();
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        struct model_query other = t->query;
        bool here = t->query.sort == heads[i].sort;
        other.sort = heads[i].sort;
        other.falling = here ? !t->query.falling : model_sort_falls(heads[i].sort);
        const char *url = model_query_url(c, "/models", &other);
        const char *way = t->query.falling ? "descending" : "ascending";
        if (heads[i].sort != MODEL_PARAMETERS || any_parameters(t)) {
            json_array_append_new(
                list, json_pack("{s:s, s:s?, s:s?, s:s?, s:b}", "label", heads[i].label, "note",
                                head_note(c, t, heads[i].sort), "url", sortable ? url : NULL, "sorted",
                                here && sortable ? way : NULL, "number", i > 0));
        }
    }
    return list;
}

json_t *model_rows_json(struct ctx *c, const struct model_table *t, size_t most,
                        const struct model_jobs *jobs, bool sortable)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < t->n_models && i < most; i++) {
        json_array_append_new(rows, row_json(c, &t->lines[i], jobs));
    }
    return json_pack("{s:o, s:o, s:b}", "heads", heads_json(c, t, sortable), "rows", rows,
                     "has_parameters", any_parameters(t));
}

json_t *model_rows_set(struct ctx *c, const struct model_set *s)
{
    return s->r ? json_pack("{s:s, s:s, s:s}", "name", set_title(c->arena, s->r), "url",
                            set_url(c->arena, s->r), "images", data_count(c->arena, s->r->images))
                : json_null();
}

json_t *model_rows_runs(struct ctx *c, const struct revision_row *revisions, size_t n)
{
    static const char *const fixed[][2] = {{"all", "Everything"},
                                           {"original", "All originals"},
                                           {"candidate", "All candidates"},
                                           {"class", "One class"}};
    json_t *list = json_array();
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
        json_array_append_new(list, json_pack("{s:s, s:s}", "value", fixed[i][0], "label", fixed[i][1]));
    }
    for (size_t i = 0; i < n; i++) {
        const char *name = set_title(c->arena, &revisions[i]);
        json_array_append_new(list, json_pack("{s:s, s:s}", "value",
                                              arena_printf(c->arena, "set:%s", name), "label",
                                              arena_printf(c->arena, "Set %s", name)));
    }
    return list;
}

json_t *model_rows_first(struct ctx *c)
{
    const struct model_query q = {.top = 1, .sort = MODEL_RANK};
    struct model_table t;
    struct model_jobs jobs;
    if (model_table_make(c, &q, &t) != OK || model_jobs_open(c, &jobs) != OK) {
        return NULL;
    }
    return !t.n_models
               ? json_null()
               : json_pack("{s:o, s:o, s:o, s:s}", "table",
                           model_rows_json(c, &t, FIRST_SHOWN, &jobs, false), "originals",
                           model_rows_set(c, &t.sets[SIDE_ORIGINAL]), "news",
                           model_rows_set(c, &t.sets[SIDE_NEW]), "all_text",
                           t.n_models > FIRST_SHOWN
                               ? arena_printf(c->arena, "All %zu models", t.n_models)
                               : "All models");
}
