/* image_answers.c - a counter for each class over the first answers about an image. */
#include "measures/images/image_answers.h"

#include <math.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "measures/images/answers_pass.h"

struct image_list {
    struct image_answer *list;
    size_t n, cap;
};

static void add_image(struct answers_pass *p, const struct image_said *w, void *arg)
{
    struct image_list *l = arg;
    struct image_answer out = {.image = p->r->image[w->position], .class_id = p->r->class_id[w->position], .right = w->right,
                               .disagreement = (double)NAN, .most_said = PREDICTION_NONE};
    double sum = 0;
    for (size_t m = 0; m < p->n_models; m++) {
        out.predicted += w->said[m] != PREDICTION_NONE;
        out.named += w->said[m] != PREDICTION_NONE && p->count[w->said[m]] == 0;
        p->count[w->said[m]]++;
    }
    for (size_t m = 0; m < p->n_models; m++) {
        uint16_t cid = w->said[m];
        uint32_t c = cid == PREDICTION_NONE ? 0 : p->count[cid];
        if (c > out.said_by || (c && c == out.said_by && cid < out.most_said)) {
            out.said_by = c;
            out.most_said = cid;
        }
        sum += p->times_log[c];
        p->count[cid] = 0;
    }
    if (out.predicted) {
        out.disagreement = fmax(0, log2(out.predicted) - sum / out.predicted);
    }
    xgrow(&l->list, &l->cap, l->n + 1, sizeof *l->list);
    l->list[l->n++] = out;
}

enum err_code image_answers_make(struct model_scores *s, struct db *db, const struct image_answers_ask *ask,
                                 struct arena *a, struct image_answers *out, struct err *err)
{
    struct image_list found = {.n = 0};
    *out = (struct image_answers){.n = 0};
    enum err_code rc = answers_pass(s, db, ask, add_image, &found, &out->sealed, err);
    if (rc == OK) {
        out->list = arena_calloc(a, found.n + 1, sizeof *out->list);
        for (size_t i = 0; i < found.n; i++) {
            out->list[i] = found.list[i];
        }
        out->n = found.n;
    }
    free(found.list);
    return rc;
}
