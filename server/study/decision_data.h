/* decision_data.h - decisions and what they would change, as pages and JSON show them: numbers for
 * scripts, each with a text for people. New references; NULL with err set. */
#ifndef STUDY_DECISION_DATA_H
#define STUDY_DECISION_DATA_H

#include "study/decision_make.h"

/* {id, url, at, by, field, value, title, reason, criteria, criteria_text, subjects, subjects_text,
 * people, written, whole, state, in_effect, open, can_undo, exported, reopen, bonus, undoes, undone_by,
 * as_of}. state: "in effect", "unfinished", "undone", "in effect again"; open: it waits to be continued or
 * taken back; exported: the panel's list was taken since, so that pay cannot be undone. */
json_t *decision_json(struct db *db, const struct decision *d, struct arena *a, struct err *err);

/* {field, value, title, undoes, subjects, subjects_text, people, as_of, digest, nothing, effect,
 * money, places, places_more, warnings [{code, text}], any_warnings}. effect, of the analysis (else null): {rows [{label,
 * before, after (data_clustered)}], answers_before, answers_after, people_before, people_after, images
 * [{label, moved, lost, gained, bins [{label, before, after}]}], losing [{wnid, words, url, before,
 * after}], n_losing, losing_more, campaigns [{name, title, answers, surplus, grids}], surplus,
 * uncounted, reopened, reopens}; money: [{currency, places, pay, bonus_before, bonus_after, texts}]; places, the first
 * whose pay changes: [{pseudonym, url, campaign, outcome, state, grids, pay, bonus}]; places_more: how many
 * others, as text, or null. */
json_t *draft_json(struct db *db, const struct draft *f, struct arena *a, struct err *err);

/* "Exclude from the analysis", "Approve pay", "Undo decision 17" ... */
const char *decision_title(const struct decision *d, struct arena *a);

#endif
