/* charts.h - accuracy by selection frequency, by revision and by class, and the line through models. Rows of charts.c. All ask for
 * original, new, top, subset, labels, new_labels, models as the pages do (measures/data.h). */
#ifndef WEB_MEASURES_CHARTS_H
#define WEB_MEASURES_CHARTS_H

#include "web/core/charts.h"

/* The mean over models, on both sets. */
enum err_code chart_measures_bins(struct ctx *c, const struct chart_ask *ask, struct chart **out);
/* Models on pairs of classes that people confuse (measures/pairs.c): `set`, subset, labels, models. */
enum err_code chart_measures_pairs(struct ctx *c, const struct chart_ask *ask, struct chart **out);
/* Each of the first models on one of the two: `set`, SET/NUMBER. */
enum err_code chart_measures_model_bins(struct ctx *c, const struct chart_ask *ask, struct chart **out);
/* Both at true frequencies (measures/bins.c). */
enum err_code chart_measures_corrected_bins(struct ctx *c, const struct chart_ask *ask, struct chart **out);
enum err_code chart_measures_corrected_model_bins(struct ctx *c, const struct chart_ask *ask, struct chart **out);
/* In fifths of the originals by a statistic of the picture: statistics.c. */
enum err_code chart_measures_pixels(struct ctx *c, const struct chart_ask *ask, struct chart **out);
enum err_code chart_measures_sharpness(struct ctx *c, const struct chart_ask *ask, struct chart **out);
enum err_code chart_measures_brightness(struct ctx *c, const struct chart_ask *ask, struct chart **out);
enum err_code chart_measures_saturation(struct ctx *c, const struct chart_ask *ask, struct chart **out);
/* Models by accuracy and how often people find what they say; wrong predictions by that: said.c. */
enum err_code chart_measures_said(struct ctx *c, const struct chart_ask *ask, struct chart **out);
enum err_code chart_measures_said_others(struct ctx *c, const struct chart_ask *ask, struct chart **out);
/* What models and people say of the images of the class `wnid` of a set: panel.c. */
enum err_code chart_measures_class(struct ctx *c, const struct chart_ask *ask, struct chart **out);
/* Images by how many labels people find as often as the set's: valid.c. */
enum err_code chart_measures_valid(struct ctx *c, const struct chart_ask *ask, struct chart **out);
/* Which classes or superclasses of `set` are taken for which, and which come together, as heat maps: cells.c. */
enum err_code chart_measures_confusions(struct ctx *c, const struct chart_ask *ask, struct chart **out);
enum err_code chart_measures_cooccurrence(struct ctx *c, const struct chart_ask *ask, struct chart **out);
/* Each class on both sides of the pair, or on the one set: classes.c. */
enum err_code chart_measures_classes(struct ctx *c, const struct chart_ask *ask, struct chart **out);
/* Models on every revision of the new set; what each revision added and removed. */
enum err_code chart_measures_revisions(struct ctx *c, const struct chart_ask *ask, struct chart **out);
enum err_code chart_measures_changes(struct ctx *c, const struct chart_ask *ask, struct chart **out);
/* Models on both sets, and the line (measures/fits/fit.h): scale, by, without. */
enum err_code chart_measures_fit(struct ctx *c, const struct chart_ask *ask, struct chart **out);
/* What explains a probit line: of the pair of sets (spread, without), of a simulated world (true_spread, true_new_spread,
 * true_shift, images, seed): difficulty.c. */
enum err_code chart_measures_difficulty(struct ctx *c, const struct chart_ask *ask, struct chart **out);
enum err_code chart_measures_simulated(struct ctx *c, const struct chart_ask *ask, struct chart **out);
/* How true frequencies are spread in both sets, as shares up to each: parameters as measures-bins. */
enum err_code chart_measures_adjusted(struct ctx *c, const struct chart_ask *ask, struct chart **out);

#endif
