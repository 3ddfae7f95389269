/* class_reviews.c - SQL for the state of a class in the final review of a revision. */
#include "store/review/class_reviews.h"

#include "base/list.h"

enum err_code class_reviews_list(struct db *db, int64_t revision, int64_t as_of, struct arena *a,
                                 struct class_review_row **out, size_t *n, struct err *err)
{
    struct db_rows r;
    struct list list = {0};
    /* Of a group with max() SQLite takes the other columns from the row that has it. */
    enum err_code rc = db_begin(db,
                                "SELECT w.class, w.event, e.at, coalesce(e.account, 0), w.reviewed,"
                                " w.problematic, w.carried FROM (SELECT class, max(event) AS event,"
                                " reviewed, problematic, carried FROM class_review"
                                " WHERE revision = ?1 AND (?2 = 0 OR event <= ?2) GROUP BY class) w"
                                " JOIN event e ON e.id = w.event ORDER BY w.class",
                                DB_VALS(db_int(revision), db_int(as_of)), &r, err);
    if (rc != OK) {
        return rc;
    }
    while (db_step(&r, err)) {
        struct class_review_row *w = list_add(&list, a, sizeof *w);
        *w = (struct class_review_row){
            .class_id = db_col_int(&r, 0),
            .event = db_col_int(&r, 1),
            .at = db_col_int(&r, 2),
            .account = db_col_int(&r, 3),
            .reviewed = db_col_int(&r, 4) != 0,
            .problematic = db_col_int(&r, 5) != 0,
            .carried = db_col_int(&r, 6) != 0,
        };
    }
    *out = list.items;
    *n = list.n;
    return db_end(&r);
}

enum err_code class_reviews_of(struct db *db, int64_t revision, int64_t class_id,
                               struct class_review_row *out, struct err *err)
{
    struct db_rows r;
    enum err_code rc =
        db_begin(db,
                 "SELECT w.event, e.at, coalesce(e.account, 0), w.reviewed, w.problematic,"
                 " w.carried FROM class_review w JOIN event e ON e.id = w.event"
                 " WHERE w.revision = ?1 AND w.class = ?2 ORDER BY w.event DESC LIMIT 1",
                 DB_VALS(db_int(revision), db_int(class_id)), &r, err);
    *out = (struct class_review_row){.class_id = class_id};
    if (rc == OK && db_step(&r, err)) {
        out->event = db_col_int(&r, 0);
        out->at = db_col_int(&r, 1);
        out->account = db_col_int(&r, 2);
        out->reviewed = db_col_int(&r, 3) != 0;
        out->problematic = db_col_int(&r, 4) != 0;
        out->carried = db_col_int(&r, 5) != 0;
    }
    return db_end_after(&r, rc);
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

enum err_code class_reviews_count(struct db *db, struct arena *a, struct review_count **out,
                                  size_t *n, struct err *err)
{
    struct db_rows r;
    struct list list = {0};
    enum err_code rc = db_begin(db,
                                "SELECT revision, sum(reviewed), sum(problematic), sum(carried)"
                                " FROM (SELECT revision, reviewed, problematic, carried, max(event)"
                                "  FROM class_review GROUP BY revision, class)"
                                " GROUP BY revision ORDER BY revision",
                                DB_NONE, &r, err);
    if (rc != OK) {
        return rc;
    }
    while (db_step(&r, err)) {
        *LIST_ADD(&list, a, struct review_count) =
            (struct review_count){db_col_int(&r, 0), db_col_int(&r, 1), db_col_int(&r, 2),
                                  db_col_int(&r, 3)};
    }
    *out = list.items;
    *n = list.n;
    return db_end(&r);
}
