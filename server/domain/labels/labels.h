/* labels.h - what a source of labels is: kinds of sources, verdicts about a label, and the rules by which an answer is
 * right about an image. Plain values. Objects are those of Tsipras et al. (2020),
 * reviews those of Shankar et al. (2020). */
#ifndef DOMAIN_LABELS_H
#define DOMAIN_LABELS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"

enum {
    LABEL_NAME = 64,          /* bytes of a source's name, with its end */
    LABELS_OF_IMAGE = 1000,   /* most labels of one image */
    LABEL_OBJECTS = 255,      /* most objects of one image */
    LABEL_IMAGES = 2000000,   /* most images of a version */
    LABELS_MOST = 5000000,    /* most labels of a version */
    LABEL_VOTES = 1000000000,
    LABEL_PACKED_MOST = LABEL_IMAGES * 9 + LABELS_MOST * 11 /* bytes of a book of that size */
};

enum label_kind {
    LABEL_KIND_LABELS,  /* every label is right: ReaL, tables without verdicts; images without labels do not count */
    LABEL_KIND_MAIN,    /* one label per image, the main object's */
    LABEL_KIND_OBJECTS, /* labels grouped into objects, one of them the main object (Tsipras et al.) */
    LABEL_KIND_REVIEW,  /* a verdict for each label that somebody looked at (Shankar et al.) */
    LABEL_KINDS
};
enum label_verdict { VERDICT_CORRECT, VERDICT_UNCLEAR, VERDICT_WRONG, VERDICT_DONTKNOW, VERDICTS };

/* By which rule an answer is right. */
enum label_rule {
    LABEL_RULE_LABELS,  /* it is one of the labels */
    LABEL_RULE_MAIN,    /* it is the main label */
    LABEL_RULE_OBJECTS, /* it is the label of an object: its most frequent one */
    LABEL_RULE_ANY,     /* it is one of the labels of an object */
    LABEL_RULE_STRICT,  /* its verdict is correct */
    LABEL_RULE_LENIENT, /* its verdict is correct or unclear */
    LABEL_RULES
};

const char *label_kind_word(enum label_kind k);       /* "labels", "main", "objects", "review" */
const char *label_kind_about(enum label_kind k);      /* a sentence for people */
const char *label_verdict_word(enum label_verdict v); /* "correct", ... */
const char *label_rule_word(enum label_rule r);       /* "labels", "main", "objects", "any", "strict", "lenient" */
const char *label_rule_about(enum label_rule r);
/* False: it is none. */
bool label_kind_of(struct sv word, enum label_kind *out);
bool label_verdict_of(struct sv word, enum label_verdict *out);
bool label_rule_of(struct sv word, enum label_rule *out);
/* Whether a source of that kind can be asked by the rule; and the rule that holds when none is named. */
bool label_rule_fits(enum label_kind k, enum label_rule r);
enum label_rule label_rule_usual(enum label_kind k);

/* ERR_INPUT (rule "label-name") unless 1 to 63 letters, digits, "-", "_", "."; no leading "."; not "set", which are
 * the set's own labels. */
enum err_code label_name_check(struct sv name, struct err *err);

/* A label of an image. */
struct label {
    uint32_t class_id;
    uint16_t cid;
    unsigned char verdict; /* enum label_verdict */
    bool main;
    int object;            /* -1: of none */
    int64_t votes;         /* -1: not known */
};
struct label_image { /* `first` and `n`: where its labels are in an array that the owner has */
    uint32_t image, first, n;
    bool problematic, partial, inferred;
    int main_object; /* -1: the one that has the main label */
};

struct label_book { /* images with their labels, in order; on the heap */
    struct label_image *images;
    struct label *labels;
    size_t n, n_labels, cap, cap_labels;
};
/* Appends an image without labels, and a label of the last image. The caller keeps to the limits above. */
struct label_image *label_book_image(struct label_book *b, uint32_t image);
struct label *label_book_label(struct label_book *b, uint32_t class_id, uint16_t cid);
void label_book_release(struct label_book *b);
/* Everything a book says, as bytes: equal books have equal ones. */
void label_book_pack(const struct label_book *b, struct str *out);

/* What an answer is to an image: bits. */
enum {
    SAID_CORRECT = 1,
    SAID_UNCLEAR = 2,
    SAID_WRONG = 4,
    SAID_DONTKNOW = 8,
    SAID_MAIN = 16,
    SAID_NAMES = 32,  /* the label of an object */
    SAID_OBJECT = 64, /* one of an object's labels */
    SAID_SET = 128,   /* the set's label */
    SAID_ALL = 255
};
/* The bits that make an answer right by the rule. */
unsigned char label_rule_bits(enum label_rule r);
/* Of each of an image's n labels, without SAID_SET. An object's label is the one with most votes, of several the one
 * with the smallest cid. */
void labels_said(const struct label *labels, uint32_t n, unsigned char *said);

struct label_objects {
    int objects;     /* how many */
    int main_object; /* -1: not known */
    int of_label;    /* the one that has the label `cid`; -1: none */
};
struct label_objects labels_objects(const struct label_image *image, const struct label *labels, uint16_t cid);
/* How many things an image shows that counts: objects, of reviews labels that are correct, else labels. */
uint32_t label_image_right(enum label_kind k, const struct label_image *image, const struct label *labels);
/* Whether answers about the image are counted by a source of that kind. */
bool label_image_counts(enum label_kind k, const struct label_image *image);

#endif
