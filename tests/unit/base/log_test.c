/* log_test.c - every line is one JSON object whatever is logged; a full ring drops and counts. */
#include "unit.h"

#include <fcntl.h>
#include <jansson.h>
#include <pthread.h>

#include "base/log.h"

/* Standard error while a test looks at it. */
struct capture {
    int real, file;
};

static struct capture capture_start(void)
{
    struct capture c = {.real = dup(STDERR_FILENO)};
    char *folder = unit_folder(), *path = NULL;
    assert_true(asprintf(&path, "%s/stderr", folder) > 0);
    c.file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    assert_true(c.real >= 0 && c.file >= 0);
    free(path);
    unit_remove(folder);
    fflush(stderr);
    assert_true(dup2(c.file, STDERR_FILENO) >= 0);
    return c;
}

static void capture_end(struct capture c, struct str *out)
{
    char buf[4096];
    dup2(c.real, STDERR_FILENO);
    close(c.real);
    lseek(c.file, 0, SEEK_SET);
    for (ssize_t n = read(c.file, buf, sizeof buf); n > 0; n = read(c.file, buf, sizeof buf)) {
        str_add(out, buf, (size_t)n);
    }
    close(c.file);
}

/* Parses a line strictly; the caller owns the result. */
static json_t *parse(struct sv line)
{
    json_error_t why;
    json_t *o = json_loadb(line.p, line.n, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &why);
    if (!json_is_object(o)) {
        fail_msg("not a JSON object (%s): %.*s", why.text, (int)line.n, line.p);
    }
    assert_non_null(json_string_value(json_object_get(o, "time")));
    assert_non_null(json_string_value(json_object_get(o, "level")));
    assert_non_null(json_string_value(json_object_get(o, "msg")));
    return o;
}

TEST(members_and_levels)
{
    struct str out;
    str_init(&out, 1 << 20);
    struct capture c = capture_start();
    log_text(LOG_DEBUG, "not shown");
    log_msg(LOG_WARN, "hello", LOG_TEXT("who", SV("w\xc3\xb6rld")), LOG_NUM("n", INT64_MIN));
    capture_end(c, &out);
    struct sv rest = str_sv(&out);
    json_t *o = parse(sv_cut(&rest, '\n'));
    assert_int_equal(rest.n, 0);
    assert_string_equal(json_string_value(json_object_get(o, "level")), "warn");
    assert_string_equal(json_string_value(json_object_get(o, "msg")), "hello");
    assert_string_equal(json_string_value(json_object_get(o, "who")), "w\xc3\xb6rld");
    assert_true(json_integer_value(json_object_get(o, "n")) == INT64_MIN);
    assert_int_equal(strlen(json_string_value(json_object_get(o, "time"))), 24);
    json_decref(o);
    str_release(&out);
}

/* Every byte, alone, in a pair, and filling the line so that it is cut at every offset. */
TEST(any_bytes_make_one_json_line)
{
    static const char *const wide[] = {"\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\x01", "\"",
                                       "\xff", "\\"};
    struct str out;
    str_init(&out, 8 << 20);
    size_t written = 0;
    struct capture c = capture_start();
    for (unsigned byte = 0; byte < 256; byte++, written += 2) {
        char one[4] = {'a', (char)byte, 'b', '\0'};
        log_msg(LOG_ERROR, "byte", LOG_TEXT("t", sv_make(one, 3)));
        log_text(LOG_ERROR, "%s", one);
    }
    char text[2048];
    for (size_t w = 0; w < sizeof wide / sizeof wide[0]; w++) {
        for (size_t shift = 0; shift < 8; shift++, written++) {
            memset(text, 'a', shift);
            size_t n = shift, step = strlen(wide[w]);
            for (; n + step <= sizeof text; n += step) {
                memcpy(text + n, wide[w], step);
            }
            log_msg(LOG_ERROR, "long", LOG_TEXT("t", sv_make(text, n)), LOG_NUM("x", 1),
                    LOG_TEXT("u", sv_make(text, n)), LOG_NUM("y", 2));
        }
    }
    for (size_t n = 850; n < 1000; n++, written++) { /* the message leaves room for some members */
        text[n] = '\0';
        memset(text, 'm', n);
        log_msg(LOG_ERROR, text, LOG_NUM("number", INT64_MIN), LOG_TEXT("text", SV("\"\"\"\"")));
    }
    capture_end(c, &out);
    struct sv rest = str_sv(&out);
    size_t lines = 0;
    for (; rest.n; lines++) {
        struct sv line = sv_cut(&rest, '\n');
        assert_true(line.n < 1000);
        json_decref(parse(line));
    }
    assert_int_equal(lines, written);
    str_release(&out);
}

