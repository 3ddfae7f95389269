/* check.c - `holdout check`: looks at everything that the project stores (check/check.h); with --config-only, what is
 * wrong with config.ini, whatever state the rest is in. Findings go to standard output, one a line. Restore ends with it. */
#include <stdio.h>

#include "base/fs.h"
#include "check/check.h"
#include "cli/core/commands.h"

enum { FINDINGS_SHOWN = 100, FINDING_WORDS = 512 };

struct findings {
    struct cli *cli;
    uint64_t n;
};

static void print_finding(void *arg, const char *text)
{
    struct findings *f = arg;
    if (f->n++ < FINDINGS_SHOWN) {
        printf("%s\n", text);
    }
}

static void draw(void *arg, const char *what, uint64_t done, uint64_t total)
{
    const struct findings *f = arg;
    cli_progress(f->cli, what, done, total);
}

enum err_code check_open_project(struct cli *cli)
{
    struct findings f = {.cli = cli};
    struct check_counts counts;
    struct check c = {.db = cli->db, .arena = &cli->arena, .err = &cli->err, .dir = cli->dir,
                      .hash = cli_has(cli, "hash"), .found = print_finding, .progress = draw, .arg = &f};
    enum err_code rc = check_project(&c, &counts);
    if (rc != OK) {
        return rc;
    }
    cli_progress_end(cli);
    if (cli->json) {
        printf("{\"findings\":%llu,\"pairs\":%llu,\"sources\":%zu}\n", (unsigned long long)f.n,
               (unsigned long long)counts.pairs, counts.sources);
    }
    if (f.n) {
        return err_set(&cli->err, ERR_CONFLICT, "%llu finding%s", (unsigned long long)f.n,
                       f.n == 1 ? "" : "s");
    }
    cli_note(cli, "Nothing wrong: %llu pairs of image and class, %zu image files.",
             (unsigned long long)counts.pairs, counts.sources);
    return OK;
}

/* arg: the first, for the message at the end. */
static void print_mistake(void *arg, const char *text)
{
    char *first = arg;
    printf("config: %s\n", text);
    if (!*first) {
        snprintf(first, FINDING_WORDS, "%s", text);
    }
}

static enum err_code check_config(struct cli *cli)
{
    const char *flags[CLI_OPTIONS];
    char first[FINDING_WORDS] = "";
    size_t n = project_flags(cli, flags), mistakes = 0;
    if (!fs_is_dir(cli->dir)) {
        return err_set(&cli->err, ERR_NOT_FOUND, "%s is not a folder", cli->dir);
    }
    enum err_code rc =
        config_check(cli->dir, flags, n, print_mistake, first, &mistakes, &cli->err);
    if (rc != OK) {
        return rc;
    }
    if (cli->json) {
        printf("{\"findings\":%zu}\n", mistakes);
    }
    if (mistakes) {
        return err_set(&cli->err, ERR_INPUT, "%zu mistake%s in the configuration: %s%s", mistakes,
                       mistakes == 1 ? "" : "s", first, mistakes == 1 ? "" : " ...");
    }
    cli_note(cli, "The configuration is fine.");
    return OK;
}

enum err_code cmd_check(struct cli *cli)
{
    if (cli_has(cli, "config-only")) {
        return check_config(cli);
    }
    enum err_code rc = project_open(cli);
    return rc == OK ? check_open_project(cli) : rc;
}
