/* jobs.c - SQL for table job. Knows nothing of processes. */
#include "store/operate/jobs.h"

#include "base/hash.h"
#include "db/rows.h"
#include "store/core/events.h"

const char *job_state_word(enum job_state s)
{
    static const char *const words[JOB_STATES] = {"queued", "running", "done", "failed",
                                                  "cancelled"};
    BUG_IF(s >= JOB_STATES);
    return words[s];
}

static enum job_state state_of(struct sv word)
{
    for (int s = 0; s < JOB_STATES; s++) {
        if (sv_is(word, job_state_word((enum job_state)s))) {
            return (enum job_state)s;
        }
    }
    return JOB_FAILED; /* the table's CHECK knows no other word */
}

/* The longest beginning of at most `most` bytes that ends between characters. */
static struct sv cut(struct sv s, size_t most)
{
    size_t n = 0;
    while (n < s.n) {
        size_t step = sv_utf8_first(sv_make(s.p + n, s.n - n));
        if (!step || n + step > most) {
            break;
        }
        n += step;
    }
    return sv_make(s.p, n);
}

/* ---- reading ---- */

#define JOB                                                                                        \
    "SELECT j.id, e.at, e.account, j.kind, j.arguments, j.title, j.asked_to_stop,"                 \
    " j.starts, j.deaths, j.pid, j.done, j.total, j.note, j.started_at, j.ended_at, j.first_at,"   \
    " j.first_done, j.beat_at, i.external_id, j.state FROM job j JOIN event e ON e.id = j.id"               \
    " LEFT JOIN account c ON c.id = e.account LEFT JOIN identity i ON i.person = c.person"

static void read_state(const struct db_rows *r, struct arena *a, void *out)
{
    (void)a;
    ((struct job_row *)out)->state = state_of(db_col_text(r, 19));
}
DB_ROW_THEN(job_row, struct job_row, read_state, id, at, account, kind, arguments, title,
            asked_to_stop, starts, deaths, pid, done, total, note, started_at, ended_at, first_at,
            first_done, beat_at, who);

static enum err_code no_job(struct err *err)
{
    return err_rule(err, ERR_NOT_FOUND, "no-job", "There is no such job.");
}

enum err_code jobs_get(struct db *db, int64_t id, struct arena *a, struct job_row *out,
                       struct err *err)
{
    enum err_code rc = db_find(db, job_row, out, a, JOB " WHERE j.id = ?1",
                               DB_VALS(db_int(id)), err);
    return rc == ERR_NOT_FOUND ? no_job(err) : rc;
}

enum err_code jobs_open(struct db *db, struct arena *a, struct job_row **out, size_t *n,
                        struct err *err)
{
    return db_list(db, job_row, out, n, a, JOB " WHERE j.state IN ('queued', 'running') ORDER BY j.id",
                   DB_NONE, err);
}

#define ENDED                                                                                      \
    " j.state NOT IN ('queued', 'running') AND (?1 = '' OR j.state = ?1) AND (?2 = '' OR j.kind = ?2)"
#define PAGE(key, way)                                                                             \
    JOB " WHERE" ENDED " AND j.id < ?3 ORDER BY " key way ", j.id DESC LIMIT ?4 OFFSET ?5"
#define TOOK "j.ended_at - j.started_at"

static struct db_val state_asked(const struct jobs_ask *ask)
{
    return db_str(ask->state == JOB_STATES ? "" : job_state_word(ask->state));
}

enum err_code jobs_ended(struct db *db, const struct jobs_ask *ask, struct arena *a,
                         struct job_row **out, size_t *n, struct err *err)
{
    static const char *const sql[JOBS_SORTS][2] = {
        [JOBS_BY_TIME] = {PAGE("j.id", ""), PAGE("j.id", " DESC")},
        [JOBS_BY_TOOK] = {PAGE(TOOK, " NULLS LAST"), PAGE(TOOK, " DESC NULLS LAST")},
    };
    return db_list(db, job_row, out, n, a, sql[ask->sort][ask->falling],
                   DB_VALS(state_asked(ask), db_text(ask->kind), db_int(ask->before ? ask->before : INT64_MAX),
                           db_int((int64_t)ask->most), db_int((int64_t)ask->skip)),
                   err);
}

enum err_code jobs_ended_count(struct db *db, const struct jobs_ask *ask, int64_t *n, struct err *err)
{
    return db_one_int(db, "SELECT count(*) FROM job j WHERE" ENDED,
                      DB_VALS(state_asked(ask), db_text(ask->kind)), n, err);
}

