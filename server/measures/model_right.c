/* model_right.c - copies which images models are right about out of the cache of scores. */
#include "measures/model_right.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "measures/model_scores_private.h"

enum err_code model_right_version(struct model_scores *s, struct db *db,
                                  const struct revision_row *r, uint64_t *out, struct err *err)
{
    struct revision_scores *rs;
    pthread_mutex_lock(&s->lock);
    enum err_code rc = model_scores_look(s, db, r, &rs, err);
    *out = rc == OK ? rs->version : 0;
    pthread_mutex_unlock(&s->lock);
    return rc;
}

static void copy_right(const struct revision_scores *r, int top, const int64_t *models,
                       size_t n_models, struct model_right *out)
{
    size_t n = r->n;
    out->version = r->version;
    out->n = r->n;
    out->image = xcalloc(n + 1, sizeof *out->image);
    out->class_id = xcalloc(n + 1, sizeof *out->class_id);
    out->sealed = xcalloc(n + 1, sizeof *out->sealed);
    out->right = xcalloc(n * n_models + 1, 1);
    memcpy(out->image, r->image, n * sizeof *out->image);
    memcpy(out->class_id, r->class_id, n * sizeof *out->class_id);
    memcpy(out->sealed, r->sealed, n * sizeof *out->sealed);
    for (size_t m = 0; m < n_models; m++) {
        const struct model_ranks *of = model_scores_find(r, models[m]);
        for (size_t i = 0; of && i < n; i++) {
            out->right[m * n + i] = of->rank[i] >= 1 && of->rank[i] <= (top == 1 ? 1 : PREDICTION_K);
        }
    }
}

enum err_code model_right_of(struct model_scores *s, struct db *db, const struct revision_row *r,
                             int top, const int64_t *models, size_t n_models,
                             struct model_right *out, struct err *err)
{
    struct revision_scores *rs;
    *out = (struct model_right){.n = 0};
    pthread_mutex_lock(&s->lock);
    enum err_code rc = model_scores_look(s, db, r, &rs, err);
    if (rc == OK) {
        copy_right(rs, top, models, n_models, out);
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
