/* live_data.c - pace, coverage, the overview and the people worth a look as JSON. What one campaign says
 * of itself is live_campaign.c. */
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
#include "web/core/records.h"
#include "web/parts/people_data.h"

/* --- pace --- */

struct pace_face {
    struct pace p;
    int64_t left;
    double minutes_left; /* NAN: cannot be said */
    const char *text, *hour_text, *finish;
};

#define OF(member) RECORD_OF(struct pace_face, member)
RECORD(pace_record, struct pace_face, "pace", "How fast answers come.",
       {"answers", OF(p.answers), .about = "Answers in the present minute and the nine before it."},
       {"minutes", OF(p.minutes), .about = "How many minutes these are."},
       {"per_minute", OF(p.per_minute), .about = "Answers per minute."},
       {"last_hour", OF(p.hour), .about = "Answers in the last 60 minutes."},
       {"last_day", OF(p.day), .about = "Answers in the last 24 hours."},
       {"left", OF(left), .about = "Answers that are still wanted."},
       {"minutes_left", OF(minutes_left), .maybe = true, .about = "Minutes until they have come at this pace; null: no estimate."},
       {"text", OF(text), .about = "`per_minute` for people."},
       {"hour_text", OF(hour_text), .about = "`last_hour` for people."},
       {"finish", OF(finish), .about = "`minutes_left` for people, or why there is no estimate."});
#undef OF

json_t *live_pace(struct arena *a, const struct pace *p, int64_t left, const char *state)
{
    double minutes = state ? -1 : pace_finish(p, left);
    const struct pace_face face = {
        .p = *p,
        .left = left > 0 ? left : 0,
        .minutes_left = minutes >= 0 ? minutes : (double)NAN,
        .text = p->per_minute < 100 ? arena_printf(a, "%.1f", p->per_minute) : data_count(a, lround(p->per_minute)),
        .hour_text = data_count(a, p->hour),
        .finish = state          ? state
                  : left <= 0    ? "complete"
                  : minutes >= 0 ? arena_printf(a, "%s at this pace", pace_span(a, minutes))
                                 : "no one is answering now"};
    return record_json(&pace_record, &face);
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
        if (campaign ? !asked[k->class_id] : !k->of_role[IMAGE_ORIGINAL] && !k->of_role[IMAGE_CANDIDATE]) {
            continue;
        }
        const struct stats_class *v = stats_class(s, k->class_id);
        uint32_t covered = v ? v->covered : 0;
        (*out)[(*n)++] = (struct class_coverage){.class_id = k->class_id,
                                                 .originals = (uint32_t)k->of_role[IMAGE_ORIGINAL],
                                                 .covered = covered,
                                                 .covered_after = covered};
    }
    return OK;
}

struct coverage_face {
    struct coverage_totals t;
    int64_t target;
    int least_answers;
    const char *said;
    struct progress progress;
};

#define OF(member) RECORD_OF(struct coverage_face, member)
RECORD(coverage_record, struct coverage_face, "coverage", "How many classes have enough answered originals.",
       {"target", OF(target), .about = "Originals wanted of each class."},
       {"least_answers", OF(least_answers), .about = "Answers that each of them needs."},
       {"classes", OF(t.classes), .about = "Classes."},
       {"reached", OF(t.reached), .about = "Classes that have them."},
       {"impossible", OF(t.impossible), .about = "Classes that have too few originals for that."},
       {"said", OF(said), .about = "The same for people."},
       {"progress", RECORD_PART(struct coverage_face, progress), .of = &progress_record, .about = "Classes that have them, of all."});
#undef OF

