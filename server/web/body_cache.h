/* body_cache.h - bodies of replies by number, those used last, up to so many bytes. Any thread may
 * ask and add. Knows nothing of what they are. */
#ifndef WEB_BODY_CACHE_H
#define WEB_BODY_CACHE_H

#include <stddef.h>
#include <stdint.h>

#include "http/http.h"

struct body_cache;

/* `bytes` 0: keeps nothing. */
struct body_cache *body_cache_new(size_t bytes);
void body_cache_free(struct body_cache *c); /* NULL is allowed; replies keep what they send */
/* A reference for the caller, or NULL. */
struct http_shared *body_cache_get(struct body_cache *c, uint64_t number);
/* Whether a body of n bytes with its tail, that was just missed, should be put: not one that takes
 * much of the room, nor one for which there is none, unless it was missed lately before. Number 0 is
 * no body's. */
bool body_cache_wants(struct body_cache *c, uint64_t number, size_t n);
/* Keeps a reference of its own; makes room by letting go of what was not used lately. A body that
 * is there already stays. */
void body_cache_put(struct body_cache *c, uint64_t number, struct http_shared *body);

struct body_cache_stats {
    uint64_t hits, misses;   /* since the start */
    uint64_t bytes, bodies;  /* now */
};
void body_cache_stats(struct body_cache *c, struct body_cache_stats *out);

#endif
