/* set_tombstones.h - tombstones.csv of a folder that `holdout export set` made, read again: images
 * that were taken down where the set comes from. */
#ifndef TRANSFER_IMPORTS_SET_TOMBSTONES_H
#define TRANSFER_IMPORTS_SET_TOMBSTONES_H

#include "transfer/sets/set_manifest.h"

struct set_tombstone { /* a takedown; texts in the import's arena */
    struct sv name, reason;
};
struct set_tombstones {
    struct set_tombstone *list;
    size_t n, cap, at, written;
    int64_t now;
    struct arena arena; /* of one step */
};
/* Before anything is written: every wrong row is named with its line, ERR_INPUT when there was one.
 * Only images that the folder's list has as withheld may stand there. Release it whatever came out.
 */
enum err_code set_tombstones_read(struct transfer *tr, const struct set_manifest *m,
                                  struct set_tombstones *out);
/* After the images are in the project: takes them down, t->written of them. One that was taken down
 * here before is left as leads have decided since. */
enum err_code set_tombstones_write(struct transfer *tr, struct set_tombstones *t, int64_t now);
void set_tombstones_release(struct set_tombstones *t);

#endif
