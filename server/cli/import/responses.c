/* responses.c - `holdout import responses`: what people ticked in a study done elsewhere. */
#include "cli/core/commands.h"
#include "transfer/imports/imports.h"

enum err_code cmd_import_responses(struct cli *cli)
{
    const struct responses_import_ask ask = {.path = cli->args[1], .campaign = cli_opt(cli, "campaign"), .order = cli_opt(cli, "order")};
    return responses_import(cli_transfer(cli), &ask);
}
