/* hist.h - a histogram of durations with logarithmic buckets, for percentiles of many requests.
 * 32 buckets per power of two: a value read back is at most 3 % too high, never too low. */
#ifndef LOAD_HIST_H
#define LOAD_HIST_H

#include <stdint.h>

enum { HIST_SUB_BITS = 5, HIST_BUCKETS = (64 - HIST_SUB_BITS) << HIST_SUB_BITS };

struct hist {
    uint64_t n;
    int64_t max;
    uint64_t buckets[HIST_BUCKETS];
};

void hist_clear(struct hist *h);
void hist_add(struct hist *h, int64_t ns); /* negative values count as 0 */
void hist_merge(struct hist *into, const struct hist *from);
/* The smallest bucket edge with at least `share` (0..1) of the values at or below it; 0 when the
 * histogram is empty, never above the largest value seen. */
int64_t hist_percentile(const struct hist *h, double share);

#endif
