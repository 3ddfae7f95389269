/* pool_images.c - SQL for every image as sampling reads it. */
#include "store/sets/pool_images.h"

#define COLUMNS "SELECT id, class, source, name, role, source_id"

enum err_code pool_images_each(struct db *db, int64_t newest, bool all,
                               enum err_code (*each)(void *arg, const struct pool_image_row *r,
                                                     struct err *err),
                               void *arg, struct err *err)
{
    /* Three columns more are a third of the time: most plans look at none of them. */
    const char *sql = all ? COLUMNS
                          ", author, taken_at, keyword FROM image WHERE id <= ?1 ORDER BY id"
                          : COLUMNS " FROM image WHERE id <= ?1 ORDER BY id";
    struct db_rows r;
    enum err_code rc = db_begin(db, sql, DB_VALS(db_int(newest)), &r, err);
    while (rc == OK && db_step(&r, err)) {
        struct pool_image_row row = {.id = db_col_int(&r, 0),
                                     .class_id = db_col_int(&r, 1),
                                     .content = db_col_int(&r, 2),
                                     .name = db_col_text(&r, 3),
                                     .role = db_col_text(&r, 4),
                                     .source_id = db_col_text(&r, 5)};
        if (all) {
            row.author = db_col_text(&r, 6);
            row.taken_at = db_col_text(&r, 7);
            row.keyword = db_col_text(&r, 8);
        }
        rc = each(arg, &row, err);
    }
    return db_end_after(&r, rc);
}

enum err_code pool_images_filled(struct db *db, int64_t as_of,
                                 enum err_code (*each)(void *arg, int64_t image, unsigned fields,
                                                       struct err *err),
                                 void *arg, struct err *err)
{
    struct db_rows r;
    enum err_code rc = db_begin(
        db, "SELECT image, fields FROM image_filled WHERE event >= ?1 ORDER BY image, event",
        DB_VALS(db_int(as_of > 0 ? as_of : INT64_MAX)), &r, err);
    while (rc == OK && db_step(&r, err)) {
        rc = each(arg, db_col_int(&r, 0), (unsigned)db_col_int(&r, 1), err);
    }
    return db_end_after(&r, rc);
}
