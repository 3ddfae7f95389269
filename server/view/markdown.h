/* markdown.h - what people write about classes, as HTML: CommonMark (libcmark reads it, Debian libcmark-dev), of which only what is
 * harmless is written. HTML in the text is shown as text; links lead to http:, https: and guide:WNID, other links are their
 * words alone; pictures are image:NAME, and only those that the caller knows. Knows nothing of classes and images. */
#ifndef VIEW_MARKDOWN_H
#define VIEW_MARKDOWN_H

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"

enum {
    MARKDOWN_BYTES = 32 << 10, /* of a text */
    MARKDOWN_DEPTH = 32,       /* of quotes, lists and emphasis in one another */
    MARKDOWN_IMAGES = 40,
    MARKDOWN_HTML = 4 << 20    /* most that comes of it */
};

struct markdown_ways {
    const char *(*image)(void *arg, struct sv name); /* the address of that picture; NULL: it is not shown */
    const char *(*page)(void *arg, struct sv wnid);  /* the address of a page of the guide; NULL: there is none */
    void *arg;
};
/* Appends the HTML; headings begin at <h3>. ERR_INPUT (rule "markdown") for a text that is too long, too deep or no UTF-8; ERR_LIMIT
 * when `out` is full. */
enum err_code markdown_html(struct sv text, const struct markdown_ways *ways, struct str *out, struct err *err);

#endif
