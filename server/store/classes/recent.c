/* recent.c - one statement; a new way to choose classes is a row of its UNION. Added labels are few among all verdicts, so that
 * they are walked instead of everything that the account said. */
#include "store/classes/recent.h"

#include "db/rows.h"

DB_ROW(recent_row, struct class_info, id, cid, wnid, synset, gloss, wikipedia);

enum err_code classes_recent(struct db *db, int64_t account, size_t most, struct arena *a, struct class_info **out, size_t *n,
                             struct err *err)
{
    return db_list(db, recent_row, out, n, a,
                   "WITH chosen(class, at) AS (SELECT v.class, l.id FROM label_look_verdict v"
                   "  INDEXED BY label_look_verdict_added CROSS JOIN label_look l ON l.id = v.look"
                   "  WHERE l.account = ?1 AND v.added = 1 AND v.verdict = 'correct'"
                   "  UNION ALL SELECT class, id FROM training_answer WHERE account = ?1"
                   "  UNION ALL SELECT class, id FROM evaluation_answer WHERE account = ?1)"
                   " SELECT c.id, c.cid, c.wnid, c.synset, c.gloss, c.wikipedia FROM"
                   " (SELECT class, max(at) AS newest FROM chosen GROUP BY class ORDER BY newest DESC LIMIT ?2)"
                   " JOIN class c ON c.id = class ORDER BY newest DESC",
                   DB_VALS(db_int(account), db_int((int64_t)most)), err);
}
