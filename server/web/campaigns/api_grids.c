/* api_grids.c - a campaign's grids as JSON, and one grid with its cells and answers: what the lead's
 * pages show. Lists come from the tally, so that their length costs nothing. */
#include "web/campaigns/grid_data.h"
#include "web/core/lists.h"
#include "web/core/pages.h"
#include "web/core/records.h"
#include "web/core/reply.h"

enum { LIMIT_DEFAULT = 100, LIMIT_MOST = 1000 };

/* GET /api/v1/campaigns/:campaign/grids?after=&limit= */
enum err_code api_campaign_grids(struct ctx *c)
{
    struct campaign k;
    struct cursor at;
    int64_t next = 0;
    size_t n;
    if (cursor_read(c, "after", LIMIT_DEFAULT, LIMIT_MOST, &at) != OK ||
        campaigns_find(c->db, c->req->params[0], c->arena, &k, &c->err) != OK) {
        return c->err.code;
    }
    struct grid_entry *list = grid_entries(c, &k, at.from, at.limit, &n, &next);
    json_t *items = json_array();
    for (size_t i = 0; i < n; i++) {
        json_array_append_new(items, record_json(&grid_item_record, &list[i]));
    }
    return reply_items(c, items, next);
}

/* GET /api/v1/grids/:grid */
enum err_code api_grid(struct ctx *c)
{
    struct grid_view v;
    int64_t id = 0;
    sv_i64(c->req->params[0], &id);
    return grid_view_load(c, id, &v) == OK ? reply_json(c, 200, grid_json(c, &v)) : c->err.code;
}
