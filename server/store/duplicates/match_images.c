/* match_images.c - SQL for the images that are compared. */
#include "store/duplicates/match_images.h"

#include "db/rows.h"

DB_ROW(match_image_row, struct match_image, image, class_id, source, width, height, original, training, example,
       measured, brightness, saturation, name, wnid, keyword, sha256, reference);

static enum err_code each_of(struct db *db, const char *sql, const struct db_val *v, size_t n,
                             enum err_code (*each)(void *arg, const struct match_image *m, struct err *err), void *arg,
                             struct err *err)
{
    struct db_rows r;
    struct match_image m;
    enum err_code rc = db_begin(db, sql, v, n, &r, err);
    while (rc == OK && db_next(&r, match_image_row, &m, NULL, err)) {
        rc = each(arg, &m, err);
    }
    return db_end_after(&r, rc);
}

enum err_code match_images_each(struct db *db, bool all,
                                enum err_code (*each)(void *arg, const struct match_image *m,
                                                      struct err *err),
                                void *arg, struct err *err)
{
    return each_of(
        db,
        "SELECT i.id, i.class, s.id, s.width, s.height, i.role <> 'candidate', i.role = 'training', i.role = 'reference',"
        " s.brightness IS NOT NULL, coalesce(s.brightness, 0), coalesce(s.saturation, 0),"
        " i.name, k.wnid, coalesce(i.keyword, ''), s.sha256,"
        " CASE s.kept WHEN 'reference' THEN s.path END"
        " FROM image i JOIN source s ON s.id = i.source JOIN class k ON k.id = i.class"
        " WHERE i.role IN ('original', 'candidate') OR (?1 AND i.role IN ('reference', 'training'))"
        " ORDER BY s.width, s.height, s.brightness, s.id, i.id",
        DB_VALS(db_int(all)), each, arg, err);
}

enum err_code match_images_feature_only(struct db *db,
                                        enum err_code (*each)(void *arg, const struct match_image *m, struct err *err),
                                        void *arg, struct err *err)
{
    return each_of(db,
                   "SELECT i.id, i.class, 0, 0, 0, 1, i.role = 'training', i.role = 'reference', 0, 0.0, 0.0,"
                   " i.name, k.wnid, coalesce(i.keyword, ''), x'', NULL"
                   " FROM (SELECT DISTINCT image FROM feature_only) f CROSS JOIN image i ON i.id = f.image"
                   " CROSS JOIN class k ON k.id = i.class WHERE i.source IS NULL ORDER BY i.id",
                   DB_NONE, each, arg, err);
}
