/* match_images.c - SQL for the images that are compared. */
#include "store/duplicates/match_images.h"

enum err_code match_images_each(struct db *db,
                                enum err_code (*each)(void *arg, const struct match_image *m,
                                                      struct err *err),
                                void *arg, struct err *err)
{
    struct db_rows r;
    enum err_code rc = db_begin(
        db,
        "SELECT i.id, i.class, s.id, s.width, s.height, i.role = 'original',"
        " s.brightness IS NOT NULL, coalesce(s.brightness, 0), coalesce(s.saturation, 0),"
        " i.name, k.wnid, coalesce(i.keyword, ''), s.sha256,"
        " CASE s.kept WHEN 'reference' THEN s.path END"
        " FROM image i JOIN source s ON s.id = i.source JOIN class k ON k.id = i.class"
        " WHERE i.role IN ('original', 'candidate') ORDER BY s.width, s.height, s.brightness, s.id, i.id",
        DB_NONE, &r, err);
    if (rc != OK) {
        return rc;
    }
    while (rc == OK && db_step(&r, err)) {
        const struct match_image m = {
            .image = db_col_int(&r, 0),
            .class_id = db_col_int(&r, 1),
            .source = db_col_int(&r, 2),
            .width = db_col_int(&r, 3),
            .height = db_col_int(&r, 4),
            .original = db_col_int(&r, 5) != 0,
            .measured = db_col_int(&r, 6) != 0,
            .brightness = db_col_real(&r, 7),
            .saturation = db_col_real(&r, 8),
            .name = db_col_text(&r, 9),
            .wnid = db_col_text(&r, 10),
            .keyword = db_col_text(&r, 11),
            .sha256 = db_col_blob(&r, 12),
            .reference = db_col_text(&r, 13),
        };
        rc = each(arg, &m, err);
    }
    return db_end_after(&r, rc);
}
