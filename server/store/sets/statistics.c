/* statistics.c - SQL over lists of images and the files behind them. */
#include "store/sets/statistics.h"

#include "db/rows.h"

#define STATISTICS                                                                                 \
    " coalesce(i.taken_at, ''), c.id IS NOT NULL, c.gray IS NOT NULL, coalesce(c.gray, 0),"        \
    " coalesce(c.sharpness, 0), coalesce(c.brightness, 0), coalesce(c.saturation, 0),"             \
    " coalesce(c.width, 0), coalesce(c.height, 0), coalesce(c.bytes, 0)"

DB_ROW(set_statistics_row, struct set_statistics_row, image, class_id, taken_at, has_source, measured,
       gray, sharpness, brightness, saturation, width, height, bytes);

static enum err_code each_row(struct db *db, const char *sql, const struct db_val *v, size_t n,
                              set_statistics_fn each, void *arg, struct err *err)
{
    struct db_rows r;
    struct set_statistics_row row;
    enum err_code rc = db_begin(db, sql, v, n, &r, err);
    while (rc == OK && db_next(&r, set_statistics_row, &row, NULL, err)) {
        rc = each(arg, &row, err);
    }
    return db_end_after(&r, rc);
}

enum err_code set_statistics_of_list(struct db *db, int64_t list, set_statistics_fn each, void *arg,
                                     struct err *err)
{
    return each_row(db,
                    "SELECT i.id, s.class," STATISTICS
                    " FROM set_list_image s JOIN image i ON i.id = s.image"
                    " LEFT JOIN source c ON c.id = i.source WHERE s.list = ?1 ORDER BY s.position",
                    DB_VALS(db_int(list)), each, arg, err);
}

enum err_code set_statistics_of_originals(struct db *db, set_statistics_fn each, void *arg,
                                          struct err *err)
{
    return each_row(db,
                    "SELECT i.id, i.class," STATISTICS
                    " FROM image i LEFT JOIN source c ON c.id = i.source"
                    " WHERE i.role = 'original' ORDER BY i.id",
                    DB_NONE, each, arg, err);
}
