/* adjusted_kept.c - adjusted gaps, kept while nothing happens. */
#include "web/scoring/adjusted_kept.h"

#include <string.h>

#include "base/hash.h"
#include "measures/scores/model_right.h"
#include "web/parts/set_data.h"

enum { KEPT_MOST = 4, ARENA_MOST = 1 << 26 };

struct kept_results *adjusted_kept_new(void)
{
    return kept_new(sizeof(struct set_adjusted), KEPT_MOST, ARENA_MOST);
}

struct asked {
    struct ctx *c;
    const struct adjusted_asked *of;
    struct set_adjusted *out;
};

/* Votes by their event, predictions and labels by their version, parts by what they mean. */
static enum err_code key_of(struct ctx *c, const struct adjusted_asked *of, uint64_t *out)
{
    const struct revision_row *sets[] = {of->original, of->fresh};
    const struct subset *subsets[] = {of->part, of->fresh_part};
    uint64_t parts[7] = {(uint64_t)of->top, hash_bytes(of->models.p ? of->models.p : "", of->models.n),
                         (uint64_t)app_totals(c->app).cursor};
    enum err_code rc = OK;
    for (int side = 0; side < 2 && rc == OK; side++) {
        parts[5 + side] = subset_hash(subsets[side]);
        rc = model_right_version(app_model_scores(c->app), c->db, sets[side], subsets[side], &parts[3 + side], &c->err);
    }
    *out = hash_bytes(parts, sizeof parts);
    return rc;
}

static struct adjusted_gap copy_gap(const struct adjusted_gap *g, size_t n, struct arena *a)
{
    struct adjusted_gap copy = *g;
    if (g->lines) {
        copy.lines = arena_alloc(a, (n + 1) * sizeof *copy.lines);
        memcpy(copy.lines, g->lines, n * sizeof *copy.lines);
    }
    return copy;
}

static void copy(void *arg, const void *result)
{
    const struct asked *asked = arg;
    const struct set_adjusted *from = result;
    struct set_adjusted *out = asked->out;
    struct arena *a = asked->c->arena;
    size_t n = from->n_models + from->n_left_out;
    *out = *from;
    out->original = *asked->of->original;
    out->fresh = *asked->of->fresh;
    out->view = arena_sv(a, from->view);
    out->subset = arena_sv(a, from->subset);
    out->labels = arena_sv(a, from->labels);
    out->new_labels = arena_sv(a, from->new_labels);
    out->models = arena_calloc(a, n + 1, sizeof *out->models);
    for (size_t i = 0; i < n; i++) {
        const struct set_adjusted_model *m = &from->models[i];
        out->models[i] = (struct set_adjusted_model){arena_sv(a, m->name),
                                                     m->left_out ? arena_printf(a, "%s", m->left_out) : NULL};
    }
    out->campaigns = arena_calloc(a, out->n_campaigns + 1, sizeof *out->campaigns);
    for (size_t i = 0; i < out->n_campaigns; i++) {
        out->campaigns[i] = arena_sv(a, from->campaigns[i]);
    }
    out->first = copy_gap(&from->first, from->n_models, a);
    out->again = copy_gap(&from->again, from->n_models, a);
}

static enum err_code make(void *arg, struct arena *a, void *result)
{
    const struct asked *asked = arg;
    const struct adjusted_asked *of = asked->of;
    struct ctx *c = asked->c;
    const struct set_adjusted_ask ask = {.original = sv_of(set_title(c->arena, of->original)),
                                         .fresh = sv_of(set_title(c->arena, of->fresh)),
                                         .top = of->top,
                                         .models = of->models,
                                         .part = of->part,
                                         .fresh_part = of->fresh_part,
                                         .flags_to_quarantine = c->config->flags_to_quarantine};
    struct set_adjusted *out = result;
    enum err_code rc = set_adjusted_make(c->db, app_tally(c->app), app_model_scores(c->app), &ask, a, out, &c->err);
    if (rc == OK) { /* the words are the request's */
        out->subset = arena_sv(a, out->subset);
        out->labels = arena_sv(a, out->labels);
        out->new_labels = arena_sv(a, out->new_labels);
    }
    return rc;
}

enum err_code adjusted_get(struct ctx *c, const struct adjusted_asked *of, struct set_adjusted *out)
{
    static const struct kept_ways ways = {make, copy};
    struct asked asked = {c, of, out};
    uint64_t key = 0;
    enum err_code rc = key_of(c, of, &key);
    return rc == OK ? kept_get(app_adjusted_kept(c->app), key, &ways, &asked) : rc;
}
