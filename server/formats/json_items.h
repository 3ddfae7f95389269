/* json_items.h - the items of one long JSON list or object, one at a time: the list is never in memory as a whole. Knows
 * jansson and nothing of what items mean. */
#ifndef FORMATS_JSON_ITEMS_H
#define FORMATS_JSON_ITEMS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/sv.h"

enum { JSON_ITEM_MOST = 1 << 20 }; /* bytes of one item */

struct json_items {
    const char *name;
    struct sv rest;
    uint64_t line, n;  /* where the current item begins; how many came, this one included */
    bool named, begun; /* an object's members, not a list's */
};
/* ERR_INPUT unless the text begins with "[" or "{". */
enum err_code json_items_open(struct json_items *j, const char *name, struct sv text, struct err *err);
/* The next item (the caller decrefs); *out NULL at the end. *key, in the arena: its name in an object, else empty.
 * ERR_INPUT "NAME:LINE: ..." for text that is no JSON, ERR_LIMIT for an item longer than JSON_ITEM_MOST. */
enum err_code json_items_next(struct json_items *j, struct arena *a, struct sv *key, json_t **out, struct err *err);

#endif
