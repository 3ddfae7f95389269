/* campaigns.h - SQL for campaigns: the terms under which grids are answered. Texts are in the caller's arena. */
#ifndef STORE_CAMPAIGNS_CAMPAIGNS_H
#define STORE_CAMPAIGNS_CAMPAIGNS_H

#include <stdbool.h>

#include "base/arena.h"
#include "db/db.h"
#include "domain/grids/plan_summary.h"

struct campaign {
    int64_t id;
    struct sv name, kind, title, population, currency, layout, rule_text, instruction_version,
        completion_code, state;
    bool imported, simulated, same_image_again, shuffle, bulk_select;
    bool classify;      /* its task is CLASSIFY: grids of one image with options (store/work/grids.h); else CONTAINS */
    bool none_of_these; /* CLASSIFY: "none of these / something else" is an answer */
    int64_t answers_per_grid, grids_per_place, places, lease_seconds, pay_cents, min_screen;
    int64_t gold_per_grid, coverage; /* coverage: originals per class that need their answers */
    double max_share, expected_minutes;
    int64_t opens_at, closes_at; /* 0: not set */
    int64_t seed, created_at;
};

/* Whether somebody gave it a title: a new campaign without one is called by its name. */
bool campaign_titled(const struct campaign *c);
/* What its plan costs by (domain/grids/plan_summary.h). */
struct plan_terms campaign_plan_terms(const struct campaign *c);
/* The defaults of a new campaign, as in the study's own tool where it has one. */
void campaign_defaults(struct campaign *c);
/* The same of a campaign whose task is CLASSIFY: nine answers, as in the published study. */
void campaign_defaults_classify(struct campaign *c);
/* Names are part of addresses, where "new" is the form for another campaign, and of file names. */
#define CAMPAIGN_NAME "1 to 64 of a-z, 0-9 and -, and not \"new\""
bool campaign_name_ok(struct sv name);
/* Inserts with an event; c->id is set. One that is answered here gets its study (studies.h)
 * in the same transaction. ERR_CONFLICT (rule "campaign-exists") for a taken name,
 * ERR_INPUT for a bad one (rule "campaign-name") or a text that is not UTF-8 (rule "utf-8"). */
enum err_code campaigns_create(struct db *db, struct campaign *c, int64_t account, int64_t now,
                               struct err *err);
/* ERR_NOT_FOUND (rule "no-campaign") when there is none. */
enum err_code campaigns_find(struct db *db, struct sv name, struct arena *a, struct campaign *out,
                             struct err *err);
enum err_code campaigns_get(struct db *db, int64_t id, struct arena *a, struct campaign *out,
                            struct err *err);
/* How many answers its grids have (surplus ones do not count), and how many they were planned with. */
enum err_code campaigns_answered(struct db *db, int64_t id, int64_t *answers, int64_t *wanted,
                                 struct err *err);
/* All, newest first; `own_only` those whose grids are answered here: not imported, no drafts. */
enum err_code campaigns_list(struct db *db, bool own_only, struct arena *a, struct campaign **out,
                             size_t *n, struct err *err);
/* Writes title, grids_per_place, max_share, pay_cents and expected_minutes of a draft, with an event
 * "campaign.terms". ERR_INPUT (rules "title", "grids_per_place", "max_share", "pay", "minutes"), ERR_CONFLICT (rule
 * "not-a-draft"): people were promised the terms of a campaign that was opened. */
enum err_code campaigns_set_terms(struct db *db, const struct campaign *c, int64_t account, int64_t now,
                                  struct err *err);
/* draft, open, paused, closed; with an event "campaign.<state>". */
enum err_code campaigns_set_state(struct db *db, int64_t id, const char *state, int64_t account,
                                  int64_t now, struct err *err);

#endif
