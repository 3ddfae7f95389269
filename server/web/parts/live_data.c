/* live_data.c - pace, coverage, the overview and the people worth a look as JSON. What one campaign says
 * of itself is live_campaign.c. */
#include "json/object.h"
#include "web/parts/class_numbers.h"
#include "web/parts/live_data.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "store/images/images.h"
#include "store/people/participants.h"
#include "store/people/workers.h"
#include "view/people_texts.h"
#include "web/core/page_data.h"
#include "web/parts/people_data.h"

json_t *live_pace(struct arena *a, const struct pace *p, int64_t left, const char *state)
{
    double minutes = state ? -1 : pace_finish(p, left);
    const char *finish = state          ? state
                         : left <= 0    ? "complete"
                         : minutes >= 0 ? arena_printf(a, "%s at this pace", pace_span(a, minutes))
                                        : "no one is answering now";
    return object(field_int("answers", p->answers), field_real("minutes", p->minutes),
                  field_real("per_minute", p->per_minute), field_int("last_hour", p->hour),
                  field_int("last_day", p->day), field_int("left", left > 0 ? left : 0),
                  field_json("minutes_left", minutes >= 0 ? json_real(minutes) : json_null()),
                  field_text("text", p->per_minute < 100 ? arena_printf(a, "%.1f", p->per_minute)
                                                         : data_count(a, lround(p->per_minute))),
                  field_text("hour_text", data_count(a, p->hour)), field_text("finish", finish));
}

void live_finish_tile(struct arena *a, json_t *tiles, const json_t *pace)
{
    const json_t *minutes = json_object_get(pace, "minutes_left");
    if (json_is_real(minutes)) {
        data_tile(tiles, "Time to finish", pace_span(a, json_real_value(minutes)),
                  arena_printf(a, "%s answers at this pace",
                               data_count(a, json_integer_value(json_object_get(pace, "left")))));
    } else {
        data_tile(tiles, "Time to finish", "\xe2\x80\x93",
                  json_string_value(json_object_get(pace, "finish")));
    }
}

const char *live_stopped(struct arena *a, const struct campaign *k, const struct desk_progress *p)
{
    bool complete = p->wanted && p->answers >= p->wanted;
    return k->imported                            ? "done elsewhere"
           : complete || sv_is(k->state, "open") ? NULL
                                                  : arena_cstr(a, k->state);
}

unsigned live_again(struct ctx *c, const struct stats *s)
{
    struct tally_totals now;
    struct tally *t = app_tally(c->app);
    tally_read_lock(t);
    tally_totals(t, &now);
    tally_read_unlock(t);
    if (now.cursor != s->cursor) {
        return 2; /* the kept statistics were young enough and yet not the newest */
    }
    struct pace p;
    pace_of(s, NULL, pace_now(s, clock_wall_ms()), &p);
    return p.answers ? 60 : 0; /* until the pace has come down to nothing */
}

/* --- coverage --- */

/* Marks the classes that the campaign asks about. */
static void mark_classes(struct ctx *c, int64_t campaign, bool *asked, size_t most)
{
    struct tally *t = app_tally(c->app);
    size_t n;
    tally_read_lock(t);
    const struct tally_grid *g = tally_grids(t, &n);
    for (size_t i = 0; i < n; i++) {
        if (g[i].campaign == campaign && g[i].class < most) {
            asked[g[i].class] = true;
        }
    }
    tally_read_unlock(t);
}

enum err_code live_coverage(struct ctx *c, const struct stats *s, int64_t campaign,
                            struct class_coverage **out, size_t *n)
{
    struct class_count *counts;
    size_t n_counts;
    int64_t last = 0;
    *n = 0;
    if (images_by_class(c->db, c->arena, &counts, &n_counts, &c->err) != OK) {
        return c->err.code;
    }
    for (size_t i = 0; i < n_counts; i++) {
        last = counts[i].class_id > last ? counts[i].class_id : last;
    }
    bool *asked = arena_calloc(c->arena, (size_t)last + 1, sizeof *asked);
    if (campaign) {
        mark_classes(c, campaign, asked, (size_t)last + 1);
    }
    *out = arena_calloc(c->arena, n_counts, sizeof **out);
    for (size_t i = 0; i < n_counts; i++) {
        const struct class_count *k = &counts[i];
        if (campaign ? !asked[k->class_id] : !k->of_role[0] && !k->of_role[1]) {
            continue;
        }
        const struct stats_class *v = stats_class(s, k->class_id);
        uint32_t covered = v ? v->covered : 0;
        (*out)[(*n)++] = (struct class_coverage){.class_id = k->class_id,
                                                 .originals = (uint32_t)k->of_role[0],
                                                 .covered = covered,
                                                 .covered_after = covered};
    }
    return OK;
}

