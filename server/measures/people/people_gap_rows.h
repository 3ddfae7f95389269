/* people_gap_rows.h - people against models (people_gap.h) as rows for CSV, JSON and tables. */
#ifndef MEASURES_PEOPLE_GAP_ROWS_H
#define MEASURES_PEOPLE_GAP_ROWS_H

#include "measures/people/people_gap.h"

struct people_gap_row {
    struct sv person, model;      /* names; "mean of 5", "majority of 5" */
    bool means;                   /* of both: there is nothing to count */
    struct people_pair original, fresh;
    struct proportion change;
};
struct people_set_row {
    struct sv set;                /* SET/NUMBER */
    struct people_set of;
};
struct people_gap_list {
    struct people_set_row *sets;  /* originals first; those that there are */
    size_t n_sets;
    struct people_gap_row *pairs; /* in the order of people_gap.lines */
    size_t n_pairs;
};
extern const struct record people_gap_record, people_gap_list_record;

/* Which models are people (their group is PEOPLE_GROUP) and which are not, in the order of `ids`; names by the same place.
 * All in the arena. */
struct people_sides {
    int64_t *people, *models;
    struct sv *person_names, *model_names;
    size_t n_people, n_models;
};
enum err_code people_sides_of(struct db *db, const int64_t *ids, const struct sv *names, size_t n, struct arena *a,
                              struct people_sides *out, struct err *err);
/* `titles`: of the sets of the ask; empty where there is none. In the arena. */
struct people_gap_list people_gap_rows(const struct people_gap *g, const struct people_sides *sides, const struct sv titles[PEOPLE_SETS],
                                       struct arena *a);

#endif
