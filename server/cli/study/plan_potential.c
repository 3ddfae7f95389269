/* plan_potential.c - which images each label is asked about, with which controls, in which order, by how many people. */
#include "cli/study/plan_potential.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "cli/study/plan_write.h"
#include "domain/grids/plan_spread.h"
#include "json/object.h"
#include "store/images/images.h"

enum { PEOPLE_MOST = 100000000, NEGATIVES_LEAST = 24, NEGATIVES_ADDED = 64 };

/* ---- what the project has ---- */

static size_t label_at(const struct plan_potential *p, uint32_t image, uint32_t class_id)
{
    size_t at = label_plan_find(&p->book, image);
    const struct planned_label *l = at < p->book.n ? label_plan_has(&p->book, at, class_id) : NULL;
    return l ? (size_t)(l - p->book.labels) : SIZE_MAX;
}

static void add_answers(void *arg, uint32_t image, uint32_t class_id, uint32_t answers)
{
    struct plan_potential *p = arg;
    size_t at = label_at(p, image, class_id);
    if (at != SIZE_MAX) {
        p->answers[at] += answers;
    }
}

static void add_waiting(void *arg, uint32_t image, uint32_t class_id, uint32_t answers)
{
    struct plan_potential *p = arg;
    (void)answers;
    p->waiting += label_at(p, image, class_id) != SIZE_MAX;
}

