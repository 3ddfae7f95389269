/* plan.h - analysis plans: files read, registered and shown. A plan that was registered after a revision of its set could be
 * scored is late; that is said wherever it is shown. */
#ifndef REPORT_PLAN_H
#define REPORT_PLAN_H

#include "record/record.h"
#include "report/analysis.h"
#include "store/sets/plans.h"

/* Whether numbers of the set may have been known when the plan was written. */
bool plan_is_late(const struct plan_row *p);
/* "registered at event 12, after fresh/0 could be scored (event 10)"; in the arena. */
const char *plan_words(const struct plan_row *p, struct arena *a);
/* Of the file, in hexadecimal digits; in the arena. */
const char *plan_sha256(const struct plan_row *p, struct arena *a);
/* What it says; its file was checked when it was registered. */
enum err_code plan_analysis(const struct plan_row *p, struct arena *a, struct analysis *out, struct err *err);
/* {name, set, sha256, event, at, late, opened, opened_event, analysis}. New reference; NULL with err set. */
json_t *plan_json(const struct plan_row *p, struct arena *a, struct err *err);

extern const struct record analysis_plan_record;

/* Registers the text of a file. *out: as stored, in the arena. ERR_INPUT (rule "analysis"), ERR_NOT_FOUND (rule "no-subset"), ERR_CONFLICT (rule "plan-name").
 * Writes a transaction of its own. */
enum err_code plan_register(struct db *db, struct sv text, const char *file, int64_t account, int64_t now, struct arena *a, bool *added,
                            struct plan_row *out, struct err *err);

#endif
