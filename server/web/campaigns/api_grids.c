/* api_grids.c - a campaign's grids as JSON, and one grid with its cells and answers: what the lead's
 * pages show. Lists come from the tally, so that their length costs nothing. */
#include "json/object.h"
#include "web/campaigns/grid_data.h"
#include "web/core/lists.h"
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
        object_add(items, field_int("id", list[i].id), field_int("class", list[i].class_id),
                   field_int("cells", list[i].cells), field_int("answers", list[i].answers),
                   field_int("wanted", k.answers_per_grid));
    }
    return reply_json(c, 200,
                      object(field_json("items", items),
                             field_json("next", next ? json_integer(next) : json_null())));
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
        object(field_int("id", v.grid.id), field_sv("name", v.grid.name),
               field_sv("campaign", v.campaign.name), field_int("class", v.grid.class_id),
               field_bool("special", v.grid.special),
               field_json("excluded", v.grid.excluded.n ? data_text(v.grid.excluded) : json_null()),
               field_json("cells", grid_cells_json(c, &v)), field_json("assignments", lent),
               field_json("summary", grid_summary_json(c, &v))));
}
