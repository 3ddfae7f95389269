/* figures.h - the papers' figures of numbers that measures/ made: models on two sets with the line through them, accuracy
 * by selection frequency, accuracy by revision, images by how many objects or labels they have, models on classes that people
 * confuse. Pages and reports draw the same. Knows nothing of where numbers come from, of requests or of files.
 *
 * Texts are borrowed; the chart is in the arena. `empty` of every figure: a sentence shown in place of the data, which
 * are then not looked at; NULL: there are data. Shares go from 0 to 1; NAN: not known, not drawn. */
#ifndef FIGURES_FIGURES_H
#define FIGURES_FIGURES_H

#include "chart/svg.h"
#include "domain/votes/histogram.h"
#include "measures/fits/difficulty_rows.h"
#include "measures/fits/fit.h"
#include "measures/objects/candidate_rows.h"
#include "measures/objects/object_answers.h"
#include "measures/votes/adjusted_gap.h"
#include "stats/binomial.h"

struct figure_text {
    const char *title, *description, *empty;
};

/* ---- models on two sets ---- */

struct figure_model {
    const struct fit_point *point;
    struct sv group;               /* what its colour says; empty: not said */
    struct interval ci;            /* of point->y */
};
struct figure_fit {
    const char *original, *fresh;  /* names of the sets, as axes have them */
    int top;                       /* 0: the names say it */
    const char *part;              /* of the images, as in "Images: ..."; NULL: all */
    const char *nameless;          /* what a colour is called where nothing is said */
    enum share_scale scale;
    const struct figure_model *models;
    size_t n;                      /* 0: no model has predicted both sets */
    const struct fit_found *found; /* NULL: there is no line */
};
/* Points with the interval of their accuracy on the new set, the line with the 95 % band of its mean from the least to the
 * most accurate of them, and where both sets are alike. */
struct chart *figure_fit(struct arena *a, const struct figure_fit *f);

/* ---- solutions of a probit line ---- */

/* The spread of the new set and the shift over the spread of the originals, with their bands, which are cut where the axis
 * ends; `marked`, whose mark is a label here: a solution that is pointed out, NULL: none. */
struct chart *figure_difficulty(struct arena *a, const struct figure_text *text, const struct difficulty_row *rows, size_t n,
                                const struct difficulty_row *marked);

/* ---- by selection frequency ---- */

struct figure_bars {
    const char *name;
    struct proportion at[HISTOGRAM_BINS];
};
/* Corrected for few answers, of one side of a model, or of the mean. */
struct figure_bars figure_bars_corrected(const char *name, const struct adjusted_gap *g, const struct adjusted_line *of, int side);
struct chart *figure_bins(struct arena *a, const struct figure_text *text, const struct figure_bars *bars, size_t n);

/* ---- by how many of something images have ---- */

enum { FIGURE_NUMBERS_MOST = 40 }; /* told apart; images with more are with these */
struct figure_numbers {
    const char *name;                 /* of what is counted */
    const struct histogram_row *rows; /* of some images, all of which are in one of them */
    size_t n;
};
/* A bar for each number from 0, the share of the series' images that have so many, with its interval (Clopper and Pearson);
 * `of` is what the axis says. Tsipras et al. 2020: Figure 11, of potential labels, Figure 22b, of labels that were ticked. */
struct chart *figure_numbers(struct arena *a, const struct figure_text *text, const char *of, const struct figure_numbers *series, size_t n);

/* ---- pairs of classes that people confuse ---- */

/* A point for each model: how often it is right on the images of all pairs, and of its answers that are either class, by how often
 * it is right on all images, with intervals (Clopper and Pearson); where chance is. Tsipras et al. 2020: Figure 7b. */
struct chart *figure_pairs(struct arena *a, const struct figure_text *text, const struct confusing_model *models, size_t n);

/* ---- by revision ---- */

struct figure_line { /* of one model */
    const char *name;
    const struct proportion *at; /* by revision */
};
/* `numbers` are the revisions' texts on the axis, `set` is whose they are. */
struct chart *figure_revisions(struct arena *a, const struct figure_text *text, const char *set, const char *const *numbers,
                               size_t n_revisions, const struct figure_line *lines, size_t n);

#endif
