/* label_plan.h - labels that images could have, as plans keep them (Tsipras et al. 2020, section 3): potential labels,
 * about each of which people are asked whether the image contains it, and candidates, among which others then choose.
 * Plain values. */
#ifndef DOMAIN_LABELS_LABEL_PLAN_H
#define DOMAIN_LABELS_LABEL_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "domain/labels/candidates.h"

enum {
    LABEL_PLAN_NAME = 64,        /* bytes of a name, with its end */
    LABEL_PLAN_IMAGES = 1000000, /* most images of a plan */
    LABEL_PLAN_LABELS = 5000000, /* most labels of all of them */
    LABEL_PLAN_SOURCE = 100,     /* most bytes of what a file says of a label's source */
    LABEL_PLAN_PACKED_MOST = LABEL_PLAN_IMAGES * 13 + LABEL_PLAN_LABELS * (16 + LABEL_PLAN_SOURCE),
    LABEL_PLAN_NO_RANK = 65535,
    LABEL_PLAN_NO_STAGE = 255,
    /* Fewer models could be told apart by what they add, and one alone by what is missing. */
    LABEL_PLAN_SEALED_MODELS = 3
};

enum label_plan_kind { LABEL_PLAN_POTENTIAL, LABEL_PLAN_CANDIDATES };
const char *label_plan_kind_word(enum label_plan_kind k); /* "potential", "candidates" */

/* Who named a label: bits. None of them: a model or a file, which is not kept of a sealed image. */
enum { NAMED_SET = 1, NAMED_MODEL = 2, NAMED_FILE = 4 };
/* "set", "models", "file", "set+models", ...; "proposed" for none. */
const char *label_origin_word(unsigned origin);

struct planned_label {
    uint32_t class_id;
    unsigned char origin;
    uint16_t rank;            /* among the candidates, 0 the most frequent; LABEL_PLAN_NO_RANK: it is none */
    uint32_t selected, shown; /* of candidates: people who found it, who were asked */
    const char *source;       /* NULL: a file said nothing of it; the owner's */
};
struct planned_image { /* `first` and `n`: where its labels are; they are in order of class id */
    uint32_t image, class_id, first, n;
    unsigned char stage; /* enum candidate_stage, or LABEL_PLAN_NO_STAGE */
};
struct label_plan_book { /* images in order of id; on the heap */
    struct planned_image *images;
    struct planned_label *labels;
    size_t n, n_labels, cap, cap_labels;
};
/* Appends an image without labels, and a label of the last image. The caller keeps to the limits and the orders above. */
struct planned_image *label_plan_image(struct label_plan_book *b, uint32_t image, uint32_t class_id);
struct planned_label *label_plan_label(struct label_plan_book *b, uint32_t class_id);
void label_plan_release(struct label_plan_book *b);
/* Everything a book says, as bytes: equal books have equal ones. */
void label_plan_pack(const struct label_plan_book *b, struct str *out);
/* Where the image is in the book; b->n: nowhere. And whether it has the label there. */
size_t label_plan_find(const struct label_plan_book *b, uint32_t image);
const struct planned_label *label_plan_has(const struct label_plan_book *b, size_t at, uint32_t class_id);

/* ERR_INPUT (rule "label-plan-name") unless 1 to 63 letters, digits, "-", "_", "."; no leading ".". */
enum err_code label_plan_name_check(struct sv name, struct err *err);

/* The counts of one image to its stage and candidates, into the book's last image: one label for each count, which are in
 * order of class id. */
void label_plan_stage(struct label_plan_book *b, const struct candidates_ask *ask);

#endif
