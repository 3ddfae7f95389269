/* charts.h - THE table of charts: name, least role, what makes it. A page shows a chart by its name
 * and its parameters; /charts/:chart/:format gives the same chart as svg (the same bytes), csv or
 * json.
 * Builders are in the room of their pages (campaigns/charts.c, classes/charts.c, ...). */
#ifndef WEB_CORE_CHARTS_H
#define WEB_CORE_CHARTS_H

#include "chart/svg.h"
#include "web/core/app.h"

/* Empty where a chart does not need it. The names are those of the address's query. */
struct chart_ask {
    struct sv campaign, wnid, view, person;
    struct sv original, fresh /* "new" */, top, new_top, scale, subset, new_subset, labels, new_labels, group, family, model, set; /* models/charts.c */
    struct sv metric; /* of near-duplicates */
    struct sv models, without, pivot; /* names with commas between them: measures/charts.h */
    struct sv by;              /* what colours say */
    struct sv spread, true_spread, true_new_spread, true_shift, images, seed; /* measures/difficulty.c */
    struct sv groups, row, column; /* of heat maps of classes: measures/cells.c */
    struct sv review, suggestions; /* a label review, which images of it: experts/agreement.c */
    struct sv plan; /* of labels, NAME/VERSION: labels/potential.c */
};
/* Fills *out with a chart in the request's arena. ERR_NOT_FOUND for what the ask names. */
typedef enum err_code (*chart_builder)(struct ctx *c, const struct chart_ask *ask,
                                       struct chart **out);
struct chart_row {
    const char *name; /* in the address */
    enum role role;
    chart_builder build;
};
extern const struct chart_row charts[];
extern const size_t charts_count;

/* What layout/chart shows: {id, svg, table {...}, svg_url, csv_url, json_url}. New reference, NULL
 * with c->err set. `name` must be in the table; `ask` may be NULL. */
json_t *charts_data(struct ctx *c, const char *name, const struct chart_ask *ask);
/* Several by their names: {KEY: chart}; `names` are pairs of key and name. New reference, NULL with
 * c->err set. */
json_t *charts_group(struct ctx *c, const char *const names[][2], size_t n,
                     const struct chart_ask *ask);

#endif