static int rising(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* By class, then in the order of the book, which is that of images. */
static void sort_labels(struct plan_potential *p)
{
    size_t n = p->book.n_labels;
    uint64_t *keys = xmalloc((n + 1) * sizeof *keys);
    p->by_class = xmalloc((n + 1) * sizeof *p->by_class);
    p->position = xmalloc((n + 1) * sizeof *p->position);
    for (size_t i = 0; i < p->book.n; i++) {
        for (uint32_t k = 0; k < p->book.images[i].n; k++) {
            uint32_t label = p->book.images[i].first + k;
            p->position[label] = (uint32_t)i;
            keys[label] = (uint64_t)p->book.labels[label].class_id << 32 | label;
        }
    }
    if (n) {
        qsort(keys, n, sizeof *keys, rising);
    }
    for (size_t i = 0; i < n; i++) {
        p->by_class[i] = (uint32_t)keys[i];
    }
    free(keys);
}

/* Originals that are not in the plan, and what its models say of them. */
static enum err_code read_others(struct plan *plan, struct plan_potential *p)
{
    const struct coverage *c = &plan->coverage;
    struct potential_image *images = xmalloc((c->n + 1) * sizeof *images);
    size_t n = 0;
    for (size_t i = 0; i < c->n; i++) {
        if (c->kind[i] == COVERAGE_ORIGINAL && label_plan_find(&p->book, (uint32_t)i) == p->book.n) {
            images[n++] = (struct potential_image){(uint32_t)i, c->class_id[i]};
        }
    }
    enum err_code rc = potential_of_others(plan->cli->db, &p->row, images, n, &plan->cli->arena, &p->others, &plan->cli->err);
    free(images);
    return rc;
}

static enum err_code read_terms(struct plan *plan, struct plan_potential *p)
{
    struct cli *cli = plan->cli;
    struct feasible_terms *t = &p->terms;
    enum err_code rc = cli_opt_int(cli, "people", 1, PEOPLE_MOST, 0, &t->people);
    rc = rc == OK ? cli_opt_int(cli, "people-a-day", 1, PEOPLE_MOST, PEOPLE_A_DAY, &t->a_day) : rc;
    return rc == OK ? cli_opt_int(cli, "classify-answers", 0, 1000, CLASSIFY_ANSWERS, &t->classify) : rc;
}

enum err_code plan_potential_open(struct plan *plan, struct plan_potential *out)
{
    struct cli *cli = plan->cli;
    struct plan_potential *p = out;
    enum err_code rc = label_plans_find(cli->db, LABEL_PLAN_POTENTIAL, sv_of(cli_opt(cli, "potential")), &cli->arena, &p->row, &cli->err);
    rc = rc == OK ? read_terms(plan, p) : rc;
    rc = rc == OK ? label_plan_read(cli->db, p->row.list, &cli->arena, &p->book, &cli->err) : rc;
    if (rc != OK) {
        return rc;
    }
    p->content = xcalloc(p->book.n + 1, sizeof *p->content);
    p->seen = xcalloc(p->book.n + 1, sizeof *p->seen);
    p->answers = xcalloc(p->book.n_labels + 1, sizeof *p->answers);
    sort_labels(p);
    rc = label_plan_contents(cli->db, p->row.list, p->content, p->book.n, &cli->err);
    rc = rc == OK ? coverage_pairs(cli->db, plan->campaign.kind, &plan->coverage, add_answers, p, &cli->err) : rc;
    rc = rc == OK ? coverage_waiting(cli->db, &plan->campaign, &plan->coverage, add_waiting, p, &cli->err) : rc;
    rc = rc == OK ? feasible_seen(cli->db, &p->book, p->seen, &cli->err) : rc;
    rc = rc == OK ? read_others(plan, p) : rc;
    for (size_t i = 0; i < p->book.n && rc == OK; i++) {
        p->hidden += plan->coverage.hidden[p->book.images[i].image];
    }
    return rc;
}

void plan_potential_close(struct plan_potential *p)
{
    label_plan_release(&p->book);
    label_plan_release(&p->others);
    free(p->content);
    free(p->seen);
    free(p->answers);
    free(p->by_class);
    free(p->position);
    *p = (struct plan_potential){.pairs = 0};
}

/* ---- one label ---- */

static size_t first_of(const struct plan_potential *p, uint32_t class_id)
{
    size_t from = 0, to = p->book.n_labels;
    while (from < to) {
        size_t at = from + (to - from) / 2;
        if (p->book.labels[p->by_class[at]].class_id < class_id) {
            from = at + 1;
        } else {
            to = at;
        }
    }
    return from;
}

static struct plan_pool images_of(struct plan *plan, uint32_t class_id, struct arena *a)
{
    struct plan_potential *p = plan->potential;
    size_t from = first_of(p, class_id), to = from, n = 0;
    while (to < p->book.n_labels && p->book.labels[p->by_class[to]].class_id == class_id) {
        to++;
    }
    struct plan_image *list = arena_alloc(a, (to - from + 1) * sizeof *list);
    for (size_t i = from; i < to; i++) {
        uint32_t label = p->by_class[i], at = p->position[label], image = p->book.images[at].image;
        if (!plan->coverage.hidden[image]) {
            list[n++] = (struct plan_image){image, p->content[at], p->answers[label]};
        }
    }
    p->pairs += n;
    return (struct plan_pool){list, n};
}

/* Whether it is known of the image that nothing proposes the label, and its class is none whose images may show it. */
static bool could_not(const struct plan *plan, uint32_t image, uint32_t class_id)
{
    const struct plan_potential *p = plan->potential;
    size_t at = label_plan_find(&p->book, image), other = label_plan_find(&p->others, image);
    return plan->coverage.class_id[image] != class_id && !relations_has(plan->overlapping, plan->n_overlapping, plan->coverage.class_id[image]) &&
           (at == p->book.n || !label_plan_has(&p->book, at, class_id)) &&
           (other == p->others.n || !label_plan_has(&p->others, other, class_id));
}

/* Further images that could not have the label, drawn: originals outside the plan, else images of the plan. */
static size_t add_negatives(const struct plan *plan, uint32_t class_id, struct rng *r, struct plan_image *list, size_t n)
{
    const struct plan_potential *p = plan->potential;
    const struct label_plan_book *from = p->others.n ? &p->others : &p->book;
    for (size_t k = 0; k < NEGATIVES_ADDED && from->n; k++) {
        size_t at = (size_t)rng_below(r, from->n), i = 0;
        uint32_t image = from->images[at].image;
        while (i < n && list[i].id != image) {
            i++;
        }
        if (i == n && !plan->coverage.hidden[image] && could_not(plan, image, class_id)) {
            list[n++] = (struct plan_image){image, from == &p->book ? p->content[at] : 0, 0};
        }
    }
    return n;
}

static struct plan_pool negatives_of(struct plan *plan, uint32_t class_id, const struct plan_pool *nearest, struct rng *r,
                                     struct arena *a)
{
    struct plan_image *list = arena_alloc(a, (nearest->n + NEGATIVES_ADDED + 1) * sizeof *list);
    size_t n = 0;
    for (size_t i = 0; i < nearest->n; i++) {
        if (could_not(plan, (uint32_t)nearest->images[i].id, class_id)) {
            list[n++] = nearest->images[i];
        }
    }
    n = n < NEGATIVES_LEAST ? add_negatives(plan, class_id, r, list, n) : n;
    plan->potential->without_negatives += n < 3;
    return (struct plan_pool){list, n};
}

bool plan_potential_pools(struct plan *plan, int64_t class_id, struct rng *r, struct arena *a, struct plan_class *pools)
{
    pools->candidates = images_of(plan, (uint32_t)class_id, a);
    if (pools->candidates.n == 0) {
        return false;
    }
    pools->negatives = negatives_of(plan, (uint32_t)class_id, &pools->negatives, r, a);
    return true;
}

/* ---- all labels ---- */

static void spread(struct plan *plan)
{
    struct rng r;
    const struct plan_grid **grids = xmalloc((plan->n + 1) * sizeof *grids);
    int64_t *label = xmalloc((plan->n + 1) * sizeof *label);
    uint32_t *order = xmalloc((plan->n + 1) * sizeof *order);
    struct planned *in_order = xmalloc((plan->n + 1) * sizeof *in_order);
    for (size_t i = 0; i < plan->n; i++) {
        grids[i] = &plan->grids[i].grid;
        label[i] = plan->grids[i].class_id;
    }
    rng_seed(&r, (uint64_t)plan->campaign.seed);
    plan_spread(grids, label, plan->n, SPREAD_WINDOW, &r, order);
    for (size_t i = 0; i < plan->n; i++) {
        in_order[i] = plan->grids[order[i]];
    }
    free(plan->grids);
    plan->grids = in_order;
    plan->cap = plan->n + 1;
    free(grids);
    free(label);
    free(order);
}

/* By how often the plan shows each image, controls included, and by who saw it before. */
static struct feasible_most count_people(const struct plan *plan)
{
    const struct plan_potential *p = plan->potential;
    uint32_t *grids = xcalloc(p->book.n + 1, sizeof *grids);
    for (size_t i = 0; i < plan->n; i++) {
        for (unsigned k = 0; k < plan->grids[i].grid.n; k++) {
            grids[label_plan_find(&p->book, (uint32_t)plan->grids[i].grid.image[k])]++; /* the last: of no image in the plan */
        }
    }
    struct feasible_most most = feasible_most(&p->book, grids, p->seen, plan->campaign.answers_per_grid);
    free(grids);
    return most;
}

enum err_code plan_potential_end(struct plan *plan)
{
    struct plan_potential *p = plan->potential;
    struct potential_depth depths[PREDICTION_K], planned = {.top = (uint32_t)p->row.top, .labels = plan->planned_pairs, .grids = plan->n};
    size_t n = potential_depths(&p->row, depths);
    spread(plan);
    p->terms.terms = campaign_plan_terms(&plan->campaign);
    const struct feasible_most most = count_people(plan);
    planned.most = most.grids;
    p->way = feasible_at(&p->terms, &planned, plan->campaign.answers_per_grid, 0);
    if (!plan->campaign.same_image_again) {
        feasible_put(&p->terms, &most, &p->way);
    }
    p->n_instead = feasible_instead(&p->terms, depths, n, most.seen, p->instead);
    return feasible_check(&p->terms, &p->way, p->instead, p->n_instead, &plan->cli->err);
}

/* ---- what is printed ---- */

static void print_way(const struct feasible_way *w, const char *currency)
{
    printf("    --top %u, %lld answers: %" PRIu64 " labels, %u an image at most; %" PRIu64 " grids; %lld people (an image %lld); "
           "%lld.%02lld %s; %.0f days\n",
           w->top, (long long)w->answers, w->labels, w->most, w->grids, (long long)w->people, (long long)w->people_image,
           (long long)(w->cost.pay_cents / 100), (long long)(w->cost.pay_cents % 100), currency, w->days);
}

void plan_potential_print(const struct plan *plan)
{
    const struct plan_potential *p = plan->potential;
    const char *currency = arena_cstr(&plan->cli->arena, plan->campaign.currency);
    printf("  labels          %zu pairs of image and label to ask about, of %zu; %zu have their answers, %zu images are hidden\n",
           (size_t)plan->planned_pairs, p->pairs, p->answered, p->hidden);
    printf("  people          an image is shown to %lld different people at most: %u grids x %lld answers%s, %lld for CLASSIFY\n",
           (long long)p->way.people_image, p->way.most, (long long)p->way.answers,
           p->way.people_image > (int64_t)p->way.most * p->way.answers + p->terms.classify ? ", those who saw it before" : "",
           (long long)p->terms.classify);
    printf("                  %lld people in all%s, %.0f days with %lld a day\n", (long long)p->way.people,
           p->way.possible ? "" : ": MORE THAN CAN BE HAD", p->way.days, (long long)p->terms.a_day);
    if (p->n_instead) {
        printf("  instead         possible with a plan of fewer labels, or with fewer answers:\n");
    }
    for (size_t i = 0; i < p->n_instead; i++) {
        print_way(&p->instead[i], currency);
    }
}

static json_t *way_json(const struct feasible_way *w)
{
    return object(field_int("top", w->top), field_int("answers", w->answers), field_int("labels", (int64_t)w->labels),
                  field_int("labels_of_image", w->most), field_int("grids", (int64_t)w->grids),
                  field_int("people_of_image", w->people_image), field_int("people", w->people),
                  field_int("pay_cents", w->cost.pay_cents), field_real("days", w->days), field_bool("possible", w->possible));
}

json_t *plan_potential_json(const struct plan *plan)
{
    const struct plan_potential *p = plan->potential;
    json_t *instead = json_array();
    for (size_t i = 0; i < p->n_instead; i++) {
        json_array_append_new(instead, way_json(&p->instead[i]));
    }
    return object(field_sv("plan", p->row.name), field_int("version", p->row.version), field_count("pairs", p->pairs),
                  field_int("planned", (int64_t)plan->planned_pairs), field_count("answered", p->answered),
                  field_count("waiting", p->waiting), field_count("hidden", p->hidden), field_json("way", way_json(&p->way)),
                  field_json("instead", instead));
}
