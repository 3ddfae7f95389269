/* recent.c - one statement; a new way to choose classes is a row of its UNION. Labels that somebody added are looked for in their
 * latest looks: imports may have added more than anybody reads through while a page is made. */
#include "store/classes/recent.h"

#include "db/rows.h"

#define LOOKS "500"

DB_ROW(recent_row, struct class_info, id, cid, wnid, synset, gloss, wikipedia);

enum err_code classes_recent(struct db *db, int64_t account, size_t most, struct arena *a, struct class_info **out, size_t *n,
                             struct err *err)
{
    return db_list(db, recent_row, out, n, a,
                   "WITH chosen(class, at) AS (SELECT v.class, l.id FROM (SELECT id FROM label_look WHERE account = ?1"
                   "   ORDER BY id DESC LIMIT " LOOKS ") l CROSS JOIN label_look_verdict v ON v.look = l.id"
                   "  WHERE v.added = 1 AND v.verdict = 'correct'"
                   "  UNION ALL SELECT class, id FROM training_answer WHERE account = ?1"
                   "  UNION ALL SELECT class, id FROM evaluation_answer WHERE account = ?1)"
                   " SELECT c.id, c.cid, c.wnid, c.synset, c.gloss, c.wikipedia FROM"
                   " (SELECT class, max(at) AS newest FROM chosen GROUP BY class ORDER BY newest DESC LIMIT ?2)"
                   " JOIN class c ON c.id = class ORDER BY newest DESC",
                   DB_VALS(db_int(account), db_int((int64_t)most)), err);
}
