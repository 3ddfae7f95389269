/* options.h - the labels that a CLASSIFY task offers, in the order in which a person sees them. Says nothing of which of
 * them the image's set gives it, nor which are known. */
#ifndef WEB_WORK_OPTIONS_H
#define WEB_WORK_OPTIONS_H

#include "store/work/grids.h"
#include "store/work/work.h"
#include "web/core/app.h"
#include "web/core/records.h"

struct work_option {
    struct grid_option label;
    const char *called; /* "a or b" */
    int64_t position;   /* shown */
    unsigned examples;  /* example pictures, at .../example/N, N from position * room on; see below */
    unsigned room;      /* grid_images_room */
};
struct work_options {
    struct work_option *list;
    size_t n; /* 0: of a CONTAINS grid */
};
/* Of a grid whose options are shown in the order of the seed; `seeded` false: in the stored one. In any step. */
enum err_code work_options(struct ctx *c, int64_t grid, uint64_t seed, bool seeded, struct work_options *out);
/* The same of an assignment; none when it is a CONTAINS grid, without asking the database. */
enum err_code work_options_of(struct ctx *c, const struct assignment *as, struct work_options *out);
/* Counts the examples of each: for pages. */
enum err_code work_option_examples(struct ctx *c, const struct work_options *o);

#endif
