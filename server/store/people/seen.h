/* seen.h - SQL for which images people who sign in were shown, outside of tasks. */
#ifndef STORE_PEOPLE_SEEN_H
#define STORE_PEOPLE_SEEN_H

#include <stdint.h>

#include "db/db.h"

/* An image's picture on any page; a task of a label review, of a training list, of an evaluation; a picture of the guide. */
enum saw { SAW_PAGE, SAW_REVIEW, SAW_TRAINING, SAW_EVALUATION, SAW_GUIDE, SAWS };
/* Inside the caller's transaction; the first time stays. */
enum err_code seen_add(struct db *db, int64_t account, int64_t image, enum saw how, int64_t at, struct err *err);

#endif
