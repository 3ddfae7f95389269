/* people_gap.c - copies first answers out of the fold, adds majorities as two more members, and counts pairs. */
#include "measures/people/people_gap.h"

#include <math.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "measures/scores/mean_share.h"
#include "measures/scores/model_scores_private.h"
#include "stats/cluster.h"

static const double ALPHA = 0.05;
enum { DRAWS = 1000 };

/* The members of both sides on one set: the people, the models, then the majority of each. */
struct answers {
    size_t n, people, members;
    uint16_t *said; /* [image * members + member]: cid */
    bool *right;    /* the same */
};

static int64_t member_id(const struct people_gap_ask *ask, size_t m)
{
    return m < ask->n_people ? ask->people[m] : ask->models[m - ask->n_people];
}

/* The class most said by the members from `from` up to `to`, and whether it is right, as whoever says it is. */
static void vote(struct answers *w, size_t image, size_t from, size_t to, size_t majority, uint16_t *count)
{
    const uint16_t *said = w->said + image * w->members;
    bool *right = w->right + image * w->members;
    size_t best = from;
    for (size_t m = from; m < to; m++) {
        count[said[m]]++;
    }
    for (size_t m = from; m < to; m++) {
        if (count[said[m]] > count[said[best]] || (count[said[m]] == count[said[best]] && said[m] < said[best])) {
            best = m;
        }
    }
    w->said[image * w->members + majority] = said[best];
    right[majority] = right[best];
    for (size_t m = from; m < to; m++) {
        count[said[m]] = 0;
    }
}

static void copy(const struct revision_scores *r, const struct people_gap_ask *ask, const struct subset *subset, struct answers *w,
                 struct people_set *out)
{
    size_t n = ask->n_people + ask->n_models;
    const struct model_ranks **of = xcalloc(n, sizeof *of);
    for (size_t m = 0; m < n; m++) {
        of[m] = model_scores_find(r, member_id(ask, m));
    }
    w->said = xcalloc((size_t)r->n * w->members + 1, sizeof *w->said);
    w->right = xcalloc((size_t)r->n * w->members + 1, sizeof *w->right);
    for (uint32_t i = 0; i < r->n; i++) {
        bool answered = true;
        if (!score_fold_means(r, subset, i)) {
            continue;
        }
        for (size_t m = 0; m < n && answered; m++) {
            uint16_t first = of[m] ? score_fold_first(of[m], i) : PREDICTION_NONE;
            answered = of[m] && of[m]->rank[i] != NO_RECORD && first != PREDICTION_NONE;
            w->said[w->n * w->members + m] = first;
            w->right[w->n * w->members + m] = answered && of[m]->rank[i] == 1;
        }
        out->sealed += r->sealed[i];
        out->unanswered += !r->sealed[i] && !answered;
        w->n += !r->sealed[i] && answered;
    }
    free(of);
}

static enum err_code read_answers(struct model_scores *s, struct db *db, const struct people_gap_ask *ask, int side, struct answers *w,
                                  struct people_set *out, struct err *err)
{
    struct revision_scores *r;
    pthread_mutex_lock(&s->lock);
    enum err_code rc = model_scores_look(s, db, ask->sets[side], model_scores_labels(ask->subsets[side]), &r, err);
    if (rc == OK) {
        copy(r, ask, ask->subsets[side], w, out);
    }
    pthread_mutex_unlock(&s->lock);
    if (rc == OK) {
        size_t n = ask->n_people + ask->n_models;
        uint16_t *count = xcalloc(PREDICTION_NONE + 1, sizeof *count);
        for (size_t i = 0; i < w->n; i++) {
            vote(w, i, 0, ask->n_people, n, count);
            vote(w, i, ask->n_people, n, n + 1, count);
        }
        free(count);
    }
    return rc;
}

static void count_missed(const struct answers *w, struct people_set *out)
{
    out->images = (uint32_t)w->n;
    for (size_t i = 0; i < w->n; i++) {
        bool person = false, model = false;
        for (size_t m = 0; m + 2 < w->members; m++) {
            *(m < w->people ? &person : &model) |= w->right[i * w->members + m];
        }
        out->people_missed += !person;
        out->models_missed += !model;
        out->all_missed += !person && !model;
    }
}

static struct raters_agreement agreement(const struct answers *w, size_t from, size_t to, uint64_t seed, struct arena *a)
{
    size_t n = to - from, classes = 0;
    uint16_t *said = arena_alloc(a, (w->n * n + 1) * sizeof *said);
    for (size_t i = 0; i < w->n; i++) {
        for (size_t m = 0; m < n; m++) {
            uint16_t cid = said[i * n + m] = w->said[i * w->members + from + m];
            classes = cid >= classes ? (size_t)cid + 1 : classes;
        }
    }
    return raters_agree(&(struct ratings){.items = w->n, .people = n, .categories = classes, .said = said}, RATERS_KRIPPENDORFF, DRAWS, seed, ALPHA, a);
}

