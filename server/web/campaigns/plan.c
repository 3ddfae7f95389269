/* plan.c - cost and coverage of a plan as data. */
#include "web/campaigns/plan.h"

#include "json/object.h"
#include "store/campaigns/coverage.h"
#include "store/campaigns/studies.h"
#include "store/classes/classes.h"
#include "web/core/page_data.h"

enum { CLASSES_SHOWN = 50 };

static const char *amount(struct ctx *c, double cents)
{
    int64_t whole = (int64_t)(cents + 0.5);
    return arena_printf(c->arena, "%s.%02lld", data_count(c->arena, whole / 100),
                        (long long)(whole % 100));
}

static void money_tile(struct ctx *c, json_t *tiles, const char *label, double cents,
                       const struct campaign *k, const char *note)
{
    data_tile(tiles, label, amount(c, cents), note);
    data_tile_unit(tiles, data_text(k->currency));
}

/* What people are given. */
static const char *word(const struct campaign *k) { return k->classify ? "task" : "grid"; }

static json_t *tiles_json(struct ctx *c, const struct campaign *k, const struct plan_summary *s)
{
    const struct plan_cost *cost = &s->cost;
    const struct coverage_totals *t = &s->totals;
    json_t *tiles = json_array();
    data_tile(tiles, k->classify ? "Tasks" : "Grids", data_count(c->arena, s->grids),
              k->classify ? "one photo each" : arena_printf(c->arena, "%s of them for coverage", data_count(c->arena, s->special)));
    data_tile(tiles, "Answers", data_count(c->arena, cost->answers),
              arena_printf(c->arena, "%s per %s", data_count(c->arena, k->answers_per_grid), word(k)));
    if (!k->classify) { /* that is about votes, which CLASSIFY gives none of */
        data_tile(tiles, "Candidates shown", data_count(c->arena, s->planned),
                  arena_printf(c->arena, "%s of %s still need answers now",
                               data_count(c->arena, (int64_t)t->open),
                               data_count(c->arena, (int64_t)t->candidates)));
    }
    data_tile(tiles, "People needed", data_count(c->arena, cost->places),
              arena_printf(c->arena, "of %s places", data_count(c->arena, k->places)));
    data_tile(tiles, "Hours of work", arena_printf(c->arena, "%.1f", cost->hours),
              arena_printf(c->arena, "%.3g min for the %s %s%s of one person", cost->minutes, data_count(c->arena, cost->per_place), word(k),
                           cost->per_place == 1 ? "" : "s"));
    money_tile(c, tiles, "Cost", (double)cost->pay_cents, k, "pay without the panel's fee");
    money_tile(c, tiles, "Pay per hour", cost->hourly_cents, k, "for these minutes");
    if (!k->classify) {
        data_tile(tiles, "Classes covered",
                  arena_printf(c->arena, "%s \xe2\x86\x92 %s",
                               data_count(c->arena, (int64_t)t->reached),
                               data_count(c->arena, (int64_t)t->reached_after)),
                  arena_printf(c->arena, "of %s, with %lld originals of %d answers",
                               data_count(c->arena, (int64_t)t->classes), (long long)k->coverage,
                               PLAN_COVERED));
    }
    return tiles;
}

static void warn(json_t *list, const char *text)
{
    object_add(list, field_text("text", text));
}

