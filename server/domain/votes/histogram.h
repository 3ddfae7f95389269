/* histogram.h - how many images of each frequency bin a class's sample has (MatchedFrequency). Pure rules. */
#ifndef DOMAIN_HISTOGRAM_H
#define DOMAIN_HISTOGRAM_H

#include <stdint.h>

enum { HISTOGRAM_BINS = 5, HISTOGRAM_SAMPLE = 10 /* images per class of the published sets */ };

/* Bin of a frequency: [0,.2) [.2,.4) [.4,.6) [.6,.8) [.8,1], exactly. 0 < shown, selected <= shown. */
uint32_t histogram_bin(uint32_t selected, uint32_t shown);
/* "0.2-0.4" with an en dash, and so on, for people. */
extern const char *const histogram_bin_words[HISTOGRAM_BINS];

/* `size` images shared out as the histogram h of the originals: size * h / sum rounded down, what is
 * left to the largest fractions, ties to the higher bin. In double arithmetic as the authors' program
 * does it: now and then a tie of fractions is none there. All 0 when h is. */
void histogram_targets(const uint32_t h[HISTOGRAM_BINS], uint32_t size,
                       uint32_t out[HISTOGRAM_BINS]);

#endif
