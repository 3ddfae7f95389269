/* separation.c - counts over images in order of fold and score. */
#include "stats/separation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/xalloc.h"
#include "stats/cluster.h"
#include "stats/percentile.h"

static int by_fold_and_score(const void *a, const void *b)
{
    const struct separation_image *x = a, *y = b;
    return x->fold != y->fold ? (x->fold > y->fold) - (x->fold < y->fold) : (x->score > y->score) - (x->score < y->score);
}

/* ---- the area ---- */

struct pairs {
    double won, all; /* weighted pairs; a tie is half won */
    double fresh, original; /* weights met in this fold */
};

static void end_fold(struct pairs *p)
{
    p->all += p->fresh * p->original;
    p->fresh = p->original = 0;
}

/* `sorted` by fold and score; weights of groups, NULL: 1 each. NAN without a pair. */
static double area(const struct separation_image *sorted, size_t n, const uint32_t *weights)
{
    struct pairs p = {0};
    for (size_t i = 0; i < n;) {
        double fresh = 0, original = 0;
        size_t k = i;
        for (; k < n && by_fold_and_score(&sorted[k], &sorted[i]) == 0; k++) {
            double w = weights ? weights[sorted[k].group] : 1;
            fresh += sorted[k].fresh ? w : 0;
            original += sorted[k].fresh ? 0 : w;
        }
        p.won += fresh * (p.original + original / 2);
        p.fresh += fresh;
        p.original += original;
        if (k == n || sorted[k].fold != sorted[i].fold) {
            end_fold(&p);
        }
        i = k;
    }
    return p.all > 0 ? p.won / p.all : (double)NAN;
}

static struct interval area_interval(const struct separation_image *sorted, size_t n, size_t n_groups, double alpha,
                                     uint32_t resamples, uint64_t seed)
{
    double *draws = xcalloc((size_t)resamples + 1, sizeof *draws);
    uint32_t *weights = xmalloc(n_groups * sizeof *weights);
    size_t known = 0;
    for (uint32_t draw = 0; draw < resamples; draw++) {
        struct rng rng;
        rng_stream(&rng, seed, draw);
        memset(weights, 0, n_groups * sizeof *weights);
        for (size_t g = 0; g < n_groups; g++) {
            weights[rng_below(&rng, n_groups)]++;
        }
        double auc = area(sorted, n, weights);
        if (!isnan(auc)) {
            draws[known++] = auc;
        }
    }
    struct interval out = known ? percentile_interval(draws, known, alpha) : (struct interval){0, 1};
    free(draws);
    free(weights);
    return out;
}

/* Groups with images of that set. */
static int64_t groups_of(const struct separation_image *images, size_t n, size_t n_groups, bool fresh)
{
    bool *has = xcalloc(n_groups, sizeof *has);
    int64_t count = 0;
    for (size_t i = 0; i < n; i++) {
        count += images[i].fresh == fresh && !has[images[i].group];
        has[images[i].group] |= images[i].fresh == fresh;
    }
    free(has);
    return count;
}

/* Of an area of 0 or 1, which no resample says anything about. */
static struct interval extreme_interval(const struct separation_image *images, size_t n, size_t n_groups, double auc, double alpha)
{
    int64_t a = groups_of(images, n, n_groups, false), b = groups_of(images, n, n_groups, true), m = a < b ? a : b;
    return binomial_clopper_pearson(auc > 0 ? m : 0, m, alpha);
}

/* ---- the share that is right ---- */

static bool is_right(const struct separation_image *i)
{
    return i->fresh ? i->score > 0 : i->score < 0;
}

static struct interval accuracy_interval(const struct separation_image *images, size_t n, size_t n_groups, double alpha)
{
    uint32_t *k = xcalloc(n_groups, sizeof *k), *of = xcalloc(n_groups, sizeof *of);
    for (size_t i = 0; i < n; i++) {
        k[images[i].group] += is_right(&images[i]);
        of[images[i].group]++;
    }
    struct interval out = cluster_interval(k, of, n_groups, alpha);
    free(k);
    free(of);
    return out;
}

struct separation separation_of(const struct separation_image *images, size_t n, size_t n_groups, double alpha,
                                uint32_t resamples, uint64_t seed)
{
    struct separation out = {0};
    struct separation_image *sorted = xmalloc(n * sizeof *sorted);
    memcpy(sorted, images, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, by_fold_and_score);
    for (size_t i = 0; i < n; i++) {
        out.right += is_right(&images[i]);
    }
    out.accuracy = (double)out.right / (double)n;
    out.of_accuracy = accuracy_interval(images, n, n_groups, alpha);
    out.auc = area(sorted, n, NULL);
    out.of_auc = resamples && (out.auc <= 0 || out.auc >= 1) /* false where it is not known */
                     ? extreme_interval(sorted, n, n_groups, out.auc, alpha)
                     : area_interval(sorted, n, n_groups, alpha, isnan(out.auc) ? 0 : resamples, seed);
    free(sorted);
    return out;
}

/* ---- five numbers ---- */

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double at_share(const double *v, size_t n, double q)
{
    double h = q * (double)(n - 1);
    size_t k = (size_t)h;
    return k + 1 < n ? v[k] + (h - (double)k) * (v[k + 1] - v[k]) : v[k];
}

struct five_numbers five_numbers_of(double *v, size_t n)
{
    qsort(v, n, sizeof *v, by_value);
    return (struct five_numbers){v[0], at_share(v, n, 0.25), at_share(v, n, 0.5), at_share(v, n, 0.75), v[n - 1]};
}
