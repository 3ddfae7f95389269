/* fit.c - which points count, the line through them, its bootstrap, and what it says of each point. */
#include "measures/fits/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/xalloc.h"
#include "stats/rank.h"

#define ALPHA 0.05
static const struct bootstrap_found no_range = {.slope = {(double)NAN, (double)NAN}, .offset = {(double)NAN, (double)NAN}};

struct fit {
    const struct fit_ask *ask;
    struct fit_point *points;
    size_t n_points;
    size_t n;                /* points of the line */
    size_t *at;              /* which */
    double *x, *y;           /* their places */
    uint32_t *family;        /* theirs */
    struct sv *families;     /* names */
    size_t n_families;
    struct arena *a;
};

static const char *const over_words[] = {
    [FIT_MODELS] = "models", [FIT_IMAGES] = "images", [FIT_BOTH] = "both", [FIT_FAMILIES] = "families"};

const char *fit_over_word(enum fit_over over)
{
    return over_words[over];
}

bool fit_over_read(struct sv word, enum fit_over *out)
{
    for (int i = FIT_MODELS; i <= FIT_FAMILIES; i++) {
        if (sv_is(word, over_words[i])) {
            *out = (enum fit_over)i;
            return true;
        }
    }
    return false;
}

/* ---- which points ---- */

static const char *placeless(const struct fit *f, const struct fit_point *p)
{
    bool on_x = share_scale_takes(f->ask->scale, p->x);
    if (on_x && share_scale_takes(f->ask->scale, p->y)) {
        return NULL;
    }
    return arena_printf(f->a, "%.0f %% on the %s has no place on the %s scale", 100 * (on_x ? p->y : p->x),
                        on_x ? "new set" : "originals", share_scale_word(f->ask->scale));
}

static enum err_code choose_points(struct fit *f, struct err *err)
{
    f->at = arena_calloc(f->a, f->n_points + 1, sizeof *f->at);
    f->x = arena_calloc(f->a, f->n_points + 1, sizeof *f->x);
    f->y = arena_calloc(f->a, f->n_points + 1, sizeof *f->y);
    for (size_t i = 0; i < f->n_points; i++) {
        struct fit_point *p = &f->points[i];
        p->left_out = p->left_out ? p->left_out : placeless(f, p);
        if (!p->left_out) {
            f->x[f->n] = share_scale_at(f->ask->scale, p->x);
            f->y[f->n] = share_scale_at(f->ask->scale, p->y);
            f->at[f->n++] = i;
        }
    }
    for (size_t i = 0; i < f->n_points && f->n < FIT_LEAST; i++) {
        if (f->points[i].left_out) {
            return err_rule(err, ERR_INPUT, "fit-few",
                            "A line needs at least %d models, and %zu of %zu are left. Left out, for example: " SV_FMT " (%s).",
                            FIT_LEAST, f->n, f->n_points, SV_ARG(f->points[i].model), f->points[i].left_out);
        }
    }
    return f->n < FIT_LEAST ? err_rule(err, ERR_INPUT, "fit-few", "A line needs at least %d models, and there %s %zu.",
                                       FIT_LEAST, f->n == 1 ? "is" : "are", f->n)
                            : OK;
}

/* Numbers families in the order of their first point. */
static void number_families(struct fit *f)
{
    struct map_sv numbers;
    map_sv_init(&numbers);
    f->family = arena_calloc(f->a, f->n, sizeof *f->family);
    f->families = arena_calloc(f->a, f->n, sizeof *f->families);
    for (size_t i = 0; i < f->n; i++) {
        const struct fit_point *p = &f->points[f->at[i]];
        uint32_t next = (uint32_t)f->n_families;
        f->family[i] = p->family.n ? map_sv_put(&numbers, p->family, next) : next;
        if (f->family[i] == next) {
            f->families[f->n_families++] = p->family.n ? p->family : p->model;
        }
    }
    map_sv_release(&numbers);
}

/* ---- how sure ---- */

static struct fit_family without(const struct fit *f, uint32_t family, double *x, double *y)
{
    struct fit_family out = {.family = f->families[family]};
    size_t n = 0;
    for (size_t i = 0; i < f->n; i++) {
        if (f->family[i] == family) {
            out.n_models++;
        } else {
            x[n] = f->x[i];
            y[n++] = f->y[i];
        }
    }
    if (!line_fit(x, y, n, &out.line)) {
        out.line = (struct line){.slope = (double)NAN, .offset = (double)NAN};
    }
    return out;
}

