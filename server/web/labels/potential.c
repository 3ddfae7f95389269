/* potential.c - one plan of potential labels: what it was made of, whether people can be asked about all of it, how far they
 * were, and what follows: a campaign that asks, candidates frozen. */
#include <string.h>

#include "figures/figures.h"
#include "json/object.h"
#include "sets/labels/feasible.h"
#include "sets/labels/pairs.h"
#include "sets/labels/plan_rows.h"
#include "sets/labels/potential_view.h"
#include "store/campaigns/campaigns.h"
#include "web/core/lists.h"
#include "web/core/form_refused.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/records.h"
#include "web/core/reply.h"
#include "web/core/view_choice.h"
#include "web/labels/plans.h"
#include "web/parts/job_data.h"
#include "web/parts/label_ways.h"

/* ---- what is asked ---- */

struct query {
    int64_t version, answers, people, a_day, classify, grids, pay;
};
#define AT(member) .at = offsetof(struct query, member)
static const struct list_param params[] = {
    {"version", LIST_NUMBER, AT(version), .least = 1, .most = INT32_MAX},
    {"answers", LIST_NUMBER, AT(answers), .least = 1, .most = 1000},
    {"people", LIST_NUMBER, AT(people), .least = 0, .most = 100000000},
    {"a_day", LIST_NUMBER, AT(a_day), .least = 1, .most = 100000000},
    {"classify", LIST_NUMBER, AT(classify), .least = 0, .most = 1000},
    {"grids", LIST_NUMBER, AT(grids), .least = 1, .most = 10000},
    {"pay", LIST_NUMBER, AT(pay), .least = 0, .most = 1000000},
    {0},
};
#undef AT
static const struct list_table table = {params, sizeof(struct query), NULL, NULL};
static const struct query usual = {.version = 0, .answers = 9, .people = 0, .a_day = PEOPLE_A_DAY, .classify = CLASSIFY_ANSWERS, .grids = 20, .pay = 0};

struct asked {
    struct query q;
    struct label_plan_row plan;
    struct feasible_terms terms;
    struct label_ways ways;
    bool counted; /* there are answers: what follows */
    struct pair_counts pairs;
};

/* The book with what people answered, by the view of campaigns of the kind; without answers while there is no such view. */
static enum err_code read_book(struct ctx *c, const struct label_plan_row *p, struct label_plan_book *out, bool *counted)
{
    const struct counted_view *v;
    enum err_code rc = label_plan_read(c->db, p->list, c->arena, out, &c->err);
    *counted = false;
    if (rc != OK) {
        return rc;
    }
    rc = view_choice_get(c, SV(POTENTIAL_VIEW), &v);
    if (rc == OK) {
        pairs_count(out, &v->counts);
        view_choice_put(v);
        *counted = true;
    } else if (rc == ERR_NOT_FOUND) {
        err_clear(&c->err);
        rc = OK;
    }
    return rc;
}

static enum err_code read_pairs(struct ctx *c, struct asked *a)
{
    struct label_plan_book book;
    enum err_code rc = read_book(c, &a->plan, &book, &a->counted);
    pairs_sum(&book, (uint32_t)a->q.answers, &a->pairs);
    rc = rc == OK ? label_ways_find(c, &a->plan, &book, &a->terms, &a->ways) : rc;
    label_plan_release(&book);
    return rc;
}

static enum err_code read_asked(struct ctx *c, struct asked *a)
{
    struct campaign k;
    *a = (struct asked){.counted = false};
    if (list_read(c, &table, &usual, &a->q) != OK || plan_asked(c, LABEL_PLAN_POTENTIAL, &a->plan) != OK) {
        return c->err.code;
    }
    campaign_defaults(&k);
    k.answers_per_grid = a->q.answers;
    k.grids_per_place = a->q.grids;
    k.pay_cents = a->q.pay;
    a->terms = (struct feasible_terms){campaign_plan_terms(&k), a->q.people, a->q.a_day, a->q.classify};
    return read_pairs(c, a);
}

/* ---- the page ---- */

