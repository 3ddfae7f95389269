/* campaign.c - one campaign: how it goes, its grids, its terms; of a draft the plan. The figures are
 * live_campaign.c's, so that /api/v1/campaigns/:campaign says the same. */
#include <string.h>

#include "json/object.h"
#include "live/votes/stats.h"
#include "study/link.h"
#include "web/campaigns/grid_data.h"
#include "web/campaigns/plan.h"
#include "web/core/lists.h"
#include "web/core/charts.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/parts/live_data.h"
#include "web/parts/people_data.h"

enum { GRIDS_A_PAGE = 50 };

static json_t *terms_json(struct ctx *c, const struct campaign *k)
{
    json_t *terms = json_array();
    data_term(terms, "Task", k->classify ? "CLASSIFY: tick one label for each object that a photo shows, choose the main one"
                                         : "CONTAINS: select every photo of a grid that contains a class");
    if (k->classify) {
        data_term(terms, "None of these", k->none_of_these ? "can be said" : "cannot be said");
    }
    data_term(terms, k->classify ? "Answers per task" : "Answers per grid", data_count(c->arena, k->answers_per_grid));
    data_term(terms, "Title for workers", campaign_titled(k) ? arena_cstr(c->arena, k->title) : "none");
    data_term(terms, k->classify ? "Tasks per person" : "Grids per person", data_count(c->arena, k->grids_per_place));
    data_term(terms, "Largest share of answers from one person",
              arena_printf(c->arena, "%g %%", 100 * k->max_share));
    data_term(terms, "Same image shown twice to one person", k->same_image_again ? "allowed" : "never");
    data_term(terms, k->classify ? "Task reserved for" : "Grid reserved for",
              arena_printf(c->arena, "%lld s", (long long)k->lease_seconds));
    data_term(terms, "Pay per person",
              arena_printf(c->arena, "%lld.%02lld " SV_FMT, (long long)k->pay_cents / 100,
                           (long long)k->pay_cents % 100, SV_ARG(k->currency)));
    data_term(terms, "Expected time", arena_printf(c->arena, "%g min", k->expected_minutes));
    data_term(terms, k->classify ? "Order of labels" : "Order of cells", k->shuffle ? "shuffled for each assignment" : "as planned");
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
    static const char closing[] = "Nobody else can start, and nothing more is handed out. "
                                  "What is already lent can still be submitted, and counts. You can open the "
                                  "campaign again.";
    const char *opening =
        arena_printf(c->arena,
                     "%sAnyone with the link can start. %s places at %lld.%02lld " SV_FMT
                     " each come to at most %s.%02lld " SV_FMT ", without bonuses.",
                     campaign_titled(k) ? "" : "The campaign has no title yet, so workers read a general one. ",
                     data_count(c->arena, k->places), (long long)k->pay_cents / 100,
                     (long long)k->pay_cents % 100, SV_ARG(k->currency),
                     data_count(c->arena, k->places * k->pay_cents / 100),
                     (long long)(k->places * k->pay_cents % 100), SV_ARG(k->currency));
    const struct {
        const char *from, *to, *label, *ask, *yes;
        bool primary, danger;
    } moves[] = {
        {"draft", "open", "Open", opening, "Open the campaign", true, false},
        {"paused", "open", "Resume", NULL, NULL, true, false},
        {"open", "paused", "Pause", NULL, NULL, false, false},
        {"open", "closed", "Close", closing, "Close the campaign", false, true},
        {"paused", "closed", "Close", closing, "Close the campaign", false, true},
        {"closed", "open", "Open again", opening, "Open the campaign again", false, false},
    };
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        if (sv_is(k->state, moves[i].from)) {
            object_add(actions,
                       field_text("url", arena_printf(c->arena, "/campaigns/" SV_FMT "/state/%s",
                                                      SV_ARG(k->name), moves[i].to)),
                       field_text("label", moves[i].label), field_text("ask", moves[i].ask),
                       field_text("yes", moves[i].yes), field_text("was", moves[i].from),
                       field_bool("primary", moves[i].primary),
                       field_bool("danger", moves[i].danger), field_bool("at_left", false));
        }
    }
    return actions;
}