json_t *live_coverage_totals(struct arena *a, const struct coverage_totals *t, int64_t target)
{
    const char *said = arena_printf(
        a, "Classes with %lld originals that have at least %d answers each: %s of %s.%s",
        (long long)target, STATS_LEAST_ANSWERS, data_count(a, (int64_t)t->reached),
        data_count(a, (int64_t)t->classes),
        t->impossible ? arena_printf(a, " %s cannot get there with so few originals.",
                                     data_count(a, (int64_t)t->impossible))
                      : "");
    size_t percent = t->classes ? 100 * t->reached / t->classes : 0;
    return object(
        field_int("target", target), field_int("least_answers", STATS_LEAST_ANSWERS),
        field_count("classes", t->classes), field_count("reached", t->reached),
        field_count("impossible", t->impossible),
        field_text("said", t->classes ? said : "No class has images yet."),
        field_json("progress",
                   object(field_count("done", t->reached),
                          field_count("total", t->classes ? t->classes : 1),
                          field_count("percent", percent),
                          field_text("text", arena_printf(a, "%s of %s classes",
                                                          data_count(a, (int64_t)t->reached),
                                                          data_count(a, (int64_t)t->classes))))));
}

/* --- overview --- */

static json_t *overview_coverage(struct ctx *c, const struct stats *s, int64_t target)
{
    struct class_coverage *classes;
    struct coverage_totals totals;
    size_t n, worst[LIVE_LOOKS];
    if (live_coverage(c, s, 0, &classes, &n) != OK) {
        return NULL;
    }
    coverage_totals(classes, n, target, &totals);
    size_t n_worst = coverage_worst(classes, n, target, LIVE_LOOKS, worst);
    json_t *rows = json_array();
    for (size_t i = 0; i < n_worst; i++) {
        const struct class_coverage *v = &classes[worst[i]];
        struct class_info info;
        if (classes_get(c->db, v->class_id, c->arena, &info, &c->err) != OK) {
            json_decref(rows);
            return NULL;
        }
        object_add(rows, field_sv("wnid", info.wnid),
                   field_text("class", data_synset(c->arena, info.synset, ", ")),
                   field_text("url", arena_printf(c->arena, "/classes/" SV_FMT, SV_ARG(info.wnid))),
                   field_int("covered", v->covered), field_int("originals", v->originals));
    }
    json_t *all = live_coverage_totals(c->arena, &totals, target);
    json_object_set_new(all, "any_worst", json_boolean(n_worst > 0));
    json_object_set_new(all, "worst", rows);
    return all;
}

static json_t *overview_histogram(const struct stats *s)
{
    uint64_t sum[2][STATS_BINS] = {{0}};
    for (size_t i = 0; i < s->n_classes; i++) {
        for (unsigned b = 0; b < STATS_BINS; b++) {
            sum[0][b] += s->classes[i].originals[b];
            sum[1][b] += s->classes[i].candidates[b];
        }
    }
    json_t *originals = json_array(), *candidates = json_array();
    for (unsigned b = 0; b < STATS_BINS; b++) {
        json_array_append_new(originals, json_integer((json_int_t)sum[0][b]));
        json_array_append_new(candidates, json_integer((json_int_t)sum[1][b]));
    }
    return object(field_int("least_answers", STATS_LEAST_ANSWERS),
                  field_json("originals", originals), field_json("candidates", candidates));
}

/* What stands of all campaigns together. */
struct standing {
    uint64_t grids, complete;
    int64_t left;  /* answers that open campaigns want */
    bool open;     /* some campaign hands out work */
    bool simulated;
};

