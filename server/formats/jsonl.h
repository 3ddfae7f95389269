/* jsonl.h - JSON lines: one object per line of a text in memory. */
#ifndef FORMATS_JSONL_H
#define FORMATS_JSONL_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/sv.h"

struct jsonl {
    const char *name;
    struct sv rest;
    uint64_t line; /* of the current object, from 1 */
    struct sv text; /* the current object's */
};
void jsonl_open(struct jsonl *j, const char *name, struct sv text);
/* The next object (caller decrefs); *out NULL at the end. Blank lines are skipped. ERR_INPUT
 * "NAME:LINE: ..." for anything that is not one JSON object. */
enum err_code jsonl_next(struct jsonl *j, json_t **out, struct err *err);

#endif
