/* class_images.c - SQL over image for near-duplicates: by class, by photo, by bytes, by name. */
#include "store/duplicates/class_images.h"

#include "db/rows.h"

#define ROWS "SELECT id, class, coalesce(source, 0), name, role, source_id FROM image WHERE "

DB_ROW(class_image_row, struct class_image_row, id, class_id, content, name, role, source_id);

static enum err_code each_row(struct db *db, const char *sql, struct db_val key,
                              class_image_fn each, void *arg, struct err *err)
{
    struct db_rows r;
    struct class_image_row row;
    enum err_code rc = db_begin(db, sql, &key, 1, &r, err);
    while (rc == OK && db_next(&r, class_image_row, &row, NULL, err)) {
        rc = each(arg, &row, err);
    }
    return db_end_after(&r, rc);
}

enum err_code class_images_each(struct db *db, int64_t class_id, class_image_fn each, void *arg,
                                struct err *err)
{
    return each_row(db, ROWS "class = ?1 ORDER BY id", db_int(class_id), each, arg, err);
}

enum err_code class_images_of_source(struct db *db, struct sv source_id, class_image_fn each,
                                     void *arg, struct err *err)
{
    return each_row(db, ROWS "source_id = ?1 ORDER BY id", db_text(source_id), each, arg, err);
}

enum err_code class_images_of_content(struct db *db, int64_t content, class_image_fn each,
                                      void *arg, struct err *err)
{
    return each_row(db, ROWS "source = ?1 ORDER BY id", db_int(content), each, arg, err);
}

enum err_code class_images_named(struct db *db, struct sv name, class_image_fn each, void *arg,
                                 struct err *err)
{
    return each_row(db, ROWS "name = ?1", db_text(name), each, arg, err);
}
