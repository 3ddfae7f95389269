/* statistic.c - a statement for each statistic. */
#include "store/images/statistic.h"

#include "db/rows.h"

const char *const image_statistic_words[IMAGE_STATISTICS] = {"pixels", "bytes", "sharpness", "brightness", "saturation"};

enum image_statistic image_statistic_of(struct sv word)
{
    int i = 0;
    while (i < IMAGE_STATISTICS && !sv_is(word, image_statistic_words[i])) {
        i++;
    }
    return (enum image_statistic)i;
}

#define BETWEEN(value)                                                                                                  \
    "SELECT i.id FROM source c JOIN image i ON i.source = c.id WHERE " value " BETWEEN ?1 AND ?2 ORDER BY i.id"
#define OF_LIST(value)                                                                                                  \
    "SELECT i.id, " value " FROM set_list_image s JOIN image i ON i.id = s.image JOIN source c ON c.id = i.source"       \
    " WHERE s.list = ?1 AND " value " IS NOT NULL ORDER BY i.id"
#define PIXELS "CAST(c.width * c.height AS REAL)"
#define BYTES "CAST(c.bytes AS REAL)"

DB_ROW(statistic_row, struct image_statistic_row, image, value);

enum err_code image_statistic_between(struct db *db, enum image_statistic which, double lo, double hi, struct arena *a,
                                      int64_t **out, size_t *n, struct err *err)
{
    static const char *const sql[IMAGE_STATISTICS] = {BETWEEN(PIXELS), BETWEEN(BYTES), BETWEEN("c.sharpness"),
                                                      BETWEEN("c.brightness"), BETWEEN("c.saturation")};
    return db_list_int(db, sql[which], DB_VALS(db_real(lo), db_real(hi)), a, out, n, err);
}

enum err_code image_statistic_of_list(struct db *db, enum image_statistic which, int64_t list, struct arena *a,
                                      struct image_statistic_row **out, size_t *n, struct err *err)
{
    static const char *const sql[IMAGE_STATISTICS] = {OF_LIST(PIXELS), OF_LIST(BYTES), OF_LIST("c.sharpness"),
                                                      OF_LIST("c.brightness"), OF_LIST("c.saturation")};
    return db_list(db, statistic_row, out, n, a, sql[which], DB_VALS(db_int(list)), err);
}
