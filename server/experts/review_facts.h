/* review_facts.h - how far a label review is: for its page, the API and the command line. */
#ifndef EXPERTS_REVIEW_FACTS_H
#define EXPERTS_REVIEW_FACTS_H

#include "experts/eligible.h"
#include "experts/review_found.h"
#include "measures/scores/label_rows.h"
#include "record/record.h"
#include "live/labels/review_books.h"
#include "stats/binomial.h"
#include "store/labels/label_suggestions.h"

/* Which share of the images of the random arm is like this, with its interval (Clopper-Pearson, 95 %). NAN without any. */
struct review_rate {
    const char *what;   /* "set-label-wrong", "problematic", "several-correct" */
    int64_t images, of;
    double share, lo, hi; /* in percent */
};
/* Whether a model's suggestion that people see changes what they say: how often what is suggested was called correct where it
 * was shown, where it was hidden, and the difference. Shares with Wilson's intervals, the difference with Newcombe's (1998,
 * method 10), in percent and points; NAN without images. */
struct review_anchoring {
    struct label_agreement row;
    const char *who; /* a login; "first reviewers": of every image its first reviewer */
    struct proportion shown, hidden, difference;
};
enum { REVIEW_RATES = 3 };
struct review_facts {
    struct label_review_row row;
    int64_t done, begun; /* images that enough people, that any has reviewed */
    int64_t drawn;       /* images of the random arm */
    const char *models;  /* whose answers it asks about: names with commas between them */
    int64_t n_models;
    const char *sources, *candidates; /* versions of label sources and plans that it asks about, in the same way; NULL: none */
    struct review_rate rates[REVIEW_RATES];
    const struct review_rate *rate_rows; /* those */
    size_t n_rates;
    struct review_found *found; /* of a list by likely errors */
    size_t n_found;
    int64_t repeats_both, repeats_same; /* labels with a verdict both times, and those with the same */
    struct label_reviewer_row *people;
    size_t n_people;
    struct eligible eligible;
    struct eligibility *eligible_rows; /* those of eligible */
    size_t n_eligible;
    struct review_anchoring *anchoring; /* of a list without suggestions none */
    size_t n_anchoring;
    struct label_open_item *disputes;
    size_t n_disputes;
    struct label_problem *problems;
    size_t n_problems;
    struct multilabel_table scores; /* by what was said so far, rows only of reviewed images */
    struct multilabel_row *rows;    /* those of scores */
    size_t n_rows;
    const char *why;     /* there are no scores; NULL: there are */
};
extern const struct record review_summary_record, review_facts_record, review_anchoring_record;
/* In the arena. */
enum err_code review_anchoring_read(struct db *db, const struct label_review_row *r, struct arena *a, struct review_anchoring **out,
                                    size_t *n, struct err *err);
/* Everything; leads alone may see it. In the arena. */
enum err_code review_facts_read(struct db *db, struct model_scores *scores, const struct label_review_row *r, struct arena *a,
                                struct review_facts *out, struct err *err);
/* Without people, problems, rates and scores. */
enum err_code review_summary_read(struct db *db, const struct label_review_row *r, struct arena *a, struct review_facts *out,
                                  struct err *err);

#endif
