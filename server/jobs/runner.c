/* runner.c - the thread that runs jobs. Reads the queue with a connection of its own and writes
 * through the server's writer; knows nothing of what the commands do. */
#include "jobs/runner.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"
#include "base/xalloc.h"
#include "jobs/job_log.h"
#include "jobs/kinds.h"
#include "jobs/process.h"
#include "store/operate/jobs.h"

enum { CHILDREN = 2 * RUNNER_MOST, LOOK_MS = 250, ROW_ARENA = 8 << 20 };

struct child {
    int64_t job;
    const struct job_kind *kind; /* NULL: this version has no such kind */
    struct process process;
    bool told; /* to end; it is killed at kill_ns */
    int64_t kill_ns;
};
struct runner {
    const char *dir;
    unsigned at_once;
    struct writer *writer;
    struct db *db;      /* the thread's, for reading */
    struct arena arena; /* of one look at the queue */
    int wake;
    _Atomic bool closing;
    bool again; /* something could not be done yet: look again soon */
    struct child children[CHILDREN];
    size_t n;
    pthread_t thread;
};

/* ---- what is written ---- */

struct move {
    int64_t job, now;
    enum job_state to; /* JOB_RUNNING: claimed; JOB_QUEUED: back into the queue */
    bool died;
    struct sv note;
};

static enum err_code move_run(struct db *db, void *arg, struct err *err)
{
    const struct move *m = arg;
    return m->to == JOB_RUNNING  ? jobs_claim(db, m->job, m->now, err)
           : m->to == JOB_QUEUED ? jobs_requeue(db, m->job, m->died, m->note, err)
                                 : jobs_end(db, m->job, m->to, m->note, m->now, err);
}

/* False when it was not written: the next look finds the row as it is, and decides again. */
static bool write_move(struct runner *r, struct move m)
{
    struct err err = {0};
    m.now = clock_wall_ms();
    m.note = m.note.p ? m.note : SV("");
    if (writer_call(r->writer, move_run, &m, &err) == OK) {
        return true;
    }
    log_msg(LOG_WARN, "the state of a job was not stored", LOG_NUM("job", m.job),
            LOG_TEXT("state", sv_of(job_state_word(m.to))), LOG_TEXT("error", sv_of(err.msg)));
    r->again = true;
    return false;
}

static void end_job(struct runner *r, int64_t job, enum job_state state, struct sv note)
{
    if (write_move(r, (struct move){.job = job, .to = state, .note = note})) {
        log_msg(LOG_INFO, "job ended", LOG_NUM("job", job),
                LOG_TEXT("state", sv_of(job_state_word(state))), LOG_TEXT("note", note));
    }
}

/* A process that ended without a result: once more, but not for ever. */
static void died(struct runner *r, const struct job_row *row, const char *how)
{
    if (!job_moved_on(row) && row->deaths + 1 >= RUNNER_DEATHS) {
        end_job(r, row->id, JOB_FAILED,
                sv_of(arena_printf(
                    &r->arena,
                    "its process ended %d times in a row without getting further, the last time %s",
                    RUNNER_DEATHS, how)));
        return;
    }
    const char *note =
        arena_printf(&r->arena, "starts again: its process ended without a result, %s", how);
    log_msg(LOG_WARN, "job died", LOG_NUM("job", row->id), LOG_TEXT("how", sv_of(how)));
    write_move(r,
               (struct move){.job = row->id, .to = JOB_QUEUED, .died = true, .note = sv_of(note)});
}

/* ---- processes ---- */

static struct child *find_child(struct runner *r, int64_t job)
{
    for (size_t i = 0; i < r->n; i++) {
        if (r->children[i].job == job) {
            return &r->children[i];
        }
    }
    return NULL;
}

/* Told twice, it has the shorter of the two times. */
static void tell(struct child *c, int64_t grace_ms)
{
    int64_t kill_ns = clock_mono_ns() + grace_ms * 1000000;
    if (!c->told) {
        process_signal(&c->process, SIGTERM);
        c->kill_ns = kill_ns;
    } else if (kill_ns < c->kill_ns) {
        c->kill_ns = kill_ns;
    }
    c->told = true;
}

/* "holdout KIND DIR ARGS... --job ID"; a kind may be two words. */
static enum err_code make_argv(struct runner *r, const struct job_row *row, const char ***out,
                               struct err *err)
{
    const char **words;
    size_t n = 0, at = 0;
    enum err_code rc = job_words(row->arguments, r->dir, &r->arena, &words, &n, err);
    const char **argv = arena_calloc(&r->arena, n + 8, sizeof *argv);
    struct sv kind = row->kind, first = sv_cut(&kind, ' ');
    argv[at++] = "holdout";
    argv[at++] = arena_cstr(&r->arena, first);
    if (kind.p) {
        argv[at++] = arena_cstr(&r->arena, kind);
    }
    argv[at++] = r->dir;
    for (size_t i = 0; i < n; i++) {
        argv[at++] = words[i];
    }
    argv[at++] = "--job";
    argv[at++] = arena_printf(&r->arena, "%lld", (long long)row->id);
    *out = argv;
    return rc;
}

