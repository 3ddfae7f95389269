/* tree_kept.h - the tree of the project's classes (experts/class_browse.h), kept: every level that somebody opens asks for it,
 * and it changes with imports alone. Slow steps only. */
#ifndef WEB_NAMING_TREE_KEPT_H
#define WEB_NAMING_TREE_KEPT_H

#include "experts/class_browse.h"
#include "web/core/app.h"
#include "web/parts/kept.h"

/* As class_browse, in the request's arena. New classes are there at once, other words of theirs within ten seconds. */
enum err_code class_level_get(struct ctx *c, struct sv wnid, struct class_level *out);

/* What the app keeps. */
struct kept_results *tree_kept_new(void);

#endif
