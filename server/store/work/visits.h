/* visits.h - SQL for the secrets by which people come back to a place: that of the browser that joined is
 * the place's own row (work.h), the others are here. Only hashes are stored; whoever calls makes
 * them. Writes need a transaction of the caller. */
#ifndef STORE_WORK_VISITS_H
#define STORE_WORK_VISITS_H

#include "store/work/work.h"

enum { VISITS_KEPT = 20 }; /* secrets of a place that proved nothing and answered nothing */

/* One more secret of a place; `own`: whoever gets it proved to be the person who joined. The oldest
 * beyond VISITS_KEPT end, never one that proved something or answered a grid. */
enum err_code visits_create(struct db *db, int64_t place, const unsigned char hash[WORK_HASH],
                            bool own, int64_t now, int64_t *id, struct err *err);
/* Whether a grid that was lent to this secret alone is answered. */
enum err_code visits_worked(struct db *db, int64_t place, int64_t visit, bool *worked,
                            struct err *err);
/* Whether no other place of its campaign has the code: then knowing it proves who one is. */
enum err_code visits_code_is_own(struct db *db, const struct place *p, bool *own, struct err *err);

/* Places whose secret itself is stored, from before schema 7, at most `most` at a time: calls each,
 * which says the hash to store instead. *n: how many there were. */
enum err_code visits_hash_old(struct db *db, size_t most,
                              void (*hash)(void *arg, const unsigned char token[WORK_TOKEN],
                                           unsigned char out[WORK_HASH]),
                              void *arg, size_t *n, struct err *err);

#endif
