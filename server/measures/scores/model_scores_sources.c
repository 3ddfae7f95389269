/* model_scores_sources.c - which sources a model has on a revision, the answers of those that count, and
 * where others differ from them. */
#include "measures/scores/model_scores_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

/* ---- sources ---- */

enum err_code model_scores_sources(struct model_scores *s, struct db *db,
                                   const struct revision_row *r, int64_t model, struct arena *a,
                                   struct source_score **out, size_t *n, struct err *err)
{
    struct revision_scores *rs;
    *n = 0;
    pthread_mutex_lock(&s->lock);
    enum err_code rc = model_scores_look(s, db, r, NULL, &rs, err);
    const struct model_ranks *m = rc == OK ? model_scores_find(rs, model) : NULL;
    *out = arena_calloc(a, (m ? m->n_sources : 0) + 1, sizeof **out);
    for (size_t i = 0; m && i < m->n_sources; i++) {
        const struct score_source *u = &m->sources[i];
        bool all = model_scores_with_sealed(rs, u->rank);
        struct source_score *to = &(*out)[*n];
        *to = (struct source_score){.source = u->id,
                                    .made_by = arena_sv(a, u->name),
                                    .counted = u->held,
                                    .k = u->k,
                                    .decided = m->decided == u->id,
                                    .gave_way = m->gave_way == u->id};
        for (uint32_t at = 0; at < rs->n; at++) {
            unsigned char rank = all || !rs->sealed[at] ? u->rank[at] : NO_RECORD;
            to->predicted += rank != NO_RECORD;
            to->top1 += rank == 1;
            to->topk += rank >= 1 && rank <= PREDICTION_K;
        }
        *n += to->predicted > 0;
    }
    pthread_mutex_unlock(&s->lock);
    return rc;
}

/* ---- answers ---- */

struct answers {
    const struct revision_scores *r;
    const struct model_ranks *m;
    struct positions at;
    struct model_answer *list; /* by position */
};

static void keep_answer(void *arg, const struct prediction_source *s, const struct prediction *p)
{
    struct answers *w = arg;
    uint32_t at = score_position(&w->at, p->image);
    if (at != NO_POSITION && w->m->rank[at] != NO_RECORD &&
        w->m->sources[w->m->holder[at]].id == s->id) {
        w->list[at] = (struct model_answer){.source = s->id, .p = *p, .k = s->k,
                                            .scored = s->scored};
    }
}

enum err_code model_scores_read(const struct revision_scores *r, struct db *db, int64_t model,
                                  struct model_answer *list, struct err *err)
{
    int64_t last;
    struct answers w = {.r = r, .m = model_scores_find(r, model), .list = list};
    if (!w.m) {
        return OK;
    }
    w.at = score_positions(r);
    enum err_code rc = predictions_each(db, model, 0, 0, &last, keep_answer, &w, err);
    free(w.at.of);
    return rc;
}

enum err_code model_scores_answers(struct model_scores *s, struct db *db,
                                   const struct revision_row *r, int64_t model, struct arena *a,
                                   struct model_answer **out, size_t *n, struct err *err)
{
    struct revision_scores *rs;
    *n = 0;
    pthread_mutex_lock(&s->lock);
    enum err_code rc = model_scores_look(s, db, r, NULL, &rs, err);
    if (rc == OK) {
        *n = rs->n;
        *out = arena_calloc(a, *n + 1, sizeof **out);
        rc = model_scores_read(rs, db, model, *out, err);
    }
    for (size_t i = 0; i < *n; i++) {
        if (rs->sealed[i]) {
            (*out)[i] = (struct model_answer){.source = 0};
        }
    }
    pthread_mutex_unlock(&s->lock);
    return rc;
}

enum err_code model_scores_holders(struct model_scores *s, struct db *db,
                                   const struct revision_row *r, int64_t model, struct arena *a,
                                   int64_t **out, size_t *n, struct err *err)
{
    struct revision_scores *rs;
    *n = 0;
    pthread_mutex_lock(&s->lock);
    enum err_code rc = model_scores_look(s, db, r, NULL, &rs, err);
    const struct model_ranks *m = rc == OK ? model_scores_find(rs, model) : NULL;
    if (rc == OK) {
        *n = rs->n;
        *out = arena_calloc(a, *n + 1, sizeof **out);
    }
    for (size_t at = 0; m && at < *n; at++) {
        (*out)[at] = m->rank[at] == NO_RECORD ? 0 : m->sources[m->holder[at]].id;
    }
    pthread_mutex_unlock(&s->lock);
    return rc;
}

/* ---- disagreement ---- */

struct comparison {
    struct answers w; /* w.list: what counts */
    int64_t source;   /* 0: every other */
    struct source_difference *list;
    size_t n, cap;
};

static bool same_labels(const struct prediction *x, int kx, const struct prediction *y, int ky)
{
    int k = kx < ky ? kx : ky;
    return memcmp(x->labels, y->labels, (size_t)k * sizeof *x->labels) == 0;
}

static void note_difference(void *arg, const struct prediction_source *s,
                            const struct prediction *p)
{
    struct comparison *c = arg;
    uint32_t at = score_position(&c->w.at, p->image);
    if (at == NO_POSITION || c->w.r->sealed[at] || c->w.list[at].source == 0 || c->w.list[at].source == s->id ||
        (c->source && c->source != s->id) ||
        same_labels(&c->w.list[at].p, c->w.list[at].k, p, s->k)) {
        return;
    }
    xgrow(&c->list, &c->cap, c->n + 1, sizeof *c->list);
    c->list[c->n++] = (struct source_difference){.position = at, .image = p->image,
                                                 .counts = c->w.list[at], .source = s->id,
                                                 .other = *p, .k = s->k};
}

static int by_position(const void *pa, const void *pb)
{
    const struct source_difference *a = pa, *b = pb;
    return a->position != b->position ? (a->position > b->position) - (a->position < b->position)
                                      : (a->source > b->source) - (a->source < b->source);
}

static enum err_code compare(const struct revision_scores *r, struct db *db, int64_t model,
                             struct comparison *c, struct err *err)
{
    int64_t last;
    c->w.r = r;
    c->w.list = xcalloc((size_t)r->n + 1, sizeof *c->w.list);
    enum err_code rc = model_scores_read(r, db, model, c->w.list, err);
    if (rc == OK) {
        c->w.at = score_positions(r);
        rc = predictions_each(db, model, 0, 0, &last, note_difference, c, err);
        free(c->w.at.of);
    }
    free(c->w.list);
    return rc;
}

enum err_code model_scores_differences(struct model_scores *s, struct db *db,
                                       const struct revision_row *r, int64_t model, int64_t source,
                                       struct arena *a, struct source_difference **out, size_t *n,
                                       struct err *err)
{
    struct revision_scores *rs;
    struct comparison c = {.source = source};
    *n = 0;
    pthread_mutex_lock(&s->lock);
    enum err_code rc = model_scores_look(s, db, r, NULL, &rs, err);
    rc = rc == OK ? compare(rs, db, model, &c, err) : rc;
    pthread_mutex_unlock(&s->lock);
    if (rc == OK) {
        *out = arena_calloc(a, c.n + 1, sizeof **out);
        if (c.n) {
            qsort(c.list, c.n, sizeof *c.list, by_position);
            memcpy(*out, c.list, c.n * sizeof **out);
        }
        *n = c.n;
    }
    free(c.list);
    return rc;
}
