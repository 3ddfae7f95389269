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
/* In two steps, for who may not need the object: the next line's text, false at the end; then that line as an object. */
bool jsonl_line(struct jsonl *j);
enum err_code jsonl_object(const struct jsonl *j, json_t **out, struct err *err);
void jsonl_open(struct jsonl *j, const char *name, struct sv text);
/* The next object (caller decrefs); *out NULL at the end. Blank lines are skipped. ERR_INPUT
 * "NAME:LINE: ..." for anything that is not one JSON object. */
enum err_code jsonl_next(struct jsonl *j, json_t **out, struct err *err);

#endif
