/* samples.h - one chart of each form, the same in every test; tests/data/charts holds their bytes.
 */
#ifndef UNIT_CHART_SAMPLES_H
#define UNIT_CHART_SAMPLES_H

#include "chart/svg.h"

struct sample {
    const char *name;
    struct chart *(*make)(struct arena *a);
};
extern const struct sample samples[];
extern const size_t samples_count;

/* The chart's SVG with the id "chart-NAME"; the caller releases it. */
struct str sample_svg(const struct chart *c, const char *name);

#endif
