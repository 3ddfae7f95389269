/* model_rows.c - the lines of the table of models, with every number as text. */
#include "web/scoring/model_rows.h"

#include <math.h>

#include "json/object.h"
#include "measures/scores/gap.h"
#include "measures/scores/score_sheet.h"
#include "web/core/page_data.h"
#include "web/core/records.h"
#include "web/parts/set_data.h"
#include "web/scoring/model_data.h"

enum { FIRST_SHOWN = 10, SUMMARY_FROM = 6 /* ranked models: with fewer, the table says it */ };
#define DASH "\xe2\x80\x93"

/* "25.6 M" of parameters; a dash when it is not known. */
static const char *parameters_text(struct arena *a, int64_t n)
{
    return n <= 0        ? DASH
           : n < 10000   ? data_count(a, n)
           : n < 1000000 ? arena_printf(a, "%.0f k", (double)n / 1e3)
                         : arena_printf(a, "%.1f M", (double)n / 1e6);
}

static json_t *cell(struct arena *a, const struct model_table *t, const struct model_score *s, int top)
{
    return model_score_knows(s, top)
               ? set_data_short_cell(a, model_score_right(s, top), s->predicted, s->images,
                                     model_query_level(&t->query)->alpha)
               : json_null();
}

static const char *signed_text(struct arena *a, int32_t n)
{
    return n ? data_minus(a, arena_printf(a, "%+d", n)) : "0";
}

/* The digits that the paper's tables have. */
static const char *gap_text(struct arena *a, double gap)
{
    return data_minus(a, arena_printf(a, "%.1f", gap));
}

static json_t *value_json(const char *value, const char *note)
{
    return object(field_text("value", value), field_text("note", note));
}

static json_t *gap_json(struct arena *a, double gap, const struct gap_range *r)
{
    const char *note =
        r && r->known ? arena_printf(a, "%s to %s", gap_text(a, r->lo), gap_text(a, r->hi)) : "";
    return value_json(isnan(gap) ? DASH : gap_text(a, gap), note);
}

static json_t *rank_json(struct arena *a, uint32_t rank, const struct gap_range *r)
{
    const char *note =
        r && r->known ? arena_printf(a, "%.0f\xe2\x80\x93%.0f", r->lo, r->hi) : "";
    return value_json(rank ? arena_printf(a, "%u", rank) : DASH, note);
}

static json_t *change_json(struct arena *a, const struct score_line *line, const struct gap_range *r)
{
    const char *note = r && r->known ? arena_printf(a, "%s to %s", signed_text(a, (int32_t)r->lo),
                                                    signed_text(a, (int32_t)r->hi))
                                     : "";
    return value_json(line ? signed_text(a, line->delta_rank) : DASH, note);
}

/* Gaps and ranks of a line: null where there is nothing to show. */
static void add_gaps(struct ctx *c, const struct model_table *t, const struct model_line *l,
                     json_t *row)
{
    const struct gap_line *g = l->gap;
    const struct score_line *r = l->ranked;
    json_object_set_new(row, "gap", gap_json(c->arena, model_line_gap(t, l), g ? &g->common : NULL));
    json_object_set_new(row, "raw_gap",
                        gap_json(c->arena, r ? r->gap : (double)NAN, g ? &g->raw : NULL));
    json_object_set_new(row, "rank", rank_json(c->arena, r ? r->orig_rank : 0,
                                               g ? &g->original_rank : NULL));
    json_object_set_new(row, "new_rank",
                        rank_json(c->arena, r ? r->new_rank : 0, g ? &g->fresh_rank : NULL));
    json_object_set_new(row, "change", change_json(c->arena, r, g ? &g->change : NULL));
}

struct made_by {
    struct sv made_by;
    const char *url;
};
static RECORD(file_record, struct made_by, "made_by", "The run or file whose predictions count.",
              {"made_by", RECORD_OF(struct made_by, made_by), .about = "The file's name, or which run it is."},
              {"url", RECORD_OF(struct made_by, url), .about = "The address of the page that compares sources."});

