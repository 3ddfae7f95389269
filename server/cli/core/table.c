/* table.c - shared parts of the export commands. */
#include "cli/core/table.h"

#include <stdio.h>

enum err_code export_write(void *arg, const char *p, size_t n, struct err *err)
{
    (void)arg;
    bool good = n ? fwrite(p, 1, n, stdout) == n : fflush(stdout) == 0;
    return good ? OK : err_set(err, ERR_IO, "cannot write the output");
}

enum err_code export_flush(struct str *out, struct err *err)
{
    const struct transfer tr = {.write = export_write};
    return transfer_flush(&tr, out, err);
}

enum err_code export_end(struct str *out, enum err_code rc, struct err *err)
{
    const struct transfer tr = {.write = export_write, .err = err};
    return transfer_end(&tr, out, rc);
}

static size_t only_task(struct campaign *list, size_t n, bool classify)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (list[i].classify == classify) {
            list[kept++] = list[i];
        }
    }
    return kept;
}

enum err_code export_campaign(struct cli *cli, bool classify, struct campaign *out)
{
    const char *name = cli_opt(cli, "campaign");
    struct campaign *list;
    size_t n;
    if (name) {
        struct err why = {OK, "", ""};
        enum err_code rc = campaigns_find(cli->db, sv_of(name), &cli->arena, out, &why);
        return rc == ERR_NOT_FOUND          ? err_set(&cli->err, rc, "there is no campaign %s", name)
               : rc != OK                   ? err_set(&cli->err, rc, "%s", why.msg)
               : out->classify == classify  ? OK
               : classify ? err_set(&cli->err, ERR_INPUT, "campaign %s asks whether images contain a class: `holdout export votes` writes "
                                    "its answers", name)
                          : err_set(&cli->err, ERR_INPUT, "campaign %s asks which objects images show: its answers are no "
                                    "votes about grids, `holdout export responses` writes them", name);
    }
    enum err_code rc = campaigns_list(cli->db, false, &cli->arena, &list, &n, &cli->err);
    if (rc != OK) {
        return rc;
    }
    n = only_task(list, n, classify);
    if (n == 0) {
        return err_set(&cli->err, ERR_NOT_FOUND, classify ? "no campaign of the project asks which objects images show" : "the project has no campaigns");
    }
    if (n > 1) {
        return cli_usage(cli, "the project has %zu campaigns: choose one with --campaign, for example "
                         SV_FMT, n, SV_ARG(list[0].name));
    }
    *out = list[0];
    return OK;
}
