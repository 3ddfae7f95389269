/* confusing_pairs.c - pairs of classes that people call by each other's name, and models on their images. */
#include <math.h>
#include <stdlib.h>

#include "measures/objects/object_answers.h"
#include "stats/binomial.h"

struct finding {
    const struct object_answers_ask *ask;
    struct arena *a;         /* of the caller */
    struct object_answers o; /* of images of the pairs alone, once `narrow` was called; in an arena of its own */
    uint32_t *right;         /* by model: of all images */
    struct sv *wnid;         /* by class number */
    struct confusing_pairs *out;
};

static enum err_code read_names(struct finding *f, struct db *db, struct err *err)
{
    struct class_info *list;
    size_t n = 0;
    enum err_code rc = classes_list(db, f->a, &list, &n, err);
    f->wnid = arena_calloc(f->a, CLASS_CIDS, sizeof *f->wnid);
    for (size_t i = 0; i < n && rc == OK; i++) {
        if (list[i].cid >= 0 && list[i].cid < CLASS_CIDS) {
            f->wnid[list[i].cid] = list[i].wnid;
        }
    }
    return rc;
}

/* Counts right answers, and keeps images of the pairs' classes. */
static void narrow(struct finding *f, const struct confused_pair *pairs, size_t n)
{
    struct object_answers *o = &f->o;
    bool *wanted = arena_calloc(f->a, CLASS_CIDS, sizeof *wanted);
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        wanted[pairs[i].a] = wanted[pairs[i].b] = true;
    }
    f->out->images = (uint32_t)o->n;
    for (size_t i = 0; i < o->n; i++) {
        for (size_t m = 0; m < o->n_models; m++) {
            f->right[m] += o->answers[m][i] == o->labels[i];
            o->answers[m][kept] = o->answers[m][i];
        }
        o->labels[kept] = o->labels[i];
        kept += wanted[o->labels[i]];
    }
    o->n = kept;
}

static void add_pair(struct finding *f, const struct confused_pair *p, struct pair_accuracy *all)
{
    struct confusing_pair *out = &f->out->pairs[f->out->n++];
    double sum = 0, sum_pairwise = 0, pairwise = 0;
    *out = (struct confusing_pair){.people = confused_row(p, f->wnid), .a = p->a, .b = p->b};
    for (size_t m = 0; m < f->o.n_models; m++) {
        const struct pair_accuracy k = pair_accuracy(p->a, p->b, f->o.labels, f->o.answers[m], f->o.n);
        f->out->rows[f->out->n_rows++] = pair_accuracy_row(f->wnid[p->a], f->wnid[p->b], f->ask->models[m].name, &k);
        all[m] = (struct pair_accuracy){all[m].images + k.images, all[m].correct + k.correct, all[m].in_pair + k.in_pair};
        if (m == 0 || k.correct > out->best.correct) {
            out->best = k;
            out->best_model = f->ask->models[m].name;
        }
        sum += (double)k.correct / k.images;
        sum_pairwise += k.in_pair ? (double)k.correct / k.in_pair : 0;
        pairwise += k.in_pair > 0;
    }
    out->mean_accuracy = f->o.n_models ? sum / (double)f->o.n_models : (double)NAN;
    out->mean_pairwise = pairwise > 0 ? sum_pairwise / pairwise : (double)NAN;
}

static int most_accurate(const void *a, const void *b)
{
    const struct confusing_model *x = a, *y = b;
    return x->top1 != y->top1 ? (x->top1 < y->top1) - (x->top1 > y->top1) : sv_cmp(x->row.model, y->row.model);
}

static void add_models(struct finding *f, const struct pair_accuracy *all)
{
    for (size_t m = 0; m < f->o.n_models; m++) {
        const struct proportion p = binomial_proportion(f->right[m], f->out->images);
        f->out->models[m] = (struct confusing_model){pair_accuracy_row(SV(""), SV(""), f->ask->models[m].name, &all[m]), p.value, p.lo, p.hi};
    }
    f->out->n_models = f->o.n_models;
    if (f->o.n_models) {
        qsort(f->out->models, f->o.n_models, sizeof *f->out->models, most_accurate);
    }
}

enum err_code confusing_pairs_make(struct model_scores *s, struct db *db, const struct object_answers_ask *ask, struct arena *a,
                                   struct confusing_pairs *out, struct err *err)
{
    struct arena large; /* of all images, for the time of this call */
    struct finding f = {.ask = ask, .a = a, .out = out};
    size_t n = 0;
    *out = (struct confusing_pairs){.n = 0};
    arena_init(&large, OBJECT_ANSWERS_BYTES);
    enum err_code rc = object_answers_make(s, db, ask, &large, &f.o, err);
    rc = rc == OK ? read_names(&f, db, err) : rc;
    if (rc == OK) {
        const struct confused_pair *pairs = pairs_confused(&f.o.counted, CONFUSING_LEAST, CONFUSING_SHARE, &large, &n);
        struct pair_accuracy *all = arena_calloc(a, ask->n_models + 1, sizeof *all);
        f.right = arena_calloc(a, ask->n_models + 1, sizeof *f.right);
        out->pairs = arena_calloc(a, n + 1, sizeof *out->pairs);
        out->models = arena_calloc(a, ask->n_models + 1, sizeof *out->models);
        out->rows = arena_calloc(a, n * ask->n_models + 1, sizeof *out->rows);
        out->counted = (uint32_t)f.o.counted.n;
        out->sealed = f.o.sealed;
        narrow(&f, pairs, n);
        for (size_t i = 0; i < n; i++) {
            add_pair(&f, &pairs[i], all);
        }
        add_models(&f, all);
    }
    arena_release(&large);
    return rc;
}
