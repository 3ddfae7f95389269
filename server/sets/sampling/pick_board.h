/* pick_board.h - how far a set without votes has come: for every class and keyword how many images it should have, by
 * the proportions of the originals, how many picked ones can be taken, and what is missing. The plan is that of `sample
 * --strategy keyword --picked`, so what is missing here is what the sample would lack. */
#ifndef SETS_SAMPLING_PICK_BOARD_H
#define SETS_SAMPLING_PICK_BOARD_H

#include "sets/sampling/sample.h"
#include "store/sets/picks.h"

struct pick_target {           /* of the project; kept as a setting */
    int64_t size;              /* images per class */
    int64_t keywords_most;     /* the most common keywords of a class; 0: all */
    bool together;             /* shared out over the keywords of all classes (paper B.1) */
};
enum { PICK_SIZE_MOST = 100000 };
/* Inside the caller's transaction, with an event "picks.target". ERR_INPUT (rule "pick-target"). */
enum err_code pick_target_put(struct db *db, const struct pick_target *t, int64_t account, int64_t now,
                              struct err *err);

struct pick_cell {
    struct sv keyword;         /* "": images without one */
    uint32_t originals, target;
    uint32_t usable;           /* picked, and nothing else keeps them out */
    uint32_t picked;           /* whatever else is known of them */
    uint32_t pruned, open;     /* candidates that are not picked; open: that nobody has decided about */
    uint32_t banned;           /* on the blacklist */
    uint32_t missing;          /* target - usable, at least 0 */
};
struct pick_class {
    struct class_info info;
    struct pick_cell *cells;   /* by keyword; without originals: target 0 */
    size_t n;
    struct pick_cell all;      /* sums */
    bool no_keywords;          /* no original has one, so nothing is wanted of it */
};
struct pick_board {
    struct pick_target target;
    struct pick_class *classes; /* by wnid */
    size_t n;
    struct pick_cell all;
    const char *none;          /* why there are no targets; NULL: there are */
};
/* One snapshot; all of it in the arena. `t` was folded; `flags_to_quarantine` people's flags hide an image. */
enum err_code pick_board_make(struct db *db, struct tally *t, int64_t flags_to_quarantine, struct arena *a,
                              struct pick_board *out, struct err *err);
/* The class of a wnid, NULL when there is none; the cell of a keyword likewise. */
const struct pick_class *pick_board_class(const struct pick_board *b, struct sv wnid);
const struct pick_cell *pick_class_cell(const struct pick_class *k, struct sv keyword);

#endif
