/* text_diff.h - what changed from one text to another, line by line. */
#ifndef VIEW_TEXT_DIFF_H
#define VIEW_TEXT_DIFF_H

#include "base/arena.h"
#include "base/sv.h"

enum diff_line { DIFF_SAME, DIFF_OLD, DIFF_NEW };
struct text_diff_line {
    enum diff_line kind;
    struct sv text; /* without its end */
};
/* As few lines as possible are old or new; of texts that differ in more than a few thousand lines all that lie between their common
 * beginning and end. The texts are borrowed, the list is in the arena. */
struct text_diff_line *text_diff(struct sv old, struct sv fresh, struct arena *a, size_t *n);

#endif
