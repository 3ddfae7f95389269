/* pairs.c - votes looked up by image and label. */
#include "sets/labels/pairs.h"

#define OF(member) RECORD_OF(struct pair_line, member)
RECORD(pair_record, struct pair_line, "label_pair", "How many people were asked whether an image contains a label that it could have.",
       {"image", OF(image), .about = "The image."}, {"wnid", OF(wnid), .about = "The label's class."},
       {"selected", OF(selected), .about = "People who found it."}, {"shown", OF(shown), .about = "People who were asked."});
#undef OF

void pairs_count(struct label_plan_book *b, const struct view_counts *votes)
{
    for (size_t i = 0; i < votes->n; i++) {
        size_t at = votes->shown[i] ? label_plan_find(b, votes->image[i]) : b->n;
        const struct planned_label *l = at < b->n ? label_plan_has(b, at, votes->class_id[i]) : NULL;
        if (l) {
            struct planned_label *to = &b->labels[l - b->labels];
            to->selected = votes->selected[i];
            to->shown = votes->shown[i];
        }
    }
}

void pairs_sum(const struct label_plan_book *b, uint32_t wanted, struct pair_counts *out)
{
    *out = (struct pair_counts){.pairs = b->n_labels};
    for (size_t i = 0; i < b->n_labels; i++) {
        uint32_t shown = b->labels[i].shown;
        out->by_answers[shown < PAIR_ANSWERS ? shown : PAIR_ANSWERS]++;
        out->enough += shown >= wanted;
    }
}
