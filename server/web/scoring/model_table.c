/* model_table.c - chooses the pair of sets, asks for the scores, ranks and sorts. */
#include "web/scoring/model_table.h"

#include <math.h>

#include "base/sorted.h"
#include "measures/scores/score_sheet.h"
#include "web/parts/set_data.h"

#define HYPHEN "\xe2\x80\x91" /* a hyphen at which no line breaks */
const struct list_word model_sorts[] = {
    {"name", "Model", MODEL_NAME_},
    {"parameters", "Parameters", MODEL_PARAMETERS},
    {"original-1", "Original top" HYPHEN "1", MODEL_ORIGINAL1},
    {"original-5", "Original top" HYPHEN "5", MODEL_ORIGINAL5},
    {"new-1", "New top" HYPHEN "1", MODEL_NEW1},
    {"new-5", "New top" HYPHEN "5", MODEL_NEW5},
    {"gap", "Gap", MODEL_GAP},
    {"rank", "Rank", MODEL_RANK},
    {"new-rank", "New rank", MODEL_NEW_RANK},
    {"change", "Change", MODEL_CHANGE},
    {0},
};
const struct list_word model_tops[] = {{"1", "Ranks by top-1", 1}, {"5", "Ranks by top-5", 5}, {0}};
const struct list_word model_new_tops[] = {{"", "the same", 0}, {"1", "top" HYPHEN "1", 1}, {"5", "top" HYPHEN "5", 5}, {0}};
const struct list_word model_levels[] = {{"0.95", "95 % intervals", 0}, {"0.995", "99.5 % intervals", 1}, {0}};
static const char *const side_names[SIDES] = {"original", "new"};

/* ---- what is asked for ---- */

static bool falls(int sort)
{
    return (sort >= MODEL_ORIGINAL1 && sort <= MODEL_NEW5) || sort == MODEL_CHANGE ||
           sort == MODEL_PARAMETERS;
}

#define AT(member) .at = offsetof(struct model_query, member)
static const struct list_param params[] = {
    {"original", LIST_TEXT, AT(sets[SIDE_ORIGINAL])},
    {"new", LIST_TEXT, AT(sets[SIDE_NEW])},
    {"top", LIST_WORD, AT(top), .words = model_tops},
    {"new_top", LIST_WORD, AT(new_top), .words = model_new_tops},
    {"subset", LIST_TEXT, AT(subset)},
    {"new_subset", LIST_TEXT, AT(new_subset)},
    {"labels", LIST_TEXT, AT(labels)},
    {"new_labels", LIST_TEXT, AT(new_labels)},
    {"level", LIST_WORD, AT(level), .words = model_levels},
    {"group", LIST_TEXT, AT(group)},
    {"family", LIST_TEXT, AT(family)},
    {"scale", LIST_TEXT, AT(scale)},
    {"sort", LIST_WORD, AT(sort), .words = model_sorts},
    {"order", LIST_ORDER, AT(falling)},
    {0},
};
static const struct list_table table = {params, sizeof(struct model_query), &params[12], falls};
static const struct model_query usual = {.top = 1};

enum err_code model_query_read(struct ctx *c, struct model_query *out)
{
    return list_read(c, &table, &usual, out);
}

const char *model_query_url(struct ctx *c, const char *path, const struct model_query *q)
{
    return list_url(c, &table, path, &usual, q, false);
}

const struct score_level *model_query_level(const struct model_query *q)
{
    return &score_levels[q->level];
}

int model_query_top(const struct model_query *q, enum model_side side)
{
    return side == SIDE_NEW && q->new_top ? q->new_top : q->top;
}

json_t *model_query_head(struct ctx *c, const char *path, const struct model_query *q,
                         enum model_sort sort)
{
    return list_head(c, &table, path, &usual, q, (int)sort);
}

enum err_code model_top_read(struct ctx *c, struct sv top, int *out)
{
    *out = sv_is(top, "5") ? 5 : 1;
    return top.n == 0 || sv_is(top, "1") || sv_is(top, "5")
               ? OK
               : err_rule(&c->err, ERR_INPUT, "chart-top", "top must be 1 or 5.");
}