enum err_code jobs_find_open(struct db *db, struct sv kind, struct sv arguments, int64_t *id,
                             struct err *err)
{
    *id = 0;
    return db_maybe_int(db,
                        "SELECT id FROM job WHERE state IN ('queued', 'running')"
                        " AND asked_to_stop = 0 AND kind = ?1 AND arguments = ?2 LIMIT 1",
                        DB_VALS(db_text(kind), db_text(arguments)), id, err);
}

enum err_code jobs_count(struct db *db, int64_t by_state[JOB_STATES], struct err *err)
{
    struct db_rows r;
    db_begin(db, "SELECT state, count(*) FROM job GROUP BY state", DB_NONE, &r, err);
    for (int s = 0; s < JOB_STATES; s++) {
        by_state[s] = 0;
    }
    while (db_step(&r, err)) {
        by_state[state_of(db_col_text(&r, 0))] = db_col_int(&r, 1);
    }
    return db_end(&r);
}

enum err_code jobs_stamp(struct db *db, uint64_t *stamp, size_t *open, struct err *err)
{
    struct db_rows r;
    int64_t facts[6] = {0};
    enum err_code rc = db_one_int(db, "SELECT coalesce(max(id), 0) FROM job", DB_NONE, &facts[0],
                                  err);
    if (rc != OK) {
        return rc;
    }
    db_begin(db,
             "SELECT id, state = 'running', asked_to_stop, done, total, beat_at FROM job"
             " WHERE state IN ('queued', 'running') ORDER BY id",
             DB_NONE, &r, err);
    uint64_t sum = hash_stable(facts, sizeof facts);
    *open = 0;
    while (db_step(&r, err)) {
        ++*open;
        for (int i = 0; i < 6; i++) {
            facts[i] = db_col_int(&r, i);
        }
        sum = sum * 31 + hash_stable(facts, sizeof facts);
    }
    *stamp = sum;
    return db_end(&r);
}

/* ---- writing ---- */

enum err_code jobs_add(struct db *db, struct sv kind, struct sv arguments, struct sv title,
                       int64_t account, int64_t now, int64_t *id, struct err *err)
{
    int64_t open = 0;
    BUG_IF(arguments.n > JOB_ARGUMENTS_MOST);
    enum err_code rc =
        db_one_int(db, "SELECT count(*) FROM job WHERE state IN ('queued', 'running')", DB_NONE,
                   &open, err);
    if (rc == OK && open >= JOBS_OPEN_MOST) {
        return err_rule(err, ERR_CONFLICT, "jobs-full",
                        "%d jobs are already waiting or running. Nothing was started; cancel some of them or "
                        "wait until they are done.",
                        JOBS_OPEN_MOST);
    }
    rc = rc == OK ? events_add(db, now, account, "job.start", 0, NULL, id, err) : rc;
    if (rc == OK) {
        rc = db_run(db,
                    "INSERT INTO job (id, kind, arguments, title, state)"
                    " VALUES (?1, ?2, ?3, ?4, 'queued')",
                    DB_VALS(db_int(*id), db_text(kind), db_text(arguments),
                            db_text(cut(title, JOB_TITLE_MOST))),
                    err);
    }
    return rc;
}

/* What an UPDATE that names the state it comes from says when there was no such row. */
static enum err_code moved(struct db *db, enum err_code rc, struct err *err)
{
    return rc == OK && db_changes(db) != 1
               ? err_rule(err, ERR_CONFLICT, "job-state",
                          "The job is in a different state by now. Nothing was changed.")
               : rc;
}

enum err_code jobs_claim(struct db *db, int64_t id, int64_t now, struct err *err)
{
    enum err_code rc = db_run(db,
                              "UPDATE job SET state = 'running', starts = starts + 1, pid = NULL,"
                              " note = '', started_at = ?2, ended_at = NULL, first_at = NULL,"
                              " first_done = NULL, beat_at = NULL"
                              " WHERE id = ?1 AND state = 'queued'",
                              DB_VALS(db_int(id), db_int(now)), err);
    return moved(db, rc, err);
}

enum err_code jobs_begun(struct db *db, int64_t id, int64_t pid, struct err *err)
{
    enum err_code rc =
        db_run(db, "UPDATE job SET pid = ?2 WHERE id = ?1 AND state = 'running' AND pid IS NULL",
               DB_VALS(db_int(id), db_int(pid)), err);
    return moved(db, rc, err);
}

