/* class_scores.c - accuracy class by class. */
#include "web/models/class_scores.h"

#include <stdlib.h>

#include "base/map.h"

const char *const class_score_words[CLASS_SCORE_SORTS] = {"worst", "best", "name", "number"};
const char *const class_score_labels[CLASS_SCORE_SORTS] = {"Worst first", "Best first", "Name", "Number"};

static int by_cid(const void *pa, const void *pb)
{
    const struct class_score_line *a = pa, *b = pb;
    return (a->info->cid > b->info->cid) - (a->info->cid < b->info->cid);
}

/* Of equal accuracies the one of more images says more. */
static int by_worst(const void *pa, const void *pb)
{
    const struct class_score_line *a = pa, *b = pb;
    if (a->share != b->share) {
        return a->share < b->share ? -1 : 1;
    }
    if (a->score.predicted != b->score.predicted) {
        return a->score.predicted > b->score.predicted ? -1 : 1;
    }
    return by_cid(a, b);
}

static int by_best(const void *pa, const void *pb)
{
    const struct class_score_line *a = pa, *b = pb;
    if (a->share != b->share) {
        return a->share > b->share ? -1 : 1;
    }
    return by_worst(a, b);
}

static int by_name(const void *pa, const void *pb)
{
    const struct class_score_line *a = pa, *b = pb;
    int order = sv_cmp(a->info->synset, b->info->synset);
    return order ? order : by_cid(a, b);
}

enum err_code class_scores_make(struct ctx *c, const struct revision_row *r, int64_t model, int top,
                                enum class_score_sort sort, struct class_scores *out)
{
    static int (*const orders[CLASS_SCORE_SORTS])(const void *, const void *) = {by_worst, by_best,
                                                                                 by_name, by_cid};
    struct class_info *classes;
    struct class_score *scores;
    size_t n_classes, n;
    struct map_u64 at;
    if (classes_list(c->db, c->arena, &classes, &n_classes, &c->err) != OK ||
        model_scores_classes(app_model_scores(c->app), c->db, r, model, c->arena, &scores, &n,
                             &c->err) != OK) {
        return c->err.code;
    }
    map_u64_init(&at);
    for (size_t i = 0; i < n_classes; i++) {
        map_u64_put(&at, (uint64_t)classes[i].id, (uint32_t)i);
    }
    *out = (struct class_scores){arena_calloc(c->arena, n + 1, sizeof *out->lines), 0};
    for (size_t i = 0; i < n; i++) {
        const struct class_score *s = &scores[i];
        uint32_t k = top == 1 ? s->top1 : s->topk, info = map_u64_get(&at, s->class_id);
        if (s->predicted && info != MAP_NONE) {
            out->lines[out->n++] = (struct class_score_line){
                .info = &classes[info], .score = *s, .share = (double)k / (double)s->predicted,
                .ci = binomial_clopper_pearson(k, s->predicted, 0.05)};
        }
    }
    map_u64_release(&at);
    if (out->n) {
        qsort(out->lines, out->n, sizeof *out->lines, orders[sort]);
    }
    return OK;
}
