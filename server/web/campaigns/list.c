/* list.c - the list of campaigns; opening, pausing, closing one. Its own page is campaign.c. */
#include <string.h>

#include "base/clock.h"
#include "json/object.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"

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
                      object(field_json("live", data_live("votes,plan", "/campaigns")),
                             field_json("campaigns", campaigns)));
}

/* What follows from a state, once it is there. */
static const char *state_said(const char *state)
{
    return strcmp(state, "open") == 0 ? "The campaign is open: workers with its link can start."
           : strcmp(state, "paused") == 0
               ? "The campaign is paused: nobody gets a grid until you resume it."
               : "The campaign is closed: nobody can start. Grids already lent can still be submitted.";
}

/* Whoever decided did so about another state, and somebody else was faster. */
static bool is_overtaken(const struct ctx *c, const struct campaign *k, const char *to)
{
    struct sv was = form_get(&c->form, "was");
    return was.n > 0 && !sv_eq(was, k->state) && !sv_is(k->state, to);
}

/* POST /campaigns/:campaign/state/:state: was, the state that the page showed */
enum err_code page_campaign_state(struct ctx *c)
{
    static const char *const states[] = {"open", "paused", "closed"};
    struct campaign k;
    const char *to = NULL;
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        to = sv_is(c->req->params[1], states[i]) ? states[i] : to;
    }
    if (!to) {
        return err_set(&c->err, ERR_NOT_FOUND, "A campaign can only be open, paused or closed.");
    }
    if (campaigns_find(c->db, c->req->params[0], c->arena, &k, &c->err) != OK) {
        return c->err.code;
    }
    if (k.imported) {
        return err_rule(&c->err, ERR_CONFLICT, "imported",
                        "This campaign was answered elsewhere and imported, so it cannot be opened.");
    }
    if (is_overtaken(c, &k, to)) {
        return err_rule(&c->err, ERR_CONFLICT, "campaign-changed",
                        "Somebody else changed the campaign meanwhile: it is " SV_FMT " now. Nothing was "
                        "changed; decide again.",
                        SV_ARG(k.state));
    }
    if (!sv_is(k.state, to) && campaigns_set_state(c->db, k.id, to, c->user.account,
                                                   clock_wall_ms(), &c->err) != OK) {
        return c->err.code;
    }
    const char *url = arena_printf(c->arena, "/campaigns/" SV_FMT, SV_ARG(k.name));
    const struct undo undo = {
        .action = arena_printf(c->arena, "%s/state/" SV_FMT, url, SV_ARG(k.state)),
        .fields = {{"was", to}}};
    bool back = !sv_is(k.state, to) && !sv_is(k.state, "draft"); /* nothing becomes a draft again */
    return reply_did(c, url, back ? &undo : NULL, "%s", state_said(to));
}
