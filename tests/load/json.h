/* json.h - reads single members of a small JSON object without building a tree.
 * For replies of the server under test only: what is malformed simply has no members. */
#ifndef LOAD_JSON_H
#define LOAD_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "base/sv.h"

/* The raw text of the member `key` at the top of the object (strings with their quotes); members
 * of nested objects are not looked at. False when there is none. */
bool json_member(struct sv object, const char *key, struct sv *raw);
/* Typed forms; the text is between its quotes, escapes are left as they are. */
bool json_text(struct sv object, const char *key, struct sv *text);
bool json_number(struct sv object, const char *key, int64_t *number);
bool json_true(struct sv object, const char *key);

#endif
