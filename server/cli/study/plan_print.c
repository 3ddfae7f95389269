/* plan_print.c - a plan's numbers for people and programs. */
#include "cli/study/plan_print.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/map.h"
#include "json/object.h"
#include "store/classes/classes.h"

enum { WORST_SHOWN = 10, NUMBER = 32 };

void plan_sum(struct plan *p, int64_t class_id, struct plan_summary *out)
{
    const struct campaign *k = &p->campaign;
    const struct plan_terms terms = campaign_plan_terms(k);
    *out = (struct plan_summary){.grids = (int64_t)p->n,
                                 .special = (int64_t)p->special,
                                 .planned = (int64_t)p->planned};
    coverage_classes(&p->coverage, k->answers_per_grid, &p->cli->arena, &out->classes,
                     &out->n_classes);
    for (size_t i = 0; i < out->n_classes && class_id; i++) {
        if (out->classes[i].class_id == class_id) {
            out->classes += i;
            out->n_classes = 1;
        }
    }
    plan_cost(&terms, out->grids, &out->cost);
    coverage_totals(out->classes, out->n_classes, k->coverage, &out->totals);
}

/* The wnids of the classes in the summary, in its order. */
static enum err_code class_names(struct cli *cli, const struct plan_summary *s, struct sv **out)
{
    struct class_info *all;
    struct map_u64 at;
    size_t n = 0;
    enum err_code rc = classes_list(cli->db, &cli->arena, &all, &n, &cli->err);
    map_u64_init(&at);
    for (size_t i = 0; i < n && rc == OK; i++) {
        map_u64_put(&at, (uint64_t)all[i].id, (uint32_t)i);
    }
    *out = arena_calloc(&cli->arena, s->n_classes + 1, sizeof **out);
    for (size_t i = 0; i < s->n_classes && rc == OK; i++) {
        uint32_t k = map_u64_get(&at, (uint64_t)s->classes[i].class_id);
        (*out)[i] = k == MAP_NONE ? SV("") : all[k].wnid;
    }
    map_u64_release(&at);
    return rc;
}

static json_t *text_json(struct sv text)
{
    return json_stringn(text.p, text.n);
}

static json_t *classes_json(const struct plan_summary *s, const struct sv *names)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < s->n_classes; i++) {
        const struct class_coverage *c = &s->classes[i];
        object_add(rows, field_json("wnid", text_json(names[i])),
                   field_int("originals", c->originals), field_int("covered", c->covered),
                   field_int("covered_after", c->covered_after),
                   field_int("candidates", c->candidates), field_int("open", c->open),
                   field_int("open_after", c->open_after), field_int("hidden", c->hidden));
    }
    return rows;
}

static json_t *plan_json(const struct plan *p, const struct plan_summary *s,
                         const struct sv *names)
{
    const struct campaign *k = &p->campaign;
    const struct coverage_totals *t = &s->totals;
    json_t *cost = object(
        field_int("answers", s->cost.answers), field_int("grids_per_person", s->cost.per_place),
        field_int("places", s->cost.places), field_int("pay_cents", s->cost.pay_cents),
        field_json("currency", text_json(k->currency)), field_real("hours", s->cost.hours),
        field_real("minutes_per_place", s->cost.minutes),
        field_real("hourly_cents", s->cost.hourly_cents),
        field_bool("short_of_work", s->cost.short_of_work));
    json_t *coverage = p->potential ? NULL : object(
        field_int("target", k->coverage), field_int("answers", PLAN_COVERED),
        field_count("classes", t->classes), field_count("reached", t->reached),
        field_count("reached_after", t->reached_after), field_count("below_after", t->below_after),
        field_count("impossible", t->impossible), field_count("open", t->open),
        field_count("open_after", t->open_after), field_json("of_classes", classes_json(s, names)));
    return object(field_json("campaign", text_json(k->name)),
                  field_json("kind", text_json(k->kind)), field_json("state", text_json(k->state)),
                  field_int("seed", k->seed), field_bool("dry_run", p->cli->dry_run),
                  field_int("grids", s->grids), field_int("special", s->special),
                  field_count("candidates_lacking", p->potential ? p->planned_pairs : s->totals.open - s->totals.open_after),
                  field_int("candidates_shown", s->planned), field_count("shown_again", p->again),
                  field_count("gold_cells", p->gold),
                  field_int("answers_per_grid", k->answers_per_grid),
                  field_json("left_out", object(field_count("hidden", p->hidden),
                                                field_count("answered", p->answered))),
                  field_json("cost", cost),
                  p->potential ? field_json("potential", plan_potential_json(p)) : field_json("coverage", coverage));
}

/* 1234567 as "1,234,567". */
static const char *count(uint64_t n, char buf[NUMBER])
{
    char *at = buf + NUMBER - 1;
    *at = '\0';
    for (int digits = 0; n > 0 || digits == 0; n /= 10, digits++) {
        if (digits && digits % 3 == 0) {
            *--at = ',';
        }
        *--at = (char)('0' + n % 10);
    }
    return at;
}