struct made {
    struct sv name;
    json_t *original, *fresh;
};
#define OF(member) RECORD_OF(struct made, member)
RECORD(made_by_record, struct made, "scored_by", "Which predictions score a model.",
       {"name", OF(name), .about = "The model's name."},
       {"original", OF(original), .maybe = true, .of = &file_record, .about = "On the originals; null: none do."},
       {"fresh", OF(fresh), .maybe = true, .of = &file_record, .about = "On the new set; null: none do."});
#undef OF

static json_t *made_json(struct ctx *c, const struct model_line *l, const struct model_set *set,
                         const struct model_score *s)
{
    return !s || !s->predicted
               ? NULL
               : record_json(&file_record, &(const struct made_by){
                                               s->made_by, model_sources_url(c->arena, l->model->name, set->r)});
}

json_t *model_rows_sources(struct ctx *c, const struct model_table *t)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < t->n_models; i++) {
        const struct model_line *l = &t->lines[i];
        const struct made made = {l->model->name, made_json(c, l, &t->sets[SIDE_ORIGINAL], l->on[SIDE_ORIGINAL]),
                                  made_json(c, l, &t->sets[SIDE_NEW], l->on[SIDE_NEW])};
        json_array_append_new(rows, record_json(&made_by_record, &made));
    }
    return rows;
}

static json_t *row_json(struct ctx *c, const struct model_table *t, const struct model_line *l,
                        const struct model_jobs *jobs)
{
    struct arena *a = c->arena;
    const struct model_score *o = l->on[SIDE_ORIGINAL], *w = l->on[SIDE_NEW];
    json_t *row =
        object(field_sv("name", l->model->name),
               field_text("url", arena_printf(a, "/models/" SV_FMT, SV_ARG(l->model->name))),
               field_bool("is_import", sv_is(l->model->kind, "import")),
               field_text("parameters", parameters_text(a, l->parameters)),
               field_json("original1", cell(a, t, o, 1)), field_json("original5", cell(a, t, o, 5)),
               field_json("new1", cell(a, t, w, 1)), field_json("new5", cell(a, t, w, 5)),
               field_json("job", model_jobs_json(c, jobs, l->model->name)));
    add_gaps(c, t, l, row);
    return row;
}

/* Whether the sets have other classes, or other shares of them, so that the raw gap compares mixtures. */
static bool apart(const struct model_table *t)
{
    return t->has_gaps && !t->gaps.classes.same;
}

static const char *gap_note(struct ctx *c, const struct model_table *t)
{
    uint32_t n = t->gaps.classes.common;
    return !apart(t) ? NULL
           : n == 0  ? "no common class"
                     : arena_printf(c->arena, "%s common", data_count(c->arena, n));
}

static const char *mixture_text(struct ctx *c, const struct gap_classes *k)
{
    const char *original = data_count(c->arena, k->original), *fresh = data_count(c->arena, k->fresh);
    if (k->common == 0) {
        return arena_printf(c->arena,
                            "The originals\xe2\x80\x99 classes (%s) and the new set\xe2\x80\x99s (%s) have "
                            "none in common: the raw gap compares different classes, and so do ranks.",
                            original, fresh);
    }
    if (k->withheld) {
        return "The gap on the classes that both sets have is not shown: it would reveal what models say about one "
               "image that is in a sealed revision too. It will appear once that revision is frozen. The raw gap is "
               "over all images of each set: it compares different mixtures of classes, and so do ranks.";
    }
    const char *what =
        k->common < k->original || k->common < k->fresh
            ? arena_printf(c->arena, "The originals have %s classes, the new set %s. ", original, fresh)
            : "The sets have different shares of the same classes. ";
    return arena_printf(c->arena,
                        "%sThe gap is over the %s that both have (%s and %s images), both sides "
                        "weighted by the originals\xe2\x80\x99 class shares. The raw gap is over all images of "
                        "each set: it compares different mixtures of classes, and so do ranks.",
                        what, data_count(c->arena, k->common),
                        data_count(c->arena, k->original_images),
                        data_count(c->arena, k->fresh_images));
}

