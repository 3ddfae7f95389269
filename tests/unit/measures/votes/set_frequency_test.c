/* set_frequency_test.c - the average frequency of random sets against counting answers one by one,
 * under a filter and as of earlier events too; its interval against leaving out one person after the other. */
#include "unit.h"

#include <math.h>
#include <string.h>

#include "measures/votes/set_frequency.h"
#include "numbers.h"
#include "stats/cluster.h"
#include "stats/jackknife.h"
#include "world.h"

enum { ROUNDS = 12, EVENTS = 40, IMAGES_MOST = 400 };

struct set {
    struct revision_image images[IMAGES_MOST];
    size_t n;
};

static bool has(const struct set *s, int64_t image, int64_t class_id)
{
    for (size_t i = 0; i < s->n; i++) {
        if (s->images[i].image == image && s->images[i].class_id == class_id) {
            return true;
        }
    }
    return false;
}

static bool is_dropped(const struct view_counts *v, int64_t answer)
{
    for (size_t i = 0; i < v->n_dropped; i++) {
        if (v->dropped[i] == answer) {
            return true;
        }
    }
    return false;
}

/* About a third of the pairs that were shown, and one that never was. */
static void draw(struct set *s, struct rng *r, const struct view_counts *v)
{
    *s = (struct set){.n = 0};
    for (size_t i = 0; i < v->n && s->n < IMAGES_MOST - 1; i++) {
        if (rng_below(r, 3) == 0) {
            s->images[s->n++] = (struct revision_image){v->image[i], v->class_id[i]};
        }
    }
    s->images[s->n++] = (struct revision_image){UINT32_MAX, 1};
}

/* Of one image: its votes; and everybody's over all images. */
struct plain {
    uint32_t shown[IMAGES_MOST], selected[IMAGES_MOST];
    uint32_t k[NUMBERS_PEOPLE], n[NUMBERS_PEOPLE];
    uint32_t of[IMAGES_MOST][NUMBERS_PEOPLE], yes[IMAGES_MOST][NUMBERS_PEOPLE]; /* one person's */
};

static bool counts(const struct fact *f, const struct view_ask *ask, const struct view_counts *v)
{
    bool in = false;
    for (size_t i = 0; i < ask->n_campaigns; i++) {
        in = in || ask->campaigns[i] == f->campaign;
    }
    return in && fact_accepted(f) && !f->excluded && !is_dropped(v, f->id);
}

static unsigned person_of(const struct numbers *w, int64_t person)
{
    unsigned i = 0;
    while (w->people[i] != person) {
        i++;
    }
    return i;
}

static void count_plainly(struct numbers *w, const struct set *s, const struct view_ask *ask,
                          const struct view_counts *v, struct plain *out)
{
    struct facts all = facts_load(w->t, ask->as_of);
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < all.n; i++) {
        const struct fact *f = &all.items[i];
        for (unsigned j = 0; j < f->n && counts(f, ask, v); j++) {
            if (!has(s, f->image[j], f->class_id)) {
                continue;
            }
            uint32_t yes = (uint32_t)(f->mask >> j & 1);
            unsigned who = person_of(w, f->person);
            out->n[who]++;
            out->k[who] += yes;
            for (size_t m = 0; m < s->n; m++) {
                bool it = s->images[m].image == f->image[j] && s->images[m].class_id == f->class_id;
                out->shown[m] += it;
                out->selected[m] += it ? yes : 0;
                out->of[m][who] += it;
                out->yes[m][who] += it ? yes : 0;
            }
        }
    }
}

/* The mean without a person; false when nothing is left. */
static bool mean_without(const struct set *s, const struct plain *p, unsigned who, double *out)
{
    double sum = 0;
    size_t measured = 0;
    for (size_t i = 0; i < s->n; i++) {
        uint32_t n = p->shown[i] - p->of[i][who];
        if (n) {
            sum += (double)(p->selected[i] - p->yes[i][who]) / n;
            measured++;
        }
    }
    *out = measured ? sum / (double)measured : 0;
    return measured > 0;
}

