/* ratelimit.h - how often one address, or one account, may try: logins, new places.
 * From any thread. Memory is fixed (64 KiB); knows nothing of requests. */
#ifndef WEB_CORE_RATELIMIT_H
#define WEB_CORE_RATELIMIT_H

#include <stdbool.h>
#include <stdint.h>

struct ratelimit;
struct ratelimit *ratelimit_new(void);
void ratelimit_free(struct ratelimit *r);

/* True when `address` may do a thing of that kind now, which then counts: `per_hour` at once, and
 * again one every hour/per_hour. False otherwise, with the seconds until the next one in
 * *retry_after_s. IPv6 addresses count by their /64, which one household holds. `per_hour` 0 is no
 * limit. `now_ms` is any clock that does not go back. An `address` that is none is any other text. */
bool ratelimit_take(struct ratelimit *r, unsigned kind, const char *address, int64_t per_hour,
                    int64_t now_ms, int64_t *retry_after_s);
/* Gives one back that was taken: the try turned out not to count. */
void ratelimit_return(struct ratelimit *r, unsigned kind, const char *address, int64_t per_hour);

#endif
