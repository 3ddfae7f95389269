/* cli.c - from argv to a running command: finding it, its options, help, exit codes. Commands see struct cli only. */
#include "cli/core/cli.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fs.h"
#include "cli/core/table.h"
#include "crypto/crypto.h"
#include "jobs/report.h"

enum { COMMAND_ARENA = 1 << 30, PASSWORD_FILE_MOST = 4096 };

static const struct cli_option common[] = {
    {"json", NULL, "machine-readable output where there is a choice"},
    {"quiet", NULL, "no notes and no progress on standard error (-q)"},
    {"verbose", NULL, "more notes on standard error (-v)"},
    {"dry-run", NULL, "check everything, change nothing"},
    {"help", NULL, "this text (-h)"},
};

static const struct cli_option setting = {CLI_SETTING, "SECTION.KEY=VALUE",
                                          "overrides an option of config.ini (may be repeated)"};

/* The longest command name that argv begins with; *words says how many arguments it took. */
static const struct command *find_command(int argc, char **argv, int *words)
{
    for (*words = 2; *words > 0; (*words)--) {
        if (argc <= *words) {
            continue;
        }
        char name[64];
        snprintf(name, sizeof name, *words == 2 ? "%s %s" : "%s", argv[1],
                 *words == 2 ? argv[2] : "");
        for (size_t i = 0; i < commands_count; i++) {
            if (strcmp(commands[i].name, name) == 0) {
                return &commands[i];
            }
        }
    }
    return NULL;
}

static void print_overview(FILE *to)
{
    fprintf(to, "holdout " HOLDOUT_VERSION " - builds, audits and re-measures image "
                "classification test sets\n\nusage: holdout COMMAND [DIR] [options]\n\n");
    for (size_t i = 0; i < commands_count; i++) {
        fprintf(to, "  %-22s %s\n", commands[i].name, commands[i].summary);
    }
    fprintf(to, "\n`holdout COMMAND --help` explains one command.\n");
}

static void print_options(FILE *to, const struct cli_option *o, size_t most)
{
    for (size_t i = 0; i < most && o[i].name; i++) {
        char left[64];
        snprintf(left, sizeof left, "--%s%s%s", o[i].name, o[i].value ? " " : "",
                 o[i].value ? o[i].value : "");
        fprintf(to, "  %-28s %s\n", left, o[i].help);
    }
}

static void print_help(FILE *to, const struct command *c)
{
    fprintf(to, "usage: holdout %s %s [options]\n\n%s\n\n", c->name, c->arguments, c->summary);
    print_options(to, c->options, CLI_OPTIONS);
    print_options(to, common, sizeof common / sizeof *common);
    if (c->needs != CLI_NOTHING) {
        print_options(to, &setting, 1);
    }
    fprintf(to, "\nfor example: holdout %s %s\n", c->name, c->example);
}

static const struct cli_option *find_option(const struct command *c, const char *name)
{
    for (size_t i = 0; i < CLI_OPTIONS && c->options[i].name; i++) {
        if (strcmp(c->options[i].name, name) == 0) {
            return &c->options[i];
        }
    }
    for (size_t i = 0; i < sizeof common / sizeof *common; i++) {
        if (strcmp(common[i].name, name) == 0) {
            return &common[i];
        }
    }
    /* --set meant both an image set and a setting once: where it can only be a setting, it still is. */
    bool named = strcmp(name, CLI_SETTING) == 0 || strcmp(name, "set") == 0;
    return c->needs != CLI_NOTHING && named ? &setting : NULL;
}

static enum err_code add_option(struct cli *cli, const char *name, const char *value)
{
    if (cli->n_given == CLI_OPTIONS) {
        return cli_usage(cli, "too many options");
    }
    cli->given[cli->n_given].name = name;
    cli->given[cli->n_given++].value = value;
    return OK;
}

