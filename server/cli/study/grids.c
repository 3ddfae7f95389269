/* grids.c - `holdout grids`: plans a campaign's grids from the images of the classes, says what
 * the plan costs and covers, and makes the campaign. Composition of grids: domain/grids/plan.c. */
#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/xalloc.h"
#include "cli/core/commands.h"
#include "cli/study/plan_job.h"
#include "cli/study/plan_print.h"
#include "cli/study/plan_terms.h"
#include "cli/study/plan_write.h"
#include "store/classes/classes.h"

enum { DRAWS = 1000 };

/* Where a class's negative controls come from: the nearest class, or any other one, drawn, in a
 * project that knows no nearness; not one whose images may show the class too. 0: there is no other class. */
static enum err_code other_class(struct plan *p, const struct class_info *all, size_t n, size_t own,
                                 struct rng *r, int64_t *out)
{
    int64_t *near;
    size_t n_near = 0;
    enum err_code rc = classes_near(p->cli->db, all[own].id, &p->cli->arena, &near, &n_near, &p->cli->err);
    *out = 0;
    for (size_t i = 0; i < n_near && rc == OK && *out == 0; i++) {
        *out = relations_has(p->overlapping, p->n_overlapping, near[i]) ? 0 : near[i];
    }
    p->drawn_negatives += rc == OK && *out == 0 && n > 1;
    for (size_t i = 0; i < DRAWS && rc == OK && *out == 0 && n > 1; i++) {
        size_t drawn = (size_t)rng_below(r, n - 1);
        int64_t other = all[drawn < own ? drawn : drawn + 1].id;
        *out = relations_has(p->overlapping, p->n_overlapping, other) ? 0 : other;
    }
    return rc;
}

/* Every class has a generator of its own, so that its grids do not depend on which others are
 * planned. */
static enum err_code plan_one(struct plan *p, const struct class_info *all, size_t n, size_t own)
{
    struct rng r;
    int64_t other = 0;
    rng_seed(&r, (uint64_t)p->campaign.seed ^ hash_u64((uint64_t)all[own].id));
    p->overlapping = relations_overlapping(p->relations, p->n_relations, all[own].id, &p->cli->arena, &p->n_overlapping);
    enum err_code rc = other_class(p, all, n, own, &r, &other);
    return rc == OK ? plan_class(p, all[own].id, other, &r, SIZE_MAX) : rc;
}

static enum err_code nothing_planned(struct plan *p)
{
    if (p->potential) {
        return err_rule(&p->cli->err, ERR_INPUT, "nothing-to-plan",
                        "Nothing is left to plan: all %zu pairs of image and label of " SV_FMT "/%lld that can be shown have their "
                        "%lld answers.",
                        p->potential->pairs, SV_ARG(p->potential->row.name), (long long)p->potential->row.version,
                        (long long)p->campaign.answers_per_grid);
    }
    if (p->of_set) {
        return err_rule(&p->cli->err, ERR_INPUT, "nothing-to-plan",
                        "Nothing is left to plan: none of the %zu images of " SV_FMT "/%lld is a "
                        "candidate that can be shown.", p->of_set->n, SV_ARG(p->of_set->revision.set),
                        (long long)p->of_set->revision.number);
    }
    return p->answered || p->hidden
               ? err_rule(&p->cli->err, ERR_INPUT, "nothing-to-plan",
                          "Nothing is left to plan: %zu candidates have %lld answers already and "
                          "%zu images are hidden after flags. Ask for more with --answers-per-grid, "
                          "or import more candidates.", p->answered,
                          (long long)p->campaign.answers_per_grid, p->hidden)
               : err_set(&p->cli->err, ERR_INPUT,
                         "no class has candidate images: import some first (holdout import images)");
}

/* *only gets the id of the class of --class, 0 without it. */
static enum err_code plan_all(struct plan *p, int64_t *only)
{
    struct cli *cli = p->cli;
    struct class_info *classes;
    size_t n;
    const char *wnid = cli_opt(cli, "class");
    *only = 0;
    enum err_code rc = plan_open(p);
    rc = rc == OK ? classes_list(cli->db, &cli->arena, &classes, &n, &cli->err) : rc;
    if (rc != OK) {
        return rc;
    }
    rc = p->potential ? plan_potential_open(p, p->potential) : rc;
    for (size_t i = 0; i < n && rc == OK; i++) {
        if (!wnid || sv_is(classes[i].wnid, wnid)) {
            *only = wnid ? classes[i].id : 0;
            rc = plan_one(p, classes, n, i);
        }
        cli_progress(cli, "planning", i + 1, n);
    }
    cli_progress_end(cli);
    if (rc == OK && wnid && *only == 0) {
        return err_set(&cli->err, ERR_NOT_FOUND, "there is no class %s", wnid);
    }
    rc = rc == OK && p->n == 0 ? nothing_planned(p) : rc;
    if (rc == OK && p->potential) {
        p->potential->answered = p->answered;
        p->label_plan = p->potential->row.id;
    }
    return rc;
}