enum err_code model_new_top_read(struct ctx *c, struct sv top, int *out)
{
    *out = 0;
    return top.n ? model_top_read(c, top, out) : OK;
}

/* ---- the pair of sets ---- */

enum err_code model_set_of(struct ctx *c, const struct revision_row *r, const struct subset *subset, struct model_set *out)
{
    out->r = r;
    enum err_code rc = model_scores_of(app_model_scores(c->app), c->db, r, subset, c->arena, &out->scores, &out->n, &c->err);
    out->images = subset_is_all(subset) ? r->images : out->n ? out->scores[0].images : 0;
    return rc == OK && subset ? label_pick_covers(c->db, &subset->labels, r->id, &c->err) : rc;
}

static enum err_code choose(struct ctx *c, struct model_table *t, enum model_side side)
{
    struct sv asked = t->query.sets[side];
    const struct revision_row *r = revision_newest(t->revisions, t->n_revisions, side_names[side]);
    if (asked.n) {
        struct revision_row *own = arena_alloc(c->arena, sizeof *own);
        if (revisions_find(c->db, asked, c->arena, own, &c->err) != OK) {
            return c->err.code;
        }
        r = own;
    }
    return r ? model_set_of(c, r, side == SIDE_NEW ? &t->fresh_subset : &t->subset, &t->sets[side]) : OK;
}

/* ---- lines ---- */

int64_t model_parameters(const struct model_row *m)
{
    json_t *facts = m->facts.n ? json_loadb(m->facts.p, m->facts.n, 0, NULL) : NULL;
    int64_t n = json_integer_value(json_object_get(facts, "parameters"));
    json_decref(facts);
    return n;
}

bool model_score_complete(const struct model_score *s, int top)
{
    return model_score_knows(s, top) && s->predicted == s->images;
}

/* Ranks are among the models that have predicted all of both sets. */
static void rank(struct ctx *c, struct model_table *t)
{
    struct score_counts *counts = arena_calloc(c->arena, t->n_models + 1, sizeof *counts);
    int top = t->query.top, new_top = model_query_top(&t->query, SIDE_NEW);
    for (size_t i = 0; i < t->n_models; i++) {
        const struct model_score *o = t->lines[i].on[SIDE_ORIGINAL], *w = t->lines[i].on[SIDE_NEW];
        if (model_score_complete(o, top) && model_score_complete(w, new_top)) {
            counts[t->n_ranked++] = (struct score_counts){
                .model = arena_cstr(c->arena, t->lines[i].model->name),
                .orig_correct = model_score_right(o, top), .orig_n = o->predicted,
                .new_correct = model_score_right(w, new_top), .new_n = w->predicted,
            };
        }
    }
    t->ranked = arena_calloc(c->arena, t->n_ranked + 1, sizeof *t->ranked);
    score_sheet_lines(counts, t->n_ranked, model_query_level(&t->query), t->ranked);
}

/* Both lists have a model once. */
static void join_ranks(struct model_table *t)
{
    for (size_t i = 0; i < t->n_models; i++) {
        for (size_t j = 0; j < t->n_ranked && !t->lines[i].ranked; j++) {
            if (sv_is(t->lines[i].model->name, t->ranked[j].counts.model)) {
                t->lines[i].ranked = &t->ranked[j];
            }
        }
    }
}

const struct model_line *model_table_line(const struct model_table *t, const struct score_line *ranked)
{
    size_t i = 0;
    while (i < t->n_models && t->lines[i].ranked != ranked) {
        i++;
    }
    BUG_IF(i == t->n_models);
    return &t->lines[i];
}

static double share(const struct model_score *s, int top)
{
    return model_score_knows(s, top) ? (double)model_score_right(s, top) / (double)s->predicted
                                     : (double)NAN;
}

/* Those without a rank follow those that have one, by what is known of their accuracy. */
static double rank_key(const struct model_line *l, const struct model_query *q)
{
    double known = share(l->on[SIDE_ORIGINAL], q->top);
    known = isnan(known) ? share(l->on[SIDE_NEW], model_query_top(q, SIDE_NEW)) : known;
    return l->ranked ? (double)l->ranked->orig_rank : UINT32_MAX - known;
}

