/* world.c - the demo's project from nothing to a study in its third day. While it is made, the
 * clock stands at the moment that is told, so that the history reads in the order of time. */
#include "cli/demo/world.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fs.h"
#include "cli/core/commands.h"
#include "cli/core/sub_command.h"
#include "cli/demo/labels.h"
#include "cli/demo/models.h"
#include "cli/demo/sets.h"
#include "crypto/crypto.h"
#include "demo/draw.h"
#include "demo/fill.h"
#include "demo/ticks.h"
#include "demo/visitors.h"
#include "transfer/imports/imports.h"

enum { PILOT_FIRST = 900, PILOT_PEOPLE = 16, NAME_MOST = 64 };
#define HOUR_MS INT64_C(3600000)

/* When things happened, in hours before the demo was made. */
enum {
    AT_INIT = 60, AT_PILOT = 55, AT_PILOT_END = 51, AT_TRAIN = 50, AT_MAIN = 49, AT_START = 48, AT_PAID = 20
};

/* The terms of the campaigns and how many people there are, for a full world and for smaller ones. */
static const struct terms {
    const char *size, *answers, *grids, *share, *gold, *pay, *minutes;
    unsigned people, waiting; /* who came in the last days, who comes while it is served */
} terms[] = {
    {"full", "10", "12", "0.05", "2", "250", "15", 46, 50},
    {"small", "10", "4", "1", "0", "0", "4", 24, 20},
};

static const struct terms *terms_of(const struct world_size *size)
{
    return &terms[strcmp(size->name, terms[0].size) != 0];
}

unsigned demo_world_people(const struct world_size *size)
{
    return terms_of(size)->people + terms_of(size)->waiting;
}

char *demo_world_path(struct cli *cli, const char *name)
{
    return fs_join(&cli->arena, project_path(&cli->arena, cli->dir, "demo-images"), name);
}

/* ------------------------------------------------------------------ ordinary commands */

/* `part`: of the campaign; the grids of each are drawn in another way. */
static enum err_code plan(struct demo_world *w, const char *name, const char *kind,
                          const char *answers, const char *coverage, const char *share,
                          unsigned part)
{
    static const char question[] = "Which pictures show it?";
    const struct terms *t = terms_of(w->size);
    const char *seed = arena_printf(&w->cli->arena, "%lld", (long long)w->seed + part - 1);
    const char *title = strcmp(kind, "pilot") == 0 ? "Pilot: are the instructions clear?"
                        : part > 1 ? arena_printf(&w->cli->arena, "%s Part %u", question, part)
                                   : question;
    return sub_command(
        w->cli, "grids", ARGS(w->cli->dir),
        ARGS("campaign", name, "kind", kind, "title", title, "open", "",
             "answers-per-grid", answers, "coverage", coverage, "grids-per-place", t->grids,
             "max-share", share, "gold", t->gold, "pay", t->pay, "minutes", t->minutes,
             "seed", seed, "population", "simulated people, and whoever tries the demo",
             "rule",
             "Select a picture if it shows at least one such thing, whatever its size and colour, even if "
             "part of it is hidden or other things are beside it. Drawings (outlines, and shapes of a single "
             "colour) do not count.",
             part > 1 ? "answered-too" : NULL, "", "same-image-again", "")); /* the list ends at NULL */
}

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

/* ------------------------------------------------------------------ images */

static void show_drawing(void *arg, uint64_t done, uint64_t total)
{
    cli_progress(arg, "drawing images", done, total);
}

static enum err_code draw_images(struct demo_world *w)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    struct demo_draw d = {.dir = project_path(&w->cli->arena, w->cli->dir, "demo-images"),
                          .font = w->font,
                          .size = w->size,
                          .seed = (uint64_t)w->seed,
                          .threads = cores > 0 ? (unsigned)cores : 1,
                          .progress = show_drawing,
                          .arg = w->cli};
    enum err_code rc = demo_draw(&d, &w->cli->err);
    cli_progress_end(w->cli);
    return rc;
}

static enum err_code import_images(struct demo_world *w)
{
    struct cli *cli = w->cli;
    const char *classes = demo_world_path(cli, "classes.jsonl");
    const char *images = demo_world_path(cli, "images.csv");
    enum err_code rc = sub_command(cli, "import classes", ARGS(cli->dir, classes), ARGS(NULL));
    return rc == OK ? sub_command(cli, "import images", ARGS(cli->dir, images), ARGS(NULL)) : rc;
}

/* ------------------------------------------------------------------ what people did */

static void show_answers(void *arg, uint64_t done, uint64_t total)
{
    cli_progress(arg, "simulating answers", done, total);
}

/* A moment so many hours ago, for the commands that run now and as their time. */
static int64_t stand_at(int64_t made, int64_t hours)
{
    int64_t at = made - hours * HOUR_MS;
    clock_shift_wall(0);
    clock_shift_wall(at - clock_wall_ms());
    return at;
}

static enum err_code set_state(struct demo_world *w, const struct campaign *k, const char *state,
                               int64_t at)
{
    struct cli *cli = w->cli;
    enum err_code rc = db_tx_begin(cli->db, &cli->err);
    rc = rc == OK ? campaigns_set_state(cli->db, k->id, state, 0, at, &cli->err) : rc;
    return db_tx_end(cli->db, rc, &cli->err);
}

