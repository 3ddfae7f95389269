/* overview.c - the first page of experts and leads: how much is there, how it goes, what needs a
 * look. The figures are live_data.c's, so that /api/v1/overview says the same. */
#include <string.h>

#include "base/clock.h"
#include "json/object.h"
#include "live/votes/stats.h"
#include "store/labels/label_reviews.h"
#include "store/operate/history.h"
#include "store/operate/jobs.h"
#include "web/core/app.h"
#include "web/core/charts.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/operate/history_words.h"
#include "web/parts/job_data.h"
#include "web/parts/live_data.h"
#include "web/parts/pace.h"
#include "web/parts/people_data.h"
#include "web/parts/set_tree.h"
#include "web/scoring/model_rows.h"

enum { EVENTS_SHOWN = 8, EVENTS_LOOKED = 2000, JOBS_LOOKED = 10, FAILED_MS = 24 * 3600 * 1000 };

/* ---- what the first page says at its top ---- */

static const char *text_of(const json_t *of, const char *name)
{
    return json_string_value(json_object_get(of, name));
}

static int64_t number_of(const json_t *of, const char *name)
{
    return json_integer_value(json_object_get(of, name));
}

static bool is(const json_t *of, const char *name)
{
    return json_is_true(json_object_get(of, name));
}

static void add_part(json_t *parts, const char *text, const char *url)
{
    object_add(parts, field_text("text", text), field_text("url", url));
}

static void add_item(json_t *list, const char *text, const char *url, const char *note)
{
    object_add(list, field_text("text", text), field_text("url", url), field_text("note", note));
}

/* ---- the sentence ---- */

struct campaigns {
    const json_t *one;      /* an open one */
    const json_t *draft;    /* the newest that is not opened yet */
    int64_t open, paused, drafts, answers, wanted;
};

static struct campaigns count_campaigns(const json_t *all)
{
    struct campaigns k = {0};
    size_t i;
    const json_t *row;
    json_array_foreach(json_object_get(all, "campaigns"), i, row)
    {
        const json_t *progress = json_object_get(row, "progress");
        k.paused += is(row, "is_paused");
        if (strcmp(text_of(row, "state"), "draft") == 0) {
            k.draft = k.draft ? k.draft : row;
            k.drafts++;
        }
        if (is(row, "is_open")) {
            k.one = row;
            k.open++;
            k.answers += number_of(progress, "done");
            k.wanted += number_of(progress, "total");
        }
    }
    return k;
}

/* How the open ones will end: ", about 49 min left at this pace." */
static const char *ending(struct ctx *c, const struct campaigns *k, const json_t *pace)
{
    const json_t *minutes = json_object_get(pace, "minutes_left");
    if (k->answers >= k->wanted) {
        return k->open == 1 ? ": it is complete and can be closed."
                            : ": they are complete and can be closed.";
    }
    return json_is_real(minutes)
               ? arena_printf(c->arena, ", about %s left at this pace.",
                              pace_span(c->arena, json_real_value(minutes)))
               : "; no one is answering now.";
}

/* Nothing is open. */
static void add_idle(struct ctx *c, json_t *parts, const json_t *all, const struct campaigns *k)
{
    int64_t n = (int64_t)json_array_size(json_object_get(all, "campaigns"));
    if (n == 0) {
        add_part(parts, number_of(all, "images") ? "No campaign yet, so nobody is asked about the images."
                                                 : "The project is empty.", NULL);
        return;
    }
    add_part(parts, "No campaign is open", NULL);
    if (k->paused) {
        add_part(parts, ": ", NULL);
        add_part(parts, arena_printf(c->arena, "%s %s paused", data_count(c->arena, k->paused),
                                     k->paused == 1 ? "is" : "are"), "/campaigns");
    } else if (k->drafts) {
        add_part(parts, ": ", NULL);
        add_part(parts,
                 k->drafts == 1 ? arena_printf(c->arena, "%s waits to be opened",
                                               text_of(k->draft, "title"))
                                : arena_printf(c->arena, "%s wait to be opened",
                                               data_count(c->arena, k->drafts)),
                 k->drafts == 1 ? text_of(k->draft, "url") : "/campaigns");
    }
    int64_t answers = number_of(all, "answers");
    if (answers == 0) {
        add_part(parts, ".", NULL);
        return;
    }
    add_part(parts, arena_printf(c->arena, ". There %s %s answer%s from %s %s.",
                                 answers == 1 ? "is" : "are", data_count(c->arena, answers),
                                 answers == 1 ? "" : "s",
                                 data_count(c->arena, number_of(json_object_get(all, "people"), "all")),
                                 number_of(json_object_get(all, "people"), "all") == 1 ? "person"
                                                                                       : "people"),
             NULL);
}

