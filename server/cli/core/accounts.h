/* accounts.h - the commands about accounts and API tokens, for the table in commands.c. */
#ifndef CLI_CORE_ACCOUNTS_H
#define CLI_CORE_ACCOUNTS_H

#include "cli/core/cli.h"

/* operate/user.c */
enum err_code cmd_user_list(struct cli *cli);     /* DIR */
enum err_code cmd_user_add(struct cli *cli);      /* DIR LOGIN --role --password-file */
enum err_code cmd_user_role(struct cli *cli);     /* DIR LOGIN ROLE */
enum err_code cmd_user_password(struct cli *cli); /* DIR LOGIN --password-file */
enum err_code cmd_user_disable(struct cli *cli);  /* DIR LOGIN */
enum err_code cmd_user_enable(struct cli *cli);   /* DIR LOGIN */

/* operate/token.c */
enum err_code cmd_token_create(struct cli *cli);  /* DIR --login --name --role --days */
enum err_code cmd_token_list(struct cli *cli);    /* DIR --login */
enum err_code cmd_token_revoke(struct cli *cli);  /* DIR ID */

/* The account of that login name; ERR_NOT_FOUND with a sentence. */
struct account;
enum err_code account_of(struct cli *cli, const char *login, struct account *out);

#endif