enum err_code jobs_progress(struct db *db, int64_t id, int64_t done, int64_t total, struct sv note,
                            int64_t now, bool *asked_to_stop, struct err *err)
{
    int64_t stop = 0;
    enum err_code rc = moved(
        db,
        db_run(db,
               "UPDATE job SET done = ?2, total = ?3, note = ?4, beat_at = ?5,"
               " first_at = coalesce(first_at, ?5), first_done = coalesce(first_done, ?2)"
               " WHERE id = ?1 AND state = 'running'",
               DB_VALS(db_int(id), db_int(done), db_int(total), db_text(cut(note, JOB_NOTE_MOST)),
                       db_int(now)),
               err),
        err);
    if (rc == OK) {
        rc = db_one_int(db, "SELECT asked_to_stop FROM job WHERE id = ?1", DB_VALS(db_int(id)),
                        &stop, err);
    }
    *asked_to_stop = rc == OK && stop;
    return rc;
}

bool job_moved_on(const struct job_row *j)
{
    return j->first_at && j->done > j->first_done;
}

enum err_code jobs_requeue(struct db *db, int64_t id, bool died, struct sv note, struct err *err)
{
    enum err_code rc = db_run(db,
                              "UPDATE job SET state = 'queued', pid = NULL, note = ?3,"
                              " deaths = CASE WHEN ?2 = 0 THEN 0"
                              " WHEN done > first_done THEN 1 ELSE deaths + 1 END"
                              " WHERE id = ?1 AND state = 'running'",
                              DB_VALS(db_int(id), db_int(died), db_text(cut(note, JOB_NOTE_MOST))),
                              err);
    return moved(db, rc, err);
}

static enum err_code end_event(struct db *db, int64_t id, enum job_state state, int64_t account,
                               int64_t now, struct err *err)
{
    const char *kind = state == JOB_DONE     ? "job.done"
                       : state == JOB_FAILED ? "job.failed"
                                             : "job.cancelled";
    return events_add(db, now, account, kind, id, NULL, NULL, err);
}

enum err_code jobs_end(struct db *db, int64_t id, enum job_state state, struct sv note, int64_t now,
                       struct err *err)
{
    BUG_IF(state != JOB_DONE && state != JOB_FAILED && state != JOB_CANCELLED);
    enum err_code rc = db_run(
        db,
        "UPDATE job SET state = ?2, pid = NULL, note = ?3, ended_at = ?4,"
        " done = CASE ?2 WHEN 'done' THEN max(done, total) ELSE done END"
        " WHERE id = ?1 AND state = 'running'",
        DB_VALS(db_int(id), db_str(job_state_word(state)), db_text(cut(note, JOB_NOTE_MOST)),
                db_int(now)),
        err);
    rc = moved(db, rc, err);
    return rc == OK ? end_event(db, id, state, 0, now, err) : rc;
}

enum err_code jobs_ask_to_stop(struct db *db, int64_t id, int64_t account, int64_t now,
                               struct err *err)
{
    enum err_code rc =
        db_run(db,
               "UPDATE job SET state = 'cancelled', asked_to_stop = 1, ended_at = ?2,"
               " note = 'cancelled before it began' WHERE id = ?1 AND state = 'queued'",
               DB_VALS(db_int(id), db_int(now)), err);
    if (rc != OK) {
        return rc;
    }
    if (db_changes(db) == 1) {
        return end_event(db, id, JOB_CANCELLED, account, now, err);
    }
    rc = db_run(db,
                "UPDATE job SET asked_to_stop = 1"
                " WHERE id = ?1 AND state = 'running' AND asked_to_stop = 0",
                DB_VALS(db_int(id)), err);
    if (rc == OK && db_changes(db) == 1) {
        return events_add(db, now, account, "job.cancel", id, NULL, NULL, err);
    }
    int64_t running = 0;
    if (rc == OK) {
        rc = db_one_int(db, "SELECT state = 'running' FROM job WHERE id = ?1", DB_VALS(db_int(id)),
                        &running, err);
    }
    return rc == ERR_NOT_FOUND ? no_job(err)
           : rc != OK || running
               ? rc
               : err_rule(err, ERR_CONFLICT, "job-over",
                          "The job has ended already; nothing was changed.");
}