static json_t *campaign_row(struct ctx *c, const struct stats *s, const struct campaign *k,
                            struct standing *sum)
{
    static const struct stats_campaign none = {0};
    const struct stats_campaign *v = stats_campaign(s, k->id);
    struct desk_progress p;
    struct pace pace;
    data_progress(c, k, &p);
    pace_of(s, v ? v : &none, pace_now(s, clock_wall_ms()), &pace);
    bool open = sv_is(k->state, "open") && !k->imported;
    int64_t left = (int64_t)p.wanted - p.answers;
    sum->grids += p.grids;
    sum->complete += p.complete;
    sum->left += open && left > 0 ? left : 0;
    sum->open = sum->open || open;
    sum->simulated = sum->simulated || (k->simulated && p.answers);
    json_t *row = data_campaign(c, k);
    json_object_set_new(row, "pace",
                        live_pace(c->arena, &pace, left,
                                  live_stopped(c->arena, k, &p)));
    return row;
}

/* Open ones first. */
static json_t *campaign_rows(struct ctx *c, const struct stats *s, const struct campaign *list,
                             size_t n, struct standing *sum)
{
    json_t *rows = json_array();
    for (int open = 1; open >= 0; open--) {
        for (size_t i = 0; i < n; i++) {
            if (sv_is(list[i].state, "open") == (open == 1)) {
                json_array_append_new(rows, campaign_row(c, s, &list[i], sum));
            }
        }
    }
    return rows;
}

/* --- people worth a look --- */

/* The people with the least relative agreement, least first; returns how many are below the mark. */
static size_t least_agreement(const struct stats *s, const struct stats_person **out, size_t *n)
{
    size_t all = 0;
    *n = 0;
    for (size_t i = 0; i < s->n_people; i++) {
        const struct stats_person *p = &s->people[i];
        if (p->compared < STATS_LEAST_ANSWERS || !(p->relative <= LIVE_AGREES_LESS)) {
            continue;
        }
        all++;
        size_t at = *n < LIVE_LOOKS ? (*n)++ : LIVE_LOOKS;
        while (at > 0 && out[at - 1]->relative > p->relative) {
            if (at < LIVE_LOOKS) {
                out[at] = out[at - 1];
            }
            at--;
        }
        if (at < LIVE_LOOKS) {
            out[at] = p;
        }
    }
    return all;
}

static json_t *look_agreement(struct ctx *c, const struct stats *s)
{
    const struct stats_person *least[LIVE_LOOKS];
    size_t n, all = least_agreement(s, least, &n);
    json_t *rows = json_array();
    for (size_t i = 0; i < n; i++) {
        struct worker w;
        if (workers_get(c->db, least[i]->person, c->arena, &w, &c->err) != OK) {
            json_decref(rows);
            return NULL;
        }
        object_add(rows, field_sv("pseudonym", w.pseudonym),
                   field_text("url", people_url(c->arena, w.pseudonym)),
                   field_bool("simulated", sv_is(w.kind, "simulated")),
                   field_bool("blocked", w.blocked), field_real("relative", least[i]->relative),
                   field_int("n", least[i]->compared),
                   field_text("text", arena_printf(c->arena, "%s (n %u)",
                                                   people_relative(c->arena, least[i]->relative),
                                                   least[i]->compared)));
    }
    const char *said =
        all ? arena_printf(c->arena, "%s of %s people agree at least %.1f less than others on the same "
                                     "cells, over %d or more answers.%s",
                           data_count(c->arena, (int64_t)all),
                           data_count(c->arena, (int64_t)s->n_people), -LIVE_AGREES_LESS,
                           STATS_LEAST_ANSWERS, all > n ? " The furthest are:" : "")
            : arena_printf(c->arena, "Nobody with %d answers agrees %.1f less than others on the "
                                     "same cells.",
                           STATS_LEAST_ANSWERS, -LIVE_AGREES_LESS);
    return object(field_real("below", LIVE_AGREES_LESS),
                  field_int("least_answers", STATS_LEAST_ANSWERS), field_count("people", all),
                  field_text("said", said), field_bool("any", all > 0), field_json("rows", rows));
}

