/* api_grids.c - a campaign's grids as JSON, and one grid with its cells and answers: what the lead's
 * pages show. Lists come from the tally, so that their length costs nothing. */
#include "web/campaigns/grid_data.h"
#include "web/core/cursor.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
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
    struct grid_entry *list = grid_entries(c, k.id, at.from, at.limit, &n, &next);
    json_t *items = json_array();
    for (size_t i = 0; i < n; i++) {
        json_array_append_new(items, json_pack("{s:I, s:I, s:I, s:I, s:I}", "id",
                                               (json_int_t)list[i].id, "class",
                                               (json_int_t)list[i].class_id, "cells",
                                               (json_int_t)list[i].cells, "answers",
                                               (json_int_t)list[i].answers, "wanted",
                                               (json_int_t)k.answers_per_grid));
    }
    return reply_json(c, 200, json_pack("{s:o, s:o}", "items", items, "next",
                                        next ? json_integer(next) : json_null()));
}

/* GET /api/v1/grids/:grid */
enum err_code api_grid(struct ctx *c)
{
    struct grid_view v;
    int64_t id = 0;
    sv_i64(c->req->params[0], &id);
    if (grid_view_load(c, id, &v) != OK) {
        return c->err.code;
    }
    json_t *lent = json_array();
    for (size_t i = 0; i < v.n_lent; i++) {
        json_array_append_new(lent, grid_lent_json(c, &v, &v.lent[i]));
    }
    return reply_json(
        c, 200,
        json_pack("{s:I, s:o, s:o, s:I, s:b, s:o, s:o, s:o, s:o}", "id", (json_int_t)v.grid.id, "name",
                  data_text(v.grid.name), "campaign", data_text(v.campaign.name), "class",
                  (json_int_t)v.grid.class_id, "special", v.grid.special, "excluded",
                  v.grid.excluded.n ? data_text(v.grid.excluded) : json_null(), "cells",
                  grid_cells_json(c, &v), "assignments", lent, "summary",
                  grid_summary_json(c, &v)));
}
