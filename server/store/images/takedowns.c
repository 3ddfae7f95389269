/* takedowns.c - SQL for tombstones. */
#include "store/images/takedowns.h"

#include "db/rows.h"

/* An image whose newest decision is a takedown. */
#define TAKEN_DOWN                                                                                 \
    " FROM image_decision d JOIN set_list_image s ON s.image = d.image AND s.list = ?1"            \
    " WHERE d.decision = 'takedown' AND NOT EXISTS"                                                \
    "  (SELECT 1 FROM image_decision WHERE image = d.image AND id > d.id)"

DB_ROW(takedown_row, struct takedown, image, class_id, at, name, wnid, reason);

enum err_code takedowns_of_list(struct db *db, int64_t list, size_t most, struct arena *a,
                                struct takedown **out, size_t *n, int64_t *all, struct err *err)
{
    enum err_code rc =
        db_one_int(db, "SELECT count(*)" TAKEN_DOWN, DB_VALS(db_int(list)), all, err);
    return rc == OK ? db_list(db, takedown_row, out, n, a,
                              "SELECT t.image, t.class, e.at, i.name, k.wnid, t.reason FROM"
                              " (SELECT d.id, d.image, s.class, d.reason" TAKEN_DOWN
                              "  ORDER BY d.id DESC LIMIT ?2) t JOIN event e ON e.id = t.id"
                              " JOIN image i ON i.id = t.image JOIN class k ON k.id = t.class"
                              " ORDER BY t.id DESC",
                              DB_VALS(db_int(list), db_int((int64_t)most)), err)
                    : rc;
}
