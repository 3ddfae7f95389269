/* workers.h - the commands about the people who work, for the table in commands.c. */
#ifndef CLI_CORE_WORKERS_H
#define CLI_CORE_WORKERS_H

#include "cli/core/cli.h"

/* study/worker.c: a person is a PSEUDONYM, or --source and --id. */
enum err_code cmd_worker_list(struct cli *cli);    /* DIR --filter */
enum err_code cmd_worker_show(struct cli *cli);    /* DIR [PERSON] */
enum err_code cmd_worker_block(struct cli *cli);   /* DIR [PERSON] --reason */
enum err_code cmd_worker_unblock(struct cli *cli); /* DIR [PERSON] --reason */
enum err_code cmd_worker_note(struct cli *cli);    /* DIR [PERSON] --text */
enum err_code cmd_worker_forget(struct cli *cli);  /* DIR [PERSON] --yes */

/* study/worker_pay.c */
enum err_code cmd_worker_pay(struct cli *cli);     /* DIR --campaign --approve-all | --file */

/* export/participants.c */
enum err_code cmd_export_participants(struct cli *cli); /* DIR --campaign */
enum err_code cmd_export_pay(struct cli *cli);          /* DIR --campaign --list --after */

/* The campaign of --campaign, which must be given. */
struct campaign;
enum err_code worker_campaign(struct cli *cli, struct campaign *out);

#endif
