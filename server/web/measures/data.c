/* data.c - reads what is asked, chooses the models that count, asks measures/ for the numbers. */
#include "web/measures/data.h"

#include <math.h>

#include "domain/scores/model_facts.h"
#include "domain/scores/score_table.h"
#include "measures/fits/fit.h"
#include "store/votes/views.h"
#include "web/core/view_choice.h"

/* ---- what is asked for ---- */

const struct list_word measures_bins_words[] = {
    {"raw", "Raw", MEASURES_BINS_RAW}, {"corrected", "Corrected for few answers", MEASURES_BINS_CORRECTED}, {0}};
const struct list_word measures_tops[] = {{"1", "Top-1", 1}, {"5", "Top-5", 5}, {0}};
const struct list_word measures_scales[] = {
    {"linear", "Linear", SHARE_LINEAR}, {"probit", "Probit", SHARE_PROBIT}, {"logit", "Logit", SHARE_LOGIT}, {0}};
const struct list_word measures_overs[] = {{"models", "models", FIT_MODELS},
                                           {"families", "families", FIT_FAMILIES},
                                           {"images", "images", FIT_IMAGES},
                                           {"both", "models and images", FIT_BOTH},
                                           {0}};
const struct list_word measures_bys[] = {{"group", "group", MODEL_GROUP},
                                         {"family", "family", MODEL_FAMILY},
                                         {"architecture", "architecture", MODEL_ARCHITECTURE},
                                         {"training_data", "training data", MODEL_TRAINING_DATA},
                                         {"year", "year", MODEL_YEAR},
                                         {0}};

#define AT(member) .at = offsetof(struct measures_query, member)
static const struct list_param params[] = {
    {"original", LIST_TEXT, AT(sets[SIDE_ORIGINAL])},
    {"new", LIST_TEXT, AT(sets[SIDE_NEW])},
    {"top", LIST_WORD, AT(top), .words = measures_tops},
    {"new_top", LIST_WORD, AT(new_top), .words = model_new_tops},
    {"subset", LIST_TEXT, AT(subset)},
    {"new_subset", LIST_TEXT, AT(new_subset)},
    {"labels", LIST_TEXT, AT(labels)},
    {"new_labels", LIST_TEXT, AT(new_labels)},
    {"view", LIST_TEXT, AT(view)},
    {"models", LIST_TEXT, AT(models)},
    {"scale", LIST_WORD, AT(scale), .words = measures_scales},
    {"over", LIST_WORD, AT(over), .words = measures_overs},
    {"by", LIST_WORD, AT(by), .words = measures_bys},
    {"without", LIST_TEXT, AT(without)},
    {"pivot", LIST_TEXT, AT(pivot)},
    {"bins", LIST_WORD, AT(bins), .words = measures_bins_words},
    {0},
};
static const struct list_table table = {params, sizeof(struct measures_query), NULL, NULL};
static const struct measures_query usual = {.top = 1};

enum err_code measures_query_read(struct ctx *c, struct measures_query *out)
{
    return list_read(c, &table, &usual, out);
}

const char *measures_query_url(struct ctx *c, const char *path, const struct measures_query *q)
{
    return list_url(c, &table, path, &usual, q, false);
}

enum err_code measures_query_of(struct ctx *c, const struct chart_ask *ask, struct measures_query *out)
{
    *out = (struct measures_query){.sets = {ask->original, ask->fresh},
                                   .subset = ask->subset,
                                   .new_subset = ask->new_subset,
                                   .labels = ask->labels,
                                   .new_labels = ask->new_labels,
                                   .view = ask->view,
                                   .models = ask->models,
                                   .without = ask->without,
                                   .pivot = ask->pivot};
    enum err_code rc = model_top_read(c, ask->top, &out->top);
    rc = rc == OK ? model_new_top_read(c, ask->new_top, &out->new_top) : rc;
    rc = rc == OK ? list_word_read(c, "scale", measures_scales, ask->scale, &out->scale) : rc;
    return rc == OK ? list_word_read(c, "by", measures_bys, ask->by, &out->by) : rc;
}

struct chart_ask measures_chart_ask(const struct measures_query *q)
{
    return (struct chart_ask){.original = q->sets[SIDE_ORIGINAL],
                              .fresh = q->sets[SIDE_NEW],
                              .top = q->top == 5 ? SV("5") : SV(""),
                              .subset = q->subset,
                              .labels = q->labels,
                              .new_labels = q->new_labels,
                              .view = q->view,
                              .models = q->models};
}

struct chart_ask measures_fit_ask(const struct measures_query *q)
{
    struct chart_ask ask = measures_chart_ask(q);
    ask.view = (struct sv){0};
    ask.scale = q->scale == usual.scale ? SV("") : sv_of(list_word_of(measures_scales, q->scale));
    ask.by = q->by == usual.by ? SV("") : sv_of(list_word_of(measures_bys, q->by));
    ask.new_top = sv_of(list_word_of(model_new_tops, q->new_top));
    ask.new_subset = q->new_subset;
    ask.without = q->without;
    ask.pivot = q->pivot;
    return ask;
}

/* ---- the models that count ---- */

static bool counts(const struct model_table *t, const struct model_line *l)
{
    bool all = t->sets[SIDE_ORIGINAL].r || t->sets[SIDE_NEW].r;
    for (int side = 0; side < SIDES; side++) {
        all = all && (!t->sets[side].r || model_score_complete(l->on[side], model_query_top(&t->query, (enum model_side)side)));
    }
    return all;
}

static const struct model_row *named(const struct model_row *list, size_t n, int64_t id)
{
    size_t i = 0;
    while (i < n && list[i].id != id) {
        i++;
    }
    return i < n ? &list[i] : NULL;
}