json_t *live_coverage_totals(struct arena *a, const struct coverage_totals *t, int64_t target)
{
    const char *reached = data_count(a, (int64_t)t->reached), *classes = data_count(a, (int64_t)t->classes);
    const char *too_few = t->impossible ? arena_printf(a, " %s cannot get there with so few originals.",
                                                       data_count(a, (int64_t)t->impossible))
                                        : "";
    const struct coverage_face face = {
        .t = *t,
        .target = target,
        .least_answers = STATS_LEAST_ANSWERS,
        .said = t->classes ? arena_printf(a, "Classes with %lld originals that have at least %d answers each: %s of %s.%s",
                                          (long long)target, STATS_LEAST_ANSWERS, reached, classes, too_few)
                           : "No class has images yet.",
        .progress = data_bar((int64_t)t->reached, (int64_t)t->classes, arena_printf(a, "%s of %s classes", reached, classes))};
    return record_json(&coverage_record, &face);
}

struct coverage_class_face {
    struct class_info info;
    struct class_coverage v;
    const char *synset, *url, *why;
};

#define OF(member) RECORD_OF(struct coverage_class_face, member)
RECORD(coverage_class_record, struct coverage_class_face, "coverage_class", "A class that has too few answered originals.",
       {"wnid", OF(info.wnid), .about = "The class."},
       {"class", OF(synset), .about = "Its words."},
       {"url", OF(url), .about = "The address of its page."},
       {"covered", OF(v.covered), .about = "Originals that have their answers."},
       {"originals", OF(v.originals), .about = "Originals that can be shown."},
       {"why", OF(why), .maybe = true, .absent = true, .about = "What is missing."});
#undef OF

enum err_code live_coverage_class(struct ctx *c, const struct class_coverage *v, const char *why, json_t *rows)
{
    struct coverage_class_face face = {.v = *v, .why = why};
    if (classes_get(c->db, v->class_id, c->arena, &face.info, &c->err) != OK) {
        return c->err.code;
    }
    face.synset = data_synset(c->arena, face.info.synset, ", ");
    face.url = arena_printf(c->arena, "/classes/" SV_FMT, SV_ARG(face.info.wnid));
    json_array_append_new(rows, record_json(&coverage_class_record, &face));
    return OK;
}

/* --- overview --- */

struct overview_coverage {
    json_t *totals, *worst;
    bool any_worst;
};

static RECORD(overview_coverage_record, struct overview_coverage, "overview_coverage", "Coverage of all classes.",
              {NULL, RECORD_OF(struct overview_coverage, totals), RECORD_BESIDE, .of = &coverage_record},
              {"any_worst", RECORD_OF(struct overview_coverage, any_worst), .about = "Whether a class needs more."},
              {"worst", RECORD_OF(struct overview_coverage, worst), RECORD_LIST, .of = &coverage_class_record,
               .about = "The classes that need most, worst first."});

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
        if (live_coverage_class(c, &classes[worst[i]], NULL, rows) != OK) {
            json_decref(rows);
            return NULL;
        }
    }
    const struct overview_coverage all = {live_coverage_totals(c->arena, &totals, target), rows, n_worst > 0};
    return record_json(&overview_coverage_record, &all);
}

struct histogram_face {
    int least_answers;
    json_t *originals, *candidates;
};

static RECORD(histogram_record, struct histogram_face, "histogram", "Images by their selection frequency, in steps of 0.2.",
              {"least_answers", RECORD_OF(struct histogram_face, least_answers), .about = "Answers that an image needs to be counted."},
              {"originals", RECORD_OF(struct histogram_face, originals), RECORD_NUMBERS, .about = "Originals, from 0 to 1."},
              {"candidates", RECORD_OF(struct histogram_face, candidates), RECORD_NUMBERS, .about = "Candidates, from 0 to 1."});

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
    const struct histogram_face face = {STATS_LEAST_ANSWERS, originals, candidates};
    return record_json(&histogram_record, &face);
}

/* What stands of all campaigns together. */
struct standing {
    uint64_t grids, complete;
    int64_t left;  /* answers that open campaigns want */
    bool open;     /* some campaign hands out work */
    bool simulated;
};

struct overview_campaign {
    json_t *campaign, *pace;
};

static RECORD(overview_campaign_record, struct overview_campaign, "overview_campaign", "A campaign and its pace.",
              {NULL, RECORD_OF(struct overview_campaign, campaign), RECORD_BESIDE, .of = &campaign_record},
              {"pace", RECORD_OF(struct overview_campaign, pace), .of = &pace_record, .about = "How fast its answers come."});

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
    const struct overview_campaign row = {data_campaign(c, k),
                                          live_pace(c->arena, &pace, left, live_stopped(c->arena, k, &p))};
    return record_json(&overview_campaign_record, &row);
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

