/* page_campaigns.c - campaigns and how they go; opening, pausing, closing. */
#include <string.h>

#include "base/clock.h"
#include "web/campaign_plan.h"
#include "web/grid_data.h"
#include "web/page_data.h"
#include "web/pages.h"
#include "web/reply.h"
#include "web/study_link.h"

enum { GRIDS_A_PAGE = 100 };

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

static json_t *terms_json(struct ctx *c, const struct campaign *k)
{
    json_t *terms = json_array();
    data_term(terms, "Answers per grid", data_count(c->arena, k->answers_per_grid));
    data_term(terms, "Grids per person", data_count(c->arena, k->grids_per_place));
    data_term(terms, "Most of all answers by one person",
              arena_printf(c->arena, "%g %%", 100 * k->max_share));
    data_term(terms, "Same image twice to one person", k->same_image_again ? "allowed" : "never");
    data_term(terms, "Reservation of a grid",
              arena_printf(c->arena, "%lld s", (long long)k->lease_seconds));
    data_term(terms, "Pay per person",
              arena_printf(c->arena, "%lld.%02lld " SV_FMT, (long long)k->pay_cents / 100,
                           (long long)k->pay_cents % 100, SV_ARG(k->currency)));
    data_term(terms, "Expected time", arena_printf(c->arena, "%g min", k->expected_minutes));
    data_term(terms, "Order of cells", k->shuffle ? "drawn per assignment" : "as planned");
    data_term(terms, "Rule", arena_cstr(c->arena, k->rule_text));
    data_term(terms, "Version of the instructions", arena_cstr(c->arena, k->instruction_version));
    data_term(terms, "Seed of the plan", arena_printf(c->arena, "%lld", (long long)k->seed));
    return terms;
}

/* What a lead may do now. */
static json_t *actions_json(struct ctx *c, const struct campaign *k)
{
    json_t *actions = json_array();
    if (c->user.role < ROLE_LEAD || k->imported) {
        return actions;
    }
    static const struct {
        const char *from, *to, *label;
        bool primary, danger;
    } moves[] = {
        {"draft", "open", "Open", true, false},    {"paused", "open", "Resume", true, false},
        {"open", "paused", "Pause", false, false}, {"open", "closed", "Close", false, true},
        {"paused", "closed", "Close", false, true}, {"closed", "open", "Open again", false, false},
    };
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        if (sv_is(k->state, moves[i].from)) {
            json_array_append_new(
                actions, json_pack("{s:s, s:s, s:b, s:b}", "url",
                                   arena_printf(c->arena, "/campaigns/" SV_FMT "/state/%s",
                                                SV_ARG(k->name), moves[i].to),
                                   "label", moves[i].label, "primary", moves[i].primary, "danger",
                                   moves[i].danger));
        }
    }
    return actions;
}

static enum err_code grids_json(struct ctx *c, const struct campaign *k, json_t **out,
                                int64_t *next)
{
    int64_t after = 0;
    size_t n;
    sv_i64(request_query(c->req, "after"), &after);
    struct grid_entry *list = grid_entries(c, k->id, after, GRIDS_A_PAGE, &n, next);
    *out = json_array();
    struct class_info class_info = {0};
    for (size_t i = 0; i < n; i++) {
        if (class_info.id != list[i].class_id &&
            classes_get(c->db, list[i].class_id, c->arena, &class_info, &c->err) != OK) {
            json_decref(*out);
            return c->err.code;
        }
        bool complete = list[i].answers >= k->answers_per_grid;
        json_array_append_new(
            *out, json_pack("{s:s, s:s?, s:s, s:s, s:I, s:I, s:s}", "name",
                            arena_printf(c->arena, "%lld", (long long)list[i].id), "url",
                            c->user.role >= ROLE_LEAD ? grid_url(c, k, list[i].id) : NULL, "class",
                            data_synset(c->arena, class_info.synset, ", "), "class_url",
                            arena_printf(c->arena, "/classes/" SV_FMT, SV_ARG(class_info.wnid)),
                            "answers", (json_int_t)list[i].answers, "wanted",
                            (json_int_t)k->answers_per_grid, "state",
                            complete ? "complete" : "open"));
    }
    return OK;
}

static json_t *links_json(struct ctx *c, const struct campaign *k)
{
    static const struct {
        const char *label, *path;
    } pages[] = {{"Study settings", "study"},
                 {"Participants", "participants"},
                 {"Preview a grid", "preview"},
                 {"Preview the start", "preview/start"}};
    json_t *links = json_array();
    for (size_t i = 0; c->user.role >= ROLE_LEAD && i < sizeof pages / sizeof *pages; i++) {
        if (!k->imported || strcmp(pages[i].path, "preview") == 0) {
            json_array_append_new(links, json_pack("{s:s, s:s}", "label", pages[i].label, "url",
                                                   arena_printf(c->arena, "/campaigns/" SV_FMT "/%s",
                                                                SV_ARG(k->name), pages[i].path)));
        }
    }
    return links;
}

