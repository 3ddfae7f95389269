/* job.c - whose job it is. */
#include "cli/core/job.h"

#include "store/operate/jobs.h"

enum err_code cli_job_begin(struct cli *cli, struct cli_job *out)
{
    struct job_row row;
    int64_t job;
    *out = (struct cli_job){.account = 0};
    enum err_code rc = cli_opt_int(cli, "job", 1, INT64_MAX, 0, &job);
    rc = rc == OK ? job_report_begin(&out->report, cli->db, job, &cli->err) : rc;
    out->begun = rc == OK;
    if (rc == OK && job) {
        rc = jobs_get(cli->db, job, &cli->arena, &row, &cli->err);
        out->account = rc == OK ? row.account : 0;
    }
    return rc;
}

void cli_job_end(struct cli_job *job)
{
    if (job->begun) {
        job_report_end(&job->report);
    }
}
