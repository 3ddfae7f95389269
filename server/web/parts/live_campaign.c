/* live_campaign.c - what a campaign's page and its JSON say: pace, coverage per class, scores of gold and
 * controls, the position effect, people. */
#include <math.h>

#include "base/clock.h"
#include "store/campaigns/studies.h"
#include "store/people/participants.h"
#include "web/core/page_data.h"
#include "web/core/records.h"
#include "web/parts/live_data.h"
#include "web/parts/people_data.h"

/* --- coverage --- */

static const char *coverage_why(const struct class_coverage *v, int64_t target)
{
    return v->covered >= target     ? "reached"
           : v->originals < target ? "too few originals"
                                   : "needs more answers";
}

struct campaign_coverage {
    json_t *totals, *below;
    size_t from;
    int64_t next;
    bool any_below;
};

#define OF(member) RECORD_OF(struct campaign_coverage, member)
static RECORD(campaign_coverage_record, struct campaign_coverage, "campaign_coverage", "Coverage of a campaign's classes.",
              {NULL, OF(totals), RECORD_BESIDE, .of = &coverage_record},
              {"from", OF(from), .about = "The number of classes before the first of `below`."},
              {"next", OF(next), .maybe = true, .about = "What `classes` must be for those that follow; null: these are the last."},
              {"any_below", OF(any_below), .about = "Whether there are any here."},
              {"below", OF(below), RECORD_LIST, .of = &coverage_class_record, .about = "Classes below the target, worst first."});
#undef OF

/* Null when the default view does not count this campaign, or it has no target. */
static json_t *campaign_coverage(struct ctx *c, const struct stats *s, const struct campaign *k,
                                 size_t from)
{
    struct class_coverage *classes;
    struct coverage_totals totals;
    size_t n;
    if (k->coverage == 0 || !(sv_is(k->kind, "main") || sv_is(k->kind, "top-up"))) {
        return json_null();
    }
    if (live_coverage(c, s, k->id, &classes, &n) != OK) {
        return NULL;
    }
    coverage_totals(classes, n, k->coverage, &totals);
    from = from < n ? from : n;
    size_t most = from + LIVE_CLASSES + 1;
    size_t *worst = arena_calloc(c->arena, most, sizeof *worst);
    size_t found = coverage_worst(classes, n, k->coverage, most, worst);
    json_t *rows = json_array();
    for (size_t i = from; i < found && i < from + LIVE_CLASSES; i++) {
        const struct class_coverage *v = &classes[worst[i]];
        if (live_coverage_class(c, v, coverage_why(v, k->coverage), rows) != OK) {
            json_decref(rows);
            return NULL;
        }
    }
    const struct campaign_coverage all = {
        .totals = live_coverage_totals(c->arena, &totals, k->coverage),
        .below = rows,
        .from = from,
        .next = found > from + LIVE_CLASSES ? (int64_t)from + LIVE_CLASSES : 0,
        .any_below = json_array_size(rows) > 0};
    return record_json(&campaign_coverage_record, &all);
}

/* --- the position in the grid --- */

/* Such a page is looked at again and again while answers come, and a project has several campaigns: one in a hundred is
 * seen soon where nothing matters. */
static const char *flatness_text(struct arena *a, const struct chi_square *x)
{
    if (x->degrees == 0) {
        return "There are too few answers to tell.";
    }
    const char *p = x->p < 0.001 ? "less than 0.1 %" : arena_printf(a, "%.1f %%", 100 * x->p);
    const char *verdict = x->p < 0.001  ? "The position in the grid seems to matter."
                          : x->p < 0.05 ? "This may be chance, or a small effect."
                                        : "There is no sign that the position in the grid matters.";
    return arena_printf(a,
                        "If the position made no difference, rates at least this different would be seen in %s of "
                        "campaigns. %s",
                        p, verdict);
}

/* "1,200 answers", "30 grids", "1,200 answers and 30 grids" */
static const char *blocks_text(struct arena *a, const struct stats_campaign *k)
{
    const char *answers = arena_printf(a, "%s answer%s", data_count(a, k->shuffled),
                                       k->shuffled == 1 ? "" : "s");
    const char *grids =
        arena_printf(a, "%s grid%s", data_count(a, k->in_order), k->in_order == 1 ? "" : "s");
    return k->in_order == 0   ? answers
           : k->shuffled == 0 ? grids
                              : arena_printf(a, "%s and %s", answers, grids);
}

struct position_face {
    json_t *frequency;
    unsigned position;
};

static RECORD(position_record, struct position_face, "position", "How often candidates in a position were selected.",
              {NULL, RECORD_OF(struct position_face, frequency), RECORD_BESIDE, .of = &frequency_record},
              {"position", RECORD_OF(struct position_face, position), .about = "The position as shown, from 1."});

struct positions_face {
    const char *test, *blocks, *chi_square_text, *text;
    struct chi_square x;
    bool tested;
    uint32_t answers, grids;
    json_t *rows;
};

