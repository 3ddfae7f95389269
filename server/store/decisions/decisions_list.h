/* decisions_list.h - the list of a decision's subjects as bytes, and how far it is written: shared by
 * decisions.c and read.c.
 *
 * The list is the differences of rising numbers, each as base-128 digits, the least first, with the
 * high bit on all but the last: about a byte for an answer. */
#ifndef STORE_DECISIONS_DECISIONS_LIST_H
#define STORE_DECISIONS_DECISIONS_LIST_H

#include "base/str.h"
#include "store/decisions/decisions.h"

/* `out` is initialised here; release it. */
void subjects_pack(const int64_t *subjects, size_t n, struct str *out);
/* False when the bytes are not exactly n rising numbers. */
bool subjects_unpack(struct sv bytes, int64_t *subjects, size_t n);

/* Subject of the newest row; 0: none is written. */
enum err_code decisions_last_written(struct db *db, const struct decision *d, int64_t *subject,
                                     struct err *err);

#endif
