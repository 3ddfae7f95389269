/* feasible.c - people, grids and days. */
#include "sets/labels/feasible.h"

#include "store/campaigns/coverage.h"

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

/* `image`: whom the image that takes the most people takes, CLASSIFY aside. */
static void put_people(const struct feasible_terms *t, int64_t image, struct feasible_way *w)
{
    w->people_image = image + t->classify;
    w->people = larger(w->cost.places, w->people_image);
    w->days = t->a_day > 0 ? (double)((w->people + t->a_day - 1) / t->a_day) : 0;
    w->possible = t->people == 0 || w->people <= t->people;
}

struct feasible_way feasible_at(const struct feasible_terms *t, const struct potential_depth *d, int64_t answers, int64_t seen)
{
    struct feasible_way w = {.top = d->top, .most = d->most, .answers = answers, .labels = d->labels, .grids = d->grids};
    struct plan_terms terms = t->terms;
    terms.answers_per_grid = answers;
    plan_cost(&terms, (int64_t)d->grids, &w.cost);
    put_people(t, (int64_t)d->most * answers + seen, &w);
    return w;
}

void feasible_put(const struct feasible_terms *t, const struct feasible_most *most, struct feasible_way *way)
{
    put_people(t, most->people, way);
}

/* ---- images of a plan ---- */

struct seeing {
    const struct label_plan_book *book;
    uint32_t *out;
};

static void add_seen(void *arg, int64_t image, int64_t people)
{
    struct seeing *s = arg;
    size_t at = label_plan_find(s->book, (uint32_t)image);
    if (at < s->book->n) {
        s->out[at] = (uint32_t)people;
    }
}

enum err_code feasible_seen(struct db *db, const struct label_plan_book *b, uint32_t *out, struct err *err)
{
    struct seeing s = {b, out};
    for (size_t i = 0; i < b->n; i++) {
        out[i] = 0;
    }
    return coverage_seen(db, add_seen, &s, err);
}

struct feasible_most feasible_most(const struct label_plan_book *b, const uint32_t *grids, const uint32_t *seen, int64_t answers)
{
    struct feasible_most most = {.grids = 0};
    for (size_t i = 0; i < b->n; i++) {
        uint32_t n = grids ? grids[i] : b->images[i].n;
        most.grids = n > most.grids ? n : most.grids;
        most.people = larger(most.people, n ? (int64_t)n * answers + seen[i] : 0);
        most.seen = larger(most.seen, seen[i]);
    }
    return most;
}

/* The most answers that are possible at a depth; 0: none are. */
static int64_t answers_at(const struct feasible_terms *t, const struct potential_depth *d, int64_t seen)
{
    int64_t answers = t->terms.answers_per_grid;
    while (answers >= FEASIBLE_LEAST && !feasible_at(t, d, answers, seen).possible) {
        answers--;
    }
    return answers >= FEASIBLE_LEAST ? answers : 0;
}

size_t feasible_instead(const struct feasible_terms *t, const struct potential_depth *depths, size_t n_depths, int64_t seen,
                        struct feasible_way out[PREDICTION_K])
{
    size_t n = 0;
    uint64_t labels = n_depths ? depths[n_depths - 1].labels : 0; /* of the way before, which is the plan itself at first */
    int64_t before = t->terms.answers_per_grid;
    for (size_t i = n_depths; i > 0; i--) {
        int64_t answers = answers_at(t, &depths[i - 1], seen);
        bool same = depths[i - 1].labels == labels && answers == before; /* fewer answers of models that say no more */
        if (answers && !same) {
            out[n++] = feasible_at(t, &depths[i - 1], answers, seen);
            labels = depths[i - 1].labels;
            before = answers;
        }
    }
    return n;
}

enum err_code feasible_check(const struct feasible_terms *t, const struct feasible_way *way,
                             const struct feasible_way *instead, size_t n, struct err *err)
{
    if (way->possible) {
        return OK;
    }
    if (n == 0) {
        return err_rule(err, ERR_INPUT, "plan-people",
                        "This takes %lld different people (an image alone %lld), and %lld can be had. Even one answer of each model "
                        "with %d answers for each label takes more. Nothing was planned. Find more people.",
                        (long long)way->people, (long long)way->people_image, (long long)t->people, (int)FEASIBLE_LEAST);
    }
    return err_rule(err, ERR_INPUT, "plan-people",
                    "This takes %lld different people (an image alone %lld), and %lld can be had. Nothing was planned. Possible: %lld "
                    "answers for each of at most %u labels of an image, those of a plan made with --top %u, which takes %lld people.",
                    (long long)way->people, (long long)way->people_image, (long long)t->people, (long long)instead[0].answers,
                    instead[0].most, instead[0].top, (long long)instead[0].people);
}
