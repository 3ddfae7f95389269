/* overview_words.c - the sentence and the list at the top of the first page. */
#include "web/operate/overview_words.h"

#include <string.h>

#include "base/clock.h"
#include "json/object.h"
#include "store/operate/jobs.h"
#include "web/core/page_data.h"
#include "web/parts/job_data.h"
#include "web/parts/pace.h"

enum { JOBS_LOOKED = 10, FAILED_MS = 24 * 3600 * 1000 };

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
        add_part(parts, number_of(all, "images") ? "No campaign yet: nobody is asked about the images."
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

json_t *overview_state(struct ctx *c, const json_t *all)
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
                     text_of(row, "url"), "people who come now find no work");
        }
    }
}

static enum err_code look_jobs(struct ctx *c, json_t *list)
{
    struct job_row *jobs;
    size_t n;
    if (jobs_ended(c->db, 0, JOBS_LOOKED, c->arena, &jobs, &n, &c->err) != OK) {
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

json_t *overview_attention(struct ctx *c, const json_t *all, const json_t *sets)
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
