/* log.c - the ring buffer of log lines and the thread that writes it. */
#include "base/log.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/thread.h"

enum { LINE_MAX_BYTES = 1000, RING_LINES = 4096, FLUSH_BYTES = 64 * 1024, GATHER_MS = 5 };

struct line {
    size_t n;
    char text[LINE_MAX_BYTES];
};

/* The only file-level state in base/ but for hash seed and fault switches: a process has one
 * standard error. `head` and `tail` count lines since the start; the lock guards all of it. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t more;
    uint64_t head, tail, dropped, reported;
    enum log_level least;
    bool running, closing;
    pthread_t thread;
} state = {.lock = PTHREAD_MUTEX_INITIALIZER, .more = PTHREAD_COND_INITIALIZER, .least = LOG_INFO};

static struct line ring_lines[RING_LINES];

static void write_all(const char *p, size_t n)
{
    while (n) {
        ssize_t w = write(STDERR_FILENO, p, n);
        if (w < 0 && errno == EINTR) {
            continue;
        }
        if (w <= 0) {
            return; /* nobody reads standard error: there is nowhere left to say so */
        }
        p += w;
        n -= (size_t)w;
    }
}

static void put(struct line *l, const char *p, size_t n)
{
    size_t left = sizeof l->text - 2 - l->n; /* room for the closing "}\n" is kept */
    if (n > left) {
        n = left;
    }
    memcpy(l->text + l->n, p, n);
    l->n += n;
}

static void putz(struct line *l, const char *z)
{
    put(l, z, strlen(z));
}

static void put_number(struct line *l, int64_t v)
{
    char digits[20];
    size_t at = sizeof digits;
    uint64_t left = v < 0 ? -(uint64_t)v : (uint64_t)v;
    do {
        digits[--at] = (char)('0' + left % 10);
        left /= 10;
    } while (left);
    if (v < 0) {
        putz(l, "-");
    }
    put(l, digits + at, sizeof digits - at);
}

