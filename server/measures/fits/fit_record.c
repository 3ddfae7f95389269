/* fit_record.c - a fit as JSON, and its points as CSV. */
#include <math.h>

#include "measures/fits/fit.h"

struct excluded {
    struct sv model;
    const char *reason;
};
#define OF(member) RECORD_OF(struct excluded, member)
static RECORD(excluded_record, struct excluded, "fit_excluded", "A model that the line is not fitted to.",
              {"model", OF(model), .about = "The model's name."}, {"reason", OF(reason), .about = "Why."});
#undef OF

#define OF(member) RECORD_OF(struct fit_family, member)
static RECORD(family_record, struct fit_family, "fit_family", "The line without the models of one family.",
              {"family", OF(family), .about = "The family's name, or that of a model without one."},
              {"n_models", OF(n_models), .about = "Models of the family."},
              {"slope", OF(line.slope), .maybe = true, .about = "Slope without them; null: the others have no line."},
              {"offset", OF(line.offset), .maybe = true, .about = "Offset without them."});
#undef OF

struct printed_piece {
    const char *side;
    size_t n;
    double r2, slope, offset, slope_lo, slope_hi, offset_lo, offset_hi;
};
#define OF(member) RECORD_OF(struct printed_piece, member)
static RECORD(piece_record, struct printed_piece, "fit_piece", "The line on one side of a pivot.",
              {"side", OF(side), .about = "below or above: through models up to the pivot's accuracy on the originals, or from it on."},
              {"n_models", OF(n), .about = "Models of this line."},
              {"slope", OF(slope), .about = "Its slope."},
              {"offset", OF(offset), .about = "Its offset."},
              {"r2", OF(r2), .maybe = true, .about = "Share of the variance that it explains."},
              {"slope_lo", OF(slope_lo), .maybe = true, .about = "Lower bound of the slope: 2.5 % percentile of resamples over models."},
              {"slope_hi", OF(slope_hi), .maybe = true, .about = "Upper bound: 97.5 %."},
              {"offset_lo", OF(offset_lo), .maybe = true, .about = "Lower bound of the offset."},
              {"offset_hi", OF(offset_hi), .maybe = true, .about = "Upper bound of the offset."});
#undef OF

