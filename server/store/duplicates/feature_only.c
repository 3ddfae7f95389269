/* feature_only.c - SQL for feature_only. */
#include "store/duplicates/feature_only.h"

#include "base/list.h"

enum err_code feature_only_put(struct db *db, int64_t model, int64_t image, int64_t event, struct err *err)
{
    return db_run(db, "INSERT INTO feature_only (model, image, event) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
                  DB_VALS(db_int(model), db_int(image), db_int(event)), err);
}

enum err_code feature_only_list(struct db *db, const char *model, int64_t as_of, struct arena *a, uint32_t **out, size_t *n,
                                struct err *err)
{
    struct db_rows r;
    struct list l = {0};
    db_begin(db,
             "SELECT f.image FROM model m CROSS JOIN feature_only f ON f.model = m.id WHERE m.name = ?1 AND f.event <= ?2"
             " ORDER BY f.image",
             DB_VALS(db_str(model), db_int(as_of > 0 ? as_of : INT64_MAX)), &r, err);
    while (db_step(&r, err)) {
        *LIST_ADD(&l, a, uint32_t) = (uint32_t)db_col_int(&r, 0);
    }
    *out = l.items;
    *n = l.n;
    return db_end(&r);
}

enum err_code feature_only_has(struct db *db, int64_t image, bool *out, struct err *err)
{
    int64_t found = 0;
    enum err_code rc = db_one_int(db, "SELECT EXISTS (SELECT 1 FROM feature_only WHERE image = ?1)",
                                  DB_VALS(db_int(image)), &found, err);
    *out = found != 0;
    return rc;
}
