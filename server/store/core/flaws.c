/* flaws.c - each question is asked by itself: few find anything. */
#include "store/core/flaws.h"

#include "base/list.h"
#include "db/rows.h"

DB_ROW(flaw_row, struct flaw, list, n);

enum err_code flaws_read(struct db *db, const struct flaw_question *asked, size_t n_asked, struct arena *a, struct flaw **out, size_t *n,
                         struct err *err)
{
    struct list all = {0};
    enum err_code rc = OK;
    for (size_t i = 0; i < n_asked && rc == OK; i++) {
        struct flaw *rows;
        size_t n_rows = 0;
        rc = db_list(db, flaw_row, &rows, &n_rows, a, asked[i].sql, DB_NONE, err);
        for (size_t k = 0; k < n_rows && rc == OK; k++) {
            *LIST_ADD(&all, a, struct flaw) = (struct flaw){rows[k].list, rows[k].n, asked[i].what};
        }
    }
    *out = all.items;
    *n = all.n;
    return rc;
}