struct printed {
    struct fit_record_row row;
    struct fit_found found;
    const char *scale, *over;
    double r2;
    double bend, bend_lo, bend_hi;
    double drift, drift_lo, drift_hi;
    struct excluded *excluded;
    size_t n_excluded;
    struct printed_piece pieces[FIT_SIDES];
    const struct printed_piece *rows; /* `pieces` */
};
#define OF(member) RECORD_OF(struct printed, member)
RECORD(
    fit_record, struct printed, "fit", "A line through models' accuracies on a new set against those on the originals.",
    {"dataset", OF(row.dataset), .maybe = true, .absent = true, .about = "The new set."},
    {"topk", OF(row.top), .maybe = true, .absent = true, .about = "1: top-1 accuracies; 5: top-5."},
    {"models", OF(row.models), .about = "Which models: all, or all but some."},
    {"n_models", OF(found.line.n), .about = "Models of the line."},
    {"scale", OF(scale), .about = "linear: percent; probit, logit: of the share that is right."},
    {"slope", OF(found.line.slope), .about = "Slope, by ordinary least squares."},
    {"offset", OF(found.line.offset), .about = "Offset; in percentage points on the linear scale."},
    {"r2", OF(r2), .maybe = true, .about = "Share of the variance that the line explains; null: the new set has none."},
    {"slope_lo", OF(found.range.slope.lo), .maybe = true, .about = "Lower bound of the slope: 2.5 % percentile of the resamples."},
    {"slope_hi", OF(found.range.slope.hi), .maybe = true, .about = "Upper bound: 97.5 %."},
    {"offset_lo", OF(found.range.offset.lo), .maybe = true, .about = "Lower bound of the offset."},
    {"offset_hi", OF(found.range.offset.hi), .maybe = true, .about = "Upper bound of the offset."},
    {"over", OF(over), .about = "What the bootstrap drew: models, images, both or families."},
    {"resamples", OF(found.resamples), .about = "Resamples of the bootstrap."},
    {"resamples_left_out", OF(found.range.left_out), .about = "Those of them that have no line."},
    {"seed", OF(found.seed), .about = "Seed of the draws."},
    {"r", OF(found.line.r), .maybe = true, .about = "Pearson's correlation on the scale."},
    {"slope_error", OF(found.line.slope_error), .maybe = true, .about = "Standard error of the slope."},
    {"offset_error", OF(found.line.offset_error), .maybe = true, .about = "Standard error of the offset."},
    {"bend", OF(bend), .maybe = true, .about = "Quadratic term of a parabola through the points; below 0: diminishing returns."},
    {"bend_lo", OF(bend_lo), .maybe = true, .about = "Lower bound of bend: 95 %, Student's t."},
    {"bend_hi", OF(bend_hi), .maybe = true, .about = "Upper bound of bend."},
    {"n_years", OF(found.n_years), .about = "Models of the line whose year is known (model facts)."},
    {"per_year", OF(drift), .maybe = true, .about = "Slope of the residuals against the years of their models, on the scale; above 0: later models lie above the line."},
    {"per_year_lo", OF(drift_lo), .maybe = true, .about = "Lower bound of per_year: 95 %, Student's t."},
    {"per_year_hi", OF(drift_hi), .maybe = true, .about = "Upper bound of per_year."},
    {"spearman", OF(found.spearman), .maybe = true, .about = "Spearman's rank correlation of both accuracies."},
    {"kendall", OF(found.kendall), .maybe = true, .about = "Kendall's tau-b of both accuracies."},
    {"excluded", RECORD_ROWS(struct printed, excluded, n_excluded), .of = &excluded_record, .about = "Models without a part in the line."},
    {"pivot", OF(found.pivot), .maybe = true, .about = "The model at which one line ends and another begins; null: there is one line."},
    {"pieces", RECORD_ROWS(struct printed, rows, found.n_pieces), .of = &piece_record, .about = "The lines on both sides of the pivot, against which models are held; none without one."},
    {"families", RECORD_ROWS(struct printed, found.families, found.n_families), .of = &family_record, .about = "The line without each family; none unless models are said to be of two or more."});
#undef OF

static void list_excluded(struct printed *p, struct arena *a)
{
    p->excluded = arena_calloc(a, p->found.n_points + 1, sizeof *p->excluded);
    for (size_t i = 0; i < p->found.n_points; i++) {
        const struct fit_point *point = &p->found.points[i];
        if (point->left_out) {
            p->excluded[p->n_excluded++] = (struct excluded){point->model, point->left_out};
        }
    }
}

static void list_pieces(struct printed *p)
{
    static const char *const sides[FIT_SIDES] = {[FIT_BELOW] = "below", [FIT_ABOVE] = "above"};
    p->rows = p->pieces;
    for (size_t i = 0; i < p->found.n_pieces; i++) {
        const struct fit_piece *one = &p->found.pieces[i];
        p->pieces[i] = (struct printed_piece){.side = sides[i],
                                              .n = one->n,
                                              .r2 = one->line.r * one->line.r,
                                              .slope = one->line.slope,
                                              .offset = one->line.offset,
                                              .slope_lo = one->range.slope.lo,
                                              .slope_hi = one->range.slope.hi,
                                              .offset_lo = one->range.offset.lo,
                                              .offset_hi = one->range.offset.hi};
    }
}

/* In place: what is listed may lie in it. */
static void print_fit(const struct fit_record_row *row, struct arena *a, struct printed *p)
{
    const double none = (double)NAN;
    const struct fit_found *f = row->found;
    *p = (struct printed){.row = *row,
                        .found = *f,
                        .scale = share_scale_word(f->scale),
                        .over = fit_over_word(f->over),
                        .r2 = f->line.r * f->line.r,
                        .bend = f->bends ? f->bend.term : none,
                        .bend_lo = f->bends ? f->bend.range.lo : none,
                        .bend_hi = f->bends ? f->bend.range.hi : none,
                        .drift = f->drifts ? f->drift.slope : none,
                        .drift_lo = f->drifts ? f->drift_range.lo : none,
                        .drift_hi = f->drifts ? f->drift_range.hi : none};
    list_excluded(p, a);
    list_pieces(p);
}

