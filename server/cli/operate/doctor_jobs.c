/* doctor_jobs.c - what `holdout doctor` says of jobs: do those that should run have a process, and
 * does what waits have somebody who starts it? */
#include "base/clock.h"
#include "cli/operate/doctor.h"
#include "jobs/job_log.h"
#include "store/operate/jobs.h"

enum { SILENT_MINUTES = 30 };

static void look_at_running(struct doctor *d, const struct job_row *j)
{
    int64_t said = j->beat_at > j->started_at ? j->beat_at : j->started_at;
    int64_t minutes = (clock_wall_ms() - said) / 60000;
    bool held = job_log_held(d->cli->dir, j->id);
    if (d->served && !held && minutes > 0) { /* for moments that is how one ends */
        doctor_say(d, DOCTOR_WARN, "jobs",
                   "job %lld should be running but has no process: look for it in the server's log, and "
                   "restart the server",
                   (long long)j->id);
    } else if (held && !d->served) {
        doctor_say(d, DOCTOR_WARN, "jobs",
                   "job %lld is running, but its server is not: it was asked to end; wait for it, or end "
                   "process %lld",
                   (long long)j->id, (long long)j->pid);
    } else if (held && minutes >= SILENT_MINUTES) {
        doctor_say(d, DOCTOR_WARN, "jobs",
                   "job %lld has reported nothing for %lld minutes: look at %s/jobs/%lld.log, and cancel it "
                   "if it hangs",
                   (long long)j->id, (long long)minutes, d->cli->dir, (long long)j->id);
    }
}

void doctor_jobs(struct doctor *d)
{
    struct job_row *rows;
    size_t n = 0, waiting = 0;
    struct err err = {0};
    if (!d->cli->db || jobs_open(d->cli->db, &d->cli->arena, &rows, &n, &err) != OK) {
        return; /* the database has its own line */
    }
    for (size_t i = 0; i < n; i++) {
        waiting += rows[i].state == JOB_QUEUED || !d->served;
        if (rows[i].state == JOB_RUNNING) {
            look_at_running(d, &rows[i]);
        }
    }
    if (waiting && !d->served) {
        doctor_say(d, DOCTOR_WARN, "jobs",
                   "%zu waiting: they continue when the server runs (`holdout serve %s`)", waiting,
                   d->cli->dir);
    } else if (waiting && d->cli->config.jobs_at_once == 0) {
        doctor_say(d, DOCTOR_WARN, "jobs",
                   "%zu waiting, but jobs_at_once is 0: set it to 1 or more and restart the server",
                   waiting);
    } else {
        doctor_say(d, DOCTOR_OK, "jobs", "%zu running, %zu waiting", n - waiting, waiting);
    }
}
