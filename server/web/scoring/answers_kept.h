/* answers_kept.h - classes against each other (measures/images/class_cells.h) and frequencies of what models say (measures/votes/
 * said_frequency.h), kept: a page, its charts and its files ask for the same. Slow steps only. */
#ifndef WEB_SCORING_ANSWERS_KEPT_H
#define WEB_SCORING_ANSWERS_KEPT_H

#include "measures/images/class_cells.h"
#include "measures/votes/said_frequency.h"
#include "web/core/app.h"
#include "web/parts/kept.h"

/* As class_cells_make and said_frequencies_make, in the request's arena. */
enum err_code class_cells_get(struct ctx *c, const struct class_cells_ask *ask, struct class_cells *out);
enum err_code said_get(struct ctx *c, const struct said_ask *ask, struct said_frequencies *out);

/* What the app keeps. */
struct kept_results *cells_kept_new(void);
struct kept_results *said_kept_new(void);

#endif
