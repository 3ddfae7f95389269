/* classes.c - `holdout import classes`, `wordnet`: the classes of the test set, and how they are related. */
#include "cli/core/commands.h"
#include "transfer/imports/imports.h"

static const char debian_file[] = "/usr/share/wordnet/data.noun"; /* package wordnet-base */

enum err_code cmd_import_classes(struct cli *cli)
{
    struct classes_files files = {.classes = cli->args[1],
                                  .wikipedia = cli_opt(cli, "wikipedia"),
                                  .similar = cli_opt(cli, "similar")};
    return classes_import(cli_transfer(cli), &files);
}

enum err_code cmd_import_wordnet(struct cli *cli)
{
    return wordnet_import(cli_transfer(cli), cli->n_args > 1 ? cli->args[1] : debian_file);
}
