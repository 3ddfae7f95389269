/* overview.c - the first page of experts and leads: how much is there, how it goes, what needs a
 * look. The figures are live_data.c's, so that /api/v1/overview says the same. */
#include "json/object.h"
#include "live/votes/stats.h"
#include "store/operate/history.h"
#include "web/core/charts.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/operate/history_words.h"
#include "web/operate/overview_words.h"
#include "web/parts/live_data.h"
#include "web/parts/model_rows.h"
#include "web/parts/people_data.h"
#include "web/parts/set_tree.h"

enum { EVENTS_SHOWN = 8, EVENTS_LOOKED = 2000 };

static int64_t number(const json_t *of, const char *name)
{
    return json_integer_value(json_object_get(of, name));
}

/* "0.71" with its n and interval below; a dash while there are no votes. */
static void frequency_tile(struct ctx *c, json_t *tiles, const char *label, const json_t *f)
{
    if (number(f, "n") == 0) {
        data_tile(tiles, label, "\xe2\x80\x93", "no votes yet");
        return;
    }
    data_tile(tiles, label,
              arena_printf(c->arena, "%.2f", json_real_value(json_object_get(f, "frequency"))),
              arena_printf(c->arena, "n %s votes, %.2f\xe2\x80\x93%.2f",
                           data_count(c->arena, number(f, "n")),
                           json_real_value(json_object_get(f, "lo")),
                           json_real_value(json_object_get(f, "hi"))));
}

/* How much of it is done, what people say of originals and candidates, how fast it goes. */
static json_t *tiles_json(struct ctx *c, const json_t *all)
{
    struct arena *a = c->arena;
    const json_t *grids = json_object_get(all, "grids"), *people = json_object_get(all, "people");
    const json_t *pace = json_object_get(all, "pace");
    int64_t surplus = number(all, "surplus");
    json_t *tiles = json_array();
    data_tile(tiles, "Answers", data_count(a, number(all, "answers")),
              arena_printf(a, "%s of %s grids complete%s%s%s", data_count(a, number(grids, "done")),
                           data_count(a, number(grids, "all")), surplus ? "; " : "",
                           surplus ? data_count(a, surplus) : "", surplus ? " surplus" : ""));
    frequency_tile(c, tiles, "Frequency of originals", json_object_get(all, "originals"));
    frequency_tile(c, tiles, "Frequency of candidates", json_object_get(all, "candidates"));
    data_tile(tiles, "Answers per minute", json_string_value(json_object_get(pace, "text")),
              arena_printf(a, "%s of %s people at work in the last %d minutes",
                           data_count(a, number(people, "now")),
                           data_count(a, number(people, "all")), PACE_MINUTES));
    return tiles;
}

/* New reference; NULL with c->err set. */
static json_t *charts_json(struct ctx *c)
{
    static const char *const names[][2] = {{"pulse", "overview-pulse"},
                                           {"day", "overview-day"},
                                           {"histogram", "overview-histogram"}};
    const struct chart_ask ask = {0};
    return charts_group(c, names, sizeof names / sizeof *names, &ask);
}

/* What leads want to see at once: neither who signed in nor who came and went. */
static struct sv kinds_shown(struct arena *a)
{
    const char *some = "|person.block|person.unblock|person.note|person.forget|";
    static const enum history_area areas[] = {AREA_CAMPAIGNS, AREA_PAY, AREA_IMAGES, AREA_VIEWS};
    for (size_t i = 0; i < sizeof areas / sizeof *areas; i++) {
        some = arena_printf(a, "%s" SV_FMT, some, SV_ARG(history_kinds(areas[i], a)));
    }
    return sv_of(some);
}