/* The table is in the order of accuracy on the originals. */
static enum err_code choose(struct ctx *c, struct measures *m)
{
    struct model_row *list;
    size_t n;
    if (models_named(c->db, m->query.models, c->arena, &list, &n, &c->err) != OK) {
        return c->err.code;
    }
    m->lines = arena_calloc(c->arena, n + 1, sizeof *m->lines);
    m->models = arena_calloc(c->arena, n + 1, sizeof *m->models);
    m->names = arena_calloc(c->arena, n + 1, sizeof *m->names);
    m->left_out = arena_calloc(c->arena, n + 1, sizeof *m->left_out);
    for (size_t i = 0; i < m->t.n_models; i++) {
        const struct model_line *l = &m->t.lines[i];
        if (!named(list, n, l->model->id)) {
            continue;
        }
        if (counts(&m->t, l)) {
            m->models[m->n] = l->model->id;
            m->names[m->n] = l->model->name;
            m->lines[m->n++] = l;
        } else if (m->named) {
            m->left_out[m->n_left_out++] = *l->model;
        }
    }
    return OK;
}

enum err_code measures_alike(struct ctx *c)
{
    return request_query(c->req, "new_top").n == 0 && request_query(c->req, "new_subset").n == 0
               ? OK
               : err_rule(&c->err, ERR_INPUT, "one-axis",
                          "This is measured on both sets at the same top and on the same part of the images. The table of models and the "
                          "line through them take new_top and new_subset; leave them out here.");
}

enum err_code measures_make(struct ctx *c, const struct measures_query *q, struct measures *out)
{
    enum err_code rc = measures_alike(c);
    return rc == OK ? measures_pair(c, q, out) : rc;
}

enum err_code measures_pair(struct ctx *c, const struct measures_query *q, struct measures *out)
{
    const struct model_query pair = {
        .sets = {q->sets[SIDE_ORIGINAL], q->sets[SIDE_NEW]}, .top = q->top, .new_top = q->new_top, .subset = q->subset, .new_subset = q->new_subset,
        .labels = q->labels, .new_labels = q->new_labels, .sort = MODEL_RANK};
    struct vote_view view;
    *out = (struct measures){
        .query = *q, .view = q->view.n ? q->view : SV("default"), .named = sv_trim(q->models).n > 0};
    if (views_find(c->db, out->view, c->arena, &view, &c->err) != OK || model_table_make(c, &pair, &out->t) != OK ||
        model_table_gaps(c, &out->t, false) != OK) {
        return c->err.code;
    }
    return choose(c, out);
}

enum err_code measures_side_of(struct ctx *c, const struct measures *m, struct sv set, enum model_side *out)
{
    struct revision_row r;
    if (revisions_find(c->db, set, c->arena, &r, &c->err) != OK) {
        return c->err.code;
    }
    for (int side = 0; side < SIDES; side++) {
        if (m->t.sets[side].r && m->t.sets[side].r->id == r.id) {
            *out = (enum model_side)side;
            return OK;
        }
    }
    return err_rule(&c->err, ERR_NOT_FOUND, "set", "set must be one of the two that are compared.");
}

/* ---- numbers ---- */

static double percent(const struct model_score *s, int top)
{
    return score_percent(model_score_right(s, top), s->predicted);
}

struct set_change measures_raw_change(const struct measures *m, int top)
{
    struct set_change sum = {0};
    for (size_t i = 0; i < m->n; i++) {
        const struct model_score *o = m->lines[i]->on[SIDE_ORIGINAL], *w = m->lines[i]->on[SIDE_NEW];
        if (model_score_complete(o, top) && model_score_complete(w, top)) {
            set_change_add(&sum, percent(w, top) - percent(o, top));
        }
    }
    return set_change_mean(sum);
}

struct set_change measures_common_change(const struct measures *m)
{
    struct set_change sum = {0};
    for (size_t i = 0; i < m->n; i++) {
        double gap = model_line_gap(&m->t, m->lines[i]);
        if (!isnan(gap)) {
            set_change_add(&sum, 0 - gap); /* -0 is no change */
        }
    }
    return set_change_mean(sum);
}

enum err_code measures_bins(struct ctx *c, const struct measures *m, enum model_side side, struct binned *out)
{
    const struct counted_view *v;
    enum err_code rc = view_choice_get(c, m->view, &v);
    if (rc != OK) {
        return rc;
    }
    const struct binned_ask ask = {.revision = m->t.sets[side].r,
                                   .subset = side == SIDE_NEW ? &m->t.fresh_subset : &m->t.subset,
                                   .votes = &v->counts,
                                   .models = m->models,
                                   .n_models = m->n};
    rc = binned_make(app_model_scores(c->app), c->db, &ask, c->arena, out, &c->err);
    view_choice_put(v);
    return rc;
}

size_t measures_followed(const struct measures *m)
{
    size_t most = m->named ? MEASURES_LINES : 1;
    return m->n < most ? m->n : most;
}

enum err_code measures_revisions(struct ctx *c, const struct measures *m, struct revision_line **out, size_t *n)
{
    const struct revision_row *r = m->t.sets[SIDE_NEW].r ? m->t.sets[SIDE_NEW].r : m->t.sets[SIDE_ORIGINAL].r;
    *n = 0;
    if (!r) {
        return OK;
    }
    const struct revision_ask ask = {
        .set = r->image_set, .subset = m->t.sets[SIDE_NEW].r ? &m->t.fresh_subset : &m->t.subset, .models = m->models, .n_models = measures_followed(m)};
    return by_revision_make(app_by_revision(c->app), c->db, &ask, c->arena, out, n, &c->err);
}
