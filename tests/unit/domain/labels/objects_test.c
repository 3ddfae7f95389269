/* objects_test.c - domain/labels/objects.h: pluralities and their ties, labels of no object, more
 * labels than are parted, and stability against every subset. */
#include "unit.h"

#include "domain/labels/objects.h"

#define ANSWERS(...) (const struct object_response[]){__VA_ARGS__}

static const uint32_t ids[OBJECT_LABELS] = {30, 10, 20, 40, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16, 17};

static struct objects_ask asked(const struct object_response *responses, uint32_t n, uint32_t labels)
{
    return (struct objects_ask){.labels = ids, .n_labels = labels, .responses = responses, .n = n, .least = 1};
}

static struct objects_found find(const struct object_response *responses, uint32_t n, uint32_t labels)
{
    struct objects_found f;
    struct objects_ask ask = asked(responses, n, labels);
    objects_find(&ask, &f);
    return f;
}

TEST(few_responses_say_nothing)
{
    struct objects_ask ask = asked(ANSWERS({1, 0}, {1, 0}), 2, 4);
    struct objects_found f;
    ask.least = 3;
    objects_find(&ask, &f);
    assert_true(f.few);
    assert_int_equal(f.responses, 2);
    assert_int_equal(f.n, 0);
    assert_int_equal(objects_of_class(&ask, &f, 30), -1);
    assert_true(find(NULL, 0, 4).few);
}

/* Label 1 is called the main one first; three responses have one label, three have two. */
TEST(ties_go_to_what_came_first)
{
    struct objects_found f = find(ANSWERS({0x2, 1}, {0x5, 0}, {0x2, 1}, {0x5, 0}, {0x5, 2}, {0x4, 2}), 6, 3);
    assert_int_equal(f.main, 1);
    assert_int_equal(f.main_count, 2);
    assert_true(f.main_tied);
    assert_int_equal(f.n, 1);
    assert_true(f.n_tied);
    assert_int_equal(f.object[0].labels, 0x7);
    assert_int_equal(f.within_cost, 3); /* 0 and 2 are together three times */
    assert_int_equal(f.n_optimal, 1);
    /* Label 2 has four, 1 two, 0 three. */
    assert_int_equal(f.object[0].label, 2);
    assert_int_equal(f.object[0].selections, 9);
    assert_int_equal(f.object[0].main_votes, 6);
    f = find(ANSWERS({0x1, 0}, {0x2, 1}, {0x2, 1}), 3, 2);
    assert_false(f.main_tied);
    assert_int_equal(f.main, 1);
}

/* A ball (0) and a terrier that is called 1 by some and 2 by others; 3 was selected alone. */
TEST(labels_become_objects)
{
    const struct object_response all[] = {{0x3, 1}, {0x5, 0}, {0x3, 1}, {0x5, 2}, {0x8, 3}};
    struct objects_ask ask = asked(all, 5, 4);
    struct objects_found f = find(all, 5, 4);
    assert_int_equal(f.n, 2);
    assert_false(f.n_tied);
    assert_int_equal(f.within_cost, 0);
    assert_int_equal(f.n_optimal, 1);
    assert_int_equal(f.unassigned, 0x8);
    /* In reverse order of first appearance. */
    assert_int_equal(f.object[0].labels, 0x6);
    assert_int_equal(f.object[1].labels, 0x1);
    /* Both terriers have two: the smaller class id, 10. */
    assert_int_equal(f.object[0].label, 1);
    assert_int_equal(f.object[0].main_votes, 3);
    assert_int_equal(f.object[1].main_votes, 1);
    assert_int_equal(f.main_object, 0);
    assert_int_equal(objects_of_class(&ask, &f, 30), 1);
    assert_int_equal(objects_of_class(&ask, &f, 20), 0);
    assert_int_equal(objects_of_class(&ask, &f, 40), -1);
    assert_int_equal(objects_of_class(&ask, &f, 99), -1);
}

