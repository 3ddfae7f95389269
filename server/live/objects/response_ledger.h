/* response_ledger.h - every answer to CLASSIFY tasks in memory, in the order of its event, with what it is an answer to: an
 * image and the labels that people choose among. Append-only but for `out`, so that how it was after an event is known: what
 * happened since is taken back from the end. 59,580 answers are 4 MB. Knows SQL only through store/. One thread at a time. */
#ifndef LIVE_OBJECTS_RESPONSE_LEDGER_H
#define LIVE_OBJECTS_RESPONSE_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/map.h"
#include "db/db.h"
#include "domain/grids/grid.h"

struct response_task { /* a grid of one image */
    uint32_t id, campaign, image, class_id; /* class_id: the label that the image's set gives it */
    uint32_t first;    /* its options' class ids, in candidate order: `options` from here */
    uint32_t known;    /* of a check: bits of the labels whose objects are there */
    uint8_t n;         /* options */
    bool check;        /* made to see whether people can do the task: it measures nothing */
    bool none_offered; /* that none of the options is there could be said */
    bool excluded;     /* now */
};
struct response_row {
    uint64_t seed;
    uint32_t id;       /* its event */
    uint32_t task;     /* index */
    uint32_t person;   /* database id */
    uint32_t at_s;     /* seconds since 1970 UTC */
    uint32_t active_ms; /* 0: not known */
    uint32_t mask;     /* bits of options; 0: none of these */
    int16_t main;      /* option; OPTION_NONE */
    bool shuffled;     /* the options were shown in the order of `seed` (domain/grids/grid.h) */
    bool surplus, out; /* out of the analysis, now */
};
struct response_flip { /* a decision about an answer, or about a task */
    uint32_t id, at;   /* event; index of the row or the task */
    bool out;          /* what it became; it was the opposite, or the same */
};
struct response_ledger { /* {0}: empty */
    struct response_task *tasks;
    uint32_t *options;
    struct response_row *rows;
    struct response_flip *flips, *exclusions;
    size_t n_tasks, n_options, n, n_flips, n_exclusions;
    size_t cap_tasks, cap_options, cap, cap_flips, cap_exclusions;
    struct map_u64 by_grid;
    bool mapped;
    int64_t cursor;    /* last event folded */
    int64_t newest;    /* last event about any of this; 0: none */
    uint64_t version;  /* grows with every change */
};
/* Folds what happened since. After an error it is empty, and the next fold starts from nothing. */
enum err_code response_ledger_fold(struct response_ledger *l, struct db *db, struct err *err);
void response_ledger_release(struct response_ledger *l);

/* What held after an event (0: now), by index: out[l->n] of rows, excluded[l->n_tasks] of tasks. */
void response_ledger_states(const struct response_ledger *l, int64_t as_of, bool *out, bool *excluded);

#endif
