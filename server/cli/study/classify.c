/* classify.c - `holdout classify`: a CLASSIFY campaign from a frozen plan of candidate labels: every image whose stage needs
 * people becomes a task of one cell, whose options are its candidates. Checks, whose objects are known, come from what people
 * said already (sets/labels/checks.h) or from a file; candidates that were found elsewhere from a file, too. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "cli/core/commands.h"
#include "cli/study/plan_job.h"
#include "cli/study/plan_terms.h"
#include "cli/study/plan_write.h"
#include "json/object.h"
#include "sets/labels/checks.h"
#include "sets/labels/feasible.h"
#include "transfer/labels/tasks.h"

enum { CHECKS_MOST = 100000, PEOPLE_MOST = 100000000 };

struct classify_run {
    struct plan plan;
    struct label_plan_row row;
    struct label_plan_book book;
    struct grid_options *options; /* of each planned task */
    struct tasks_found found;     /* in the files */
    struct check_task *checks;    /* from what people said */
    size_t one, two;              /* of them: with one object, with two */
    struct feasible_terms terms;
    struct feasible_most most;    /* whom an image takes */
    struct feasible_way way;
    size_t stages[CANDIDATE_STAGES], hidden;
};

static enum err_code read_ask(struct classify_run *run)
{
    struct cli *cli = run->plan.cli;
    const char *name = cli_opt(cli, "plan");
    struct campaign *k = &run->plan.campaign;
    if (!name && !cli_has(cli, "tasks")) {
        return cli_usage(cli, "name the plan of candidate labels with --plan, or a file of candidates with --tasks");
    }
    enum err_code rc = plan_terms_read(cli, true, k);
    if (rc != OK || !name) {
        return rc == OK ? plan_open(&run->plan) : rc;
    }
    rc = rc == OK ? label_plans_find(cli->db, LABEL_PLAN_CANDIDATES, sv_of(name), &cli->arena, &run->row, &cli->err) : rc;
    rc = rc == OK ? label_plan_read(cli->db, run->row.list, &cli->arena, &run->book, &cli->err) : rc;
    run->plan.label_plan = run->row.id;
    return rc == OK ? plan_open(&run->plan) : rc;
}

/* Options are in the order of candidates, which decides ties. */
static enum err_code add_options(const struct classify_run *run, const struct planned_image *image, struct grid_options *out,
                                 struct err *err)
{
    const struct planned_label *labels = run->book.labels + image->first;
    for (uint32_t i = 0; i < image->n; i++) {
        if (labels[i].rank != LABEL_PLAN_NO_RANK && labels[i].rank >= GRID_OPTIONS) {
            return err_rule(err, ERR_INPUT, "classify-options",
                            "An image of the plan has more than %d candidates, too many to choose among. Nothing was planned. Freeze "
                            "one with --most %d or less.",
                            (int)GRID_OPTIONS, (int)GRID_OPTIONS);
        }
        if (labels[i].rank != LABEL_PLAN_NO_RANK) {
            out->class_id[labels[i].rank] = labels[i].class_id;
            out->n++;
        }
    }
    return OK;
}

static enum err_code plan_images(struct classify_run *run)
{
    struct plan *p = &run->plan;
    struct rng r;
    uint32_t *order = xmalloc((run->book.n + 1) * sizeof *order);
    size_t n = 0;
    enum err_code rc = OK;
    for (size_t i = 0; i < run->book.n; i++) {
        const struct planned_image *image = &run->book.images[i];
        bool asked = image->stage == CANDIDATES_FU, hidden = p->coverage.hidden[image->image];
        run->stages[image->stage]++;
        run->hidden += asked && hidden;
        order[n] = (uint32_t)i;
        n += asked && !hidden;
    }
    rng_seed(&r, (uint64_t)p->campaign.seed);
    rng_shuffle_u32(&r, order, n);
    run->options = xcalloc(n + 1, sizeof *run->options); /* tasks of files have their own */
    for (size_t i = 0; i < n && rc == OK; i++) {
        const struct planned_image *image = &run->book.images[order[i]];
        struct plan_grid cell = {.n = 1, .image = {image->image}, .role = {CELL_CANDIDATE}};
        rc = add_options(run, image, &run->options[i], &p->cli->err);
        plan_add(p, image->class_id, &cell, &run->options[i]);
    }
    free(order);
    if (rc == OK && n == 0 && run->row.id) {
        rc = err_rule(&p->cli->err, ERR_INPUT, "nothing-to-plan",
                      "Nobody has to choose: no image of " SV_FMT "/%lld that can be shown is of the stage fu. Nothing was planned.",
                      SV_ARG(run->row.name), (long long)run->row.version);
    }
    return rc;
}

