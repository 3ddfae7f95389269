/* bias_data.h - how much harder a set is than its originals because frequencies are noisy, for its
 * page, its chart and scripts. The last results are kept: a page and the files of its chart ask for
 * the same. Slow steps only: about a second at a million votes.
 */
#ifndef WEB_PARTS_BIAS_DATA_H
#define WEB_PARTS_BIAS_DATA_H

#include "sets/bias/bias.h"
#include "web/core/charts.h"
#include "web/parts/kept.h"

/* Of the revision as of now, in the request's arena. ERR_INPUT (rule "bias-original"). */
enum err_code bias_get(struct ctx *c, const struct revision_row *r, struct set_bias *out);
/* The leading figure beside an average, which is much cheaper: what is kept, however old, or with `make`
 * and in a small study what is made now. False: there is none to show without much work. */
bool bias_at_hand(struct ctx *c, const struct revision_row *r, bool make, struct bias_leading *out);
/* "measured again -0.046, -0.050 to -0.042"; empty when the figure is not known. */
const char *bias_leading_text(struct arena *a, const struct bias_leading *l);
/* "-0.046", "-0.050 to -0.042"; empty where there is none. Rounded so that none is "-0.000". */
const char *bias_value(struct arena *a, const struct bias_estimate *e);
const char *bias_interval(struct arena *a, const struct bias_estimate *e);

/* Bias against the number of answers that images were chosen by: parameter set. */
enum err_code chart_set_bias(struct ctx *c, const struct chart_ask *ask, struct chart **out);

/* What the app keeps. */
struct kept_results *bias_kept_new(void);

#endif
