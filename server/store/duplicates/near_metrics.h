/* near_metrics.h - SQL for a project's near-duplicate metrics: sampling refuses candidates that were not searched by those
 * that are enabled (domain/review/review_gate.h). A metric is enabled from its first review distance on, or by hand. */
#ifndef STORE_DUPLICATES_NEAR_METRICS_H
#define STORE_DUPLICATES_NEAR_METRICS_H

#include <stdbool.h>
#include <stdint.h>

#include "db/db.h"
#include "domain/review/review_gate.h"

/* All that the project knows as of an event (0: now): the published ones, and its own. */
enum err_code near_metrics_get(struct db *db, int64_t as_of, struct review_gate *out, struct err *err);
/* In one transaction of its own: defines the metric of that name or changes it, whole; what an import declared is kept
 * while pictures are compared as before. *changed false: it is so already. An event "near-metrics.changed" says it.
 * ERR_INPUT, rules "near-metric-name", "near-metric-size", "near-metric-window", "near-metric-model",
 * "near-metric-threshold"; ERR_CONFLICT (rule "near-metrics-full") beyond REVIEW_METRICS_MOST. */
enum err_code near_metrics_put(struct db *db, const struct review_metric *m, int64_t account, int64_t now, bool *changed,
                               struct err *err);
/* ERR_INPUT (rule "review-metric") when the project knows no metric of that name. */
enum err_code near_metrics_known(const struct review_gate *gate, struct sv metric, struct err *err);
/* Inside the caller's transaction, which has made the event: enables the metric, which the project knows, unless it
 * is. */
enum err_code near_metrics_enable(struct db *db, int64_t event, struct sv metric, struct err *err);
/* In one transaction of its own: enables the metrics of the mask (bit m: the gate's m-th), and images that are in the
 * project now count as searched by them and by those that are enabled already. *changed false: that is so already. An
 * event "near-metrics.searched" says it. */
enum err_code near_metrics_cover(struct db *db, unsigned metrics, int64_t now, bool *changed, struct err *err);
/* How many candidates there are, up to the image `until`. */
enum err_code near_metrics_candidates(struct db *db, int64_t until, int64_t *out, struct err *err);
/* The newest image; for near_metrics_extend. 0: none. */
enum err_code near_metrics_newest(struct db *db, int64_t *out, struct err *err);
/* Inside the caller's transaction, which has just added images of a published set and their event, `before` being the
 * newest image until then: metrics under which every image counted as searched keep it so. What a study published it
 * has searched, whichever of its files came first. */
enum err_code near_metrics_extend(struct db *db, int64_t before, struct err *err);

#endif