double model_line_gap(const struct model_table *t, const struct model_line *l)
{
    if (!l->ranked) {
        return (double)NAN;
    }
    bool raw = !l->gap || t->gaps.classes.same;
    return raw ? l->ranked->gap : gap_told(&t->gaps.classes) ? l->gap->gap : (double)NAN;
}

static double key_of(const struct model_table *t, const struct model_line *l, enum model_sort sort)
{
    switch (sort) {
    case MODEL_RANK: return rank_key(l, &t->query);
    case MODEL_PARAMETERS: return l->parameters ? (double)l->parameters : (double)NAN;
    case MODEL_ORIGINAL1: return share(l->on[SIDE_ORIGINAL], 1);
    case MODEL_ORIGINAL5: return share(l->on[SIDE_ORIGINAL], 5);
    case MODEL_NEW1: return share(l->on[SIDE_NEW], 1);
    case MODEL_NEW5: return share(l->on[SIDE_NEW], 5);
    case MODEL_GAP: return model_line_gap(t, l);
    case MODEL_NEW_RANK: return l->ranked ? (double)l->ranked->new_rank : (double)NAN;
    case MODEL_CHANGE: return l->ranked ? (double)l->ranked->delta_rank : (double)NAN;
    case MODEL_NAME_: return 0;
    }
    return 0;
}

/* What is equal stands by name, as `models` do. */
static void sort_lines(struct ctx *c, struct model_table *t)
{
    const struct model_query *q = &t->query;
    struct sorted_key *keys = arena_calloc(c->arena, t->n_models + 1, sizeof *keys);
    struct model_line *by_name = arena_calloc(c->arena, t->n_models + 1, sizeof *by_name);
    for (size_t i = 0; i < t->n_models; i++) {
        size_t at = (size_t)(t->lines[i].model - t->models);
        by_name[at] = t->lines[i];
        keys[i] = (struct sorted_key){
            q->sort == MODEL_NAME_ ? (double)at : key_of(t, &t->lines[i], q->sort), at};
    }
    sorted_keys(keys, t->n_models, q->falling);
    for (size_t i = 0; i < t->n_models; i++) {
        t->lines[i] = by_name[keys[i].at];
    }
}

static void choose_models(struct ctx *c, struct model_table *t)
{
    static const struct model_facts nothing;
    const struct model_query *q = &t->query;
    t->models = arena_calloc(c->arena, t->n_all + 1, sizeof *t->models);
    for (size_t i = 0; i < t->n_all; i++) {
        const struct model_facts *f = model_facts_find(t->facts, t->n_facts, t->all[i].id);
        f = f ? f : &nothing;
        if ((q->group.n == 0 || sv_cmp(q->group, f->group) == 0) && (q->family.n == 0 || sv_cmp(q->family, f->family) == 0)) {
            t->models[t->n_models++] = t->all[i];
        }
    }
}

static enum err_code read_subsets(struct ctx *c, const struct model_query *q, struct model_table *t)
{
    enum err_code rc = set_part_asked(c, q->subset, q->labels, &t->subset);
    t->fresh_subset = t->subset;
    return rc == OK && (q->new_subset.n || q->new_labels.n)
               ? set_part_asked(c, q->new_subset.n ? q->new_subset : q->subset, q->new_labels.n ? q->new_labels : q->labels, &t->fresh_subset)
               : rc;
}

