/* class_cells.c - counts by pairs of groups in a map, over the same pass as answers image by image. */
#include "measures/images/class_cells.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/xalloc.h"
#include "measures/images/answers_pass.h"
#include "measures/scores/model_right.h"

/* ---- counting ---- */

struct counting {
    const struct class_groups *groups;
    struct class_cells *out;
    struct map_u64 at;  /* row and column -> place in the list */
    struct map_u64 row; /* class -> its place among the hierarchy's classes */
    size_t cap;
    uint32_t *count;    /* by column, the last one CLASS_GROUP_NONE; zero between images */
    uint32_t *columns;  /* those of the image */
    uint32_t n_columns, most;
};

static uint32_t row_of(const struct counting *c, const struct answers_pass *p, uint32_t position)
{
    uint32_t at = map_u64_get(&c->row, p->r->class_id[position]);
    return at == MAP_NONE ? CLASS_GROUP_NONE : c->groups->of[at];
}

static void count(struct counting *c, uint16_t cid)
{
    uint32_t group = c->groups->of_cid[cid], at = group == CLASS_GROUP_NONE ? c->groups->n : group;
    if (c->count[at]++ == 0) {
        c->columns[c->n_columns++] = at;
    }
}

/* What was counted of an image in this row. */
static void add_cells(struct counting *c, uint32_t row)
{
    struct class_cells *out = c->out;
    for (uint32_t i = 0; i < c->n_columns; i++) {
        uint32_t column = c->columns[i], next = (uint32_t)out->n;
        uint32_t at = map_u64_put(&c->at, (uint64_t)row << 32 | column, next);
        if (at == next) {
            xgrow(&out->list, &c->cap, out->n + 1, sizeof *out->list);
            out->list[out->n++] = (struct class_cell){row, column == c->groups->n ? CLASS_GROUP_NONE : column, 0, 0};
        }
        out->list[at].answers += c->count[column] < c->most ? c->count[column] : c->most;
        out->list[at].images++;
        c->count[column] = 0;
    }
    c->n_columns = 0;
}

static void add_confused(struct answers_pass *p, const struct image_said *w, void *arg)
{
    struct counting *c = arg;
    uint32_t row = row_of(c, p, w->position), predicted = 0;
    if (row == CLASS_GROUP_NONE) {
        c->out->left_out++;
        return;
    }
    for (size_t m = 0; m < p->n_models; m++) {
        bool said = w->said[m] != PREDICTION_NONE;
        predicted += said;
        if (said && !w->is_right[m]) {
            count(c, w->said[m]);
        }
    }
    c->out->of[row] += predicted;
    add_cells(c, row);
}

static void add_together(struct answers_pass *p, const struct image_said *w, void *arg)
{
    struct counting *c = arg;
    struct image_labels_right found;
    uint32_t row = row_of(c, p, w->position);
    if (row == CLASS_GROUP_NONE) {
        c->out->left_out++;
        return;
    }
    image_labels_read(p->r, w->position, &found);
    for (uint32_t i = 0; i < found.n && found.several; i++) {
        if (!found.own[i]) {
            count(c, found.cid[i]);
        }
    }
    c->out->of[row]++;
    add_cells(c, row);
}

static int most_answers(const void *a, const void *b)
{
    const struct class_cell *x = a, *y = b;
    return x->answers != y->answers ? (x->answers < y->answers) - (x->answers > y->answers)
           : x->row != y->row       ? (x->row > y->row) - (x->row < y->row)
                                    : (x->column > y->column) - (x->column < y->column);
}

/* Counts into lists on the heap. */
static enum err_code count_all(struct model_scores *s, struct db *db, const struct class_cells_ask *ask, struct class_cells *out, struct err *err)
{
    const struct class_groups *g = ask->groups;
    const bool together = ask->what == CELLS_TOGETHER;
    const struct image_answers_ask of = {.revision = ask->revision, .subset = ask->subset, .models = ask->models,
                                         .n_models = together ? 0 : ask->n_models, .top = 1};
    struct counting c = {.groups = g, .out = out, .most = together ? 1 : UINT32_MAX};
    *out = (struct class_cells){.of = xcalloc((size_t)g->n + 1, sizeof *out->of), .n_groups = g->n};
    c.count = xcalloc((size_t)g->n + 1, sizeof *c.count);
    c.columns = xcalloc((size_t)g->n + 1, sizeof *c.columns);
    map_u64_init(&c.at);
    map_u64_init(&c.row);
    for (uint32_t i = 0; i < g->hierarchy->n_classes; i++) {
        map_u64_put(&c.row, (uint64_t)g->hierarchy->classes[i].id, i);
    }
    enum err_code rc = answers_pass(s, db, &of, together ? add_together : add_confused, &c, &out->sealed, err);
    if (out->n) {
        qsort(out->list, out->n, sizeof *out->list, most_answers);
    }
    map_u64_release(&c.at);
    map_u64_release(&c.row);
    free(c.count);
    free(c.columns);
    return rc;
}

/* Whether an image can have several right labels. */
static bool has_several(const struct label_pick *p)
{
    return !label_pick_is_set(p) && p->rule != LABEL_RULE_MAIN;
}

enum err_code class_cells_make(struct model_scores *s, struct db *db, const struct class_cells_ask *ask, struct arena *a,
                               struct class_cells *out, struct err *err)
{
    struct class_cells found;
    if (ask->what == CELLS_TOGETHER && !has_several(model_scores_labels(ask->subset))) {
        return err_rule(err, ERR_INPUT, "labels-one",
                        "An image has one label by %s, so no classes come together. Choose a label source with several: `labels=NAME`, of those "
                        "under /label-sources, or import one with `holdout import labels`.",
                        label_pick_is_set(model_scores_labels(ask->subset)) ? "the set's own labels" : arena_cstr(a, ask->subset->labels.name));
    }
    enum err_code rc = count_all(s, db, ask, &found, err);
    if (rc == OK) {
        class_cells_copy(&found, a, out);
    }
    free(found.list);
    free(found.of);
    return rc;
}

/* ---- what is kept ---- */

enum err_code class_cells_key(struct model_scores *s, struct db *db, const struct class_cells_ask *ask, uint64_t *out, struct err *err)
{
    uint64_t parts[5] = {ask->what, subset_hash(ask->subset), class_groups_hash(ask->groups),
                         hash_bytes(ask->n_models ? (const void *)ask->models : "", ask->n_models * sizeof *ask->models)};
    enum err_code rc = model_right_version(s, db, ask->revision, ask->subset, &parts[4], err);
    *out = hash_bytes(parts, sizeof parts);
    return rc;
}

void class_cells_copy(const struct class_cells *from, struct arena *a, struct class_cells *out)
{
    *out = *from;
    out->list = arena_alloc(a, (from->n + 1) * sizeof *out->list);
    out->of = arena_alloc(a, ((size_t)from->n_groups + 1) * sizeof *out->of);
    if (from->n) {
        memcpy(out->list, from->list, from->n * sizeof *out->list);
    }
    memcpy(out->of, from->of, from->n_groups * sizeof *out->of);
}
