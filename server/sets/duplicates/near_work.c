/* near_work.c - pairs of each metric are gathered under their candidates, or under the neighbours of one. */
#include "sets/duplicates/near_work.h"

#include <math.h>
#include <stdlib.h>

#include "base/list.h"
#include "base/map.h"
#include "sets/duplicates/near_pairing.h"
#include "store/duplicates/near_metrics.h"
#include "store/duplicates/near_searches.h"
#include "store/duplicates/near_space.h"
#include "store/duplicates/review_distances.h"

#define OF(member) RECORD_OF(struct near_work_metric, member)
RECORD(near_metric_record, struct near_work_metric, "near_metric", "A metric that finds near-duplicates, and how far its review is.",
       {"metric", OF(name), .about = "Its name."},
       {"state", OF(state), .about = "\"on\": sampling asks for it; or \"off\"."},
       {"kind", OF(kind), .about = "\"l2\", \"feature\" or \"dssim\"."},
       {"size", OF(side), .maybe = true, .about = "Width and height, in pixels, at which images are compared; null: of features."},
       {"window", OF(window), .maybe = true, .about = "Side of dssim's window, in pixels; null: of the other kinds."},
       {"model", OF(model), .maybe = true, .about = "Whose features are compared; null: none, or distances are imported."},
       {"threshold", OF(threshold), .about = "Pairs up to this distance are reviewed."},
       {"searched", OF(searched), .about = "Candidates whose neighbours were searched, here or by an imported study."},
       {"candidates", OF(candidates), .about = "Candidates that the project has."},
       {"pairs", OF(pairs), .about = "Pairs within the threshold that this project's searches found and nobody has judged."},
       {"left", OF(left), .about = "Candidates with a neighbour within the threshold that nobody has judged."},
       {"reviewed_to", OF(reviewed), .maybe = true,
        .about = "Every pair nearer than this is judged; the threshold: all are; null: nothing is searched."});
#undef OF

/* ---- what all of it is about ---- */

static struct near_work_metric metric_of(const struct review_metric *m, const struct near_covered *covered)
{
    return (struct near_work_metric){.name = m->name, .state = m->enabled ? "on" : "off", .kind = near_kinds[m->kind],
                                     .model = m->model, .side = m->side, .window = m->window, .threshold = m->threshold,
                                     .reviewed = covered->any ? m->threshold : (double)NAN,
                                     .on = m->enabled};
}

enum err_code near_work_open(struct db *db, struct arena *a, struct near_work *out, struct err *err)
{
    *out = (struct near_work){0};
    enum err_code rc = near_metrics_get(db, 0, &out->gate, err);
    rc = rc == OK ? near_review_searched(db, &out->gate, 0, a, out->covered, err) : rc;
    for (size_t m = 0; m < out->gate.n && rc == OK; m++) {
        out->any_metric = out->any_metric || out->gate.metric[m].enabled;
        out->metric[m] = metric_of(&out->gate.metric[m], &out->covered[m]);
    }
    return rc == OK ? near_searches_newest(db, &out->searches, err) : rc;
}

enum err_code near_work_open_originals(struct db *db, struct arena *a, struct near_work *out, struct err *err)
{
    enum err_code rc = near_work_open(db, a, out, err);
    for (size_t m = 0; m < out->gate.n && rc == OK; m++) {
        struct near_search *searches;
        size_t n = 0;
        out->covered[m] = (struct near_covered){0};
        rc = near_space_originals(db, &out->gate.metric[m], a, &out->covered[m].space, err);
        rc = rc == OK && out->covered[m].space.n
                 ? near_searches_whole(db, out->covered[m].space, 0, a, &searches, &n, err)
                 : rc;
        out->covered[m].any = n > 0;
    }
    return rc;
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
    struct map_u64 left;      /* candidates that are counted under the metric */
};