#define OF(member) RECORD_OF(struct positions_face, member)
static RECORD(positions_record, struct positions_face, "positions", "Whether the position in the grid matters.",
              {"rows", OF(rows), RECORD_LIST, .of = &position_record, .about = "Each position."},
              {"tested", OF(tested), .about = "Whether there are enough answers to test it."},
              {"test", OF(test), .about = "The test: its blocks are answers, and grids that everybody saw in one order."},
              {"answers", OF(answers), .about = "Answers with an order of their own."},
              {"grids", OF(grids), .about = "Grids that everybody saw in one order."},
              {"blocks", OF(blocks), .about = "Both for people."},
              {"chi_square", OF(x.statistic), .about = "The statistic."},
              {"chi_square_text", OF(chi_square_text), .about = "The same with one decimal."},
              {"degrees", OF(x.degrees), .about = "Its degrees of freedom."},
              {"p", OF(x.p), .about = "How likely rates that differ as much are if the position makes no difference."},
              {"text", OF(text), .about = "What that means, for people."});
#undef OF

static json_t *positions_json(struct arena *a, const struct stats_campaign *k)
{
    struct chi_square x = k->flat;
    json_t *rows = json_array();
    for (unsigned i = 0; i < STATS_POSITIONS; i++) {
        const struct position_face row = {data_frequency(a, (int64_t)k->selected[i], (int64_t)k->shown[i]), i + 1};
        json_array_append_new(rows, record_json(&position_record, &row));
    }
    const struct positions_face face = {
        .test = "Cochran's Q",
        .blocks = blocks_text(a, k),
        .chi_square_text = arena_printf(a, "%.1f", x.statistic),
        .text = flatness_text(a, &x),
        .x = x,
        .tested = x.degrees > 0,
        .answers = k->shuffled,
        .grids = k->in_order,
        .rows = rows};
    return record_json(&positions_record, &face);
}

/* --- people and scores --- */

struct campaign_scores {
    json_t *gold, *negative, *positive;
};

#define OF(member) RECORD_OF(struct campaign_scores, member)
static RECORD(campaign_scores_record, struct campaign_scores, "campaign_scores", "Gold and controls that were answered right.",
              {"gold", OF(gold), .of = &frequency_record, .about = "Gold."},
              {"negative", OF(negative), .of = &frequency_record, .about = "Negative controls that were not selected."},
              {"positive", OF(positive), .of = &frequency_record, .about = "Positive controls that were selected."});
#undef OF

static json_t *scores_json(struct arena *a, const struct stats_campaign *k, bool classify)
{
    const struct campaign_scores scores = {(classify ? data_clustered_answers : data_clustered)(a, k->gold_right, k->gold, k->gold_ci),
                                           data_clustered(a, k->neg_right, k->neg, k->neg_ci),
                                           data_clustered(a, k->pos_right, k->pos, k->pos_ci)};
    return record_json(&campaign_scores_record, &scores);
}

struct campaign_people {
    uint32_t answering, most;
    double most_share, median_active_seconds; /* NAN: not known */
    bool lead; /* who may see pay, where there is any */
    struct campaign_pay {
        struct participants_summary sum;
        int64_t places, to_decide, floor_cents;
        double median_active_seconds, rate_cents;
        struct sv currency;
        bool low;
        const char *text;
    } pay;
};

#define OF(member) RECORD_OF(struct campaign_pay, member)
static RECORD(campaign_pay_record, struct campaign_pay, "campaign_pay", "What places are paid, for leads.",
              {"places", OF(places), .about = "All places."},
              {"complete", OF(sum.complete), .about = "Places that are complete."},
              {"to_decide", OF(to_decide), .about = "Places whose pay waits for a decision."},
              {"timed", OF(sum.timed), .about = "The latest complete places with a time, of which the medians are."},
              {"median_active_seconds", OF(median_active_seconds), .about = "Their active time in seconds, median."},
              {"rate_cents", OF(rate_cents), RECORD_WHOLE, .maybe = true,
               .about = "Their pay for an hour of active time in hundredths of the currency, median; null: not known."},
              {"floor_cents", OF(floor_cents), .about = "The minimum pay for an hour in hundredths of the currency; 0: none."},
              {"currency", OF(currency), .about = "The currency."},
              {"low", OF(low), .about = "Whether `rate_cents` is below the minimum."},
              {"text", OF(text), .about = "`rate_cents` for people."});
#undef OF
#define OF(member) RECORD_OF(struct campaign_people, member)
static RECORD(campaign_people_record, struct campaign_people, "campaign_people", "People who answered.",
              {"answering", OF(answering), .about = "How many they are."},
              {"most", OF(most), .about = "Answers of the one who gave most."},
              {"most_share", OF(most_share), .maybe = true, .about = "Their share of all answers, from 0 to 1; null: no answers."},
              {"median_active_seconds", OF(median_active_seconds), .maybe = true,
               .about = "Active seconds of an answer, median; null: not measured."},
              {"pay", RECORD_PART(struct campaign_people, pay), RECORD_IF(struct campaign_people, lead), .of = &campaign_pay_record,
               .about = "What places are paid; null: not for this role, or done elsewhere."});