/* Candidates of the plan that still wait for answers elsewhere would be paid for twice. */
static enum err_code note_waiting(struct plan *p)
{
    struct cli *cli = p->cli;
    struct campaign *list;
    size_t n, waiting = 0;
    enum err_code rc = campaigns_list(cli->db, false, &cli->arena, &list, &n, &cli->err);
    struct coverage other = p->coverage; /* borrows all but what is coming */
    other.coming = xcalloc(p->coverage.n, sizeof *other.coming);
    for (size_t i = 0; i < n && rc == OK; i++) {
        struct plan_summary unused = {0};
        if (list[i].id != p->campaign.id && !list[i].imported && !sv_is(list[i].state, "closed")) {
            rc = coverage_add_campaign(cli->db, &list[i], &other, &unused, &cli->err);
        }
    }
    for (size_t i = 0; i < other.n && rc == OK; i++) {
        waiting += other.coming[i] > 0 && p->coverage.coming[i] > 0;
    }
    free(other.coming);
    if (rc == OK && waiting) {
        cli_note(cli, "%zu of the images are also waiting for answers in campaigns that are not closed: they "
                 "would be answered twice.", waiting);
    }
    return rc;
}

static void note_again(const struct cli *cli, const struct plan_again *g)
{
    cli_note(cli, "This measures %zu images of " SV_FMT "/%lld again, and %zu originals. People who were "
             "shown a grid of the %zu campaigns that chose it cannot take part.", g->shown,
             SV_ARG(g->revision.set), (long long)g->revision.number, g->originals, g->n_apart);
    if (g->shown < g->n && !cli_has(cli, "class")) {
        cli_note(cli, "%zu images of the set are left out: hidden after flags, or no candidates of "
                 "their class.", g->n - g->shown);
    }
    if (g->few_originals) {
        cli_note(cli, "%zu classes have fewer originals than images in the set.", g->few_originals);
    }
}

static void note_potential(const struct cli *cli, const struct plan_potential *p)
{
    if (p->waiting) {
        cli_note(cli, "%zu of the pairs also wait for answers in campaigns that are not closed: they would be answered twice.",
                 p->waiting);
    }
    if (p->without_negatives) {
        cli_note(cli, "%zu labels have fewer than 3 images that are known not to have them: their grids have fewer negative controls.",
                 p->without_negatives);
    }
}

/* What is opened keeps its terms. */
static bool is_open(const struct plan *p)
{
    return p->campaign.id && !p->cli->dry_run && !sv_is(p->campaign.state, "draft");
}

/* A place that pays for more work than a person can get, with what to do about it. */
static void warn_of_pay(const struct plan *p, const struct plan_summary *s)
{
    const struct campaign *k = &p->campaign;
    const struct plan_cost *cost = &s->cost;
    const struct plan_terms terms = campaign_plan_terms(k);
    struct cli *cli = p->cli;
    const char *said = plan_short_said(&cli->arena, &terms, cost, k->currency);
    const char *share = cost->fuller_share > 0
                            ? arena_printf(&cli->arena, "Let a person do more with --max-share %g, or price",
                                           cost->fuller_share)
                            : "Price";
    if (said) {
        cli_warn(cli, "%s %s the place by its work with --grids-per-place %lld --minutes %.3g --pay %lld.%s", said,
                 share, (long long)cost->per_place, cost->minutes > 0.1 ? cost->minutes : 0.1,
                 (long long)cost->fair_cents,
                 cli->dry_run ? ""
                 : is_open(p) ? " This campaign is open and keeps its terms: give these options to the next one."
                              : " Run this command again with these options to change the draft.");
    }
}

static void warn_of_title(const struct plan *p)
{
    if (!campaign_titled(&p->campaign)) {
        cli_warn(p->cli, "The campaign has no title, so workers read a general one. %s",
                 is_open(p)       ? "Plan the next one with --title."
                 : p->campaign.id ? "Give it one: run this command again with --title."
                                  : "Give it one with --title.");
    }
}

