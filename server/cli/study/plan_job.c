/* plan_job.c - says that a planning process is the job. */
#include "cli/study/plan_job.h"

#include "jobs/report.h"

enum err_code plan_as_job(struct cli *cli, enum err_code (*plan)(struct cli *cli))
{
    struct job_report report;
    int64_t job;
    enum err_code rc = cli_opt_int(cli, "job", 1, INT64_MAX, 0, &job);
    rc = rc == OK ? job_report_begin(&report, cli->db, job, &cli->err) : rc;
    if (rc != OK) {
        return rc;
    }
    rc = plan(cli);
    job_report_end(&report);
    return rc;
}
