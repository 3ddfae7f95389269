/* by_class_rows.h - accuracy by class as rows: `holdout score --by class` prints them as CSV, its --json and the API as
 * records, under the same names. */
#ifndef MEASURES_BY_CLASS_ROWS_H
#define MEASURES_BY_CLASS_ROWS_H

#include "measures/images/by_class.h"
#include "record/record.h"

struct class_side_row { /* of one set, 0 to 1 */
    uint32_t images, n;
    struct proportion share, shrunk;
};
struct by_class_row {
    struct sv wnid, synset;
    struct class_side_row original, fresh; /* of one set alone: fresh */
    double gap;                            /* in points, as the next */
    struct proportion shrunk_gap;
    double p, q;
    bool tested, stands_out;
};
extern const struct record by_class_row_record;

struct by_class_side_row {
    struct sv set; /* SET/NUMBER */
    uint32_t sealed;
    double images_worth, mean, strength; /* strength NAN: no spread beyond chance */
};
struct by_class_list {
    struct by_class_side_row original, fresh;
    bool has_original, has_fresh;
    struct sv test;     /* "fisher" or "normal" */
    size_t tested, discovered;
    double level, mean_gap, gap_deviation; /* points: of the classes' true gaps, mean and standard deviation */
    struct by_class_row *rows;
    size_t n_rows;
};
extern const struct record by_class_list_record;
/* In the arena, in the order of the lines; `titles`: SET/NUMBER of the sets, empty without one. */
struct by_class_list by_class_rows(const struct by_class *b, const struct sv titles[BY_CLASS_SETS], struct arena *a);

#endif
