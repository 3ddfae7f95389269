/* labels.c - `holdout import labels`: what images show by others than their sets. */
#include "cli/core/commands.h"
#include "cli/core/job.h"
#include "transfer/imports/imports.h"

enum err_code cmd_import_labels(struct cli *cli)
{
    const char *name = cli_opt(cli, "name");
    struct cli_job job;
    bool there;
    struct labels_ask ask = {.path = cli->args[1],
                             .name = sv_of(name),
                             .kind = cli_opt(cli, "kind"),
                             .set = cli_opt(cli, "set"),
                             .images = cli_opt(cli, "images"),
                             .about = cli_opt(cli, "about"),
                             .stage = cli_opt(cli, "stage"),
                             .reason = cli_opt(cli, "reason"),
                             .replace = cli_has(cli, "replace")};
    if (!name) {
        return cli_usage(cli, "name the label source with --name");
    }
    enum err_code rc = cli_job_begin(cli, &job);
    ask.account = job.account;
    rc = rc == OK ? labels_import(cli_transfer(cli), &ask, &there) : rc;
    cli_job_end(&job);
    return rc;
}
