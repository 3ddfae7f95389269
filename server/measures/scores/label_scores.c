/* label_scores.c - counts over the bits that a fold by a source's labels keeps of every first answer. */
#include "measures/scores/label_scores.h"

#include <stdlib.h>

#include "measures/scores/model_scores_private.h"

struct over {               /* a source's labels laid over a fold */
    const struct revision_scores *r;
    const struct fold_labels *l;
    const struct subset *subset;
};

static bool means(const struct over *o, uint32_t at)
{
    return !o->r->sealed[at] && subset_has(o->subset, o->r->image[at], o->r->class_id[at]);
}

static void cover(const struct over *o, struct label_coverage *c)
{
    const struct fold_labels *l = o->l;
    *c = (struct label_coverage){.images = 0};
    for (uint32_t i = 0; i < o->r->n; i++) {
        bool meant = means(o, i), counted = meant && l->counts[i];
        c->images += meant;
        c->there += meant && l->there[i];
        c->counted += counted;
        c->part[l->several[i] ? PART_MULTI : PART_SINGLE] += counted;
        c->part[PART_DISAGREE] += counted && l->disagrees[i];
    }
    c->part[PART_ALL] = c->counted;
}

static struct multilabel count_model(const struct over *o, const struct model_ranks *m)
{
    const struct fold_labels *l = o->l;
    struct multilabel_count c;
    multilabel_begin(&c);
    for (uint32_t i = 0; i < o->r->n; i++) {
        if (m->rank[i] != NO_RECORD && l->counts[i] && means(o, i)) {
            unsigned char said = fold_labels_said(o->r, l, i, score_fold_first(m, i));
            multilabel_add(&c, said, o->r->class_id[i], l->several[i], l->disagrees[i]);
        }
    }
    return multilabel_end(&c);
}

static int by_model(const void *a, const void *b)
{
    int64_t x = ((const struct label_score *)a)->model, y = ((const struct label_score *)b)->model;
    return (x > y) - (x < y);
}

static void count_all(const struct over *o, struct arena *a, struct label_coverage *coverage, struct label_score **out, size_t *n)
{
    cover(o, coverage);
    *out = arena_calloc(a, o->r->n_models + 1, sizeof **out);
    for (size_t i = 0; i < o->r->n_models; i++) {
        (*out)[*n] = (struct label_score){o->r->models[i].model, count_model(o, &o->r->models[i])};
        *n += (*out)[*n].counts.n > 0;
    }
}

/* Verdicts of a label review change with every save: they are laid over the fold by the set's own labels. */
enum err_code label_scores_of(struct model_scores *s, struct db *db, const struct revision_row *r,
                              const struct subset *subset, struct arena *a, struct label_coverage *coverage,
                              struct label_score **out, size_t *n, struct err *err)
{
    struct revision_scores *rs;
    struct fold_labels *own = NULL;
    bool review = subset->labels.version.list < 0;
    *n = 0;
    pthread_mutex_lock(&s->lock);
    enum err_code rc = model_scores_look(s, db, r, review ? NULL : model_scores_labels(subset), &rs, err);
    rc = rc == OK && review ? fold_labels_read(rs, db, &subset->labels, &own, err) : rc;
    if (rc == OK) {
        const struct over o = {rs, own ? own : rs->labels, subset};
        count_all(&o, a, coverage, out, n);
    }
    fold_labels_free(own);
    pthread_mutex_unlock(&s->lock);
    if (*n) {
        qsort(*out, *n, sizeof **out, by_model);
    }
    return rc;
}
