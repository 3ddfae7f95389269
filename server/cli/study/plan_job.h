/* plan_job.h - planning as a job that the server runs: it is over before anybody could want to stop it. */
#ifndef CLI_STUDY_PLAN_JOB_H
#define CLI_STUDY_PLAN_JOB_H

#include "cli/core/cli.h"

/* Runs `plan`, as the job of --job if that is given. */
enum err_code plan_as_job(struct cli *cli, enum err_code (*plan)(struct cli *cli));

#endif
