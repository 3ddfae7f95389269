/* html_tags.h - the tags of a page that our own templates made: values in quotes are escaped, so that a
 * "<" begins a tag, a comment or the end of a script. For refill.c. */
#ifndef VIEW_HTML_TAGS_H
#define VIEW_HTML_TAGS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/sv.h"

struct tag {
    struct sv all;  /* from "<" to ">" */
    struct sv name; /* lower case in our templates */
    bool closing;
};

/* The next tag at or behind *at, which moves behind it; false at the end. Text in scripts, styles
 * and comments is passed over. */
bool tags_next(struct sv html, size_t *at, struct tag *out);

/* A tag's attribute: its value as it is written (escaped), empty without one; false when it has none.
 * `whole`, unless NULL, gets the attribute with the space in front of it. */
bool tag_attr(const struct tag *t, const char *name, struct sv *value, struct sv *whole);
bool tag_has(const struct tag *t, const char *name);

/* Whether text as it is written in HTML says `plain`. */
bool tags_same(struct sv escaped, struct sv plain);

/* All tags of the page in the arena. */
const struct tag *tags_all(struct arena *a, struct sv html, size_t *n);

#endif
