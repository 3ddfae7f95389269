/* class_reviews.c - SQL for the state of a class in the final review of a revision. */
#include "store/review/class_reviews.h"

#include "db/rows.h"

DB_ROW(class_review_row, struct class_review_row, class_id, event, at, account, reviewed,
       problematic, carried);

enum err_code class_reviews_list(struct db *db, int64_t revision, int64_t as_of, struct arena *a,
                                 struct class_review_row **out, size_t *n, struct err *err)
{
    /* Of a group with max() SQLite takes the other columns from the row that has it. */
    return db_list(db, class_review_row, out, n, a,
                   "SELECT w.class, w.event, e.at, coalesce(e.account, 0), w.reviewed,"
                   " w.problematic, w.carried FROM (SELECT class, max(event) AS event,"
                   " reviewed, problematic, carried FROM class_review"
                   " WHERE revision = ?1 AND (?2 = 0 OR event <= ?2) GROUP BY class) w"
                   " JOIN event e ON e.id = w.event ORDER BY w.class",
                   DB_VALS(db_int(revision), db_int(as_of)), err);
}

enum err_code class_reviews_of(struct db *db, int64_t revision, int64_t class_id,
                               struct class_review_row *out, struct err *err)
{
    *out = (struct class_review_row){0};
    enum err_code rc =
        db_maybe(db, class_review_row, out, NULL,
                 "SELECT w.class, w.event, e.at, coalesce(e.account, 0), w.reviewed, w.problematic,"
                 " w.carried FROM class_review w JOIN event e ON e.id = w.event"
                 " WHERE w.revision = ?1 AND w.class = ?2 ORDER BY w.event DESC LIMIT 1",
                 DB_VALS(db_int(revision), db_int(class_id)), err);
    out->class_id = class_id;
    return rc;
}

enum err_code class_reviews_put(struct db *db, int64_t revision, int64_t class_id, int64_t event,
                                bool reviewed, bool problematic, bool carried, bool *added,
                                struct err *err)
{
    struct class_review_row now;
    enum err_code rc = class_reviews_of(db, revision, class_id, &now, err);
    *added = false;
    if (rc != OK || (now.reviewed == reviewed && now.problematic == problematic)) {
        return rc;
    }
    rc = db_run(db,
                "INSERT INTO class_review (revision, class, event, reviewed, problematic, carried)"
                " VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                DB_VALS(db_int(revision), db_int(class_id), db_int(event), db_int(reviewed),
                        db_int(problematic), db_int(carried)),
                err);
    *added = rc == OK;
    return rc;
}

DB_ROW(review_count_row, struct review_count, revision, reviewed, problematic, carried);

enum err_code class_reviews_count(struct db *db, struct arena *a, struct review_count **out,
                                  size_t *n, struct err *err)
{
    return db_list(db, review_count_row, out, n, a,
                   "SELECT revision, sum(reviewed), sum(problematic), sum(carried)"
                   " FROM (SELECT revision, reviewed, problematic, carried, max(event)"
                   "  FROM class_review GROUP BY revision, class)"
                   " GROUP BY revision ORDER BY revision",
                   DB_NONE, err);
}
