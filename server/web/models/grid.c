/* grid.c - every model on every revision as tables for other programs (measures/scores/score_grid.h). Rows in routes.c. */
#include "measures/scores/score_grid.h"
#include "web/core/lists.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/parts/set_data.h"
#include "web/scoring/model_table.h"

#define CSV "text/csv; charset=utf-8"

static enum err_code read_grid(struct ctx *c, const struct model_query *q, struct subset *subset, struct score_grid *out)
{
    enum err_code rc = set_part_asked(c, q->subset, q->labels, subset);
    return rc == OK ? score_grid_read(app_model_scores(c->app), c->db, subset, c->arena, out, &c->err) : rc;
}

/* GET /api/v1/scores/long.csv?subset=&labels=&level= */
enum err_code api_scores_long(struct ctx *c)
{
    struct model_query q;
    struct subset subset;
    struct score_grid grid;
    if (model_query_read(c, &q) != OK || read_grid(c, &q, &subset, &grid) != OK) {
        return c->err.code;
    }
    score_grid_long(&grid, model_query_level(&q), &c->res->body);
    return reply_table_file(c, "scores-long.csv", CSV);
}

/* GET /api/v1/scores/testbed.csv?subset=&labels=&top= */
enum err_code api_scores_testbed(struct ctx *c)
{
    struct model_query q;
    struct subset subset;
    struct score_grid grid;
    if (model_query_read(c, &q) != OK || read_grid(c, &q, &subset, &grid) != OK) {
        return c->err.code;
    }
    score_grid_testbed(&grid, q.top, c->arena, &c->res->body);
    return reply_table_file(c, arena_printf(c->arena, "scores-testbed-top%d.csv", q.top), CSV);
}
