/* candidate_rows.c - counts of labels as records. */
#include "measures/objects/candidate_rows.h"

#include <math.h>

#include "stats/binomial.h"

enum { JOINED_MOST = 1 << 20 };

#define OF(member) RECORD_OF(struct candidate_row, member)
RECORD(candidate_record, struct candidate_row, "candidate_labels", "Which labels people should choose among for an image.",
       {"image", OF(image), .about = "The image."}, {"label", OF(label), .about = "The label that its set gives it."},
       {"stage", OF(stage), .about = "easy: no other candidate; fu: several; mis: nobody found the set's label; amb: too few people."},
       {"why", OF(why), .about = "The same as a sentence."},
       {"selected", OF(selected), .about = "People who found the set's label in the image."},
       {"shown", OF(shown), .about = "People who were asked about it."},
       {"frequency", OF(frequency), .maybe = true, .about = "selected / shown; null: nobody was asked."},
       {"asked", OF(asked), .about = "Labels about which people were asked."},
       {"candidates", OF(candidates), .about = "The candidates, the most frequent first, with + between them."},
       {"left_out", OF(left_out), .about = "Labels that are frequent enough, but less than those that are kept."});
#undef OF

#define OF(member) RECORD_OF(struct contains_frequency_row, member)
RECORD(contains_frequency_record, struct contains_frequency_row, "label_frequency", "How often people found a label in an image.",
       {"image", OF(image), .about = "The image."}, {"label", OF(label), .about = "The label that its set gives it."},
       {"class", OF(class_text), .about = "The label that people were asked about."},
       {"selected", OF(selected), .about = "People who found it."}, {"shown", OF(shown), .about = "People who were asked."},
       {"frequency", OF(frequency), .maybe = true, .about = "selected / shown; null: nobody was asked."},
       {"lo", OF(lo), .maybe = true, .about = "Lower bound of the frequency, 95 %, by Clopper and Pearson."},
       {"hi", OF(hi), .maybe = true, .about = "Upper bound."},
       {"weak", OF(weak), .about = "Whether too few people were asked for it to count."},
       {"candidate", OF(candidate), .about = "Whether it is a candidate."});
#undef OF

#define OF(member) RECORD_OF(struct valid_row, member)
RECORD(valid_record, struct valid_row, "valid_labels", "Images by how many labels are as good as the set's.",
       {"threshold", OF(threshold), .about = "The share of the frequency of the set's label (or of people) that makes a label as good."},
       {"subset", OF(subset), .about = "all, single or multi: of how many objects."},
       {"labels", OF(labels), .about = "So many labels; 0: nobody found the set's label, or nobody was asked about it."},
       {"images", OF(images), .about = "Images with so many."},
       {"share", OF(share), .maybe = true, .about = "Their share of images where somebody found the set's label."},
       {"at_least", OF(at_least), .maybe = true, .about = "The share with so many or more."});
#undef OF

#define OF(member) RECORD_OF(struct potential_row, member)
RECORD(potential_record, struct potential_row, "potential_labels", "Labels that models or the set give an image.",
       {"image", OF(image), .about = "The image."}, {"n_potential", OF(n), .about = "How many labels."},
       {"potential", OF(potential), .about = "The labels, by class, with + between them."});
#undef OF

#define OF(member) RECORD_OF(struct histogram_row, member)
RECORD(image_histogram_record, struct histogram_row, "image_histogram", "Images by a number.",
       {"n", OF(n), .about = "The number."}, {"images", OF(images), .about = "Images that have it."});
#undef OF

struct sv labels_joined(const uint32_t *list, size_t n, const struct sv *text, struct arena *a)
{
    struct str s;
    str_init(&s, JOINED_MOST);
    for (size_t i = 0; i < n; i++) {
        str_addz(&s, i ? "+" : "");
        str_addsv(&s, text[list[i]]);
    }
    struct sv joined = arena_sv(a, str_sv(&s));
    str_release(&s);
    return joined;
}

struct candidate_row candidate_row(struct sv image, const struct candidates_ask *ask, const struct candidates_found *found,
                                   const struct sv *text, struct arena *a)
{
    struct candidate_row row = {.image = image,
                                .label = text[ask->label],
                                .stage = candidate_stage_word(found->stage),
                                .why = candidate_stage_about(found->stage),
                                .frequency = (double)NAN,
                                .left_out = (uint32_t)found->left_out};
    uint32_t list[CANDIDATE_LABELS];
    for (size_t i = 0; i < ask->n; i++) {
        const struct contains_count *c = &ask->counts[i];
        row.asked += c->shown > 0;
        if (c->label == ask->label) {
            row.selected = c->selected;
            row.shown = c->shown;
            row.frequency = binomial_proportion(c->selected, c->shown).value;
        }
    }
    for (size_t i = 0; i < found->n; i++) {
        list[i] = ask->counts[found->list[i]].label;
    }
    row.candidates = labels_joined(list, found->n, text, a);
    return row;
}

struct contains_frequency_row contains_frequency_row(struct sv image, const struct candidates_ask *ask,
                                                     const struct candidates_found *found, size_t at, const struct sv *text)
{
    const struct contains_count *c = &ask->counts[at];
    struct proportion p = binomial_proportion(c->selected, c->shown);
    struct contains_frequency_row row = {.image = image,
                                         .label = text[ask->label],
                                         .class_text = text[c->label],
                                         .selected = c->selected,
                                         .shown = c->shown,
                                         .frequency = p.value,
                                         .lo = p.lo,
                                         .hi = p.hi,
                                         .weak = c->shown < ask->least};
    for (size_t i = 0; i < found->n; i++) {
        row.candidate = row.candidate || found->list[i] == at;
    }
    return row;
}
