/* sets.c - `holdout import set`, `sets`: published lists, exported folders and histories become revisions. */
#include "cli/core/commands.h"
#include "transfer/imports/imports.h"

/* --role, "new" unless given; --sealed; --unseal REASON. */
static enum err_code history_options(struct cli *cli, struct history_ask *out)
{
    const char *role = cli_opt(cli, "role");
    *out = (struct history_ask){.role = sv_of(role ? role : "new"),
                                .sealed = cli_has(cli, "sealed"),
                                .unseal = sv_trim(sv_of(cli_opt(cli, "unseal")))};
    return sv_is(out->role, "original") || sv_is(out->role, "new")
               ? OK
               : cli_usage(cli, "--role must be original or new");
}

enum err_code cmd_import_set(struct cli *cli)
{
    struct set_ask ask = {.name = sv_of(cli->args[1]), .path = cli->args[2], .role_given = cli_has(cli, "role")};
    enum err_code rc = history_options(cli, &ask.how);
    return rc == OK ? set_import(cli_transfer(cli), &ask) : rc;
}

enum err_code cmd_import_sets(struct cli *cli)
{
    struct history_ask ask;
    enum err_code rc = history_options(cli, &ask);
    return rc == OK ? sets_import(cli_transfer(cli), cli->args + 1, (size_t)cli->n_args - 1, &ask) : rc;
}
