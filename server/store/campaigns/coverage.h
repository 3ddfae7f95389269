/* coverage.h - SQL for how many answers every image has under its own class, how many are to come,
 * and what that means per class. */
#ifndef STORE_CAMPAIGNS_COVERAGE_H
#define STORE_CAMPAIGNS_COVERAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"
#include "domain/grids/plan.h"
#include "domain/grids/plan_summary.h"
#include "store/campaigns/campaigns.h"

/* Arrays by image id below n and by grid id below n_grids; coverage_release frees them. */
struct coverage {
    size_t n, n_grids;
    uint32_t *class_id;  /* the image's own; 0: no such image */
    unsigned char *kind; /* enum coverage_kind */
    uint32_t *now;       /* counted answers under the image's own class */
    uint32_t *coming;    /* such answers that a plan still brings */
    bool *hidden;        /* not shown to anybody (store/work/flags.h) */
    uint32_t *answered;  /* a grid's answers that count to N and are in the analysis */
};
enum coverage_kind { COVERAGE_OTHER, COVERAGE_ORIGINAL, COVERAGE_CANDIDATE };

/* Counts the answers that matter to a plan of this kind: those of the default view when the kind
 * counts there, else those of the campaigns of that kind, so that a re-measurement measures again.
 * `flags_to_quarantine` people's flags hide an image. `coming` is all 0. Releases nothing on failure: always
 * call coverage_release. */
enum err_code coverage_load(struct db *db, struct sv kind, int64_t flags_to_quarantine, struct coverage *out,
                            struct err *err);
/* Every image of every grid that coverage_load counted, with what the grid asks about and its answers. */
enum err_code coverage_pairs(struct db *db, struct sv kind, const struct coverage *c,
                             void (*each)(void *arg, uint32_t image, uint32_t class_id, uint32_t answers), void *arg,
                             struct err *err);
/* The same of the candidates on grids of other campaigns of that kind that are not closed and lack answers. */
enum err_code coverage_waiting(struct db *db, const struct campaign *k, const struct coverage *c,
                               void (*each)(void *arg, uint32_t image, uint32_t class_id, uint32_t answers), void *arg,
                               struct err *err);
/* How many people were shown each image, by all campaigns: nobody is shown one twice, but in imported studies, where they count
 * twice. */
enum err_code coverage_seen(struct db *db, void (*each)(void *arg, int64_t image, int64_t people), void *arg,
                            struct err *err);
/* Adds to `coming` what the grids of a stored campaign still bring. *out gets the number of its
 * grids, of the special ones and of the different candidates. */
enum err_code coverage_add_campaign(struct db *db, const struct campaign *k, struct coverage *c,
                                    struct plan_summary *out, struct err *err);
/* The classes that have originals or candidates, by id, in the arena. */
void coverage_classes(const struct coverage *c, int64_t answers_per_grid, struct arena *a,
                      struct class_coverage **out, size_t *n);
void coverage_release(struct coverage *c);
/* The images of a class with this role that can be shown, by id, for the planner; *hidden grows by
 * those that cannot. */
enum err_code coverage_pool(struct db *db, const struct coverage *c, int64_t class_id,
                            const char *role, struct arena *a, struct plan_pool *out,
                            size_t *hidden, struct err *err);

/* Everything about a stored campaign, draft or not: what it costs, what its classes have now and
 * will have when it is answered. About 0.2 s for 6,000 grids. */
enum err_code coverage_of_campaign(struct db *db, const struct campaign *k, int64_t flags_to_quarantine,
                                   struct arena *a, struct plan_summary *out, struct err *err);

#endif