/* One "--name value" or "--name=value"; *at is moved past what was used. */
static enum err_code parse_long(struct cli *cli, int argc, char **argv, int *at)
{
    const char *text = argv[(*at)++] + 2;
    const char *eq = strchr(text, '=');
    char *name = arena_cstr(&cli->arena, eq ? sv_make(text, (size_t)(eq - text)) : sv_of(text));
    const struct cli_option *o = find_option(cli->command, name);
    if (!o) {
        return cli_usage(cli, "unknown option --%s", name);
    }
    if (!o->value) {
        return eq ? cli_usage(cli, "--%s takes no value", name) : add_option(cli, o->name, "");
    }
    if (!eq && *at == argc) {
        return cli_usage(cli, "--%s needs a value: %s", name, o->value);
    }
    const char *value = eq ? eq + 1 : argv[(*at)++];
    bool is_setting = strcmp(o->name, "set") == 0 && strchr(value, '='); /* no image set has one in its name */
    return add_option(cli, is_setting ? setting.name : o->name, value);
}

static enum err_code parse_short(struct cli *cli, const char *a)
{
    static const struct {
        const char *text, *name;
    } known[] = {{"-q", "quiet"}, {"-v", "verbose"}, {"-h", "help"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(a, known[i].text) == 0) {
            return add_option(cli, known[i].name, "");
        }
    }
    return cli_usage(cli, "unknown option %s", a);
}

static enum err_code parse(struct cli *cli, int argc, char **argv, int at)
{
    bool only_arguments = false;
    while (at < argc) {
        const char *a = argv[at];
        enum err_code rc = OK;
        if (!only_arguments && strcmp(a, "--") == 0) {
            only_arguments = true;
            at++;
        } else if (!only_arguments && strncmp(a, "--", 2) == 0) {
            rc = parse_long(cli, argc, argv, &at);
        } else if (!only_arguments && a[0] == '-' && a[1]) { /* "-" alone is standard input */
            rc = parse_short(cli, a);
            at++;
        } else if (cli->n_args == CLI_ARGS) {
            rc = cli_usage(cli, "too many arguments");
        } else {
            cli->args[cli->n_args++] = argv[at++];
        }
        if (rc != OK) {
            return rc;
        }
    }
    cli->json = cli_has(cli, "json");
    cli->quiet = cli_has(cli, "quiet");
    cli->verbose = cli_has(cli, "verbose");
    cli->dry_run = cli_has(cli, "dry-run");
    if (!cli_has(cli, "help") &&
        (cli->n_args < cli->command->least || cli->n_args > cli->command->most)) {
        return cli_usage(cli, cli->n_args < cli->command->least ? "an argument is missing"
                                                                : "too many arguments");
    }
    return OK;
}

static enum err_code run(struct cli *cli)
{
    enum err_code rc = crypto_init(&cli->err);
    if (cli->command->needs != CLI_NOTHING) {
        cli->dir = cli->args[0];
    }
    if (rc == OK && cli->command->needs >= CLI_PROJECT) {
        rc = project_open(cli);
    }
    if (rc == OK) {
        rc = cli->command->run(cli);
        cli_progress_end(cli);
    }
    project_close(cli);
    return rc;
}

/* Data that nobody could read is a failure too: a closed pipe, a full disk. */
static bool flush_output(void)
{
    return fflush(stdout) == 0 && !ferror(stdout);
}

/* Whoever reads our output has seen enough, as `head` does, and that is what failed. */
static bool reader_left(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO};
    return ferror(stdout) && poll(&out, 1, 0) == 1 && (out.revents & POLLERR);
}

static int exit_status(enum err_code rc, const struct err *err)
{
    return rc == OK                                 ? 0
           : strcmp(err->rule, "usage") == 0        ? 2
           : strcmp(err->rule, "job-stopped") == 0  ? JOB_EXIT_STOPPED
                                                    : 1;
}

