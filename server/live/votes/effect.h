/* effect.h - what a decision would do to the numbers of the default view, before anything is written:
 * chosen answers leave the analysis or come back. One pass over a copy of every answer
 * (live/core/walk.h), about 100 ms at 10 million votes. Knows no SQL. */
#ifndef LIVE_VOTES_EFFECT_H
#define LIVE_VOTES_EFFECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "live/core/walk.h"
#include "live/votes/stats.h"

/* Of each answer of a walk: whether it is chosen, and what it becomes. */
enum effect_mark { EFFECT_STAYS = 0, EFFECT_IN = 1, EFFECT_OUT = 2 };

struct effect_ask {
    bool out;                     /* what the chosen become; who is that already is not chosen */
    bool anybody;                 /* else people and answers of the lists alone */
    const int64_t *people;        /* database ids, rising */
    size_t n_people;
    const uint32_t *answers;      /* event numbers, rising */
    size_t n_answers;
    int64_t campaign;             /* only of this one; 0: of any */
    int64_t before_ms;            /* only those given earlier; 0: any time */
};
/* Fills marks (one per answer); returns how many are chosen. */
size_t effect_choose(const struct walk *w, const struct effect_ask *ask, uint8_t *marks);

struct effect_mean {
    uint64_t answers, people;
    uint64_t shown[4], selected[4]; /* per enum cell_role; of gold: answered right */
    struct interval ci[4];          /* clustered by worker (stats/cluster.h) */
};
struct effect_class {
    uint32_t class_id;
    uint32_t covered_before, covered_after; /* originals with STATS_LEAST_ANSWERS answers */
};
struct effect_campaign {
    uint32_t campaign, answers, surplus, grids; /* of the chosen; grids: different ones */
};
struct effect {
    int64_t cursor;                 /* last event that was seen */
    uint64_t answers, people, surplus, uncounted; /* of the chosen; uncounted: of no default view */
    struct effect_mean before, after; /* the default view */
    uint32_t bins_before[2][STATS_BINS], bins_after[2][STATS_BINS]; /* [0] originals, [1] candidates */
    uint64_t moved[2], lost[2], gained[2]; /* images: other bin, too few answers now, enough now */
    struct effect_class *losing;    /* whose covered originals get fewer; the largest loss first */
    size_t n_losing;
    struct effect_campaign *campaigns; /* by id */
    size_t n_campaigns;
};
void effect_compute(const struct walk *w, const uint8_t *marks, struct effect *out);
void effect_release(struct effect *e);

#endif
