/* shown.c - SQL for who saw frequencies in the final review. */
#include "store/review/shown.h"

#include "db/rows.h"
#include "store/core/events.h"

enum err_code review_shown_of(struct db *db, int64_t revision, int64_t class_id, int64_t account,
                              bool *out, struct err *err)
{
    return db_exists(
        db, "SELECT 1 FROM review_shown WHERE revision = ?1 AND class = ?2 AND account = ?3",
        DB_VALS(db_int(revision), db_int(class_id), db_int(account)), out, err);
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

DB_ROW(review_shown_row, struct review_shown, class_id, account, event, at, wnid, login);

enum err_code review_shown_list(struct db *db, int64_t revision, struct arena *a,
                                struct review_shown **out, size_t *n, struct err *err)
{
    return db_list(
        db, review_shown_row, out, n, a,
        "SELECT s.class, s.account, s.event, e.at, k.wnid, coalesce(i.external_id, '')"
        " FROM review_shown s JOIN event e ON e.id = s.event JOIN class k ON k.id = s.class"
        " JOIN account c ON c.id = s.account LEFT JOIN identity i ON i.person = c.person"
        " WHERE s.revision = ?1 ORDER BY s.event, s.account",
        DB_VALS(db_int(revision)), err);
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

DB_ROW(sum_row, struct review_shown_sum, classes, reviewed, shown, imported);

enum err_code review_shown_sum(struct db *db, int64_t revision, struct review_shown_sum *out,
                               struct err *err)
{
    *out = (struct review_shown_sum){0};
    return db_maybe(db, sum_row, out, NULL, SUM, DB_VALS(db_int(revision)), err);
}
