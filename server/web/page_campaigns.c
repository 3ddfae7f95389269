/* page_campaigns.c - the list of campaigns; opening, pausing, closing one. Its own page is page_campaign.c. */
#include "base/clock.h"
#include "web/page_data.h"
#include "web/pages.h"
#include "web/reply.h"

/* GET /campaigns */
enum err_code page_campaigns(struct ctx *c)
{
    struct campaign *list;
    size_t n;
    if (campaigns_list(c->db, false, c->arena, &list, &n, &c->err) != OK) {
        return c->err.code;
    }
    json_t *campaigns = json_array();
    for (size_t i = 0; i < n; i++) {
        json_array_append_new(campaigns, data_campaign(c, &list[i]));
    }
    return reply_page(c, 200, "campaigns/index", "Campaigns",
                      json_pack("{s:o, s:o}", "live", data_live("votes,plan", "/campaigns"),
                                "campaigns", campaigns));
}

/* POST /campaigns/:campaign/state/:state */
enum err_code page_campaign_state(struct ctx *c)
{
    static const char *const states[] = {"open", "paused", "closed"};
    struct campaign k;
    const char *to = NULL;
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        to = sv_is(c->req->params[1], states[i]) ? states[i] : to;
    }
    if (!to) {
        return err_set(&c->err, ERR_NOT_FOUND, "A campaign can be open, paused or closed.");
    }
    if (campaigns_find(c->db, c->req->params[0], c->arena, &k, &c->err) != OK) {
        return c->err.code;
    }
    if (k.imported) {
        return err_rule(&c->err, ERR_CONFLICT, "imported",
                        "This campaign was done elsewhere and imported: it cannot be opened.");
    }
    if (!sv_is(k.state, to) && campaigns_set_state(c->db, k.id, to, c->user.account,
                                                   clock_wall_ms(), &c->err) != OK) {
        return c->err.code;
    }
    return reply_redirect(c, arena_printf(c->arena, "/campaigns/" SV_FMT, SV_ARG(k.name)));
}
