/* model_right.c - copies which images models are right about out of the cache of scores. */
#include "measures/scores/model_right.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "measures/scores/model_scores_private.h"

enum err_code model_right_version(struct model_scores *s, struct db *db, const struct revision_row *r,
                                  const struct subset *subset, uint64_t *out, struct err *err)
{
    struct revision_scores *rs;
    pthread_mutex_lock(&s->lock);
    enum err_code rc = model_scores_look(s, db, r, model_scores_labels(subset), &rs, err);
    *out = rc == OK ? rs->version : 0;
    pthread_mutex_unlock(&s->lock);
    return rc;
}

static void copy_right(const struct revision_scores *r, const struct subset *subset, int top, const int64_t *models,
                       size_t n_models, struct model_right *out)
{
    uint32_t *at = xcalloc((size_t)r->n + 1, sizeof *at), n = 0;
    for (uint32_t i = 0; i < r->n; i++) {
        at[n] = i;
        n += score_fold_counts(r, subset, i);
    }
    *out = (struct model_right){.version = r->version, .n = n};
    out->image = xcalloc((size_t)n + 1, sizeof *out->image);
    out->class_id = xcalloc((size_t)n + 1, sizeof *out->class_id);
    out->sealed = xcalloc((size_t)n + 1, sizeof *out->sealed);
    out->right = xcalloc((size_t)n * n_models + 1, 1);
    for (uint32_t i = 0; i < n; i++) {
        out->image[i] = r->image[at[i]];
        out->class_id[i] = r->class_id[at[i]];
        out->sealed[i] = r->sealed[at[i]];
    }
    for (size_t m = 0; m < n_models; m++) {
        const struct model_ranks *of = model_scores_find(r, models[m]);
        for (uint32_t i = 0; of && i < n; i++) {
            unsigned char rank = of->rank[at[i]];
            out->right[m * n + i] = rank >= 1 && rank <= (top == 1 ? 1 : PREDICTION_K);
        }
    }
    free(at);
}

enum err_code model_right_of(struct model_scores *s, struct db *db, const struct revision_row *r,
                             const struct subset *subset, int top, const int64_t *models, size_t n_models,
                             struct model_right *out, struct err *err)
{
    struct revision_scores *rs;
    *out = (struct model_right){.n = 0};
    pthread_mutex_lock(&s->lock);
    enum err_code rc = model_scores_look(s, db, r, model_scores_labels(subset), &rs, err);
    if (rc == OK) {
        copy_right(rs, subset, top, models, n_models, out);
    }
    pthread_mutex_unlock(&s->lock);
    return rc;
}

void model_right_release(struct model_right *r)
{
    free(r->image);
    free(r->class_id);
    free(r->sealed);
    free(r->right);
    *r = (struct model_right){.n = 0};
}
