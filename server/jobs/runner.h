/* runner.h - runs the jobs of a served project: one thread that starts queued ones as child processes, tells
 * them to stop, and writes down how they ended. Started by web/core/app.c, whose writer writes for it.
 *
 * A job never runs twice at once, whatever is killed when: its row says "running" before there is a process;
 * the process holds the job's log locked (job_log.h), and one that is not the row's may not begin (jobs_begun).
 * Who finds a row that runs without a process puts it back into the queue; who finds a process of an earlier
 * server, which was told to end when that server did, waits for its end first. */
#ifndef JOBS_RUNNER_H
#define JOBS_RUNNER_H

#include "base/err.h"
#include "db/writer.h"

enum {
    RUNNER_MOST = 8,           /* jobs_at_once at most */
    RUNNER_DEATHS = 3,         /* in a row without getting further: then the job has failed */
    RUNNER_CANCEL_MS = 10000,  /* from being told to stop until it is killed */
    RUNNER_CLOSE_MS = 5000     /* the same when the server stops */
};

struct runner;
/* `dir` stays the caller's; `at_once` jobs at most, 0: none is started here. */
enum err_code runner_start(const char *dir, unsigned at_once, struct writer *writer, struct runner **out,
                           struct err *err);
/* From any thread, cheap: the queue changed. */
void runner_wake(struct runner *r);
/* Tells all processes to end, waits for them, leaves their jobs in the queue. While the writer still runs, as
 * it writes that down; others may wake the runner until runner_free. NULL is allowed. */
void runner_stop(struct runner *r);
void runner_free(struct runner *r);

#endif
