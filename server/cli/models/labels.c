/* labels.c - `holdout labels`: which label sources there are. */
#include "cli/core/commands.h"
#include "cli/core/table.h"
#include "measures/core/label_sources.h"

#define OUT_MOST ((size_t)1 << 24)

enum err_code cmd_labels(struct cli *cli)
{
    const char *set = cli_opt(cli, "set");
    struct revision_row r;
    struct label_source_row *list;
    struct str out;
    size_t n = 0;
    enum err_code rc = set ? revisions_find(cli->db, sv_of(set), &cli->arena, &r, &cli->err) : OK;
    rc = rc == OK ? label_sources_list(cli->db, sv_of(cli->n_args > 1 ? cli->args[1] : NULL), set ? &r : NULL, &cli->arena, &list, &n, &cli->err) : rc;
    if (rc != OK) {
        return rc;
    }
    str_init(&out, OUT_MOST);
    record_csv_names(&label_source_record, &out);
    str_addc(&out, '\n');
    for (size_t i = 0; i < n; i++) {
        record_csv_cells(&label_source_record, &list[i], &out);
        str_addc(&out, '\n');
    }
    return export_end(&out, OK, &cli->err);
}
