/* people_gap.h - people against models on the same images, and whether people lose less between two sets than models do
 * (Shankar et al. 2020, section 5). A person is a prediction source like a model (its `group` is PEOPLE_GROUP), so both
 * are right by the same labels; what is compared are first answers.
 *
 * A majority's answer is the class that most of its members say first, of several the one with the lowest index. Images
 * that a sealed revision has are in no count; nor are those that one of the members has not predicted. */
#ifndef MEASURES_PEOPLE_GAP_H
#define MEASURES_PEOPLE_GAP_H

#include "measures/scores/model_scores.h"
#include "record/record.h"
#include "stats/paired.h"
#include "stats/raters.h"

#define PEOPLE_GROUP "people"
enum { PEOPLE_SETS = 2 };
enum { PEOPLE_MEAN = 0, PEOPLE_MAJORITY = -1 }; /* in place of a model's id: the mean of its side, its majority */

struct people_gap_ask {
    const struct revision_row *sets[PEOPLE_SETS]; /* originals, new; NULL: there is none; at least one is there */
    const struct subset *subsets[PEOPLE_SETS];    /* images, and by which labels */
    const int64_t *people, *models;               /* models' ids; at least one each */
    size_t n_people, n_models;
};
struct people_pair {                /* one of the people's side and one of the models' on a set */
    struct paired_counts counts;    /* first: the person; nothing of means */
    double p;                       /* McNemar's exact test; NAN of means */
    struct proportion difference;   /* person minus model, -1 to 1: Newcombe's paired interval, of means by Student's t over
                                       images, 95 % */
};
struct people_line {
    int64_t person, model;          /* ids, or PEOPLE_MEAN of both, or PEOPLE_MAJORITY */
    struct people_pair on[PEOPLE_SETS];
    struct proportion change;       /* the models' drop less the people's, which is the difference on the new set less that on
                                       the originals: above 0, people lose less; NAN with one set */
};
struct people_set {
    uint32_t images, sealed;        /* that are compared; that are not because a sealed revision has them */
    uint32_t unanswered;            /* nor because somebody has not predicted them */
    uint32_t people_missed, models_missed, all_missed; /* images about which all of the people, of the models, of both are wrong */
    struct raters_agreement people, models; /* Krippendorff's alpha of their first answers, 95 % */
};
struct people_gap {                 /* in the caller's arena */
    struct people_set on[PEOPLE_SETS];
    struct people_line *lines;      /* the means; the majorities of both; each majority with each of the other side; each with each */
    size_t n;
};
/* ERR_DENIED (rule "set-sealed"). The same `seed` gives the same intervals of agreement. */
enum err_code people_gap_make(struct model_scores *s, struct db *db, const struct people_gap_ask *ask, uint64_t seed, struct arena *a,
                              struct people_gap *out, struct err *err);

#endif
