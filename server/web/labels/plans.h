/* plans.h - what pages about plans of labels share: which version is asked for, versions as data, starting jobs. */
#ifndef WEB_LABELS_PLANS_H
#define WEB_LABELS_PLANS_H

#include <jansson.h>

#include "record/record.h"
#include "store/labels/label_plans.h"
#include "web/core/charts.h"

/* The plan of the address, in the version that ?version= names, or its newest. */
enum err_code plan_asked(struct ctx *c, enum label_plan_kind kind, struct label_plan_row *out);
/* {name, url, version, at, by, set, images, labels, per_image, sealed, models, top, file, potential, potential_url, view, as_of,
 * tau, least, most, digest, current}: texts. New reference. */
json_t *label_plan_json(struct ctx *c, const struct label_plan_row *p, bool current);
/* All versions of the plan's name. New reference; NULL with c->err set. */
json_t *plan_versions_json(struct ctx *c, const struct label_plan_row *p);
/* [{name, url, state}] of the campaigns that ask about it. The same. */
json_t *plan_campaigns_json(struct ctx *c, const struct label_plan_row *p);

/* Adds a line to a reply that becomes a file. ERR_LIMIT (rule "label-plan-large"). */
enum err_code plan_csv_row(struct ctx *c, const struct record *record, const void *row);

/* How many potential labels images have. Asks for `plan`; without one: the first of those there are. See chart_builder. */
enum err_code chart_label_plan_numbers(struct ctx *c, const struct chart_ask *ask, struct chart **out);

#endif
