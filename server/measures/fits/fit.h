/* fit.h - a straight line through models' accuracies on a new set against those on the originals: how sure it is, whether
 * it bends, whether both sets rank models alike, and how far each model lies above it (effective robustness, Taori et
 * al. 2020). From points; set_fit.h makes them of two sets. */
#ifndef MEASURES_FIT_H
#define MEASURES_FIT_H

#include "base/arena.h"
#include "base/err.h"
#include "record/record.h"
#include "stats/line.h"
#include "stats/line_bootstrap.h"

/* At least so many models have to be left for a line that says anything. */
enum { FIT_LEAST = 3, FIT_RESAMPLES = 100000, FIT_SEED = 1 /* unless others are asked for */ };

enum fit_over { FIT_MODELS, FIT_IMAGES, FIT_BOTH, FIT_FAMILIES }; /* what the bootstrap draws */
/* "models", "images", "both", "families". */
const char *fit_over_word(enum fit_over over);
bool fit_over_read(struct sv word, enum fit_over *out);

struct fit_point { /* a model */
    struct sv model;
    double x, y;             /* accuracies on the originals and on the new set, 0 to 1; NAN: not known */
    struct sv family;        /* empty: a family of its own */
    int64_t year;            /* when it was published; 0: not known */
    const char *left_out;    /* why the line is not fitted to it; NULL: it is */
    /* Filled in by fit_points. */
    double fitted;           /* accuracy on the line, 0 to 1; NAN where x has no place on the scale */
    struct interval band;    /* where the mean accuracy of models like it is, 95 %; NAN as fitted, or without spread */
    double residual;         /* y minus the line, on the scale; NAN where x or y has no place */
    double robustness;       /* effective robustness: y - fitted, in percentage points */
};
/* Two lines in place of one: through the models up to the pivot's accuracy on the originals, and through those from it on:
 * accuracies on a set that was chosen against a model bend there, as those on ImageNet-A do (Taori et al. 2020). */
enum fit_side { FIT_BELOW, FIT_ABOVE, FIT_SIDES };
struct fit_piece {
    size_t n;                /* models of the line; the pivot is one of both where it is one of any */
    struct line line;
    struct bootstrap_found range; /* over models; NAN without resamples */
};
struct fit_ask {
    enum share_scale scale;
    enum fit_over over;
    struct sv pivot;         /* a model; empty: one line */
    struct bootstrap_ask bootstrap; /* resamples 0: none; ranges are NAN */
};
struct fit_family { /* the line without its models */
    struct sv family;
    size_t n_models;
    struct line line;        /* slope and offset NAN: the others have none */
};
struct fit_found {
    enum share_scale scale;
    enum fit_over over;
    struct fit_point *points; /* as given */
    size_t n_points;
    struct line line;        /* offset in percent on SHARE_LINEAR */
    bool bends;              /* `bend` is known */
    struct line_bend bend;
    size_t n_years;          /* models of the line whose year is known */
    bool drifts;             /* `drift` is known: at least FIT_LEAST of them, of several years */
    struct line drift;       /* of residuals against years */
    struct interval drift_range; /* of its slope */
    double spearman, kendall; /* of the models of the line; NAN: one of the sets has one accuracy only */
    struct bootstrap_found range;
    uint32_t resamples;
    uint64_t seed;
    struct sv pivot;         /* as asked */
    double pivot_at;         /* its accuracy on the originals, on the scale */
    size_t n_pieces;         /* FIT_SIDES with a pivot, else 0 */
    struct fit_piece pieces[FIT_SIDES]; /* what points are then held against, in place of `line` */
    struct fit_family *families; /* the line without each; none unless two or more are said */
    size_t n_families;
};
/* Leaves out points without a place on the scale (`left_out` is set in place), fits the line to the others and fills in
 * what it says of all of them. `images`: right answers of the points in their order, for FIT_IMAGES and FIT_BOTH, of
 * which those are taken that the line is fitted to; NULL for the others. Lists are in the arena.
 * ERR_NOT_FOUND: rule "pivot", no point is of that model, or its accuracy on the originals has no place on the scale.
 * ERR_INPUT: rule "fit-few", fewer than FIT_LEAST points are left, of one side of the pivot, too; "fit-flat", all have the same accuracy on the
 * originals; "fit-families", families are to be drawn, and none is
 * said of any of them, or all are of one. */
enum err_code fit_points(const struct fit_ask *ask, struct fit_point *points, size_t n,
                         const struct bootstrap_images *images, struct arena *a, struct fit_found *out, struct err *err);

/* What is printed of a fit, with what the caller knows of where it comes from. */
struct fit_record_row {
    const char *dataset;     /* the new set; "": points of a file */
    int top;                 /* 0: not known */
    const char *models;      /* which ones, in words */
    const struct fit_found *found;
};
/* "dataset", "topk", ... as published tables of fits have them, then the rest; new reference. */
json_t *fit_json(const struct fit_record_row *row, struct arena *a);
extern const struct record fit_record;
/* Its cells of a line of CSV; the names are those of fit_record. */
void fit_csv_cells(const struct fit_record_row *row, struct arena *a, struct str *out);
/* What the line says of a model: percent and percentage points, but for the residual. */
struct fit_residual {
    struct sv model;
    bool used;
    double x, y, fitted, fitted_lo, fitted_hi, residual, robustness;
};
extern const struct record fit_residual_record;
/* Of each point, but for those of unknown accuracy. */
struct fit_residual *fit_residuals(const struct fit_found *found, struct arena *a, size_t *n);
/* A line for each of them; printed, with a caption that says of which line. */
void fit_residuals_write(const struct fit_found *found, enum record_table as, struct arena *a, struct str *out);

#endif
