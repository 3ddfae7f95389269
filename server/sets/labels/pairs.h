/* pairs.h - how far people were asked about the pairs of image and label of a plan of potential labels, by a vote view. */
#ifndef SETS_LABELS_PAIRS_H
#define SETS_LABELS_PAIRS_H

#include "live/votes/view_count.h"
#include "record/record.h"
#include "store/labels/label_plans.h"

/* A pair: image,wnid,selected,shown. */
struct pair_line {
    struct sv image, wnid;
    uint32_t selected, shown;
};
extern const struct record pair_record;

enum { PAIR_ANSWERS = 20 }; /* pairs are counted by answers up to this number, and beyond */
struct pair_counts {
    uint64_t pairs, by_answers[PAIR_ANSWERS + 1]; /* the last: so many and more */
    uint64_t enough;                              /* with `wanted` answers */
};
/* Puts the votes into the book's labels, which are those of candidates then. */
void pairs_count(struct label_plan_book *b, const struct view_counts *votes);
void pairs_sum(const struct label_plan_book *b, uint32_t wanted, struct pair_counts *out);

#endif
