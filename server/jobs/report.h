/* report.h - what a job's own process says about itself. A command that may be a job makes one, whether or not
 * it was given --job ID: without, it only remembers SIGTERM and SIGINT. Called by cli/. */
#ifndef JOBS_REPORT_H
#define JOBS_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "db/db.h"

struct job_report {
    struct db *db;
    int64_t job;           /* 0: no job */
    int64_t said_ns;       /* when it last wrote */
    bool asked_to_stop;
};
/* Installs handlers for SIGTERM and SIGINT that only remember them. job 0: run from a shell. */
enum err_code job_report_begin(struct job_report *r, struct db *db, int64_t job, struct err *err);
/* Call as often as you like: writes at most twice a second, in its own small transaction. */
enum err_code job_report_progress(struct job_report *r, uint64_t done, uint64_t total, const char *note,
                                  struct err *err);
/* Somebody wants it to end: finish the chunk at hand, commit, return ERR_BUSY with rule "job-stopped". */
bool job_report_stop(const struct job_report *r);
void job_report_end(struct job_report *r);

#endif