struct disagreeing {
    struct worker w;
    const char *url, *text;
    bool simulated;
    double relative;
    uint32_t n;
};

#define OF(member) RECORD_OF(struct disagreeing, member)
static RECORD(disagreeing_record, struct disagreeing, "disagreeing", "Somebody who agrees less than others.",
              {"pseudonym", OF(w.pseudonym), .about = "The person's pseudonym."},
              {"url", OF(url), .about = "The address of the person's page."},
              {"simulated", OF(simulated), .about = "Whether the person is simulated."},
              {"blocked", OF(w.blocked), .about = "Whether the person gets no further grids."},
              {"relative", OF(relative), .about = "Agreement minus that of others on the same cells, mean."},
              {"n", OF(n), .about = "Answers that were compared."},
              {"text", OF(text), .about = "The same for people."});
#undef OF

struct look_agreement {
    double below;
    int least_answers;
    size_t people;
    const char *said;
    bool any;
    json_t *rows;
};

#define OF(member) RECORD_OF(struct look_agreement, member)
static RECORD(look_agreement_record, struct look_agreement, "look_agreement", "People who agree much less than others.",
              {"below", OF(below), .about = "Relative agreement of which that is said, and less."},
              {"least_answers", OF(least_answers), .about = "Compared answers that it takes."},
              {"people", OF(people), .about = "How many they are."},
              {"said", OF(said), .about = "The same for people."},
              {"any", OF(any), .about = "Whether there are any."},
              {"rows", OF(rows), RECORD_LIST, .of = &disagreeing_record, .about = "Those who agree least, least first."});
#undef OF

static json_t *look_agreement(struct ctx *c, const struct stats *s)
{
    struct arena *a = c->arena;
    const struct stats_person *least[LIVE_LOOKS];
    size_t n, all = least_agreement(s, least, &n);
    json_t *rows = json_array();
    for (size_t i = 0; i < n; i++) {
        struct disagreeing row = {.relative = least[i]->relative, .n = least[i]->compared};
        if (workers_get(c->db, least[i]->person, a, &row.w, &c->err) != OK) {
            json_decref(rows);
            return NULL;
        }
        row.url = people_url(a, row.w.pseudonym);
        row.simulated = sv_is(row.w.kind, "simulated");
        row.text = arena_printf(a, "%s (n %u)", people_relative(a, row.relative), row.n);
        json_array_append_new(rows, record_json(&disagreeing_record, &row));
    }
    const char *said =
        all ? arena_printf(a, "%s of %s people agree at least %.1f less than others on the same "
                              "cells, over %d or more answers.%s",
                           data_count(a, (int64_t)all), data_count(a, (int64_t)s->n_people), -LIVE_AGREES_LESS,
                           STATS_LEAST_ANSWERS, all > n ? " The furthest are:" : "")
            : arena_printf(a, "Nobody with %d answers agrees %.1f less than others on the "
                              "same cells.",
                           STATS_LEAST_ANSWERS, -LIVE_AGREES_LESS);
    const struct look_agreement look = {LIVE_AGREES_LESS, STATS_LEAST_ANSWERS, all, said, all > 0, rows};
    return record_json(&look_agreement_record, &look);
}

struct underpaid_face {
    struct underpaid u;
    const char *url, *campaign_url, *text, *floor;
    bool simulated;
};

