/* adjusted_bins.h - accuracy by selection frequency on a pair of sets, as seen and corrected for few answers
 * (measures/votes/adjusted_gap.h), as rows: one for each model and bin, those of the mean over models first. Commands print
 * them, pages show them, the API lists them, all under the same names. */
#ifndef SETS_BIAS_ADJUSTED_BINS_H
#define SETS_BIAS_ADJUSTED_BINS_H

#include "base/str.h"
#include "sets/bias/adjusted.h"

struct adjusted_bin_share { /* percent, or points of a gap */
    double value, lo, hi;
    bool known, interval;   /* the value; the bounds */
};
struct adjusted_bin_side {
    size_t seen;            /* images whose frequency is in the bin */
    double expected;        /* whose true frequency is, as estimated */
    double raw;             /* NAN: none */
    struct adjusted_bin_share corrected;
};
struct adjusted_bin_row {
    struct sv model;        /* empty: the mean over all models */
    uint32_t bin;           /* from 0 */
    double from, to;
    const char *words;      /* "0.2-0.4", with a dash as long as it should be */
    struct adjusted_bin_side side[ADJUSTED_SIDES];
    struct adjusted_bin_share gap;
};
extern const struct record adjusted_bin_record;

/* HISTOGRAM_BINS for the mean and for each model, in the arena; none where the leading figure is silent. Gives how many. */
size_t adjusted_bin_rows(const struct set_adjusted *s, struct arena *a, struct adjusted_bin_row **out);
/* All rows as CSV; printed with a caption that says what they are of. */
void adjusted_bins_write(const struct set_adjusted *s, enum record_table as, struct arena *a, struct str *out);
/* What corrected bins take for granted, and where they fail. */
extern const char adjusted_bins_assume[];

#endif
