/* kept.h - the last results of slow work, each under a key that stands for everything it depends on: a page and the files of
 * its charts ask for the same. Knows nothing of what results are. */
#ifndef WEB_PARTS_KEPT_H
#define WEB_PARTS_KEPT_H

#include "base/arena.h"
#include "base/err.h"

/* `most` results of `size` bytes, each with an arena of its own for what it points to, of at most `arena_most` bytes. Never
 * NULL; any thread may use it. Free it with kept_free, which takes NULL. */
struct kept_results;
struct kept_results *kept_new(size_t size, unsigned most, size_t arena_most);
void kept_free(struct kept_results *k);

struct kept_ways {
    enum err_code (*make)(void *arg, struct arena *a, void *result); /* an error is not kept */
    void (*copy)(void *arg, const void *result); /* to where it lives as long as the request */
};
/* Copies the result under the key, made now if there is none; the oldest one gives way. Who asks for any meanwhile waits, and
 * who waited for the same finds it. Gives what `make` did. */
enum err_code kept_get(struct kept_results *k, uint64_t key, const struct kept_ways *ways, void *arg);
/* Shows all that are kept to `look`, in no order. */
void kept_look(struct kept_results *k, void (*look)(void *arg, const void *result), void *arg);

#endif
