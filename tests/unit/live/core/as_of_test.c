/* as_of_test.c - counters as they were after every event, against counting the answers up to it one by
 * one; classes under a view against the kept statistics. */
#include "unit.h"

#include <math.h>

#include <string.h>

#include "live/core/as_of.h"
#include "live/votes/stats.h"
#include "live/votes/view_classes.h"
#include "numbers.h"
#include "world.h"

enum { MOST_PAIRS = 4096 };

static void fold(struct tally *t, struct temp_project *p)
{
    assert_int_equal(tally_fold(t, p->db, &p->err), OK);
}

struct pairs {
    struct tally_pair list[MOST_PAIRS];
    size_t n;
};

static void take(void *arg, const struct tally_pair *p, size_t n)
{
    struct pairs *to = arg;
    assert_true(to->n + n <= MOST_PAIRS);
    memcpy(&to->list[to->n], p, n * sizeof *p);
    to->n += n;
}

/* What the default view counts of a pair up to then, answer by answer. */
static void count_pair(const struct facts *all, const struct tally_pair *p, uint32_t *shown,
                       uint32_t *selected)
{
    *shown = *selected = 0;
    for (size_t i = 0; i < all->n; i++) {
        const struct fact *f = &all->items[i];
        if (!fact_accepted(f) || f->excluded || !f->main || f->class_id != p->class) {
            continue;
        }
        for (unsigned j = 0; j < f->n; j++) {
            if (f->image[j] == p->image) {
                ++*shown;
                *selected += (uint32_t)(f->mask >> j & 1);
            }
        }
    }
}

static void assert_as_of(struct tally *t, struct temp_project *p, int64_t as_of,
                         const struct numbers *w)
{
    static struct pairs all, of_class;
    struct facts facts = facts_load(p, as_of);
    int64_t holds = as_of;
    all.n = 0;
    assert_true(as_of_pairs(t, &holds, 0, take, &all));
    assert_int_equal(holds, as_of);
    size_t in_classes = 0;
    for (size_t i = 0; i < all.n; i++) {
        uint32_t shown, selected;
        count_pair(&facts, &all.list[i], &shown, &selected);
        assert_int_equal(all.list[i].shown, shown);
        assert_int_equal(all.list[i].selected, selected);
    }
    for (int k = 0; k < NUMBERS_CLASSES; k++) {
        of_class.n = 0;
        assert_true(as_of_pairs(t, &holds, w->classes[k], take, &of_class));
        in_classes += of_class.n;
        for (size_t i = 0; i < of_class.n; i++) {
            uint32_t shown, selected;
            count_pair(&facts, &of_class.list[i], &shown, &selected);
            assert_int_equal(of_class.list[i].class, w->classes[k]);
            assert_int_equal(of_class.list[i].shown, shown);
            assert_int_equal(of_class.list[i].selected, selected);
        }
    }
    assert_int_equal(in_classes, all.n);
    of_class = all;
    of_class.list[of_class.n++] = (struct tally_pair){.image = 999, .class = 1, .shown = 7};
    assert_true(as_of_find(t, &holds, of_class.list, of_class.n));
    assert_memory_equal(of_class.list, all.list, all.n * sizeof *all.list);
    assert_int_equal(of_class.list[all.n].shown, 0);
}

PROJECT_TEST(every_event)
{
    struct temp_project *p = *state;
    struct tally *t = tally_new();
    struct tally_totals totals;
    struct numbers w;
    numbers_begin(&w, p, 11);
    numbers_happen(&w, 60);
    fold(t, p);
    tally_totals(t, &totals);
    for (int64_t as_of = totals.cursor; as_of > 0; as_of -= 1 + as_of % 5) {
        assert_as_of(t, p, as_of, &w);
    }
    numbers_exclude(&w);
    int64_t excluded = temp_int(p, "SELECT max(id) FROM event");
    numbers_happen(&w, 60);
    fold(t, p);
    tally_totals(t, &totals);
    for (int64_t as_of = totals.cursor; as_of >= excluded; as_of -= 1 + as_of % 5) {
        assert_as_of(t, p, as_of, &w);
    }
    /* Before a grid was excluded: that is counted as a view. */
    struct pairs none = {.n = 0};
    int64_t before = excluded - 1;
    assert_false(as_of_pairs(t, &before, 0, take, &none) || none.n > 0);
    assert_true(as_of_news(t, before));
    tally_free(t);
}

