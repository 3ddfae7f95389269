/* class_facts_test.c - what sampling knows of a class: the same that the pool of all images has,
 * whatever was said about them; small cases by hand; what each bin has. */
#include "unit.h"

#include <string.h>

#include "base/rng.h"
#include "sets/pool/class_facts.h"
#include "sets/pool/pool.h"
#include "store/core/events.h"
#include "store/duplicates/near_pairs.h"
#include "store/duplicates/review_distances.h"
#include "store/work/flags.h"
#include "temp_project.h"
#include "world.h"

enum { CLASSES = 6, PER_CLASS = 14, IMAGES = CLASSES * PER_CLASS, ROUNDS = 6 };

struct scene {
    struct temp_project *t;
    struct tally *tally;
    struct rng r;
    int64_t classes[CLASSES], images[IMAGES];
};

static void need(struct temp_project *t, enum err_code rc)
{
    if (rc != OK) {
        fail_msg("%s: %s", t->err.rule, t->err.msg);
    }
}

static struct sv name_of(struct scene *s, unsigned number)
{
    static const char *const others[] = {"n01440764_18.JPEG", "ILSVRC2012_val_00000007.JPEG",
                                         "never-kept"};
    return number < IMAGES ? sv_of(arena_printf(&s->t->arena, "image-%u", number))
                           : sv_of(others[number % 3]);
}

static struct sv any_name(struct scene *s, unsigned outsiders)
{
    return name_of(s, (unsigned)rng_below(&s->r, IMAGES + outsiders));
}

/* Classes of originals, candidates and one reference; some of one photo, some of the same bytes. */
static void make_images(struct scene *s)
{
    for (unsigned i = 0; i < IMAGES; i++) {
        unsigned k = i / PER_CLASS, at = i % PER_CLASS;
        const char *role = at < 3 ? "original" : at == 3 ? "reference" : "candidate";
        if (at == 0) {
            s->classes[k] = world_class(s->t->db, k + 1);
        }
        s->images[i] = rng_below(&s->r, 8) == 0 ? world_image_of(s->t->db, i, s->classes[k], role,
                                                                 (unsigned char)rng_below(&s->r, 5))
                                                : world_image(s->t->db, i, s->classes[k], role);
        if (rng_below(&s->r, 6) == 0) {
            const char *photo =
                arena_printf(&s->t->arena, "photo-%u", (unsigned)rng_below(&s->r, 7));
            need(s->t, db_run(s->t->db, "UPDATE image SET source_id = ?1 WHERE id = ?2",
                              DB_VALS(db_str(photo), db_int(s->images[i])), &s->t->err));
        }
    }
}

/* Every class's candidates and originals on one grid, answered by some. */
static void vote(struct scene *s, int64_t campaign)
{
    for (unsigned k = 0; k < CLASSES; k++) {
        int64_t grid =
            world_grid(s->t->db, campaign, s->classes[k], &s->images[k * PER_CLASS], PER_CLASS);
        for (unsigned i = 0; i < 5; i++) {
            world_vote(s->t->db, campaign, grid, rng_u64(&s->r) & ((UINT64_C(1) << PER_CLASS) - 1),
                       false);
        }
    }
}

static void say_things(struct scene *s)
{
    bool added;
    struct db *db = s->t->db;
    for (int i = 0; i < 8; i++) {
        int64_t e = world_event(s->t->db, "test");
        struct sv a = any_name(s, 4), b = any_name(s, 4);
        if (!sv_eq(a, b)) {
            need(s->t, near_pairs_put(db, e, a, b, rng_below(&s->r, 4) > 0, &added, &s->t->err));
        }
        bool banned = rng_below(&s->r, 3) > 0;
        need(s->t, blacklist_put(db, e, any_name(s, 0), banned, banned ? SV("drawing") : SV(""),
                                 SV(""), &added, &s->t->err));
        struct review_distance_row d = {any_name(s, 0), SV("l2"),
                                        (double)rng_below(&s->r, 3) * 1.2e8, true};
        need(s->t, review_distances_put(db, e, &d, &added, &s->t->err));
    }
    need(s->t, near_keeps_put(db, world_event(db, "test"), any_name(s, 0), rng_below(&s->r, 2) > 0, &added,
                              &s->t->err));
    need(s->t, flags_decide(db, s->images[rng_below(&s->r, IMAGES)],
                            rng_below(&s->r, 2) ? SV("quarantine") : SV("clear"), SV("because"), 0,
                            WORLD_NOW, &s->t->err));
}

