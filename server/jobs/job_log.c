/* job_log.c - the logs of jobs. Knows nothing of the queue. */
#include "jobs/job_log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fs.h"

#define MARK "== "

static const char *log_path(char *buf, size_t n, const char *dir, int64_t job)
{
    int written = snprintf(buf, n, "%s/jobs/%lld.log", dir, (long long)job);
    return written > 0 && (size_t)written < n ? buf : "";
}

enum err_code job_log_hold(const char *dir, int64_t job, int *fd, struct err *err)
{
    char path[4096], folder[4096];
    if ((size_t)snprintf(folder, sizeof folder, "%s/jobs", dir) >= sizeof folder) {
        return err_set(err, ERR_INPUT, "the path of the project is too long");
    }
    enum err_code rc = fs_mkdirs(folder, err);
    if (rc != OK) {
        return rc;
    }
    *fd = open(log_path(path, sizeof path, dir, job), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (*fd < 0) {
        return err_errno(err, errno, "cannot open %s", path);
    }
    if (flock(*fd, LOCK_EX | LOCK_NB) != 0) {
        int number = errno;
        close(*fd);
        *fd = -1;
        return number == EWOULDBLOCK
                   ? err_rule(err, ERR_BUSY, "job-runs", "a process of this job is running")
                   : err_errno(err, number, "cannot lock %s", path);
    }
    return OK;
}

bool job_log_held(const char *dir, int64_t job)
{
    char path[4096];
    int fd = open(log_path(path, sizeof path, dir, job), O_RDONLY | O_CLOEXEC);
    bool held = fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (fd >= 0) {
        close(fd);
    }
    return held;
}

bool job_log_is_of(const char *dir, int64_t job, int64_t pid)
{
    char path[4096], output[64];
    struct stat log, out;
    snprintf(output, sizeof output, "/proc/%lld/fd/1", (long long)pid);
    return pid > 0 && stat(log_path(path, sizeof path, dir, job), &log) == 0 &&
           stat(output, &out) == 0 && log.st_dev == out.st_dev && log.st_ino == out.st_ino;
}

void job_log_mark(int fd, int64_t start, const char *command)
{
    char iso[CLOCK_ISO_SIZE];
    dprintf(fd, MARK "%s start %lld: %s\n", clock_iso(clock_wall_ms(), iso), (long long)start,
            command);
}

void job_log_trim(const char *dir, int64_t job)
{
    char path[4096];
    int fd = open(log_path(path, sizeof path, dir, job), O_WRONLY | O_APPEND | O_CLOEXEC);
    struct stat st;
    if (fd >= 0 && fstat(fd, &st) == 0 && st.st_size > JOB_LOG_MOST && ftruncate(fd, 0) == 0) {
        dprintf(fd, MARK "the log was longer than %d KiB and starts again\n", JOB_LOG_MOST / 1024);
    }
    if (fd >= 0) {
        close(fd);
    }
}

/* Valid UTF-8 without control characters but LF: logs hold names of files, which may be anything. */
static struct sv clean(struct sv raw, struct arena *a)
{
    char *text = arena_alloc(a, raw.n + 1);
    size_t n = 0;
    for (size_t at = 0; at < raw.n;) {
        size_t step = sv_utf8_first(sv_make(raw.p + at, raw.n - at));
        unsigned char c = (unsigned char)raw.p[at];
        bool plain = step > 1 || (step == 1 && ((c >= ' ' && c != 0x7f) || c == '\n'));
        if (plain) {
            memcpy(text + n, raw.p + at, step);
            n += step;
        } else {
            text[n++] = c == '\t' ? ' ' : '?';
        }
        at += step ? step : 1;
    }
    text[n] = '\0';
    return sv_make(text, n);
}

enum err_code job_log_tail(const char *dir, int64_t job, size_t most, struct arena *a, struct sv *out,
                           bool *cut, struct err *err)
{
    char path[4096];
    struct stat st;
    *out = SV("");
    *cut = false;
    int fd = open(log_path(path, sizeof path, dir, job), O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return errno == ENOENT ? OK : err_errno(err, errno, "cannot open %s", path);
    }
    char *raw = arena_alloc(a, most);
    ssize_t n = -1;
    if (fstat(fd, &st) == 0) {
        *cut = st.st_size > (off_t)most;
        n = pread(fd, raw, most, *cut ? st.st_size - (off_t)most : 0);
    }
    int number = errno;
    close(fd);
    if (n < 0) {
        return err_errno(err, number, "cannot read %s", path);
    }
    struct sv text = sv_make(raw, (size_t)n);
    if (*cut) {
        sv_cut(&text, '\n'); /* the first line lacks its beginning */
        text = text.p ? text : SV("");
    }
    *out = clean(text, a);
    return OK;
}

struct sv job_log_last(const char *dir, int64_t job, struct arena *a)
{
    struct sv text, last = SV(""), failure = SV("");
    bool cut;
    if (job_log_tail(dir, job, JOB_LOG_TAIL, a, &text, &cut, NULL) != OK) {
        return SV("");
    }
    while (text.p) {
        struct sv line = sv_trim(sv_cut(&text, '\n'));
        if (sv_starts(line, MARK)) {
            last = failure = SV("");
        } else if (sv_starts(line, "holdout: ")) {
            failure = sv_make(line.p + 9, line.n - 9);
        } else if (line.n) {
            last = line;
        }
    }
    return failure.n ? failure : last;
}
