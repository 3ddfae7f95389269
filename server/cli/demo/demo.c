/* demo.c - `holdout demo`: a project that shows the whole life of a study, made once
 * (world.c), then served with simulated people who keep coming (demo/visitors.h). */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/log.h"
#include "cli/core/commands.h"
#include "cli/demo/models.h"
#include "demo/glyphs.h"
#include "demo/visitors.h"
#include "jobs/process.h"

static void say_how(struct cli *cli)
{
    struct str login;
    unsigned part = 1;
    char campaign[VISITORS_NAME];
    struct err none = {OK, "", ""}; /* then the first part is named */
    visitors_newest(cli->db, DEMO_CAMPAIGN, &part, &none);
    visitors_campaign(DEMO_CAMPAIGN, part, campaign);
    str_init(&login, 4096);
    char *path = project_path(&cli->arena, cli->dir, "demo-login.txt");
    if (fs_read(path, &login, NULL) == OK) {
        struct sv rest = str_sv(&login);
        struct sv name = sv_cut(&rest, '\n'), password = sv_cut(&rest, '\n');
        cli_note(cli, "\n"
                      "Lead:    sign in as " SV_FMT " with the password " SV_FMT "\n"
                      "Worker:  open /work/campaign/%s\n"
                      "Look at: / (how the campaign is going), /models (baselines on " DEMO_ORIGINALS " and "
                      DEMO_NEW_SET "), /sets, /classes, /labels (experts' verdicts)\n"
                      "Stop:    Ctrl+C\n",
                 SV_ARG(name), SV_ARG(password), campaign);
    }
    str_release(&login);
}

/* ------------------------------------------------------------------ the marker */

/* DIR/demo-ready is written last, so that a demo that was interrupted says so instead of half
 * working; in it stands what visitors must know of the world: "SEED SIZE ANSWERS". */
static char *marker_path(struct cli *cli)
{
    return project_path(&cli->arena, cli->dir, "demo-ready");
}

static enum err_code write_marker(struct demo_world *w)
{
    char *text = arena_printf(&w->cli->arena, "%lld %s %d\n", (long long)w->seed, w->size->name,
                              w->answers);
    return fs_write_whole(marker_path(w->cli), text, strlen(text), true, &w->cli->err);
}

static enum err_code read_marker(struct demo_world *w)
{
    struct cli *cli = w->cli;
    struct str text;
    int64_t answers = 0;
    str_init(&text, 4096);
    enum err_code rc = fs_read(marker_path(cli), &text, &cli->err);
    struct sv rest = sv_trim(str_sv(&text)), seed = sv_cut(&rest, ' '), size = sv_cut(&rest, ' ');
    w->size = rc == OK ? world_size(arena_cstr(&cli->arena, size)) : NULL;
    if (rc == OK && (!w->size || !sv_i64(seed, &w->seed) || !sv_i64(rest, &answers))) {
        rc = err_set(&cli->err, ERR_CONFLICT,
                     "%s is a demo from an earlier version: serve it with holdout serve, or make a new one "
                     "in another folder", cli->dir);
    }
    w->answers = answers != 0;
    str_release(&text);
    return rc;
}

static enum err_code make_once(struct demo_world *w)
{
    struct cli *cli = w->cli;
    bool ready = fs_exists(marker_path(cli));
    if (!ready && fs_exists(project_path(&cli->arena, cli->dir, "holdout.db"))) {
        return err_set(&cli->err, ERR_CONFLICT,
                       "%s holds a project that the demo did not finish or did not make: if another demo is "
                       "still making it, wait; otherwise name another folder, or delete this one", cli->dir);
    }
    if (ready) {
        return read_marker(w);
    }
    cli_note(cli, "Drawing images and making %s ...", cli->dir);
    enum err_code rc = demo_world_make(w);
    return rc == OK ? write_marker(w) : rc;
}

/* ------------------------------------------------------------------ serving */

struct company {
    struct demo_world *w;
    double pace;
    struct visitors *visitors;
};

