/* known.c - a few names are read, one more than are said. */
#include "store/core/known.h"

#include "base/str.h"

enum { NAMED_MOST = 8, TEXT_MOST = 1 << 12 };

enum err_code known_refuse(struct db *db, const struct known *k, struct sv name, const struct db_val *values, size_t n, struct err *err)
{
    struct db_rows rows;
    struct str known;
    size_t named = 0;
    str_init(&known, TEXT_MOST);
    db_begin(db, k->sql, values, n, &rows, err);
    while (named <= NAMED_MOST && db_step(&rows, err)) {
        const struct sv one = named < NAMED_MOST ? db_col_text(&rows, 0) : SV("...");
        str_printf(&known, "%s" SV_FMT, named ? ", " : "", SV_ARG(one));
        named++;
    }
    enum err_code rc = db_end(&rows);
    if (rc == OK) {
        rc = named ? err_rule(err, ERR_NOT_FOUND, k->rule, "There is no %s " SV_FMT ". Choose one of: " SV_FMT ".", k->what, SV_ARG(name),
                              SV_ARG(str_sv(&known)))
                   : err_rule(err, ERR_NOT_FOUND, k->rule, "There is no %s " SV_FMT ": the project has none yet. %s.", k->what, SV_ARG(name), k->make);
    }
    str_release(&known);
    return rc;
}
