/* view_count_test.c - votes under a view against counting them one by one: as of every event, under
 * random filters. */
#include "unit.h"

#include <math.h>

#include "live/votes/view_count.h"
#include "numbers.h"
#include "stats/cluster.h"
#include "store/votes/views.h"
#include "world.h"

enum { MOST = 1000, ROLES = 4 };

static void fold(struct tally *t, struct temp_project *p)
{
    assert_int_equal(tally_fold(t, p->db, &p->err), OK);
}

/* What a view should say, in the plainest way. */
struct plain {
    const struct view_ask *ask;
    struct facts all;
    bool in[MOST];
    unsigned faults[MOST]; /* bit i: filter i */
};

static bool has(const int64_t *ids, size_t n, int64_t id)
{
    for (size_t i = 0; i < n; i++) {
        if (ids[i] == id) {
            return true;
        }
    }
    return false;
}

/* Somebody over the view's answers before any filter. */
static struct view_person person_of(const struct plain *p, int64_t person)
{
    struct view_person who = {.blocked = has(p->ask->blocked, p->ask->n_blocked, person)};
    unsigned compared = 0;
    double sum = 0, relative;
    for (size_t i = 0; i < p->all.n; i++) {
        const struct fact *f = &p->all.items[i];
        if (!p->in[i] || f->person != person) {
            continue;
        }
        struct fact_controls c = fact_controls(f);
        who.answers++;
        who.pos_right += c.right[CELL_POSITIVE];
        who.pos += c.of[CELL_POSITIVE];
        who.neg_right += c.right[CELL_NEGATIVE];
        who.neg += c.of[CELL_NEGATIVE];
        who.gold_right += c.right[CELL_GOLD];
        who.gold += c.of[CELL_GOLD];
        if (fact_relative(&p->all, p->in, i, &relative)) {
            compared++;
            sum += relative;
        }
    }
    who.compared = compared > 0;
    who.relative = compared ? sum / compared : 0;
    return who;
}

/* Of the answers of the view to its grid, this one is left out because only some count. */
static bool some_leave_out(const struct plain *p, size_t at, const struct view_filter *filter)
{
    bool out[MOST];
    size_t n = 0, own = 0;
    for (size_t i = 0; i < p->all.n; i++) {
        if (p->in[i] && p->all.items[i].grid == p->all.items[at].grid) {
            own = i == at ? n : own;
            n++;
        }
    }
    view_filter_grid(filter, (uint64_t)p->all.items[at].grid, n, out);
    return out[own];
}

static void count_plainly(struct plain *p, struct temp_project *t, const struct view_ask *ask)
{
    p->ask = ask;
    p->all = facts_load(t, ask->as_of);
    for (size_t i = 0; i < p->all.n; i++) {
        const struct fact *f = &p->all.items[i];
        p->in[i] = fact_accepted(f) && !f->excluded &&
                   has(ask->campaigns, ask->n_campaigns, f->campaign);
    }
    for (size_t i = 0; i < p->all.n; i++) {
        const struct fact *f = &p->all.items[i];
        p->faults[i] = 0;
        for (size_t k = 0; k < ask->rules.n; k++) {
            const struct view_filter *filter = &ask->rules.filters[k];
            struct view_person who = {0};
            if (filter->rule >= RULE_ANSWERS_LEAST) {
                who = person_of(p, f->person);
            }
            bool out = filter->rule >= RULE_ANSWERS_LEAST
                           ? view_filter_person(filter, &who)
                           : view_filter_answer(filter, f->n,
                                                (unsigned)__builtin_popcountll(f->mask),
                                                (unsigned)f->active_ms);
            out = view_filter_of_grid(filter) ? p->in[i] && some_leave_out(p, i, filter) : out;
            p->faults[i] |= (unsigned)out << k;
        }
    }
}

