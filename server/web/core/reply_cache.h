/* reply_cache.h - bodies of replies by number, those used last, up to so many bytes. Any thread may
 * ask and add. Knows nothing of what they are. */
#ifndef WEB_CORE_REPLY_CACHE_H
#define WEB_CORE_REPLY_CACHE_H

#include <stddef.h>
#include <stdint.h>

#include "http/http.h"

struct reply_cache;

/* `bytes` 0: keeps nothing. */
struct reply_cache *reply_cache_new(size_t bytes);
void reply_cache_free(struct reply_cache *c); /* NULL is allowed; replies keep what they send */
/* A reference for the caller, or NULL. */
struct http_shared *reply_cache_get(struct reply_cache *c, uint64_t number);
/* Whether a body of n bytes with its tail, that was just missed, should be put: not one that takes
 * much of the room, nor one for which there is none, unless it was missed lately before. Number 0 is
 * no body's. */
bool reply_cache_wants(struct reply_cache *c, uint64_t number, size_t n);
/* Keeps a reference of its own; makes room by letting go of what was not used lately. A body that
 * is there already stays. */
void reply_cache_put(struct reply_cache *c, uint64_t number, struct http_shared *body);

struct reply_cache_stats {
    uint64_t hits, misses;   /* since the start */
    uint64_t bytes, bodies;  /* now */
};
void reply_cache_stats(struct reply_cache *c, struct reply_cache_stats *out);

#endif
