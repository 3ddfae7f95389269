/* cmd_demo.c - `holdout demo`: a project that shows the whole way from folders of JPEGs to votes,
 * made once, then served. Images are drawn by cli/demo_draw.c into DIR/demo-images and imported by
 * the ordinary command. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/fs.h"
#include "cli/commands.h"
#include "cli/demo_draw.h"
#include "crypto/crypto.h"

enum { ORIGINALS = 24, CANDIDATES = 84 };

/* Runs another command of the table on the demo's project, as a shell would. */
static enum err_code run(struct cli *cli, const char *name, const char *const *args,
                         const char *const *options)
{
    const struct command *c = NULL;
    for (size_t i = 0; i < commands_count; i++) {
        c = strcmp(commands[i].name, name) == 0 ? &commands[i] : c;
    }
    BUG_IF(!c);
    struct cli sub = {.command = c, .lock = -1, .quiet = true, .dir = cli->dir};
    arena_init(&sub.arena, 1 << 30);
    for (; *args; args++) {
        sub.args[sub.n_args++] = *args;
    }
    for (; *options; options += 2) {
        sub.given[sub.n_given].name = options[0];
        sub.given[sub.n_given++].value = options[1];
    }
    enum err_code rc = project_open(&sub);
    if (rc == OK) {
        rc = c->run(&sub);
    }
    project_close(&sub);
    if (rc != OK) {
        cli->err = sub.err;
    }
    arena_release(&sub.arena);
    return rc;
}

#define ARGS(...) (const char *const[]){__VA_ARGS__, NULL}

/* An account of its own with a random password, kept beside the project for the next start. */
static enum err_code make_login(struct cli *cli)
{
    unsigned char raw[CRYPTO_TOKEN];
    char password[CRYPTO_TOKEN_TEXT];
    crypto_token(raw, password);
    enum err_code rc = init_project(cli, cli->dir, SV("admin"), sv_of(password));
    if (rc != OK) {
        return rc;
    }
    char *path = project_path(&cli->arena, cli->dir, "demo-login.txt");
    char *text = arena_printf(&cli->arena, "admin\n%s\n", password);
    rc = fs_write_whole(path, text, strlen(text), true, &cli->err);
    if (rc == OK) {
        chmod(path, 0600);
    }
    return rc;
}

static enum err_code make_world(struct cli *cli, int64_t seed)
{
    struct arena *a = &cli->arena;
    const char *dir = cli->dir;
    const char *images = project_path(a, dir, "demo-images");
    const char *classes = project_path(a, images, "classes.jsonl");
    const char *originals = project_path(a, images, "original");
    const char *candidates = project_path(a, images, "candidate");
    char *seed_text = arena_printf(a, "%lld", (long long)seed);
    enum err_code rc = demo_draw(images, (uint64_t)seed, ORIGINALS, CANDIDATES, &cli->err);
    if (rc == OK) {
        rc = run(cli, "import classes", ARGS(dir, classes), ARGS(NULL));
    }
    if (rc == OK) {
        rc = run(cli, "import images", ARGS(dir, originals), ARGS("role", "original"));
    }
    if (rc == OK) {
        rc = run(cli, "import images", ARGS(dir, candidates), ARGS("role", "candidate"));
    }
    if (rc == OK) {
        rc = run(cli, "grids", ARGS(dir),
                 ARGS("campaign", "shapes", "title", "Which images show this shape?", "open", "",
                      "max-share", "1", "grids-per-place", "4", "minutes", "4", "seed", seed_text, "rule",
                      "Select an image if it shows at least one such shape, whatever its colour or "
                      "size."));
    }
    return rc;
}

static void say_how(struct cli *cli)
{
    struct str login;
    str_init(&login, 4096);
    char *path = project_path(&cli->arena, cli->dir, "demo-login.txt");
    if (fs_read(path, &login, NULL) == OK) {
        struct sv rest = str_sv(&login);
        struct sv name = sv_cut(&rest, '\n'), password = sv_cut(&rest, '\n');
        cli_note(cli, "\nLead:    sign in as " SV_FMT " with the password " SV_FMT
                      "\nWorker:  open /work/campaign/shapes\nStop:    Ctrl+C\n",
                 SV_ARG(name), SV_ARG(password));
    }
    str_release(&login);
}

enum err_code cmd_demo(struct cli *cli)
{
    int64_t seed, port;
    cli->dir = cli->args[0];
    enum err_code rc = cli_opt_int(cli, "seed", 0, INT64_C(1) << 53, 1, &seed);
    if (rc == OK) {
        rc = cli_opt_int(cli, "port", 0, 65535, 8080, &port);
    }
    if (rc != OK) {
        return rc;
    }
    /* The marker is written last: a demo that was interrupted says so instead of half working. */
    char *marker = project_path(&cli->arena, cli->dir, "demo-ready");
    char *database = project_path(&cli->arena, cli->dir, "holdout.db");
    if (!fs_exists(marker) && fs_exists(database)) {
        return err_set(&cli->err, ERR_CONFLICT,
                       "%s holds a project that the demo did not finish or did not make: if "
                       "another demo is still drawing it, wait; else name "
                       "another folder, or delete this one", cli->dir);
    }
    if (!fs_exists(marker)) {
        cli_note(cli, "Drawing images and making %s ...", cli->dir);
        rc = make_login(cli);
        if (rc == OK) {
            rc = make_world(cli, seed);
        }
        if (rc == OK) {
            rc = fs_write_whole(marker, "", 0, true, &cli->err);
        }
    }
    if (rc != OK || !cli_has(cli, "serve")) {
        return rc;
    }
    say_how(cli);
    rc = project_open(cli);
    if (rc == OK) {
        cli->config.port = port;
        rc = serve_project(cli);
    }
    return rc;
}