const char *model_rows_mixture(struct ctx *c, const struct model_table *t)
{
    return apart(t) ? mixture_text(c, &t->gaps.classes) : NULL;
}

/* How gaps and ranks are to be read; null without a pair. */
static json_t *note_json(struct ctx *c, const struct model_table *t)
{
    const struct model_gaps_found *g = &t->gaps;
    if (!t->has_gaps || !t->n_ranked) {
        return json_null();
    }
    const char *shared =
        g->classes.shared ? arena_printf(c->arena, ", %s images that are in both sets together",
                                         data_count(c->arena, g->classes.shared))
                          : "";
    const char *how = arena_printf(
        c->arena,
        "Intervals of gaps and ranks (%s): %s, one resample for all %zu models%s, %s resamples, "
        "seed %llu. A model whose accuracy on a set is the same in every resample gets no interval.",
        g->level->label, gap_method, t->n_ranked, shared, data_count(c->arena, g->level->resamples),
        (unsigned long long)g->seed);
    return object(field_bool("pending", !g->ready),
                  field_text("mixture", model_rows_mixture(c, t)),
                  field_text("how", how));
}

/* What stands under a head: of which set, of how many images. */
static const char *head_note(struct ctx *c, const struct model_table *t, enum model_sort sort)
{
    if (sort == MODEL_GAP) {
        return gap_note(c, t);
    }
    bool original = sort == MODEL_ORIGINAL1 || sort == MODEL_ORIGINAL5;
    const struct model_set *s = &t->sets[original ? SIDE_ORIGINAL : SIDE_NEW];
    return sort >= MODEL_ORIGINAL1 && sort <= MODEL_NEW5 && s->r
               ? arena_printf(c->arena, "n %s", data_count(c->arena, s->images))
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
    json_t *list = json_array();
    for (const struct list_word *w = model_sorts; w->word; w++) {
        enum model_sort sort = (enum model_sort)w->value;
        if (sort != MODEL_PARAMETERS || any_parameters(t)) {
            json_t *head = sortable ? model_query_head(c, "/models", &t->query, sort)
                                    : object(field_null("url"), field_null("sorted"));
            json_object_set_new(head, "label", json_string(w->label));
            json_object_update_new(head, object(field_text("note", head_note(c, t, sort)),
                                                field_bool("number", sort != MODEL_NAME_)));
            json_array_append_new(list, head);
        }
        if (sort == MODEL_GAP && apart(t)) {
            object_add(list, field_text("label", "Raw gap"), field_text("note", "all images"),
                       field_bool("number", true));
        }
    }
    return list;
}

json_t *model_rows_json(struct ctx *c, const struct model_table *t, size_t most,
                        const struct model_jobs *jobs, bool sortable)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < t->n_models && i < most; i++) {
        json_array_append_new(rows, row_json(c, t, &t->lines[i], jobs));
    }
    return object(field_json("heads", heads_json(c, t, sortable)), field_json("rows", rows),
                  field_bool("has_parameters", any_parameters(t)), field_bool("has_raw", apart(t)),
                  field_json("gap_note", note_json(c, t)));
}

json_t *model_rows_one(struct ctx *c, const struct model_table *t, int64_t model)
{
    size_t i = 0;
    while (i < t->n_models && t->lines[i].model->id != model) {
        i++;
    }
    if (i == t->n_models || !t->lines[i].ranked || !t->has_gaps) {
        return json_null();
    }
    json_t *one = object(field_json("originals", model_rows_set(c, &t->sets[SIDE_ORIGINAL])),
                         field_json("news", model_rows_set(c, &t->sets[SIDE_NEW])),
                         field_int("top", t->query.top),
                         field_text("of", data_count(c->arena, (int64_t)t->n_ranked)),
                         field_bool("has_raw", apart(t)), field_json("gap_note", note_json(c, t)));
    add_gaps(c, t, &t->lines[i], one);
    return one;
}