/* The sentence as parts [{text, url (null: no link)}], to be joined without spaces. New reference. */
static json_t *overview_state(struct ctx *c, const json_t *all)
{
    struct campaigns k = count_campaigns(all);
    json_t *parts = json_array();
    if (k.open == 0) {
        add_idle(c, parts, all, &k);
        return parts;
    }
    if (k.open == 1) {
        add_part(parts, text_of(k.one, "title"), text_of(k.one, "url"));
        add_part(parts, " is open with ", NULL);
    } else {
        add_part(parts, arena_printf(c->arena, "%s campaigns", data_count(c->arena, k.open)),
                 "/campaigns");
        add_part(parts, " are open with ", NULL);
    }
    add_part(parts, arena_printf(c->arena, "%s of %s answers%s", data_count(c->arena, k.answers),
                                 data_count(c->arena, k.wanted),
                                 ending(c, &k, json_object_get(all, "pace"))),
             NULL);
    return parts;
}

/* ---- what needs a look ---- */

static void look_campaigns(struct ctx *c, const json_t *all, json_t *list)
{
    size_t i;
    const json_t *row;
    json_array_foreach(json_object_get(all, "campaigns"), i, row)
    {
        const json_t *progress = json_object_get(row, "progress");
        if (is(row, "is_open") && number_of(progress, "done") >= number_of(progress, "total")) {
            add_item(list,
                     arena_printf(c->arena, "%s has all its answers: close it",
                                  text_of(row, "title")),
                     text_of(row, "url"), "new people find nothing to do");
        }
    }
}

static enum err_code look_jobs(struct ctx *c, json_t *list)
{
    static const struct jobs_ask newest = {.state = JOB_STATES, .falling = true, .most = JOBS_LOOKED};
    struct job_row *jobs;
    size_t n;
    if (jobs_ended(c->db, &newest, c->arena, &jobs, &n, &c->err) != OK) {
        return c->err.code;
    }
    for (size_t i = 0; i < n; i++) {
        if (jobs[i].state == JOB_FAILED && jobs[i].ended_at > clock_wall_ms() - FAILED_MS) {
            add_item(list, arena_printf(c->arena, "A job failed: " SV_FMT, SV_ARG(jobs[i].title)),
                     job_url(c->arena, jobs[i].id), NULL);
        }
    }
    return OK;
}

static void look_sets(struct ctx *c, const json_t *sets, json_t *list)
{
    size_t i;
    const json_t *row;
    json_array_foreach(sets, i, row)
    {
        const json_t *progress = json_object_get(json_object_get(row, "review"), "progress");
        const json_t *lacks = json_object_get(row, "short");
        const char *url = text_of(row, "url");
        if (is(row, "is_sealed") && number_of(progress, "done") < number_of(progress, "total")) {
            add_item(list,
                     arena_printf(c->arena, "%s waits for review: %s done", text_of(row, "name"),
                                  text_of(progress, "text")),
                     arena_printf(c->arena, "%s/review", url), NULL);
        }
        if (is(row, "is_sealed") && json_is_object(lacks)) {
            add_item(list,
                     arena_printf(c->arena, "%s is incomplete in %s", text_of(row, "name"),
                                  text_of(lacks, "text")),
                     url, text_of(lacks, "note"));
        }
    }
}

/* [{text, url, note}], the most urgent first: complete campaigns that are still open, flagged images, jobs that failed in the last day,
 * test sets whose review has to go on or that lack images. `sets`: of set_tree_newest. What leads alone may see is left out
 * for others. New reference; NULL with c->err set. */
static json_t *overview_attention(struct ctx *c, const json_t *all, const json_t *sets)
{
    json_t *list = json_array();
    const json_t *look = json_object_get(all, "look");
    if (c->user.role >= ROLE_LEAD) {
        look_campaigns(c, all, list);
        if (is(look, "any_flags")) {
            add_item(list, text_of(look, "flags_text"), "/flags", NULL);
        }
        if (look_jobs(c, list) != OK) {
            json_decref(list);
            return NULL;
        }
    }
    look_sets(c, sets, list);
    return list;
}

/* ---- the page ---- */

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
              arena_printf(a, "%s of %s people active in the last %d minutes",
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
        {"Import classes and images, then plan grids. Or see it all working in a demo project.",
         {"holdout import classes DIR classes.csv", "holdout import images DIR FOLDER",
          "holdout demo OTHER_DIR"}},
        {"The images are imported. Plan the grids that people will answer, or import answers that you already have.",
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

/* Where an expert's work is. */
static enum err_code reply_desk(struct ctx *c)
{
    bool reviews;
    enum err_code rc = label_reviews_at_desk(c->db, c->user.account, &reviews, &c->err);
    return rc == OK ? reply_redirect(c, reviews ? "/labels" : "/evaluations") : rc;
}

/* GET /, on a helper thread: making the statistics again takes tens of milliseconds. */
enum err_code page_overview(struct ctx *c)
{
    if (c->user.at_desk) {
        return reply_desk(c);
    }
    struct stats_keeper *keeper = app_stats(c->app);
    const struct stats *s = stats_get(keeper);
    json_t *page = page_json(c, s);
    stats_put(keeper, s);
    return page ? reply_page(c, 200, "overview/index", "Overview", page) : c->err.code;
}
