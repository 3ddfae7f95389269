/* refill.h - a page whose form was refused, shown again: what was typed is back in its fields, each
 * message appears beside its field, a summary comes before the form and the first wrong field has the
 * focus. Works on the HTML of a page that our own templates made, so that every form of every page
 * has this without saying so. Knows nothing of HTTP. */
#ifndef VIEW_REFILL_H
#define VIEW_REFILL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/sv.h"

struct refill_field {
    struct sv name, value;
};

struct refill_wrong {
    const char *fields;  /* names, separated by spaces: the first that the form has; "": the form as a whole */
    const char *message; /* a sentence */
};

struct refill {
    struct sv action; /* the decoded path that the form was sent to */
    struct sv page;   /* the address of the page */
    const struct refill_field *fields; /* what was sent, in order */
    size_t n_fields;
    const struct refill_wrong *wrong;
    size_t n_wrong;
    const char *heading;      /* of the summary */
    const char *title_prefix; /* in front of the page's title */
};

/* Appends the page to `out`. Passwords, files and hidden fields are as the page has them; details that
 * hold the form are open. False: the page has no such form, and only the summary was added, in front
 * of the page's content. */
bool refill_page(struct arena *a, struct sv html, const struct refill *r, struct str *out);

/* Appends a page on which the first field that is marked as wrong has the focus. */
void refill_focus(struct sv html, struct str *out);

/* Appends a page with a hidden field `name` = `value` in every form that posts. */
void refill_mark(struct sv html, const char *name, struct sv value, struct str *out);

#endif