static json_t *coverage_json(struct ctx *c, const struct asked *a)
{
    json_t *rows = json_array();
    for (size_t k = 0; k <= PAIR_ANSWERS; k++) {
        if (a->pairs.by_answers[k]) {
            object_add(rows, field_text("answers", arena_printf(c->arena, "%zu%s", k, k == PAIR_ANSWERS ? " or more" : "")),
                       field_text("pairs", data_count(c->arena, (int64_t)a->pairs.by_answers[k])),
                       field_text("share", arena_printf(c->arena, "%.1f", 100.0 * (double)a->pairs.by_answers[k] / (double)a->pairs.pairs)));
        }
    }
    return rows;
}

static json_t *query_json(const struct query *q)
{
    return object(field_int("answers", q->answers), field_int("people", q->people), field_int("a_day", q->a_day),
                  field_int("classify", q->classify), field_int("grids", q->grids), field_int("pay", q->pay));
}

/* The form of a campaign that asks about it, with what was worked out here. */
static const char *new_url(struct ctx *c, const struct asked *a)
{
    return arena_printf(c->arena, "/campaigns/new?of=%s&answers=%lld&people=%lld&a_day=%lld&classify=%lld&grids=%lld&pay=%lld", plan_title(c->arena, &a->plan),
                        (long long)a->q.answers, (long long)a->q.people, (long long)a->q.a_day, (long long)a->q.classify, (long long)a->q.grids, (long long)a->q.pay);
}

/* GET /label-plans/potential/:plan?version=&answers=&people=&a_day=&classify=&grids=&pay= */
enum err_code page_potential_plan(struct ctx *c)
{
    struct asked a;
    enum err_code rc = read_asked(c, &a);
    const char *title = rc == OK ? plan_title(c->arena, &a.plan) : "";
    const struct chart_ask ask = {.plan = sv_of(title)};
    json_t *versions = rc == OK ? plan_versions_json(c, &a.plan) : NULL, *campaigns = versions ? plan_campaigns_json(c, &a.plan) : NULL,
           *numbers = campaigns ? charts_data(c, "label-plan-numbers", &ask) : NULL;
    if (!numbers) {
        json_decref(versions);
        json_decref(campaigns);
        return c->err.code;
    }
    const char *api = arena_printf(c->arena, "/api/v1/label-plans/potential/" SV_FMT, SV_ARG(a.plan.name));
    json_t *page = object(
        field_json("plan", label_plan_json(c, &a.plan, true)), field_text("title", title), field_json("versions", versions),
        field_json("numbers", numbers), field_json("campaigns", campaigns), field_bool("any_campaigns", json_array_size(campaigns) > 0),
        field_json("query", query_json(&a.q)), field_json("takes", label_ways_json(c, &a.ways, &a.terms)), field_text("new_url", new_url(c, &a)),
        field_bool("counted", a.counted), field_json("coverage", coverage_json(c, &a)),
        field_text("enough", data_count(c->arena, (int64_t)a.pairs.enough)), field_text("pairs", data_count(c->arena, (int64_t)a.pairs.pairs)),
        field_text("action", arena_printf(c->arena, "/label-plans/potential/" SV_FMT, SV_ARG(a.plan.name))),
        field_text("json_url", arena_printf(c->arena, "%s?version=%lld", api, (long long)a.plan.version)),
        field_text("labels_url", arena_printf(c->arena, "%s/labels.csv?version=%lld", api, (long long)a.plan.version)),
        field_text("coverage_url", arena_printf(c->arena, "%s/coverage.csv?version=%lld", api, (long long)a.plan.version)));
    return reply_page(c, 200, "labels/potential", arena_printf(c->arena, "Potential labels %s", title), page);
}

/* The plan that is named; else the first of those there are, if there is one. */
static enum err_code plan_of_chart(struct ctx *c, struct sv name, struct label_plan_row **out, size_t *n)
{
    if (name.n == 0) {
        return label_plans_list(c->db, LABEL_PLAN_POTENTIAL, name, c->arena, out, n, &c->err);
    }
    *out = arena_calloc(c->arena, 1, sizeof **out);
    *n = 1;
    return label_plans_find(c->db, LABEL_PLAN_POTENTIAL, name, c->arena, *out, &c->err);
}

