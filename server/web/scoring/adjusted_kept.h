/* adjusted_kept.h - the gap of a pair of sets when new images count by their true frequency (sets/bias/adjusted.h), for its
 * page, its chart and scripts. The last results are kept: a page and the files of its chart ask for the same. Slow steps
 * only: seconds where many models and candidates are. */
#ifndef WEB_SCORING_ADJUSTED_KEPT_H
#define WEB_SCORING_ADJUSTED_KEPT_H

#include "sets/bias/adjusted.h"
#include "web/core/app.h"
#include "web/parts/kept.h"

struct adjusted_asked {
    const struct revision_row *original, *fresh;
    int top;
    struct sv models; /* names with commas between them; empty: all */
    const struct subset *part, *fresh_part; /* as set_adjusted_ask has them */
};
/* As of now, in the request's arena. As set_adjusted_make. */
enum err_code adjusted_get(struct ctx *c, const struct adjusted_asked *of, struct set_adjusted *out);

/* What the app keeps. */
struct kept_results *adjusted_kept_new(void);

#endif