/* The mean over answers whose faults have none of these filters. */
static void assert_mean(const struct numbers *w, const struct plain *p, unsigned filters,
                        const struct view_mean *got)
{
    struct view_mean want = {0};
    uint32_t k[ROLES][NUMBERS_PEOPLE] = {{0}}, n[ROLES][NUMBERS_PEOPLE] = {{0}};
    for (int person = 0; person < NUMBERS_PEOPLE; person++) {
        uint64_t before = want.answers;
        for (size_t i = 0; i < p->all.n; i++) {
            const struct fact *f = &p->all.items[i];
            if (!p->in[i] || (p->faults[i] & filters) || f->person != w->people[person]) {
                continue;
            }
            want.answers++;
            for (unsigned j = 0; j < f->n; j++) {
                n[f->pair_role[j]][person]++;
                k[f->pair_role[j]][person] += (uint32_t)(f->mask >> j & 1);
            }
        }
        want.people += want.answers > before;
    }
    assert_int_equal(got->answers, want.answers);
    assert_int_equal(got->people, want.people);
    for (int r = 0; r < ROLES; r++) {
        for (int person = 0; person < NUMBERS_PEOPLE; person++) {
            want.shown[r] += n[r][person];
            want.selected[r] += k[r][person];
        }
        struct interval ci = cluster_interval(k[r], n[r], NUMBERS_PEOPLE, 0.05);
        assert_int_equal(got->shown[r], want.shown[r]);
        assert_int_equal(got->selected[r], want.selected[r]);
        assert_true(fabs(got->ci[r].lo - ci.lo) < 1e-12 && fabs(got->ci[r].hi - ci.hi) < 1e-12);
    }
}

static void assert_pairs(const struct plain *p, struct tally *t, const struct view_counts *v)
{
    size_t n;
    const struct tally_pair *pairs = tally_pairs(t, &n);
    uint64_t shown = 0, selected = 0, votes = 0, ticks = 0;
    assert_int_equal(v->n, n);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(v->image[i], pairs[i].image);
        assert_int_equal(v->class_id[i], pairs[i].class);
        assert_int_equal(v->role[i], pairs[i].role);
        shown += v->shown[i];
        selected += v->selected[i];
    }
    for (size_t i = 0; i < p->all.n; i++) {
        const struct fact *f = &p->all.items[i];
        for (unsigned j = 0; j < f->n && p->in[i] && !p->faults[i]; j++) {
            votes++;
            ticks += f->mask >> j & 1;
        }
    }
    assert_int_equal(shown, votes);
    assert_int_equal(selected, ticks);
}

/* Some pairs in full; together with the sums above all must be right. */
static void assert_some_pairs(struct numbers *w, const struct plain *p,
                              const struct view_counts *v)
{
    for (int round = 0; round < 10; round++) {
        size_t at = (size_t)rng_below(&w->r, v->n);
        uint32_t shown = 0, selected = 0;
        for (size_t i = 0; i < p->all.n; i++) {
            const struct fact *f = &p->all.items[i];
            for (unsigned j = 0; j < f->n && p->in[i] && !p->faults[i]; j++) {
                bool same = f->image[j] == v->image[at] && f->class_id == v->class_id[at];
                shown += same;
                selected += same && (f->mask >> j & 1);
            }
        }
        assert_int_equal(v->shown[at], shown);
        assert_int_equal(v->selected[at], selected);
    }
}

static void assert_dropped(const struct plain *p, const struct view_counts *v)
{
    size_t n = 0;
    for (size_t i = 0; i < p->all.n; i++) {
        if (p->in[i] && p->faults[i]) {
            unsigned first = 0;
            while (!(p->faults[i] >> first & 1)) {
                first++;
            }
            assert_true(n < v->n_dropped);
            assert_int_equal(v->dropped[n], p->all.items[i].id);
            assert_int_equal(v->dropped_by[n], first);
            n++;
        }
    }
    assert_int_equal(v->n_dropped, n);
}

static size_t assert_view(struct numbers *w, struct tally *t, const struct view_ask *ask)
{
    static struct plain p;
    struct view_counts v;
    struct err err = {0};
    size_t f = ask->rules.n;
    unsigned every = (1U << f) - 1;
    assert_int_equal(view_count(t, ask, &v, &err), OK);
    count_plainly(&p, w->t, ask);
    int64_t last = temp_int(w->t, "SELECT max(id) FROM event");
    assert_int_equal(v.cursor, ask->as_of && ask->as_of < last ? ask->as_of : last);
    assert_mean(w, &p, 0, &v.all);
    assert_mean(w, &p, every, &v.with);
    for (size_t i = 0; i < f; i++) {
        assert_mean(w, &p, 1U << i, &v.alone[i]);
        assert_mean(w, &p, every & ~(1U << i), &v.without[i]);
    }
    assert_pairs(&p, t, &v);
    assert_some_pairs(w, &p, &v);
    assert_dropped(&p, &v);
    size_t dropped = v.n_dropped;
    view_counts_release(&v);
    return dropped;
}