/* An open campaign that has all its answers sends everybody away who comes: a lead is asked to close it,
 * by the action that does so (layout/ask). JSON null otherwise. */
static json_t *complete_json(struct ctx *c, const struct campaign *k, const json_t *actions)
{
    struct desk_progress p;
    const json_t *action;
    size_t i;
    data_progress(c, k, &p);
    bool complete = sv_is(k->state, "open") && p.wanted && p.answers >= p.wanted;
    json_array_foreach(actions, i, action)
    {
        struct sv url = sv_of(json_string_value(json_object_get(action, "url")));
        if (complete && sv_ends(url, "/closed")) {
            json_t *close = json_deep_copy(action);
            json_object_set_new(close, "primary", json_true());
            json_object_set_new(close, "danger", json_false());
            json_object_set_new(close, "at_left", json_true());
            return object(field_text("answers", data_count(c->arena, p.answers)),
                          field_json("close", close));
        }
    }
    return json_null();
}

/* ---- the lists of the page ---- */

/* A draft of ours has a plan to be looked at before it is opened. */
static bool has_plan(const struct campaign *k)
{
    return sv_is(k->state, "draft") && !k->imported;
}

struct query {
    int show, sort; /* of grids */
    bool falling;
    int64_t page, classes; /* classes: the page of those below the coverage */
};

static const struct list_word shows[] = {
    {"all", "All", GRIDS_ALL},
    {"open", "Open", GRIDS_OPEN},
    {"complete", "Complete", GRIDS_COMPLETE},
    {0},
};
static const struct list_word sorts[] = {
    {"grid", "Grid", GRIDS_BY_NUMBER},
    {"answers", "Answers", GRIDS_BY_ANSWERS},
    {0},
};

/* The first, those with the fewest answers. */
static bool falls(int sort)
{
    (void)sort;
    return false;
}

#define AT(member) .at = offsetof(struct query, member)
static const struct list_param params[] = {
    {"show", LIST_WORD, AT(show), .words = shows, .chips = "Which grids"},
    {"sort", LIST_WORD, AT(sort), .words = sorts},
    {"order", LIST_ORDER, AT(falling)},
    {"classes", LIST_NUMBER, AT(classes), .least = 1, .most = INT32_MAX},
    {"page", LIST_NUMBER, AT(page), .least = 1, .most = INT32_MAX, .moment = true},
    {0},
};
static const struct list_table table = {params, sizeof(struct query), &params[1], falls};
static const struct query usual = {.page = 1, .classes = 1};

static const char *list_path(struct ctx *c, const struct campaign *k)
{
    return arena_printf(c->arena, has_plan(k) ? "/campaigns/" SV_FMT "/plan" : "/campaigns/" SV_FMT,
                        SV_ARG(k->name));
}

static const char *self_url(struct ctx *c, const struct campaign *k, const struct query *q)
{
    return list_url(c, &table, list_path(c, k), &usual, q, q->page > 1);
}

static json_t *chips_json(struct ctx *c, const struct campaign *k, const char *path, const struct query *q)
{
    json_t *chips = list_chips(c, &table, path, q);
    if (k->classify) {
        json_object_set_new(json_array_get(json_object_get(chips, "choices"), 0), "label", json_string("Which tasks"));
    }
    return chips;
}