/* Three labels, each with each once: any pair could be the object of two. */
TEST(a_tie_is_counted_and_decided_by_the_order)
{
    struct objects_found f = find(ANSWERS({0x3, 0}, {0x5, 0}, {0x6, 1}), 3, 3);
    assert_int_equal(f.n_optimal, 3);
    assert_int_equal(f.within_cost, 1);
    assert_int_equal(f.object[1].labels, 0x3);
    assert_int_equal(f.object[0].labels, 0x4);
    /* Of objects that are called the main one as often, the first. */
    f = find(ANSWERS({0x3, 0}, {0x3, 1}), 2, 2);
    assert_int_equal(f.main_object, 0);
    assert_int_equal(f.object[0].labels, 0x2);
    assert_int_equal(f.object[0].main_votes, 1);
    assert_int_equal(f.object[1].main_votes, 1);
}

/* Fourteen labels beside another: the two least selected are of no object, the larger ids of those with equal counts. */
TEST(more_labels_than_are_parted)
{
    struct object_response all[16];
    for (uint32_t i = 0; i < 7; i++) {
        all[2 * i] = all[2 * i + 1] = (struct object_response){UINT64_C(3) << 2 * i, 2 * i};
    }
    all[14] = (struct object_response){UINT64_C(0x3), 0};
    struct objects_found f = find(all, 15, 14);
    assert_int_equal(f.n, 2);
    assert_true(f.beyond);
    assert_int_equal(__builtin_popcountll(f.unassigned), 2);
    /* Labels 0 and 1 have three; of the others those with ids 40 and 20. */
    assert_int_equal(f.unassigned, 1u << 3 | 1u << 2);
    assert_int_equal(f.within_cost, 0);
}

/* By pairs of labels that are of objects in `some`. */
static bool plainly_same(const struct objects_found *some, const struct objects_found *all, uint32_t labels)
{
    bool same = some->n == all->n;
    for (uint32_t a = 0; a < labels; a++) {
        for (uint32_t b = a; b < labels; b++) {
            if (some->of[a] != OBJECT_NONE && some->of[b] != OBJECT_NONE) {
                same = same && all->of[a] != OBJECT_NONE && all->of[b] != OBJECT_NONE;
                same = same && (some->of[a] == some->of[b]) == (all->of[a] == all->of[b]);
            }
        }
    }
    return same;
}

TEST(stability_is_that_of_every_subset)
{
    enum { N = 7, KEEP = 5 };
    const struct object_response all[N] = {{0x3, 1}, {0x5, 0}, {0x7, 1}, {0x5, 2}, {0x1, 0}, {0x3, 0}, {0x2, 1}};
    struct objects_found whole = find(all, N, 3);
    struct objects_stability want = {0}, got;
    for (uint32_t mask = 0; mask < 1u << N; mask++) {
        struct object_response kept[N];
        uint32_t n = 0;
        for (uint32_t i = 0; i < N; i++) {
            if (mask >> i & 1) {
                kept[n++] = all[i];
            }
        }
        if (n == KEEP) {
            struct objects_found f = find(kept, n, 3);
            want.subsets++;
            want.same_main += f.main == whole.main;
            want.same_n += f.n == whole.n;
            want.same += plainly_same(&f, &whole, 3);
        }
    }
    struct objects_ask ask = asked(all, N, 3);
    struct rng r;
    rng_seed(&r, 1);
    objects_stability(&ask, KEEP, 21, &r, &got);
    assert_true(got.all);
    assert_int_equal(got.subsets, 21);
    assert_int_equal(got.same_main, want.same_main);
    assert_int_equal(got.same_n, want.same_n);
    assert_int_equal(got.same, want.same);
    assert_in_range(got.same, 1, 20);
    /* One fewer draw than there are subsets: so many are drawn. */
    objects_stability(&ask, KEEP, 20, &r, &got);
    assert_false(got.all);
    assert_int_equal(got.subsets, 20);
    objects_stability(&ask, N, 20, &r, &got);
    assert_int_equal(got.subsets, 1);
    assert_int_equal(got.same, 1);
    ask.least = N + 1;
    objects_stability(&ask, KEEP, 20, &r, &got);
    assert_int_equal(got.subsets, 0);
}

