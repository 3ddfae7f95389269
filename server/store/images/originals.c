/* originals.c - SQL for images and their sources, one row each. */
#include "store/images/originals.h"

#include "db/rows.h"

DB_ROW(original_row, struct original_row, image, class_id, source, bytes, name, role, sha256,
       reference, type);

enum err_code originals_each(struct db *db,
                             enum err_code (*each)(void *arg, const struct original_row *r,
                                                   struct err *err),
                             void *arg, struct err *err)
{
    struct db_rows r;
    struct original_row row;
    enum err_code rc = db_begin(
        db,
        "SELECT i.id, i.class, coalesce(i.source, 0), coalesce(s.bytes, 0), i.name, i.role,"
        " s.sha256, CASE s.kept WHEN 'reference' THEN s.path END, s.type"
        " FROM image i LEFT JOIN source s ON s.id = i.source ORDER BY i.id",
        DB_NONE, &r, err);
    while (rc == OK && db_next(&r, original_row, &row, NULL, err)) {
        rc = each(arg, &row, err);
    }
    return db_end_after(&r, rc);
}