/* People are fewer than groups: each is one. */
static void assert_interval(const struct set *s, const struct plain *p,
                            const struct set_frequency *got)
{
    double without[NUMBERS_PEOPLE];
    size_t n = 0, voted = 0;
    for (unsigned who = 0; who < NUMBERS_PEOPLE; who++) {
        voted += p->n[who] > 0;
        n += p->n[who] > 0 && mean_without(s, p, who, &without[n]);
    }
    assert_int_equal(got->groups, voted);
    double variance = jackknife_variance(without, n);
    assert_int_equal(got->jackknife, n >= 2 && variance >= 1e-18);
    if (!got->jackknife) {
        struct interval ci = cluster_interval(p->k, p->n, NUMBERS_PEOPLE, 0.05);
        assert_true(got->ci.lo <= ci.lo + 1e-12 && got->ci.hi >= ci.hi - 1e-12);
    } else {
        struct interval ci = jackknife_interval(got->mean, variance, n, 0.05);
        assert_true(fabs(got->ci.lo - fmax(ci.lo, 0)) < 1e-9);
        assert_true(fabs(got->ci.hi - fmin(ci.hi, 1)) < 1e-9);
    }
    assert_true(got->measured == 0 || (got->ci.lo <= got->mean && got->mean <= got->ci.hi));
}

static void assert_frequency(const struct set *s, const struct plain *p,
                             const struct set_frequency *got)
{
    double sum = 0, least = 1;
    uint64_t shown = 0, selected = 0;
    size_t measured = 0;
    uint32_t least_answers = UINT32_MAX;
    for (size_t i = 0; i < s->n; i++) {
        if (p->shown[i]) {
            double f = (double)p->selected[i] / p->shown[i];
            sum += f;
            least = fmin(least, f);
            least_answers = p->shown[i] < least_answers ? p->shown[i] : least_answers;
            measured++;
        }
        shown += p->shown[i];
        selected += p->selected[i];
    }
    assert_int_equal(got->measured, measured);
    assert_int_equal(got->shown, shown);
    assert_int_equal(got->selected, selected);
    assert_interval(s, p, got);
    if (measured) {
        assert_true(fabs(got->mean - sum / (double)measured) < 1e-12);
        assert_true(got->least >= least && got->least <= least);
        assert_int_equal(got->least_answers, least_answers);
    }
}

static void check(struct numbers *w, struct tally *t, const struct view_ask *ask)
{
    struct view_counts v;
    static struct set s[2]; /* two overlapping sets at once */
    static struct plain p;
    struct set_frequency got[2];
    assert_int_equal(view_count(t, ask, &v, &w->t->err), OK);
    draw(&s[0], &w->r, &v);
    draw(&s[1], &w->r, &v);
    const struct set_members members[] = {{s[0].images, s[0].n}, {s[1].images, s[1].n}};
    set_frequencies(t, ask, &v, members, 2, got);
    for (int i = 0; i < 2; i++) {
        count_plainly(w, &s[i], ask, &v, &p);
        assert_frequency(&s[i], &p, &got[i]);
    }
    view_counts_release(&v);
}

PROJECT_TEST(random_sets)
{
    struct temp_project *p = *state;
    struct numbers w;
    struct tally *t = tally_new();
    numbers_begin(&w, p, 7);
    struct view_ask ask = {.campaigns = w.campaigns, .n_campaigns = 1};
    struct view_ask filtered = ask;
    filtered.rules.n = 1;
    filtered.rules.filters[0] = (struct view_filter){RULE_ACTIVE_LEAST, 5, 0};
    for (int round = 0; round < ROUNDS; round++) {
        numbers_happen(&w, EVENTS);
        assert_int_equal(tally_fold(t, p->db, &p->err), OK);
        check(&w, t, &ask);
        check(&w, t, &filtered);
        if (w.n_answers) {
            struct view_ask before = ask;
            before.as_of = w.answers[rng_below(&w.r, (uint32_t)w.n_answers)];
            check(&w, t, &before);
        }
    }
    tally_free(t);
}

PROJECT_TEST(nothing_shown)
{
    struct temp_project *p = *state;
    struct tally *t = tally_new();
    struct view_ask ask = {.n_campaigns = 0};
    struct view_counts v;
    struct set_frequency got;
    const struct revision_image one = {1, 1};
    assert_int_equal(tally_fold(t, p->db, &p->err), OK);
    assert_int_equal(view_count(t, &ask, &v, &p->err), OK);
    const struct set_members shown = {&one, 1}, empty = {NULL, 0};
    set_frequencies(t, &ask, &v, &shown, 1, &got);
    assert_int_equal(got.measured, 0);
    assert_int_equal(got.shown, 0);
    assert_true(got.ci.lo <= 0 && got.ci.hi >= 1);
    set_frequencies(t, &ask, &v, &empty, 1, &got);
    assert_int_equal(got.measured, 0);
    view_counts_release(&v);
    tally_free(t);
}