static void load_facts(struct scene *s, int64_t class_id, struct class_facts *out)
{
    struct class_facts_ask ask = {.class_id = class_id, .flags_to_quarantine = 3};
    need(s->t, tally_fold(s->tally, s->t->db, &s->t->err));
    need(s->t, class_facts_make(s->t->db, s->tally, &ask, &s->t->arena, out, &s->t->err));
}

static void assert_component(const struct class_facts *f, const struct class_fact *i,
                             const struct pool *p, uint32_t at)
{
    uint32_t number = p->duplicates.component[at];
    assert_int_equal(i->component == NEAR_NONE, number == NEAR_NONE);
    if (number == NEAR_NONE) {
        return;
    }
    const struct near_component *expected = &p->duplicates.components[number];
    const struct class_component *c = &f->components[i->component];
    assert_int_equal(c->n, expected->n);
    assert_int_equal(c->rule, expected->rule);
    for (uint32_t m = 0; m < c->n; m++) {
        uint32_t member = p->duplicates.members[expected->first + m];
        assert_true(sv_eq(c->members[m].name, p->name[member]));
        assert_int_equal(c->members[m].image, p->id[member]);
        assert_int_equal(c->members[m].original, p->near[member].original);
        assert_int_equal(c->members[m].out, p->duplicates.out[member]);
        assert_int_equal(c->survivor == m, expected->survivor == member);
    }
}

static void assert_class(struct scene *s, const struct pool *p, int64_t class_id)
{
    struct class_facts f;
    size_t of_class = 0;
    load_facts(s, class_id, &f);
    for (size_t i = 0; i < p->n; i++) {
        of_class += p->classes[p->sample[i].class_index].id == class_id;
    }
    assert_int_equal(f.n, of_class);
    for (size_t k = 0; k < f.n; k++) {
        const struct class_fact *i = &f.images[k];
        uint32_t at = pool_find(p, i->image);
        const struct sample_image *expected = &p->sample[at];
        assert_ptr_equal(class_facts_find(&f, i->image), i);
        assert_true(sv_eq(i->name, p->name[at]));
        assert_int_equal(i->original, expected->original);
        assert_int_equal(i->shown, expected->shown);
        assert_int_equal(i->selected, expected->selected);
        assert_int_equal(i->blacklisted, p->near[at].blacklisted);
        assert_int_equal(i->entry != NULL, i->blacklisted);
        assert_int_equal(i->near_duplicate, p->duplicates.out[at]);
        assert_int_equal(i->unreviewed, expected->unreviewed);
        assert_int_equal(i->unsearched, expected->unsearched);
        assert_int_equal(i->hidden, expected->hidden);
        assert_component(&f, i, p, at);
    }
    assert_null(class_facts_find(&f, 0));
    assert_null(class_facts_find(&f, UINT32_MAX));
}

/* The pool of everything is made from the same rules by other code: each class must agree with it.
 */
PROJECT_TEST(as_the_pool)
{
    struct scene s = {.t = *state, .tally = tally_new()};
    size_t duplicates = 0, larger = 0;
    rng_seed(&s.r, 20);
    need(s.t, db_tx_begin(s.t->db, &s.t->err)); /* a commit for each row would take seconds */
    make_images(&s);
    struct campaign terms = world_terms("main");
    int64_t campaign = world_campaign(s.t->db, &terms);
    need(s.t, db_tx_commit(s.t->db, &s.t->err));
    for (int round = 0; round < ROUNDS; round++) {
        struct pool p;
        struct pool_ask ask = {.flags_to_quarantine = 3};
        need(s.t, db_tx_begin(s.t->db, &s.t->err));
        say_things(&s);
        vote(&s, campaign);
        need(s.t, db_tx_commit(s.t->db, &s.t->err));
        need(s.t, tally_fold(s.tally, s.t->db, &s.t->err));
        need(s.t, pool_load(s.t->db, s.tally, &ask, &p, &s.t->err));
        for (int k = 0; k < CLASSES; k++) {
            assert_class(&s, &p, s.classes[k]);
        }
        duplicates += p.duplicates.n_out;
        for (size_t i = 0; i < p.duplicates.n_components; i++) {
            larger += p.duplicates.components[i].n > 2;
        }
        pool_release(&p);
    }
    assert_true(duplicates > 50 && larger > 10); /* or this test says nothing */
    tally_free(s.tally);
}