static void start_job(struct runner *r, const struct job_row *row, const struct job_kind *kind)
{
    struct child *c = &r->children[r->n];
    struct err err = {0};
    const char **argv = NULL;
    int log = -1;
    enum err_code rc = job_log_hold(r->dir, row->id, &log, &err);
    if (rc == ERR_BUSY) {
        r->again = true; /* a process of an earlier server is about to end */
        return;
    }
    if (!write_move(r, (struct move){.job = row->id, .to = JOB_RUNNING})) {
        goto out;
    }
    rc = rc == OK ? make_argv(r, row, &argv, &err) : rc;
    if (rc == OK) {
        job_log_mark(log, row->starts + 1, job_command(row->kind, row->arguments, &r->arena));
        *c = (struct child){.job = row->id, .kind = kind};
        rc = process_start(argv, log, &c->process, &err);
    }
    if (rc == OK) {
        r->n++;
        log_msg(LOG_INFO, "job started", LOG_NUM("job", row->id), LOG_TEXT("kind", row->kind),
                LOG_NUM("pid", c->process.pid));
    } else {
        end_job(r, row->id, JOB_FAILED, sv_of(err.msg));
    }
out:
    if (log >= 0) {
        close(log); /* from here on the process alone holds it */
    }
}

/* A row that runs, but not as a child of ours: an earlier server's. */
static void adopt(struct runner *r, const struct job_row *row)
{
    if (!job_log_held(r->dir, row->id)) {
        died(r, row, "with the server");
        return;
    }
    if (r->n == CHILDREN) {
        r->again = true; /* when one of them has ended */
        return;
    }
    struct child *c = &r->children[r->n];
    *c = (struct child){.job = row->id, .kind = job_kind_find(row->kind)};
    if (process_watch(row->pid, &c->process, NULL) != OK) {
        r->again = true; /* it has not said yet who it is, or ends at this moment */
        return;
    }
    if (!job_log_is_of(r->dir, row->id, row->pid)) { /* the number came into other hands */
        process_forget(&c->process);
        r->again = true;
        return;
    }
    log_msg(LOG_INFO, "job of an earlier server ends first", LOG_NUM("job", row->id),
            LOG_NUM("pid", row->pid));
    r->n++;
    tell(c, RUNNER_CANCEL_MS);
}

/* ---- ends ---- */

static void ended(struct runner *r, const struct job_row *row, struct process_status s, bool ours)
{
    struct sv said = job_log_last(r->dir, row->id, &r->arena);
    const char *how = arena_printf(&r->arena, "by signal %d (%s)", s.number, strsignal(s.number));
    bool stopped = s.end == PROCESS_STOPPED ||
                   (s.end == PROCESS_DIED && (row->asked_to_stop || atomic_load(&r->closing)));
    if (s.end == PROCESS_DONE) {
        end_job(r, row->id, JOB_DONE, said);
    } else if (s.end == PROCESS_FAILED) {
        end_job(r, row->id, JOB_FAILED,
                said.n ? said
                       : sv_of(arena_printf(&r->arena, "its process gave no reason (exit %d)",
                                            s.number)));
    } else if (!stopped) {
        died(r, row, ours ? how : "with the server");
    } else if (row->asked_to_stop) {
        end_job(r, row->id, JOB_CANCELLED, SV("cancelled; what was done before is kept"));
    } else {
        write_move(r, (struct move){.job = row->id,
                                    .to = JOB_QUEUED,
                                    .note = SV("stopped, resumes when it is its turn")});
    }
}

/* Children whose descriptor says so. A row that cannot be read or written now is found by the next
 * look as one that runs without a process. */
static void reap(struct runner *r)
{
    for (size_t i = r->n; i-- > 0;) {
        struct child *c = &r->children[i];
        struct pollfd p = {.fd = c->process.fd, .events = POLLIN};
        struct job_row row;
        struct err err = {0};
        if (poll(&p, 1, 0) <= 0) {
            continue;
        }
        bool ours = c->process.ours;
        struct process_status s = process_wait(&c->process);
        if (jobs_get(r->db, c->job, &r->arena, &row, &err) == OK) {
            ended(r, &row, s, ours);
        }
        r->children[i] = r->children[--r->n];
    }
}

static void kill_late(struct runner *r)
{
    for (size_t i = 0; i < r->n; i++) {
        struct child *c = &r->children[i];
        if (c->told && c->kill_ns && clock_mono_ns() >= c->kill_ns) {
            log_msg(LOG_WARN, "job killed: it did not stop", LOG_NUM("job", c->job));
            process_signal(&c->process, SIGKILL);
            c->kill_ns = 0;
        }
    }
}

