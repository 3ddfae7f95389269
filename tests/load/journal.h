/* journal.h - what the server acknowledged, one JSON object a line, for verify to hold against the
 * database:  {"assignment":"..","client_id":"..","selected":[0,7],"status":"stored","event":12}
 * A line is written after the acknowledgement was read, so every line is a promise. */
#ifndef LOAD_JOURNAL_H
#define LOAD_JOURNAL_H

#include <stdint.h>
#include <stdio.h>

#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"

/* "[0,7,12]": the positions of the bits of `mask`. */
void journal_selected(struct str *out, uint64_t mask);

enum err_code journal_open(const char *path, FILE **out, struct err *err); /* appends */
/* Hands the line to the kernel at once: it survives a kill of this program. */
enum err_code journal_write(FILE *f, struct sv assignment, struct sv client_id, uint64_t mask,
                            struct sv status, int64_t event, struct err *err);
enum err_code journal_close(FILE *f, struct err *err); /* NULL is allowed */

#endif