static json_t *warnings_json(struct ctx *c, const struct campaign *k,
                             const struct study_settings *study, const struct plan_summary *s)
{
    json_t *list = json_array();
    if (s->grids == 0) {
        warn(list, arena_printf(c->arena, "There are no %ss yet: nobody could answer anything.", word(k)));
    }
    if (s->cost.places > k->places) {
        warn(list, arena_printf(c->arena, "The %s places are too few: some %ss will stay open.",
                                data_count(c->arena, k->places), word(k)));
    }
    const struct plan_terms terms = campaign_plan_terms(k);
    const char *said = plan_short_said(c->arena, &terms, &s->cost, k->currency);
    if (said) {
        warn(list, arena_printf(c->arena, "%s %srice the place by its work: %lld %s%s, %.3g min and %s " SV_FMT
                                " (Change the terms, below).", said,
                                s->cost.fuller_share > 0
                                    ? arena_printf(c->arena, "Let one person give %g %% of all answers, or p",
                                                   100 * s->cost.fuller_share)
                                    : "P",
                                (long long)s->cost.per_place, word(k), s->cost.per_place == 1 ? "" : "s",
                                s->cost.minutes > 0.1 ? s->cost.minutes : 0.1,
                                amount(c, (double)s->cost.fair_cents), SV_ARG(k->currency)));
    }
    if (!campaign_titled(k)) {
        warn(list, "The campaign has no title, so workers read a general one. Give it one under "
                   "Change the terms, below.");
    }
    if (k->pay_cents == 0) {
        warn(list, "Nobody is paid.");
    } else if (s->cost.hourly_cents < (double)study->floor_cents) {
        warn(list, arena_printf(c->arena, "The pay per hour is below the minimum of %s " SV_FMT ".",
                                amount(c, (double)study->floor_cents), SV_ARG(k->currency)));
    }
    if (s->totals.below_after) {
        warn(list, arena_printf(c->arena, "%s class%s could reach the target coverage but will not.",
                                data_count(c->arena, (int64_t)s->totals.below_after),
                                s->totals.below_after == 1 ? "" : "es"));
    }
    if (s->totals.hidden) {
        warn(list, arena_printf(c->arena, "%s image%s hidden and not shown to anybody.",
                                data_count(c->arena, (int64_t)s->totals.hidden),
                                s->totals.hidden == 1 ? " is" : "s are"));
    }
    return list;
}

/* NULL on failure. */
static json_t *below_json(struct ctx *c, const struct campaign *k, const struct plan_summary *s,
                          size_t *n)
{
    size_t worst[CLASSES_SHOWN];
    *n = coverage_worst(s->classes, s->n_classes, k->coverage, CLASSES_SHOWN, worst);
    json_t *rows = json_array();
    for (size_t i = 0; i < *n; i++) {
        const struct class_coverage *v = &s->classes[worst[i]];
        struct class_info info;
        if (classes_get(c->db, v->class_id, c->arena, &info, &c->err) != OK) {
            json_decref(rows);
            return NULL;
        }
        object_add(
            rows, field_text("class", data_synset(c->arena, info.synset, ", ")),
            field_text("class_url", arena_printf(c->arena, "/classes/" SV_FMT, SV_ARG(info.wnid))),
            field_int("originals", v->originals), field_int("covered", v->covered),
            field_int("after", v->covered_after),
            field_text("why",
                       v->originals < k->coverage ? "too few originals" : "needs more grids"));
    }
    return rows;
}

json_t *campaign_plan_json(struct ctx *c, const struct campaign *k)
{
    struct plan_summary s;
    struct study_settings study;
    size_t shown;
    if (coverage_of_campaign(c->db, k, c->config->flags_to_quarantine, c->arena, &s, &c->err) !=
            OK ||
        studies_get(c->db, k->id, c->arena, &study, &c->err) != OK) {
        return NULL;
    }
    json_t *below = below_json(c, k, &s, &shown);
    if (!below) {
        return NULL;
    }
    size_t all = s.totals.below_after + s.totals.impossible;
    const char *more =
        all > shown ? arena_printf(c->arena, "and %s more", data_count(c->arena,
                                                                       (int64_t)(all - shown)))
                    : NULL;
    json_t *warnings = warnings_json(c, k, &study, &s);
    return object(field_json("tiles", tiles_json(c, k, &s)), field_json("warnings", warnings),
                  field_bool("any_warnings", json_array_size(warnings) > 0),
                  field_int("target", k->coverage), field_json("below", below),
                  field_bool("any_below", shown > 0), field_text("below_more", more));
}