/* The tasks of a file: of candidates, or the checks beside a plan. */
static enum err_code add_file(struct classify_run *run, const char *option)
{
    struct cli *cli = run->plan.cli;
    struct tasks_found found = {0};
    struct task_new *list = NULL;
    enum err_code rc = cli_has(cli, option) ? tasks_read(cli_transfer(cli), cli_opt(cli, option), &list, &found) : OK;
    for (size_t i = 0; rc == OK && i < found.tasks; i++) {
        struct plan_grid cell = {.n = 1, .image = {list[i].image}, .role = {list[i].options.known ? CELL_GOLD : CELL_CANDIDATE}};
        if (run->plan.coverage.hidden[list[i].image]) {
            run->hidden++;
        } else {
            plan_add(&run->plan, list[i].class_id, &cell, &list[i].options);
        }
    }
    run->found.checks += found.checks;
    run->found.single += found.single;
    return rc;
}

/* ---- checks from what people said ---- */

struct taken {
    const bool *hidden;
    bool *planned; /* by image id */
    size_t n;
};

static bool is_taken(void *arg, uint32_t image)
{
    const struct taken *t = arg;
    return image >= t->n || t->hidden[image] || t->planned[image];
}

static enum err_code too_few(struct classify_run *run, const struct check_pool *pool)
{
    return err_rule(&run->plan.cli->err, ERR_INPUT, "classify-checks",
                    "There are %zu images of which it is known that they show one object (%zu of them easy ones of the plan), and %zu that "
                    "show two. Nothing was planned. Ask for as many checks at most, or give images with --checks.",
                    pool->n_one, pool->easy, pool->n_two);
}

static void add_checks(struct classify_run *run, const struct check_pool *pool, const struct checks_ask *ask)
{
    size_t n = run->one + run->two;
    run->checks = xcalloc(n, sizeof *run->checks);
    checks_draw(pool, ask, run->one, run->two, run->checks);
    for (size_t i = 0; i < n; i++) {
        struct plan_grid cell = {.n = 1, .image = {run->checks[i].image}, .role = {CELL_GOLD}};
        plan_add(&run->plan, run->checks[i].class_id, &cell, &run->checks[i].options);
    }
}

/* --checks-one, --checks-two. */
static enum err_code find_checks(struct classify_run *run)
{
    struct plan *p = &run->plan;
    struct check_pool pool;
    int64_t one, two;
    enum err_code rc = cli_opt_int(p->cli, "checks-one", 0, CHECKS_MOST, 0, &one);
    rc = rc == OK ? cli_opt_int(p->cli, "checks-two", 0, CHECKS_MOST, 0, &two) : rc;
    if (rc != OK || one + two == 0) {
        return rc;
    }
    if (p->campaign.same_image_again) {
        return cli_usage(p->cli, "--same-image-again would let people be checked by what they said themselves");
    }
    struct taken taken = {p->coverage.hidden, xcalloc(p->coverage.n + 1, sizeof(bool)), p->coverage.n};
    for (size_t i = 0; i < p->n; i++) {
        taken.planned[p->grids[i].grid.image[0]] = true;
    }
    const struct checks_ask ask = {&run->book, (uint32_t)run->row.least, (uint64_t)p->campaign.seed, is_taken, &taken};
    run->one = (size_t)one;
    run->two = (size_t)two;
    rc = checks_find(p->cli->db, &ask, &p->cli->arena, &pool, &p->cli->err);
    if (rc == OK && (pool.n_one < run->one || pool.n_two < run->two)) {
        rc = too_few(run, &pool);
    }
    if (rc == OK) {
        add_checks(run, &pool, &ask);
    }
    checks_release(&pool);
    free(taken.planned);
    return rc;
}