/* Adds {chips, heads, grids, narrowed, pages, pages_label}. */
static enum err_code add_grids(struct ctx *c, const struct campaign *k, const struct query *q, json_t *page)
{
    const struct grids_ask ask = {q->show, q->sort, q->falling, q->page, GRIDS_A_PAGE};
    struct class_info class_info = {0};
    struct list_page part;
    size_t n;
    const struct grid_entry *list = grid_page(c, k, &ask, &part, &n);
    const char *path = list_path(c, k), *base = list_url(c, &table, path, &usual, q, false);
    json_t *rows = json_array();
    json_object_set_new(page, "grids", rows);
    for (size_t i = 0; i < n; i++) {
        if (class_info.id != list[i].class_id &&
            classes_get(c->db, list[i].class_id, c->arena, &class_info, &c->err) != OK) {
            return c->err.code;
        }
        bool complete = list[i].answers >= k->answers_per_grid;
        object_add(rows, field_text("name", arena_printf(c->arena, "%lld", (long long)list[i].id)),
                   field_text("url", c->user.role >= ROLE_LEAD ? grid_url(c, k, list[i].id) : NULL),
                   field_text("class", data_synset(c->arena, class_info.synset, ", ")),
                   field_text("class_url",
                              arena_printf(c->arena, "/classes/" SV_FMT, SV_ARG(class_info.wnid))),
                   field_int("answers", list[i].answers), field_int("wanted", k->answers_per_grid),
                   field_text("state", complete ? "complete" : "open"), field_bool("check", list[i].check));
    }
    json_object_set_new(page, "chips", chips_json(c, k, path, q));
    json_object_set_new(page, "heads", list_heads(c, &table, path, &usual, q));
    json_object_set_new(page, "narrowed", json_boolean(q->show != GRIDS_ALL));
    json_object_set_new(page, "pages", list_page_links(c, &part, base, "#grids-head"));
    json_object_set_new(page, "pages_label", json_string(k->classify ? "Pages of tasks" : "Pages of grids"));
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
            object_add(links, field_text("label", k->classify && strcmp(pages[i].path, "preview") == 0 ? "Preview a task" : pages[i].label),
                       field_text("url", arena_printf(c->arena, "/campaigns/" SV_FMT "/%s",
                                                      SV_ARG(k->name), pages[i].path)));
        }
    }
    return links;
}

/* What a campaign holds, as files: a download where there is one, else who makes it. */
static json_t *exports_json(struct ctx *c, const struct campaign *k)
{
    const struct {
        const char *what, *text, *path; /* path NULL: only where the server runs */
    } exports[] = {
        {"Participants", "CSV: outcome, code, time, pay", "participants.csv"},
        {k->classify ? "Tasks" : "Grids", k->classify ? "CSV of candidates, exported in the shell by whoever runs the server"
                                                      : "JSON, exported in the shell by whoever runs the server", NULL},
        {"Answers", "CSV, exported in the shell by whoever runs the server", NULL}};
    json_t *list = json_array();
    for (size_t i = 0; i < sizeof exports / sizeof *exports; i++) {
        const char *path = exports[i].path;
        const char *url = path ? arena_printf(c->arena, "/campaigns/" SV_FMT "/%s",
                                              SV_ARG(k->name), path)
                               : NULL;
        if (!path || (!k->imported && c->user.role >= ROLE_LEAD)) {
            object_add(list, field_text("what", exports[i].what),
                       field_text("text", exports[i].text), field_text("url", url));
        }
    }
    return list;
}

static json_t *tiles_json(struct ctx *c, const struct campaign *k, json_t *all)
{
    struct arena *a = c->arena;
    const json_t *pay = json_object_get(json_object_get(all, "people"), "pay");
    json_int_t done, grids, lent, answers, wanted, people, answered;
    const char *pace;
    json_t *median, *share, *tiles = json_array();
    BUG_IF(json_unpack(all,
                       "{s:{s:I, s:I, s:I}, s:{s:I, s:I}, s:{s:I, s:s}, s:{s:I, s:o, s:o}}",
                       "grids", "done", &done, "all", &grids, "lent", &lent, "answers", "counted",
                       &answers, "wanted", &wanted, "pace", "answers", &answered, "text", &pace,
                       "people", "answering", &people, "most_share", &share,
                       "median_active_seconds", &median) != 0);
    data_tile(tiles, k->classify ? "Tasks complete" : "Grids complete", data_count(a, done),
              arena_printf(a, "of %s", data_count(a, grids)));
    data_tile(tiles, "Answers", data_count(a, answers),
              arena_printf(a, "of %s", data_count(a, wanted)));
    if (!k->imported) {
        data_tile(tiles, k->classify ? "Tasks lent now" : "Grids lent now", data_count(a, lent), NULL);
        data_tile(tiles, "Answers per minute", pace,
                  arena_printf(a, "%s in the last %d minutes", data_count(a, answered),
                               PACE_MINUTES));
        live_finish_tile(a, tiles, json_object_get(all, "pace"));
    }
    data_tile(tiles, "People who answered", data_count(a, people),
              json_is_real(share)
                  ? arena_printf(a, "the most active gave %.1f\xc2\xa0%% of the answers",
                                 100 * json_real_value(share))
                  : NULL);
    data_tile(tiles, k->classify ? "Time per task" : "Time per grid",
              json_is_real(median) ? arena_printf(a, "%.0f s", json_real_value(median))
                                   : "\xe2\x80\x93",
              "active time, median of answers");
    if (json_is_object(pay)) {
        const json_t *rate = json_object_get(pay, "rate_cents");
        people_rate_tile(a, tiles, "Effective pay",
                         json_is_integer(rate) ? json_integer_value(rate) : -1,
                         json_integer_value(json_object_get(pay, "floor_cents")), k->currency,
                         "median of complete places");
    }
    return tiles;
}

