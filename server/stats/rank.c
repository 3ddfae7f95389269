/* rank.c - ranks by sorting; pairs in the wrong order are counted by merging. */
#include "stats/rank.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "stats/line.h"

struct pair {
    double x, y;
    size_t at;
};

static int by_x(const void *a, const void *b)
{
    const struct pair *p = a, *q = b;
    return p->x != q->x ? (p->x > q->x) - (p->x < q->x) : (p->y > q->y) - (p->y < q->y);
}

static struct pair *sorted_pairs(const double *x, const double *y, size_t n)
{
    struct pair *p = xcalloc(n + 1, sizeof *p);
    for (size_t i = 0; i < n; i++) {
        p[i] = (struct pair){x[i], y[i], i};
    }
    qsort(p, n, sizeof *p, by_x);
    return p;
}

static void mean_ranks(const double *v, size_t n, double *ranks)
{
    struct pair *p = sorted_pairs(v, v, n);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i; end < n && p[end].x == p[i].x; end++) {
        }
        for (size_t k = i; k < end; k++) {
            ranks[p[k].at] = ((double)i + (double)end + 1) / 2; /* of the ranks i + 1 to end */
        }
    }
    free(p);
}

double rank_spearman(const double *x, const double *y, size_t n)
{
    double *rx = xcalloc(2 * n + 1, sizeof *rx), *ry = rx + n;
    struct line l;
    mean_ranks(x, n, rx);
    mean_ranks(y, n, ry);
    double rho = line_fit(rx, ry, n, &l) ? l.r : (double)NAN;
    free(rx);
    return rho;
}

/* Pairs of equal values among sorted ones; of x, or (both) of x and y. */
static uint64_t ties_in_x(const struct pair *p, size_t n, bool both)
{
    uint64_t ties = 0, run = 0;
    for (size_t i = 1; i < n; i++) {
        run = p[i].x == p[i - 1].x && (!both || p[i].y == p[i - 1].y) ? run + 1 : 0;
        ties += run;
    }
    return ties;
}

static uint64_t ties_in_y(const struct pair *p, size_t n) /* sorted by y */
{
    uint64_t ties = 0, run = 0;
    for (size_t i = 1; i < n; i++) {
        run = p[i].y == p[i - 1].y ? run + 1 : 0;
        ties += run;
    }
    return ties;
}

/* Sorts by y, and counts the pairs that change places. */
static uint64_t merge(struct pair *p, struct pair *room, size_t n)
{
    if (n < 2) {
        return 0;
    }
    size_t half = n / 2, i = 0, j = half;
    uint64_t swaps = merge(p, room, half) + merge(p + half, room, n - half);
    for (size_t k = 0; k < n; k++) {
        bool left = j == n || (i < half && p[i].y <= p[j].y);
        swaps += left ? 0 : half - i;
        room[k] = p[left ? i++ : j++];
    }
    for (size_t k = 0; k < n; k++) {
        p[k] = room[k];
    }
    return swaps;
}

double rank_kendall(const double *x, const double *y, size_t n)
{
    struct pair *p = sorted_pairs(x, y, n), *room = xcalloc(n + 1, sizeof *room);
    uint64_t pairs = n ? (uint64_t)n * (n - 1) / 2 : 0, in_x = ties_in_x(p, n, false), in_both = ties_in_x(p, n, true);
    uint64_t swaps = merge(p, room, n), in_y = ties_in_y(p, n);
    free(p);
    free(room);
    double above = (double)pairs - (double)in_x - (double)in_y + (double)in_both - 2 * (double)swaps;
    double below = sqrt((double)(pairs - in_x) * (double)(pairs - in_y));
    return below > 0 ? above / below : (double)NAN;
}
