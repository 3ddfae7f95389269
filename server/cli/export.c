/* export.c - shared parts of the export commands. */
#include "cli/export.h"

#include <stdio.h>

#include "base/clock.h"
#include "store/panel_ids.h"

enum { FLUSH_BYTES = 1 << 16 };

static enum err_code write_out(struct str *out, struct err *err)
{
    enum err_code rc = str_check(out, "a line of the output", err);
    if (rc == OK && out->n && fwrite(out->p, 1, out->n, stdout) != out->n) {
        rc = err_set(err, ERR_IO, "cannot write the output");
    }
    str_clear(out);
    return rc;
}

enum err_code export_flush(struct str *out, struct err *err)
{
    return out->n < FLUSH_BYTES && !out->over ? OK : write_out(out, err);
}

enum err_code export_end(struct str *out, enum err_code rc, struct err *err)
{
    if (rc == OK) {
        rc = write_out(out, err);
    }
    if (rc == OK && fflush(stdout) != 0) {
        rc = err_set(err, ERR_IO, "cannot write the output");
    }
    str_release(out);
    return rc;
}

enum err_code export_campaign(struct cli *cli, struct campaign *out)
{
    const char *name = cli_opt(cli, "campaign");
    struct campaign *list;
    size_t n;
    if (name) {
        struct err why = {OK, "", ""};
        enum err_code rc = campaigns_find(cli->db, sv_of(name), &cli->arena, out, &why);
        return rc == ERR_NOT_FOUND ? err_set(&cli->err, rc, "there is no campaign %s", name)
               : rc != OK          ? err_set(&cli->err, rc, "%s", why.msg)
                                   : OK;
    }
    enum err_code rc = campaigns_list(cli->db, false, &cli->arena, &list, &n, &cli->err);
    if (rc != OK) {
        return rc;
    }
    if (n == 0) {
        return err_set(&cli->err, ERR_NOT_FOUND, "the project has no campaign");
    }
    if (n > 1) {
        return cli_usage(cli, "the project has %zu campaigns: choose one with --campaign, such as "
                         SV_FMT, n, SV_ARG(list[0].name));
    }
    *out = list[0];
    return OK;
}

void export_warn_view(struct cli *cli, const struct vote_view *view)
{
    for (size_t i = 0; i < view->rules.n; i++) {
        const char *warning = view_filter_warning(&view->rules.filters[i], &cli->arena);
        if (warning) {
            cli_warn(cli, "View " SV_FMT ", %s", SV_ARG(view->name), warning);
        }
    }
}

enum err_code export_records_ids(struct cli *cli, const char *what, int64_t campaign)
{
    enum err_code rc = db_tx_begin(cli->db, &cli->err);
    if (rc != OK) {
        return rc;
    }
    rc = panel_ids_record(cli->db, sv_of(what), campaign, 0, clock_wall_ms(), &cli->err);
    if (rc == OK) {
        return db_tx_commit(cli->db, &cli->err);
    }
    db_tx_rollback(cli->db);
    return rc;
}

enum err_code export_panel_ids(struct cli *cli, const char *what, int64_t campaign, bool *asked)
{
    *asked = cli_has(cli, "panel-ids");
    return *asked ? export_records_ids(cli, what, campaign) : OK;
}
