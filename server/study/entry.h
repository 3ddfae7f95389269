/* entry.h - who may come to a study: what the link says, who is kept out and why, the place that
 * consent reserves. Knows nothing of accounts. */
#ifndef STUDY_ENTRY_H
#define STUDY_ENTRY_H

#include "store/campaigns/campaigns.h"
#include "store/campaigns/studies.h"
#include "study/study.h"

enum { ENTRY_VALUE_MOST = 128 }; /* bytes of a value that the panel's link carries */

/* Whether somebody can start, or why not. */
enum entry_stand {
    ENTRY_OPEN,      /* they can */
    ENTRY_HAS_PLACE, /* they did, and can continue, whatever is true for others */
    ENTRY_NOT_YET, ENTRY_PAUSED, ENTRY_CLOSED, ENTRY_BLOCKED, ENTRY_NOT_LISTED, ENTRY_FULL,
    ENTRY_APART,     /* a set is measured again, and they saw images of the first time */
    ENTRY_COMPLETE,  /* all answers are there */
    ENTRY_MET,       /* they saw images of every grid that is free */
    ENTRY_NO_WORK,   /* all grids are lent, or none is left for this person */
    ENTRY_STANDS
};
/* The word in catalogue keys and, with dashes, in the API's errors: "not_yet", ... */
const char *entry_stand_word(enum entry_stand stand);
/* The outcome whose code they take back. */
enum study_outcome entry_stand_outcome(enum entry_stand stand);

struct entry {
    struct campaign k;
    struct study_settings s;
    struct sv key, id, consent; /* consent: the version that the person read; empty: not said */
    struct sv values[STUDY_PARAMETERS]; /* of the id parameters, in their order; the first is id */
    struct sv parameters;       /* the others, JSON object text; empty when there are none */
    bool browser;               /* set by the caller: a page asks, so study.kept may be */
    bool proven;                /* the panel's signature says that the id is theirs */
    int64_t person;             /* 0: not known here yet */
    bool has_place;
    struct place place;
    enum entry_stand stand;
};

/* What the link says, from the address, a form or a JSON body: values by name, empty when absent. */
struct entry_link {
    struct sv (*value)(void *arg, const char *name);
    void *arg;
};
struct sv entry_value(const struct entry_link *link, const char *name);

/* Begins *e with the campaign of that name: the reply can then use its language. ERR_NOT_FOUND (rule
 * "no-campaign"). */
enum err_code entry_find(const struct study *study, struct sv campaign, struct entry *e);
/* Then reads the study's settings and checks the link's key. ERR_NOT_FOUND (rule "no-study"), ERR_DENIED
 * (rule "study-key"). */
enum err_code entry_read(const struct study *study, const struct entry_link *link, struct entry *e);
/* Reads who comes, and checks the panel's signature where the study asks for one. ERR_INPUT (rule
 * "parameters"), ERR_DENIED (rules "study-signature", "study-expired"). */
enum err_code entry_who(const struct study *study, const struct entry_link *link, struct entry *e);
/* Says whether one may start, as the database knows it. What is known of a person is only looked at for
 * whoever is that person: by the panel's signature, or by what this browser keeps of any of their places. For
 * everybody else all ids read the same. */
enum err_code entry_check(const struct study *study, struct entry *e);

/* A place: the one that the person has, or a new one, exactly as many as the campaign promises; new ones
 * only while there is a grid for them, if a browser asks. Somebody who comes back gets a secret that lets them
 * continue, their own one if this browser has it or the panel's signature proves who they are (hold.h).
 * Write steps only. `out` is set when OK. ERR_CONFLICT (rule "consent-changed", or that of e->stand:
 * "study-full", "campaign-not-open", "screened-out", "no-work"). */
enum err_code entry_join(const struct study *study, struct entry *e, struct place *out);
/* Whether the campaign has a place left. Write steps only. */
enum err_code entry_has_room(const struct study *study, const struct campaign *k, int64_t now,
                             bool *room);

#endif
