/* hits_exclude.h - which HITs of an earlier study nobody counts: the study's own list of bad HITs as published,
 * {uuid: reason}, a JSON list, CSV (hit, and if it is there reason), or a name a line. A name is the uuid or the
 * panel's id of a HIT, or a file of HITs by its name, for pilots. Knows nothing of the database. */
#ifndef TRANSFER_IMPORTS_HITS_EXCLUDE_H
#define TRANSFER_IMPORTS_HITS_EXCLUDE_H

#include "transfer/imports/lines.h"

enum { HITS_EXCLUDE_MOST = 1000000, HITS_REASON_MOST = 200 };

struct hits_exclude {
    struct map_sv names;
    struct sv *reasons;   /* by number in `names`, "excluded" where none is given */
    struct sv *words;     /* the names themselves */
    bool *met;            /* hits_exclude_reason found it */
    size_t n, cap, cap_words, cap_met;
};
void hits_exclude_init(struct hits_exclude *x);
void hits_exclude_release(struct hits_exclude *x);
/* Adds those that the files name. ERR_INPUT names the file and the line. */
enum err_code hits_exclude_read(struct hits_exclude *x, struct transfer *tr, const char **files, size_t n);
/* Why a HIT is left out that has these names: of itself and of its file, which may be a path. Empty: it counts.
 * Borrowed. */
struct sv hits_exclude_reason(struct hits_exclude *x, const struct sv *names, size_t n);
/* Warns of names that no HIT had. */
void hits_exclude_tell(const struct hits_exclude *x, const struct transfer *tr);

#endif
