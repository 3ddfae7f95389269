/* guide_text.h - the guide's text as HTML for templates/layout/classes/guide_text, and as page data its examples and versions. */
#ifndef WEB_NAMING_GUIDE_TEXT_H
#define WEB_NAMING_GUIDE_TEXT_H

#include <jansson.h>

#include "store/classes/classes.h"
#include "store/classes/guide.h"
#include "web/core/app.h"

/* {markdown} (HTML made by view/markdown.h, harmless whatever the text is); null for an empty text. New reference; NULL with c->err
 * set. Slow steps only: pictures are looked up. */
json_t *guide_text_json(struct ctx *c, struct sv text);
/* Makes of versions what the reader may see of them: an expert at the desk no name of an image but those of examples
 * (experts/guide_pictures.h). */
enum err_code guide_shown(struct ctx *c, struct guide_version *list, size_t n);
/* {number, at, by, reason, empty, url}: a version; null for none. */
json_t *guide_version_json(struct ctx *c, const struct guide_version *v);
/* [{old, new, text}] of what changed. */
json_t *guide_diff_json(struct ctx *c, struct sv old, struct sv fresh);
/* [{url, alt}]: at most twelve examples of a class that are not hidden; none of what is no class (id 0). NULL with c->err set. */
json_t *guide_examples_json(struct ctx *c, const struct class_info *k);

#endif
