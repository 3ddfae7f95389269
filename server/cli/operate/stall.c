/* stall.c - `holdout stall`: a job that does nothing, for tests of how jobs are run. Only in
 * builds with FAULT_HOOKS. It tells its log when it begins and ends, so that a test sees two at
 * once. */
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "cli/core/commands.h"
#include "jobs/report.h"

#ifdef FAULT_HOOKS

static enum err_code stall(struct cli *cli, struct job_report *r, int64_t steps, int64_t step_ms)
{
    struct timespec step = {.tv_sec = step_ms / 1000, .tv_nsec = step_ms % 1000 * 1000000};
    enum err_code rc = OK;
    for (int64_t i = 0; i < steps && rc == OK; i++) {
        rc = job_report_progress(r, (uint64_t)i, (uint64_t)steps, "stalls", &cli->err);
        if (rc == OK && job_report_stop(r) && !cli_has(cli, "stubborn")) {
            rc = job_report_stopped(&cli->err);
        }
        nanosleep(&step, NULL);
    }
    return rc;
}

enum err_code cmd_stall(struct cli *cli)
{
    int64_t job, steps, step_ms;
    struct job_report r;
    if (cli_opt_int(cli, "job", 1, INT64_MAX, 0, &job) != OK ||
        cli_opt_int(cli, "steps", 0, 1000000, 0, &steps) != OK ||
        cli_opt_int(cli, "step-ms", 0, 60000, 10, &step_ms) != OK ||
        job_report_begin(&r, cli->db, job, &cli->err) != OK) {
        return cli->err.code;
    }
    cli_note(cli, "begin %lld", (long long)getpid());
    if (cli_has(cli, "say")) {
        cli_note(cli, "%s\033[31m \xff", cli_opt(cli, "say"));
    }
    enum err_code rc = stall(cli, &r, steps, step_ms);
    if (rc == OK && cli_has(cli, "fail")) {
        rc = err_rule(&cli->err, ERR_IO, "stall", "%s", cli_opt(cli, "fail"));
    }
    cli_note(cli, "end %lld", (long long)getpid());
    job_report_end(&r);
    return rc;
}

#else
typedef int cmd_stall_is_for_tests;
#endif
