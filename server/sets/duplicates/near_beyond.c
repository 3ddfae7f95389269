/* near_beyond.c - the same pairs are drawn whenever somebody asks: those with the least hashes. */
#include "sets/duplicates/near_beyond.h"

#include "base/list.h"
#include "sets/duplicates/near_pairing.h"
#include "store/duplicates/near_drawn.h"

#define OF(member) RECORD_OF(struct near_beyond, member)
RECORD(near_beyond_record, struct near_beyond, "near_beyond", "How many duplicates lie beyond a metric's threshold.",
       {"metric", OF(metric), .about = "The metric."},
       {"pairs", OF(pairs), .about = "Pairs between the threshold and one and a half of it."},
       {"drawn", OF(drawn), .about = "Pairs of these that were drawn for review."},
       {"judged", OF(judged), .about = "Drawn pairs that are judged, duplicate or not."},
       {"duplicates", OF(duplicates), .about = "Judged pairs that are duplicates."},
       {"share", OF(share.value), .maybe = true, .about = "Their share, from 0 to 1; null: none is judged."},
       {"share_lo", OF(share.lo), .maybe = true, .about = "Lower end of its 95 % interval by Clopper and Pearson."},
       {"share_hi", OF(share.hi), .maybe = true, .about = "Upper end of it."});
#undef OF

static enum err_code draw(struct db *db, const struct near_work *w, size_t m,
                          enum err_code (*take)(void *arg, const struct near_drawn *p, struct err *err), void *arg,
                          struct err *err)
{
    double threshold = w->gate.metric[m].threshold;
    const struct near_draw_ask ask = {.space = w->covered[m].space, .from = threshold, .to = review_reach(threshold),
                                      .most = NEAR_BEYOND_DRAWN};
    return near_drawn_each(db, &ask, take, arg, err);
}

static bool is_drawn(const struct near_work *w, size_t m)
{
    return w->gate.metric[m].enabled && w->covered[m].any;
}

struct counting {
    struct near_beyond *of;
    int64_t *next;
};

static enum err_code count(void *arg, const struct near_drawn *p, struct err *err)
{
    const struct counting *c = arg;
    (void)err;
    c->of->pairs = p->of;
    c->of->drawn++;
    c->of->judged += p->say == NEAR_SAY_DUPLICATE || p->say == NEAR_SAY_NOT;
    c->of->duplicates += p->say == NEAR_SAY_DUPLICATE;
    *c->next = *c->next == 0 && p->say == NEAR_SAY_OPEN ? p->query : *c->next;
    return OK;
}

enum err_code near_beyond_list(struct db *db, const struct near_work *w, struct arena *a, struct near_beyond **out, size_t *n,
                               int64_t *next, struct err *err)
{
    struct list list = {0};
    enum err_code rc = OK;
    *next = 0;
    for (size_t m = 0; m < w->gate.n && rc == OK; m++) {
        if (is_drawn(w, m)) {
            struct near_beyond *b = LIST_ADD(&list, a, struct near_beyond);
            *b = (struct near_beyond){.metric = w->gate.metric[m].name};
            rc = draw(db, w, m, count, &(struct counting){b, next}, err);
            b->share = binomial_proportion(b->duplicates, b->judged);
        }
    }
    *out = list.items;
    *n = list.n;
    return rc;
}

struct pairing {
    struct near_pairing found;
    size_t m;
    int64_t image;
};

static enum err_code take_pair(void *arg, const struct near_drawn *p, struct err *err)
{
    struct pairing *of = arg;
    (void)err;
    if (p->query == of->image) {
        near_pairing_add(&of->found, of->m, p->reference, p->distance)->open = p->say == NEAR_SAY_OPEN;
    }
    return OK;
}

enum err_code near_beyond_pairs(struct db *db, const struct near_work *w, int64_t image, struct arena *a,
                                struct near_work_pair **out, size_t *n, struct err *err)
{
    struct pairing p = {.found = {.gate = &w->gate, .arena = a}, .image = image};
    enum err_code rc = OK;
    for (p.m = 0; p.m < w->gate.n && rc == OK; p.m++) {
        rc = is_drawn(w, p.m) ? draw(db, w, p.m, take_pair, &p, err) : OK;
    }
    near_pairing_end(&p.found, out, n);
    return rc;
}
