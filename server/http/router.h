/* router.h - matching a path against patterns such as "/classes/:wnid".
 * A literal segment wins over a parameter. Knows nothing of what a route means. */
#ifndef HTTP_ROUTER_H
#define HTTP_ROUTER_H

#include <stdbool.h>

#include "http/http.h"

struct router;
/* Builds an index over n patterns (borrowed). A segment ":name" matches one non-empty segment without "/", a last
 * segment "*name" the whole non-empty rest. Two rows may share a pattern with other methods. */
struct router *router_new(const char *const *patterns, const enum http_method *methods, size_t n);
void router_free(struct router *r);
/* Index of the row, -1 for no such path, -2 for a known path with another method; then *allow
 * gets a bit (1 << method) per method that exists. HEAD finds GET's row. `params` gets what
 * the named segments matched, in order. */
int router_find(const struct router *r, enum http_method method, struct sv path,
                struct sv params[HTTP_PARAMS], unsigned *allow);

#endif
