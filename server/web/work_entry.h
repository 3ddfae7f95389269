/* work_entry.h - who may come to a study: what the link says, who is kept out and why, the place that
 * consent reserves. The pages and the JSON API ask here. Knows nothing of accounts. */
#ifndef WEB_WORK_ENTRY_H
#define WEB_WORK_ENTRY_H

#include "store/campaigns.h"
#include "store/studies.h"
#include "web/app.h"

enum { ENTRY_VALUE_MOST = 128 }; /* bytes of a value that the panel's link carries */

/* Why somebody cannot start. */
enum entry_gate {
    ENTRY_OPEN,      /* they can */
    ENTRY_HAS_PLACE, /* they did, and can go on, whatever is true for others */
    ENTRY_NOT_YET, ENTRY_PAUSED, ENTRY_CLOSED, ENTRY_BLOCKED, ENTRY_NOT_LISTED, ENTRY_FULL,
    ENTRY_APART,     /* a set is measured again, and they saw images of the first time */
    ENTRY_GATES
};
/* The word in catalogue keys and, with dashes, in the API's errors: "not_yet", ... */
const char *entry_gate_word(enum entry_gate gate);
/* The outcome whose code they take back. */
enum study_outcome entry_gate_outcome(enum entry_gate gate);

struct work_entry {
    struct campaign k;
    struct study s;
    struct sv key, id, consent; /* consent: the version that the person read; empty: not said */
    struct sv parameters;       /* the others, JSON object text; empty when there are none */
    int64_t person;             /* 0: not known here yet */
    bool has_place;
    struct place place;
    enum entry_gate gate;
};

/* A value by its name: from the address, a form or a JSON body. Empty when absent. */
typedef struct sv (*entry_value)(struct ctx *c, const char *name);

/* Reads campaign, study and what the link carries, sets c->language and checks the key. ERR_NOT_FOUND
 * (rules "no-campaign", "no-study"), ERR_INPUT (rule "parameters"), ERR_DENIED (rule "study-key"). */
enum err_code work_entry_read(struct ctx *c, struct sv campaign, entry_value get,
                              struct work_entry *e);
/* Finds the person and says whether they may start, as the database knows it. */
enum err_code work_entry_check(struct ctx *c, struct work_entry *e);

/* A place: the one that the person has, or a new one, exactly as many as the campaign promises.
 * Write steps only. `out` is set when OK. ERR_CONFLICT (rule "consent-changed", or that of the gate:
 * "study-full", "campaign-not-open", "screened-out"), then e->gate says why. */
enum err_code work_join(struct ctx *c, struct work_entry *e, struct place *out);
/* Whether the campaign has a place left. Write steps only. */
enum err_code work_has_room(struct ctx *c, const struct campaign *k, int64_t now, bool *room);

#endif
