/* model_points.h - models as points of a chart, with a colour for each group of them. */
#ifndef FIGURES_MODEL_POINTS_H
#define FIGURES_MODEL_POINTS_H

#include "base/arena.h"
#include "base/sv.h"
#include "chart/svg.h"

struct model_point {
    const char *name;
    struct sv group;       /* what the colour says; empty: nothing is said of this model */
    double x, y, lo, hi;   /* lo, hi: interval of y */
};
/* A series of each group in the order of the points, those without one as `nameless`, as long as there are at most `most`;
 * else, and when there is one group only, all as "Models". */
void model_points_add(struct arena *a, struct chart *chart, const struct model_point *p, size_t n, size_t most,
                      const char *nameless);
/* All of them as one series. */
void model_points_one(struct arena *a, struct chart *chart, const char *name, const struct model_point *p, size_t n);

#endif
