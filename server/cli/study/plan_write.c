/* plan_write.c - writing a planned campaign. */
#include "cli/study/plan_write.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/xalloc.h"
#include "cli/study/plan_terms.h"
#include "db/bulk.h"
#include "store/campaigns/remeasurements.h"

enum { CHUNK = 10, GRID_NAME = 96 };

enum err_code plan_open(struct plan *p)
{
    struct cli *cli = p->cli;
    enum err_code rc = coverage_load(cli->db, p->campaign.kind, cli->config.flags_to_quarantine, &p->coverage, &cli->err);
    return rc == OK ? relations_pairs(cli->db, &cli->arena, &p->relations, &p->n_relations, &cli->err) : rc;
}

/* Books what a grid will bring. */
static void count_cells(struct plan *p, const struct plan_grid *g)
{
    uint32_t *coming = p->coverage.coming;
    uint32_t answers = (uint32_t)p->campaign.answers_per_grid;
    for (unsigned i = 0; i < g->n; i++) {
        if (g->role[i] == CELL_CANDIDATE) {
            p->planned += coming[g->image[i]] == 0;
            p->again += coming[g->image[i]] != 0;
        }
        if (g->role[i] == CELL_CANDIDATE || g->role[i] == CELL_POSITIVE) {
            coming[g->image[i]] += answers;
        }
        p->gold += g->role[i] == CELL_GOLD;
    }
}

void plan_add(struct plan *p, int64_t class_id, const struct plan_grid *grid, const struct grid_options *options)
{
    xgrow(&p->grids, &p->cap, p->n + 1, sizeof *p->grids);
    p->grids[p->n++] = (struct planned){class_id, *grid, options};
    p->special += grid->special;
    count_cells(p, grid);
}

static enum err_code read_pools(struct plan *p, int64_t class_id, int64_t other, struct arena *a,
                                struct plan_class *out)
{
    size_t elsewhere = 0; /* hidden images of the other class are counted there */
    const struct {
        int64_t class_id;
        const char *role;
        struct plan_pool *to;
        size_t *hidden;
    } pools[] = {
        {class_id, "candidate", &out->candidates, &p->hidden},
        {class_id, "original", &out->originals, &p->hidden},
        {other, "original", &out->negatives, &elsewhere},
        {class_id, "gold", &out->gold, &elsewhere},
        {other, "gold", &out->other_gold, &elsewhere},
    };
    size_t n = p->campaign.gold_per_grid ? 5 : 3;
    enum err_code rc = OK;
    for (size_t i = 0; i < n && rc == OK; i++) {
        rc = coverage_pool(p->cli->db, &p->coverage, pools[i].class_id, pools[i].role, a,
                           pools[i].to, pools[i].hidden, &p->cli->err);
    }
    return rc;
}

/* As if nobody had answered yet. */
static struct plan_pool unanswered(const struct plan_pool *pool, struct arena *a)
{
    struct plan_image *list = arena_alloc(a, (pool->n + 1) * sizeof *list);
    for (size_t i = 0; i < pool->n; i++) {
        list[i] = pool->images[i];
        list[i].answers = 0;
    }
    return (struct plan_pool){list, pool->n};
}

enum err_code plan_class(struct plan *p, int64_t class_id, int64_t other, struct rng *r,
                         size_t most)
{
    const struct plan_rules rules = {(uint32_t)p->campaign.answers_per_grid,
                                     (unsigned)p->campaign.gold_per_grid,
                                     (size_t)p->campaign.coverage, p->potential != NULL};
    struct plan_class in = {0};
    struct plan_pool drawn = {0};
    struct arena a;
    arena_init(&a, 1 << 30);
    enum err_code rc = read_pools(p, class_id, other, &a, &in);
    if (rc == OK && cli_has(p->cli, "answered-too")) {
        in.candidates = unanswered(&in.candidates, &a);
    }
    bool any = rc == OK && (!p->of_set || plan_again_pools(p->of_set, class_id, r, &a, &in, &drawn)) &&
               (!p->potential || plan_potential_pools(p, class_id, r, &a, &in));
    if (any) {
        struct plan_grid *grids;
        size_t n;
        plan_grids(&in, &rules, r, &grids, &n);
        plan_again_roles(&drawn, grids, n);
        for (size_t i = 0; i < n && p->n < most; i++) {
            plan_add(p, class_id, &grids[i], NULL);
        }
        for (size_t i = 0; i < in.candidates.n; i++) {
            bool enough = in.candidates.images[i].answers >= rules.answers_per_grid;
            p->answered += enough;
            p->planned_pairs += !enough;
        }
        p->short_of_controls +=
            n > 0 && ((in.originals.n < 3 && !p->of_set) || in.negatives.n < 3);
        p->without_gold += n > 0 && rules.gold_per_grid && in.gold.n + in.other_gold.n == 0;
        free(grids);
    }
    arena_release(&a);
    return rc;
}

void plan_release(struct plan *p)
{
    free(p->grids);
    p->grids = NULL;
    p->n = p->cap = 0;
    coverage_release(&p->coverage);
}

/* Grid number `at` of the plan as a row; its name is in `name`. */
static void planned_grid(const struct plan *p, size_t at, char name[GRID_NAME],
                         struct grid_new *out)
{
    const struct plan_grid *from = &p->grids[at].grid;
    *out = (struct grid_new){.campaign = p->campaign.id,
                             .class_id = p->grids[at].class_id,
                             .number = (int64_t)at + 1,
                             .special = from->special,
                             .cells.n = from->n};
    for (unsigned i = 0; i < from->n; i++) {
        out->cells.image[i] = from->image[i];
        out->cells.role[i] = from->role[i];
    }
    if (p->grids[at].options) {
        out->options = *p->grids[at].options;
    }
    snprintf(name, GRID_NAME, SV_FMT "-%zu", SV_ARG(p->campaign.name), at + 1);
    out->name = sv_of(name);
}

