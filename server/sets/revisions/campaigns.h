/* campaigns.h - the campaigns that a revision's numbers come from: those that its view counts, and those that
 * measured it again. For manifest, README and page of the revision. */
#ifndef SETS_REVISIONS_CAMPAIGNS_H
#define SETS_REVISIONS_CAMPAIGNS_H

#include <jansson.h>

#include "base/str.h"
#include "store/campaigns/facts.h"
#include "store/votes/views.h"

struct set_campaign {
    struct campaign_facts facts;
    bool again; /* measured the revision again: its answers chose nothing */
};
/* Those with answers up to the event, by id, then those that measured the revision again, with all of theirs. In the
 * arena. */
enum err_code set_campaigns_load(struct db *db, const struct vote_view *view, int64_t as_of, int64_t revision,
                                 struct arena *a, struct set_campaign **out, size_t *n, struct err *err);

/* What a manifest says of one: {name, kind, title, use ("frequencies" or "re-measurement"), source ("people",
 * "simulated", "imported" or "mixed"), population, answers_per_grid, grids_per_place, max_share, pay {cents, currency,
 * per}, expected_minutes, layout, min_screen, shuffled, gold_per_grid, rule_text, instruction_version, consents
 * [{version, sha256 (null: the program's own text), places}], opened_at, closed_at, first_answer_at, last_answer_at,
 * state, grids {all, excluded}, answers {given, surplus, out}, people {all, simulated, imported}}. Pay, minutes, order
 * and consents are null and empty for an imported study, whose terms nobody knows. New reference. */
json_t *set_campaign_json(const struct set_campaign *k);
/* The same in a sentence or two of plain text: "1,200 answers of 40 people, ...". */
void set_campaign_text(struct str *s, const struct set_campaign *k);

#endif
