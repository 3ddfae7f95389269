/* review_agreement.h - how far the reviewers of a label review agree, by what each said before seeing what others said
 * (store/labels/label_looks.h: firsts), and whether they say the same when an image is shown to them again. A verdict is
 * correct, unclear or wrong, one as far from another as a third; "don't know" counts as nothing said. Intervals of
 * coefficients are at 95 % from AGREEMENT_DRAWS bootstrap samples of images, so that labels of one image stay together. */
#ifndef EXPERTS_REVIEW_AGREEMENT_H
#define EXPERTS_REVIEW_AGREEMENT_H

#include "record/record.h"
#include "store/labels/label_looks.h"

enum {
    AGREEMENT_DRAWS = 1000,
    AGREEMENT_SEED = 1,
    AGREEMENT_PAIRED = 64, /* pairs are made of the first so many reviewers */
    AGREEMENT_PARTS = 10   /* of what one reviewed, over time */
};

/* Which images count. Who is shown what a model suggests agrees with it more often, and so with others who were shown it. */
enum agreement_about { AGREEMENT_UNPROMPTED, AGREEMENT_ALL, AGREEMENT_ABOUTS }; /* without a shown suggestion; all */
const char *agreement_about_word(enum agreement_about about); /* "hidden", "all" */
/* Empty: hidden. ERR_INPUT (rule "agreement-suggestions"). */
enum err_code agreement_about_find(struct sv word, enum agreement_about *out, struct err *err);

struct agreement_figure {    /* over all reviewers */
    const char *of, *figure; /* "verdicts", "problematic"; "fleiss", "krippendorff" (stats/raters.h) */
    int64_t people, items;   /* the most who judged an item; labels, or images, that it is about */
    double value, lo, hi;    /* NAN: there is none */
};
struct agreement_pair {
    struct sv first, second; /* people, as in agreement_time */
    int64_t labels, alike;   /* that both judged; that they judged alike */
    double share, kappa, lo, hi; /* share in percent; Cohen's kappa */
};
struct agreement_class {     /* labels of one class that at least two judged */
    struct sv wnid, synset;
    int64_t labels, alike;   /* alike: everybody said the same */
    double share, shrunk, lo, hi; /* in percent; shrunk towards what all classes have in common (stats/shrink.h), 95 % */
    double alpha;            /* Krippendorff's; NAN: there is none */
};
struct agreement_time {      /* one reviewer's verdicts against those of each other one */
    struct sv person;        /* a login; "imported", "forgotten 2" */
    int64_t part, parts;     /* of their images in the order in which they reviewed them; 0: all of them */
    int64_t images, from, to; /* from, to: when the first and the last was saved, ms */
    int64_t pairs, alike;    /* verdicts beside another reviewer's of the same label; those that are the same */
    double share, lo, hi;    /* in percent, with images as clusters (stats/cluster.h) */
};
struct agreement_repeat {
    struct sv person;        /* "everybody": all of them together */
    int64_t images, labels, alike; /* with a verdict both times; with the same */
    double share, lo, hi, kappa;
};
struct review_agreement {
    struct label_review_row row;
    const char *suggestions; /* which images count: a word of agreement_about */
    int64_t left_out;        /* first looks at images that do not count */
    int64_t draws, seed;
    int64_t people, looks, images, labels; /* first looks; images and labels that at least two people judged */
    struct agreement_figure *figures;
    size_t n_figures;
    struct agreement_pair *pairs;
    size_t n_pairs;
    struct agreement_class *classes; /* least agreement first, by the shrunk share */
    size_t n_classes;
    struct agreement_time *times;    /* by person and part */
    size_t n_times;
    struct agreement_repeat *repeats;
    size_t n_repeats;
};
extern const struct record review_agreement_record;

/* THE table of its lists: a CSV of each. */
struct agreement_list {
    const char *word, *about; /* "figures", ...; of what it is */
    const struct record *record;
    size_t at, count;         /* in struct review_agreement */
};
enum { AGREEMENT_LISTS = 5 };
extern const struct agreement_list agreement_lists[AGREEMENT_LISTS];
/* Empty: the figures. ERR_INPUT (rule "agreement-list"). */
enum err_code agreement_list_find(struct sv word, const struct agreement_list **out, struct err *err);
const void *agreement_list_rows(const struct review_agreement *g, const struct agreement_list *list, size_t *n);

/* Leads alone may see it. In the arena; the same for the same looks. */
enum err_code review_agreement_read(struct db *db, const struct label_review_row *r, enum agreement_about about, struct arena *a,
                                    struct review_agreement *out, struct err *err);
/* The times alone, for which nothing is drawn. */
enum err_code review_agreement_times(struct db *db, const struct label_review_row *r, enum agreement_about about, struct arena *a,
                                     struct review_agreement *out, struct err *err);

#endif