/* Where workers come in, for leads: it may hold the study's key. JSON null when no task is handed
 * out, NULL on failure. */
static json_t *start_url(struct ctx *c, const struct campaign *k)
{
    struct study_settings study;
    if (!sv_is(k->state, "open") || k->imported || c->user.role < ROLE_LEAD) {
        return json_null();
    }
    if (studies_get(c->db, k->id, c->arena, &study, &c->err) != OK) {
        return NULL;
    }
    return json_string(study_link(c->arena, data_site(c), k, &study));
}

/* The form for the terms of a draft, for leads; JSON null for others. */
static json_t *terms_form(struct ctx *c, const struct campaign *k)
{
    struct arena *a = c->arena;
    if (c->user.role < ROLE_LEAD || !sv_is(k->state, "draft") || k->imported) {
        return json_null();
    }
    return object(
        field_text("action", arena_printf(a, "/campaigns/" SV_FMT "/terms", SV_ARG(k->name))),
        field_sv("title", campaign_titled(k) ? k->title : SV("")),
        field_int("grids", k->grids_per_place),
        field_text("share", arena_printf(a, "%.6g", 100 * k->max_share)),
        field_text("pay", arena_printf(a, "%lld.%02lld", (long long)k->pay_cents / 100,
                                       (long long)k->pay_cents % 100)),
        field_text("minutes", arena_printf(a, "%g", k->expected_minutes)),
        field_sv("currency", k->currency));
}

/* The charts of the campaign: {pulse, day, positions}. NULL with c->err set. */
static json_t *charts_json(struct ctx *c, const struct campaign *k)
{
    static const char *const names[][2] = {{"pulse", "campaign-pulse"},
                                           {"day", "campaign-day"},
                                           {"positions", "campaign-positions"}};
    const struct chart_ask ask = {.campaign = k->name};
    return charts_group(c, names, sizeof names / sizeof *names, &ask);
}

/* Links to the pages of the classes below the coverage: {pages, pages_label}; null when they fit on one. */
static json_t *class_pages_json(struct ctx *c, const struct campaign *k, const struct query *q,
                                const struct list_page *part)
{
    struct query first = *q;
    first.classes = usual.classes;
    json_t *pages = list_page_links(c, part, self_url(c, k, &first), "#coverage-head");
    return json_is_null(pages) ? pages
                               : object(field_json("pages", pages),
                                        field_text("pages_label", "Pages of classes"));
}

/* live_campaign with the page of classes that is asked for, or the last. */
static json_t *classes_figures(struct ctx *c, const struct stats *s, const struct campaign *k,
                               const struct query *q, struct list_page *part)
{
    json_t *all = live_campaign(c, s, k, (size_t)(q->classes - 1) * LIVE_CLASSES);
    json_int_t classes = 0, reached = 0;
    json_unpack(json_object_get(all, "coverage"), "{s:I, s:I}", "classes", &classes, "reached", &reached);
    *part = list_page_of(classes - reached, LIVE_CLASSES, q->classes);
    part->name = "classes";
    if (all && part->no < q->classes) {
        json_decref(all);
        all = live_campaign(c, s, k, part->skip);
    }
    return all;
}

