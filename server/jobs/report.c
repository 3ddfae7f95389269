/* report.c - the job's side of its row: progress, and being asked to stop by a signal or by the
 * row. */
#include "jobs/report.h"

#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "store/operate/jobs.h"

enum { SAY_EVERY_MS = 500, NICE = 10 };

/* A signal has no argument to carry the report along. Threads other than the one that it interrupts
 * ask too. */
static atomic_int signalled;
static struct sigaction before_term, before_int;

static void remember(int number)
{
    (void)number;
    signalled = 1;
}

/* Beside a server people vote: they come first. Threads that are made later have it too. */
static void give_way(void)
{
    struct sched_param none = {0};
    sched_setscheduler(0, SCHED_BATCH, &none);
    setpriority(PRIO_PROCESS, 0, NICE);
}

enum err_code job_report_begin(struct job_report *r, struct db *db, int64_t job, struct err *err)
{
    struct sigaction handler = {.sa_handler = remember, .sa_flags = SA_RESTART};
    *r = (struct job_report){.db = db, .job = job};
    signalled = 0;
    sigemptyset(&handler.sa_mask);
    sigaction(SIGTERM, &handler, &before_term);
    sigaction(SIGINT, &handler, &before_int);
    if (!job) {
        return OK;
    }
    give_way();
    enum err_code rc = db_tx_begin(db, err);
    rc = rc == OK ? jobs_begun(db, job, getpid(), err) : rc;
    return db_tx_end(db, rc, err);
}

enum err_code job_report_progress(struct job_report *r, uint64_t done, uint64_t total,
                                  const char *note, struct err *err)
{
    int64_t now = clock_mono_ns();
    if (!r->job || (r->said_ns && now - r->said_ns < (int64_t)SAY_EVERY_MS * 1000000)) {
        return OK;
    }
    BUG_IF(db_in_tx(r->db));
    struct err failed = {0};
    bool stop = false;
    r->said_ns = now;
    enum err_code rc = db_tx_begin(r->db, &failed);
    if (rc == OK) {
        rc = jobs_progress(r->db, r->job, (int64_t)done, (int64_t)total, sv_of(note ? note : ""),
                           clock_wall_ms(), &stop, &failed);
    }
    rc = db_tx_end(r->db, rc, &failed);
    r->asked_to_stop = r->asked_to_stop || stop;
    /* How far it is can be said later; the work itself goes on. */
    return rc == OK || rc == ERR_BUSY ? OK : err_rule(err, rc, failed.rule, "%s", failed.msg);
}

bool job_report_stop(const struct job_report *r)
{
    return r->asked_to_stop || signalled;
}

enum err_code job_report_stopped(struct err *err)
{
    return err_rule(err, ERR_BUSY, "job-stopped",
                    "stopped; what was done is kept, and the same command resumes from there");
}

void job_report_end(struct job_report *r)
{
    sigaction(SIGTERM, &before_term, NULL);
    sigaction(SIGINT, &before_int, NULL);
    r->job = 0;
}