static enum err_code gather(void *arg, const struct near_open_pair *p, struct err *err)
{
    struct gathering *g = arg;
    struct near_work_metric *metric = &g->w->metric[g->m];
    double share = p->distance / g->w->gate.metric[g->m].threshold;
    (void)err;
    metric->pairs++;
    metric->reviewed = fmin(metric->reviewed, p->distance);
    map_u64_put(&g->left, (uint64_t)p->query, 1);
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

/* What an import says of a candidate that the project's own searches do not cover. */
static enum err_code gather_imported(void *arg, int64_t image, bool banned, const struct review_distance_row *r,
                                     struct err *err)
{
    struct gathering *g = arg;
    const struct review_metric *is = &g->w->gate.metric[g->m];
    struct near_work_metric *metric = &g->w->metric[g->m];
    bool counted = is->declared && image <= is->searched_until;
    (void)err;
    if (ranges_has(&g->w->covered[g->m].queries, (uint32_t)image)) {
        return OK;
    }
    metric->searched += (int64_t)r->searched - (int64_t)counted;
    if (r->searched && !banned) {
        metric->reviewed = fmin(metric->reviewed, fmin(r->distance, is->threshold)); /* of NAN the other */
        metric->left += !review_passes(r->distance, is->threshold);
    }
    return OK;
}

/* Candidates that an import has declared to be searched, listed or not. */
static enum err_code gather_declared(struct db *db, const struct gathering *g, struct err *err)
{
    const struct review_metric *is = &g->w->gate.metric[g->m];
    struct near_work_metric *metric = &g->w->metric[g->m];
    int64_t n = 0;
    enum err_code rc = is->declared ? near_metrics_candidates(db, is->searched_until, &n, err) : OK;
    n -= is->declared ? ranges_below(&g->w->covered[g->m].queries, (uint32_t)is->searched_until + 1) : 0;
    metric->searched += n > 0 ? n : 0;
    metric->reviewed = n > 0 ? fmin(metric->reviewed, is->threshold) : metric->reviewed;
    return rc;
}

static enum err_code gather_metric(struct db *db, struct gathering *g, struct err *err)
{
    struct near_work *w = g->w;
    struct near_work_metric *metric = &w->metric[g->m];
    const struct near_open_ask ask = {.metric = &w->gate.metric[g->m], .space = w->covered[g->m].space, .in_play = true};
    map_u64_init(&g->left);
    metric->searched = w->covered[g->m].queries.numbers;
    enum err_code rc = near_metrics_candidates(db, INT64_MAX, &metric->candidates, err);
    rc = rc == OK && is_asked(w, g->m) ? near_open_each(db, &ask, gather, g, err) : rc;
    metric->left = (int64_t)g->left.n;
    rc = rc == OK ? gather_declared(db, g, err) : rc;
    rc = rc == OK ? review_distances_of_candidates(db, metric->name, gather_imported, g, err) : rc;
    map_u64_release(&g->left);
    return rc;
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
    rc = rc == OK ? near_review_covered(db, &out->gate, 0, NULL, 0, a, out->covered, err) : rc;
    for (g.m = 0; g.m < out->gate.n && rc == OK; g.m++) {
        rc = gather_metric(db, &g, err);
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
    struct near_pairing found;
    size_t m;
    bool open; /* these are open; else all are gathered */
};

static enum err_code take_pair(void *arg, const struct near_open_pair *is, struct err *err)
{
    struct pairing *p = arg;
    struct near_work_pair *pair = near_pairing_add(&p->found, p->m, is->reference, is->distance);
    (void)err;
    pair->open = pair->open || p->open;
    return OK;
}

enum err_code near_work_pairs(struct db *db, const struct near_work *w, int64_t image, struct arena *a,
                              struct near_work_pair **out, size_t *n, struct err *err)
{
    struct pairing p = {.found = {.gate = &w->gate, .arena = a}};
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
    near_pairing_end(&p.found, out, n);
    return rc;
}
