/* report.h - what a job's own process says about itself. A command that may be a job makes one,
 * whether or not it was given --job ID: without, it only remembers SIGTERM and SIGINT. */
#ifndef JOBS_REPORT_H
#define JOBS_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "db/db.h"

/* Exit status of a command that was asked to stop: what it did is kept, and the same command resumes. */
enum { JOB_EXIT_STOPPED = 75 };

struct job_report {
    struct db *db;
    int64_t job;           /* 0: no job */
    int64_t said_ns;       /* when it last wrote */
    bool asked_to_stop;
};
/* Installs handlers for SIGTERM and SIGINT that only remember them. job 0: run from a shell; otherwise this process
 * gives way to everybody else from now on: call it before threads are made. ERR_CONFLICT (rule "job-state") when the
 * job does not run, or another process is it already. */
enum err_code job_report_begin(struct job_report *r, struct db *db, int64_t job, struct err *err);
/* Call as often as you like, outside a transaction: writes at most twice a second, in its own small
 * transaction. ERR_CONFLICT (rule "job-state") when this process is not the job any more. */
enum err_code job_report_progress(struct job_report *r, uint64_t done, uint64_t total, const char *note,
                                  struct err *err);
/* Somebody wants it to end: finish the chunk at hand, commit, return job_report_stopped. */
bool job_report_stop(const struct job_report *r);
/* ERR_BUSY with rule "job-stopped", from which cli_main makes the exit status. */
enum err_code job_report_stopped(struct err *err);
/* The signals do again what they did. */
void job_report_end(struct job_report *r);

#endif
