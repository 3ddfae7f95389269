/* near_beyond.c - the same pairs are drawn whenever somebody asks: those with the least hashes. */
#include "sets/duplicates/near_beyond.h"

#include <math.h>
#include <stdlib.h>

#include "base/list.h"
#include "stats/binomial.h"
#include "store/duplicates/near_drawn.h"

#define ALPHA 0.05
#define REACH 1.5 /* thresholds; farther pairs are not kept close at hand */

#define OF(member) RECORD_OF(struct near_beyond, member)
RECORD(near_beyond_record, struct near_beyond, "near_beyond", "How many duplicates lie beyond a metric's threshold.",
       {"metric", OF(metric), .about = "The metric."},
       {"pairs", OF(pairs), .about = "Pairs between the threshold and one and a half of it."},
       {"drawn", OF(drawn), .about = "Pairs of these that were drawn for review."},
       {"judged", OF(judged), .about = "Drawn pairs that are judged, duplicate or not."},
       {"duplicates", OF(duplicates), .about = "Judged pairs that are duplicates."},
       {"share", OF(share), .maybe = true, .about = "Their share, from 0 to 1; null: none is judged."},
       {"share_lo", OF(lo), .maybe = true, .about = "Lower end of its 95 % interval by Clopper and Pearson."},
       {"share_hi", OF(hi), .maybe = true, .about = "Upper end of it."});
#undef OF

struct drawing {
    const struct near_work *w;
    struct arena *arena;
    size_t m;
    struct near_beyond *sum; /* NULL: pairs of `image` are gathered */
    int64_t next, image;
    struct list pairs;
};

static void count(struct drawing *d, const struct near_drawn *p)
{
    d->sum->drawn++;
    d->sum->judged += p->say == NEAR_SAY_DUPLICATE || p->say == NEAR_SAY_NOT;
    d->sum->duplicates += p->say == NEAR_SAY_DUPLICATE;
    d->next = d->next == 0 && p->say == NEAR_SAY_OPEN ? p->query : d->next;
}

static void gather(struct drawing *d, const struct near_drawn *p)
{
    struct near_work_pair *list = d->pairs.items;
    double share = p->distance / d->w->gate.metric[d->m].threshold;
    size_t i = 0;
    while (i < d->pairs.n && list[i].reference != p->reference) {
        i++;
    }
    bool known = i < d->pairs.n;
    struct near_work_pair *to = known ? &list[i] : LIST_ADD(&d->pairs, d->arena, struct near_work_pair);
    if (!known) {
        *to = (struct near_work_pair){.reference = p->reference, .nearest = share, .open = p->say == NEAR_SAY_OPEN};
    }
    to->within[d->m] = true;
    to->distance[d->m] = p->distance;
    to->nearest = fmin(to->nearest, share);
}

static enum err_code take(void *arg, const struct near_drawn *p, struct err *err)
{
    struct drawing *d = arg;
    (void)err;
    if (d->sum) {
        count(d, p);
    } else if (p->query == d->image) {
        gather(d, p);
    }
    return OK;
}

/* Each metric in turn. */
static enum err_code draw(struct db *db, struct drawing *d, enum err_code (*metric)(struct db *, struct drawing *, struct err *),
                          struct err *err)
{
    enum err_code rc = OK;
    for (d->m = 0; d->m < d->w->gate.n && rc == OK; d->m++) {
        rc = d->w->gate.metric[d->m].enabled && d->w->covered[d->m].any ? metric(db, d, err) : OK;
    }
    return rc;
}

static enum err_code drawn_each(struct db *db, struct drawing *d, struct err *err)
{
    const struct near_draw_ask ask = {.space = d->w->covered[d->m].space, .from = d->w->gate.metric[d->m].threshold,
                                      .to = REACH * d->w->gate.metric[d->m].threshold, .most = NEAR_BEYOND_DRAWN};
    return near_drawn_each(db, &ask, d->sum ? &d->sum->pairs : NULL, take, d, err);
}

static enum err_code sum_up(struct db *db, struct drawing *d, struct err *err)
{
    struct near_beyond *b = LIST_ADD(&d->pairs, d->arena, struct near_beyond);
    *b = (struct near_beyond){.metric = d->w->gate.metric[d->m].name};
    d->sum = b;
    enum err_code rc = drawn_each(db, d, err);
    const struct interval i = binomial_clopper_pearson(b->duplicates, b->judged, ALPHA);
    bool any = b->judged > 0;
    b->share = any ? (double)b->duplicates / (double)b->judged : (double)NAN;
    b->lo = any ? i.lo : (double)NAN;
    b->hi = any ? i.hi : (double)NAN;
    return rc;
}

enum err_code near_beyond_list(struct db *db, const struct near_work *w, struct arena *a, struct near_beyond **out, size_t *n,
                               int64_t *next, struct err *err)
{
    struct drawing d = {.w = w, .arena = a};
    enum err_code rc = draw(db, &d, sum_up, err);
    *out = d.pairs.items;
    *n = d.pairs.n;
    *next = d.next;
    return rc;
}

static int by_reference(const void *a, const void *b)
{
    const struct near_work_pair *x = a, *y = b;
    return (x->reference > y->reference) - (x->reference < y->reference);
}

enum err_code near_beyond_pairs(struct db *db, const struct near_work *w, int64_t image, struct arena *a,
                                struct near_work_pair **out, size_t *n, struct err *err)
{
    struct drawing d = {.w = w, .arena = a, .image = image};
    enum err_code rc = draw(db, &d, drawn_each, err);
    *out = d.pairs.items;
    *n = d.pairs.n;
    if (*n) {
        qsort(*out, *n, sizeof **out, by_reference);
    }
    return rc;
}
