/* cli.h - what a command is given: its arguments, the open project, ways to say things.
 * The table of commands is commands.c; one file per command or close family (cli/ROOM/NAME.c). */
#ifndef CLI_CORE_CLI_H
#define CLI_CORE_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "config/config.h"
#include "db/db.h"
#include "image/rendition.h"
#include "transfer/core/transfer.h"

enum { CLI_ARGS = 1024, CLI_OPTIONS = 40 };

#define CLI_SETTING "config" /* --config SECTION.KEY=VALUE, of every command with a project or folder */

struct cli_option {
    const char *name;  /* without "--" */
    const char *value; /* placeholder in the help, NULL for a switch */
    const char *help;
};
/* Of every command that may be a job (jobs/kinds.h). */
#define JOB_OPTION {"job", "ID", "number of the job (given by the server)"}

enum cli_needs {
    CLI_NOTHING,
    CLI_FOLDER,    /* first argument DIR, if any: the command opens what it needs of it, if it can */
    CLI_PROJECT,   /* first argument DIR: shared lock, schema checked, database open for writing */
    CLI_EXCLUSIVE  /* DIR with the exclusive lock; schema not checked, database open */
};

struct cli;
struct command {
    const char *name;       /* one or two words: "check", "import images" */
    const char *arguments;  /* for the usage line: "DIR FILE" */
    const char *summary;
    enum err_code (*run)(struct cli *cli);
    enum cli_needs needs;
    int least, most;        /* positional arguments, DIR included */
    struct cli_option options[CLI_OPTIONS]; /* ends with a NULL name */
    const char *example;    /* what somebody types behind the name */
};
extern const struct command commands[];
extern const size_t commands_count;

struct cli {
    const struct command *command;
    struct arena arena;     /* lives as long as the command */
    struct err err;
    const char *args[CLI_ARGS]; /* positional; args[0] is DIR for project commands */
    int n_args;
    struct {
        const char *name, *value;
    } given[CLI_OPTIONS];
    int n_given;
    bool json, quiet, verbose, dry_run;
    const char *dir;        /* project and folder commands */
    struct db *db;
    struct config config;
    int lock;
    bool alone;             /* no server runs on this project: bulk_write need not pause */
    int64_t progress_ns;    /* when the bar was last drawn */
    struct transfer transfer; /* filled by cli_transfer */
};

/* Runs the program; the value main returns: 0 done, 1 failure, 2 usage, 75 stopped (jobs/report.h). */
int cli_main(int argc, char **argv);

const char *cli_opt(const struct cli *cli, const char *name);  /* NULL when not given */
struct sv cli_text(const struct cli *cli, const char *name); /* empty when not given */
bool cli_has(const struct cli *cli, const char *name);
/* The option as an integer in [least, most], or `otherwise` when not given. */
enum err_code cli_opt_int(struct cli *cli, const char *name, int64_t least, int64_t most,
                          int64_t otherwise, int64_t *out);
/* An amount of money; refused with its unit, for panels and people write 1.50. */
enum err_code cli_opt_cents(struct cli *cli, const char *name, int64_t most, int64_t otherwise,
                            int64_t *out);
enum err_code cli_opt_real(struct cli *cli, const char *name, double least, double most,
                           double otherwise, double *out);
/* ERR_INPUT with rule "usage": exit 2 and the usage line. */
enum err_code cli_usage(struct cli *cli, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* A note on standard error unless --quiet. */
void cli_note(const struct cli *cli, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* What may make a result wrong: said with --quiet too. */
void cli_warn(const struct cli *cli, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* A bar on standard error, when that is a terminal; call as often as you like. total 0: unknown.
 * cli_progress_end removes it. */
void cli_progress(struct cli *cli, const char *what, uint64_t done, uint64_t total);
void cli_progress_end(struct cli *cli);
/* What imports and exports need of the command; they tell its notes and its progress. Lives as long as the command. */
struct transfer *cli_transfer(struct cli *cli);
/* The pictures of images, as the configuration wants them. */
struct rendition_options cli_pictures(const struct cli *cli);

/* A password from --password-file (first line), else asked twice on the terminal without echo. */
enum err_code cli_password(struct cli *cli, const char *file_option, struct sv *out);

/* project.c: the folder. Paths are in the command's arena. */
enum err_code project_create(const char *dir, struct err *err); /* folders, config.ini, database */
/* Opens cli->dir as the command needs; closed by cli_main. */
enum err_code project_open(struct cli *cli);
void project_close(struct cli *cli);
char *project_path(struct arena *a, const char *dir, const char *name);
/* What --config said, for config_load and config_check; the texts are argv's. */
size_t project_flags(const struct cli *cli, const char *flags[CLI_OPTIONS]);
/* The lock that only a serving process holds: ERR_BUSY when there is one. */
enum err_code project_serve_lock(const char *dir, int *fd, struct err *err);

#endif
