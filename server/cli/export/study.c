/* study.c - `holdout export hits`, `votes`, `frequencies`, `workers`, `views`, `classes`: a study's grids and answers,
 * what they come to, and the vote views. */
#include <string.h>

#include "cli/core/commands.h"
#include "cli/core/table.h"
#include "transfer/exports/exports.h"

enum err_code cmd_export_hits(struct cli *cli)
{
    struct campaign campaign;
    const char *format = cli_opt(cli, "format");
    bool study = !format || strcmp(format, "study") == 0;
    if (!study && strcmp(format, "jsonl") != 0) {
        return cli_usage(cli, "--format must be study or jsonl");
    }
    enum err_code rc = export_campaign(cli, &campaign);
    return rc == OK ? hits_export(cli_transfer(cli), &campaign, study) : rc;
}

enum err_code cmd_export_votes(struct cli *cli)
{
    struct campaign campaign;
    const char *format = cli_opt(cli, "format");
    bool is_long = format && strcmp(format, "long") == 0;
    if (format && !is_long && strcmp(format, "hits") != 0) {
        return cli_usage(cli, "--format must be hits or long");
    }
    enum err_code rc = export_campaign(cli, &campaign);
    return rc == OK ? votes_export(cli_transfer(cli), &campaign, is_long, cli_has(cli, "panel-ids")) : rc;
}

enum err_code cmd_export_views(struct cli *cli)
{
    return views_export(cli_transfer(cli));
}

enum err_code cmd_export_classes(struct cli *cli)
{
    return classes_export(cli_transfer(cli));
}

enum err_code cmd_export_frequencies(struct cli *cli)
{
    return frequencies_export(cli_transfer(cli), cli_opt(cli, "view"));
}

enum err_code cmd_export_workers(struct cli *cli)
{
    return workers_export(cli_transfer(cli), cli_has(cli, "panel-ids"));
}
