/* proposals.c - reads answers of models about images. */
#include "measures/scores/proposals.h"

#include <stdlib.h>

#include "base/sorted.h"
#include "base/xalloc.h"
#include "measures/scores/model_scores_private.h"

struct reading {
    const struct proposals_ask *ask;
    uint16_t *out;
    uint32_t *answered;
    size_t model; /* index of the one that is read */
};

static void keep(struct reading *r, uint32_t image, const uint16_t *labels, int k)
{
    const struct proposals_ask *ask = r->ask;
    size_t at = sorted_u32(ask->images, ask->n, sizeof *ask->images, 0, image);
    if (at == ask->n || ask->images[at] != image) {
        return;
    }
    uint16_t *to = r->out + (at * ask->n_models + r->model) * ask->top;
    r->answered[r->model] += *to == PREDICTION_NONE && labels[0] != PREDICTION_NONE;
    for (uint32_t i = 0; i < ask->top; i++) {
        to[i] = i < (uint32_t)k ? labels[i] : PREDICTION_NONE;
    }
}

static void keep_newest(void *arg, const struct prediction_source *s, const struct prediction *p)
{
    keep(arg, p->image, p->labels, s->k);
}

static enum err_code read_newest(struct reading *r, struct db *db, struct err *err)
{
    enum err_code rc = OK;
    for (r->model = 0; r->model < r->ask->n_models && rc == OK; r->model++) {
        int64_t last;
        rc = predictions_each(db, r->ask->models[r->model].id, 0, 0, &last, keep_newest, r, err);
    }
    return rc;
}

static enum err_code read_model(struct reading *r, struct db *db, const struct revision_scores *fold,
                                struct model_answer *list, struct err *err)
{
    for (uint32_t i = 0; i < fold->n; i++) {
        list[i] = (struct model_answer){.source = 0};
    }
    enum err_code rc = model_scores_read(fold, db, r->ask->models[r->model].id, list, err);
    for (uint32_t i = 0; i < fold->n && rc == OK; i++) {
        if (list[i].source) {
            keep(r, fold->image[i], list[i].p.labels, list[i].k);
        }
    }
    return rc;
}

static enum err_code read_counting(struct reading *r, struct db *db, struct err *err)
{
    const struct proposals_ask *ask = r->ask;
    struct revision_scores *fold = NULL;
    int64_t *ids = xcalloc(ask->n_models, sizeof *ids);
    for (size_t m = 0; m < ask->n_models; m++) {
        ids[m] = ask->models[m].id;
    }
    enum err_code rc = score_fold_some(db, ask->revision, NULL, ids, ask->n_models, &fold, err);
    free(ids);
    rc = rc == OK ? score_fold_more(fold, db, err) : rc;
    struct model_answer *list = fold ? xcalloc((size_t)fold->n + 1, sizeof *list) : NULL;
    for (r->model = 0; r->model < ask->n_models && rc == OK; r->model++) {
        rc = read_model(r, db, fold, list, err);
    }
    free(list);
    score_fold_free(fold);
    return rc;
}

enum err_code proposals_read(struct db *db, const struct proposals_ask *ask, uint16_t *out, uint32_t *answered,
                             struct err *err)
{
    struct reading r = {ask, out, answered, 0};
    for (size_t i = 0; i < ask->n * ask->n_models * ask->top; i++) {
        out[i] = PREDICTION_NONE;
    }
    for (size_t m = 0; m < ask->n_models; m++) {
        answered[m] = 0;
    }
    if (ask->n_models == 0) {
        return OK;
    }
    return ask->revision ? read_counting(&r, db, err) : read_newest(&r, db, err);
}