PROJECT_TEST(now_and_later)
{
    struct temp_project *p = *state;
    struct tally *t = tally_new();
    struct tally_totals totals;
    static struct pairs now, later;
    struct numbers w;
    numbers_begin(&w, p, 12);
    numbers_happen(&w, 40);
    fold(t, p);
    tally_totals(t, &totals);
    int64_t zero = 0, beyond = totals.cursor + 1000;
    now.n = later.n = 0;
    assert_true(as_of_pairs(t, &zero, 0, take, &now));
    assert_true(as_of_pairs(t, &beyond, 0, take, &later));
    assert_int_equal(zero, totals.cursor);
    assert_int_equal(beyond, totals.cursor);
    assert_int_equal(now.n, totals.pairs);
    assert_memory_equal(now.list, later.list, now.n * sizeof *now.list);
    assert_false(as_of_news(t, totals.cursor));
    assert_true(as_of_news(t, 1));
    /* A decision alone is news too. */
    numbers_turn(&w);
    fold(t, p);
    assert_true(as_of_news(t, totals.cursor));
    assert_as_of(t, p, totals.cursor, &w);
    tally_free(t);
}

PROJECT_TEST(too_far_back)
{
    struct temp_project *p = *state;
    struct tally *t = tally_new();
    struct tally_totals totals;
    static struct pairs pairs;
    struct numbers w;
    numbers_begin(&w, p, 13);
    numbers_happen(&w, 40);
    fold(t, p);
    tally_totals(t, &totals);
    int64_t as_of = totals.cursor;
    assert_int_equal(db_tx_begin(p->db, &p->err), OK);
    for (int i = 0; i <= AS_OF_MOST; i++) {
        world_judge(p->db, w.answers[0], i % 2 == 0);
    }
    assert_int_equal(db_tx_commit(p->db, &p->err), OK);
    fold(t, p);
    pairs.n = 0;
    assert_false(as_of_pairs(t, &as_of, 0, take, &pairs));
    assert_false(as_of_pairs(t, &as_of, w.classes[0], take, &pairs));
    assert_false(as_of_find(t, &as_of, pairs.list, 0));
    tally_free(t);
}

/* ---- classes under a view ---- */

static void assert_class(const struct stats_class *a, const struct stats_class *b)
{
    assert_int_equal(a->class_id, b->class_id);
    assert_memory_equal(a->images, b->images, sizeof a->images);
    assert_memory_equal(a->shown, b->shown, sizeof a->shown);
    assert_memory_equal(a->selected, b->selected, sizeof a->selected);
    assert_int_equal(a->covered, b->covered);
    assert_memory_equal(a->originals, b->originals, sizeof a->originals);
    assert_memory_equal(a->candidates, b->candidates, sizeof a->candidates);
    for (int r = 0; r < 4; r++) {
        assert_true(a->ci[r].lo - b->ci[r].lo < 1e-12 && b->ci[r].lo - a->ci[r].lo < 1e-12);
        assert_true(a->ci[r].hi - b->ci[r].hi < 1e-12 && b->ci[r].hi - a->ci[r].hi < 1e-12);
    }
    assert_true(fabs(a->difference.lo - b->difference.lo) < 1e-9 && fabs(a->difference.hi - b->difference.hi) < 1e-9);
}

/* A view of the main and top-up campaigns without filters is the default view, as of its event too. */
PROJECT_TEST(classes_of_a_view)
{
    struct temp_project *p = *state;
    struct tally *t = tally_new();
    struct numbers w;
    numbers_begin(&w, p, 14);
    numbers_happen(&w, 200);
    fold(t, p);
    struct stats_keeper *keeper = stats_keeper_new(t);
    const struct stats *s = stats_get(keeper);
    assert_true(s->n_classes > 1);
    numbers_happen(&w, 60);
    fold(t, p);
    struct view_ask ask = {.campaigns = (int64_t[]){w.campaigns[0], w.campaigns[2]},
                           .n_campaigns = 2,
                           .as_of = s->cursor};
    struct view_counts counts;
    struct stats_class *list;
    size_t n;
    assert_int_equal(view_count(t, &ask, &counts, &p->err), OK);
    view_classes(t, &ask, &counts, 0, &list, &n);
    assert_int_equal(n, s->n_classes);
    for (size_t i = 0; i < n; i++) {
        struct stats_class *one;
        size_t n_one;
        assert_class(&list[i], &s->classes[i]);
        view_classes(t, &ask, &counts, list[i].class_id, &one, &n_one);
        assert_int_equal(n_one, 1);
        assert_class(one, &s->classes[i]);
        free(one);
    }
    free(list);
    view_counts_release(&counts);
    stats_put(keeper, s);
    stats_keeper_free(keeper);
    tally_free(t);
}
