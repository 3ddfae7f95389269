/* escape.h - text into HTML and URLs. */
#ifndef VIEW_ESCAPE_H
#define VIEW_ESCAPE_H

#include "base/str.h"
#include "base/sv.h"

void escape_html(struct str *out, struct sv text); /* & < > " ' */
void escape_url(struct str *out, struct sv text);  /* all but unreserved characters (RFC 3986) */

#endif
