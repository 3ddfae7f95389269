/* near_work.c - pairs of each metric are gathered under their candidates, or under the neighbours of one. */
#include "sets/duplicates/near_work.h"

#include <stdlib.h>

#include "base/list.h"
#include "base/map.h"
#include "store/duplicates/near_metrics.h"
#include "store/duplicates/near_searches.h"

/* ---- what all of it is about ---- */

enum err_code near_work_open(struct db *db, struct arena *a, struct near_work *out, struct err *err)
{
    *out = (struct near_work){0};
    enum err_code rc = near_metrics_get(db, 0, &out->gate, err);
    rc = rc == OK ? near_review_covered(db, &out->gate, 0, NULL, 0, a, out->covered, err) : rc;
    for (size_t m = 0; m < out->gate.n && rc == OK; m++) {
        out->any_metric = out->any_metric || out->gate.metric[m].enabled;
        out->metric[m].searched = out->covered[m].queries.numbers;
        out->metric[m].nearest = out->gate.metric[m].threshold;
    }
    return rc == OK ? near_searches_newest(db, &out->searches, err) : rc;
}

static bool is_asked(const struct near_work *w, size_t m)
{
    return w->gate.metric[m].enabled && w->covered[m].any;
}

/* ---- the list ---- */

struct gathering {
    struct near_work *w;
    struct arena *arena;
    size_t m;
    struct list items;
    struct map_u64 at, pairs; /* to items; pairs that are counted */
};

static enum err_code gather(void *arg, const struct near_open_pair *p, struct err *err)
{
    struct gathering *g = arg;
    struct near_work_metric *metric = &g->w->metric[g->m];
    double share = p->distance / g->w->gate.metric[g->m].threshold;
    (void)err;
    metric->pairs++;
    metric->nearest = p->distance < metric->nearest ? p->distance : metric->nearest;
    uint32_t at = map_u64_put(&g->at, (uint64_t)p->query, (uint32_t)g->items.n);
    if (at == g->items.n) {
        *LIST_ADD(&g->items, g->arena, struct near_work_item) = (struct near_work_item){p->query, 0, share};
    }
    struct near_work_item *item = (struct near_work_item *)g->items.items + at;
    uint32_t known = (uint32_t)g->pairs.n;
    item->neighbors += map_u64_put(&g->pairs, (uint64_t)p->query << 32 | (uint64_t)p->reference, known) == known;
    item->nearest = share < item->nearest ? share : item->nearest;
    return OK;
}

static int by_nearest(const void *a, const void *b)
{
    const struct near_work_item *x = a, *y = b;
    return x->nearest < y->nearest   ? -1
           : x->nearest > y->nearest ? 1
                                     : (x->image > y->image) - (x->image < y->image);
}

enum err_code near_work_list(struct db *db, struct arena *a, struct near_work *out, struct err *err)
{
    struct gathering g = {.w = out, .arena = a};
    map_u64_init(&g.at);
    map_u64_init(&g.pairs);
    enum err_code rc = near_work_open(db, a, out, err);
    rc = rc == OK ? near_metrics_candidates(db, &out->candidates, err) : rc;
    for (g.m = 0; g.m < out->gate.n && rc == OK; g.m++) {
        const struct near_open_ask ask = {.metric = &out->gate.metric[g.m], .space = out->covered[g.m].space, .in_play = true};
        rc = is_asked(out, g.m) ? near_open_each(db, &ask, gather, &g, err) : OK;
    }
    out->items = g.items.items;
    out->n = g.items.n;
    if (out->n) {
        qsort(out->items, out->n, sizeof *out->items, by_nearest);
    }
    map_u64_release(&g.at);
    map_u64_release(&g.pairs);
    return rc;
}

/* ---- one candidate ---- */

struct pairing {
    const struct near_work *w;
    struct arena *arena;
    size_t m;
    bool open; /* these are open; else all are gathered */
    struct list pairs;
};

static struct near_work_pair *pair_of(struct pairing *p, int64_t reference)
{
    struct near_work_pair *list = p->pairs.items;
    for (size_t i = 0; i < p->pairs.n; i++) {
        if (list[i].reference == reference) {
            return &list[i];
        }
    }
    struct near_work_pair *added = LIST_ADD(&p->pairs, p->arena, struct near_work_pair);
    *added = (struct near_work_pair){.reference = reference, .nearest = 1};
    return added;
}

static enum err_code take_pair(void *arg, const struct near_open_pair *is, struct err *err)
{
    struct pairing *p = arg;
    struct near_work_pair *pair = pair_of(p, is->reference);
    double share = is->distance / p->w->gate.metric[p->m].threshold;
    (void)err;
    pair->open = pair->open || p->open;
    pair->within[p->m] = true;
    pair->distance[p->m] = is->distance;
    pair->nearest = share < pair->nearest ? share : pair->nearest;
    return OK;
}

static int by_reference(const void *a, const void *b)
{
    const struct near_work_pair *x = a, *y = b;
    return (x->reference > y->reference) - (x->reference < y->reference);
}

enum err_code near_work_pairs(struct db *db, const struct near_work *w, int64_t image, struct arena *a,
                              struct near_work_pair **out, size_t *n, struct err *err)
{
    struct pairing p = {.w = w, .arena = a};
    enum err_code rc = OK;
    for (p.m = 0; p.m < w->gate.n && rc == OK; p.m++) {
        struct near_open_ask ask = {.metric = &w->gate.metric[p.m], .space = w->covered[p.m].space, .image = image, .judged = true};
        if (is_asked(w, p.m)) {
            p.open = false;
            rc = near_open_each(db, &ask, take_pair, &p, err);
            p.open = true;
            ask.judged = false;
            rc = rc == OK ? near_open_each(db, &ask, take_pair, &p, err) : rc;
        }
    }
    *out = p.pairs.items;
    *n = p.pairs.n;
    if (*n) {
        qsort(*out, *n, sizeof **out, by_reference);
    }
    return rc;
}
