/* cmd_grids.c - `holdout grids`: plans a campaign's grids from the images of the classes and makes
 * the campaign. Composition of grids: domain/plan.c. */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "cli/commands.h"
#include "cli/plan_write.h"
#include "domain/plan.h"
#include "store/classes.h"
#include "store/images.h"

#define DAY_S (24 * 3600)

/* The campaign's terms from the options. */
static enum err_code read_terms(struct cli *cli, struct campaign *k)
{
    campaign_defaults(k);
    int64_t seed;
    enum err_code rc = cli_opt_int(cli, "seed", 0, INT64_C(1) << 53,
                                   (int64_t)rng_fresh_seed(), &seed);
    const struct {
        const char *name;
        int64_t least, most;
        int64_t *out;
    } numbers[] = {
        {"answers-per-grid", 1, 1000, &k->answers_per_grid},
        {"grids-per-place", 1, 10000, &k->grids_per_place},
        {"lease", 10, DAY_S, &k->lease_seconds},
        {"places", 1, INT64_C(1) << 40, &k->places},
        {"pay", 0, 1000000, &k->pay_cents},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers && rc == OK; i++) {
        rc = cli_opt_int(cli, numbers[i].name, numbers[i].least, numbers[i].most, *numbers[i].out,
                         numbers[i].out);
    }
    if (rc == OK) {
        rc = cli_opt_real(cli, "max-share", 1e-6, 1, k->max_share, &k->max_share);
    }
    if (rc == OK) {
        rc = cli_opt_real(cli, "minutes", 0.1, 1000, k->expected_minutes, &k->expected_minutes);
    }
    const struct {
        const char *name;
        struct sv *out;
    } texts[] = {{"campaign", &k->name}, {"kind", &k->kind},         {"title", &k->title},
                 {"rule", &k->rule_text}, {"code", &k->completion_code}, {"currency", &k->currency}};
    k->name = SV("main");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (cli_has(cli, texts[i].name)) {
            *texts[i].out = sv_of(cli_opt(cli, texts[i].name));
        }
    }
    k->title = k->title.n ? k->title : k->name;
    k->seed = seed;
    k->same_image_again = cli_has(cli, "same-image-again");
    k->shuffle = !cli_has(cli, "keep-order");
    k->state = cli_has(cli, "open") ? SV("open") : SV("draft");
    return rc;
}

static enum err_code check_name(struct cli *cli, const struct campaign *k)
{
    static const char *const kinds[] = {"pilot",          "main",     "top-up",    "potential",
                                        "re-measurement", "training", "evaluation"};
    if (!campaign_name_ok(k->name)) {
        return cli_usage(cli, "--campaign must be 1 to 64 of a-z, 0-9 and -");
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (sv_is(k->kind, kinds[i])) {
            return OK;
        }
    }
    return cli_usage(cli, "--kind must be pilot, main, top-up, potential, re-measurement, training "
                     "or evaluation");
}

/* Where a class's negative controls come from: the nearest class, or any other one, drawn, in a
 * project that knows no nearness. 0: there is no other class. */
static enum err_code other_class(struct cli *cli, const struct class_info *all, size_t n,
                                 size_t own, struct rng *r, int64_t *out)
{
    enum err_code rc = classes_nearest(cli->db, all[own].id, out, &cli->err);
    if (rc == OK && *out == 0 && n > 1) {
        size_t drawn = (size_t)rng_below(r, n - 1);
        *out = all[drawn < own ? drawn : drawn + 1].id;
    }
    return rc;
}

static enum err_code plan_all(struct cli *cli, struct plan *p)
{
    struct class_info *classes;
    struct rng r;
    size_t n;
    const char *only = cli_opt(cli, "class");
    rng_seed(&r, (uint64_t)p->campaign.seed);
    enum err_code rc = classes_list(cli->db, &cli->arena, &classes, &n, &cli->err);
    bool seen = !only;
    for (size_t i = 0; i < n && rc == OK; i++) {
        if (!only || sv_is(classes[i].wnid, only)) {
            seen = true;
            int64_t other = 0;
            rc = other_class(cli, classes, n, i, &r, &other);
            if (rc == OK) {
                rc = plan_class(p, classes[i].id, other, &r, SIZE_MAX);
            }
        }
        cli_progress(cli, "planning", i + 1, n);
    }
    cli_progress_end(cli);
    if (rc == OK && !seen) {
        rc = err_set(&cli->err, ERR_NOT_FOUND, "there is no class %s", only);
    }
    if (rc == OK && p->n == 0) {
        rc = err_set(&cli->err, ERR_INPUT,
                     "no class has candidate images: import some first (holdout import images)");
    }
    return rc;
}

/* A draft of that name was planned before, perhaps by a command that was killed: the same seed
 * plans the same grids, so this run completes it. Its terms stay as they were. */
static enum err_code adopt_draft(struct cli *cli, struct plan *p)
{
    struct campaign draft;
    struct err none = {OK, "", ""};
    enum err_code rc = campaigns_find(cli->db, p->campaign.name, &cli->arena, &draft, &none);
    if (rc != OK) {
        return rc == ERR_NOT_FOUND ? OK : err_set(&cli->err, rc, "%s", none.msg);
    }
    if (!sv_is(draft.state, "draft") || draft.imported ||
        (cli_has(cli, "seed") && draft.seed != p->campaign.seed)) {
        return err_set(&cli->err, ERR_CONFLICT,
                       "there is a campaign named " SV_FMT " already; choose another name with "
                       "--campaign", SV_ARG(p->campaign.name));
    }
    draft.state = p->campaign.state;
    p->campaign = draft;
    cli_note(cli, "Completing the draft " SV_FMT " with its own terms and seed.",
             SV_ARG(draft.name));
    return OK;
}

enum err_code cmd_grids(struct cli *cli)
{
    struct plan p = {.cli = cli};
    enum err_code rc = read_terms(cli, &p.campaign);
    if (rc == OK) {
        rc = check_name(cli, &p.campaign);
    }
    if (rc == OK) {
        rc = adopt_draft(cli, &p);
    }
    if (rc == OK) {
        rc = plan_all(cli, &p);
    }
    if (rc == OK && !cli->dry_run) {
        rc = plan_write(&p);
    }
    if (rc == OK) {
        const struct campaign *k = &p.campaign;
        cli_note(cli, "campaign " SV_FMT " (" SV_FMT "): %zu grids, %lld answers each, seed %lld%s.",
                 SV_ARG(k->name), SV_ARG(k->state), p.n, (long long)k->answers_per_grid,
                 (long long)k->seed, cli->dry_run ? " (dry run)" : "");
        if (p.short_of_controls) {
            cli_note(cli, "%zu classes have fewer than 3 originals, or their nearest class has: "
                     "their grids have fewer controls.", p.short_of_controls);
        }
    }
    plan_release(&p);
    return rc;
}
