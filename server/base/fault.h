/* fault.h - switches for failures that tests need: a shifted clock, a failing flush, a full disk, a kill.
 *
 * Only builds with -DFAULT_HOOKS look at them; elsewhere every function is a constant 0 and the
 * compiler removes it. The switches live in a small file named by HOLDOUT_FAULT_FILE that the
 * test maps too (struct fault_switches, see tests/shim/README.md), so they can be turned while
 * the server runs. */
#ifndef BASE_FAULT_H
#define BASE_FAULT_H

#include <stdint.h>

/* The layout of the file. Numbers count down where they say "next": 3 = the next three fail,
 * negative = all fail until the test writes 0 again. */
struct fault_switches {
    int64_t clock_ms;     /* added to both clocks */
    int32_t fail_sync;    /* the next flushes (fsync, fdatasync) fail with EIO */
    int32_t fail_space;   /* the next writes fail with ENOSPC */
    int32_t short_write;  /* the next writes store half of what they were given */
    int32_t kill_after;   /* the process is killed at the n-th write or flush from now; 0: never */
    int32_t arena_after;  /* the n-th allocation for a request from now finds its arena full; 0: none */
};

#ifdef FAULT_HOOKS
int64_t fault_clock_ms(void);
int fault_sync(void);  /* errno to fail with, or 0 */
int fault_space(void); /* errno to fail with, or 0 */
int fault_short(void); /* 1: write only half */
int fault_arena(void); /* 1: this allocation finds its arena full */
/* 1: SQLite leaves its flushes out (HOLDOUT_FAULT_UNFLUSHED is set). Exists so that the durability test can be
 * shown to fail. */
int fault_unflushed(void);
#else
static inline int64_t fault_clock_ms(void) { return 0; }
static inline int fault_sync(void) { return 0; }
static inline int fault_space(void) { return 0; }
static inline int fault_short(void) { return 0; }
static inline int fault_arena(void) { return 0; }
static inline int fault_unflushed(void) { return 0; }
#endif

#endif
