/* said.h - SQL for everything that was decided about one image's place in sets: blacklist,
 * near-duplicates, picks, by whom and when, whether by a decision here or by an import. */
#ifndef STORE_IMAGES_SAID_H
#define STORE_IMAGES_SAID_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"

enum said_kind { SAID_BLACKLIST, SAID_NEAR_DUPLICATE, SAID_KEEP, SAID_PICK };
struct image_said {
    int64_t event, at;
    enum said_kind kind;
    bool yes;             /* false: taken back; of a pick: open again */
    struct sv what, note; /* reason; the other image's name; nothing; stage */
    struct sv login;      /* empty: an import, or an account that is not there any more */
    bool imported;
};
/* Newest first, at most `most`. */
enum err_code image_said(struct db *db, struct sv name, size_t most, struct arena *a,
                         struct image_said **out, size_t *n, struct err *err);

#endif
