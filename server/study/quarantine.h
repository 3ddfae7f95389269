/* quarantine.h - how flagged images stand, in memory: whether one is hidden is asked for every image that is served,
 * and the list of them would otherwise look at every flag there is. Derived from store/work/flags; the writer thread
 * refreshes it after commits, all threads ask. Knows nothing of requests. */
#ifndef STUDY_QUARANTINE_H
#define STUDY_QUARANTINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "store/work/flags.h"

struct quarantine;
/* `flags_to_quarantine` people's flags hide an image (option work.flags_to_quarantine). */
struct quarantine *quarantine_new(int64_t flags_to_quarantine);
void quarantine_free(struct quarantine *q); /* NULL is allowed */
/* Folds flags and decisions committed since the last call: four seeks when there are none, so that
 * votes pay nothing. One thread at a time. */
enum err_code quarantine_refresh(struct quarantine *q, struct db *db, struct err *err);
/* From any thread. */
bool quarantine_has(struct quarantine *q, int64_t image);
/* The same as the desk asks it (live/work/desk.h); `q` NULL: nothing is hidden. */
bool quarantine_hides(void *q, int64_t image);
/* Images that were flagged and that nobody has decided about yet. From any thread. */
int64_t quarantine_waiting(struct quarantine *q);

enum quarantine_sort { QUARANTINE_MOST_REPORTED, QUARANTINE_NEWEST }; /* equally many: the newest first */
struct quarantine_ask {
    unsigned states;     /* bits of enum flag_state */
    enum quarantine_sort sort;
    const int64_t *kept; /* images that are listed whatever their state */
    size_t n_kept;
};
struct quarantined {
    int64_t image;
    struct flag_standing is;
};
/* Those that were flagged or decided about, in the arena. From any thread. */
struct quarantined *quarantine_list(struct quarantine *q, const struct quarantine_ask *ask,
                                    struct arena *a, size_t *n);
/* How many are in one of the states. */
int64_t quarantine_count(struct quarantine *q, unsigned states);

#endif