/* Every subset of two of four is drawn about as often, and in order. */
TEST(some_responses_are_drawn_without_replacement)
{
    const struct object_response all[4] = {{1, 0}, {2, 1}, {4, 2}, {8, 3}};
    struct object_response some[2];
    uint32_t seen[16] = {0};
    struct rng r;
    rng_seed(&r, 2);
    for (int i = 0; i < 6000; i++) {
        object_responses_some(all, 4, 2, &r, some);
        assert_true(some[0].main < some[1].main);
        seen[some[0].selected | some[1].selected]++;
    }
    for (uint32_t mask = 0; mask < 16; mask++) {
        assert_true(__builtin_popcount(mask) == 2 ? seen[mask] > 850 && seen[mask] < 1150 : seen[mask] == 0);
    }
    object_responses_some(all, 4, 2, NULL, some);
    assert_int_equal(some[1].main, 1);
}

/* ---- people who see two or three objects ---- */

enum { MOST_PEOPLE = 15, OBJECTS_MOST = 3 };
#define SEES 0.9  /* an object */
#define RIVAL 0.2 /* calls it by its rival label */

/* Object o has the labels 2 o, which is right, and 2 o + 1. */
static void look(struct rng *r, uint32_t objects, struct object_response *out)
{
    do {
        *out = (struct object_response){0, OBJECT_NONE};
        for (uint32_t o = 0; o < objects; o++) {
            if (rng_unit(r) < SEES) {
                uint32_t label = 2 * o + (rng_unit(r) < RIVAL);
                out->selected |= UINT64_C(1) << label;
                out->main = out->main == OBJECT_NONE ? label : out->main;
            }
        }
    } while (out->selected == 0);
}

static uint64_t by_majority(const struct object_response *responses, uint32_t n, uint32_t labels)
{
    uint64_t chosen = 0;
    for (uint32_t l = 0; l < labels; l++) {
        uint32_t votes = 0;
        for (uint32_t i = 0; i < n; i++) {
            votes += (responses[i].selected >> l & 1) != 0;
        }
        chosen |= (uint64_t)(2 * votes > n) << l;
    }
    return chosen;
}

static uint64_t by_objects(const struct object_response *responses, uint32_t n, uint32_t labels, const uint32_t *of_class)
{
    struct objects_found f;
    uint64_t chosen = 0;
    objects_find(&(struct objects_ask){of_class, labels, responses, n, 1}, &f);
    for (uint32_t i = 0; i < f.n; i++) {
        chosen |= UINT64_C(1) << f.object[i].label;
    }
    return chosen;
}

/* Shares of images of which exactly the right labels are found, by how many people are asked. */
TEST(objects_are_recovered_where_a_majority_for_each_label_is_not)
{
    enum { IMAGES_OF_EACH = 4000 };
    struct rng r;
    rng_seed(&r, 9);
    for (uint32_t people = 3; people <= MOST_PEOPLE; people += 2) {
        uint32_t right = 0, majority = 0;
        for (uint32_t i = 0; i < IMAGES_OF_EACH; i++) {
            struct object_response responses[MOST_PEOPLE];
            uint32_t objects = 2 + i % 2, of_class[2 * OBJECTS_MOST] = {0, 1, 2, 3, 4, 5};
            uint64_t want = objects == 2 ? 0x5 : 0x15;
            rng_shuffle_u32(&r, of_class, 2 * objects);
            for (uint32_t p = 0; p < people; p++) {
                look(&r, objects, &responses[p]);
            }
            right += by_objects(responses, people, 2 * objects, of_class) == want;
            majority += by_majority(responses, people, 2 * objects) == want;
        }
        double share = (double)right / IMAGES_OF_EACH, plain = (double)majority / IMAGES_OF_EACH;
        print_message("%2u people: objects %.1f %%, a majority for each label %.1f %%\n", people, 100 * share, 100 * plain);
        assert_true(people != 9 || (share >= 0.85 && share >= plain + 0.05));
    }
}
