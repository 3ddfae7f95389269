/* set_fit.c - from two sets to points, and for a bootstrap over images to right answers one by one. */
#include "measures/fits/set_fit.h"

#include <math.h>

#include "base/map.h"
#include "measures/scores/model_right.h"
#include "store/models/model_facts.h"

enum { X, Y, SETS };

struct set_points {
    const struct set_fit_ask *ask;
    struct model_row *models;
    struct model_facts_row *facts;
    size_t n_facts;
    struct fit_point *points; /* by model */
    size_t n;
    struct arena *a;
};

static struct fit_point point_of(const struct set_points *p, const struct model_row *m)
{
    const struct set_fit_ask *ask = p->ask;
    struct fit_point point = {.model = m->name, .x = (double)NAN, .y = (double)NAN};
    const struct model_facts *facts = model_facts_find(p->facts, p->n_facts, m->id);
    point.family = facts ? facts->family : (struct sv){0};
    point.year = facts ? facts->year : 0;
    point.left_out = scored_set_lacks(ask->original, m->id, ask->top, p->a);
    point.left_out = point.left_out ? point.left_out : scored_set_lacks(ask->fresh, m->id, ask->fresh_top, p->a);
    if (!point.left_out) {
        const struct model_score *x = scored_set_find(ask->original, m->id), *y = scored_set_find(ask->fresh, m->id);
        point.x = (double)model_score_right(x, ask->top) / x->images;
        point.y = (double)model_score_right(y, ask->fresh_top) / y->images;
    }
    return point;
}

/* By number: where a model of that name is. */
static void number_models(const struct set_points *p, struct map_sv *numbers)
{
    map_sv_init(numbers);
    for (size_t i = 0; i < p->n; i++) {
        map_sv_put(numbers, p->models[i].name, (uint32_t)i);
    }
}

/* What the asker says of models: which not to take, and families in place of those that the project knows. */
static enum err_code mark(struct set_points *p, struct err *err)
{
    const struct set_fit_ask *ask = p->ask;
    enum err_code rc = OK;
    struct map_sv numbers;
    number_models(p, &numbers);
    for (size_t i = 0; i < ask->n_without && rc == OK; i++) {
        uint32_t at = map_sv_get(&numbers, ask->without[i]);
        if (at == MAP_NONE) {
            rc = err_rule(err, ERR_NOT_FOUND, "model", "There is no model \"" SV_FMT "\" to leave out.",
                          SV_ARG(ask->without[i]));
        } else if (!p->points[at].left_out) {
            p->points[at].left_out = "left out on request";
        }
    }
    for (size_t i = 0; i < ask->n_families; i++) {
        uint32_t at = map_sv_get(&numbers, ask->families[i].model);
        if (at != MAP_NONE) {
            p->points[at].family = ask->families[i].family;
        }
    }
    map_sv_release(&numbers);
    return rc;
}

static struct bootstrap_set answers_of(const struct model_right *r)
{
    return (struct bootstrap_set){r->n, r->image, r->right};
}

/* With the right answers of all models, in the order of the points. */
static enum err_code fit_images(struct model_scores *s, struct db *db, struct set_points *p, struct fit_found *out,
                                struct err *err)
{
    const struct set_fit_ask *ask = p->ask;
    const struct scored_set *sets[SETS] = {ask->original, ask->fresh};
    struct model_right right[SETS] = {{.n = 0}, {.n = 0}};
    int64_t *ids = arena_calloc(p->a, p->n + 1, sizeof *ids);
    enum err_code rc = OK;
    for (size_t i = 0; i < p->n; i++) {
        ids[i] = p->models[i].id;
    }
    for (int i = X; i < SETS && rc == OK; i++) {
        rc = model_right_of(s, db, &sets[i]->r, i == Y && ask->fresh_subset ? ask->fresh_subset : ask->subset, i == Y ? ask->fresh_top : ask->top, ids, p->n, &right[i], err);
    }
    if (rc == OK) {
        const struct bootstrap_images images = {
            .x = answers_of(&right[X]), .y = answers_of(&right[Y]), .n_models = p->n};
        rc = fit_points(&ask->fit, p->points, p->n, &images, p->a, out, err);
    }
    model_right_release(&right[X]);
    model_right_release(&right[Y]);
    return rc;
}

enum err_code set_fit(struct model_scores *s, struct db *db, const struct set_fit_ask *ask, struct arena *a,
                      struct fit_found *out, struct err *err)
{
    struct set_points p = {.ask = ask, .a = a};
    enum err_code rc = models_list(db, false, a, &p.models, &p.n, err);
    rc = rc == OK ? model_facts_list(db, a, &p.facts, &p.n_facts, err) : rc;
    if (rc == OK) {
        p.points = arena_calloc(a, p.n + 1, sizeof *p.points);
        for (size_t i = 0; i < p.n; i++) {
            p.points[i] = point_of(&p, &p.models[i]);
        }
        rc = mark(&p, err);
    }
    if (rc != OK) {
        return rc;
    }
    return ask->fit.over == FIT_IMAGES || ask->fit.over == FIT_BOTH ? fit_images(s, db, &p, out, err)
                                                                   : fit_points(&ask->fit, p.points, p.n, NULL, a, out, err);
}