json_t *fit_json(const struct fit_record_row *row, struct arena *a)
{
    struct printed p;
    print_fit(row, a, &p);
    return record_json(&fit_record, &p);
}

void fit_csv_cells(const struct fit_record_row *row, struct arena *a, struct str *out)
{
    struct printed p;
    print_fit(row, a, &p);
    record_csv_cells(&fit_record, &p, out);
}

#define OF(member) RECORD_OF(struct fit_residual, member)
RECORD(fit_residual_record, struct fit_residual, "fit_residual", "A model and the line.",
       {"model", OF(model), .about = "The model's name."},
       {"x", OF(x), .about = "Accuracy on the originals in percent."},
       {"y", OF(y), .about = "Accuracy on the new set in percent."},
       {"used", OF(used), .about = "Whether the line is fitted to it."},
       {"fitted", OF(fitted), .maybe = true, .about = "Accuracy on the line in percent."},
       {"fitted_lo", OF(fitted_lo), .maybe = true, .about = "Lower bound of the mean of such models: 95 %."},
       {"fitted_hi", OF(fitted_hi), .maybe = true, .about = "Upper bound."},
       {"residual", OF(residual), .maybe = true, .about = "y minus the line, on the scale."},
       {"effective_robustness", OF(robustness), .maybe = true, .about = "y minus fitted, in percentage points."});
#undef OF

struct fit_residual *fit_residuals(const struct fit_found *found, struct arena *a, size_t *n)
{
    struct fit_residual *list = arena_calloc(a, found->n_points + 1, sizeof *list);
    *n = 0;
    for (size_t i = 0; i < found->n_points; i++) {
        const struct fit_point *p = &found->points[i];
        if (!isnan(p->x) && !isnan(p->y)) {
            list[(*n)++] =
                (struct fit_residual){p->model,           !p->left_out,       100 * p->x,  100 * p->y,   100 * p->fitted,
                                      100 * p->band.lo, 100 * p->band.hi, p->residual, p->robustness};
        }
    }
    return list;
}

/* The band as bounds of the value on the line. */
#define OF(member) RECORD_OF(struct fit_residual, member)
static RECORD(printed_residual_record, struct fit_residual, "printed_residual", "A model's line as it is printed.",
              {"Model", OF(model)},
              {"On the originals", OF(x), RECORD_ROUNDED},
              {"On the new set", OF(y), RECORD_ROUNDED},
              {"On the line", OF(fitted), RECORD_ROUNDED, .maybe = true, RECORD_BOUNDS(struct fit_residual, fitted_lo, fitted_hi)},
              {"Residual", OF(residual), .maybe = true, .decimals = 3, .plus = true},
              {"Effective robustness", OF(robustness), RECORD_ROUNDED, .maybe = true, .plus = true},
              {"Fitted to it", OF(used)});
#undef OF

static void add_residual_caption(const struct fit_found *f, enum record_table as, struct str *out)
{
    struct str text;
    str_init(&text, out->max);
    str_printf(&text, "Accuracy in percent, beside the line on the %s scale", share_scale_word(f->scale));
    if (f->n_pieces) {
        str_printf(&text, ", one below " SV_FMT " and one from it on", SV_ARG(f->pivot));
    } else {
        str_printf(&text, ", slope %.4g and offset %.4g", f->line.slope, f->line.offset);
    }
    str_addz(&text, ". On the line: with 95 % bounds of the mean of such models. Residual: accuracy minus the line, on the scale; effective "
                    "robustness: the same in points.");
    record_table_caption(as, str_sv(&text), out);
    str_release(&text);
}

void fit_residuals_write(const struct fit_found *found, enum record_table as, struct arena *a, struct str *out)
{
    size_t n;
    const struct fit_residual *list = fit_residuals(found, a, &n);
    bool csv = as == RECORD_TABLE_CSV;
    record_table(csv ? &fit_residual_record : &printed_residual_record, as, list, n, out);
    if (!csv) {
        add_residual_caption(found, as, out);
    }
}
