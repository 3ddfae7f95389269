/* beta_binomial.c - the fit: Newton's method on the logit of the mean and the logarithm of the
 * size, damped as by Levenberg and Marquardt so that every step gains. The likelihood is a sum over
 * answers (Minka 2000): the factor of the j-th tick is a + j, of the j-th blank b + j, of the j-th
 * answer a + b + j, so all that matters of the cells is how many images have more than j of each.
 */
#include "stats/beta_binomial.h"

#include <math.h>
#include <stdbool.h>

#include "base/err.h"

enum { STEPS_MOST = 60 };
#define LOGIT_MOST 11.512915464920228 /* of 1 - 1e-5 */
#define SIZE_LEAST 0.02
#define SIZE_MOST 1e4
#define STEP_DONE 1e-7

struct tails {
    unsigned ticks, blanks, answers; /* the arrays' lengths */
    double tick[BETA_SHOWN_MOST], blank[BETA_SHOWN_MOST], answer[BETA_SHOWN_MOST];
};
struct point {
    double x, y; /* logit of the mean, logarithm of the size */
};
struct slope {
    double value, x, y, xx, xy, yy; /* logarithm of the likelihood and its derivatives */
};

/* First how many images have exactly j + 1, then sums from the end. */
static void make_tails(const struct beta_cell *cells, size_t n, struct tails *t)
{
    *t = (struct tails){0};
    for (size_t i = 0; i < n; i++) {
        unsigned k = cells[i].selected, m = cells[i].shown;
        BUG_IF(m > BETA_SHOWN_MOST || k > m);
        t->ticks = k > t->ticks ? k : t->ticks;
        t->blanks = m - k > t->blanks ? m - k : t->blanks;
        t->answers = m > t->answers ? m : t->answers;
        if (k) {
            t->tick[k - 1] += cells[i].count;
        }
        if (m > k) {
            t->blank[m - k - 1] += cells[i].count;
        }
        if (m) {
            t->answer[m - 1] += cells[i].count;
        }
    }
    for (unsigned j = t->answers; j-- > 1;) {
        t->tick[j - 1] += t->tick[j];
        t->blank[j - 1] += t->blank[j];
        t->answer[j - 1] += t->answer[j];
    }
}

/* Adds the sum of count[j] log(c + j) and its two derivatives by c. */
static void add_logs(const double *count, unsigned n, double c, double out[3])
{
    for (unsigned j = 0; j < n; j++) {
        double part = 1 / (c + j), weighted = count[j] * part;
        out[0] += count[j] * log(c + j);
        out[1] += weighted;
        out[2] -= weighted * part;
    }
}

static double logit(double p)
{
    return log(p / (1 - p));
}

static void add_hold(const struct beta_hold *h, struct point at, struct slope *s)
{
    const struct {
        double sd, off, *first, *second;
    } parts[] = {
        {h->logit_mean_sd, h->logit_mean_sd > 0 ? at.x - logit(h->centre.mean) : 0, &s->x, &s->xx},
        {h->log_size_sd, h->log_size_sd > 0 ? at.y - log(h->centre.size) : 0, &s->y, &s->yy},
    };
    for (size_t i = 0; i < 2; i++) {
        if (parts[i].sd > 0) {
            double weight = 1 / (parts[i].sd * parts[i].sd);
            s->value -= weight * parts[i].off * parts[i].off / 2;
            *parts[i].first -= weight * parts[i].off;
            *parts[i].second -= weight;
        }
    }
}

/* By the chain rule from a = size mean and b = size (1 - mean); w = ab / size is what moves between
 * them. */
static struct slope slope_at(const struct tails *t, const struct beta_hold *h, struct point at)
{
    double size = exp(at.y), mean = 1 / (1 + exp(-at.x));
    double a = size * mean, b = size * (1 - mean), w = a * (1 - mean), turn = w * (1 - 2 * mean);
    double ticks[3] = {0}, blanks[3] = {0}, answers[3] = {0};
    add_logs(t->tick, t->ticks, a, ticks);
    add_logs(t->blank, t->blanks, b, blanks);
    add_logs(t->answer, t->answers, size, answers);
    double da = ticks[1] - answers[1], db = blanks[1] - answers[1];
    double aa = ticks[2] - answers[2], bb = blanks[2] - answers[2], ab = -answers[2];
    struct slope s = {
        .value = ticks[0] + blanks[0] - answers[0],
        .x = w * (da - db),
        .y = a * da + b * db,
        .xx = w * w * (aa + bb - 2 * ab) + turn * (da - db),
        .xy = w * (a * aa + b * ab - a * ab - b * bb) + w * (da - db),
        .yy = a * a * aa + 2 * a * b * ab + b * b * bb + a * da + b * db,
    };
    add_hold(h, at, &s);
    return s;
}

static double within(double v, double lo, double hi)
{
    return v < lo ? lo : v > hi ? hi : v;
}

/* Newton's step with `damping` added to the curvature of both axes, inside the box. */
static struct point step(struct point at, const struct slope *s, double damping)
{
    double xx = -s->xx + damping, yy = -s->yy + damping, xy = -s->xy, det = xx * yy - xy * xy;
    if (!(xx > 0 && yy > 0 && det > 1e-12 * xx * yy)) {
        return at;
    }
    double dx = (yy * s->x - xy * s->y) / det, dy = (xx * s->y - xy * s->x) / det;
    return (struct point){
        within(at.x + within(dx, -2, 2), -LOGIT_MOST, LOGIT_MOST),
        within(at.y + within(dy, -2, 2), log(SIZE_LEAST), log(SIZE_MOST)),
    };
}

static struct point climb(const struct tails *t, const struct beta_hold *h, struct point at)
{
    struct slope here = slope_at(t, h, at);
    double damping = 0;
    for (int i = 0; i < STEPS_MOST; i++) {
        struct point next = step(at, &here, damping);
        double moved = fmax(fabs(next.x - at.x), fabs(next.y - at.y));
        if (moved > 0) {
            struct slope there = slope_at(t, h, next);
            if (there.value >= here.value - 1e-9 * fabs(here.value)) {
                at = next;
                here = there;
                damping /= 8;
                if (moved < STEP_DONE) {
                    break;
                }
                continue;
            }
        }
        double flat = fabs(here.xx) + fabs(here.yy) + 1e-6;
        if (damping > 1e9 * flat) {
            break; /* a corner of the box, or the top */
        }
        damping = damping * 8 + flat / 16;
    }
    return at;
}

struct beta beta_binomial_fit(const struct beta_cell *cells, size_t n, const struct beta_hold *hold,
                              const struct beta *start)
{
    struct tails t;
    make_tails(cells, n, &t);
    if (t.answers == 0) {
        return hold->centre;
    }
    struct point at = {
        within(logit(within(start->mean, 1e-5, 1 - 1e-5)), -LOGIT_MOST, LOGIT_MOST),
        within(log(within(start->size, SIZE_LEAST, SIZE_MOST)), log(SIZE_LEAST), log(SIZE_MOST)),
    };
    at = climb(&t, hold, at);
    return (struct beta){1 / (1 + exp(-at.x)), exp(at.y)};
}

double beta_posterior_mean(const struct beta *b, uint32_t shown, uint32_t selected)
{
    return (b->mean * b->size + selected) / (b->size + shown);
}

double beta_posterior_variance(const struct beta *b, uint32_t shown, uint32_t selected)
{
    double p = beta_posterior_mean(b, shown, selected);
    return p * (1 - p) / (b->size + shown + 1);
}