#define OF(member) RECORD_OF(struct underpaid_face, member)
static RECORD(underpaid_record, struct underpaid_face, "underpaid", "A complete place that is paid too little for its time.",
              {"pseudonym", OF(u.pseudonym), .about = "The person's pseudonym."},
              {"url", OF(url), .about = "The address of the person's page."},
              {"simulated", OF(simulated), .about = "Whether the person is simulated."},
              {"campaign", OF(u.campaign_title), .about = "The campaign's title."},
              {"campaign_url", OF(campaign_url), .about = "The address of its page."},
              {"rate_cents", OF(u.rate_cents), .about = "Pay for an hour of active time, in hundredths of the currency."},
              {"floor_cents", OF(u.floor_cents), .about = "The minimum pay for an hour, in hundredths of the currency."},
              {"currency", OF(u.currency), .about = "The currency."},
              {"text", OF(text), .about = "`rate_cents` for people."},
              {"floor", OF(floor), .about = "`floor_cents` for people."});
#undef OF

struct look_pay {
    int looked;
    int64_t people;
    const char *said;
    bool any;
    json_t *rows;
};

#define OF(member) RECORD_OF(struct look_pay, member)
static RECORD(look_pay_record, struct look_pay, "look_pay", "Complete places below the minimum pay.",
              {"looked", OF(looked), .about = "How many of the latest complete places are looked at."},
              {"people", OF(people), .about = "How many of them are below the minimum."},
              {"said", OF(said), .about = "The same for people."},
              {"any", OF(any), .about = "Whether there are any."},
              {"rows", OF(rows), RECORD_LIST, .of = &underpaid_record, .about = "Those furthest below."});
#undef OF

static json_t *look_pay(struct ctx *c)
{
    struct arena *a = c->arena;
    struct underpaid *list;
    size_t n;
    int64_t all;
    if (participants_underpaid(c->db, LIVE_LOOKS, a, &list, &n, &all, &c->err) != OK) {
        return NULL;
    }
    json_t *rows = json_array();
    for (size_t i = 0; i < n; i++) {
        const struct underpaid *u = &list[i];
        const struct underpaid_face row = {
            .u = *u,
            .url = people_url(a, u->pseudonym),
            .campaign_url = arena_printf(a, "/campaigns/" SV_FMT, SV_ARG(u->campaign_name)),
            .text = people_rate(a, u->rate_cents, u->currency),
            .floor = people_rate(a, u->floor_cents, u->currency),
            .simulated = sv_is(u->kind, "simulated")};
        json_array_append_new(rows, record_json(&underpaid_record, &row));
    }
    const char *said =
        all ? arena_printf(a, "%s of the latest %d complete places %s paid less than the "
                              "minimum for an hour of active time.%s",
                           data_count(a, all), PARTICIPANTS_TIMED, all == 1 ? "was" : "were",
                           all > (int64_t)n ? " The furthest are:" : "")
            : arena_printf(a, "None of the latest %d complete places is below the minimum "
                              "pay of its study.",
                           PARTICIPANTS_TIMED);
    const struct look_pay look = {PARTICIPANTS_TIMED, all, said, all > 0, rows};
    return record_json(&look_pay_record, &look);
}

struct look {
    int64_t flags;
    bool any_flags;
    const char *flags_text;
    json_t *agreement, *pay;
};

#define OF(member) RECORD_OF(struct look, member)
static RECORD(look_record, struct look, "look", "What needs a look, for leads.",
              {"flags", OF(flags), .about = "Flagged images that wait for a decision."},
              {"any_flags", OF(any_flags), .about = "Whether there are any."},
              {"flags_text", OF(flags_text), .about = "The same for people."},
              {"agreement", OF(agreement), .of = &look_agreement_record, .about = "People who agree much less than others."},
              {"pay", OF(pay), .of = &look_pay_record, .about = "Places below the minimum pay."});
#undef OF

/* Null for experts. */
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
    const char *said = arena_printf(c->arena, "%s flagged image%s for a decision", data_count(c->arena, flags),
                                    flags == 1 ? " waits" : "s wait");
    const struct look look = {flags, flags > 0, said, agreement, pay};
    return record_json(&look_record, &look);
}

/* --- all of it --- */

struct overview {
    int64_t as_of, images;
    const char *view;
    bool simulated;
    struct overview_grids {
        uint64_t done, all;
    } grids;
    struct tally_totals counts;
    struct overview_people {
        uint64_t all, now;
    } people;
    json_t *originals, *candidates, *pace, *histogram, *coverage, *look, *campaigns;
};

