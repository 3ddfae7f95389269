/* known.c - a few names are read, one more than are said. */
#include "store/core/known.h"

#include "base/str.h"

enum { NAMED_MOST = 8, TEXT_MOST = 1 << 12 };

enum err_code known_name_check(struct sv name, size_t most, const char *rule, const char *what, struct err *err)
{
    return sv_is_word(name, "-_.") && name.n <= most && name.p[0] != '.'
               ? OK
               : err_rule(err, ERR_INPUT, rule,
                          "The name of %s must be 1 to %zu letters, digits, \"-\", \"_\" or \".\", and must not begin with a dot. "
                          "Nothing was stored.",
                          what, most);
}

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