/* Commands that write what a campaign holds; its name is safe in a shell. */
static json_t *exports_json(struct ctx *c, const struct campaign *k)
{
    static const struct {
        const char *what, *command;
        bool own; /* of campaigns that are answered here */
    } exports[] = {{"Grids", "export hits", false},
                   {"Answers", "export votes", false},
                   {"Participants", "export participants", true}};
    json_t *list = json_array();
    for (size_t i = 0; i < sizeof exports / sizeof *exports; i++) {
        if (!exports[i].own || !k->imported) {
            json_array_append_new(
                list, json_pack("{s:s, s:s}", "what", exports[i].what, "command",
                                arena_printf(c->arena, "holdout %s DIR --campaign " SV_FMT,
                                             exports[i].command, SV_ARG(k->name))));
        }
    }
    return list;
}

static json_t *tiles_json(struct ctx *c, const struct campaign *k)
{
    struct desk_progress p;
    data_progress(c, k, &p);
    json_t *tiles = json_array();
    data_tile(tiles, "Grids", data_count(c->arena, p.grids), NULL);
    data_tile(tiles, "Complete", data_count(c->arena, p.complete), NULL);
    if (!k->imported) {
        data_tile(tiles, "Lent now", data_count(c->arena, p.leased), NULL);
    }
    data_tile(tiles, "Answers", data_count(c->arena, p.answers),
              arena_printf(c->arena, "of %s", data_count(c->arena, p.wanted)));
    return tiles;
}

/* Where workers come in, for leads: it may hold the study's key. JSON null when no task is handed
 * out, NULL on failure. */
static json_t *start_url(struct ctx *c, const struct campaign *k)
{
    struct study study;
    if (!sv_is(k->state, "open") || k->imported || c->user.role < ROLE_LEAD) {
        return json_null();
    }
    if (studies_get(c->db, k->id, c->arena, &study, &c->err) != OK) {
        return NULL;
    }
    struct sv host = request_header(c->req, "Host");
    const char *base = *c->config->public_url ? c->config->public_url
                       : host.n ? arena_printf(c->arena, "%s://" SV_FMT,
                                               c->req->secure ? "https" : "http", SV_ARG(host))
                                : "";
    return json_string(study_link(c->arena, base, k, &study));
}

/* `plan` is stolen: null but for a draft. */
static enum err_code campaign_page(struct ctx *c, const struct campaign *k, json_t *plan)
{
    json_t *grids = NULL, *start = start_url(c, k);
    int64_t next;
    if (!start || grids_json(c, k, &grids, &next) != OK) {
        json_decref(start);
        json_decref(plan);
        return c->err.code;
    }
    json_t *campaign = data_campaign(c, k);
    const char *self = arena_printf(c->arena, "/campaigns/" SV_FMT, SV_ARG(k->name));
    json_t *page = json_object();
    /* The plan of a draft is reckoned anew on each look: it does not follow other campaigns. */
    json_object_set_new(page, "live",
                        json_is_null(plan) ? data_live("votes,plan", self) : json_null());
    json_object_set_new(page, "start_url", start);
    json_object_set_new(page, "links", links_json(c, k));
    json_object_set_new(page, "tiles", tiles_json(c, k));
    json_object_set(page, "progress", json_object_get(campaign, "progress"));
    json_object_set_new(page, "terms", terms_json(c, k));
    json_object_set_new(page, "actions", actions_json(c, k));
    json_object_set_new(page, "exports", exports_json(c, k));
    json_object_set_new(page, "grids", grids);
    json_object_set_new(page, "plan", plan);
    json_object_set_new(page, "next_url",
                        next ? json_string(arena_printf(c->arena, "%s?after=%lld", self,
                                                        (long long)next))
                             : json_null());
    json_object_set_new(page, "campaign", campaign);
    return reply_page(c, 200, "campaigns/show", arena_cstr(c->arena, k->title), page);
}

/* A draft of ours has a plan to be looked at before it is opened. */
static bool has_plan(const struct campaign *k)
{
    return sv_is(k->state, "draft") && !k->imported;
}

/* GET /campaigns/:campaign */
enum err_code page_campaign(struct ctx *c)
{
    struct campaign k;
    if (campaigns_find(c->db, c->req->params[0], c->arena, &k, &c->err) != OK) {
        return c->err.code;
    }
    if (has_plan(&k)) {
        return reply_redirect(c, arena_printf(c->arena, "/campaigns/" SV_FMT "/plan",
                                              SV_ARG(k.name)));
    }
    return campaign_page(c, &k, json_null());
}

/* GET /campaigns/:campaign/plan: a draft's page, on a helper thread: it counts every vote. */
enum err_code page_campaign_plan(struct ctx *c)
{
    struct campaign k;
    if (campaigns_find(c->db, c->req->params[0], c->arena, &k, &c->err) != OK) {
        return c->err.code;
    }
    if (!has_plan(&k)) {
        return reply_redirect(c, arena_printf(c->arena, "/campaigns/" SV_FMT, SV_ARG(k.name)));
    }
    json_t *plan = campaign_plan_json(c, &k);
    return plan ? campaign_page(c, &k, plan) : c->err.code;
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
