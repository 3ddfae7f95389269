/* blacklist_export.c - `holdout export blacklist`: what is banned now, with reasons, as CSV
 * that `import blacklist` reads again. */
#include "formats/csv.h"
#include "store/review/blacklist.h"
#include "transfer/exports/exports.h"

enum { OUT_MOST = 1 << 24 };

struct blacklist_export {
    struct transfer *tr;
    struct str out;
};

static enum err_code print_entry(void *arg, const struct blacklist_entry *e, struct err *err)
{
    struct blacklist_export *x = arg;
    struct str *out = &x->out;
    csv_cell(out, e->name);
    str_printf(out, "," SV_FMT ",", SV_ARG(e->reason));
    csv_cell(out, e->note);
    str_addc(out, '\n');
    return transfer_flush(x->tr, out, err);
}

enum err_code blacklist_export(struct transfer *tr)
{
    struct blacklist_export x = {.tr = tr};
    str_init(&x.out, OUT_MOST);
    str_addz(&x.out, "image,reason,note\n");
    enum err_code rc = blacklist_each(tr->db, 0, print_entry, &x, tr->err);
    return transfer_end(tr, &x.out, rc);
}