static bool any_family(const struct fit *f)
{
    size_t i = 0;
    while (i < f->n && f->points[f->at[i]].family.n == 0) {
        i++;
    }
    return i < f->n;
}

/* The line without each family, where there are several. */
static void without_each(struct fit *f, struct fit_found *out)
{
    double *x = arena_calloc(f->a, 2 * f->n, sizeof *x);
    if (!any_family(f)) {
        return;
    }
    number_families(f);
    if (f->n_families < 2) {
        return;
    }
    out->families = arena_calloc(f->a, f->n_families, sizeof *out->families);
    out->n_families = f->n_families;
    for (uint32_t i = 0; i < f->n_families; i++) {
        out->families[i] = without(f, i, x, x + f->n);
    }
}

static enum err_code over_families(const struct fit *f, struct fit_found *out, struct err *err)
{
    if (!any_family(f)) {
        return err_rule(err, ERR_INPUT, "fit-families",
                        "No model is said to be of a family: say it on the models' pages, by `holdout import model-facts` or in a file of families.");
    }
    if (f->n_families < 2) {
        return err_rule(err, ERR_INPUT, "fit-families",
                        "All models are of the family " SV_FMT ". Families can be drawn when there are at least two.",
                        SV_ARG(f->families[0]));
    }
    const struct bootstrap_points points = {f->n, f->x, f->y, f->family, f->n_families};
    bootstrap_points(&points, &f->ask->bootstrap, &out->range);
    return OK;
}

/* The rows of the points that the line is fitted to. */
static unsigned char *rows_of(const struct fit *f, const struct bootstrap_set *set)
{
    unsigned char *rows = xmalloc(f->n * set->n + 1);
    for (size_t i = 0; i < f->n; i++) {
        memcpy(rows + i * set->n, set->right + f->at[i] * set->n, set->n);
    }
    return rows;
}

static void over_images(const struct fit *f, const struct bootstrap_images *images, struct fit_found *out)
{
    unsigned char *x = rows_of(f, &images->x), *y = rows_of(f, &images->y);
    const struct bootstrap_images im = {.x = {images->x.n, images->x.image, x},
                                        .y = {images->y.n, images->y.image, y},
                                        .n_models = f->n,
                                        .scale = f->ask->scale,
                                        .models = f->ask->over == FIT_BOTH};
    bootstrap_images(&im, &f->ask->bootstrap, &out->range);
    free(x);
    free(y);
}

/* Whether later models lie above the line: progress that the originals do not show. */
static void over_years(const struct fit *f, struct fit_found *out)
{
    double *year = arena_calloc(f->a, 2 * f->n, sizeof *year), *residual = year + f->n;
    for (size_t i = 0; i < f->n; i++) {
        const struct fit_point *p = &f->points[f->at[i]];
        if (p->year) {
            year[out->n_years] = (double)p->year;
            residual[out->n_years++] = p->residual;
        }
    }
    out->drifts = out->n_years >= FIT_LEAST && line_fit(year, residual, out->n_years, &out->drift);
    if (out->drifts) {
        out->drift_range = line_slope_range(&out->drift, ALPHA);
    }
}

static enum err_code bootstrap(const struct fit *f, const struct bootstrap_images *images, struct fit_found *out,
                               struct err *err)
{
    const struct bootstrap_points points = {.n = f->n, .x = f->x, .y = f->y};
    if (f->ask->bootstrap.resamples == 0) {
        out->range = no_range;
        return OK;
    }
    switch (f->ask->over) {
    case FIT_FAMILIES:
        return over_families(f, out, err);
    case FIT_IMAGES:
    case FIT_BOTH:
        over_images(f, images, out);
        return OK;
    case FIT_MODELS:
        break;
    }
    bootstrap_points(&points, &f->ask->bootstrap, &out->range);
    return OK;
}

/* ---- two lines ---- */

static enum err_code find_pivot(const struct fit *f, double *at, struct err *err)
{
    for (size_t i = 0; i < f->n_points; i++) {
        const struct fit_point *p = &f->points[i];
        if (sv_cmp(p->model, f->ask->pivot) == 0 && !isnan(p->x) && share_scale_takes(f->ask->scale, p->x)) {
            *at = share_scale_at(f->ask->scale, p->x);
            return OK;
        }
    }
    return err_rule(err, ERR_NOT_FOUND, "pivot", "There is no model \"" SV_FMT "\" with an accuracy on the originals at which the line could bend.",
                    SV_ARG(f->ask->pivot));
}

