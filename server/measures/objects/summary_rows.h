/* summary_rows.h - what many images show, in numbers (domain/labels/object_summary.h), as a record. */
#ifndef MEASURES_SUMMARY_ROWS_H
#define MEASURES_SUMMARY_ROWS_H

#include "domain/labels/object_summary.h"
#include "measures/objects/candidate_rows.h"
#include "record/record.h"

enum { SUMMARY_SELECTED = 1000 }; /* most different labels of an image that are told apart */
struct object_summary_row {
    struct object_summary s;
    /* Counted by the caller: images that people were asked about, that were easy, that do not count; with labels of no object,
     * with ties of each kind. */
    uint32_t asked, easy, left_out, unassigned, ties, main_ties, number_ties;
    uint32_t responses;
    uint32_t by_selected[SUMMARY_SELECTED + 1];
    /* Filled in by object_summary_finish. */
    double several_share, several_lo, several_hi, main_share, main_lo, main_hi;
    struct histogram_row *objects, *selected;
    size_t n_objects, n_selected;
};
extern const struct record object_summary_record;
/* An image about which people selected so many different labels. */
void object_summary_selected(struct object_summary_row *row, uint32_t labels);
/* What follows from the images that count. */
void object_summary_finish(struct object_summary_row *row, const struct image_list *images, struct arena *a);

#endif
