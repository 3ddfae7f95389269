/* near_drawn.c - SQL over near_close, in the order of a hash of the pair. */
#include "store/duplicates/near_drawn.h"

#include <string.h>

#include "db/rows.h"
#include "store/duplicates/near_searches.h"

#define NEWEST(column, table)                                                                                          \
    "(SELECT x." column " FROM " table " x WHERE x.a = min(q.name, r.name) AND x.b = max(q.name, r.name)"
#define BANNED(image)                                                                                                  \
    "coalesce((SELECT x.banned FROM blacklisting x WHERE x.name = " image ".name ORDER BY x.event DESC LIMIT 1), 0)"
#define PAIRS                                                                                                          \
    " FROM near_search s JOIN near_search_end e ON e.search = s.id CROSS JOIN near_close c ON c.search = s.id"         \
    " CROSS JOIN image q ON q.id = c.query CROSS JOIN image r ON r.id = c.reference"                                   \
    " WHERE s.space = ?1 AND s.engine = '" NEAR_ENGINE "' AND c.distance > ?2 AND c.distance <= ?3"                    \
    " AND (q.source IS NULL OR q.source IS NOT r.source) AND (q.source_id IS NULL OR q.source_id IS NOT r.source_id)"  \
    " AND (r.role <> 'candidate' OR c.query < c.reference)"                                                            \
    " AND NOT " BANNED("q") " AND NOT " BANNED("r") " GROUP BY c.query, c.reference"

static enum near_say say_of(struct sv word)
{
    int say = 0;
    while (say < NEAR_SAY_OPEN && !sv_is(word, near_say_words[say])) {
        say++;
    }
    return (enum near_say)say;
}

enum err_code near_drawn_each(struct db *db, const struct near_draw_ask *ask, int64_t *pairs,
                              enum err_code (*each)(void *arg, const struct near_drawn *p, struct err *err), void *arg,
                              struct err *err)
{
    struct db_rows r;
    enum err_code rc = pairs ? db_one_int(db, "SELECT count(*) FROM (SELECT 1" PAIRS ")",
                                          DB_VALS(db_text(ask->space), db_real(ask->from), db_real(ask->to)), pairs, err)
                             : OK;
    rc = rc == OK ? db_begin(db,
                             "SELECT c.query, c.reference, min(c.distance), CASE WHEN coalesce("
                             NEWEST("same", "near_duplicate") " ORDER BY x.event DESC LIMIT 1), 0) THEN 'duplicate' ELSE coalesce("
                             NEWEST("verdict", "near_verdict") " AND x.repeat = 0 ORDER BY x.event DESC LIMIT 1), 'open') END"
                             PAIRS " ORDER BY (c.query * 2654435761 + c.reference * 40503) % 4294967291, c.query, c.reference LIMIT ?4",
                             DB_VALS(db_text(ask->space), db_real(ask->from), db_real(ask->to), db_int(ask->most)), &r, err)
                  : rc;
    if (rc != OK) {
        return rc;
    }
    while (rc == OK && db_step(&r, err)) {
        rc = each(arg, &(struct near_drawn){db_col_int(&r, 0), db_col_int(&r, 1), db_col_real(&r, 2), say_of(db_col_text(&r, 3))},
                  err);
    }
    return db_end_after(&r, rc);
}
