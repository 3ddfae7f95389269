/* answers_pass.c - chooses the images, gathers the answers of all models about some at a time. */
#include "measures/images/answers_pass.h"

#include <math.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "store/classes/classes.h"

enum { BLOCK = 256 /* images whose answers are gathered at once */ };

/* Which class numbers are those of a subset's classes, on the heap; NULL: of any. */
static enum err_code read_cids(struct db *db, const struct subset *subset, bool **out, struct err *err)
{
    struct arena a;
    struct class_info *list;
    size_t n = 0;
    if (!subset) {
        return OK;
    }
    arena_init(&a, (size_t)1 << 28);
    enum err_code rc = classes_list(db, &a, &list, &n, err);
    *out = xcalloc(ANSWER_CIDS, sizeof **out);
    for (size_t i = 0; i < n && rc == OK; i++) {
        if (list[i].cid >= 0 && list[i].cid < PREDICTION_NONE) {
            (*out)[list[i].cid] = subset_has(subset, 0, list[i].id);
        }
    }
    arena_release(&a);
    return rc;
}

/* ---- labels ---- */

void image_labels_read(const struct revision_scores *r, uint32_t at, struct image_labels_right *out)
{
    const struct fold_labels *l = r->labels;
    const unsigned char bits = label_rule_bits(l->rule);
    out->n = 0;
    for (uint32_t k = l->first[at]; k < l->first[at + 1] && out->n < LABELS_OF_IMAGE; k++) {
        uint32_t i = 0;
        while (i < out->n && out->cid[i] != l->cid[k]) {
            i++;
        }
        if (l->said[k] & bits) {
            bool own = l->own[k] || l->cid[k] == r->cid[at];
            out->own[i] = own || (i < out->n && out->own[i]);
            out->cid[i] = l->cid[k];
            out->n += i == out->n;
        }
    }
    out->several = l->kind == LABEL_KIND_OBJECTS ? l->several[at] : out->n > 1;
}

/* Whether the source says that the image shows one of the classes, besides what has the set's label. */
static bool shows(const struct answers_pass *p, uint32_t at)
{
    struct image_labels_right found;
    bool any = !p->has;
    if (!any && p->r->labels) {
        image_labels_read(p->r, at, &found);
        for (uint32_t i = 0; i < found.n && found.several && !any; i++) {
            any = p->has[found.cid[i]] && !found.own[i];
        }
    }
    return any;
}

/* ---- the pass ---- */

static void begin(struct answers_pass *p)
{
    const struct revision_scores *r = p->r;
    p->models = xcalloc(p->ask->n_models + 1, sizeof *p->models);
    p->times_log = xcalloc(p->ask->n_models + 1, sizeof *p->times_log);
    p->count = xcalloc(ANSWER_CIDS, sizeof *p->count);
    p->at = xcalloc((size_t)r->n + 1, sizeof *p->at);
    for (size_t m = 0; m < p->ask->n_models; m++) {
        const struct model_ranks *ranks = model_scores_find(r, p->ask->models[m]);
        p->times_log[m + 1] = (double)(m + 1) * log2((double)(m + 1));
        if (ranks) {
            p->models[p->n_models++] = ranks;
        }
    }
    for (uint32_t i = 0; i < r->n; i++) {
        if (p->ask->every ? subset_has(p->ask->subset, r->image[i], r->class_id[i]) : score_fold_means(r, p->ask->subset, i)) {
            p->sealed += r->sealed[i];
            p->at[p->n] = i;
            p->n += !r->sealed[i] && shows(p, i);
        }
    }
}

static void end(struct answers_pass *p)
{
    free(p->models);
    free(p->times_log);
    free(p->count);
    free(p->at);
    free(p->said);
    free(p->has);
}

static bool wanted(const struct answers_pass *p, const struct image_said *w)
{
    bool any = !p->said;
    for (size_t m = 0; m < p->n_models && !any; m++) {
        any = p->said[w->said[m]] && !(p->ask->wrong && w->is_right[m]);
    }
    return any;
}

/* Model by model within a block of images, for each model's answers lie together. */
static void walk(struct answers_pass *p, each_image_said each, void *arg)
{
    size_t cells = (p->n_models + 1) * BLOCK;
    uint16_t *said = xcalloc(cells, sizeof *said);
    unsigned char *is_right = xcalloc(cells, 1);
    uint32_t right[BLOCK];
    unsigned char deepest = p->ask->top == 1 ? 1 : PREDICTION_K;
    for (uint32_t from = 0; from < p->n; from += BLOCK) {
        uint32_t n = p->n - from < BLOCK ? p->n - from : BLOCK;
        for (uint32_t i = 0; i < n; i++) {
            right[i] = 0;
        }
        for (size_t m = 0; m < p->n_models; m++) {
            const struct model_ranks *ranks = p->models[m];
            for (uint32_t i = 0; i < n; i++) {
                uint32_t at = p->at[from + i];
                said[i * p->n_models + m] = score_fold_first(ranks, at);
                is_right[i * p->n_models + m] = ranks->rank[at] == 1;
                right[i] += ranks->rank[at] >= 1 && ranks->rank[at] <= deepest;
            }
        }
        for (uint32_t i = 0; i < n; i++) {
            const struct image_said w = {said + i * p->n_models, is_right + i * p->n_models, p->at[from + i], right[i]};
            if (wanted(p, &w)) {
                each(p, &w, arg);
            }
        }
    }
    free(said);
    free(is_right);
}

enum err_code answers_pass(struct model_scores *s, struct db *db, const struct image_answers_ask *ask, each_image_said each,
                           void *arg, uint32_t *sealed, struct err *err)
{
    struct revision_scores *r;
    struct answers_pass p = {.ask = ask};
    pthread_mutex_lock(&s->lock);
    enum err_code rc = model_scores_look(s, db, ask->revision, model_scores_labels(ask->subset), &r, err);
    rc = rc == OK ? read_cids(db, ask->said, &p.said, err) : rc;
    rc = rc == OK ? read_cids(db, ask->has, &p.has, err) : rc;
    if (rc == OK) {
        p.r = r;
        begin(&p);
        walk(&p, each, arg);
    }
    pthread_mutex_unlock(&s->lock);
    *sealed = p.sealed;
    end(&p);
    return rc;
}
