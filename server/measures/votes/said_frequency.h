/* said_frequency.h - how often people find in an image what a model says is in it: the selection frequency of the top-1
 * prediction, beside that of the set's label (Tsipras et al. 2020, figures 8 and 9).
 *
 * A frequency is known where people were asked about the image and that class (a view counts an answer). Images of which
 * it is not known are left out and counted, and so are those that a sealed revision has. Intervals, 95 %: percentiles of
 * the mean over resamples of the images, those of rank floor(.025 (B - 1)) and ceil(.975 (B - 1)) from 0; each line has
 * its own draws, and the same seed gives the same on any number of threads. */
#ifndef MEASURES_SAID_FREQUENCY_H
#define MEASURES_SAID_FREQUENCY_H

#include "domain/votes/histogram.h"
#include "live/votes/view_count.h"
#include "measures/scores/model_scores.h"
#include "record/record.h"
#include "stats/binomial.h"

enum { SAID_RESAMPLES = 10000, SAID_RESAMPLES_MOST = 100000, SAID_SEED = 1 };

struct said_ask {
    const struct revision_row *revision;
    const struct subset *subset; /* NULL: all images */
    const struct view_counts *votes;
    int64_t view;                /* version of the view that counted them, for said_frequencies_key */
    const struct model_row *models;
    size_t n_models;
    uint32_t resamples; /* at least 1 */
    uint64_t seed;
    unsigned threads;
};
struct said_line { /* of the set's labels, then of each model with predictions about the set */
    struct sv model;             /* empty: the labels */
    uint32_t images;             /* with a label or prediction */
    uint32_t asked;              /* of them, those of which people were asked about what is said: all that follows is of these */
    struct proportion frequency; /* mean, 0 to 1; NAN without such images */
    uint32_t others;             /* of these, what is said is not the label */
    double others_frequency;     /* their mean; NAN: none */
    uint32_t bins[HISTOGRAM_BINS]; /* the others by frequency */
};
struct said_frequencies { /* in the caller's arena */
    struct said_line *lines;
    size_t n_lines;
    uint32_t sealed;             /* images left out because a sealed revision has them */
};
/* ERR_DENIED (rule "set-sealed") for a revision on which models may not be scored. */
enum err_code said_frequencies_make(struct model_scores *s, struct db *db, const struct said_ask *ask, struct arena *a,
                                    struct said_frequencies *out, struct err *err);
/* Stands for all that the result depends on. */
enum err_code said_frequencies_key(struct model_scores *s, struct db *db, const struct said_ask *ask, uint64_t *out, struct err *err);
void said_frequencies_copy(const struct said_frequencies *from, struct arena *a, struct said_frequencies *out);
/* A said_line: model, images, asked, frequency, frequency_lo, frequency_hi, others, others_frequency, others_0 to
 * others_4. */
extern const struct record said_line_record;

#endif