TEST(words_of_levels)
{
    enum log_level level = LOG_DEBUG;
    assert_true(log_level_parse(SV("error"), &level) && level == LOG_ERROR);
    assert_true(log_level_parse(SV("debug"), &level) && level == LOG_DEBUG);
    assert_false(log_level_parse(SV("ERROR"), &level));
    assert_false(log_level_parse(SV(""), &level));
    assert_true(level == LOG_DEBUG);
}

struct reader {
    int fd;
    struct str got;
};

static void *read_to_end(void *arg)
{
    struct reader *r = arg;
    char buf[65536];
    for (ssize_t n = read(r->fd, buf, sizeof buf); n > 0; n = read(r->fd, buf, sizeof buf)) {
        str_add(&r->got, buf, (size_t)n);
    }
    return NULL;
}

enum { FLOOD = 20000, WRITERS = 4 };

static void *flood(void *arg)
{
    for (int i = 0; i < FLOOD / WRITERS; i++) {
        log_msg(LOG_INFO, "flood", LOG_NUM("writer", *(int *)arg), LOG_NUM("i", i));
    }
    return NULL;
}

/* Four threads log while nobody reads: they do not wait, and no line is lost uncounted. */
TEST(a_full_ring_drops_and_counts)
{
    int ends[2], number[WRITERS];
    struct err err = {0};
    pthread_t writers[WRITERS], reader;
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    int real = dup(STDERR_FILENO);
    dup2(ends[1], STDERR_FILENO);
    close(ends[1]);
    enum err_code rc = log_start(LOG_INFO, &err);
    for (int i = 0; i < WRITERS; i++) {
        number[i] = i;
        pthread_create(&writers[i], NULL, flood, &number[i]);
    }
    for (int i = 0; i < WRITERS; i++) {
        pthread_join(writers[i], NULL);
    }
    uint64_t dropped = log_dropped();
    struct reader r = {.fd = ends[0]};
    str_init(&r.got, 16 << 20);
    pthread_create(&reader, NULL, read_to_end, &r);
    log_stop();
    log_text(LOG_INFO, "written at once");
    dup2(real, STDERR_FILENO);
    close(real);
    pthread_join(reader, NULL);
    close(ends[0]);
    assert_int_equal(rc, OK);
    assert_true(dropped > 0 && log_dropped() == dropped);

    size_t lines = 0, told = 0, last = 0;
    for (struct sv rest = str_sv(&r.got); rest.n;) {
        json_t *o = parse(sv_cut(&rest, '\n'));
        const char *msg = json_string_value(json_object_get(o, "msg"));
        lines += strcmp(msg, "flood") == 0;
        last += strcmp(msg, "written at once") == 0;
        if (strcmp(msg, "log lines dropped") == 0) {
            told += (size_t)json_integer_value(json_object_get(o, "lines"));
        }
        json_decref(o);
    }
    assert_int_equal(last, 1);
    assert_int_equal(told, dropped);
    assert_int_equal(lines + told, FLOOD);
    str_release(&r.got);
}

TEST(the_log_may_start_again)
{
    struct err err = {0};
    struct str out;
    str_init(&out, 1 << 20);
    struct capture c = capture_start();
    for (int i = 0; i < 3; i++) {
        assert_int_equal(log_start(LOG_INFO, &err), OK);
        log_text(LOG_INFO, "round %d", i);
        log_stop();
    }
    log_stop(); /* without a start: nothing happens */
    capture_end(c, &out);
    size_t lines = 0;
    for (struct sv rest = str_sv(&out); rest.n; lines++) {
        json_decref(parse(sv_cut(&rest, '\n')));
    }
    assert_int_equal(lines, 3);
    str_release(&out);
}
