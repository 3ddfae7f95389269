/* near_originals.c - counts over the originals' own searches. */
#include "sets/duplicates/near_originals.h"

#include "base/map.h"
#include "store/duplicates/near_pairs.h"
#include "store/duplicates/near_searches.h"

#define OF(member) RECORD_OF(struct near_originals, member)
RECORD(near_originals_record, struct near_originals, "near_originals", "How many originals look like a training image.",
       {"originals", OF(originals), .about = "Originals with pixels."},
       {"searched", OF(searched), .about = "Originals that every metric that is on has compared with the training images."},
       {"left", OF(left), .about = "Originals with a neighbour within a threshold that nobody has judged."},
       {"duplicates", OF(duplicates), .about = "Originals that are near-duplicates of a training image."},
       {"share", OF(share.value), .maybe = true, .about = "Their share of those searched, from 0 to 1; null: none is searched."},
       {"share_lo", OF(share.lo), .maybe = true, .about = "Lower end of its 95 % interval by Clopper and Pearson."},
       {"share_hi", OF(share.hi), .maybe = true, .about = "Upper end of it."});
#undef OF

struct counting {
    struct map_u64 left;
    double nearest; /* as a share of the threshold, of `next` */
    double threshold;
    int64_t next;
};

static enum err_code count_open(void *arg, const struct near_open_pair *p, struct err *err)
{
    struct counting *c = arg;
    double share = p->distance / c->threshold;
    (void)err;
    map_u64_put(&c->left, (uint64_t)p->query, 1);
    if (c->next == 0 || share < c->nearest) {
        c->next = p->query;
        c->nearest = share;
    }
    return OK;
}

/* Originals in any whole search of the space. */
static enum err_code count_searched(struct db *db, struct sv space, struct arena *a, int64_t *out, struct err *err)
{
    struct near_search *searches;
    struct map_u64 seen;
    size_t n = 0;
    enum err_code rc = near_searches_whole(db, space, 0, a, &searches, &n, err);
    map_u64_init(&seen);
    for (size_t i = 0; i < n && rc == OK; i++) {
        for (uint32_t k = 0; k < searches[i].queries.numbers; k++) {
            map_u64_put(&seen, ranges_at(&searches[i].queries, k), 1);
        }
    }
    *out = (int64_t)seen.n;
    map_u64_release(&seen);
    return rc;
}

static enum err_code count_metric(struct db *db, const struct near_work *w, size_t m, struct arena *a, struct counting *c,
                                  int64_t *searched, struct err *err)
{
    const struct near_open_ask ask = {.metric = &w->gate.metric[m], .space = w->covered[m].space, .in_play = true};
    c->threshold = w->gate.metric[m].threshold;
    enum err_code rc = near_open_each(db, &ask, count_open, c, err);
    return rc == OK ? count_searched(db, w->covered[m].space, a, searched, err) : rc;
}

enum err_code near_originals_get(struct db *db, struct arena *a, struct near_originals *out, struct err *err)
{
    struct near_work w;
    struct counting c = {0};
    bool any = false;
    *out = (struct near_originals){0};
    map_u64_init(&c.left);
    enum err_code rc = near_work_open_originals(db, a, &w, err);
    for (size_t m = 0; m < w.gate.n && rc == OK; m++) {
        int64_t searched = 0;
        if (w.gate.metric[m].enabled) {
            rc = w.covered[m].any ? count_metric(db, &w, m, a, &c, &searched, err) : OK;
            out->searched = any && out->searched < searched ? out->searched : searched;
            any = true;
        }
    }
    rc = rc == OK ? near_pairs_count_trained(db, &out->originals, &out->duplicates, err) : rc;
    out->left = (int64_t)c.left.n;
    out->next = c.next;
    out->share = binomial_proportion(out->duplicates, rc == OK ? out->searched : 0);
    map_u64_release(&c.left);
    return rc;
}
