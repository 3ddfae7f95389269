/* discovery.c - tables with the same margins are added up; p values are sorted once. */
#include "stats/discovery.h"

#include <math.h>

static const double ALIKE = 1 + 1e-7;

static double log_choose(double n, double k)
{
    int sign;
    return lgamma_r(n + 1, &sign) - lgamma_r(k + 1, &sign) - lgamma_r(n - k + 1, &sign);
}

double fisher_exact(uint32_t k1, uint32_t n1, uint32_t k2, uint32_t n2)
{
    uint64_t k = (uint64_t)k1 + k2, n = (uint64_t)n1 + n2;
    if (n1 == 0 || n2 == 0 || k == 0 || k == n) {
        return 1;
    }
    uint64_t from = k > n2 ? k - n2 : 0, to = k < n1 ? k : n1;
    double all = log_choose((double)n, (double)k), p = 0;
    double own = log_choose(n1, k1) + log_choose(n2, k2) - all;
    for (uint64_t i = from; i <= to; i++) {
        double is = log_choose(n1, (double)i) + log_choose(n2, (double)(k - i)) - all;
        p += is <= own + log(ALIKE) ? exp(is) : 0;
    }
    return p < 1 ? p : 1;
}

void false_discovery(const double *p, size_t n, struct sorted_key *room, double *q)
{
    size_t m = 0;
    for (size_t i = 0; i < n; i++) {
        q[i] = (double)NAN;
        if (!isnan(p[i])) {
            room[m++] = (struct sorted_key){p[i], i};
        }
    }
    sorted_keys(room, m, false);
    double least = 1;
    for (size_t j = m; j > 0; j--) {
        least = fmin(least, room[j - 1].key * (double)m / (double)j);
        q[room[j - 1].at] = least;
    }
}
