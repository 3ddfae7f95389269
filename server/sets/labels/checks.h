/* checks.h - images whose objects are known, as CLASSIFY tasks that show who works carefully. Known are
 *
 * - one object: easy images of a plan of candidates whose label was found by CHECK_SURE of the people who were asked, at least
 *   as many as the plan needs. Its task is filled up with labels that are not there: those of its potential labels that nobody
 *   found, then classes of other images that nobody proposed for it, to as many as a task of the plan has;
 * - one or two: images about which at least CHECK_PEOPLE people answered CLASSIFY tasks, of whom everybody ticked the same one
 *   or two labels and chose the same main one. Their task is the one that was answered.
 *
 * Nobody is shown an image twice, so what is known of it comes from others than those who are checked. Knows SQL only
 * through store/ and live/. */
#ifndef SETS_LABELS_CHECKS_H
#define SETS_LABELS_CHECKS_H

#include "live/objects/response_ledger.h"
#include "store/labels/label_plans.h"
#include "store/work/grids.h"

enum { CHECK_PEOPLE = 5, CHECK_SURE = 900 /* thousandths */ };

struct checks_ask {
    const struct label_plan_book *book; /* of candidates; images that it asks people about are no checks */
    uint32_t least;                     /* people asked about a label, of the plan */
    uint64_t seed;
    bool (*taken)(void *arg, uint32_t image); /* which other images cannot be; NULL: all can */
    void *taken_arg;
};
struct check_source {
    uint32_t image, at; /* at: place in the book, or row of the ledger */
    bool agreed;        /* of the ledger */
};
struct check_pool { /* by image, each once */
    struct check_source *one, *two; /* with one object and with two; in the arena */
    size_t n_one, n_two;
    size_t easy;                    /* of those with one: from the plan */
    struct response_ledger ledger;
};
/* The caller calls checks_release, on failure too. */
enum err_code checks_find(struct db *db, const struct checks_ask *ask, struct arena *a, struct check_pool *out, struct err *err);
void checks_release(struct check_pool *p);

struct check_task {
    uint32_t image, class_id;    /* the label that its set gives it */
    struct grid_options options; /* known: bits of what is there */
};
/* Draws so many of either kind (at most those there are) into out[one + two]. The same pool, ask and numbers: the same. */
void checks_draw(const struct check_pool *p, const struct checks_ask *ask, size_t one, size_t two, struct check_task *out);

#endif
