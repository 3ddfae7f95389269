/* class_names.h - the classes of the project by id and by number, for tables that name them. */
#ifndef MEASURES_CLASS_NAMES_H
#define MEASURES_CLASS_NAMES_H

#include "base/map.h"
#include "store/classes/classes.h"

struct class_names {
    struct class_info *list;
    size_t n;
    struct map_u64 by_id, by_cid;
};
/* The texts in the arena. Release it, on failure too. */
enum err_code class_names_read(struct db *db, struct arena *a, struct class_names *out, struct err *err);
void class_names_release(struct class_names *s);
/* Never NULL: one that is not there has no words. */
const struct class_info *class_names_by_id(const struct class_names *s, int64_t id);
const struct class_info *class_names_by_cid(const struct class_names *s, int64_t cid);

#endif
