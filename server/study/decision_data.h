/* decision_data.h - decisions and what they would change, as pages and JSON show them: numbers for
 * scripts, each with a text for people. New references; NULL with err set. */
#ifndef STUDY_DECISION_DATA_H
#define STUDY_DECISION_DATA_H

#include "record/record.h"
#include "study/decision_make.h"

json_t *decision_json(struct db *db, const struct decision *d, struct arena *a, struct err *err);
json_t *draft_json(struct db *db, const struct draft *f, struct arena *a, struct err *err);
extern const struct record decision_record, draft_record;

/* "Exclude from the analysis", "Approve pay", "Undo decision 17" ... */
const char *decision_title(const struct decision *d, struct arena *a);

#endif
