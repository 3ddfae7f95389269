/* responses.c - SQL for answers of CLASSIFY tasks. */
#include "store/work/responses.h"

#include "base/list.h"
#include "base/map.h"
#include "db/rows.h"

/* The columns of response_row and the tables that they come from, joined where each question finds its rows. */
#define RESPONSE                                                                                                       \
    "SELECT w.id, g.campaign, g.id, c.image, a.person, g.class, w.at, w.active_ms, a.seed, w.mask,"                    \
    " coalesce(w.main, -1), c.role, a.seed IS NOT NULL, w.surplus, g.excluded IS NOT NULL, k.none_of_these,"            \
    " coalesce((SELECT s.value FROM answer_state s WHERE s.answer = w.id AND s.field = 'analysis' AND s.id <= ?2 ORDER BY s.id DESC LIMIT 1),"  \
    "  'in') = 'out' FROM "
#define WHICH " WHERE w.id > ?1 AND w.id <= ?2 AND (?3 = 0 OR g.campaign = ?3) AND (?4 = 0 OR c.image = ?4)"            \
    " AND k.task = 'classify' ORDER BY w.id"

DB_ROW(response_row, struct work_response, id, campaign, grid, image, person, class_id, at, active_ms, seed, mask, main,
       role, shuffled, surplus, excluded, none_offered, out);

static const char *question(const struct responses_of *of)
{
    if (of->image) {
        return RESPONSE "grid_cell c CROSS JOIN grid g ON g.id = c.grid JOIN campaign k ON k.id = g.campaign"
                        " CROSS JOIN assignment a ON a.grid = g.id CROSS JOIN answer w ON w.assignment = a.id" WHICH;
    }
    if (of->after) { /* few */
        return RESPONSE "answer w CROSS JOIN assignment a ON a.id = w.assignment CROSS JOIN grid g ON g.id = a.grid"
                        " JOIN campaign k ON k.id = g.campaign CROSS JOIN grid_cell c ON c.grid = g.id" WHICH;
    }
    return RESPONSE "campaign k CROSS JOIN grid g ON g.campaign = k.id CROSS JOIN grid_cell c ON c.grid = g.id"
                    " CROSS JOIN assignment a ON a.grid = g.id CROSS JOIN answer w ON w.assignment = a.id" WHICH;
}

/* Options of grids, read once for each grid that has an answer. */
struct tasks {
    struct db *db;
    struct arena *arena;
    struct map_u64 index; /* grid -> */
    struct list options;  /* struct grid_options * */
};

static enum err_code options_of(struct tasks *t, int64_t grid, const struct grid_options **out, struct err *err)
{
    uint32_t at = map_u64_get(&t->index, (uint64_t)grid);
    if (at != MAP_NONE) {
        *out = ((struct grid_options **)t->options.items)[at];
        return OK;
    }
    struct grid_options *o = arena_alloc(t->arena, sizeof *o);
    *out = o;
    *LIST_ADD(&t->options, t->arena, struct grid_options *) = o;
    map_u64_put(&t->index, (uint64_t)grid, (uint32_t)t->options.n - 1);
    return grids_options(t->db, grid, o, err);
}

enum err_code responses_each(struct db *db, const struct responses_of *of, struct arena *a,
                             enum err_code (*each)(void *arg, const struct work_response *w, struct err *err), void *arg,
                             struct err *err)
{
    struct tasks tasks = {.db = db, .arena = a};
    struct work_response w;
    struct db_rows r;
    map_u64_init(&tasks.index);
    enum err_code rc = db_begin(
        db, question(of), DB_VALS(db_int(of->after), db_int(of->until), db_int(of->campaign), db_int(of->image)), &r, err);
    while (rc == OK && db_next(&r, response_row, &w, NULL, err)) {
        rc = options_of(&tasks, w.grid, &w.options, err);
        rc = rc == OK ? each(arg, &w, err) : rc;
    }
    map_u64_release(&tasks.index);
    return db_end_after(&r, rc);
}

enum err_code responses_campaigns(struct db *db, struct arena *a, int64_t **out, size_t *n, struct err *err)
{
    return db_list_int(db,
                       "SELECT k.id FROM campaign k WHERE k.task = 'classify' AND EXISTS (SELECT 1 FROM grid g"
                       " CROSS JOIN assignment a ON a.grid = g.id CROSS JOIN answer w ON w.assignment = a.id"
                       " WHERE g.campaign = k.id) ORDER BY k.id",
                       DB_NONE, a, out, n, err);
}

DB_ROW(response_campaign_row, struct response_campaign, id, tasks, name);

enum err_code responses_tasks(struct db *db, struct arena *a, struct response_campaign **out, size_t *n, struct err *err)
{
    return db_list(db, response_campaign_row, out, n, a,
                   "SELECT k.id, (SELECT count(*) FROM grid g JOIN grid_cell c ON c.grid = g.id WHERE g.campaign = k.id AND c.role = ?1),"
                   " k.name FROM campaign k WHERE k.task = 'classify' ORDER BY k.id",
                   DB_VALS(db_int(CELL_CANDIDATE)), err);
}

DB_ROW(response_stage_row, struct response_stage, campaign, version, images, plan, stage);

enum err_code responses_stages(struct db *db, struct arena *a, struct response_stage **out, size_t *n, struct err *err)
{
    return db_list(db, response_stage_row, out, n, a,
                   "SELECT x.campaign, p.version, count(*), p.name, i.stage FROM label_plan_campaign x JOIN campaign k ON k.id = x.campaign"
                   " JOIN label_plan p ON p.id = x.plan AND p.kind = 'candidates' JOIN label_plan_image i ON i.list = p.list"
                   " WHERE k.task = 'classify' GROUP BY x.campaign, i.stage ORDER BY x.campaign, i.stage",
                   DB_NONE, err);
}

DB_ROW(response_easy_row, struct response_easy, image, class_id, campaign);

enum err_code responses_easy(struct db *db, int64_t as_of, struct arena *a, struct response_easy **out, size_t *n, struct err *err)
{
    return db_list(db, response_easy_row, out, n, a,
                   "SELECT i.image, i.class, x.campaign FROM label_plan_campaign x JOIN campaign k ON k.id = x.campaign"
                   " JOIN label_plan p ON p.id = x.plan AND p.kind = 'candidates' JOIN label_plan_image i ON i.list = p.list"
                   " WHERE k.task = 'classify' AND i.stage = 'easy' AND EXISTS (SELECT 1 FROM grid g CROSS JOIN assignment a ON a.grid = g.id"
                   "  CROSS JOIN answer w ON w.assignment = a.id WHERE g.campaign = k.id AND w.id <= ?1) ORDER BY i.image, x.campaign",
                   DB_VALS(db_int(as_of > 0 ? as_of : INT64_MAX)), err);
}