int cli_main(int argc, char **argv)
{
    int words;
    const struct command *command = find_command(argc, argv, &words);
    if (!command) {
        bool asked = argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
                                  strcmp(argv[1], "help") == 0);
        if (argc > 1 && !asked) {
            fprintf(stderr, "holdout: there is no command \"%s\"\n\n", argv[1]);
        }
        print_overview(asked ? stdout : stderr);
        return asked ? 0 : 2;
    }
    signal(SIGPIPE, SIG_IGN); /* both are failed writes, which are seen to */
    signal(SIGXFSZ, SIG_IGN);
    struct cli cli = {.command = command, .lock = -1};
    arena_init(&cli.arena, COMMAND_ARENA);
    enum err_code rc = parse(&cli, argc, argv, words + 1);
    if (rc == OK && cli_has(&cli, "help")) {
        print_help(stdout, command);
    } else if (rc == OK) {
        rc = run(&cli);
    }
    if (rc == OK && !flush_output()) {
        rc = err_errno(&cli.err, errno, "cannot write the output");
    }
    int status = exit_status(rc, &cli.err);
    if (rc == ERR_IO && reader_left()) {
        arena_release(&cli.arena);
        signal(SIGPIPE, SIG_DFL); /* the end that other tools come to */
        raise(SIGPIPE);
    } else if (rc != OK) {
        fprintf(stderr, "holdout: %s\n", *cli.err.msg ? cli.err.msg : err_word(rc));
    }
    if (status == 2) {
        fprintf(stderr, "usage: holdout %s %s [options]; --help explains them\n", command->name,
                command->arguments);
    }
    arena_release(&cli.arena);
    return status;
}

const char *cli_opt(const struct cli *cli, const char *name)
{
    const char *value = NULL;
    for (int i = 0; i < cli->n_given; i++) { /* the last one counts */
        if (strcmp(cli->given[i].name, name) == 0) {
            value = cli->given[i].value;
        }
    }
    return value;
}

struct sv cli_text(const struct cli *cli, const char *name)
{
    return sv_of(cli_opt(cli, name));
}

bool cli_has(const struct cli *cli, const char *name)
{
    return cli_opt(cli, name) != NULL;
}

enum err_code cli_usage(struct cli *cli, const char *fmt, ...)
{
    char msg[256];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(msg, sizeof msg, fmt, ap);
    va_end(ap);
    return err_rule(&cli->err, ERR_INPUT, "usage", "%s", msg);
}

enum err_code cli_opt_int(struct cli *cli, const char *name, int64_t least, int64_t most,
                          int64_t otherwise, int64_t *out)
{
    const char *text = cli_opt(cli, name);
    *out = otherwise;
    if (text && (!sv_i64(sv_of(text), out) || *out < least || *out > most)) {
        return cli_usage(cli, "--%s must be a whole number from %lld to %lld", name,
                         (long long)least, (long long)most);
    }
    return OK;
}

enum err_code cli_opt_cents(struct cli *cli, const char *name, int64_t most, int64_t otherwise,
                            int64_t *out)
{
    const char *text = cli_opt(cli, name);
    *out = otherwise;
    if (text && (!sv_i64(sv_of(text), out) || *out < 0 || *out > most)) {
        return cli_usage(cli, "--%s is in cents: a whole number from 0 to %lld, such as 150 for 1.50", name,
                         (long long)most);
    }
    return OK;
}

enum err_code cli_opt_real(struct cli *cli, const char *name, double least, double most,
                           double otherwise, double *out)
{
    const char *text = cli_opt(cli, name);
    *out = otherwise;
    if (text && (!sv_f64(sv_of(text), out) || *out < least || *out > most)) {
        return cli_usage(cli, "--%s must be a number from %g to %g", name, least, most);
    }
    return OK;
}

void cli_note(const struct cli *cli, const char *fmt, ...)
{
    if (cli->quiet) {
        return;
    }
    va_list ap;
    va_start(ap, fmt);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    fputc('\n', stderr);
}

void cli_warn(const struct cli *cli, const char *fmt, ...)
{
    (void)cli;
    va_list ap;
    va_start(ap, fmt);
    fputs("warning: ", stderr);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    fputc('\n', stderr);
}