static json_t *look_pay(struct ctx *c)
{
    struct underpaid *list;
    size_t n;
    int64_t all;
    if (participants_underpaid(c->db, LIVE_LOOKS, c->arena, &list, &n, &all, &c->err) != OK) {
        return NULL;
    }
    json_t *rows = json_array();
    for (size_t i = 0; i < n; i++) {
        const struct underpaid *u = &list[i];
        object_add(rows, field_sv("pseudonym", u->pseudonym),
                   field_text("url", people_url(c->arena, u->pseudonym)),
                   field_bool("simulated", sv_is(u->kind, "simulated")),
                   field_sv("campaign", u->campaign_title),
                   field_text("campaign_url", arena_printf(c->arena, "/campaigns/" SV_FMT,
                                                           SV_ARG(u->campaign_name))),
                   field_int("rate_cents", u->rate_cents), field_int("floor_cents", u->floor_cents),
                   field_sv("currency", u->currency),
                   field_text("text", people_rate(c->arena, u->rate_cents, u->currency)),
                   field_text("floor", people_rate(c->arena, u->floor_cents, u->currency)));
    }
    const char *said =
        all ? arena_printf(c->arena, "%s of the latest %d complete places %s paid less than the "
                                     "minimum for an hour of active time.%s",
                           data_count(c->arena, all), PARTICIPANTS_TIMED, all == 1 ? "was" : "were",
                           all > (int64_t)n ? " The furthest are:" : "")
            : arena_printf(c->arena, "None of the latest %d complete places is below the minimum "
                                     "pay of its study.",
                           PARTICIPANTS_TIMED);
    return object(field_int("looked", PARTICIPANTS_TIMED), field_int("people", all),
                  field_text("said", said), field_bool("any", all > 0), field_json("rows", rows));
}

/* {flags {waiting}, agreement {...}, pay {...}}: null for experts. */
static json_t *overview_look(struct ctx *c, const struct stats *s)
{
    if (c->user.role < ROLE_LEAD) {
        return json_null();
    }
    int64_t flags = app_flags_waiting(c->app);
    json_t *agreement = look_agreement(c, s), *pay = agreement ? look_pay(c) : NULL;
    if (!pay) {
        json_decref(agreement);
        return NULL;
    }
    return object(
        field_int("flags", flags), field_bool("any_flags", flags > 0),
        field_text("flags_text", arena_printf(c->arena,
                                              flags == 1 ? "%s flagged image waits for a decision"
                                                         : "%s flagged images wait for a decision",
                                              data_count(c->arena, flags))),
        field_json("agreement", agreement), field_json("pay", pay));
}

/* --- all of it --- */

static json_t *counts_json(struct ctx *c, const struct stats *s, const struct standing *sum,
                           int64_t images)
{
    struct tally_totals v;
    struct tally *t = app_tally(c->app);
    tally_read_lock(t);
    tally_totals(t, &v);
    tally_read_unlock(t);
    return object(
        field_text("view", "default"), field_int("as_of", s->cursor),
        field_bool("simulated", sum->simulated), field_int("images", images),
        field_json("grids", object(field_count("done", sum->complete), field_count("all", sum->grids))),
        field_count("answers", v.answers), field_count("surplus", v.surplus),
        field_count("votes", v.votes),
        field_json("people",
                   object(field_count("all", s->n_people),
                          field_int("now", pace_people(s, pace_now(s, clock_wall_ms()))))),
        field_json("originals",
                   data_clustered(c->arena, (int64_t)s->selected[CELL_POSITIVE],
                                  (int64_t)s->shown[CELL_POSITIVE], s->ci[CELL_POSITIVE])),
        field_json("candidates",
                   data_clustered(c->arena, (int64_t)s->selected[CELL_CANDIDATE],
                                  (int64_t)s->shown[CELL_CANDIDATE], s->ci[CELL_CANDIDATE])));
}

json_t *live_overview(struct ctx *c, const struct stats *s)
{
    struct campaign *list;
    size_t n;
    int64_t images;
    struct standing sum = {0};
    struct pace pace;
    if (campaigns_list(c->db, false, c->arena, &list, &n, &c->err) != OK ||
        images_count(c->db, &images, &c->err) != OK) {
        return NULL;
    }
    json_t *coverage = overview_coverage(c, s, class_target_of(list, n));
    json_t *look = coverage ? overview_look(c, s) : NULL;
    if (!look) {
        json_decref(coverage);
        return NULL;
    }
    json_t *campaigns = campaign_rows(c, s, list, n, &sum);
    json_t *all = counts_json(c, s, &sum, images);
    pace_of(s, NULL, pace_now(s, clock_wall_ms()), &pace);
    json_object_set_new(all, "pace",
                        live_pace(c->arena, &pace, sum.left, sum.open ? NULL : "no open campaign"));
    json_object_set_new(all, "histogram", overview_histogram(s));
    json_object_set_new(all, "coverage", coverage);
    json_object_set_new(all, "look", look);
    json_object_set_new(all, "campaigns", campaigns);
    return all;
}
