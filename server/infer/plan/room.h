/* room.h - memory for weights and plans: aligned to cache lines and, when it is large, in large
 * pages. A layer that reads all its weights once for one picture is a fifth faster so: fewer page
 * tables to walk. Private to this room. */
#ifndef INFER_PLAN_ROOM_H
#define INFER_PLAN_ROOM_H

#include <stddef.h>

#include "base/err.h"

/* Not cleared; freed by free(). ERR_BUSY (rule "model-memory"): `what` could not be had. */
enum err_code room_make(size_t bytes, const char *what, void **out, struct err *err);

#endif
