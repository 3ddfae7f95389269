/* adjusted_data.h - the gap of the pair of sets of a page of measures when new images count by their true frequency, for
 * the page, its chart and scripts. */
#ifndef WEB_MEASURES_ADJUSTED_DATA_H
#define WEB_MEASURES_ADJUSTED_DATA_H

#include "sets/bias/adjusted.h"
#include "web/measures/data.h"

struct measures_adjusted {
    struct measures m;
    bool pair; /* there are two sets; else `s` means nothing */
    struct set_adjusted s;
};
/* As measures_make, and ERR_INPUT (rules "bias-original", "labels-missing"). In the request's arena. */
enum err_code measures_adjusted_of(struct ctx *c, const struct measures *m, struct set_adjusted *out); /* which has two sets */
enum err_code measures_adjusted_make(struct ctx *c, const struct measures_query *q, struct measures_adjusted *out);

#endif
