/* live_campaign.c - what a campaign's page and its JSON say: pace, coverage per class, scores of gold and
 * controls, the position effect, people. */
#include <math.h>

#include "base/clock.h"
#include "json/object.h"
#include "store/campaigns/studies.h"
#include "store/people/participants.h"
#include "web/core/page_data.h"
#include "web/parts/live_data.h"
#include "web/parts/people_data.h"

/* --- coverage --- */

static const char *coverage_why(const struct class_coverage *v, int64_t target)
{
    return v->covered >= target     ? "reached"
           : v->originals < target ? "too few originals"
                                   : "needs more answers";
}

/* NULL on failure. */
static json_t *coverage_row(struct ctx *c, const struct class_coverage *v, int64_t target)
{
    struct class_info info;
    if (classes_get(c->db, v->class_id, c->arena, &info, &c->err) != OK) {
        return NULL;
    }
    return object(field_sv("wnid", info.wnid),
                  field_text("class", data_synset(c->arena, info.synset, ", ")),
                  field_text("url", arena_printf(c->arena, "/classes/" SV_FMT, SV_ARG(info.wnid))),
                  field_int("covered", v->covered), field_int("originals", v->originals),
                  field_text("why", coverage_why(v, target)));
}

/* live_coverage_totals and {from, next, any_below, below [rows]}: the classes below the
 * target, worst first. Null when the default view does not count this campaign, or it has no target. */
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
        json_t *row = coverage_row(c, &classes[worst[i]], k->coverage);
        if (!row) {
            json_decref(rows);
            return NULL;
        }
        json_array_append_new(rows, row);
    }
    json_t *all = live_coverage_totals(c->arena, &totals, k->coverage);
    json_object_set_new(all, "from", json_integer((json_int_t)from));
    json_object_set_new(all, "next",
                        found > from + LIVE_CLASSES
                            ? json_integer((json_int_t)(from + LIVE_CLASSES))
                            : json_null());
    json_object_set_new(all, "any_below", json_boolean(json_array_size(rows) > 0));
    json_object_set_new(all, "below", rows);
    return all;
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

/* {rows [{position, frequency, n, selected, lo, hi, text}], tested, test, chi_square, degrees, p, answers,
 * grids, blocks, text}: see stats/cochran.h; answers and grids are the blocks. */
static json_t *positions_json(struct arena *a, const struct stats_campaign *k)
{
    struct chi_square x = k->flat;
    json_t *rows = json_array();
    for (unsigned i = 0; i < STATS_POSITIONS; i++) {
        json_t *row = data_frequency(a, (int64_t)k->selected[i], (int64_t)k->shown[i]);
        json_object_set_new(row, "position", json_integer(i + 1));
        json_array_append_new(rows, row);
    }
    return object(field_json("rows", rows), field_bool("tested", x.degrees > 0),
                  field_text("test", "Cochran's Q"), field_int("answers", k->shuffled),
                  field_int("grids", k->in_order), field_text("blocks", blocks_text(a, k)),
                  field_real("chi_square", x.statistic),
                  field_text("chi_square_text", arena_printf(a, "%.1f", x.statistic)),
                  field_int("degrees", x.degrees), field_real("p", x.p),
                  field_text("text", flatness_text(a, &x)));
}

/* --- people and scores --- */

static json_t *scores_json(struct arena *a, const struct stats_campaign *k)
{
    return object(field_json("gold", data_clustered(a, k->gold_right, k->gold, k->gold_ci)),
                  field_json("negative", data_clustered(a, k->neg_right, k->neg, k->neg_ci)),
                  field_json("positive", data_clustered(a, k->pos_right, k->pos, k->pos_ci)));
}

/* {answering, most (answers by one person), most_share (null: no answers), median_active_seconds (of an
 * answer; null: not measured), pay {...}}: pay is for leads, and null where nobody is paid here. */
static enum err_code people_json(struct ctx *c, const struct campaign *k,
                                 const struct stats_campaign *v, json_t **out)
{
    struct participants_summary sum = {.median_rate_cents = -1};
    struct study_settings study = {0};
    bool lead = c->user.role >= ROLE_LEAD && !k->imported;
    if (lead && (participants_summary(c->db, k->id, &sum, &c->err) != OK ||
                 studies_get(c->db, k->id, c->arena, &study, &c->err) != OK)) {
        return c->err.code;
    }
    *out = object(field_int("answering", v->people), field_int("most", v->most),
                  field_json("most_share",
                             v->answers ? json_real((double)v->most / v->answers) : json_null()),
                  field_json("median_active_seconds", v->median_active_ms
                                                          ? json_real(v->median_active_ms / 1000.0)
                                                          : json_null()),
                  field_null("pay"));
    if (lead) {
        bool said = sum.median_rate_cents >= 0;
        json_object_set_new(
            *out, "pay",
            object(field_int("places", sum.fit[PARTICIPANTS_ALL]), field_int("complete", sum.complete),
                   field_int("to_decide", sum.fit[PARTICIPANTS_TO_DECIDE]), field_int("timed", sum.timed),
                   field_real("median_active_seconds", (double)sum.median_active_ms / 1000),
                   field_json("rate_cents",
                              said ? json_integer((json_int_t)sum.median_rate_cents) : json_null()),
                   field_int("floor_cents", study.floor_cents), field_sv("currency", k->currency),
                   field_bool("low", said && sum.median_rate_cents < study.floor_cents),
                   field_text("text", people_rate(c->arena, sum.median_rate_cents, k->currency))));
    }
    return OK;
}

json_t *live_campaign(struct ctx *c, const struct stats *s, const struct campaign *k, size_t from)
{
    static const struct stats_campaign none = {.flat = {.p = 1}};
    const struct stats_campaign *v = stats_campaign(s, k->id);
    struct desk_progress p;
    struct pace pace;
    json_t *people = NULL, *all = data_campaign(c, k);
    v = v ? v : &none;
    json_t *coverage = campaign_coverage(c, s, k, from);
    if (!coverage || people_json(c, k, v, &people) != OK) {
        json_decref(coverage);
        json_decref(all);
        return NULL;
    }
    data_progress(c, k, &p);
    pace_of(s, v, pace_now(s, clock_wall_ms()), &pace);
    json_object_set_new(all, "as_of", json_integer((json_int_t)s->cursor));
    json_object_set_new(all, "grids",
                        object(field_int("done", p.complete), field_int("all", p.grids),
                               field_int("lent", p.leased)));
    json_object_set_new(all, "answers",
                        object(field_int("counted", p.answers), field_int("wanted", p.wanted),
                               field_int("all", v->answers), field_int("surplus", v->surplus),
                               field_int("out", v->out)));
    json_object_set_new(all, "pace",
                        live_pace(c->arena, &pace, (int64_t)p.wanted - p.answers,
                                  live_stopped(c->arena, k, &p)));
    json_object_set_new(all, "coverage", coverage);
    json_object_set_new(all, "scores", scores_json(c->arena, v));
    json_object_set_new(all, "positions", positions_json(c->arena, v));
    json_object_set_new(all, "people", people);
    return all;
}