static RECORD(overview_grids_record, struct overview_grids, "overview_grids", "Grids of all campaigns.",
              {"done", RECORD_OF(struct overview_grids, done), .about = "Grids that have their answers."},
              {"all", RECORD_OF(struct overview_grids, all), .about = "All grids."});
static RECORD(overview_people_record, struct overview_people, "overview_people", "People who answered.",
              {"all", RECORD_OF(struct overview_people, all), .about = "Everybody."},
              {"now", RECORD_OF(struct overview_people, now), .about = "Those whose newest answer is at most ten minutes old."});
#define OF(member) RECORD_OF(struct overview, member)
RECORD(overview_record, struct overview, "overview", "How everything stands.",
       {"view", OF(view), .about = "The vote view of the frequencies."},
       {"as_of", OF(as_of), .about = "The number of the last event that is counted."},
       {"simulated", OF(simulated), .about = "Whether simulated answers are counted."},
       {"images", OF(images), .about = "All images."},
       {"grids", RECORD_PART(struct overview, grids), .of = &overview_grids_record, .about = "Grids of all campaigns."},
       {"answers", OF(counts.answers), .about = "Answers that count."},
       {"surplus", OF(counts.surplus), .about = "Answers beyond those that a grid wanted."},
       {"votes", OF(counts.votes), .about = "Votes of the answers that count."},
       {"people", RECORD_PART(struct overview, people), .of = &overview_people_record, .about = "People who answered."},
       {"originals", OF(originals), .of = &frequency_record, .about = "The selection frequency of all originals."},
       {"candidates", OF(candidates), .of = &frequency_record, .about = "That of all candidates."},
       {"pace", OF(pace), .of = &pace_record, .about = "How fast answers come, and what open campaigns still want."},
       {"histogram", OF(histogram), .of = &histogram_record, .about = "Images by selection frequency."},
       {"coverage", OF(coverage), .of = &overview_coverage_record, .about = "Classes that have enough answered originals."},
       {"look", OF(look), .maybe = true, .of = &look_record, .about = "What needs a look; null: not for this role."},
       {"campaigns", OF(campaigns), RECORD_LIST, .of = &overview_campaign_record, .about = "All campaigns, open ones first."});
#undef OF

json_t *live_overview(struct ctx *c, const struct stats *s)
{
    struct arena *a = c->arena;
    struct campaign *list;
    size_t n;
    struct overview o = {.view = "default", .as_of = s->cursor};
    struct standing sum = {0};
    struct pace pace;
    if (campaigns_list(c->db, false, a, &list, &n, &c->err) != OK || images_count(c->db, &o.images, &c->err) != OK) {
        return NULL;
    }
    o.coverage = overview_coverage(c, s, class_target_of(list, n));
    o.look = o.coverage ? overview_look(c, s) : NULL;
    if (!o.look) {
        json_decref(o.coverage);
        return NULL;
    }
    o.campaigns = campaign_rows(c, s, list, n, &sum);
    o.simulated = sum.simulated;
    o.grids = (struct overview_grids){sum.complete, sum.grids};
    struct tally *t = app_tally(c->app);
    tally_read_lock(t);
    tally_totals(t, &o.counts);
    tally_read_unlock(t);
    int64_t now = pace_now(s, clock_wall_ms());
    o.people = (struct overview_people){s->n_people, (uint64_t)pace_people(s, now)};
    o.originals = data_clustered(a, (int64_t)s->selected[CELL_POSITIVE], (int64_t)s->shown[CELL_POSITIVE],
                                 s->ci[CELL_POSITIVE]);
    o.candidates = data_clustered(a, (int64_t)s->selected[CELL_CANDIDATE], (int64_t)s->shown[CELL_CANDIDATE],
                                  s->ci[CELL_CANDIDATE]);
    pace_of(s, NULL, now, &pace);
    o.pace = live_pace(a, &pace, sum.left, sum.open ? NULL : "no open campaign");
    o.histogram = overview_histogram(s);
    return record_json(&overview_record, &o);
}
