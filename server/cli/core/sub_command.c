/* sub_command.c - a command run by another. */
#include "cli/core/sub_command.h"

#include <string.h>

static const struct command *find(const char *name)
{
    const struct command *c = NULL;
    for (size_t i = 0; i < commands_count; i++) {
        c = strcmp(commands[i].name, name) == 0 ? &commands[i] : c;
    }
    BUG_IF(!c);
    return c;
}

enum err_code sub_command(struct cli *cli, const char *name, const char *const *args,
                          const char *const *options)
{
    struct cli sub = {.command = find(name), .lock = -1, .quiet = cli->quiet, .dir = cli->dir};
    arena_init(&sub.arena, 1 << 30);
    for (; *args; args++) {
        sub.args[sub.n_args++] = *args;
    }
    for (; *options; options += 2) {
        sub.given[sub.n_given].name = options[0];
        sub.given[sub.n_given++].value = options[1];
    }
    enum err_code rc = project_open(&sub);
    rc = rc == OK ? sub.command->run(&sub) : rc;
    project_close(&sub);
    if (rc != OK) {
        cli->err = sub.err;
    }
    arena_release(&sub.arena);
    return rc;
}
