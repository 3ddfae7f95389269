/* cmd_version.c - `holdout version`: the program, its libraries, its routes. */
#include <stdio.h>

#include "cli/commands.h"
#include "db/db.h"
#include "web/app.h"

static const char *proof_name(enum route_proof proof)
{
    static const char *const names[] = {"-", "csrf", "capability", "public"};
    return names[proof];
}

/* One line per route; tests/http/routes.golden holds a copy. */
static void print_routes(void)
{
    for (size_t i = 0; i < routes_count; i++) {
        const struct route *r = &routes[i];
        printf("%-6s %-46s %-6s %-10s %5zu %s%s%s\n", http_method_name(r->method), r->pattern,
               role_name(r->role), proof_name(r->proof), r->body_max, r->read ? "read " : "",
               r->slow ? "slow " : "", r->write ? "write" : "");
    }
}

enum err_code cmd_version(struct cli *cli)
{
    if (cli_has(cli, "routes")) {
        print_routes();
        return OK;
    }
    printf(cli->json ? "{\"holdout\":\"%s\",\"sqlite\":\"%s\"}\n" : "holdout %s (SQLite %s)\n",
           HOLDOUT_VERSION, db_library_version());
    return OK;
}
