/* cmd_export_blacklist.c - `holdout export blacklist`: what is banned now, with reasons, as CSV
 * that `import blacklist` reads again. */
#include "cli/commands.h"
#include "cli/export.h"
#include "formats/csv.h"
#include "store/blacklist.h"

enum { OUT_MOST = 1 << 24 };

static enum err_code print_entry(void *arg, const struct blacklist_entry *e, struct err *err)
{
    struct str *out = arg;
    csv_cell(out, e->name);
    str_printf(out, "," SV_FMT ",", SV_ARG(e->reason));
    csv_cell(out, e->note);
    str_addc(out, '\n');
    return export_flush(out, err);
}

enum err_code cmd_export_blacklist(struct cli *cli)
{
    struct str out;
    str_init(&out, OUT_MOST);
    str_addz(&out, "image,reason,note\n");
    enum err_code rc = blacklist_each(cli->db, 0, print_entry, &out, &cli->err);
    return export_end(&out, rc, &cli->err);
}
