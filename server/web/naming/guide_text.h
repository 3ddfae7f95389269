/* guide_text.h - the guide's text as HTML for templates/layout/classes/guide_text, and as page data what a version is. */
#ifndef WEB_NAMING_GUIDE_TEXT_H
#define WEB_NAMING_GUIDE_TEXT_H

#include <jansson.h>

#include "store/classes/guide.h"
#include "web/core/app.h"

/* {markdown} (HTML made by view/markdown.h, harmless whatever the text is); null for an empty text. New reference; NULL with c->err
 * set. Slow steps only: pictures are looked up. */
json_t *guide_text_json(struct ctx *c, struct sv text);
/* {number, at, by, reason, url}: a version; null for none. */
json_t *guide_version_json(struct ctx *c, const struct guide_version *v);
/* [{old, new, text}] of what changed. */
json_t *guide_diff_json(struct ctx *c, struct sv old, struct sv fresh);
struct class_info;
/* [{url, alt}]: a class's examples; NULL with c->err set. */
json_t *guide_examples_json(struct ctx *c, const struct class_info *k);
/* "/guide/picture/17". */
const char *guide_picture_url(struct ctx *c, int64_t image);

#endif
