/* golden_files.c - reads golden files. */
#include "unit.h"

#include "domain/golden_files.h"

#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>

enum { TEXT_MOST = 64 << 20 };

extern char **environ;

struct sv golden_run(const char *const *argv, struct arena *a)
{
    posix_spawn_file_actions_t files;
    char *copy[8] = {NULL};
    int end[2], status = -1;
    pid_t pid;
    for (size_t i = 0; argv[i]; i++) {
        assert_true(i + 1 < sizeof copy / sizeof *copy);
        copy[i] = arena_strdup(a, argv[i]);
    }
    assert_int_equal(pipe(end), 0);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, end[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&files, end[0]);
    assert_int_equal(posix_spawnp(&pid, copy[0], &files, NULL, copy, environ), 0);
    posix_spawn_file_actions_destroy(&files);
    close(end[1]);
    struct str out;
    str_init(&out, TEXT_MOST);
    static char piece[1 << 16];
    ssize_t n;
    while ((n = read(end[0], piece, sizeof piece)) > 0 || (n < 0 && errno == EINTR)) {
        str_add(&out, piece, n > 0 ? (size_t)n : 0);
    }
    close(end[0]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    assert_false(out.over);
    struct sv text = arena_sv(a, str_sv(&out));
    str_release(&out);
    return text;
}

struct sv golden_text(const char *golden, const char *name, struct arena *a)
{
    char *path = arena_printf(a, "%s/imagenetv2/%s", golden, name);
    if (sv_ends(sv_of(name), ".xz")) {
        return golden_run((const char *const[]){"xz", "-dc", path, NULL}, a);
    }
    struct str out;
    struct err err = {0};
    str_init(&out, TEXT_MOST);
    assert_int_equal(fs_read(path, &out, &err), OK);
    struct sv text = arena_sv(a, str_sv(&out));
    str_release(&out);
    return text;
}

void golden_table(const char *golden, const char *name, struct csv *c, struct arena *a)
{
    struct err err = {0};
    if (csv_open(c, arena_strdup(a, name), golden_text(golden, name, a), &err) != OK) {
        fail_msg("%s", err.msg);
    }
}

bool golden_row(struct csv *c)
{
    struct err err = {0};
    bool more = false;
    if (csv_next(c, &more, &err) != OK) {
        fail_msg("%s", err.msg);
    }
    return more;
}

struct sv golden_cell(const struct csv *c, const char *column)
{
    int at = csv_column(c, column);
    assert_true(at >= 0);
    return c->cells[at];
}

uint32_t golden_number(const struct csv *c, const char *column)
{
    int64_t number = -1;
    assert_true(sv_i64(golden_cell(c, column), &number));
    assert_in_range(number, 0, UINT32_MAX);
    return (uint32_t)number;
}