enum err_code chart_label_plan_numbers(struct ctx *c, const struct chart_ask *ask, struct chart **out)
{
    int64_t images[LABEL_PLAN_NUMBERS + 1] = {0};
    struct histogram_row rows[LABEL_PLAN_NUMBERS + 1];
    struct label_plan_row *plan;
    size_t n = 0;
    enum err_code rc = plan_of_chart(c, ask->plan, &plan, &n);
    rc = rc == OK && n ? label_plan_numbers(c->db, plan->list, images, &c->err) : rc;
    if (rc != OK) {
        return rc;
    }
    const struct figure_text text = {
        .title = "Potential labels of an image",
        .description = n ? arena_printf(c->arena, "Images of the plan %s by how many labels they could have: %.2f on average. Bars have 95 %% intervals.",
                                        plan_title(c->arena, plan), (double)plan->labels / (double)(plan->images ? plan->images : 1))
                         : "Images of a plan by how many labels they could have.",
        .empty = n ? NULL : "There is no plan of potential labels."};
    struct figure_numbers all = {"Images", rows, 0};
    for (uint32_t k = 0; k <= LABEL_PLAN_NUMBERS; k++) {
        if (images[k]) {
            rows[all.n++] = (struct histogram_row){k, (uint32_t)images[k]};
        }
    }
    *out = figure_numbers(c->arena, &text, "Potential labels", &all, 1);
    return OK;
}

/* ---- forms ---- */

/* The version that the form's page showed. */
static enum err_code plan_of_form(struct ctx *c, struct label_plan_row *out)
{
    const char *name = arena_printf(c->arena, SV_FMT "/" SV_FMT, SV_ARG(c->req->params[0]), SV_ARG(sv_trim(form_get(&c->form, "version"))));
    return label_plans_find(c->db, LABEL_PLAN_POTENTIAL, sv_of(name), c->arena, out, &c->err);
}

/* POST /label-plans/potential/:plan/freeze: version, name, view, tau, least, most. */
enum err_code page_potential_freeze(struct ctx *c)
{
    static const char *const fields[] = {"view", "tau", "least", "most", NULL};
    struct label_plan_row p;
    struct sv name = sv_trim(form_get(&c->form, "name"));
    if (plan_of_form(c, &p) != OK) {
        return c->err.code;
    }
    if (label_plan_name_check(name, &c->err) != OK) {
        return form_wrong_field(c, "name");
    }
    const struct job_given first[] = {{SV("name"), name}, {SV("potential"), sv_of(plan_title(c->arena, &p))}};
    return job_start_form(c, "candidates freeze", first, 2, fields, arena_printf(c->arena, "Candidate labels " SV_FMT, SV_ARG(name)),
                          "freezes the candidates");
}

/* ---- for scripts ---- */

struct way_row {
    uint32_t top, most;
    int64_t answers, labels, grids, people_image, people, places, pay_cents;
    double days;
    bool possible;
};
#define OF(member) RECORD_OF(struct way_row, member)
static RECORD(way_record, struct way_row, "label_plan_way", "What it takes to ask people about potential labels.",
              {"top", OF(top), .about = "Answers of each model."}, {"labels_of_image", OF(most), .about = "Labels of one image, at most."},
              {"answers", OF(answers), .about = "Answers about each pair of image and label."},
              {"labels", OF(labels), .about = "Pairs of image and label."}, {"grids", OF(grids), .about = "Grids of 42 images, label by label."},
              {"people_of_image", OF(people_image), .about = "Different people for the image that takes the most, CLASSIFY and those who saw it before included."},
              {"people", OF(people), .about = "Different people in all."}, {"places", OF(places), .about = "People for all the work."},
              {"pay_cents", OF(pay_cents), .about = "Their pay, in cents."}, {"days", OF(days), RECORD_WHOLE, .about = "How long that takes."},
              {"possible", OF(possible), .about = "Whether so many people can be had."});
