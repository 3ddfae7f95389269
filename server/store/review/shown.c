/* shown.c - SQL for who saw frequencies in the final review. */
#include "store/review/shown.h"

#include "base/list.h"
#include "store/core/events.h"

enum err_code review_shown_of(struct db *db, int64_t revision, int64_t class_id, int64_t account,
                              bool *out, struct err *err)
{
    struct db_rows r;
    enum err_code rc =
        db_begin(db,
                 "SELECT 1 FROM review_shown WHERE revision = ?1 AND class = ?2 AND account = ?3",
                 DB_VALS(db_int(revision), db_int(class_id), db_int(account)), &r, err);
    *out = rc == OK && db_step(&r, err);
    return db_end_after(&r, rc);
}

enum err_code review_shown_add(struct db *db, int64_t revision, int64_t class_id, int64_t account,
                               int64_t now, int64_t *event, struct err *err)
{
    bool shown;
    enum err_code rc = review_shown_of(db, revision, class_id, account, &shown, err);
    *event = 0;
    if (rc != OK || shown) {
        return rc;
    }
    rc = events_add(db, now, account, "review.shown", class_id, NULL, event, err);
    return rc == OK ? db_run(db,
                             "INSERT INTO review_shown (revision, class, account, event)"
                             " VALUES (?1, ?2, ?3, ?4)",
                             DB_VALS(db_int(revision), db_int(class_id), db_int(account),
                                     db_int(*event)),
                             err)
                    : rc;
}

enum err_code review_shown_list(struct db *db, int64_t revision, struct arena *a,
                                struct review_shown **out, size_t *n, struct err *err)
{
    struct db_rows r;
    struct list list = {0};
    enum err_code rc =
        db_begin(db,
                 "SELECT s.class, s.account, s.event, e.at, k.wnid, coalesce(i.external_id, '')"
                 " FROM review_shown s JOIN event e ON e.id = s.event JOIN class k ON k.id = s.class"
                 " JOIN account c ON c.id = s.account LEFT JOIN identity i ON i.person = c.person"
                 " WHERE s.revision = ?1 ORDER BY s.event, s.account",
                 DB_VALS(db_int(revision)), &r, err);
    if (rc != OK) {
        return rc;
    }
    while (db_step(&r, err)) {
        struct review_shown *s = list_add(&list, a, sizeof *s);
        *s = (struct review_shown){
            .class_id = db_col_int(&r, 0),
            .account = db_col_int(&r, 1),
            .event = db_col_int(&r, 2),
            .at = db_col_int(&r, 3),
            .wnid = arena_sv(a, db_col_text(&r, 4)),
            .login = arena_sv(a, db_col_text(&r, 5)),
        };
    }
    *out = list.items;
    *n = list.n;
    return db_end(&r);
}

/* Of a group with max() SQLite takes the other columns from the row that has it. `line`: the revision and
 * those before it. */
#define SUM                                                                                        \
    "WITH RECURSIVE line (id) AS (SELECT ?1 UNION SELECT r.parent FROM revision r JOIN line"       \
    "  ON r.id = line.id WHERE r.parent IS NOT NULL),"                                             \
    " state AS (SELECT class, reviewed, carried, max(event) AS event FROM class_review"            \
    "  WHERE revision = ?1 GROUP BY class)"                                                        \
    " SELECT (SELECT count(DISTINCT i.class) FROM revision r JOIN set_list_image i"                \
    "   ON i.list = r.list WHERE r.id = ?1),"                                                      \
    "  count(*), coalesce(sum(EXISTS (SELECT 1 FROM review_shown s WHERE s.class = w.class"        \
    "   AND (s.revision = ?1 OR (w.carried AND s.revision IN (SELECT id FROM line)))"              \
    "   AND s.event <= (SELECT max(d.id) FROM class_decision d WHERE d.revision = s.revision"      \
    "    AND d.class = s.class))), 0),"                                                            \
    "  coalesce(sum(NOT w.carried AND e.account IS NULL), 0)"                                      \
    " FROM state w JOIN event e ON e.id = w.event WHERE w.reviewed"

enum err_code review_shown_sum(struct db *db, int64_t revision, struct review_shown_sum *out,
                               struct err *err)
{
    struct db_rows r;
    enum err_code rc = db_begin(db, SUM, DB_VALS(db_int(revision)), &r, err);
    *out = (struct review_shown_sum){0};
    if (rc == OK && db_step(&r, err)) {
        *out = (struct review_shown_sum){.classes = db_col_int(&r, 0),
                                         .reviewed = db_col_int(&r, 1),
                                         .shown = db_col_int(&r, 2),
                                         .imported = db_col_int(&r, 3)};
    }
    return db_end_after(&r, rc);
}