/* A small campaign before: two answers a grid, all of them given, all paid. */
static enum err_code fill_pilot(struct demo_world *w, const struct fill *f, int64_t made)
{
    struct err *err = &w->cli->err;
    struct campaign k;
    int64_t at = stand_at(made, AT_PILOT), end = made - AT_PILOT_END * HOUR_MS;
    enum err_code rc = plan(w, "pilot", "pilot", "2", "0", "1", 1);
    rc = rc == OK ? campaigns_find(f->db, SV("pilot"), f->arena, &k, err) : rc;
    rc = rc == OK ? fill_people(f, PILOT_FIRST, PILOT_PEOPLE, at, err) : rc;
    rc = rc == OK ? fill_study(f, &k, at, err) : rc;
    struct fill_part part = {&k, PILOT_FIRST, PILOT_PEOPLE, 1, at, end};
    rc = rc == OK ? fill_answers(f, &part, err) : rc;
    rc = rc == OK ? set_state(w, &k, "closed", end) : rc;
    rc = rc == OK ? fill_pay(f, &k, end, 0, end, err) : rc;
    return rc == OK ? demo_models_new_set(w, "pilot", end) : rc;
}

/* The campaign that is open: there were people for about two thirds of it until now. */
static enum err_code fill_main(struct demo_world *w, const struct fill *f, int64_t made)
{
    struct err *err = &w->cli->err;
    const struct terms *t = terms_of(w->size);
    struct campaign k;
    int64_t at = stand_at(made, AT_MAIN), start = made - AT_START * HOUR_MS;
    enum err_code rc = plan(w, DEMO_CAMPAIGN, "main", t->answers, "20", t->share, 1);
    rc = rc == OK ? campaigns_find(f->db, SV(DEMO_CAMPAIGN), f->arena, &k, err) : rc;
    rc = rc == OK ? fill_people(f, 0, t->people + t->waiting, at, err) : rc;
    rc = rc == OK ? fill_study(f, &k, at, err) : rc;
    struct fill_part part = {&k, 0, t->people, 0.85, start, made};
    rc = rc == OK ? fill_answers(f, &part, err) : rc;
    return rc == OK ? fill_pay(f, &k, made - AT_PAID * HOUR_MS, 0, made, err) : rc;
}

/* What people of another panel saw when they could choose among labels: the pages of objects have something to show. */
static enum err_code fill_objects(struct demo_world *w, const struct truth *truth)
{
    struct cli *cli = w->cli;
    const char *responses = demo_world_path(cli, "responses.csv"), *order = demo_world_path(cli, "order.csv");
    enum err_code rc = ticks_write(cli->db, truth, w->size->small, (uint64_t)w->seed, responses, order, &cli->err);
    const struct responses_import_ask ask = {.path = responses, .campaign = "objects", .order = order, .simulated = true};
    return rc == OK ? responses_import(cli_transfer(cli), &ask) : rc;
}

/* Baselines are trained when the pilot is over: from then on there are two sets to compare. */
static enum err_code simulate(struct demo_world *w, int64_t made)
{
    struct cli *cli = w->cli;
    struct truth truth;
    enum err_code rc = truth_load(demo_world_path(cli, "truth.jsonl"), &truth, &cli->err);
    struct fill f = {.db = cli->db, .seed = (uint64_t)w->seed, .truth = &truth, .arena = &cli->arena,
                     .progress = show_answers, .arg = cli};
    rc = rc == OK ? fill_pilot(w, &f, made) : rc;
    cli_progress_end(cli);
    if (rc == OK) {
        stand_at(made, AT_TRAIN);
        rc = demo_models_train(w);
    }
    rc = rc == OK ? fill_objects(w, &truth) : rc;
    rc = rc == OK ? fill_main(w, &f, made) : rc;
    cli_progress_end(cli);
    rc = rc == OK ? demo_sets_make(w, stand_at(made, 0)) : rc;
    rc = rc == OK ? demo_labels_review(w, &truth, made) : rc;
    truth_release(&truth);
    return rc;
}

/* What happened since, with the project open. */
static enum err_code fill_project(struct demo_world *w, int64_t made)
{
    struct cli *cli = w->cli;
    const struct terms *t = terms_of(w->size);
    enum err_code rc = project_open(cli);
    rc = rc == OK ? demo_models_originals(w, clock_wall_ms()) : rc;
    if (rc == OK && w->answers) {
        rc = simulate(w, made);
    } else if (rc == OK) {
        rc = plan(w, DEMO_CAMPAIGN, "main", t->answers, "20", t->share, 1);
        rc = rc == OK ? demo_models_train(w) : rc;
    }
    project_close(cli);
    return rc;
}

enum err_code demo_world_another(struct demo_world *w, unsigned part)
{
    struct cli *cli = w->cli;
    const struct terms *t = terms_of(w->size);
    struct campaign k;
    char name[VISITORS_NAME];
    int64_t now = clock_wall_ms();
    visitors_campaign(DEMO_CAMPAIGN, part, name);
    enum err_code rc = project_open(cli);
    struct fill f = {.db = cli->db, .seed = (uint64_t)w->seed, .arena = &cli->arena};
    if (rc == OK) {
        rc = fill_people(&f, (part - 1) * VISITORS_PART, demo_world_people(w->size), now, &cli->err);
    }
    rc = rc == OK ? plan(w, name, "main", t->answers, "20", t->share, part) : rc;
    rc = rc == OK ? campaigns_find(cli->db, sv_of(name), &cli->arena, &k, &cli->err) : rc;
    rc = rc == OK ? fill_study(&f, &k, now, &cli->err) : rc;
    project_close(cli);
    return rc;
}

enum err_code demo_world_make(struct demo_world *w)
{
    enum err_code rc = draw_images(w); /* first: without its font nothing else is made */
    int64_t made = clock_wall_ms();
    stand_at(made, w->answers ? AT_INIT : 0);
    rc = rc == OK ? make_login(w->cli) : rc;
    rc = rc == OK ? import_images(w) : rc;
    rc = rc == OK ? fill_project(w, made) : rc;
    clock_shift_wall(0);
    return rc;
}
