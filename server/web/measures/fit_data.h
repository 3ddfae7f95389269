/* fit_data.h - the line through the models that count, of a pair of sets (measures/fits/fit.h), as its page, its chart and its
 * JSON have it. */
#ifndef WEB_MEASURES_FIT_DATA_H
#define WEB_MEASURES_FIT_DATA_H

#include "measures/fits/fit.h"
#include "web/measures/data.h"

#define FIT_ASKED_OUT "left out on request"

struct measures_fit {
    struct measures m;
    struct fit_point *points; /* NULL without a pair of sets; by name, as set_fit.h has them: the draws of the bootstrap follow their order */
    size_t *at;               /* of which point each of m.lines is; `without` says which the line is not fitted to */
    bool any;                 /* there is a line */
    struct fit_found found;
    const char *why;          /* what a line wants, when there is none */
};
/* `resamples` of models and families; of images as many as a page can wait for; 0: none. ERR_INPUT (rule "without") for a model that is left out and is not there, ERR_NOT_FOUND (rule "pivot"); otherwise as measures_make. */
enum err_code measures_fit_make(struct ctx *c, const struct measures_query *q, uint32_t resamples, struct measures_fit *out);
/* The same without one more model, or with it again. */
const char *measures_fit_toggle(struct ctx *c, const struct measures_fit *f, struct sv model, const char *path);

#endif
