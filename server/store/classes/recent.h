/* recent.h - SQL for the classes that somebody chose last, where people choose labels from all classes. */
#ifndef STORE_CLASSES_RECENT_H
#define STORE_CLASSES_RECENT_H

#include "store/classes/classes.h"

/* At most `most` classes that the account chose, the newest first, each once: labels that it added in label reviews, answers
 * in training and in evaluations. In the arena. */
enum err_code classes_recent(struct db *db, int64_t account, size_t most, struct arena *a, struct class_info **out, size_t *n,
                             struct err *err);

#endif
