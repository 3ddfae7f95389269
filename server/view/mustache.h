/* mustache.h - the Mustache core: variables, sections, inverted sections, comments, partials,
 * delimiters (github.com/mustache/spec). Compiled once, rendered from json_t. Knows nothing of files or HTTP.
 *
 * Where the specification leaves a choice: a section is skipped for false, null, an empty list, an
 * empty text and a missing name, but rendered for the number 0; {{x}} of true and false prints the
 * word, of null, an object or a list nothing; ' is escaped too, because values stand in
 * attributes. One tag is its own: {{~x}} is as {{x}}, of a name that may be long: a line may end after each _ and - of it
 * (<wbr>; not in attributes). */
#ifndef VIEW_MUSTACHE_H
#define VIEW_MUSTACHE_H

#include <jansson.h>
#include <stdbool.h>

#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"

struct mustache;

enum {
    MUSTACHE_DEPTH = 64,       /* nesting of sections and partials; deeper is an error */
    MUSTACHE_STEPS = 1 << 26,  /* tags and texts of one rendering; more is an error */
    MUSTACHE_SOURCE = 1 << 24, /* bytes of one template */
};

/* ERR_INPUT with the line for an unclosed tag or a section closed by another name. The text is
 * copied. */
enum err_code mustache_compile(struct sv text, struct mustache **out, struct err *err);
void mustache_free(struct mustache *m); /* NULL is fine */

struct mustache_env {
    /* The partial of that name, NULL when there is none (renders empty). */
    const struct mustache *(*partial)(void *arg, struct sv name);
    /* Called for a plain name that no context holds; an error stops the rendering. May be NULL. */
    enum err_code (*missing)(void *arg, struct sv name, struct err *err);
    void *arg;
};
/* Appends to `out`; ERR_LIMIT when that is full. Templates are const after compiling: many threads
 * may render one at a time. */
enum err_code mustache_render(const struct mustache *m, const json_t *data,
                              const struct mustache_env *env, struct str *out, struct err *err);

#endif
