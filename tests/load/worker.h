/* worker.h - what work.c (people, limits) and worker.c (one worker's requests) share. */
#ifndef LOAD_WORKER_H
#define LOAD_WORKER_H

#include "base/rng.h"
#include "base/str.h"
#include "load/work.h"

enum { TOKEN_MAX = 48, UUID_SIZE = 37, REPLY_MAX = 256 };

struct text { /* a short copied text */
    char p[TOKEN_MAX];
    size_t n;
};

struct lease { /* one assignment and the answer it will get */
    struct text token;
    char client_id[UUID_SIZE];
    uint64_t mask;
    bool has_main; /* of a CLASSIFY task: its lowest bit */
    int64_t until_ms; /* the server's wall clock */
};

struct held { /* an answer that waits for its time */
    struct lease lease;
    int64_t due_ns;
};

struct worker {
    struct work *w;
    struct client_conn *conn, *twin; /* twin: the second way of a doubled answer */
    void (*step)(struct worker *k);  /* what a retry repeats */
    bool parked;
    struct text place;
    uint64_t person;    /* number of the person, in its external id */
    unsigned answered;  /* grids of this person */
    unsigned fruitless; /* times that a person without any grid was told there is none */
    struct lease lease;
    bool on_place; /* the lease is the current person's, not a held one */
    /* the answer under way */
    unsigned waiting, good, bad;
    bool again; /* send it once more when it is acknowledged */
    int64_t retry_after_ms;
    int bad_status;
    char reply[REPLY_MAX]; /* the first acknowledgement */
    size_t reply_n;
};

struct work {
    struct client *client;
    struct work_options o;
    enum work_mode mode;
    struct rng rng;
    struct worker *workers;
    unsigned busy; /* workers that are not parked */
    bool stopping, dead;
    uint64_t people;
    uint64_t fruitless; /* people in a row who found no grid */
    int64_t deadline_ns, last_good_ns;
    struct held *held; /* unordered */
    size_t n_held, held_cap;
    int64_t next_due_ns;
    struct lease *put_by; /* from WORK_LEASE for WORK_SUBMIT */
    size_t n_put_by, put_by_cap, put_by_taken;
    struct str buf; /* request body while it is made */
    struct str path;
    struct work_stats s;
    struct err err;
};

/* work.c: decides what the worker does next, or parks it. */
void work_continue(struct worker *k);
/* Puts the current lease by until `due_ns`; the worker goes on as somebody else. */
void work_hold(struct worker *k);
void work_acknowledged(struct worker *k, struct sv status, int64_t event);
/* A reply broke the contract: counted, the first one kept. */
void work_mismatch(struct work *w, const char *what, int status, struct sv body);

/* worker.c: each sends one request and goes on from its reply. */
void worker_join(struct worker *k);
void worker_next(struct worker *k);
void worker_answer(struct worker *k);

#endif
