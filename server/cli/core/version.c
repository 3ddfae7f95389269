/* version.c - `holdout version`: the program, its libraries, its routes. */
#include <stdio.h>

#include "cli/core/commands.h"
#include "db/db.h"

enum err_code cmd_version(struct cli *cli)
{
    if (cli_has(cli, "routes")) {
        serve_routes();
        return OK;
    }
    printf(cli->json ? "{\"holdout\":\"%s\",\"sqlite\":\"%s\"}\n" : "holdout %s (SQLite %s)\n",
           HOLDOUT_VERSION, db_library_version());
    return OK;
}
