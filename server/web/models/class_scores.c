/* class_scores.c - accuracy class by class. */
#include "web/models/class_scores.h"

#include <stdlib.h>

#include "base/map.h"
#include "base/sorted.h"

static int by_wnid(const void *pa, const void *pb)
{
    const struct class_score_line *a = pa, *b = pb;
    return sv_cmp(a->info->wnid, b->info->wnid);
}

static int by_name(const void *pa, const void *pb)
{
    const struct class_score_line *a = pa, *b = pb;
    int order = sv_cmp(a->info->synset, b->info->synset);
    return order ? order : by_wnid(a, b);
}

static int by_size(const void *pa, const void *pb)
{
    const struct class_score_line *a = pa, *b = pb;
    int order = (a->score.predicted < b->score.predicted) - (a->score.predicted > b->score.predicted);
    return order ? order : by_wnid(a, b);
}

/* Lines that the key leaves equal, or all, are in the order of `before`. */
static void sort_lines(struct ctx *c, struct class_scores *s, enum class_score_sort sort, bool falling)
{
    static int (*const before[])(const void *, const void *) = {
        [CLASS_SCORE_ACCURACY] = by_size, [CLASS_SCORE_WRONG] = by_size, [CLASS_SCORE_NAME] = by_name,
        [CLASS_SCORE_WNID] = by_wnid};
    struct class_score_line *lines = arena_calloc(c->arena, s->n + 1, sizeof *lines);
    struct sorted_key *keys = arena_calloc(c->arena, s->n + 1, sizeof *keys);
    if (s->n) {
        qsort(s->lines, s->n, sizeof *s->lines, before[sort]);
    }
    for (size_t i = 0; i < s->n; i++) {
        const struct class_score_line *l = &s->lines[i];
        keys[i] = (struct sorted_key){sort == CLASS_SCORE_ACCURACY ? l->share
                                      : sort == CLASS_SCORE_WRONG ? (double)(l->score.predicted - l->score.top1)
                                                                  : (double)i,
                                      i};
    }
    sorted_keys(keys, s->n, falling);
    for (size_t i = 0; i < s->n; i++) {
        lines[i] = s->lines[keys[i].at];
    }
    s->lines = lines;
}

enum err_code class_scores_make(struct ctx *c, const struct revision_row *r, int64_t model, int top,
                                enum class_score_sort sort, bool falling, struct class_scores *out)
{
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
    sort_lines(c, out, sort, falling);
    return OK;
}