enum err_code model_table_make(struct ctx *c, const struct model_query *q, struct model_table *out)
{
    *out = (struct model_table){.query = *q};
    struct model_table *t = out;
    if (revisions_list(c->db, 0, c->arena, &t->revisions, &t->n_revisions, &c->err) != OK ||
        label_pick_choices(c->db, c->arena, &t->labels, &t->n_labels, &c->err) != OK ||
        models_list(c->db, false, c->arena, &t->all, &t->n_all, &c->err) != OK ||
        model_facts_list(c->db, c->arena, &t->facts, &t->n_facts, &c->err) != OK ||
        read_subsets(c, q, t) != OK || choose(c, t, SIDE_ORIGINAL) != OK || choose(c, t, SIDE_NEW) != OK) {
        return c->err.code;
    }
    choose_models(c, t);
    t->lines = arena_calloc(c->arena, t->n_models + 1, sizeof *t->lines);
    for (size_t i = 0; i < t->n_models; i++) {
        const struct model_row *m = &t->models[i];
        t->lines[i].model = m;
        t->lines[i].facts = model_facts_find(t->facts, t->n_facts, m->id);
        t->lines[i].parameters = model_parameters(m);
        if (t->lines[i].parameters == 0 && t->lines[i].facts) {
            t->lines[i].parameters = t->lines[i].facts->parameters;
        }
        for (int side = 0; side < SIDES; side++) {
            t->lines[i].on[side] = set_score_of(t->sets[side].scores, t->sets[side].n, m->id);
        }
    }
    rank(c, t);
    join_ranks(t);
    sort_lines(c, t);
    return OK;
}

/* ---- gaps on common classes ---- */

static const struct model_row *model_named(const struct model_table *t, const char *name)
{
    size_t i = 0;
    while (i < t->n_models && !sv_is(t->models[i].name, name)) {
        i++;
    }
    BUG_IF(i == t->n_models);
    return &t->models[i];
}

enum err_code model_table_gaps(struct ctx *c, struct model_table *t, bool wait)
{
    if (!t->sets[SIDE_ORIGINAL].r || !t->sets[SIDE_NEW].r) {
        return OK;
    }
    int64_t *models = arena_calloc(c->arena, t->n_ranked + 1, sizeof *models);
    for (size_t i = 0; i < t->n_ranked; i++) {
        models[i] = model_named(t, t->ranked[i].counts.model)->id;
    }
    const struct model_gaps_ask ask = {.original = t->sets[SIDE_ORIGINAL].r,
                                       .fresh = t->sets[SIDE_NEW].r,
                                       .subset = &t->subset,
                                       .fresh_subset = &t->fresh_subset,
                                       .top = t->query.top,
                                       .fresh_top = model_query_top(&t->query, SIDE_NEW),
                                       .models = models,
                                       .n = t->n_ranked,
                                       .level = model_query_level(&t->query),
                                       .seed = GAP_SEED,
                                       .wait = wait};
    enum err_code rc = model_gaps_of(app_model_gaps(c->app), app_model_scores(c->app), c->db, &ask,
                                     c->arena, &t->gaps, &c->err);
    if (rc != OK) {
        return rc;
    }
    t->has_gaps = true;
    for (size_t i = 0; i < t->n_models; i++) {
        struct model_line *l = &t->lines[i];
        l->gap = l->ranked ? &t->gaps.lines[l->ranked - t->ranked] : NULL;
    }
    if (t->query.sort == MODEL_GAP) {
        sort_lines(c, t);
    }
    return OK;
}

/* ---- what it is about ---- */

static bool tops_differ(const struct model_table *t)
{
    return model_query_top(&t->query, SIDE_NEW) != t->query.top;
}

const char *model_axis_name(struct ctx *c, const struct model_table *t, enum model_side side, const char *otherwise)
{
    const struct model_set *s = &t->sets[side];
    const struct subset *part = side == SIDE_NEW ? &t->fresh_subset : &t->subset;
    const char *set = s->r ? set_title(c->arena, s->r) : otherwise, *name = set;
    if (tops_differ(t)) {
        name = arena_printf(c->arena, "%s, top-%d", name, model_query_top(&t->query, side));
    }
    if (sv_cmp(t->subset.name, t->fresh_subset.name) != 0) {
        name = arena_printf(c->arena, "%s, %s", name, part->label);
    }
    return label_pick_is_set(&part->labels)
               ? name
               : arena_printf(c->arena, "%s%s by " SV_FMT, name, name == set ? "" : ", right", SV_ARG(part->labels.name));
}

const char *model_table_part(struct ctx *c, const struct model_table *t)
{
    const char *title = subset_title(&t->subset, &t->fresh_subset, c->arena);
    const char *tops = tops_differ(t) ? score_right_words(t->query.top, t->query.new_top, c->arena) : NULL;
    return tops && title ? arena_printf(c->arena, "%s; %s", tops, title) : tops ? tops : title;
}
