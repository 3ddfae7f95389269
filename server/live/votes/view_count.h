/* view_count.h - counts votes under a named view: which answers it has, what its filters leave out and
 * what that does to the means. One pass over a copy of the ledger, about 30 ms at 10 million votes.
 * Slow steps only. Knows nothing of SQL: the caller resolves names. */
#ifndef LIVE_VOTES_VIEW_COUNT_H
#define LIVE_VOTES_VIEW_COUNT_H

#include "base/arena.h"
#include "domain/votes/view_rules.h"
#include "live/core/tally.h"
#include "stats/binomial.h"

struct view_ask {
    const int64_t *campaigns; /* sorted; of which the view counts answers (store/votes/views.h) */
    size_t n_campaigns;
    const int64_t *blocked;   /* sorted; people, for RULE_NOT_BLOCKED; as of as_of (live/votes/view_ask.h) */
    size_t n_blocked;
    struct view_rules rules;
    int64_t as_of;            /* last event counted; 0: all */
    bool classify;            /* of CLASSIFY tasks: which answers the filters leave out, and how many there are. No image
                               * has votes then. False: of CONTAINS. What filters know of people is of one task alone */
};
/* Whether the view has the grid's answers, unless its filters leave them out. */
bool view_has_grid(const struct view_ask *ask, const struct tally_grid *g);

struct view_mean {
    uint64_t answers, people;
    uint64_t shown[4], selected[4]; /* per enum cell_role */
    struct interval ci[4];          /* clustered by worker (stats/cluster.h) */
};
struct view_counts {
    int64_t cursor;           /* last event that was seen: as_of, or the tally's */
    size_t n;                 /* pairs; arrays by the tally's index of the pair */
    uint32_t *image, *class_id, *shown, *selected;
    uint8_t *role;
    struct view_mean all;     /* accepted answers in the analysis, no filter */
    struct view_mean with;    /* every filter */
    struct view_mean alone[VIEW_FILTERS_MOST];   /* this filter and no other */
    struct view_mean without[VIEW_FILTERS_MOST]; /* every filter but this one */
    /* What the filters leave out: the answers' event numbers, rising, and why: the first filter of the
     * list that says so. */
    uint32_t *dropped;
    uint8_t *dropped_by;
    size_t n_dropped;
};

/* ERR_BUSY (rule "counters-rebuilt") while a failed fold is made up for. Holds the tally's lock for a
 * few milliseconds only, to copy. Decisions about answers and exclusions of grids are as of as_of too. */
enum err_code view_count(struct tally *t, const struct view_ask *ask, struct view_counts *out,
                         struct err *err);
void view_counts_release(struct view_counts *v);

#endif
