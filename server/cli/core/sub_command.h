/* sub_command.h - runs another command of the table on the same project, as a shell would. For commands that
 * are made of others: the demo, train. */
#ifndef CLI_CORE_SUB_COMMAND_H
#define CLI_CORE_SUB_COMMAND_H

#include "cli/core/cli.h"

/* A list of texts for the call below. */
#define ARGS(...) (const char *const[]){__VA_ARGS__, NULL}

/* `args`: positional, DIR first; `options`: name and value by turns ("" for a switch). Both end with NULL. The
 * command opens the project for itself. */
enum err_code sub_command(struct cli *cli, const char *name, const char *const *args, const char *const *options);

#endif
