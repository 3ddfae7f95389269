/* generate.c - `holdout generate`: fills a project with images by name, grids and votes, for
 * benchmarks and load tests. Everything is drawn from --seed; the campaign's limits are set so
 * wide that only N itself holds load tests back. */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/fs.h"
#include "base/xalloc.h"
#include "cli/core/commands.h"
#include "cli/study/plan_write.h"
#include "db/bulk.h"
#include "domain/grids/plan.h"
#include "store/classes/classes.h"
#include "store/images/images.h"
#include "store/people/people.h"
#include "store/work/grids.h"
#include "store/work/work.h"

enum { CHUNK = 200, ORIGINALS_A_CLASS = 50 };

struct generate {
    struct cli *cli;
    struct rng rng;
    int64_t images, classes, grids, votes;
    struct plan plan;
    int64_t at, total;
    int64_t first_class, first_grid, first_person, persons;
};

static enum err_code class_step(struct db *db, void *arg, bool *more, struct err *err)
{
    struct generate *g = arg;
    char wnid[32], words[48];
    bool changed;
    snprintf(wnid, sizeof wnid, "n%08lld", (long long)(g->at + 1));
    snprintf(words, sizeof words, "generated class %lld", (long long)(g->at + 1));
    struct class_info k = {.cid = g->at,
                           .wnid = sv_of(wnid),
                           .synset = sv_of(words),
                           .gloss = SV("made by holdout generate")};
    enum err_code rc = classes_put(db, &k, &changed, err);
    if (rc == OK && g->at == 0) {
        rc = classes_event(db, (uint64_t)g->classes, clock_wall_ms(), err);
    }
    *more = ++g->at < g->classes;
    return rc;
}

/* Originals first, then candidates, class by class in turn. */
static enum err_code image_step(struct db *db, void *arg, bool *more, struct err *err)
{
    struct generate *g = arg;
    int64_t originals = g->classes * ORIGINALS_A_CLASS;
    enum err_code rc = OK;
    for (int k = 0; k < CHUNK && g->at < g->total && rc == OK; k++, g->at++) {
        char name[32], taken[24];
        bool original = g->at < originals, added;
        snprintf(name, sizeof name, "%s-%08lld", original ? "original" : "candidate",
                 (long long)g->at);
        snprintf(taken, sizeof taken, "20%02u-%02u-%02u 12:00:00",
                 (unsigned)rng_below(&g->rng, 20), 1 + (unsigned)rng_below(&g->rng, 12),
                 1 + (unsigned)rng_below(&g->rng, 28));
        struct image_row i = {.name = sv_of(name),
                              .class_id = g->first_class + g->at % g->classes,
                              .role = original ? SV("original") : SV("candidate"),
                              .taken_at = sv_of(taken),
                              .idx = g->at};
        rc = images_put(db, &i, &added, err);
    }
    rc = rc == OK ? images_event(db, CHUNK, clock_wall_ms(), err) : rc;
    *more = g->at < g->total;
    cli_progress(g->cli, "images", (uint64_t)g->at, (uint64_t)g->total);
    return rc;
}

static enum err_code bulk(struct generate *g,
                          enum err_code (*step)(struct db *, void *, bool *, struct err *))
{
    g->at = 0;
    return bulk_write(g->cli->db, g->cli->alone, step, g, &g->cli->err);
}

static enum err_code plan_classes(struct generate *g)
{
    enum err_code rc = plan_open(&g->plan);
    for (int64_t k = 0; k < g->classes && rc == OK; k++) {
        int64_t other = g->classes > 1 ? g->first_class + (k + 1) % g->classes : 0;
        rc = plan_class(&g->plan, g->first_class + k, other, &g->rng, (size_t)g->grids);
    }
    return rc;
}

static enum err_code person_step(struct db *db, void *arg, bool *more, struct err *err)
{
    struct generate *g = arg;
    int64_t person;
    enum err_code rc = people_create(db, clock_wall_ms(), 0, "simulated", &person, err);
    if (g->at == 0) {
        g->first_person = person;
    }
    *more = ++g->at < g->persons;
    return rc;
}

/* Answer number `at`: grid after grid, N answers each, by persons in turn. */
static enum err_code vote_step(struct db *db, void *arg, bool *more, struct err *err)
{
    struct generate *g = arg;
    int64_t per_grid = g->plan.campaign.answers_per_grid;
    enum err_code rc = OK;
    for (int k = 0; k < CHUNK && g->at < g->total && rc == OK; k++, g->at++) {
        char name[64];
        bool added;
        uint64_t mask = rng_u64(&g->rng) & rng_u64(&g->rng) & (((uint64_t)1 << 48) - 1);
        size_t grid = (size_t)(g->at / per_grid);
        snprintf(name, sizeof name, "generated:%lld", (long long)g->at);
        mask &= g->plan.grids[grid].grid.n < 64
                    ? ((uint64_t)1 << g->plan.grids[grid].grid.n) - 1
                    : ~(uint64_t)0;
        struct work_imported w = {.name = sv_of(name),
                                  .grid = g->first_grid + (int64_t)grid,
                                  .person = g->first_person + g->at % g->persons,
                                  .accepted_at = clock_wall_ms(),
                                  .active_ms = 40000,
                                  .mask = mask,
                                  .status = 'S'};
        rc = work_import(db, &w, clock_wall_ms(), &added, err);
    }
    *more = g->at < g->total;
    cli_progress(g->cli, "answers", (uint64_t)g->at, (uint64_t)g->total);
    return rc;
}