#undef OF
struct potential_reply {
    struct label_plan_line plan;
    struct way_row way, *instead;
    size_t n_instead;
    int64_t pairs, enough, seen;
    bool counted;
    json_t *by_answers;
};
#define OF(member) RECORD_OF(struct potential_reply, member)
RECORD(potential_plan_record, struct potential_reply, "potential_plan", "A plan of potential labels, what it takes, and how far people were asked.",
       {"plan", RECORD_PART(struct potential_reply, plan), .of = &label_plan_record, .about = "What it was made of."},
       {"way", RECORD_PART(struct potential_reply, way), .of = &way_record, .about = "What it takes, without controls among its images."},
       {"instead", RECORD_ROWS(struct potential_reply, instead, n_instead), .of = &way_record, .about = "What else is possible."},
       {"seen", OF(seen), .about = "People who were shown one of its images before, at most: nobody is shown one again."},
       {"pairs", OF(pairs), .about = "Pairs of image and label."}, {"counted", OF(counted), .about = "Whether there is the view that counts answers about them."},
       {"enough", OF(enough), .about = "Pairs with that many answers."},
       {"by_answers", OF(by_answers), RECORD_NUMBERS, .about = "Pairs by answers: with 0, with 1 and so on; the last of them: with 20 or more."});
#undef OF

static struct way_row way_row(const struct feasible_way *w)
{
    return (struct way_row){.top = w->top, .most = w->most, .answers = w->answers, .labels = (int64_t)w->labels, .grids = (int64_t)w->grids,
                            .people_image = w->people_image, .people = w->people, .places = w->cost.places, .pay_cents = w->cost.pay_cents,
                            .days = w->days, .possible = w->possible};
}

/* GET /api/v1/label-plans/potential/:plan, as the page. */
enum err_code api_potential_plan(struct ctx *c)
{
    struct asked a;
    if (read_asked(c, &a) != OK) {
        return c->err.code;
    }
    struct potential_reply r = {.plan = label_plan_line(&a.plan, true, c->arena), .way = way_row(&a.ways.way), .n_instead = a.ways.n_instead,
                                .instead = arena_calloc(c->arena, a.ways.n_instead + 1, sizeof *r.instead), .pairs = (int64_t)a.pairs.pairs,
                                .enough = (int64_t)a.pairs.enough, .seen = a.ways.seen, .counted = a.counted, .by_answers = json_array()};
    for (size_t i = 0; i < a.ways.n_instead; i++) {
        r.instead[i] = way_row(&a.ways.instead[i]);
    }
    for (size_t k = 0; k <= PAIR_ANSWERS; k++) {
        json_array_append_new(r.by_answers, json_integer((json_int_t)a.pairs.by_answers[k]));
    }
    return reply_json(c, 200, record_json(&potential_plan_record, &r));
}

/* Every label of the plan as a line: with who named it, or with people's answers. */
static enum err_code labels_csv(struct ctx *c, bool answers)
{
    struct label_plan_row p;
    struct label_plan_book b = {.n = 0};
    struct plan_names names;
    const struct record *record = answers ? &pair_record : &potential_line_record;
    bool counted;
    enum err_code rc = plan_asked(c, LABEL_PLAN_POTENTIAL, &p);
    rc = rc == OK ? read_book(c, &p, &b, &counted) : rc;
    rc = rc == OK ? plan_names_read(c->db, &b, c->arena, &names, &c->err) : rc;
    record_csv_names(record, &c->res->body);
    str_addc(&c->res->body, '\n');
    for (size_t i = 0; i < b.n && rc == OK; i++) {
        for (uint32_t k = 0; k < b.images[i].n && rc == OK; k++) {
            const struct planned_label *l = &b.labels[b.images[i].first + k];
            const struct pair_line pair = {names.image[i], names.wnid[l->class_id], l->selected, l->shown};
            const struct potential_line line = {names.image[i], names.wnid[l->class_id], potential_source(l)};
            rc = plan_csv_row(c, record, answers ? (const void *)&pair : (const void *)&line);
        }
    }
    label_plan_release(&b);
    return rc == OK ? reply_table_file(c, arena_printf(c->arena, SV_FMT "-%s.csv", SV_ARG(p.name), answers ? "coverage" : "labels"),
                                       "text/csv; charset=utf-8")
                    : rc;
}

/* GET /api/v1/label-plans/potential/:plan/labels.csv?version= */
enum err_code api_potential_labels_csv(struct ctx *c) { return labels_csv(c, false); }

/* GET /api/v1/label-plans/potential/:plan/coverage.csv?version= */
enum err_code api_potential_coverage_csv(struct ctx *c) { return labels_csv(c, true); }
