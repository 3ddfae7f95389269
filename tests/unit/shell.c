/* shell.c - see shell.h. */
#include "unit.h"

#include <fcntl.h>

#include "base/fs.h"
#include "base/xalloc.h"
#include "cli/core/cli.h"
#include "shell.h"

enum { ARGUMENTS = 24 };

/* Points a descriptor at an empty file; returns a copy of what it was. */
static int redirect(int fd, const char *path)
{
    int was = dup(fd), file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    assert_true(was >= 0 && file >= 0);
    assert_true(dup2(file, fd) >= 0);
    close(file);
    return was;
}

static void restore(int fd, int was, const char *path, struct str *out)
{
    struct err err = {0};
    assert_true(dup2(was, fd) >= 0);
    close(was);
    str_clear(out);
    str_add(out, "", 0);
    assert_int_equal(fs_read(path, out, &err), OK);
    assert_int_equal(unlink(path), 0);
}

int shell_run(struct shell *s, const char *first, ...)
{
    char *argv[ARGUMENTS] = {arena_strdup(&s->arena, "holdout"),
                             arena_strdup(&s->arena, first)};
    int argc = 2;
    va_list ap;
    va_start(ap, first);
    for (const char *a = va_arg(ap, const char *); a; a = va_arg(ap, const char *)) {
        assert_true(argc < ARGUMENTS - 1);
        argv[argc++] = arena_strdup(&s->arena, a);
    }
    va_end(ap);
    const char *out = fs_join(&s->arena, s->dir, "out"), *err = fs_join(&s->arena, s->dir, "err");
    fflush(NULL);
    int was_out = redirect(STDOUT_FILENO, out), was_err = redirect(STDERR_FILENO, err);
    int status = cli_main(argc, argv);
    fflush(NULL);
    restore(STDOUT_FILENO, was_out, out, &s->out);
    restore(STDERR_FILENO, was_err, err, &s->err);
    return status;
}

const char *shell_file(struct shell *s, const char *name, const char *text)
{
    unit_write(s->dir, name, text, strlen(text));
    return fs_join(&s->arena, s->dir, name);
}

int shell_open(void **state)
{
    struct shell *s = xcalloc(1, sizeof *s);
    arena_init(&s->arena, 1 << 20);
    str_init(&s->out, 1 << 20);
    str_init(&s->err, 1 << 20);
    s->dir = unit_folder();
    s->project = fs_join(&s->arena, s->dir, "project");
    const char *file = shell_file(s, "root.txt", SHELL_PASSWORD "\n");
    assert_int_equal(shell_run(s, "init", s->project, "--admin", "root", "--admin-password-file",
                               file, NULL),
                     0);
    *state = s;
    return 0;
}

int shell_close(void **state)
{
    struct shell *s = *state;
    static const char *const empty[] = {"images", "models", "exports"};
    for (size_t i = 0; i < sizeof empty / sizeof *empty; i++) {
        assert_int_equal(rmdir(fs_join(&s->arena, s->project, empty[i])), 0);
    }
    unit_remove(s->dir);
    str_release(&s->out);
    str_release(&s->err);
    arena_release(&s->arena);
    free(s);
    return 0;
}