/* Tasks are handed out in the plan's order, so checks stand among the others. */
static void spread_checks(struct plan *p, size_t tasks)
{
    struct rng r;
    rng_seed(&r, (uint64_t)p->campaign.seed + 1);
    for (size_t i = tasks; i > 0 && i < p->n; i++) {
        size_t at = (size_t)rng_below(&r, i + 1);
        struct planned moved = p->grids[at];
        p->grids[at] = p->grids[i];
        p->grids[i] = moved;
    }
}

/* ---- whom it takes ---- */

static int by_image(const void *a, const void *b)
{
    const struct planned_image *x = a, *y = b;
    return (x->image > y->image) - (x->image < y->image);
}

/* Every image is a task, for people who did not see it before. */
static enum err_code count_people(struct classify_run *run)
{
    struct plan *p = &run->plan;
    struct label_plan_book tasks = {0};
    const struct plan_terms terms = campaign_plan_terms(&p->campaign);
    const struct potential_depth depth = {.most = 1, .labels = p->n, .grids = p->n};
    enum err_code rc = cli_opt_int(p->cli, "people", 1, PEOPLE_MOST, 0, &run->terms.people);
    rc = rc == OK ? cli_opt_int(p->cli, "people-a-day", 1, PEOPLE_MOST, PEOPLE_A_DAY, &run->terms.a_day) : rc;
    if (rc != OK) {
        return rc;
    }
    run->terms.terms = terms;
    for (size_t i = 0; i < p->n; i++) {
        label_plan_image(&tasks, (uint32_t)p->grids[i].grid.image[0], (uint32_t)p->grids[i].class_id);
    }
    qsort(tasks.images, tasks.n, sizeof *tasks.images, by_image);
    uint32_t *seen = xcalloc(tasks.n + 1, sizeof *seen), *grids = xcalloc(tasks.n + 1, sizeof *grids);
    for (size_t i = 0; i < tasks.n; i++) {
        grids[i] = 1;
    }
    rc = feasible_seen(p->cli->db, &tasks, seen, &p->cli->err);
    run->most = feasible_most(&tasks, grids, seen, p->campaign.answers_per_grid);
    run->way = feasible_at(&run->terms, &depth, p->campaign.answers_per_grid, 0);
    if (!p->campaign.same_image_again) {
        feasible_put(&run->terms, &run->most, &run->way);
    }
    free(seen);
    free(grids);
    label_plan_release(&tasks);
    if (rc == OK && !run->way.possible) {
        rc = err_rule(&p->cli->err, ERR_INPUT, "plan-people",
                      "This takes %lld different people, those who saw an image before among them, and %lld can be had. Nothing was planned. "
                      "Ask for fewer answers, let one person do more tasks, or find more people.",
                      (long long)run->way.people, (long long)run->terms.people);
    }
    return rc;
}

static json_t *run_json(const struct classify_run *run)
{
    const struct campaign *k = &run->plan.campaign;
    const struct plan_cost *c = &run->way.cost;
    json_t *stages = json_object();
    for (int s = 0; s < CANDIDATE_STAGES; s++) {
        json_object_set_new(stages, candidate_stage_word((enum candidate_stage)s), json_integer((json_int_t)run->stages[s]));
    }
    return object(field_sv("campaign", k->name), field_sv("plan", run->row.name), field_int("version", run->row.version),
                  field_count("checks", run->found.checks + run->one + run->two), field_count("checks_one", run->one),
                  field_count("checks_two", run->two), field_count("single", run->found.single),
                  field_sv("state", k->state), field_int("seed", k->seed), field_bool("dry_run", run->plan.cli->dry_run),
                  field_json("stages", stages), field_count("tasks", run->plan.n), field_count("hidden", run->hidden),
                  field_int("answers_per_task", k->answers_per_grid), field_int("answers", c->answers),
                  field_int("tasks_per_person", c->per_place), field_int("places", c->places), field_int("people", run->way.people), field_int("people_of_image", run->way.people_image),
                  field_int("saw_before", run->most.seen), field_real("days", run->way.days), field_int("pay_cents", c->pay_cents),
                  field_sv("currency", k->currency), field_real("hours", c->hours));
}