static bool is_plain(unsigned char c)
{
    return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

/* Escapes for JSON, bytes that are not UTF-8 become U+FFFD; a text that would not fit whole is cut
 * between characters. */
static void put_json(struct line *l, struct sv s)
{
    putz(l, "\"");
    for (size_t i = 0; i < s.n && l->n + 16 < sizeof l->text; i++) {
        unsigned char c = (unsigned char)s.p[i];
        if (is_plain(c)) {
            l->text[l->n++] = (char)c;
            continue;
        }
        size_t whole = sv_utf8_first(sv_make(s.p + i, s.n - i));
        char buf[8];
        if (c == '"' || c == '\\') {
            buf[0] = '\\';
            buf[1] = (char)c;
            put(l, buf, 2);
        } else if (c < 0x20 || c == 0x7f) {
            snprintf(buf, sizeof buf, "\\u%04x", c);
            put(l, buf, 6);
        } else if (whole == 0) {
            putz(l, "\xef\xbf\xbd");
        } else {
            put(l, s.p + i, whole);
            i += whole - 1;
        }
    }
    putz(l, "\"");
}

static void format_line(struct line *l, enum log_level level, const char *msg,
                        const struct log_field *fields, size_t n)
{
    static const char *const names[] = {"debug", "info", "warn", "error"};
    char iso[CLOCK_ISO_SIZE];
    l->n = 0;
    putz(l, "{\"time\":\"");
    putz(l, clock_iso(clock_wall_ms(), iso));
    putz(l, "\",\"level\":\"");
    putz(l, names[level]);
    putz(l, "\",\"msg\":");
    put_json(l, sv_of(msg));
    for (size_t i = 0; i < n; i++) {
        if (l->n + strlen(fields[i].key) + 48 > sizeof l->text) {
            break; /* whole members only: the line stays valid JSON */
        }
        putz(l, ",\"");
        putz(l, fields[i].key);
        putz(l, "\":");
        if (fields[i].is_number) {
            put_number(l, fields[i].number);
        } else {
            put_json(l, fields[i].text);
        }
    }
    memcpy(l->text + l->n, "}\n", 2);
    l->n += 2;
}

void log_line(enum log_level level, const char *msg, const struct log_field *fields, size_t n)
{
    if (level < __atomic_load_n(&state.least, __ATOMIC_RELAXED)) {
        return;
    }
    struct line l;
    format_line(&l, level, msg, fields, n);
    pthread_mutex_lock(&state.lock);
    if (!state.running) {
        pthread_mutex_unlock(&state.lock);
        write_all(l.text, l.n);
        return;
    }
    if (state.head - state.tail == RING_LINES) {
        state.dropped++;
    } else {
        struct line *slot = &ring_lines[state.head % RING_LINES];
        slot->n = l.n;
        memcpy(slot->text, l.text, l.n);
        if (state.head++ == state.tail) {
            pthread_cond_signal(&state.more);
        }
    }
    pthread_mutex_unlock(&state.lock);
}

void log_text(enum log_level level, const char *fmt, ...)
{
    char msg[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(msg, sizeof msg, fmt, ap);
    va_end(ap);
    log_line(level, msg, NULL, 0);
}

/* Copies waiting lines into buf; returns the bytes. The lock is held. */
static size_t drain(char *buf, size_t cap)
{
    size_t n = 0;
    while (state.tail != state.head) {
        struct line *l = &ring_lines[state.tail % RING_LINES];
        if (n + l->n > cap) {
            break;
        }
        memcpy(buf + n, l->text, l->n);
        n += l->n;
        state.tail++;
    }
    if (state.dropped != state.reported && n + LINE_MAX_BYTES <= cap) {
        struct line l;
        struct log_field f = LOG_NUM("lines", state.dropped - state.reported);
        format_line(&l, LOG_WARN, "log lines dropped", &f, 1);
        memcpy(buf + n, l.text, l.n);
        n += l.n;
        state.reported = state.dropped;
    }
    return n;
}

/* Waits for a line, then for those that follow it at once: a busy server logs thousands a second,
 * and waking this thread for each would cost it more than the lines. The lock is held. */
static void wait_for_lines(void)
{
    while (state.tail == state.head && !state.closing) {
        pthread_cond_wait(&state.more, &state.lock);
    }
    if (!state.closing) {
        pthread_mutex_unlock(&state.lock);
        poll(NULL, 0, GATHER_MS);
        pthread_mutex_lock(&state.lock);
    }
}

static void *run(void *arg)
{
    (void)arg;
    static char buf[FLUSH_BYTES];
    pthread_mutex_lock(&state.lock);
    for (;;) {
        wait_for_lines();
        size_t n = drain(buf, sizeof buf);
        if (n == 0 && state.closing) {
            break;
        }
        pthread_mutex_unlock(&state.lock);
        write_all(buf, n);
        pthread_mutex_lock(&state.lock);
    }
    pthread_mutex_unlock(&state.lock);
    return NULL;
}

enum err_code log_start(enum log_level least, struct err *err)
{
    __atomic_store_n(&state.least, least, __ATOMIC_RELAXED);
    enum err_code rc = thread_start(&state.thread, "log", run, NULL, err);
    if (rc == OK) {
        pthread_mutex_lock(&state.lock);
        state.running = true;
        pthread_mutex_unlock(&state.lock);
    }
    return rc;
}

void log_stop(void)
{
    pthread_mutex_lock(&state.lock);
    bool was = state.running;
    state.running = false;
    state.closing = true;
    pthread_cond_signal(&state.more);
    pthread_mutex_unlock(&state.lock);
    if (was) {
        pthread_join(state.thread, NULL);
    }
    state.closing = false;
}

bool log_level_parse(struct sv word, enum log_level *out)
{
    static const char *const names[] = {"debug", "info", "warn", "error"};
    for (unsigned i = 0; i < 4; i++) {
        if (sv_is(word, names[i])) {
            *out = (enum log_level)i;
            return true;
        }
    }
    return false;
}

uint64_t log_dropped(void)
{
    pthread_mutex_lock(&state.lock);
    uint64_t n = state.dropped;
    pthread_mutex_unlock(&state.lock);
    return n;
}
