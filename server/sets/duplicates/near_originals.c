/* near_originals.c - counts over the originals' own searches. */
#include "sets/duplicates/near_originals.h"

#include "base/map.h"
#include "store/duplicates/near_pairs.h"
#include "store/duplicates/near_searches.h"
#include "store/images/images.h"

#define OF(member) RECORD_OF(struct near_originals, member)
RECORD(near_originals_record, struct near_originals, "near_originals", "How many originals look like a training image.",
       {"originals", OF(originals), .about = "Originals with pixels."},
       {"searched", OF(searched), .about = "Originals that every metric that is on has compared with the training images."},
       {"left", OF(left), .about = "Originals with a neighbour within a threshold that nobody has judged."},
       {"duplicates", OF(duplicates), .about = "Searched originals that are recorded as near-duplicates of a training image."},
       {"share", OF(share.value), .maybe = true, .about = "Their share of those searched, from 0 to 1; null: none is searched."},
       {"share_lo", OF(share.lo), .maybe = true, .about = "Lower end of its 95 % interval by Clopper and Pearson."},
       {"share_hi", OF(share.hi), .maybe = true, .about = "Upper end of it."});
#undef OF

struct counting {
    struct map_u64 searched; /* originals -> by how many of the metrics that are on, as long as all before have searched it */
    uint32_t metrics;        /* that are on, so far */
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

static bool is_searched(const struct counting *c, uint64_t image)
{
    return c->metrics > 0 && map_u64_get(&c->searched, image) == c->metrics;
}

/* Originals in any whole search of the space that every metric before has searched as well. */
static enum err_code count_searched(struct db *db, struct sv space, struct arena *a, struct counting *c, int64_t *out,
                                    struct err *err)
{
    struct near_search *searches;
    size_t n = 0;
    enum err_code rc = near_searches_whole(db, space, 0, a, &searches, &n, err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        for (uint32_t k = 0; k < searches[i].queries.numbers; k++) {
            uint64_t image = ranges_at(&searches[i].queries, k);
            bool new = c->metrics == 0 ? map_u64_get(&c->searched, image) == MAP_NONE : is_searched(c, image);
            if (new) {
                map_u64_set(&c->searched, image, c->metrics + 1);
                ++*out;
            }
        }
    }
    return rc;
}

static enum err_code count_metric(struct db *db, const struct near_work *w, size_t m, struct arena *a, struct counting *c,
                                  int64_t *searched, struct err *err)
{
    const struct near_open_ask ask = {.metric = &w->gate.metric[m], .space = w->covered[m].space, .in_play = true};
    c->threshold = w->gate.metric[m].threshold;
    *searched = 0;
    enum err_code rc = w->covered[m].any ? near_open_each(db, &ask, count_open, c, err) : OK;
    rc = rc == OK && w->covered[m].any ? count_searched(db, w->covered[m].space, a, c, searched, err) : rc;
    c->metrics++;
    return rc;
}

static enum err_code count_all(struct db *db, struct arena *a, struct counting *c, struct near_originals *out, struct err *err)
{
    struct near_work w;
    int64_t *trained;
    size_t n = 0;
    enum err_code rc = near_work_open_originals(db, a, &w, err);
    for (size_t m = 0; m < w.gate.n && rc == OK; m++) {
        rc = w.gate.metric[m].enabled ? count_metric(db, &w, m, a, c, &out->searched, err) : OK;
    }
    rc = rc == OK ? images_originals_count(db, &out->originals, err) : rc;
    rc = rc == OK ? near_pairs_trained(db, a, &trained, &n, err) : rc;
    for (size_t i = 0; i < n && rc == OK; i++) {
        out->duplicates += is_searched(c, (uint64_t)trained[i]);
    }
    return rc;
}

enum err_code near_originals_get(struct db *db, struct arena *a, struct near_originals *out, struct err *err)
{
    struct counting c = {0};
    *out = (struct near_originals){0};
    map_u64_init(&c.searched);
    map_u64_init(&c.left);
    enum err_code rc = count_all(db, a, &c, out, err);
    out->left = (int64_t)c.left.n;
    out->next = c.next;
    out->share = binomial_proportion(out->duplicates, out->searched);
    map_u64_release(&c.left);
    map_u64_release(&c.searched);
    return rc;
}