/* The newest events; null for those who may not see the history. NULL with c->err set. */
static json_t *history_json(struct ctx *c)
{
    struct history_ask ask = {.limit = EVENTS_SHOWN,
                              .kinds = kinds_shown(c->arena),
                              .looked_most = EVENTS_LOOKED};
    struct history_page page;
    if (c->user.role < ROLE_LEAD) {
        return json_null();
    }
    history_join(&ask);
    if (history_page(c->db, &ask, c->arena, &page, &c->err) != OK) {
        return NULL;
    }
    json_t *rows = json_array();
    for (size_t i = 0; i < page.n; i++) {
        const struct history_event *e = &page.events[i];
        struct history_facts f;
        if (history_facts(c->db, e, history_word(e->kind)->about, c->arena, &f, &c->err) != OK) {
            json_decref(rows);
            return NULL;
        }
        object_add(rows, field_text("at", people_minute(c->arena, e->at)),
                   field_json("who", history_who(e, &f, c->arena)),
                   field_json("parts", history_sentence(e, &f, c->arena)));
    }
    return rows;
}

/* What an empty project needs next; null when there is something to look at. */
static json_t *first_json(const json_t *all)
{
    static const struct {
        const char *text, *commands[3];
    } steps[] = {
        {"Bring in classes and images, then plan grids. Or see it all at work in a demo project.",
         {"holdout import classes DIR classes.csv", "holdout import images DIR FOLDER",
          "holdout demo OTHER_DIR"}},
        {"The images are there. Plan the grids that people will answer, or bring in answers that "
         "you already have.",
         {"holdout grids DIR", "holdout import hits DIR hits.jsonl", NULL}},
    };
    if (json_array_size(json_object_get(all, "campaigns")) > 0) {
        return json_null();
    }
    size_t at = number(all, "images") > 0;
    json_t *commands = json_array();
    for (size_t i = 0; i < 3 && steps[at].commands[i]; i++) {
        json_array_append_new(commands, json_string(steps[at].commands[i]));
    }
    return object(field_text("text", steps[at].text), field_json("commands", commands));
}

/* Whether some people's answers or pay are worth a look. */
static bool any_people(const json_t *all)
{
    const json_t *look = json_object_get(all, "look");
    return json_is_true(json_object_get(json_object_get(look, "agreement"), "any")) ||
           json_is_true(json_object_get(json_object_get(look, "pay"), "any"));
}

static json_t *page_json(struct ctx *c, const struct stats *s)
{
    json_t *all = live_overview(c, s), *first = all ? first_json(all) : NULL;
    json_t *drawn = json_is_object(first) ? json_null() : all ? charts_json(c) : NULL;
    json_t *models = drawn ? model_rows_first(c) : NULL;
    json_t *sets = models ? set_tree_newest(c) : NULL;
    json_t *attention = sets ? overview_attention(c, all, sets) : NULL;
    json_t *history = attention ? history_json(c) : NULL;
    if (!history) {
        json_decref(attention);
        json_decref(sets);
        json_decref(models);
        json_decref(drawn);
        json_decref(first);
        json_decref(all);
        return NULL;
    }
    unsigned again = live_again(c, s);
    json_object_set_new(all, "live", data_live("votes,plan,jobs,models,review", "/"));
    json_object_set_new(all, "again", again ? json_integer(again) : json_null());
    json_object_set_new(all, "sentence", overview_state(c, all));
    json_object_set_new(all, "any_attention",
                        json_boolean(json_array_size(attention) > 0 || any_people(all)));
    json_object_set_new(all, "attention", attention);
    json_object_set_new(all, "tiles", tiles_json(c, all));
    json_object_set_new(all, "first", first);
    json_object_set_new(all, "charts", drawn);
    json_object_set_new(all, "models", models);
    json_object_set_new(all, "any_sets", json_boolean(json_array_size(sets) > 0));
    json_object_set_new(all, "sets", sets);
    json_object_set_new(all, "lead", json_boolean(c->user.role >= ROLE_LEAD));
    json_object_set_new(all, "history", history);
    return all;
}

/* GET /, on a helper thread: making the statistics again takes tens of milliseconds. */
enum err_code page_overview(struct ctx *c)
{
    struct stats_keeper *keeper = app_stats(c->app);
    const struct stats *s = stats_get(keeper);
    json_t *page = page_json(c, s);
    stats_put(keeper, s);
    return page ? reply_page(c, 200, "overview/index", "Overview", page) : c->err.code;
}
