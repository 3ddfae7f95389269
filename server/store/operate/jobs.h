/* jobs.h - SQL for the queue of jobs. The server adds, starts and ends them (web/parts/job_data.h,
 * jobs/runner.h), a job's own process says how far it is (jobs/report.h), web/operate/jobs.c shows them.
 * A row goes queued -> running -> done, failed or cancelled, and back from running to queued when its
 * process ended without a result; every step is one UPDATE that names the state it comes from, so that
 * two who try the same see that only one of them did it. Writes need a transaction of the caller. */
#ifndef STORE_OPERATE_JOBS_H
#define STORE_OPERATE_JOBS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"

enum {
    JOB_TITLE_MOST = 200,
    JOB_NOTE_MOST = 300,      /* bytes; longer ones are cut */
    JOB_ARGUMENTS_MOST = 4096,
    JOBS_OPEN_MOST = 200      /* queued and running */
};

enum job_state { JOB_QUEUED, JOB_RUNNING, JOB_DONE, JOB_FAILED, JOB_CANCELLED, JOB_STATES };
const char *job_state_word(enum job_state s);

struct job_row {
    int64_t id, at, account, pid, done, total, starts, deaths;
    int64_t started_at, ended_at, first_at, first_done, beat_at; /* 0: none */
    struct sv kind, arguments, title, note;
    struct sv who;            /* login of the account that started it; empty: the command line, or erased */
    enum job_state state;
    bool asked_to_stop;
};

/* `arguments` is a JSON array of what follows "holdout KIND DIR". ERR_CONFLICT (rule "jobs-full") when
 * JOBS_OPEN_MOST are open. */
enum err_code jobs_add(struct db *db, struct sv kind, struct sv arguments, struct sv title,
                       int64_t account, int64_t now, int64_t *id, struct err *err);
/* An open job that does the same; *id 0: none. */
enum err_code jobs_find_open(struct db *db, struct sv kind, struct sv arguments, int64_t *id,
                             struct err *err);
/* ERR_NOT_FOUND (rule "no-job"). */
enum err_code jobs_get(struct db *db, int64_t id, struct arena *a, struct job_row *out,
                       struct err *err);
/* Open ones, oldest first. */
enum err_code jobs_open(struct db *db, struct arena *a, struct job_row **out, size_t *n,
                        struct err *err);
enum jobs_sort { JOBS_BY_TIME, JOBS_BY_TOOK, JOBS_SORTS };
struct jobs_ask {
    enum job_state state;  /* JOB_STATES: whatever became of it */
    struct sv kind;        /* empty: any */
    enum jobs_sort sort;   /* equal ones: the newest first; what never began took no time and is last either way */
    bool falling;
    int64_t before;        /* only those before this one; 0: all */
    size_t skip, most;
};
/* Ended ones. */
enum err_code jobs_ended(struct db *db, const struct jobs_ask *ask, struct arena *a,
                         struct job_row **out, size_t *n, struct err *err);
/* How many there are of that state and kind. */
enum err_code jobs_ended_count(struct db *db, const struct jobs_ask *ask, int64_t *n, struct err *err);
enum err_code jobs_count(struct db *db, int64_t by_state[JOB_STATES], struct err *err);

/* The steps below: ERR_CONFLICT (rule "job-state") when the row is in another state. */

/* queued -> running, before there is a process. */
enum err_code jobs_claim(struct db *db, int64_t id, int64_t now, struct err *err);
/* The process says that it is the job: of two that try only one may. */
enum err_code jobs_begun(struct db *db, int64_t id, int64_t pid, struct err *err);
/* Of the running job: how far it is; *asked_to_stop: somebody wants it to end. */
enum err_code jobs_progress(struct db *db, int64_t id, int64_t done, int64_t total, struct sv note,
                            int64_t now, bool *asked_to_stop, struct err *err);
/* Whether its process got further than it was at its first word. */
bool job_moved_on(const struct job_row *j);
/* running -> queued: its process ended without a result, by itself (`died`) or because the server
 * closed. `deaths` counts those in a row that died without having moved on. */
enum err_code jobs_requeue(struct db *db, int64_t id, bool died, struct sv note, struct err *err);
/* running -> done, failed or cancelled, with the event "job.<state>". */
enum err_code jobs_end(struct db *db, int64_t id, enum job_state state, struct sv note, int64_t now,
                       struct err *err);
/* A queued job is cancelled at once, a running one when its process heard of it. ERR_CONFLICT (rule
 * "job-over") when it has ended. Asking twice changes nothing. */
enum err_code jobs_ask_to_stop(struct db *db, int64_t id, int64_t account, int64_t now,
                               struct err *err);

/* Changes whenever a job is added, moves or reports something; *open: how many wait or run. */
enum err_code jobs_stamp(struct db *db, uint64_t *stamp, size_t *open, struct err *err);

#endif