/* The figures of a campaign that is no draft, with the charts; NULL with c->err set. */
static json_t *figures_json(struct ctx *c, const struct campaign *k, const struct query *q, unsigned *again)
{
    struct stats_keeper *keeper = app_stats(c->app);
    const struct stats *s = stats_get(keeper);
    struct list_page part;
    json_t *all = classes_figures(c, s, k, q, &part);
    *again = live_again(c, s);
    stats_put(keeper, s);
    json_t *drawn = all ? charts_json(c, k) : NULL;
    if (!drawn) {
        json_decref(all);
        return NULL;
    }
    json_object_set_new(all, "charts", drawn);
    json_object_set_new(all, "tiles", tiles_json(c, k, all));
    json_object_set_new(all, "in_order", json_boolean(k->imported || !k->shuffle));
    json_object_set_new(all, "class_pages", class_pages_json(c, k, q, &part));
    return all;
}

/* `plan` and `figures` are stolen: of a draft and of the others; null else. */
static enum err_code campaign_page(struct ctx *c, const struct campaign *k, const struct query *q,
                                   json_t *plan, json_t *figures, unsigned again)
{
    json_t *start = start_url(c, k), *page = json_object();
    json_object_set_new(page, "plan", plan);
    json_object_set_new(page, "figures", figures);
    if (!start || add_grids(c, k, q, page) != OK) {
        json_decref(start);
        json_decref(page);
        return c->err.code;
    }
    /* The plan of a draft is worked out again on each look: it does not follow other campaigns. */
    json_object_set_new(page, "live",
                        json_is_null(plan) ? data_live("votes,plan", self_url(c, k, q)) : json_null());
    json_object_set_new(page, "again", again ? json_integer(again) : json_null());
    json_object_set_new(page, "start_url", start);
    json_object_set_new(page, "own_host", json_boolean(*c->config->public_url));
    json_object_set_new(page, "terms_form", terms_form(c, k));
    json_object_set_new(page, "links", links_json(c, k));
    json_object_set_new(page, "terms", terms_json(c, k));
    json_t *actions = actions_json(c, k);
    json_object_set_new(page, "complete", complete_json(c, k, actions));
    json_object_set_new(page, "actions", actions);
    json_object_set_new(page, "exports", exports_json(c, k));
    json_object_set_new(page, "campaign", data_campaign(c, k));
    json_object_set_new(page, "classify", json_boolean(k->classify));
    return reply_page(c, 200, "campaigns/show", arena_cstr(c->arena, k->title), page);
}

/* GET /campaigns/:campaign?show=&sort=&order=&classes=&page=, on a helper thread: making the statistics again takes tens of milliseconds. */
enum err_code page_campaign(struct ctx *c)
{
    struct campaign k;
    struct query q;
    if (list_read(c, &table, &usual, &q) != OK ||
        campaigns_find(c->db, c->req->params[0], c->arena, &k, &c->err) != OK) {
        return c->err.code;
    }
    if (has_plan(&k)) {
        return reply_redirect(c, arena_printf(c->arena, "/campaigns/" SV_FMT "/plan",
                                              SV_ARG(k.name)));
    }
    unsigned again;
    json_t *figures = figures_json(c, &k, &q, &again);
    return figures ? campaign_page(c, &k, &q, json_null(), figures, again) : c->err.code;
}

/* GET /campaigns/:campaign/plan: a draft's page, on a helper thread: it counts every vote. */
enum err_code page_campaign_plan(struct ctx *c)
{
    struct campaign k;
    struct query q;
    if (list_read(c, &table, &usual, &q) != OK ||
        campaigns_find(c->db, c->req->params[0], c->arena, &k, &c->err) != OK) {
        return c->err.code;
    }
    if (!has_plan(&k)) {
        return reply_redirect(c, arena_printf(c->arena, "/campaigns/" SV_FMT, SV_ARG(k.name)));
    }
    json_t *plan = campaign_plan_json(c, &k);
    return plan ? campaign_page(c, &k, &q, plan, json_null(), 0) : c->err.code;
}