static void note_shortages(const struct plan *p, const struct plan_summary *s)
{
    const struct cli *cli = p->cli;
    if (p->of_set) {
        note_again(cli, p->of_set);
    }
    if (p->potential) {
        note_potential(cli, p->potential);
    }
    if (p->drawn_negatives) {
        cli_note(cli, "The nearest class of %zu classes is not known (holdout import wordnet, or "
                 "classes as JSON lines): their negative controls come from a class drawn at "
                 "random.", p->drawn_negatives);
    }
    if (p->short_of_controls) {
        cli_note(cli, "%zu classes have fewer than 3 originals, or their nearest class has: "
                 "their grids have fewer controls.", p->short_of_controls);
    }
    if (p->without_gold) {
        cli_note(cli, "%zu classes have no gold images, and neither has their nearest class: their grids "
                 "have none (holdout import images --role gold).", p->without_gold);
    }
    if (s->totals.impossible && p->campaign.coverage) {
        cli_note(cli, "%zu classes have fewer than %lld originals to show: import more (--role "
                 "original), or plan with a lower --coverage.", s->totals.impossible,
                 (long long)p->campaign.coverage);
    }
    warn_of_pay(p, s);
    warn_of_title(p);
    if (p->campaign.places < s->cost.places) {
        cli_note(cli, "The campaign has %lld places and needs %lld: it will not be answered in "
                 "full.", (long long)p->campaign.places, (long long)s->cost.places);
    }
}

/* --set: every image of it and as many originals, once; no originals are shown beyond these. */
static enum err_code read_again(struct plan *p, struct plan_again *again)
{
    struct cli *cli = p->cli;
    if (!cli_has(cli, "set")) {
        return OK;
    }
    if (!sv_is(p->campaign.kind, "re-measurement")) {
        return cli_usage(cli, "--set is for --kind re-measurement");
    }
    if (p->campaign.same_image_again) {
        return cli_usage(cli, "--same-image-again would let people measure what they have already seen");
    }
    p->campaign.coverage = 0;
    p->of_set = again;
    return plan_again_open(cli, again);
}

/* --potential: grids about labels that images could have; no originals are shown beyond the controls. */
static enum err_code read_potential(struct plan *p, struct plan_potential *potential)
{
    struct cli *cli = p->cli;
    bool kind = sv_is(p->campaign.kind, "potential");
    if (kind != cli_has(cli, "potential")) {
        return cli_usage(cli, kind ? "--kind potential asks about a plan of potential labels: name it with --potential"
                                   : "--potential is for --kind potential");
    }
    if (kind && (cli_has(cli, "set") || cli_has(cli, "class") || cli_has(cli, "answered-too"))) {
        return cli_usage(cli, "--kind potential takes its images and labels from the plan: give no --set, --class or --answered-too");
    }
    if (kind) {
        p->campaign.coverage = 0;
        p->potential = potential;
    }
    return OK;
}

/* A plan that cannot be done is printed too, and then refused. */
static enum err_code write_planned(struct plan *p, const struct plan_summary *sum)
{
    struct cli *cli = p->cli;
    enum err_code rc = p->potential ? plan_potential_end(p) : OK;
    bool refused = rc == ERR_INPUT;
    struct err why = cli->err;
    rc = rc == OK && !cli->dry_run ? plan_write(p) : rc;
    if (rc == OK || refused) {
        err_clear(&cli->err);
        rc = plan_print(p, sum);
        note_shortages(p, sum);
    }
    if (rc == OK && refused) {
        cli->err = why;
        rc = why.code;
    }
    return rc;
}

static enum err_code plan_grids_of(struct cli *cli)
{
    struct plan p = {.cli = cli};
    struct plan_again again;
    struct plan_potential potential = {.pairs = 0};
    struct plan_summary sum = {0};
    int64_t only;
    enum err_code rc = plan_terms_read(cli, false, &p.campaign);
    rc = rc == OK ? read_again(&p, &again) : rc;
    rc = rc == OK ? read_potential(&p, &potential) : rc;
    rc = rc == OK ? plan_adopt_draft(&p) : rc;
    rc = rc == OK ? plan_all(&p, &only) : rc;
    rc = rc == OK && !p.potential ? note_waiting(&p) : rc;
    if (rc == OK) {
        plan_sum(&p, only, &sum);
        rc = write_planned(&p, &sum);
    }
    plan_release(&p);
    plan_potential_close(&potential);
    return rc;
}

enum err_code cmd_grids(struct cli *cli) { return plan_as_job(cli, plan_grids_of); }