static json_t *summary_row(struct ctx *c, const struct model_table *t, const char *label, const char *name)
{
    size_t i = 0;
    while (i < t->n_ranked && strcmp(t->ranked[i].counts.model, name) != 0) {
        i++;
    }
    const struct model_line *l = model_table_line(t, &t->ranked[i]);
    json_t *row = object(field_text("label", label), field_text("name", name),
                         field_text("url", arena_printf(c->arena, "/models/%s", name)),
                         field_json("original", cell(c->arena, t, l->on[SIDE_ORIGINAL], t->query.top)),
                         field_json("fresh", cell(c->arena, t, l->on[SIDE_NEW], model_query_top(&t->query, SIDE_NEW))));
    add_gaps(c, t, l, row);
    return row;
}

/* "Mean gap over 67 models: 11.8 points (11.0 to 12.6)." */
static const char *mean_text(struct ctx *c, const struct model_table *t, const struct score_summary *s)
{
    struct arena *a = c->arena;
    const struct model_gaps_found *g = &t->gaps;
    bool common = apart(t) && gap_told(&g->classes);
    const struct gap_range *r = common ? &g->mean.common : &g->mean.raw;
    const char *range = t->has_gaps && r->known ? arena_printf(a, " (%s to %s)", gap_text(a, r->lo), gap_text(a, r->hi)) : "";
    return arena_printf(a, "Mean gap over %zu models%s: %s points%s.", s->models, common ? ", on common classes" : apart(t) ? ", over all images" : "",
                        gap_text(a, common ? gap_mean_common(g) : s->mean_gap), range);
}

json_t *model_rows_summary(struct ctx *c, const struct model_table *t)
{
    const struct score_summary s = score_summarise(t->ranked, t->n_ranked);
    if (s.models < 2) {
        return json_null();
    }
    json_t *rows = json_array();
    if (s.models >= SUMMARY_FROM) {
        json_array_append_new(rows, summary_row(c, t, "Best", s.best));
        json_array_append_new(rows, summary_row(c, t, "Median", s.median));
        json_array_append_new(rows, summary_row(c, t, "Worst", s.worst));
    }
    const char *mean = mean_text(c, t, &s);
    const char *order = isnan(s.kendall)
                            ? "All models do alike on one of the sets, so that ranks say nothing."
                            : data_minus(c->arena, arena_printf(c->arena,
                                                                "Ranks of %zu models on both sets: Kendall\xe2\x80\x99s tau-b %.3f, "
                                                                "Spearman\xe2\x80\x99s rho %.3f.",
                                                                s.models, s.kendall, s.spearman));
    return object(field_json("rows", rows), field_bool("any_rows", s.models >= SUMMARY_FROM), field_text("order", order),
                  field_text("mean", mean));
}

json_t *model_rows_set(struct ctx *c, const struct model_set *s)
{
    return s->r ? object(field_text("name", set_title(c->arena, s->r)),
                         field_text("url", set_url(c->arena, s->r)),
                         field_text("images", data_count(c->arena, s->r->images)))
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
        object_add(list, field_text("value", fixed[i][0]), field_text("label", fixed[i][1]));
    }
    for (size_t i = 0; i < n; i++) {
        const char *name = set_title(c->arena, &revisions[i]);
        object_add(list, field_text("value", arena_printf(c->arena, "set:%s", name)),
                   field_text("label", arena_printf(c->arena, "Set %s", name)));
    }
    return list;
}

json_t *model_rows_first(struct ctx *c)
{
    const struct model_query q = {.top = 1, .sort = MODEL_RANK};
    struct model_table t;
    struct model_jobs jobs;
    if (model_table_make(c, &q, &t) != OK || model_table_gaps(c, &t, false) != OK ||
        model_jobs_open(c, &jobs) != OK) {
        return NULL;
    }
    return !t.n_models
               ? json_null()
               : object(field_json("table", model_rows_json(c, &t, FIRST_SHOWN, &jobs, false)),
                        field_json("originals", model_rows_set(c, &t.sets[SIDE_ORIGINAL])),
                        field_json("news", model_rows_set(c, &t.sets[SIDE_NEW])),
                        field_text("all_text",
                                   t.n_models > FIRST_SHOWN
                                       ? arena_printf(c->arena, "All %zu models", t.n_models)
                                       : "All models"));
}