enum err_code plan_adopt_draft(struct plan *p)
{
    struct cli *cli = p->cli;
    struct campaign draft;
    struct err none = {OK, "", ""};
    enum err_code rc = campaigns_find(cli->db, p->campaign.name, &cli->arena, &draft, &none);
    if (rc != OK) {
        return rc == ERR_NOT_FOUND ? OK : err_set(&cli->err, rc, "%s", none.msg);
    }
    if (!sv_is(draft.state, "draft") || draft.imported ||
        draft.classify != p->campaign.classify || (cli_has(cli, "seed") && draft.seed != p->campaign.seed)) {
        return err_set(&cli->err, ERR_CONFLICT,
                       "there is already a campaign named " SV_FMT "; choose another name with "
                       "--campaign", SV_ARG(p->campaign.name));
    }
    draft.state = p->campaign.state;
    p->new_terms = plan_terms_change(cli, &p->campaign, &draft);
    p->campaign = draft;
    cli_note(cli, "Completing the draft " SV_FMT " with its own seed and %s.", SV_ARG(draft.name),
             p->new_terms ? "the terms given now" : "terms");
    return OK;
}

/* Before any grid. */
static enum err_code label_plan_step(struct db *db, void *arg, bool *more, struct err *err)
{
    struct plan *p = arg;
    *more = false;
    return label_plan_campaign_add(db, p->label_plan, p->campaign.id, err);
}

/* Before any grid: none is handed out to people who are kept apart. */
static enum err_code again_step(struct db *db, void *arg, bool *more, struct err *err)
{
    struct plan *p = arg;
    *more = false;
    return remeasurements_add(db, p->campaign.id, p->of_set->revision.id, p->of_set->apart,
                              p->of_set->n_apart, err);
}

/* A draft that is completed must hold what is planned now, grid by grid. */
static enum err_code compare_draft(struct plan *p)
{
    struct err why = {OK, "", ""};
    enum err_code rc = OK;
    for (size_t i = 0; i < p->n && rc == OK; i++) {
        struct grid_new g;
        char name[GRID_NAME];
        planned_grid(p, i, name, &g);
        rc = grids_check(p->cli->db, &g, &why);
    }
    if (rc == ERR_CONFLICT) {
        return err_rule(&p->cli->err, ERR_CONFLICT, "grid-differs",
                        "Images, answers or options have changed since the draft " SV_FMT " was planned, so "
                        "it cannot be completed. Nothing was written; choose another name with "
                        "--campaign.", SV_ARG(p->campaign.name));
    }
    p->cli->err = rc != OK ? why : p->cli->err;
    return rc;
}

static enum err_code write_step(struct db *db, void *arg, bool *more, struct err *err)
{
    struct plan *p = arg;
    enum err_code rc = OK;
    uint64_t added = 0;
    for (int k = 0; k < CHUNK && p->at < p->n && rc == OK; k++, p->at++) {
        struct grid_new g;
        char name[GRID_NAME];
        int64_t id;
        planned_grid(p, p->at, name, &g);
        rc = grids_create(db, &g, clock_wall_ms(), &id, err);
        added += id != 0;
    }
    if (rc == OK && added) {
        rc = grids_event(db, p->campaign.id, false, added, clock_wall_ms(), err);
    }
    *more = p->at < p->n;
    cli_progress(p->cli, "grids", p->at, p->n);
    return rc;
}

static enum err_code create_step(struct db *db, void *arg, bool *more, struct err *err)
{
    struct plan *p = arg;
    struct campaign draft = p->campaign;
    *more = false;
    draft.state = SV("draft");
    enum err_code rc = campaigns_create(db, &draft, 0, clock_wall_ms(), err);
    p->campaign.id = draft.id;
    rc = rc == OK && p->label_plan ? label_plan_step(db, p, more, err) : rc;
    return rc == OK && p->of_set ? again_step(db, p, more, err) : rc;
}

static enum err_code state_step(struct db *db, void *arg, bool *more, struct err *err)
{
    struct plan *p = arg;
    *more = false;
    if (p->new_terms && campaigns_set_terms(db, &p->campaign, 0, clock_wall_ms(), err) != OK) {
        return err->code;
    }
    return campaigns_set_state(db, p->campaign.id, arena_cstr(&p->cli->arena, p->campaign.state), 0,
                               clock_wall_ms(), err);
}

enum err_code plan_write(struct plan *p)
{
    struct cli *cli = p->cli;
    enum err_code rc = OK;
    if (p->campaign.id == 0) {
        rc = bulk_write(cli->db, cli->alone, create_step, p, &cli->err);
    } else {
        rc = compare_draft(p);
        rc = rc == OK && p->of_set
                 ? bulk_write(cli->db, cli->alone, again_step, p, &cli->err)
                 : rc;
        rc = rc == OK && p->label_plan ? bulk_write(cli->db, cli->alone, label_plan_step, p, &cli->err) : rc;
    }
    rc = rc == OK ? bulk_write(cli->db, cli->alone, write_step, p, &cli->err) : rc;
    rc = rc == OK ? bulk_write(cli->db, cli->alone, state_step, p, &cli->err) : rc;
    cli_progress_end(cli);
    return rc;
}
