/* candidate_rows.h - records of labels that images could have: how often people found each, which are candidates and
 * why, how many potential ones there are, how many are as good as the set's. */
#ifndef MEASURES_CANDIDATE_ROWS_H
#define MEASURES_CANDIDATE_ROWS_H

#include "base/arena.h"
#include "domain/labels/candidates.h"
#include "record/record.h"

/* An image: image,label,stage,why,selected,shown,frequency,asked,candidates,left_out. Candidates are joined by "+". */
struct candidate_row {
    struct sv image, label, candidates;
    const char *stage, *why;
    uint32_t selected, shown; /* of the set's label */
    double frequency;         /* NAN: nobody was asked */
    uint32_t asked;           /* labels of which people were asked */
    uint32_t left_out;        /* that would be candidates but for the most that there may be */
};
extern const struct record candidate_record;
/* `text` has the text of each class id. Texts of the row are in the arena. */
struct candidate_row candidate_row(struct sv image, const struct candidates_ask *ask, const struct candidates_found *found,
                                   const struct sv *text, struct arena *a);

/* A label of an image: image,label,class,selected,shown,frequency,lo,hi,weak,candidate; 95 % by Clopper and Pearson. */
struct contains_frequency_row {
    struct sv image, label, class_text;
    uint32_t selected, shown;
    double frequency, lo, hi; /* NAN: nobody was asked */
    bool weak;                /* fewer than `least` people were asked */
    bool candidate;
};
extern const struct record contains_frequency_record;
struct contains_frequency_row contains_frequency_row(struct sv image, const struct candidates_ask *ask,
                                                     const struct candidates_found *found, size_t at, const struct sv *text);

/* Images by how many labels are as good as the set's: threshold,subset,labels,images,share,at_least. */
struct valid_row {
    double threshold;
    const char *subset;
    uint32_t labels, images;
    double share, at_least; /* of images with at least one: with so many labels, with so many or more; NAN without any */
};
extern const struct record valid_record;

/* image,n_potential,potential */
struct potential_row {
    struct sv image, potential;
    uint32_t n;
};
extern const struct record potential_record;

/* Images by a number: n,images. */
struct histogram_row {
    uint32_t n, images;
};
extern const struct record image_histogram_record;

/* Texts of class ids, joined by "+"; in the arena. */
struct sv labels_joined(const uint32_t *ids, size_t n, const struct sv *text, struct arena *a);

#endif
