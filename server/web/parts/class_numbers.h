/* class_numbers.h - what lists and pages say of classes: votes per role, histograms of frequencies and
 * coverage, under a vote view, now or as of an earlier event. Slow steps only: a pass over all pairs. */
#ifndef WEB_PARTS_CLASS_NUMBERS_H
#define WEB_PARTS_CLASS_NUMBERS_H

#include "domain/votes/histogram.h"
#include "live/votes/stats.h"
#include "store/campaigns/campaigns.h"
#include "web/core/app.h"

struct class_numbers {
    struct stats_class s;  /* ci means something where has_ci says so */
    bool has_ci;
};
struct classes_counted {
    struct class_numbers *list; /* in the arena, by class id; classes that stand on a grid */
    size_t n;
    int64_t as_of;              /* last event counted */
};
/* `as_of` 0: now. ERR_NOT_FOUND (rule "no-view"). */
enum err_code class_numbers_all(struct ctx *c, struct sv view, int64_t as_of,
                                struct classes_counted *out);
/* The class's, all 0 when it stands on no grid. */
struct class_numbers class_numbers_of(const struct classes_counted *all, int64_t class_id);
/* One class: cheaper than all, with intervals under every view. */
enum err_code class_numbers_one(struct ctx *c, struct sv view, int64_t class_id,
                                struct class_numbers *out);

/* How many covered originals a class should have: the target of the first campaign of the list (newest
 * first) that has one and that the default view counts, else the usual 20. */
int64_t class_target_of(const struct campaign *list, size_t n);
/* The same, of the project's campaigns. */
enum err_code class_coverage_target(struct ctx *c, int64_t *out);

#endif
