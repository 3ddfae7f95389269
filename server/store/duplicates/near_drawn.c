/* near_drawn.c - SQL over near_close, in the order of a hash of the pair. */
#include "store/duplicates/near_drawn.h"

#include "db/rows.h"
#include "store/duplicates/near_close_private.h"

#define HASH "(c.query * 2654435761 + c.reference * 40503) % 4294967291, c.query, c.reference"
#define NEWEST(column, table)                                                                                          \
    "(SELECT x." column " FROM " table " x WHERE x.a = min(q.name, r.name) AND x.b = max(q.name, r.name)"
#define IMAGES " CROSS JOIN image q ON q.id = c.query CROSS JOIN image r ON r.id = c.reference"

/* What was said is looked up for those that are drawn. */
static const char sql[] =
    "WITH " NEAR_CLOSE_BANNED("") ","
    " pair AS (SELECT c.query, c.reference, min(c.distance) AS distance"
    "  FROM near_search s JOIN near_search_end e ON e.search = s.id CROSS JOIN near_close c ON c.search = s.id" IMAGES
    "  WHERE" NEAR_CLOSE_SPACE " AND c.distance > ?2 AND c.distance <= ?3" NEAR_CLOSE_APART
    "  AND (r.role <> 'candidate' OR c.query < c.reference)"
    "  AND c.query NOT IN (SELECT i FROM banned) AND c.reference NOT IN (SELECT i FROM banned) GROUP BY c.query, c.reference),"
    " drawn AS (SELECT c.*, count(*) OVER () AS n FROM pair c ORDER BY " HASH " LIMIT ?4)"
    " SELECT c.query, c.reference, c.distance, c.n, CASE WHEN coalesce("
    NEWEST("same", "near_duplicate") " ORDER BY x.event DESC LIMIT 1), 0) THEN 'duplicate' ELSE coalesce("
    NEWEST("verdict", "near_verdict") " AND x.repeat = 0 ORDER BY x.event DESC LIMIT 1), 'open') END"
    " FROM drawn c" IMAGES " ORDER BY " HASH;

enum err_code near_drawn_each(struct db *db, const struct near_draw_ask *ask,
                              enum err_code (*each)(void *arg, const struct near_drawn *p, struct err *err), void *arg,
                              struct err *err)
{
    struct db_rows r;
    enum err_code rc = db_begin(db, sql, DB_VALS(db_text(ask->space), db_real(ask->from), db_real(ask->to), db_int(ask->most)),
                                &r, err);
    while (rc == OK && db_step(&r, err)) {
        const struct near_drawn p = {.query = db_col_int(&r, 0), .reference = db_col_int(&r, 1), .distance = db_col_real(&r, 2),
                                     .of = db_col_int(&r, 3), .say = near_say_of(db_col_text(&r, 4))};
        rc = each(arg, &p, err);
    }
    return db_end_after(&r, rc);
}
