/* job.h - commands that may be a job (jobs/kinds.h) and are too short to be stopped: one only says that it is the job, and for
 * whom. */
#ifndef CLI_JOB_H
#define CLI_JOB_H

#include "cli/core/cli.h"
#include "jobs/report.h"

struct cli_job {
    struct job_report report;
    int64_t account; /* who asked for it; 0: the command line */
    bool begun;
};
/* By --job ID. */
enum err_code cli_job_begin(struct cli *cli, struct cli_job *out);
void cli_job_end(struct cli_job *job);

#endif
