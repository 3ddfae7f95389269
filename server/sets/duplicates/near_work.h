/* near_work.h - the work list of the duplicate review: candidates with neighbours within a threshold that nobody has judged,
 * and the neighbours of one of them. Of all metrics together: a pair is looked at once, whichever of them found it. Knows
 * nothing of pages. */
#ifndef SETS_DUPLICATES_NEAR_WORK_H
#define SETS_DUPLICATES_NEAR_WORK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"
#include "domain/review/review_gate.h"
#include "record/record.h"
#include "store/duplicates/near_review.h"

/* What a metric is, and how far its review is. The project's own searches count first; of candidates that they do not
 * cover counts what an import says. */
struct near_work_metric {
    const char *name, *state, *kind, *model; /* state: "on" or "off"; model "": none */
    int64_t side, window;                    /* 0: none */
    double threshold;
    int64_t searched;   /* candidates */
    int64_t candidates; /* of so many */
    int64_t pairs;      /* open, of own searches */
    int64_t left;       /* candidates with a neighbour within the threshold that nobody has judged */
    double reviewed;    /* the least distance of these neighbours, the threshold when there are none: every nearer pair is
                           judged; NAN: nothing is searched */
    bool on;
};
extern const struct record near_metric_record; /* of it; near_work.c */
struct near_work_item {
    int64_t image;
    uint32_t neighbors; /* open ones */
    double nearest;     /* distance of the nearest of them, as a share of the metric's threshold */
};
struct near_work {
    struct review_gate gate;
    struct near_covered covered[REVIEW_METRICS_MOST];
    struct near_work_metric metric[REVIEW_METRICS_MOST];
    int64_t searches;   /* event of the newest whole search; 0: none. Places below are those of one number */
    bool any_metric;    /* one is enabled */
    struct near_work_item *items; /* the nearest first, equal ones by image */
    size_t n;
};
/* Candidates that are not blacklisted, in the arena; about 20 microseconds for each pair within a threshold. */
enum err_code near_work_list(struct db *db, struct arena *a, struct near_work *out, struct err *err);

struct near_work_pair {
    int64_t reference;
    bool open, within[REVIEW_METRICS_MOST]; /* of each metric: whether it is within the threshold */
    double distance[REVIEW_METRICS_MOST];
    double nearest;                         /* as above */
};
/* Neighbours of one candidate within a threshold, judged or not, by image: their places are the same for everybody until
 * another search is whole. */
enum err_code near_work_pairs(struct db *db, const struct near_work *w, int64_t image, struct arena *a,
                              struct near_work_pair **out, size_t *n, struct err *err);
/* The gate, its metrics and `searches` alone, for one candidate: not what their searches cover, nor what is left to review. */
enum err_code near_work_open(struct db *db, struct arena *a, struct near_work *out, struct err *err);
/* The same for one original, whose searches are others (near_space.h). */
enum err_code near_work_open_originals(struct db *db, struct arena *a, struct near_work *out, struct err *err);

#endif