/* Filters that leave some out and some in. */
static struct view_rules random_rules(struct rng *r, size_t most)
{
    static const double values[VIEW_RULES] = {
        [RULE_ACTIVE_LEAST] = 20, [RULE_FIRST_VOTES] = 2, [RULE_RANDOM_VOTES] = 2,   [RULE_ANSWERS_LEAST] = 8,    [RULE_GOLD_LEAST] = 40,
        [RULE_NEGATIVE_LEAST] = 50, [RULE_POSITIVE_LEAST] = 55, [RULE_RELATIVE_LEAST] = -0.02};
    struct view_rules v = {0};
    unsigned start = (unsigned)rng_below(r, VIEW_RULES);
    size_t n = (size_t)rng_below(r, most + 1);
    for (unsigned i = 0; v.n < n; i++) {
        enum view_rule rule = (enum view_rule)((start + i * 2) % VIEW_RULES); /* 11 rules: each once */
        v.filters[v.n++] = (struct view_filter){rule, values[rule], rule == RULE_RANDOM_VOTES};
    }
    return v;
}

/* Also before anything, between decisions, and in a future that is not there yet. */
PROJECT_TEST(as_of_every_event)
{
    struct temp_project *p = *state;
    struct numbers w;
    struct tally *t = tally_new();
    numbers_begin(&w, p, 11);
    numbers_happen(&w, 150);
    fold(t, p);
    int64_t last = temp_int(p, "SELECT max(id) FROM event");
    for (int64_t e = 0; e <= last + 2; e++) {
        struct view_ask ask = {.campaigns = w.campaigns,
                               .n_campaigns = NUMBERS_CAMPAIGNS,
                               .as_of = e,
                               .rules = random_rules(&w.r, 2)};
        assert_view(&w, t, &ask);
    }
    tally_free(t);
}

PROJECT_TEST(random_filters)
{
    struct temp_project *p = *state;
    struct numbers w;
    struct tally *t = tally_new();
    size_t dropped = 0;
    tally_use_disk(t, p->dir);
    numbers_begin(&w, p, 12);
    for (int round = 0; round < 25; round++) {
        numbers_happen(&w, 12);
        if (round % 8 == 7) {
            numbers_exclude(&w);
        }
        fold(t, p);
        tally_rest(t);
        int64_t blocked[] = {w.people[2], w.people[5]};
        size_t first = (size_t)round % 3, most = NUMBERS_CAMPAIGNS - first;
        struct view_ask ask = {.campaigns = w.campaigns + first,
                               .n_campaigns = most - (size_t)round % 2 * (most - 1),
                               .blocked = blocked,
                               .n_blocked = 2,
                               .rules = random_rules(&w.r, VIEW_FILTERS_MOST)};
        dropped += assert_view(&w, t, &ask);
    }
    assert_true(dropped > 100);
    tally_free(t);
}

/* The default view, counted the other way, is what the tally has. */
PROJECT_TEST(the_default_view)
{
    struct temp_project *p = *state;
    struct numbers w;
    struct vote_view view;
    struct view_counts v;
    int64_t *campaigns;
    size_t n, n_campaigns;
    struct tally *t = tally_new();
    numbers_begin(&w, p, 13);
    numbers_happen(&w, 300);
    fold(t, p);
    assert_int_equal(views_find(p->db, SV("default"), &p->arena, &view, &p->err), OK);
    assert_int_equal(views_campaigns(p->db, &view, &p->arena, &campaigns, &n_campaigns, &p->err),
                     OK);
    struct view_ask ask = {.campaigns = campaigns, .n_campaigns = n_campaigns};
    assert_int_equal(view_count(t, &ask, &v, &p->err), OK);
    const struct tally_pair *pairs = tally_pairs(t, &n);
    assert_int_equal(v.n, n);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(v.shown[i], pairs[i].shown);
        assert_int_equal(v.selected[i], pairs[i].selected);
    }
    assert_int_equal(v.n_dropped, 0);
    assert_memory_equal(&v.all, &v.with, sizeof v.all);
    view_counts_release(&v);
    tally_free(t);
}

TEST(nothing_to_count)
{
    struct view_counts v;
    struct err err = {0};
    struct tally *t = tally_new();
    struct view_ask ask = {.as_of = 5, .rules = {1, {{RULE_NOT_ALL, 0, 0}}}};
    assert_int_equal(view_count(t, &ask, &v, &err), OK);
    assert_int_equal(v.n + v.n_dropped, 0);
    assert_true(v.all.ci[0].lo == 0 && v.all.ci[0].hi == 1);
    view_counts_release(&v);
    tally_free(t);
}
