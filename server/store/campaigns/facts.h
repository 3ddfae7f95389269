/* facts.h - SQL for what a published set says of the campaigns that its numbers come from: who was
 * asked, under which terms, when, and how many answered. Texts are in the caller's arena. */
#ifndef STORE_CAMPAIGNS_FACTS_H
#define STORE_CAMPAIGNS_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "store/campaigns/campaigns.h"

struct campaign_consent {
    struct sv version, text; /* "0" without a text: the program's own */
    int64_t places;          /* participants who agreed to it */
};
struct campaign_facts {
    struct campaign terms;
    int64_t grids, excluded;            /* excluded: grids that no view counts */
    int64_t answers, surplus, out;      /* given; beyond N; taken out of the analysis */
    int64_t people, simulated, imported; /* who answered; of them drawn by the program, or of another study */
    int64_t first_at, last_at;          /* of the answers, ms; 0: none */
    int64_t opened_at, closed_at;       /* first opened, last closed; 0: never, or not known */
    struct campaign_consent *consents;  /* by version */
    size_t n_consents;
};
/* Of a campaign, with the answers and decisions up to an event; grids, dates of opening and consents as they are now.
 * ERR_NOT_FOUND (rule "no-campaign"). */
enum err_code campaign_facts_get(struct db *db, int64_t campaign, int64_t as_of, struct arena *a,
                                 struct campaign_facts *out, struct err *err);

/* "simulated", "imported", "people" or "mixed": where the answers come from. Of a campaign without answers by its terms. */
const char *campaign_facts_source(const struct campaign_facts *f);

#endif
