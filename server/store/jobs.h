/* jobs.h - SQL for the queue of jobs. The server adds, starts and stops them (jobs/runner.h), the job's own
 * process says how far it is (jobs/report.h), web/page_jobs.c shows them. */
#ifndef STORE_JOBS_H
#define STORE_JOBS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"

enum job_state { JOB_QUEUED, JOB_RUNNING, JOB_DONE, JOB_FAILED, JOB_CANCELLED };
const char *job_state_word(enum job_state s);
struct job_row {
    int64_t id, at, account, pid, done, total, starts, started_at, ended_at, beat_at; /* 0: none */
    struct sv kind, arguments, title, note, who;
    enum job_state state;
    bool asked_to_stop;
};
enum err_code jobs_add(struct db *db, struct sv kind, struct sv arguments, struct sv title, int64_t account,
                       int64_t now, int64_t *id, struct err *err);
enum err_code jobs_get(struct db *db, int64_t id, struct arena *a, struct job_row *out, struct err *err);
/* Newest first, before `before` (0: from the newest), at most `most`; only_open: queued and running. */
enum err_code jobs_list(struct db *db, int64_t before, size_t most, bool only_open, struct arena *a,
                        struct job_row **out, size_t *n, struct err *err);
/* Moves between states; ERR_CONFLICT (rule "job-state") when it is not in `from`. Writes an event for the ends. */
enum err_code jobs_move(struct db *db, int64_t id, enum job_state from, enum job_state to, int64_t pid,
                        struct sv note, int64_t now, struct err *err);
enum err_code jobs_ask_to_stop(struct db *db, int64_t id, int64_t account, int64_t now, struct err *err);
enum err_code jobs_progress(struct db *db, int64_t id, int64_t done, int64_t total, struct sv note, int64_t now,
                            bool *asked_to_stop, struct err *err);

#endif
