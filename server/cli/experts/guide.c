/* guide.c - `holdout import guide`, `export guide`, `import relations`, `export relations`: what is written about classes, and
 * how they relate. */
#include "cli/core/commands.h"
#include "transfer/exports/exports.h"
#include "transfer/imports/imports.h"

enum err_code cmd_import_guide(struct cli *cli)
{
    return guide_import(cli_transfer(cli), cli->args[1], sv_of(cli_opt(cli, "reason")));
}

enum err_code cmd_export_guide(struct cli *cli)
{
    return guide_export(cli_transfer(cli), cli->args[1]);
}

enum err_code cmd_import_relations(struct cli *cli)
{
    return relations_import(cli_transfer(cli), cli->args[1]);
}

enum err_code cmd_export_relations(struct cli *cli)
{
    return relations_export(cli_transfer(cli));
}