static enum err_code print(const struct classify_run *run)
{
    const struct campaign *k = &run->plan.campaign;
    const struct plan_cost *c = &run->way.cost;
    struct cli *cli = run->plan.cli;
    size_t checks = run->found.checks + run->one + run->two;
    if (cli->json) {
        json_t *json = run_json(run);
        bool written = json_dumpf(json, stdout, JSON_COMPACT | JSON_REAL_PRECISION(15)) == 0 && putchar('\n') != EOF;
        json_decref(json);
        return written ? OK : err_set(&cli->err, ERR_IO, "cannot write the output");
    }
    if (!cli->quiet) {
        printf("campaign " SV_FMT " (CLASSIFY, " SV_FMT "), seed %" PRId64 "%s\n", SV_ARG(k->name), SV_ARG(k->state), k->seed,
               cli->dry_run ? " (dry run)" : "");
        printf("  tasks           %zu images of the stage fu; %zu easy, %zu mis, %zu amb and %zu hidden ones need none\n", run->plan.n - checks,
               run->stages[CANDIDATES_EASY], run->stages[CANDIDATES_MIS], run->stages[CANDIDATES_AMB], run->hidden);
        printf("  answers wanted  %" PRId64 ", %" PRId64 " a task\n", c->answers, k->answers_per_grid);
        printf("  places needed   %" PRId64 ", %" PRId64 " tasks each\n", c->places, c->per_place);
        printf("  people          %lld in all, %.0f days with %lld a day; an image takes %" PRId64 " who did not see it before, and up to %lld did\n",
               (long long)run->way.people, run->way.days, (long long)run->terms.a_day, k->answers_per_grid, (long long)run->most.seen);
        printf("  pay             %" PRId64 ".%02" PRId64 " " SV_FMT "\n", c->pay_cents / 100, c->pay_cents % 100, SV_ARG(k->currency));
        printf("  work            %.1f h\n", c->hours);
        printf("  checks          %zu further tasks, whose objects are known\n", checks);
    }
    return OK;
}

static enum err_code plan_tasks(struct classify_run *run)
{
    enum err_code rc = plan_images(run);
    rc = rc == OK ? add_file(run, "tasks") : rc;
    size_t tasks = run->plan.n;
    rc = rc == OK ? add_file(run, "checks") : rc;
    rc = rc == OK ? find_checks(run) : rc;
    spread_checks(&run->plan, tasks);
    return rc == OK ? count_people(run) : rc;
}

static enum err_code classify(struct cli *cli)
{
    struct classify_run run = {.plan.cli = cli};
    enum err_code rc = read_ask(&run);
    rc = rc == OK ? plan_adopt_draft(&run.plan) : rc;
    rc = rc == OK ? plan_tasks(&run) : rc;
    rc = rc == OK && !cli->dry_run ? plan_write(&run.plan) : rc;
    rc = rc == OK ? print(&run) : rc;
    if (rc == OK && run.found.single) {
        cli_note(cli, "%zu images of the file have one candidate label: nobody is asked about them.", run.found.single);
    }
    if (rc == OK && run.found.checks + run.one + run.two == 0) {
        cli_note(cli, "No task is a check. Ask for some with --checks-one and --checks-two, or give images whose objects are known with "
                 "--checks, to see who works carefully.");
    }
    label_plan_release(&run.book);
    free(run.options);
    free(run.checks);
    plan_release(&run.plan);
    return rc;
}

enum err_code cmd_classify(struct cli *cli) { return plan_as_job(cli, classify); }