static struct people_pair pair_of(const struct answers *w, size_t person, size_t model)
{
    struct people_pair p = {.p = 0};
    for (size_t i = 0; i < w->n; i++) {
        bool one = w->right[i * w->members + person], two = w->right[i * w->members + model];
        p.counts.both += one && two;
        p.counts.first += one && !two;
        p.counts.second += two && !one;
        p.counts.neither += !one && !two;
    }
    p.p = w->n ? paired_mcnemar(&p.counts) : (double)NAN;
    p.difference = paired_difference(&p.counts, ALPHA);
    return p;
}

/* Image by image: the share of the people who are right less that of the models. */
static struct people_pair means_of(const struct answers *w)
{
    struct mean_share d = {.n = 0};
    double n = (double)w->n, models = (double)(w->members - 2 - w->people), nan = (double)NAN;
    for (size_t i = 0; i < w->n; i++) {
        double right[2] = {0, 0};
        for (size_t m = 0; m + 2 < w->members; m++) {
            right[m >= w->people] += w->right[i * w->members + m];
        }
        mean_share_add(&d, right[0] / (double)w->people - right[1] / models);
    }
    struct people_pair p = {.p = nan, .difference = {w->n ? d.sum / n : nan, nan, nan}};
    if (w->n > 1) {
        double half = student_quantile(n - 1, 1 - ALPHA / 2) * sqrt(mean_share_spread(&d) / (n - 1) / n);
        p.difference.lo = fmax(-1, p.difference.value - half);
        p.difference.hi = fmin(1, p.difference.value + half);
    }
    return p;
}

/* One line more; members by their place among the answers. */
static void add_line(const struct answers w[PEOPLE_SETS], const struct people_gap_ask *ask, size_t person, size_t model, struct people_gap *out)
{
    size_t n = ask->n_people + ask->n_models;
    struct people_line *l = &out->lines[out->n++];
    *l = (struct people_line){person < n ? member_id(ask, person) : PEOPLE_MAJORITY, model < n ? member_id(ask, model) : PEOPLE_MAJORITY,
                              {pair_of(&w[0], person, model), pair_of(&w[1], person, model)}, {0, 0, 0}};
    l->change = proportion_difference(l->on[1].difference, l->on[0].difference);
}

static void add_lines(const struct answers w[PEOPLE_SETS], const struct people_gap_ask *ask, struct people_gap *out)
{
    size_t people = ask->n_people, n = people + ask->n_models;
    out->lines[out->n++] = (struct people_line){PEOPLE_MEAN, PEOPLE_MEAN, {means_of(&w[0]), means_of(&w[1])}, {0, 0, 0}};
    out->lines[0].change = proportion_difference(out->lines[0].on[1].difference, out->lines[0].on[0].difference);
    add_line(w, ask, n, n + 1, out);
    for (size_t m = people; m < n; m++) {
        add_line(w, ask, n, m, out);
    }
    for (size_t p = 0; p < people; p++) {
        add_line(w, ask, p, n + 1, out);
    }
    for (size_t p = 0; p < people; p++) {
        for (size_t m = people; m < n; m++) {
            add_line(w, ask, p, m, out);
        }
    }
}

enum err_code people_gap_make(struct model_scores *s, struct db *db, const struct people_gap_ask *ask, uint64_t seed, struct arena *a,
                              struct people_gap *out, struct err *err)
{
    size_t n = ask->n_people + ask->n_models;
    struct answers w[PEOPLE_SETS] = {{0, ask->n_people, n + 2, NULL, NULL}, {0, ask->n_people, n + 2, NULL, NULL}};
    enum err_code rc = OK;
    *out = (struct people_gap){.lines = arena_calloc(a, (ask->n_people + 1) * (ask->n_models + 1) + 1, sizeof *out->lines)};
    for (int side = 0; side < PEOPLE_SETS && rc == OK; side++) {
        struct people_set *set = &out->on[side];
        rc = ask->sets[side] ? read_answers(s, db, ask, side, &w[side], set, err) : OK;
        count_missed(&w[side], set);
        set->people = agreement(&w[side], 0, ask->n_people, seed, a);
        set->models = agreement(&w[side], ask->n_people, n, seed, a);
    }
    if (rc == OK) {
        add_lines(w, ask, out);
    }
    for (int side = 0; side < PEOPLE_SETS; side++) {
        free(w[side].said);
        free(w[side].right);
    }
    return rc;
}
