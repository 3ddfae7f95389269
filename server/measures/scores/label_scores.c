/* label_scores.c - counts over the bits that a fold by a source's labels keeps of every first answer. */
#include "measures/scores/label_scores.h"

#include <stdlib.h>

#include "measures/scores/model_scores_private.h"

static void cover(const struct revision_scores *r, const struct subset *subset, struct label_coverage *c)
{
    const struct fold_labels *l = r->labels;
    *c = (struct label_coverage){.images = 0};
    for (uint32_t i = 0; i < r->n; i++) {
        bool meant = !r->sealed[i] && subset_has(subset, r->image[i], r->class_id[i]), counted = meant && l->counts[i];
        c->images += meant;
        c->there += meant && l->there[i];
        c->counted += counted;
        c->part[l->several[i] ? PART_MULTI : PART_SINGLE] += counted;
        c->part[PART_DISAGREE] += counted && l->disagrees[i];
    }
    c->part[PART_ALL] = c->counted;
}

static struct multilabel count_model(const struct revision_scores *r, const struct subset *subset,
                                     const struct model_ranks *m)
{
    struct multilabel_count c;
    multilabel_begin(&c);
    for (uint32_t i = 0; i < r->n; i++) {
        if (m->rank[i] != NO_RECORD && score_fold_counts(r, subset, i)) {
            multilabel_add(&c, score_fold_said(m, i), r->class_id[i], r->labels->several[i], r->labels->disagrees[i]);
        }
    }
    return multilabel_end(&c);
}

static int by_model(const void *a, const void *b)
{
    int64_t x = ((const struct label_score *)a)->model, y = ((const struct label_score *)b)->model;
    return (x > y) - (x < y);
}

enum err_code label_scores_of(struct model_scores *s, struct db *db, const struct revision_row *r,
                              const struct subset *subset, struct arena *a, struct label_coverage *coverage,
                              struct label_score **out, size_t *n, struct err *err)
{
    struct revision_scores *rs;
    *n = 0;
    pthread_mutex_lock(&s->lock);
    enum err_code rc = model_scores_look(s, db, r, model_scores_labels(subset), &rs, err);
    if (rc == OK) {
        cover(rs, subset, coverage);
        *out = arena_calloc(a, rs->n_models + 1, sizeof **out);
        for (size_t i = 0; i < rs->n_models; i++) {
            (*out)[*n] = (struct label_score){rs->models[i].model, count_model(rs, subset, &rs->models[i])};
            *n += (*out)[*n].counts.n > 0;
        }
    }
    pthread_mutex_unlock(&s->lock);
    if (*n) {
        qsort(*out, *n, sizeof **out, by_model);
    }
    return rc;
}
