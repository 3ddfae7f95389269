/* api_overview.c - the overview and campaigns for scripts. */
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/parts/live_data.h"

/* GET /api/v1/campaigns */
enum err_code api_campaigns(struct ctx *c)
{
    struct campaign *list;
    size_t n;
    if (campaigns_list(c->db, false, c->arena, &list, &n, &c->err) != OK) {
        return c->err.code;
    }
    json_t *items = json_array();
    for (size_t i = 0; i < n; i++) {
        json_array_append_new(items, data_campaign(c, &list[i]));
    }
    return reply_items(c, items, 0);
}

/* GET /api/v1/overview, on a helper thread as the page */
enum err_code api_overview(struct ctx *c)
{
    struct stats_keeper *keeper = app_stats(c->app);
    const struct stats *s = stats_get(keeper);
    json_t *all = live_overview(c, s);
    stats_put(keeper, s);
    return all ? reply_json(c, 200, all) : c->err.code;
}

/* GET /api/v1/campaigns/:campaign, on a helper thread; of its classes below the coverage those from
 * number `classes` on */
enum err_code api_campaign(struct ctx *c)
{
    struct campaign k;
    struct sv asked = request_query(c->req, "classes");
    int64_t from = 0;
    if (asked.n && (!sv_i64(asked, &from) || from < 0)) {
        return err_rule(&c->err, ERR_INPUT, "cursor",
                        "classes must be the \"next\" of an earlier reply's coverage.");
    }
    if (campaigns_find(c->db, c->req->params[0], c->arena, &k, &c->err) != OK) {
        return c->err.code;
    }
    struct stats_keeper *keeper = app_stats(c->app);
    const struct stats *s = stats_get(keeper);
    json_t *all = live_campaign(c, s, &k, (size_t)from);
    stats_put(keeper, s);
    return all ? reply_json(c, 200, all) : c->err.code;
}
