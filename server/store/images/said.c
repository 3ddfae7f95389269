/* said.c - SQL over blacklisting, near_duplicate, near_duplicate_keep and pick for one name.
 */
#include "store/images/said.h"

#include "db/rows.h"

DB_ROW(image_said_row, struct image_said, event, at, kind, yes, what, note, login, imported);

enum err_code image_said(struct db *db, struct sv name, size_t most, struct arena *a,
                         struct image_said **out, size_t *n, struct err *err)
{
    return db_list(
        db, image_said_row, out, n, a,
        "SELECT x.event, e.at, x.kind, x.yes, x.what, x.note, coalesce(i.external_id, ''), "
        "e.account IS NULL FROM ("
        "SELECT event, 0 AS kind, banned AS yes, reason AS what, note FROM blacklisting WHERE name "
        "= ?1"
        " UNION ALL SELECT event, 1, same, b, '' FROM near_duplicate WHERE a = ?1"
        " UNION ALL SELECT event, 1, same, a, '' FROM near_duplicate WHERE b = ?1"
        " UNION ALL SELECT event, 2, keep, '', '' FROM near_duplicate_keep WHERE name = ?1"
        " UNION ALL SELECT event, 3, stage <> 'open', stage, note FROM pick WHERE name = ?1"
        ") x JOIN event e ON e.id = x.event LEFT JOIN account c ON c.id = e.account"
        " LEFT JOIN identity i ON i.person = c.person"
        " ORDER BY x.event DESC, x.kind, x.what LIMIT ?2",
        DB_VALS(db_text(name), db_int((int64_t)most)), err);
}
