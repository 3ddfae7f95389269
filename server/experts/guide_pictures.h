/* guide_pictures.h - pictures in the guide's texts: which may be stored, and what of a text readers see who may know of no image
 * but those. */
#ifndef EXPERTS_GUIDE_PICTURES_H
#define EXPERTS_GUIDE_PICTURES_H

#include "base/arena.h"
#include "db/db.h"

/* Whether the guide can show the text as it is. ERR_INPUT: rule "markdown" (view/markdown.h), rule "guide-picture" for a picture
 * image:NAME that is not among the examples (store/images/examples.h). */
enum err_code guide_text_check(struct db *db, struct sv text, struct err *err);
/* The Markdown with each image:NAME that is no such example as image:hidden, wherever it stands: in what a picture leads to, which
 * its page does not show, or in a line that makes nothing. In the arena, or the text itself. */
enum err_code guide_text_mask(struct db *db, struct sv text, struct arena *a, struct sv *out, struct err *err);

#endif
