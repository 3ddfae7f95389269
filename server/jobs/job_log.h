/* job_log.h - DIR/jobs/ID.log: what a job's process says, and the proof that there is one. The process holds
 * the file locked as its standard output from before it exists until after it is gone, whoever started it and
 * whatever happens to that one; so a lock that can be taken means that no process is this job. */
#ifndef JOBS_JOB_LOG_H
#define JOBS_JOB_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"

enum {
    JOB_LOG_MOST = 256 * 1024, /* a log that grew beyond begins again */
    JOB_LOG_TAIL = 16 * 1024   /* what a page shows */
};

/* Makes and locks it; *fd is to be closed, and is closed on exec. ERR_BUSY when a process is the job. */
enum err_code job_log_hold(const char *dir, int64_t job, int *fd, struct err *err);
/* Whether a process is the job. */
bool job_log_held(const char *dir, int64_t job);
/* Whether that process is this one. */
bool job_log_is_of(const char *dir, int64_t job, int64_t pid);
/* Begins a start of the job: a line that the functions below know. */
void job_log_mark(int fd, int64_t start, const char *command);
void job_log_trim(const char *dir, int64_t job);
/* The last lines, at most `most` bytes, as valid text without control characters; empty without a log.
 * *cut: there is more before. */
enum err_code job_log_tail(const char *dir, int64_t job, size_t most, struct arena *a, struct sv *out,
                           bool *cut, struct err *err);
/* The last line that the newest start wrote: an error without "holdout: ", else the last line. */
struct sv job_log_last(const char *dir, int64_t job, struct arena *a);

#endif
