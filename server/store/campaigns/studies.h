/* studies.h - SQL for how people come to a campaign and leave it: the link, consent texts, codes
 * per outcome, the list of participants, outcomes and pay of places. Texts are in the caller's
 * arena; writes need a transaction of the caller and add their events. */
#ifndef STORE_CAMPAIGNS_STUDIES_H
#define STORE_CAMPAIGNS_STUDIES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"
#include "store/work/work.h"

/* How a place can end; STUDY_FULL and STUDY_NO_CONSENT only have codes, no place. */
enum study_outcome {
    STUDY_COMPLETE, STUDY_PARTIAL, STUDY_SCREENED_OUT, STUDY_NO_CONSENT, STUDY_TECHNICAL,
    STUDY_WITHDRAWN, STUDY_FULL, STUDY_RETURNED, STUDY_OUTCOMES
};
const char *study_outcome_name(enum study_outcome o); /* "complete", "screened-out", ... */
/* False for anything else. */
bool study_outcome_parse(struct sv name, enum study_outcome *out);
/* False for "returned": whoever gave a place back needs none. */
bool study_has_code(enum study_outcome o);

enum { STUDY_PARAMETERS = 8 }; /* most id parameters */

struct study_settings {
    int64_t campaign;
    struct sv link_key, source, id_parameters, return_url, contact, protocol, language;
    struct sv signing, signing_key; /* "", "hmac", "HS256", "RS256", "EdDSA"; see study/signed.h */
    bool known_only;
    int64_t partial_grids, place_minutes, floor_cents;
    struct sv code[STUDY_OUTCOMES]; /* of the campaign; empty for complete: one per place */
    int64_t consent;                /* newest text; 0: none written, the built-in one is shown */
    struct sv consent_version, consent_text;
};
/* The code of that outcome; of a complete place its own when the campaign has none. */
struct sv study_code(const struct study_settings *s, const struct place *p, enum study_outcome o);
/* Whether the settings are such that studies_put takes them; ERR_INPUT names the field (err.rule):
 * "link_key", ..., "code_partial", ... */
enum err_code study_check(const struct study_settings *s, struct err *err);
/* Rules "consent_version", "consent_text". */
enum err_code study_check_consent(struct sv version, struct sv text, struct err *err);

/* Makes the study of a new campaign with its defaults and drawn codes; campaigns_create calls it.
 * One that is there already stays. */
enum err_code studies_create(struct db *db, int64_t campaign, struct sv completion_code,
                             struct err *err);
/* ERR_NOT_FOUND (rule "no-study") for an imported campaign. */
enum err_code studies_get(struct db *db, int64_t campaign, struct arena *a,
                          struct study_settings *out, struct err *err);
/* The language of a campaign's pages: "" when the browser says it, and for a campaign without a
 * study. */
enum err_code studies_language(struct db *db, int64_t campaign, struct arena *a, struct sv *out,
                               struct err *err);
/* Writes all but consent, with an event "study.change", after study_check. */
enum err_code studies_put(struct db *db, const struct study_settings *s, int64_t account,
                          int64_t now, struct err *err);
/* A further consent text; version is "1", "2", ... unless given. ERR_CONFLICT (rule
 * "consent_version") for one that is there. */
enum err_code studies_consent(struct db *db, int64_t campaign, struct sv version, struct sv text,
                              int64_t account, int64_t now, struct err *err);

struct study_consent {
    struct sv version, text;
    int64_t at, places; /* places: people who agreed to it */
};
/* Newest first. */
enum err_code studies_consents(struct db *db, int64_t campaign, struct arena *a,
                               struct study_consent **out, size_t *n, struct err *err);

/* The list of people the lead expects: makes person and identity when unknown. *added says whether
 * the person was new on the list. */
enum err_code studies_participant(struct db *db, int64_t campaign, struct sv source,
                                  struct sv external_id, int64_t account, int64_t now, bool *added,
                                  struct err *err);
enum err_code studies_expects(struct db *db, int64_t campaign, int64_t person, bool *listed,
                              struct err *err);

/* What the panel's link said, for this place: JSON object text. */
enum err_code studies_arrival(struct db *db, int64_t place, struct sv parameters, struct err *err);

/* How a place ends; the newest holds. */
enum err_code studies_outcome(struct db *db, int64_t place, enum study_outcome o, int64_t account,
                              int64_t now, struct err *err);
/* *ended false: still in it. */
enum err_code studies_outcome_of(struct db *db, int64_t place, bool *ended,
                                 enum study_outcome *out, struct err *err);
/* Places that count to the campaign's number: those still in it that have answers or did something
 * within place_minutes (the others have lapsed), and those that ended complete or partial, or with
 * answers and not returned. */
enum err_code studies_places_taken(struct db *db, int64_t campaign, int64_t now, int64_t *out,
                                   struct err *err);
/* Whether a place has lapsed: no answer, no outcome, no grid in hand, and place_minutes after joining
 * or its last grid. It counts again as soon as a grid is lent to it. */
enum err_code studies_lapsed(struct db *db, int64_t place, int64_t now, bool *lapsed,
                             struct err *err);
/* Somebody did not consent: an event, nothing about the person. */
enum err_code studies_declined(struct db *db, int64_t campaign, int64_t now, struct err *err);

/* One answer of a place as its worker sees it. */
struct study_submission {
    int64_t answer, at;
    enum { SUBMISSION_STORED, SUBMISSION_SURPLUS, SUBMISSION_OUT } state;
    struct sv rule;  /* OUT: why it does not count */
};
enum err_code studies_submissions(struct db *db, int64_t place, struct arena *a,
                                  struct study_submission **out, size_t *n, struct err *err);

#endif