/* By a process of its own: the command line beside a running server, as people would do it. */
static enum err_code plan_another(void *arg, unsigned part, struct err *err)
{
    struct company *c = arg;
    char number[16], name[VISITORS_NAME];
    struct process p;
    snprintf(number, sizeof number, "%u", part);
    visitors_campaign(DEMO_CAMPAIGN, part, name);
    const char *argv[] = {"holdout", "demo", c->w->cli->dir, "--another", number, "--quiet", NULL};
    enum err_code rc = process_start(argv, STDERR_FILENO, &p, err);
    if (rc != OK) {
        return rc;
    }
    struct process_status end = process_wait(&p);
    if (end.end != PROCESS_DONE) {
        return err_set(err, ERR_BUSY, "campaign %s could not be planned (%d)", name, end.number);
    }
    log_msg(LOG_INFO, "the demo continues in a fresh campaign", LOG_TEXT("campaign", sv_of(name)));
    return OK;
}

static const char *own_address(const char *bind)
{
    return strcmp(bind, "0.0.0.0") == 0 ? "127.0.0.1" : strcmp(bind, "::") == 0 ? "::1" : bind;
}

static enum err_code start_visitors(void *arg, uint16_t port, struct err *err)
{
    struct company *c = arg;
    struct cli *cli = c->w->cli;
    struct visitors_plan plan = {.database = project_path(&cli->arena, cli->dir, "holdout.db"),
                                 .truth = demo_world_path(cli, "truth.jsonl"),
                                 .campaign = DEMO_CAMPAIGN,
                                 .people = demo_world_people(c->w->size),
                                 .seed = (uint64_t)c->w->seed,
                                 .pace = c->pace,
                                 .another = plan_another,
                                 .arg = c,
                                 .server = {own_address(cli->config.bind), port}};
    return visitors_start(&plan, &c->visitors, err);
}

static void stop_visitors(void *arg)
{
    struct company *c = arg;
    visitors_stop(c->visitors);
}

static enum err_code serve_demo(struct demo_world *w, int64_t port, double pace)
{
    struct cli *cli = w->cli;
    struct company c = {.w = w, .pace = pace};
    struct serve_company company = {start_visitors, stop_visitors, &c};
    bool alone = cli_has(cli, "no-visitors") || !w->answers;
    enum err_code rc = project_open(cli);
    if (rc == OK) {
        say_how(cli);
    }
    if (rc == OK && !alone && *cli->config.tls_cert) {
        cli_note(cli, "No simulated people will come, because they do not speak TLS.");
        alone = true;
    }
    if (rc == OK) {
        cli->config.port = port;
        rc = serve_project(cli, alone ? NULL : &company);
    }
    return rc;
}

enum err_code cmd_demo(struct cli *cli)
{
    int64_t port, part;
    double pace;
    const char *size = cli_has(cli, "size") ? cli_opt(cli, "size") : "full";
    struct demo_world w = {.cli = cli, .size = world_size(size), .answers = !cli_has(cli, "no-answers")};
    w.font = cli_has(cli, "font") ? cli_opt(cli, "font") : glyphs_font;
    cli->dir = cli->args[0];
    if (!w.size) {
        return cli_usage(cli, "--size must be full, small or tiny");
    }
    enum err_code rc = cli_opt_int(cli, "seed", 0, INT64_C(1) << 53, 1, &w.seed);
    rc = rc == OK ? cli_opt_int(cli, "port", 0, 65535, 8080, &port) : rc;
    rc = rc == OK ? cli_opt_real(cli, "pace", 0.01, 10000, 1, &pace) : rc;
    rc = rc == OK ? cli_opt_int(cli, "another", 2, 100000, 0, &part) : rc;
    if (rc == OK && part) {
        rc = read_marker(&w);
        return rc == OK ? demo_world_another(&w, (unsigned)part) : rc;
    }
    rc = rc == OK ? make_once(&w) : rc;
    return rc == OK && cli_has(cli, "serve") ? serve_demo(&w, port, pace) : rc;
}