#undef OF

static enum err_code people_json(struct ctx *c, const struct campaign *k,
                                 const struct stats_campaign *v, json_t **out)
{
    struct campaign_people p = {
        .answering = v->people,
        .most = v->most,
        .most_share = v->answers ? (double)v->most / v->answers : (double)NAN,
        .median_active_seconds = v->median_active_ms ? v->median_active_ms / 1000.0 : (double)NAN,
        .lead = c->user.role >= ROLE_LEAD && !k->imported};
    struct campaign_pay *pay = &p.pay;
    struct study_settings study;
    if (p.lead && (participants_summary(c->db, k->id, &pay->sum, &c->err) != OK ||
                   studies_get(c->db, k->id, c->arena, &study, &c->err) != OK)) {
        return c->err.code;
    }
    if (p.lead) {
        int64_t rate = pay->sum.median_rate_cents;
        pay->places = pay->sum.fit[PARTICIPANTS_ALL];
        pay->to_decide = pay->sum.fit[PARTICIPANTS_TO_DECIDE];
        pay->floor_cents = study.floor_cents;
        pay->median_active_seconds = (double)pay->sum.median_active_ms / 1000;
        pay->rate_cents = rate >= 0 ? (double)rate : (double)NAN;
        pay->currency = k->currency;
        pay->low = rate >= 0 && rate < study.floor_cents;
        pay->text = people_rate(c->arena, rate, k->currency);
    }
    *out = record_json(&campaign_people_record, &p);
    return OK;
}

/* --- all of it --- */

struct live_campaign {
    json_t *campaign;
    int64_t as_of;
    struct desk_progress p;
    struct live_answers {
        uint32_t counted, wanted, all, surplus, out;
    } answers;
    json_t *pace, *coverage, *scores, *positions, *people;
};

#define OF(member) RECORD_OF(struct desk_progress, member)
static RECORD(live_grids_record, struct desk_progress, "campaign_grids", "Grids of a campaign.",
              {"done", OF(complete), .about = "Grids that have their answers."},
              {"all", OF(grids), .about = "All grids."},
              {"lent", OF(leased), .about = "Grids that are lent now."});
#undef OF
#define OF(member) RECORD_OF(struct live_answers, member)
static RECORD(live_answers_record, struct live_answers, "campaign_answers", "Answers of a campaign.",
              {"counted", OF(counted), .about = "Answers that count towards those wanted."},
              {"wanted", OF(wanted), .about = "Answers wanted."},
              {"all", OF(all), .about = "All answers."},
              {"surplus", OF(surplus), .about = "Answers beyond those that a grid wanted."},
              {"out", OF(out), .about = "Answers that are excluded from the analysis."});
#undef OF
#define OF(member) RECORD_OF(struct live_campaign, member)
RECORD(live_campaign_record, struct live_campaign, "live_campaign", "How a campaign stands.",
       {.kind = RECORD_BESIDE, OF(campaign), .of = &campaign_record},
       {"as_of", OF(as_of), .about = "The number of the newest event that is counted."},
       {"grids", RECORD_PART(struct live_campaign, p), .of = &live_grids_record, .about = "Its grids."},
       {"answers", RECORD_PART(struct live_campaign, answers), .of = &live_answers_record, .about = "Its answers."},
       {"pace", OF(pace), .of = &pace_record, .about = "How fast its answers come."},
       {"coverage", OF(coverage), .maybe = true, .of = &campaign_coverage_record,
        .about = "Classes that have enough answered originals; null: no coverage is wanted."},
       {"scores", OF(scores), .of = &campaign_scores_record, .about = "Gold and controls that were answered right."},
       {"positions", OF(positions), .of = &positions_record, .about = "Whether the position in the grid matters."},
       {"people", OF(people), .of = &campaign_people_record, .about = "People who answered."});
#undef OF

json_t *live_campaign(struct ctx *c, const struct stats *s, const struct campaign *k, size_t from)
{
    static const struct stats_campaign none = {.flat = {.p = 1}};
    const struct stats_campaign *v = stats_campaign(s, k->id);
    struct pace pace;
    v = v ? v : &none;
    struct live_campaign l = {.as_of = s->cursor, .coverage = campaign_coverage(c, s, k, from)};
    if (!l.coverage || people_json(c, k, v, &l.people) != OK) {
        json_decref(l.coverage);
        return NULL;
    }
    data_progress(c, k, &l.p);
    l.answers = (struct live_answers){l.p.answers, l.p.wanted, v->answers, v->surplus, v->out};
    pace_of(s, v, pace_now(s, clock_wall_ms()), &pace);
    l.pace = live_pace(c->arena, &pace, (int64_t)l.p.wanted - l.p.answers, live_stopped(c->arena, k, &l.p));
    l.scores = scores_json(c->arena, v, k->classify);
    l.positions = positions_json(c->arena, v);
    l.campaign = data_campaign(c, k);
    return record_json(&live_campaign_record, &l);
}
