/* bins.h - accuracy by selection frequency on the page of measures: raw as charts of what was seen, corrected for few answers
 * also as a table (sets/bias/adjusted_bins.h). */
#ifndef WEB_MEASURES_BINS_H
#define WEB_MEASURES_BINS_H

#include "web/measures/data.h"

/* {tabs [{label, url, current}], raw, corrected (one of them is null)}; raw {mean, models, any_models} (charts); corrected
 * {any, why, and if there are any: charts (as raw), warning, assumes, how, rows [{model, bin, original, fresh (each {images, raw,
 * expected, corrected}), gap}], formats [{label, url}]}. New reference; NULL with c->err set. */
json_t *measures_bins_section(struct ctx *c, const struct measures *m);

#endif
