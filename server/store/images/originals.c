/* originals.c - SQL for images and their sources, one row each. */
#include "store/images/originals.h"

enum err_code originals_each(struct db *db,
                             enum err_code (*each)(void *arg, const struct original_row *r,
                                                   struct err *err),
                             void *arg, struct err *err)
{
    struct db_rows r;
    enum err_code rc = db_begin(
        db,
        "SELECT i.id, i.class, coalesce(i.source, 0), coalesce(s.bytes, 0), i.name, i.role,"
        " s.sha256, CASE s.kept WHEN 'reference' THEN s.path END, s.type"
        " FROM image i LEFT JOIN source s ON s.id = i.source ORDER BY i.id",
        DB_NONE, &r, err);
    if (rc != OK) {
        return rc;
    }
    while (rc == OK && db_step(&r, err)) {
        struct original_row row = {.image = db_col_int(&r, 0),
                                   .class_id = db_col_int(&r, 1),
                                   .source = db_col_int(&r, 2),
                                   .bytes = db_col_int(&r, 3),
                                   .name = db_col_text(&r, 4),
                                   .role = db_col_text(&r, 5),
                                   .sha256 = db_col_blob(&r, 6),
                                   .reference = db_col_text(&r, 7),
                                   .type = db_col_text(&r, 8)};
        rc = each(arg, &row, err);
    }
    return db_end_after(&r, rc);
}
