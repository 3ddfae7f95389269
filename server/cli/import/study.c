/* study.c - `holdout import hits`, `votes`, `picks`, `participants`: an earlier study, and the people that a campaign
 * expects. */
#include <string.h>

#include "cli/core/accounts.h"
#include "cli/core/commands.h"
#include "store/people/accounts.h"
#include "transfer/imports/imports.h"

enum err_code cmd_import_hits(struct cli *cli)
{
    const char *exclude[CLI_OPTIONS];
    struct hits_ask ask = {.files = cli->args + 1,
                           .n_files = (size_t)cli->n_args - 1,
                           .campaign = cli_opt(cli, "campaign"),
                           .exclude = exclude};
    for (int i = 0; i < cli->n_given; i++) {
        if (strcmp(cli->given[i].name, "exclude") == 0) {
            exclude[ask.n_exclude++] = cli->given[i].value;
        }
    }
    return hits_import(cli_transfer(cli), &ask);
}

enum err_code cmd_import_votes(struct cli *cli)
{
    return votes_import(cli_transfer(cli), cli->args[1], cli_opt(cli, "campaign"));
}

/* --by names the account that says so; a pick of an account is pruned by another person only (store/sets/picks.h). */
enum err_code cmd_import_picks(struct cli *cli)
{
    const char *login = cli_opt(cli, "by");
    struct account account = {0};
    enum err_code rc = login ? account_of(cli, login, &account) : OK;
    return rc == OK ? picks_import(cli_transfer(cli), cli->args[1], account.id) : rc;
}

enum err_code cmd_import_participants(struct cli *cli)
{
    const char *campaign = cli_opt(cli, "campaign");
    return campaign ? participants_import(cli_transfer(cli), cli->args[1], campaign)
                    : cli_usage(cli, "--campaign is missing: name the campaign that expects them");
}
