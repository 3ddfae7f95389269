/* fit_kept.h - how sure lines through models are over images (measures/fits/fit.h), kept: half a second where many models and
 * images are, and a page that refreshes itself asks again. Slow steps only. */
#ifndef WEB_SCORING_FIT_KEPT_H
#define WEB_SCORING_FIT_KEPT_H

#include "measures/fits/fit.h"
#include "web/core/app.h"
#include "web/parts/kept.h"

struct fit_ranges {
    struct bootstrap_found line, pieces[FIT_SIDES];
};
/* What was found under the key, which stands for everything that the ranges depend on; else what `find` finds now
 * (web/parts/kept.h). */
enum err_code fit_kept_get(struct ctx *c, uint64_t key, enum err_code (*find)(void *arg, struct fit_ranges *out), void *arg,
                           struct fit_ranges *out);

/* What the app keeps. */
struct kept_results *fit_kept_new(void);

#endif