static enum err_code fit_piece(const struct fit *f, enum fit_side side, double pivot, struct fit_piece *out, struct err *err)
{
    double *x = arena_calloc(f->a, 2 * f->n, sizeof *x), *y = x + f->n;
    for (size_t i = 0; i < f->n; i++) {
        if (side == FIT_BELOW ? f->x[i] <= pivot : f->x[i] >= pivot) {
            x[out->n] = f->x[i];
            y[out->n++] = f->y[i];
        }
    }
    if (out->n < FIT_LEAST || !line_fit(x, y, out->n, &out->line)) {
        return err_rule(err, ERR_INPUT, "fit-few", "A line %s " SV_FMT " needs at least %d models of several accuracies, and there %s %zu.",
                        side == FIT_BELOW ? "up to" : "from", SV_ARG(f->ask->pivot), FIT_LEAST, out->n == 1 ? "is" : "are", out->n);
    }
    const struct bootstrap_points points = {.n = out->n, .x = x, .y = y};
    if (f->ask->bootstrap.resamples) {
        bootstrap_points(&points, &f->ask->bootstrap, &out->range);
    } else {
        out->range = no_range;
    }
    return OK;
}

static enum err_code fit_pieces(const struct fit *f, struct fit_found *out, struct err *err)
{
    if (f->ask->pivot.n == 0) {
        return OK;
    }
    out->n_pieces = FIT_SIDES;
    enum err_code rc = find_pivot(f, &out->pivot_at, err);
    for (int side = FIT_BELOW; side < FIT_SIDES && rc == OK; side++) {
        rc = fit_piece(f, (enum fit_side)side, out->pivot_at, &out->pieces[side], err);
    }
    return rc;
}

/* The line that holds at `x`, which is on the scale. */
static const struct line *line_at(const struct fit_found *found, double x)
{
    return found->n_pieces == 0        ? &found->line
           : x <= found->pivot_at ? &found->pieces[FIT_BELOW].line
                                  : &found->pieces[FIT_ABOVE].line;
}

/* ---- what the line says of each point ---- */

static void judge(const struct fit_found *found, struct fit_point *p)
{
    const double none = (double)NAN;
    enum share_scale scale = found->scale;
    p->fitted = p->residual = p->robustness = p->band.lo = p->band.hi = none;
    if (!share_scale_takes(scale, p->x)) {
        return;
    }
    double x = share_scale_at(scale, p->x);
    const struct line *line = line_at(found, x);
    double at = line_value(line, x);
    struct interval band = line_band(line, x, ALPHA);
    p->fitted = share_scale_inverse(scale, at);
    p->band = (struct interval){share_scale_inverse(scale, band.lo), share_scale_inverse(scale, band.hi)};
    p->robustness = 100 * (p->y - p->fitted);
    p->residual = share_scale_takes(scale, p->y) ? share_scale_at(scale, p->y) - at : none;
}

enum err_code fit_points(const struct fit_ask *ask, struct fit_point *points, size_t n,
                         const struct bootstrap_images *images, struct arena *a, struct fit_found *out, struct err *err)
{
    struct fit f = {.ask = ask, .points = points, .n_points = n, .a = a};
    *out = (struct fit_found){.scale = ask->scale,
                              .over = ask->over,
                              .pivot = ask->pivot,
                              .points = points,
                              .n_points = n,
                              .resamples = ask->bootstrap.resamples,
                              .seed = ask->bootstrap.seed};
    enum err_code rc = choose_points(&f, err);
    if (rc == OK && !line_fit(f.x, f.y, f.n, &out->line)) {
        rc = err_rule(err, ERR_INPUT, "fit-flat",
                      "All %zu models have the same accuracy on the originals: no line can be fitted.", f.n);
    }
    if (rc != OK) {
        return rc;
    }
    rc = fit_pieces(&f, out, err);
    if (rc != OK) {
        return rc;
    }
    out->bends = line_bend(&out->line, f.x, f.y, ALPHA, &out->bend);
    out->spearman = rank_spearman(f.x, f.y, f.n);
    out->kendall = rank_kendall(f.x, f.y, f.n);
    for (size_t i = 0; i < n; i++) {
        judge(out, &points[i]);
    }
    over_years(&f, out);
    without_each(&f, out);
    return bootstrap(&f, images, out, err);
}
