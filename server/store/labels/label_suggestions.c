/* label_suggestions.c - what people said first next to what was suggested, and what they make of each other's
 * words: stands. */
#include "store/labels/label_suggestions.h"

#include "db/rows.h"
#include "store/core/events.h"

static const char *const stands[LABEL_STANDS] = {"agree", "keep", "discuss"};

bool label_stand_of(struct sv word, enum label_stand *out)
{
    for (int i = 0; i < LABEL_STANDS; i++) {
        if (sv_is(word, stands[i])) {
            *out = (enum label_stand)i;
            return true;
        }
    }
    return false;
}

enum err_code label_suggestion_shown(struct db *db, int64_t review, int64_t position, int64_t *class_id, struct err *err)
{
    *class_id = 0;
    return db_maybe_int(db, "SELECT class FROM label_suggestion WHERE review = ?1 AND position = ?2 AND shown = 1",
                        DB_VALS(db_int(review), db_int(position)), class_id, err);
}

DB_ROW(agreement_row, struct label_agreement, account, login, shown, shown_agreed, hidden, hidden_agreed);

enum err_code label_suggestions_agreed(struct db *db, int64_t review, struct arena *a, struct label_agreement **out, size_t *n,
                                       struct err *err)
{
    return db_list(db, agreement_row, out, n, a,
                   "WITH looks AS (SELECT k.position, coalesce(k.account, -1) AS account, min(k.id) AS id FROM label_look k"
                   "  WHERE k.review = ?1 AND k.part = 'review' AND NOT EXISTS (SELECT 1 FROM label_look u WHERE u.undoes = k.id)"
                   "  GROUP BY k.position, 2),"
                   " said AS (SELECT l.position, l.account, l.id, s.shown, EXISTS (SELECT 1 FROM label_look_verdict v"
                   "  WHERE v.review = ?1 AND v.position = l.position AND v.class = s.class AND v.look = l.id"
                   "  AND v.verdict = 'correct') AS agreed FROM looks l JOIN label_suggestion s ON s.review = ?1"
                   "  AND s.position = l.position),"
                   " people AS (SELECT 0 AS account, shown, agreed FROM said s WHERE id = (SELECT min(t.id) FROM said t"
                   "  WHERE t.position = s.position) UNION ALL SELECT account, shown, agreed FROM said WHERE account > 0)"
                   " SELECT p.account, coalesce(i.external_id, ''), sum(shown), sum(shown AND agreed), sum(NOT shown),"
                   " sum(NOT shown AND agreed) FROM people p LEFT JOIN account c ON c.id = p.account"
                   " LEFT JOIN identity i ON i.person = c.person AND i.source = 'local' GROUP BY p.account"
                   " ORDER BY p.account > 0, 2, 1",
                   DB_VALS(db_int(review)), err);
}

/* ---- stands ---- */

enum err_code label_stand_add(struct db *db, int64_t review, int64_t position, int64_t account, enum label_stand stand, int64_t now,
                              struct err *err)
{
    int64_t id;
    enum err_code rc = events_add(db, now, account, "labels.stand", review, NULL, &id, err);
    return rc == OK ? db_run(db, "INSERT INTO label_stand (id, review, position, account, stand) VALUES (?1, ?2, ?3, ?4, ?5)",
                             DB_VALS(db_int(id), db_int(review), db_int(position), db_int(account), db_str(stands[stand])), err)
                    : rc;
}

static void read_stand(const struct db_rows *r, struct arena *a, void *out)
{
    (void)a;
    label_stand_of(db_col_text(r, 1), &((struct label_stand_row *)out)->stand);
}
DB_ROW_THEN(stand_row, struct label_stand_row, read_stand, account);

enum err_code label_stands_list(struct db *db, int64_t review, int64_t position, struct arena *a, struct label_stand_row **out,
                                size_t *n, struct err *err)
{
    return db_list(db, stand_row, out, n, a,
                   "SELECT s.account, s.stand FROM label_stand s WHERE s.review = ?1 AND s.position = ?2 AND s.id = (SELECT max(id)"
                   " FROM label_stand WHERE review = ?1 AND position = ?2 AND account = s.account) ORDER BY s.account",
                   DB_VALS(db_int(review), db_int(position)), err);
}

DB_ROW(stands_row, struct label_stands, position, keep, discuss);

enum err_code label_stands_count(struct db *db, int64_t review, struct arena *a, struct label_stands **out, size_t *n, struct err *err)
{
    return db_list(db, stands_row, out, n, a,
                   "SELECT s.position, sum(s.stand = 'keep'), sum(s.stand = 'discuss') FROM label_stand s WHERE s.review = ?1"
                   " AND s.stand <> 'agree' AND s.id = (SELECT max(id) FROM label_stand WHERE review = ?1 AND position = s.position"
                   "  AND account = s.account) GROUP BY s.position ORDER BY s.position",
                   DB_VALS(db_int(review)), err);
}
