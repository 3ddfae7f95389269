/* examples.c - one condition, asked about a class, a name and an image. */
#include "store/images/examples.h"

#include "db/rows.h"
#include "store/core/photos.h"

#define EVALUATED " o.role IN ('original', 'candidate', 'gold')"
/* Of the image i. */
#define MAY                                                                                                              \
    " i.role = 'reference' AND i.source IS NOT NULL AND NOT EXISTS (" PHOTOS("SELECT i.id, i.name")                      \
    "SELECT 1 FROM same_photo k CROSS JOIN image o ON o.id = k.id WHERE" EVALUATED ")"

enum err_code examples_of(struct db *db, int64_t class_id, size_t most, struct arena *a, int64_t **out, size_t *n, struct err *err)
{
    return db_list_int(db, "SELECT i.id FROM image i WHERE i.class = ?1 AND" MAY " ORDER BY i.id LIMIT ?2",
                       DB_VALS(db_int(class_id), db_int((int64_t)most)), a, out, n, err);
}

enum err_code examples_named(struct db *db, struct sv name, int64_t *out, struct err *err)
{
    *out = 0;
    return db_maybe_int(db, "SELECT i.id FROM image i WHERE i.name = ?1 AND" MAY, DB_VALS(db_text(name)), out, err);
}

enum err_code examples_has(struct db *db, int64_t image, bool *out, struct err *err)
{
    return db_exists(db, "SELECT 1 FROM image i WHERE i.id = ?1 AND" MAY, DB_VALS(db_int(image)), out, err);
}