/* A class that has no image, and one whose images nobody spoke about. */
PROJECT_TEST(nothing_said)
{
    struct scene s = {.t = *state, .tally = tally_new()};
    struct class_facts f;
    struct class_bins b;
    int64_t one = world_class(s.t->db, 1), none = world_class(s.t->db, 2);
    world_image(s.t->db, 1, one, "candidate");
    world_image(s.t->db, 2, one, "gold");
    load_facts(&s, none, &f);
    assert_int_equal(f.n, 0);
    load_facts(&s, one, &f);
    assert_int_equal(f.n, 1);
    assert_int_equal(f.candidates, 1);
    assert_int_equal(f.originals, 0);
    assert_int_equal(f.images[0].component, NEAR_NONE);
    class_facts_bins(&f, 10, &b);
    assert_int_equal(b.measured, 0);
    assert_int_equal(b.excluded[SAMPLE_FEW_ASSIGNMENTS], 1);
    for (int i = 0; i < HISTOGRAM_BINS; i++) {
        assert_int_equal(b.bin[i].target + b.bin[i].valid + b.bin[i].shown, 0);
    }
    tally_free(s.tally);
}

/* Of two that show one photo the better one would stay, but it is taken down: the other is left. */
PROJECT_TEST(the_better_of_a_pair_is_taken_down)
{
    struct scene s = {.t = *state, .tally = tally_new()};
    struct class_facts f;
    struct campaign terms = world_terms("main");
    int64_t campaign = world_campaign(s.t->db, &terms), event = 0, images[2];
    bool added;
    int64_t k = world_class(s.t->db, 1);
    images[0] = world_image(s.t->db, 1, k, "candidate");
    images[1] = world_image(s.t->db, 2, k, "candidate");
    world_vote(s.t->db, campaign, world_grid(s.t->db, campaign, k, images, 2), 1, false);
    need(s.t, events_add(s.t->db, WORLD_NOW, 0, "test", 0, NULL, &event, &s.t->err));
    need(s.t,
         near_pairs_put(s.t->db, event, SV("image-1"), SV("image-2"), true, &added, &s.t->err));
    load_facts(&s, k, &f);
    assert_true(!f.images[0].near_duplicate && f.images[1].near_duplicate);
    need(s.t, flags_decide(s.t->db, images[0], SV("takedown"), SV("x"), 0, WORLD_NOW, &s.t->err));
    load_facts(&s, k, &f);
    assert_true(f.images[0].hidden && f.images[0].near_duplicate && !f.images[0].blacklisted);
    assert_true(!f.images[1].hidden && !f.images[1].near_duplicate);
    assert_int_equal(f.components[f.images[0].component].survivor, 1);
    assert_int_equal(f.hidden, 1);
    tally_free(s.tally);
}

/* Each candidate of this row is in the way of sampling by one thing, the last by none; two bins. */
TEST(bins)
{
    struct class_fact list[] = {
        {.image = 1, .original = true, .shown = 10, .selected = 9},
        {.image = 2, .original = true, .shown = 20, .selected = 10},
        {.image = 3,
         .original = true,
         .shown = 9,
         .selected = 0}, /* too few answers to be measured */
        {.image = 4, .shown = 10, .selected = 10, .blacklisted = true, .near_duplicate = true},
        {.image = 5, .shown = 9, .selected = 9},
        {.image = 6, .shown = 10, .selected = 10, .near_duplicate = true},
        {.image = 7, .shown = 10, .selected = 10, .unreviewed = true},
        {.image = 8, .shown = 10, .selected = 10, .hidden = true},
        {.image = 9, .shown = 0},
        {.image = 10, .shown = 10, .selected = 5},
    };
    struct class_facts f = {.images = list, .n = sizeof list / sizeof *list};
    struct class_bins b;
    class_facts_bins(&f, 10, &b);
    assert_int_equal(b.measured, 2);
    assert_true(b.mean > 0.7 - 1e-12 && b.mean < 0.7 + 1e-12);
    assert_int_equal(b.bin[2].originals, 1);
    assert_int_equal(b.bin[4].originals, 1);
    assert_int_equal(b.bin[2].target, 5);
    assert_int_equal(b.bin[4].target, 5);
    assert_int_equal(b.bin[2].valid, 1);
    assert_int_equal(b.bin[4].valid, 0);
    assert_int_equal(b.bin[4].unreviewed, 1);
    assert_int_equal(b.bin[4].shown, 5);
    assert_int_equal(b.bin[0].shown, 0);
    assert_int_equal(b.valid, 1);
    assert_int_equal(b.excluded[SAMPLE_BLACKLISTED], 1);
    assert_int_equal(b.excluded[SAMPLE_FEW_ASSIGNMENTS], 2);
    assert_int_equal(b.excluded[SAMPLE_NEAR_DUPLICATE], 1);
    assert_int_equal(b.excluded[SAMPLE_UNREVIEWED], 1);
    assert_int_equal(b.excluded[SAMPLE_HIDDEN], 1);
}
