/* cli_test.c - how arguments are read, what help and mistakes say, and who stays silent. */
#include "unit.h"

#include "cli/core/cli.h"
#include "shell.h"

static bool said(const struct str *s, const char *text)
{
    return s->n && strstr(s->p, text);
}

static void assert_usage(struct shell *s, int status, const char *why, const char *usage)
{
    assert_int_equal(status, 2);
    assert_true(said(&s->err, why));
    assert_true(said(&s->err, usage));
    assert_int_equal(s->out.n, 0);
}

SHELL_TEST(mistakes_exit_2_and_say_why)
{
    struct shell *s = *state;
    assert_usage(s, shell_run(s, "check", s->project, "--frob", NULL), "unknown option --frob",
                 "usage: holdout check DIR");
    assert_usage(s, shell_run(s, "check", s->project, "-z", NULL), "unknown option -z",
                 "usage: holdout check DIR");
    assert_usage(s, shell_run(s, "check", s->project, "-qv", NULL), "unknown option -qv",
                 "usage: holdout check DIR");
    assert_usage(s, shell_run(s, "check", s->project, "--json=1", NULL), "--json takes no value",
                 "usage:");
    assert_usage(s, shell_run(s, "grids", s->project, "--campaign", NULL),
                 "--campaign needs a value: NAME", "usage:");
    assert_usage(s, shell_run(s, "check", NULL), "an argument is missing", "usage:");
    assert_usage(s, shell_run(s, "check", s->project, "more", NULL), "too many arguments", "usage:");
    assert_usage(s, shell_run(s, "user", "add", s->project, NULL), "an argument is missing",
                 "usage: holdout user add DIR LOGIN");
    assert_usage(s, shell_run(s, "grids", s->project, "--lease", "9", NULL),
                 "--lease must be a whole number from 10 to 86400", "usage:");
    assert_usage(s, shell_run(s, "grids", s->project, "--lease=10x", NULL), "--lease must be",
                 "usage:");
    assert_usage(s, shell_run(s, "grids", s->project, "--max-share", "1.5", NULL),
                 "--max-share must be a number", "usage:");
    assert_usage(s, shell_run(s, "version", "--set", "server.port=1", NULL),
                 "unknown option --set", "usage:");
    assert_usage(s, shell_run(s, "nothing", NULL), "there is no command \"nothing\"",
                 "usage: holdout COMMAND");
    assert_usage(s, shell_run(s, "import", NULL), "there is no command \"import\"",
                 "usage: holdout COMMAND");
}

/* The last of several counts, with or without "="; what follows -- is an argument. */
SHELL_TEST(forms_of_options)
{
    struct shell *s = *state;
    assert_int_equal(shell_run(s, "grids", s->project, "--lease", "9", "--lease=20", "--class",
                               "nothing", NULL),
                     1);
    assert_true(said(&s->err, "there is no class nothing"));
    assert_int_equal(shell_run(s, "grids", s->project, "--lease=20", "--lease", "9", NULL), 2);
    assert_int_equal(shell_run(s, "check", "--json", "--", s->project, NULL), 0);
    assert_string_equal(s->out.p, "{\"findings\":0,\"pairs\":0,\"sources\":0}\n");
    assert_int_equal(shell_run(s, "check", "--", "--json", NULL), 1);
    assert_true(said(&s->err, "--json is not a project"));
    assert_int_equal(shell_run(s, "check", s->project, "--config-only", "--config",
                               "server.port=1", "--set=server.port=2", NULL),
                     0);
    assert_int_equal(shell_run(s, "check", s->project, "--set", "server.port=frob", NULL), 1);
    assert_true(said(&s->err, "port"));
}

SHELL_TEST(help)
{
    struct shell *s = *state;
    static const char *const ask[] = {"--help", "-h", "help"};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(shell_run(s, ask[i], NULL), 0);
        assert_true(said(&s->out, "usage: holdout COMMAND"));
        assert_int_equal(s->err.n, 0);
    }
    for (size_t i = 0; i < commands_count; i++) {
        char *first = arena_strdup(&s->arena, commands[i].name), *second = strchr(first, ' ');
        if (second) {
            *second++ = '\0';
        }
        assert_int_equal(second ? shell_run(s, first, second, "--help", NULL)
                                : shell_run(s, first, "-h", NULL),
                         0);
        assert_true(said(&s->out, commands[i].summary));
        for (const struct cli_option *o = commands[i].options; o->name; o++) {
            assert_true(said(&s->out, arena_printf(&s->arena, "--%s", o->name)));
        }
    }
}

