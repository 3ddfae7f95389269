/* bench.h - a writer under test: operations that insert rows, a gate that holds a batch back until
 * others wait behind it, counters of what the hooks saw. Knows the table t that it makes. */
#ifndef DB_BENCH_H
#define DB_BENCH_H

#include "fixture.h"

#include <pthread.h>

#include "db/writer.h"

struct bench {
    const struct fixture *f;
    struct writer *w;
    pthread_mutex_t lock; /* guards the rest */
    pthread_cond_t changed;
    int committed, reloads, ticks; /* calls of the hooks */
    bool fail_committed;           /* hooks.committed fails while set */
    int64_t rows_seen;             /* by hooks.committed */
    bool gate_entered, gate_open;
    size_t done;
};

enum item_kind {
    ITEM_INSERT,
    ITEM_FAIL,    /* inserts, then fails with ERR_INPUT */
    ITEM_TWICE,   /* inserts a row that is there: ERR_CONFLICT */
    ITEM_RECOVER, /* a step fails, the operation goes on and succeeds */
    ITEM_SWALLOW, /* inserts too much, does not look at the answer, inserts again */
    ITEM_GATE     /* waits until the gate opens */
};

/* One operation and what it was told. */
struct item {
    enum item_kind kind;
    int64_t x;    /* the row's key */
    size_t bytes; /* stored with it */
    struct bench *b;
    struct write_op op;
    int told; /* calls of done */
    struct err result;
    int64_t visible; /* rows that another connection saw when done was called */
};

/* A table t and a writer with hooks. `setup` (or NULL) runs on its connection before; a busy
 * timeout of 0 leaves the default. */
void bench_start(struct bench *b, const struct fixture *f, size_t queue_max, const char *setup,
                 int busy_ms);
/* Stops the writer unless a test did. */
void bench_stop(struct bench *b);

enum err_code bench_submit(struct bench *b, struct item *it, struct err *err);
/* Submits and waits; the item's error. */
enum err_code bench_call(struct bench *b, struct item *it);
/* A gate in the writer's hands: what is submitted next becomes one batch. */
void bench_close_gate(struct bench *b, struct item *gate);
void bench_open_gate(struct bench *b);
/* Submits n items behind a gate, opens it and waits for all. */
void bench_batch(struct bench *b, struct item *items, size_t n);
/* Waits until `n` operations were told, or until *counter (one of the bench's) is `at_least`. */
void bench_wait_done(struct bench *b, size_t n);
void bench_wait(struct bench *b, const int *counter, int at_least);
int bench_read(struct bench *b, const int *counter);
void bench_fail_committed(struct bench *b, bool fail);

#endif