static enum err_code write_votes(struct generate *g)
{
    int64_t per_grid = g->plan.campaign.answers_per_grid;
    g->total = g->votes / GRID_CELLS;
    if (g->total > (int64_t)g->plan.n * per_grid) {
        g->total = (int64_t)g->plan.n * per_grid;
    }
    if (g->total == 0) {
        return OK;
    }
    g->persons = per_grid > 500 ? per_grid : 500;
    enum err_code rc = bulk(g, person_step);
    return rc == OK ? bulk(g, vote_step) : rc;
}

static enum err_code read_options(struct generate *g)
{
    struct cli *cli = g->cli;
    struct campaign *k = &g->plan.campaign;
    campaign_defaults(k);
    k->name = sv_of(cli_has(cli, "campaign") ? cli_opt(cli, "campaign") : "bench");
    k->title = k->name;
    k->max_share = 1;
    k->coverage = 0; /* as many grids as the images fill, no more */
    k->places = INT64_C(1) << 40;
    k->state = SV("open");
    const struct {
        const char *name;
        int64_t least, most, otherwise;
        int64_t *out;
    } numbers[] = {
        {"images", 1, 100000000, 4200, &g->images},
        {"classes", 1, 100000, 10, &g->classes},
        {"grids", 1, 10000000, 10000000, &g->grids},
        {"votes", 0, 10000000000, 0, &g->votes},
        {"answers-per-grid", 1, 1000, 10, &k->answers_per_grid},
        {"lease", 10, 86400, 600, &k->lease_seconds},
        {"grids-per-place", 1, 10000, 20, &k->grids_per_place},
        {"seed", 0, INT64_C(1) << 53, 1, &k->seed},
    };
    enum err_code rc = OK;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers && rc == OK; i++) {
        rc = cli_opt_int(cli, numbers[i].name, numbers[i].least, numbers[i].most,
                         numbers[i].otherwise, numbers[i].out);
    }
    rng_seed(&g->rng, (uint64_t)k->seed);
    return rc;
}

/* Load comes from one address: the limits against people who join twice would only measure
 * themselves. */
static enum err_code open_limits(struct cli *cli)
{
    static const char text[] = "; written by holdout generate: limits for load tests\n"
                               "[limits]\nplaces_per_address_hour = 1000000\n"
                               "logins_per_address_hour = 100000\n"
                               "[server]\nconnections_per_address = 1000\n";
    return fs_write_whole(project_path(&cli->arena, cli->dir, "config.ini"), text, sizeof text - 1,
                          true, &cli->err);
}

enum err_code cmd_generate(struct cli *cli)
{
    struct generate g = {.cli = cli, .plan.cli = cli};
    struct class_info *classes;
    size_t n;
    enum err_code rc = classes_list(cli->db, &cli->arena, &classes, &n, &cli->err);
    if (rc == OK && n) {
        rc = err_set(&cli->err, ERR_CONFLICT, "%s already has classes: generate only fills a new project",
                     cli->dir);
    }
    rc = rc == OK ? read_options(&g) : rc;
    rc = rc == OK ? open_limits(cli) : rc;
    rc = rc == OK ? bulk(&g, class_step) : rc;
    rc = rc == OK ? classes_list(cli->db, &cli->arena, &classes, &n, &cli->err) : rc;
    if (rc == OK) {
        g.first_class = classes[0].id;
        g.total = g.images + g.classes * ORIGINALS_A_CLASS;
        rc = bulk(&g, image_step);
    }
    rc = rc == OK ? plan_classes(&g) : rc;
    rc = rc == OK ? plan_write(&g.plan) : rc;
    rc = rc == OK ? grids_first(cli->db, g.plan.campaign.id, &g.first_grid, &cli->err) : rc;
    rc = rc == OK ? write_votes(&g) : rc;
    if (rc == OK) {
        cli_progress_end(cli);
        cli_note(cli, "%lld classes, %lld images, %zu grids, %lld answers.", (long long)g.classes,
                 (long long)g.images, g.plan.n, (long long)(g.votes ? g.total : 0));
    }
    plan_release(&g.plan);
    return rc;
}
