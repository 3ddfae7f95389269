/* histogram.c - frequencies to bins, and a histogram rounded to a number of images. */
#include "domain/votes/histogram.h"

#include <math.h>

#include "base/err.h"

const char *const histogram_bin_words[HISTOGRAM_BINS] = {"0\xe2\x80\x93" "0.2", "0.2\xe2\x80\x93" "0.4", "0.4\xe2\x80\x93" "0.6",
                                                         "0.6\xe2\x80\x93" "0.8", "0.8\xe2\x80\x93" "1"};

uint32_t histogram_bin(uint32_t selected, uint32_t shown)
{
    BUG_IF(shown == 0 || selected > shown);
    uint64_t fifths = (uint64_t)selected * HISTOGRAM_BINS, n = shown;
    /* Four comparisons and no branch: over a million pairs nobody could foresee the bins. */
    return (uint32_t)(fifths >= n) + (uint32_t)(fifths >= 2 * n) + (uint32_t)(fifths >= 3 * n) +
           (uint32_t)(fifths >= 4 * n);
}

/* The bin with the largest fraction that got nothing of the rest yet; of equal ones the highest. */
static int next_bin(const double fraction[HISTOGRAM_BINS], const int given[HISTOGRAM_BINS])
{
    int best = -1;
    for (int i = HISTOGRAM_BINS - 1; i >= 0; i--) {
        if (!given[i] && (best < 0 || fraction[i] > fraction[best])) {
            best = i;
        }
    }
    return best;
}

void histogram_targets(const uint32_t h[HISTOGRAM_BINS], uint32_t size,
                       uint32_t out[HISTOGRAM_BINS])
{
    double fraction[HISTOGRAM_BINS], sum = 0;
    int given[HISTOGRAM_BINS] = {0};
    uint32_t shared = 0;
    for (int i = 0; i < HISTOGRAM_BINS; i++) {
        sum += h[i];
    }
    for (int i = 0; i < HISTOGRAM_BINS; i++) {
        double exact = sum > 0 ? (double)size * h[i] / sum : 0;
        out[i] = (uint32_t)floor(exact);
        fraction[i] = exact - floor(exact);
        shared += out[i];
    }
    for (; sum > 0 && shared < size; shared++) {
        int i = next_bin(fraction, given);
        given[i] = 1;
        out[i]++;
    }
}
