/* study.c - `holdout export hits`, `votes`, `responses`, `frequencies`, `workers`, `views`, `classes`: a study's grids and answers,
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
    enum err_code rc = export_campaign(cli, false, &campaign);
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
    enum err_code rc = export_campaign(cli, false, &campaign);
    return rc == OK ? votes_export(cli_transfer(cli), &campaign, is_long, cli_has(cli, "panel-ids")) : rc;
}

enum err_code cmd_export_responses(struct cli *cli)
{
    static const char *const words[] = {[RESPONSES_CSV] = "csv", [RESPONSES_JSONL] = "jsonl", [RESPONSES_VOTES] = "votes"};
    struct campaign campaign;
    struct responses_export_ask ask = {.campaign = &campaign, .numbers = cli_has(cli, "numbers"), .panel_ids = cli_has(cli, "panel-ids"),
                                       .workers = !cli_has(cli, "without-workers")};
    const char *format = cli_opt(cli, "format");
    bool known = !format;
    for (size_t i = 0; i < sizeof words / sizeof *words && !known; i++) {
        known = strcmp(format, words[i]) == 0;
        ask.shape = (enum response_shape)i;
    }
    ask.order = !known && strcmp(format, "order") == 0;
    if (!known && !ask.order) {
        return cli_usage(cli, "--format must be csv, jsonl, votes or order");
    }
    if (ask.panel_ids && !ask.workers) {
        return cli_usage(cli, "give --panel-ids or --without-workers, not both");
    }
    enum err_code rc = export_campaign(cli, true, &campaign);
    return rc == OK ? responses_export(cli_transfer(cli), &ask) : rc;
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