/* ---- the queue ---- */

static size_t running(const struct runner *r, const struct job_kind *kind)
{
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++) {
        n += !kind || r->children[i].kind == kind;
    }
    return n;
}

static void consider(struct runner *r, const struct job_row *row)
{
    struct child *c = find_child(r, row->id);
    const struct job_kind *kind = job_kind_find(row->kind);
    if (row->state == JOB_RUNNING && !c) {
        adopt(r, row);
    } else if (row->state == JOB_RUNNING && row->asked_to_stop) {
        tell(c, RUNNER_CANCEL_MS);
    } else if (row->state == JOB_QUEUED && !kind) {
        if (write_move(r, (struct move){.job = row->id, .to = JOB_RUNNING})) {
            end_job(r, row->id, JOB_FAILED, SV("this version of holdout has no jobs of this kind"));
        }
    } else if (row->state == JOB_QUEUED && running(r, NULL) < r->at_once &&
               running(r, kind) < kind->most_at_once) {
        start_job(r, row, kind);
    }
}

static void look(struct runner *r)
{
    struct job_row *rows;
    size_t n = 0;
    struct err err = {0};
    if (jobs_open(r->db, &r->arena, &rows, &n, &err) != OK) {
        log_msg(LOG_WARN, "the queue of jobs cannot be read", LOG_TEXT("error", sv_of(err.msg)));
        r->again = true;
    }
    for (size_t i = 0; i < n; i++) {
        consider(r, &rows[i]);
    }
    for (size_t i = 0; i < r->n; i++) {
        job_log_trim(r->dir, r->children[i].job);
    }
}

/* Until something ends, somebody wakes us, or a deadline is near. */
static void wait_for_news(struct runner *r)
{
    struct pollfd p[CHILDREN + 1] = {{.fd = r->wake, .events = POLLIN}};
    bool deadline = r->again;
    uint64_t woken;
    for (size_t i = 0; i < r->n; i++) {
        p[i + 1] = (struct pollfd){.fd = r->children[i].process.fd, .events = POLLIN};
        deadline = deadline || (r->children[i].told && r->children[i].kill_ns);
    }
    r->again = false;
    poll(p, (nfds_t)r->n + 1, deadline ? LOOK_MS : -1);
    while (read(r->wake, &woken, sizeof woken) > 0) {
    }
}

static void close_children(struct runner *r)
{
    for (size_t i = r->n; i-- > 0;) {
        if (r->children[i].process.ours) {
            tell(&r->children[i], RUNNER_CLOSE_MS);
        } else { /* its next server waits for it */
            process_forget(&r->children[i].process);
            r->children[i] = r->children[--r->n];
        }
    }
    while (r->n) {
        arena_clear(&r->arena);
        wait_for_news(r);
        kill_late(r);
        reap(r);
    }
}

static void *runner_main(void *arg)
{
    struct runner *r = arg;
    while (!atomic_load(&r->closing)) {
        arena_clear(&r->arena);
        look(r);
        wait_for_news(r);
        kill_late(r);
        reap(r);
    }
    close_children(r);
    return NULL;
}

/* ---- the calls of other threads ---- */

enum err_code runner_start(const char *dir, unsigned at_once, struct writer *writer,
                           struct runner **out, struct err *err)
{
    struct runner *r = xcalloc(1, sizeof *r);
    BUG_IF(at_once > RUNNER_MOST);
    r->dir = dir;
    r->at_once = at_once;
    r->writer = writer;
    arena_init(&r->arena, ROW_ARENA);
    r->wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    enum err_code rc = r->wake >= 0 ? OK : err_errno(err, errno, "cannot make an event descriptor");
    if (rc == OK) {
        rc = db_open(arena_printf(&r->arena, "%s/holdout.db", dir), DB_READ, &r->db, err);
    }
    rc = rc == OK ? thread_start(&r->thread, "jobs", runner_main, r, err) : rc;
    if (rc != OK) {
        runner_free(r);
        return rc;
    }
    *out = r;
    return OK;
}

void runner_wake(struct runner *r)
{
    uint64_t one = 1;
    ssize_t written = write(r->wake, &one, sizeof one); /* full: it is awake already */
    (void)written;
}

void runner_stop(struct runner *r)
{
    if (r) {
        atomic_store(&r->closing, true);
        runner_wake(r);
        pthread_join(r->thread, NULL);
    }
}

void runner_free(struct runner *r)
{
    if (!r) {
        return;
    }
    db_close(r->db);
    arena_release(&r->arena);
    if (r->wake >= 0) {
        close(r->wake);
    }
    free(r);
}