static void print_cost(const struct plan *p, const struct plan_summary *s)
{
    const struct campaign *k = &p->campaign;
    const struct plan_cost *c = &s->cost;
    char a[NUMBER], b[NUMBER];
    printf("  answers wanted  %s, %" PRId64 " a grid\n", count((uint64_t)c->answers, a),
           k->answers_per_grid);
    printf("  places needed   %s, %s grid%s each", count((uint64_t)c->places, a),
           count((uint64_t)c->per_place, b), c->per_place == 1 ? "" : "s");
    if (c->per_place < k->grids_per_place && c->per_place < s->grids) {
        printf(" (--max-share %g allows no more)", k->max_share);
    }
    printf("\n  pay             %" PRId64 ".%02" PRId64 " " SV_FMT ", %" PRId64 ".%02" PRId64
           " a place\n",
           c->pay_cents / 100, c->pay_cents % 100, SV_ARG(k->currency), k->pay_cents / 100,
           k->pay_cents % 100);
    printf("  work            %.1f h, %.3g min a place: %.2f " SV_FMT " an hour\n", c->hours,
           c->minutes, c->hourly_cents / 100, SV_ARG(k->currency));
}

static void print_coverage(const struct plan *p, const struct plan_summary *s,
                           const struct sv *names)
{
    const struct coverage_totals *t = &s->totals;
    int64_t target = p->campaign.coverage;
    size_t worst[WORST_SHOWN], n;
    char a[NUMBER], b[NUMBER], c[NUMBER];
    printf("  unanswered      %s of %s candidates now, %s after\n", count(t->open, a),
           count(t->candidates, b), count(t->open_after, c));
    if (target == 0) {
        return;
    }
    printf("  coverage        %" PRId64 " originals with %d answers: %s of %s classes now, ", target,
           PLAN_COVERED, count(t->reached, a), count(t->classes, b));
    printf("%s after\n", count(t->reached_after, a));
    n = coverage_worst(s->classes, s->n_classes, target, WORST_SHOWN, worst);
    for (size_t i = 0; i < n; i++) {
        const struct class_coverage *k = &s->classes[worst[i]];
        printf("    " SV_FMT "     %u covered after, %u originals%s\n", SV_ARG(names[worst[i]]),
               k->covered_after, k->originals,
               k->originals < target ? ": impossible without more originals" : "");
    }
    if (t->below_after + t->impossible > n) {
        printf("    and %s more (--json lists every class)\n",
               count(t->below_after + t->impossible - n, a));
    }
}

static void print_text(const struct plan *p, const struct plan_summary *s, const struct sv *names)
{
    const struct campaign *k = &p->campaign;
    uint64_t lacking = s->totals.open - s->totals.open_after;
    char a[NUMBER], b[NUMBER], c[NUMBER];
    printf("campaign " SV_FMT " (" SV_FMT ", " SV_FMT "), seed %" PRId64 "%s\n", SV_ARG(k->name),
           SV_ARG(k->kind), SV_ARG(k->state), k->seed, p->cli->dry_run ? " (dry run)" : "");
    printf("  grids           %s", count((uint64_t)s->grids, a));
    if (p->potential) {
        printf("\n");
    } else {
        printf(", %s of them special for the coverage of originals\n", count((uint64_t)s->special, b));
        printf("  candidates      %s get the answers they lack", count(lacking, a));
        printf("; %s are shown, %s cells show one again\n", count((uint64_t)s->planned, b),
               count(p->again, c));
        printf("  left out        %s candidates with enough answers, %s images hidden after flags\n",
               count(p->answered, a), count(p->hidden, b));
    }
    if (k->gold_per_grid) {
        printf("  gold            %s cells\n", count(p->gold, a));
    }
    print_cost(p, s);
    if (p->potential) {
        plan_potential_print(p);
    } else {
        print_coverage(p, s, names);
    }
}

enum err_code plan_print(const struct plan *p, const struct plan_summary *s)
{
    struct cli *cli = p->cli;
    struct sv *names;
    enum err_code rc = class_names(cli, s, &names);
    if (rc != OK) {
        return rc;
    }
    if (cli->json) {
        json_t *plan = plan_json(p, s, names);
        int failed = plan ? json_dumpf(plan, stdout, JSON_COMPACT | JSON_REAL_PRECISION(15)) : -1;
        json_decref(plan);
        putchar('\n');
        if (failed) {
            return err_set(&cli->err, ERR_IO, "cannot write the output");
        }
    } else if (!cli->quiet) {
        print_text(p, s, names);
    }
    return fflush(stdout) == 0 ? OK : err_set(&cli->err, ERR_IO, "cannot write the output");
}
