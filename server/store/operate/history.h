/* history.h - SQL for the history: what happened, newest first, and what each event is about.
 *
 * Every answer is an event too, and a decision about many writes one for each of them: these single
 * ones are left out unless asked for (index event_told in 0003). A filter without an index of its own
 * looks through a limited number of events and says how far it came, so that a page costs the same
 * in any project. Texts are in the caller's arena. */
#ifndef STORE_OPERATE_HISTORY_H
#define STORE_OPERATE_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"

enum { HISTORY_LOOKED_MOST = 20000, HISTORY_RUN_MS = 60000 };

struct history_ask {
    int64_t before;            /* events with a smaller number; 0: from the newest */
    int64_t from_ms, until_ms; /* of the time they happened, until_ms left out; 0: any */
    int64_t account;           /* who did it; 0: anybody */
    int64_t campaign, person;  /* what it is about; 0: anything. Not both */
    struct sv kinds;           /* "|campaign.open|campaign.close|"; empty: all */
    struct sv runs;            /* kinds of which those in a row are one line: pieces of one import */
    struct sv crowds;          /* the same, whatever their subjects */
    bool singles;              /* single answers too */
    size_t limit;
    int64_t looked_most;       /* events looked through at most; 0: HISTORY_LOOKED_MOST */
};
struct history_event {
    int64_t id, at, account, subject; /* 0: none; of a run: the newest's */
    struct sv kind, detail, login;    /* login of the account, empty without one */
    int64_t run;                      /* how many events the line stands for */
    int64_t count;                    /* the number that their details tell, summed; 0: none */
};
struct history_page {
    struct history_event *events;
    size_t n;
    int64_t next;   /* `before` of the next page; 0: this is all */
    bool cut;       /* fewer than the limit because enough was looked through; next says where */
};
enum err_code history_page(struct db *db, const struct history_ask *ask, struct arena *a,
                           struct history_page *out, struct err *err);

/* Which table an event's subject is in, and so what there is to say of it. */
enum history_about {
    ABOUT_NOTHING, ABOUT_CAMPAIGN, ABOUT_CONSENT, ABOUT_PLACE, ABOUT_PAY, ABOUT_PERSON, ABOUT_NOTE,
    ABOUT_ACCOUNT, ABOUT_TOKEN, ABOUT_INVITE, ABOUT_IMAGE, ABOUT_FLAG, ABOUT_ANSWER, ABOUT_STATE,
    ABOUT_VIEW, ABOUT_DECISION, ABOUT_SET, ABOUT_REVISION, ABOUT_MODEL, ABOUT_SCORES, ABOUT_PREDICTIONS,
    ABOUT_CLASS, ABOUT_JOB, ABOUT_LABELS, ABOUT_TEXTS, ABOUT_MAPPING, ABOUT_PLAN, ABOUT_LABEL_PLAN,
    ABOUT_SUBSET, ABOUT_LABEL_REVIEW, ABOUT_EVALUATION, ABOUT_GUIDE, ABOUT_RELATION, ABOUT_TRAINING, ABOUT_NEED,
    ABOUT_SUPERCLASSES, HISTORY_ABOUTS
};
/* Empty and 0 where there is no such thing, or it is gone. */
struct history_facts {
    struct sv campaign;    /* name; about a class: its synset */
    struct sv person;      /* pseudonym */
    struct sv name;        /* of an image, a view, a class (its wnid), an account, a token; a decision's value; a job's title */
    struct sv text;        /* outcome, reason, kind of a flag, version, how a job ended */
    int64_t number;        /* image; assignment of an answer; how many a decision is about; job */
    int64_t other;         /* of a decision: people; of a view: which version of its name */
    bool undone;           /* a further decision took this one back */
};
enum err_code history_facts(struct db *db, const struct history_event *e, enum history_about about,
                            struct arena *a, struct history_facts *out, struct err *err);

/* Who can be chosen: accounts that did something, by login. */
struct history_who {
    int64_t account;
    struct sv login;
};
enum err_code history_accounts(struct db *db, struct arena *a, struct history_who **out, size_t *n,
                               struct err *err);

#endif