void cli_progress(struct cli *cli, const char *what, uint64_t done, uint64_t total)
{
    int64_t now = clock_mono_ns();
    if (cli->quiet || !isatty(STDERR_FILENO) ||
        (cli->progress_ns && now - cli->progress_ns < 100000000)) {
        return;
    }
    cli->progress_ns = now;
    if (total == 0) {
        fprintf(stderr, "\r%s: %llu\033[K", what, (unsigned long long)done);
        return;
    }
    static const char bar[] = "########################";
    int width = (int)(sizeof bar - 1);
    int fill = (int)((double)done / (double)total * width);
    fill = fill > width ? width : fill;
    fprintf(stderr, "\r%s [%.*s%*s] %llu of %llu\033[K", what, fill, bar, width - fill, "",
            (unsigned long long)done, (unsigned long long)total);
}

void cli_progress_end(struct cli *cli)
{
    if (cli->progress_ns) {
        fputs("\r\033[K", stderr);
        cli->progress_ns = 0;
    }
}

static void say(void *arg, enum transfer_say how, const char *text)
{
    const struct cli *cli = arg;
    if (how == TRANSFER_NOTE) {
        cli_note(cli, "%s", text);
    } else if (how == TRANSFER_WARNING) {
        cli_warn(cli, "%s", text);
    } else {
        fprintf(stderr, "%s\n", text);
    }
}

static void draw(void *arg, const char *what, uint64_t done, uint64_t total)
{
    if (what) {
        cli_progress(arg, what, done, total);
    } else {
        cli_progress_end(arg);
    }
}

struct transfer *cli_transfer(struct cli *cli)
{
    struct transfer *tr = &cli->transfer;
    tr->db = cli->db;
    tr->arena = &cli->arena;
    tr->err = &cli->err;
    tr->dir = cli->dir;
    tr->alone = cli->alone;
    tr->dry_run = cli->dry_run;
    tr->say = say;
    tr->progress = draw;
    tr->write = export_write;
    tr->arg = cli;
    return tr;
}

struct rendition_options cli_pictures(const struct cli *cli)
{
    const struct config *c = &cli->config;
    return (struct rendition_options){.view_side = (uint32_t)c->view_side,
                                      .grid_side = (uint32_t)c->grid_side,
                                      .quality = (int)c->quality,
                                      .limits = {.max_side = 65535, .max_pixels = (uint64_t)c->max_megapixels * 1000000},
                                      .tiny = c->tiny};
}

/* One line from the terminal without echo. */
static enum err_code ask(struct cli *cli, const char *file_option, const char *prompt, struct sv *out)
{
    struct termios before, silent;
    if (!isatty(STDIN_FILENO) || tcgetattr(STDIN_FILENO, &before) != 0) {
        return cli_usage(cli,
                         "there is no terminal to ask for the password: name a file that holds it with --%s",
                         file_option);
    }
    silent = before;
    silent.c_lflag &= ~(tcflag_t)ECHO;
    fputs(prompt, stderr);
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent);
    char line[CRYPTO_PASSWORD_MOST + 2];
    bool got = fgets(line, sizeof line, stdin) != NULL;
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &before);
    fputc('\n', stderr);
    if (!got) {
        return cli_usage(cli, "no password was typed");
    }
    line[strcspn(line, "\n")] = '\0';
    *out = arena_sv(&cli->arena, sv_of(line));
    return OK;
}

enum err_code cli_password(struct cli *cli, const char *file_option, struct sv *out)
{
    const char *path = cli_opt(cli, file_option);
    if (!path) {
        struct sv again;
        enum err_code rc = ask(cli, file_option, "New password: ", out);
        rc = rc == OK ? ask(cli, file_option, "Repeat it: ", &again) : rc;
        if (rc == OK && !sv_eq(*out, again)) {
            rc = err_set(&cli->err, ERR_INPUT, "the two passwords differ; nothing was changed");
        }
        return rc;
    }
    struct str text;
    str_init(&text, PASSWORD_FILE_MOST);
    enum err_code rc = fs_read(path, &text, &cli->err);
    if (rc == OK) {
        struct sv all = str_sv(&text);
        struct sv line = sv_cut(&all, '\n');
        *out = arena_sv(&cli->arena, sv_ends(line, "\r") ? sv_make(line.p, line.n - 1) : line);
    }
    str_release(&text);
    return rc;
}