/* Rows that the parser and the help rely on. */
TEST(table)
{
    for (size_t i = 0; i < commands_count; i++) {
        const struct command *c = &commands[i];
        size_t options = 0;
        while (options < CLI_OPTIONS && c->options[options].name) {
            options++;
        }
        assert_true(options < CLI_OPTIONS);
        assert_true(c->run && c->least <= c->most && c->most <= CLI_ARGS);
        assert_true(c->needs == CLI_NOTHING || c->needs == CLI_FOLDER || c->least >= 1);
        assert_true(i == 0 || strcmp(commands[i - 1].name, c->name) < 0);
    }
}

SHELL_TEST(quiet)
{
    struct shell *s = *state;
    assert_int_equal(shell_run(s, "check", s->project, NULL), 0);
    assert_true(said(&s->err, "Nothing wrong"));
    assert_null(memchr(s->err.p, '\r', s->err.n)); /* a file is no terminal: no bar */
    assert_null(memchr(s->err.p, '\033', s->err.n));
    assert_int_equal(s->out.n, 0);
    assert_int_equal(shell_run(s, "check", s->project, "-q", NULL), 0);
    assert_int_equal(s->err.n, 0);
    assert_int_equal(shell_run(s, "check", s->project, "--quiet", "--json", NULL), 0);
    assert_int_equal(s->err.n, 0);
}

TEST(option_values)
{
    struct cli cli = {.given = {{"n", "7"}, {"x", "0.5"}, {"n", "8"}, {"bad", "7 "}, {"s", ""}},
                      .n_given = 5};
    int64_t n;
    double x;
    assert_string_equal(cli_opt(&cli, "n"), "8");
    assert_null(cli_opt(&cli, "none"));
    assert_true(cli_has(&cli, "s"));
    assert_int_equal(cli_opt_int(&cli, "n", 0, 8, 3, &n), OK);
    assert_int_equal(n, 8);
    assert_int_equal(cli_opt_int(&cli, "none", 0, 8, 3, &n), OK);
    assert_int_equal(n, 3);
    assert_int_equal(cli_opt_real(&cli, "x", 0, 1, 0.1, &x), OK);
    assert_true(x == 0.5);
    assert_int_equal(cli_opt_int(&cli, "n", 0, 7, 3, &n), ERR_INPUT);
    assert_string_equal(cli.err.rule, "usage");
    assert_int_equal(cli_opt_int(&cli, "bad", 0, 8, 3, &n), ERR_INPUT);
    assert_int_equal(cli_opt_int(&cli, "s", 0, 8, 3, &n), ERR_INPUT);
    assert_int_equal(cli_opt_real(&cli, "x", 0.6, 1, 0.1, &x), ERR_INPUT);
}

SHELL_TEST(not_a_project)
{
    struct shell *s = *state;
    assert_int_equal(shell_run(s, "check", s->dir, NULL), 1);
    assert_true(said(&s->err, "is not a project"));
    assert_int_equal(shell_run(s, "init", s->project, "--admin-password-file",
                               fs_join(&s->arena, s->dir, "root.txt"), NULL),
                     1);
    assert_true(said(&s->err, "already holds a project"));
}

SHELL_TEST(locks)
{
    struct shell *s = *state;
    struct err err = {0};
    int fd = -1;
    assert_int_equal(fs_lock(fs_join(&s->arena, s->project, "lock"), false, &fd, &err), OK);
    assert_int_equal(shell_run(s, "check", s->project, NULL), 0);
    assert_int_equal(shell_run(s, "migrate", s->project, NULL), 1);
    assert_true(said(&s->err, "is in use"));
    fs_unlock(fd);
    assert_int_equal(shell_run(s, "migrate", s->project, NULL), 0);
    assert_int_equal(fs_lock(fs_join(&s->arena, s->project, "lock"), true, &fd, &err), OK);
    assert_int_equal(shell_run(s, "check", s->project, NULL), 1);
    assert_true(said(&s->err, "migrated or restored"));
    fs_unlock(fd);
    assert_int_equal(project_serve_lock(s->project, &fd, &err), OK);
    assert_int_equal(shell_run(s, "serve", s->project, "--port", "0", NULL), 1);
    assert_true(said(&s->err, "another process already serves"));
    fs_unlock(fd);
}
