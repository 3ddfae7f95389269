/* pool_test.c - what a pool knows of every image, as of which event, and that its digests change
 * with their input and with nothing else. How it agrees with what is known of one class:
 * class_facts_test.c. */
#include "unit.h"

#include <string.h>

#include "sets/sample_world.h"
#include "store/duplicates/near_metrics.h"
#include "store/duplicates/near_pairs.h"
#include "store/duplicates/review_distances.h"
#include "store/sets/picks.h"
#include "store/work/flags.h"
#include "world.h"

enum { N = 4 };

struct scene {
    struct sample_world w;
    int64_t first, second, candidates[N], others[N], originals[N], reference;
};

/* Classes in the order of their wnids are not in the order of their ids: class 2 comes first. */
static void open_scene(struct scene *s, struct temp_project *t)
{
    const unsigned selected[N] = {0, 3, 7, 10}, less[N] = {1, 1, 2, 2};
    sample_world_open(&s->w, t);
    s->second = world_class(t->db, 2);
    s->first = world_class(t->db, 1);
    sample_world_images(&s->w, s->first, "candidate", selected, N, 10, s->candidates);
    sample_world_images(&s->w, s->second, "candidate", less, N, 2, s->others);
    sample_world_images(&s->w, s->first, "reference", less, 1, 0, &s->reference);
    sample_world_images(&s->w, s->first, "original", selected, N, 10, s->originals);
}

static const struct sample_image *sample_of(const struct pool *p, int64_t image)
{
    uint32_t at = pool_find(p, (uint32_t)image);
    assert_true(at < p->n && p->sample[at].image == image && p->id[at] == image);
    return &p->sample[at];
}

PROJECT_TEST(images_and_votes)
{
    struct scene s;
    struct pool p;
    open_scene(&s, *state);
    sample_world_pool(&s.w, &(struct pool_ask){0}, &p);
    assert_true(p.n == 3 * N && p.n_near == 3 * N + 1 && p.n_classes == 2);
    assert_true(p.classes[0].id == s.first && p.classes[1].id == s.second);
    assert_true(pool_class(&p, s.second) == 1 && pool_class(&p, 99) == MAP_NONE);
    assert_true(pool_find(&p, (uint32_t)s.reference) == MAP_NONE && pool_find(&p, 0) == MAP_NONE);
    const struct sample_image *i = sample_of(&p, s.candidates[2]);
    assert_true(i->shown == 10 && i->selected == 7 && i->class_index == 0 && !i->original);
    i = sample_of(&p, s.others[0]);
    assert_true(i->shown == 2 && i->selected == 1 && i->class_index == 1);
    i = sample_of(&p, s.originals[1]);
    assert_true(i->original && i->selected == 3);
    uint32_t reference = pool_name(&p, sample_world_name(&s.w, s.reference));
    assert_true(reference >= p.n && p.near[reference].original && p.id[reference] == s.reference);
    for (size_t k = 0; k < p.n_near; k++) {
        assert_true(p.near[p.by_name[k]].rank == k &&
                    pool_name(&p, p.name[p.by_name[k]]) == p.by_name[k]);
        assert_true(k == 0 || sv_cmp(p.name[p.by_name[k - 1]], p.name[p.by_name[k]]) < 0);
    }
    assert_true(pool_name(&p, SV("nobody")) == MAP_NONE);
    assert_int_equal(p.newest_image, s.originals[N - 1]);
    assert_int_equal(p.as_of, temp_int(s.w.t, "SELECT max(id) FROM event"));
    pool_release(&p);
    sample_world_close(&s.w);
}

/* A training image that only a pair names is an original; another name that nobody knows says
 * nothing. */
PROJECT_TEST(pairs_of_names)
{
    struct scene s;
    struct pool p;
    open_scene(&s, *state);
    struct temp_project *t = s.w.t;
    sample_world_pair(&s.w, sample_world_name(&s.w, s.candidates[3]), SV("n01440764_18.JPEG"));
    sample_world_pair(&s.w, sample_world_name(&s.w, s.candidates[2]), SV("never-kept"));
    sample_world_pair(&s.w, sample_world_name(&s.w, s.candidates[0]),
                      sample_world_name(&s.w, s.reference));
    int64_t twin = world_image_of(t->db, 50, s.first, "candidate", 7);
    int64_t other = world_image_of(t->db, 51, s.second, "candidate", 7);
    sample_world_pool(&s.w, &(struct pool_ask){0}, &p);
    uint32_t outsider = pool_name(&p, SV("n01440764_18.JPEG"));
    assert_true(outsider == p.n_near - 1 && p.id[outsider] == 0 && p.near[outsider].original);
    assert_true(sample_of(&p, s.candidates[3])->near_duplicate &&
                sample_of(&p, s.candidates[0])->near_duplicate);
    assert_false(sample_of(&p, s.candidates[2])->near_duplicate);
    assert_int_equal(p.duplicates.n_unknown, 1);
    /* Equal bytes: one of the two stays. */
    assert_true(sample_of(&p, twin)->near_duplicate != sample_of(&p, other)->near_duplicate);
    pool_release(&p);
    sample_world_close(&s.w);
}

static void decide(struct scene *s, int64_t image, const char *decision)
{
    sample_world_need(&s->w, flags_decide(s->w.t->db, image, sv_of(decision), SV("x"), 0, WORLD_NOW,
                                          &s->w.t->err));
}

PROJECT_TEST(decisions)
{
    struct scene s;
    struct pool p;
    bool added;
    open_scene(&s, *state);
    struct temp_project *t = s.w.t;
    sample_world_ban(&s.w, s.candidates[0]);
    const struct review_distance_row far = {sample_world_name(&s.w, s.candidates[1]), SV("l2"), 2e8,
                                            true},
                                     near = {sample_world_name(&s.w, s.candidates[2]), SV("dssim"),
                                             .2205, true};
    sample_world_need(&s.w,
                      review_distances_put(t->db, sample_world_event(&s.w), &far, &added, &t->err));
    sample_world_need(
        &s.w, review_distances_put(t->db, sample_world_event(&s.w), &near, &added, &t->err));
    decide(&s, s.others[0], "takedown");
    /* Of two that show one photo the better one would stay, but it is hidden. */
    decide(&s, s.others[2], "quarantine");
    sample_world_pair(&s.w, sample_world_name(&s.w, s.others[2]),
                      sample_world_name(&s.w, s.others[1]));
    const struct pick_row pick = {.name = sample_world_name(&s.w, s.others[3]),
                                  .stage = PICK_PICKED};
    size_t picked = 0;
    sample_world_need(
        &s.w, picks_write(t->db, &pick, 1, "picks.import", 0, 0, WORLD_NOW, &picked, &t->err));
    sample_world_pool(&s.w, &(struct pool_ask){.picked_only = true}, &p);
    assert_true(sample_of(&p, s.candidates[0])->blacklisted && p.gate.metric[REVIEW_L2].enabled &&
                p.gate.metric[REVIEW_DSSIM].enabled && !p.gate.metric[REVIEW_FC7].enabled);
    assert_false(sample_of(&p, s.candidates[1])->unreviewed);
    assert_true(sample_of(&p, s.candidates[2])->unreviewed); /* equal to the target is not enough */
    assert_true(sample_of(&p, s.others[0])->hidden && sample_of(&p, s.others[2])->hidden);
    assert_true(sample_of(&p, s.others[2])->near_duplicate &&
                !sample_of(&p, s.others[1])->near_duplicate);
    assert_false(p.near[pool_find(&p, (uint32_t)s.others[2])].blacklisted);
    assert_true(sample_of(&p, s.others[1])->not_picked && !sample_of(&p, s.others[3])->not_picked);
    assert_false(sample_of(&p, s.originals[0])->not_picked);
    pool_release(&p);
    /* Other targets. */
    const struct pool_ask farther = {.targets = {{"l2", 3e8}, {"fc7", 1}, {"dssim", .1}}, .n_targets = 3};
    sample_world_pool(&s.w, &farther, &p);
    assert_true(sample_of(&p, s.candidates[1])->unreviewed &&
                !sample_of(&p, s.candidates[2])->unreviewed);
    assert_false(sample_of(&p, s.others[1])->not_picked);
    pool_release(&p);
    sample_world_close(&s.w);
}

static void put_distance(struct scene *s, int64_t image, double distance)
{
    bool added;
    const struct review_distance_row r = {sample_world_name(&s->w, image), SV("l2"), distance, true};
    sample_world_need(&s->w, review_distances_put(s->w.t->db, sample_world_event(&s->w), &r, &added,
                                                  &s->w.t->err));
}

/* Candidates that are refused because an enabled metric never searched them. */
static size_t unsearched(struct scene *s, const struct pool_ask *ask)
{
    struct pool p;
    size_t n = 0;
    sample_world_pool(&s->w, ask, &p);
    for (size_t i = 0; i < p.n; i++) {
        n += p.sample[i].unsearched;
        assert_false(p.sample[i].original && p.sample[i].unsearched);
    }
    pool_release(&p);
    return n;
}

/* Once a metric is enabled, who was never searched by it is refused, and who came later; earlier pools
 * stay as they were. */
PROJECT_TEST(searched_or_refused)
{
    struct scene s;
    struct pool was, now;
    bool changed;
    int64_t later[2];
    open_scene(&s, *state);
    struct temp_project *t = s.w.t;
    sample_world_pool(&s.w, &(struct pool_ask){0}, &was);
    const struct pool_ask then = {.as_of = was.as_of, .newest_image = was.newest_image};
    assert_int_equal(unsearched(&s, &then), 0);
    put_distance(&s, s.candidates[0], 1e9);
    put_distance(&s, s.candidates[1], 1);
    assert_int_equal(unsearched(&s, &(struct pool_ask){0}), 2 * N - 2);
    sample_world_need(&s.w, near_metrics_cover(t->db, 1 << REVIEW_FC7, 5, &changed, &t->err));
    assert_true(changed);
    assert_int_equal(unsearched(&s, &(struct pool_ask){0}), 0);
    struct pool_ask covered = {.as_of = temp_int(t, "SELECT max(id) FROM event"),
                               .newest_image = was.newest_image};
    sample_world_need(&s.w, near_metrics_cover(t->db, 1 << REVIEW_FC7, 5, &changed, &t->err));
    assert_false(changed);
    sample_world_images(&s.w, s.first, "candidate", (const unsigned[]){1, 1}, 2, 1, later);
    assert_int_equal(unsearched(&s, &(struct pool_ask){0}), 2);
    put_distance(&s, later[0], 1e9); /* by l2 alone, and fc7 is enabled too */
    assert_int_equal(unsearched(&s, &(struct pool_ask){0}), 2);
    assert_int_equal(unsearched(&s, &covered), 0);
    sample_world_need(&s.w, near_metrics_cover(t->db, 0, 5, &changed, &t->err));
    assert_int_equal(unsearched(&s, &(struct pool_ask){0}), 0);
    covered.as_of--; /* before the declaration, after the distances */
    assert_int_equal(unsearched(&s, &covered), 2 * N - 2);
    sample_world_pool(&s.w, &then, &now);
    assert_memory_equal(now.digest, was.digest, sizeof was.digest);
    pool_release(&now);
    /* Only what is refused moves the digest. */
    struct pool_ask after = {.as_of = covered.as_of + 1, .newest_image = was.newest_image};
    struct pool open, closed;
    sample_world_pool(&s.w, &after, &open);
    sample_world_pool(&s.w, &covered, &closed);
    assert_memory_not_equal(open.digest[POOL_REVIEWS], closed.digest[POOL_REVIEWS], CRYPTO_HASH);
    assert_memory_equal(open.digest[POOL_IMAGES], closed.digest[POOL_IMAGES], CRYPTO_HASH);
    pool_release(&open);
    pool_release(&closed);
    pool_release(&was);
    sample_world_close(&s.w);
}

static unsigned differences(const struct pool *a, const struct pool *b)
{
    unsigned bits = 0;
    for (int k = 0; k < POOL_INPUTS; k++) {
        bits |= (unsigned)(memcmp(a->digest[k], b->digest[k], CRYPTO_HASH) != 0) << k;
    }
    return bits;
}

static unsigned changed_since(struct scene *s, const struct pool *was)
{
    struct pool p;
    sample_world_pool(&s->w, &(struct pool_ask){0}, &p);
    unsigned bits = differences(was, &p);
    pool_release(&p);
    return bits;
}

/* After everything the pool as of then is what it was; each input moves its own digest alone. */
PROJECT_TEST(as_of_and_digests)
{
    struct scene s;
    struct pool was, now;
    bool added;
    int64_t later[2];
    open_scene(&s, *state);
    struct temp_project *t = s.w.t;
    sample_world_pool(&s.w, &(struct pool_ask){0}, &was);
    struct pool_ask then = {
        .as_of = was.as_of, .newest_image = was.newest_image, .view_version = was.view.id};
    assert_int_equal(changed_since(&s, &was), 0);
    sample_world_ban(&s.w, s.candidates[1]);
    assert_int_equal(changed_since(&s, &was), 1 << POOL_BLACKLIST);
    sample_world_pair(&s.w, sample_world_name(&s.w, s.candidates[3]),
                      SV("ILSVRC2012_val_00000001.JPEG"));
    assert_int_equal(changed_since(&s, &was), 1 << POOL_BLACKLIST | 1 << POOL_NEAR_DUPLICATES);
    const struct review_distance_row r = {sample_world_name(&s.w, s.candidates[3]), SV("fc7"), 0,
                                          false};
    sample_world_need(&s.w,
                      review_distances_put(t->db, sample_world_event(&s.w), &r, &added, &t->err));
    world_vote(t->db, s.w.campaign, temp_int(t, "SELECT min(id) FROM grid"), 1, false);
    decide(&s, s.others[0], "takedown");
    sample_world_images(&s.w, s.first, "candidate", (const unsigned[]){1, 1}, 2, 1, later);
    assert_int_equal(changed_since(&s, &was), 1 << POOL_IMAGES | 1 << POOL_VOTES |
                                                  1 << POOL_BLACKLIST | 1 << POOL_NEAR_DUPLICATES |
                                                  1 << POOL_REVIEWS);
    sample_world_pool(&s.w, &then, &now);
    assert_int_equal(differences(&was, &now), 0);
    assert_true(now.n == was.n && now.as_of == was.as_of && now.newest_image == was.newest_image);
    assert_memory_equal(now.sample, was.sample, was.n * sizeof *was.sample);
    pool_release(&now);
    pool_release(&was);
    sample_world_close(&s.w);
}

/* The tally itself goes back only so far; then the votes are counted anew, under any view. */
PROJECT_TEST(another_view)
{
    struct scene s;
    struct pool p;
    int64_t id = 0;
    open_scene(&s, *state);
    struct temp_project *t = s.w.t;
    struct vote_view v = {.name = SV("early"),
                          .description = SV("x"),
                          .kinds = SV("main"),
                          .as_of = temp_int(t, "SELECT min(id) + 4 FROM answer")};
    sample_world_need(&s.w, views_create(t->db, &v, 0, WORLD_NOW, &id, &t->err));
    sample_world_pool(&s.w, &(struct pool_ask){.view = SV("early")}, &p);
    int64_t counted =
        temp_int(t, "SELECT count(*) FROM answer WHERE id <= (SELECT min(id) + 4 FROM answer)");
    assert_true(counted > 0 && counted < 10);
    assert_int_equal(sample_of(&p, s.candidates[3])->shown, counted);
    assert_int_equal(sample_of(&p, s.others[3])->shown, 0);
    assert_int_equal(p.view.id, id);
    pool_release(&p);
    for (int64_t i = 0, later; i < 101;
         i++) { /* its version is found behind any number of others */
        v.description = i % 2 ? SV("y") : SV("z");
        sample_world_need(&s.w, views_create(t->db, &v, 0, WORLD_NOW, &later, &t->err));
    }
    sample_world_pool(&s.w, &(struct pool_ask){.view = SV("early"), .view_version = id}, &p);
    assert_true(p.view.id == id && sv_is(p.view.description, "x"));
    pool_release(&p);
    sample_world_need(&s.w, tally_fold(s.w.tally, t->db, &t->err));
    assert_int_equal(
        pool_load(t->db, s.w.tally, &(struct pool_ask){.view = SV("nobody")}, &p, &t->err),
        ERR_NOT_FOUND);
    pool_release(&p);
    temp_clear(t, ERR_NOT_FOUND, "no-view");
    assert_int_equal(
        pool_load(t->db, s.w.tally, &(struct pool_ask){.view_version = 99}, &p, &t->err),
        ERR_NOT_FOUND);
    pool_release(&p);
    temp_clear(t, ERR_NOT_FOUND, "no-view");
    assert_int_equal(pool_load(t->db, s.w.tally, &(struct pool_ask){.parent = 99}, &p, &t->err),
                     ERR_NOT_FOUND);
    pool_release(&p);
    temp_clear(t, ERR_NOT_FOUND, "set");
    sample_world_close(&s.w);
}

PROJECT_TEST(keywords)
{
    struct scene s;
    struct pool p;
    open_scene(&s, *state);
    struct db *db = s.w.t->db;
    sample_world_need(
        &s.w,
        db_script(db, "UPDATE image SET keyword = CASE id % 3 WHEN 0 THEN 'b' WHEN 1 THEN 'a' END",
                  &s.w.t->err));
    sample_world_pool(&s.w, &(struct pool_ask){.keywords = true}, &p);
    assert_true(p.n_keywords == 2 && sv_is(p.keywords[0], "a") && sv_is(p.keywords[1], "b"));
    for (size_t i = 0; i < p.n; i++) {
        uint32_t want = p.id[i] % 3 == 0 ? 1 : p.id[i] % 3 == 1 ? 0 : SAMPLE_UNKNOWN;
        assert_int_equal(p.sample[i].keyword, want);
    }
    pool_release(&p);
    sample_world_close(&s.w);
}

/* Classes are numbered in order of their wnids: a later one would move the others. */
PROJECT_TEST(classes_as_of)
{
    struct scene s;
    struct pool was, now;
    open_scene(&s, *state);
    sample_world_pool(&s.w, &(struct pool_ask){0}, &was);
    assert_int_equal(was.newest_class, s.first);
    int64_t later = world_class(s.w.t->db, 0),
            image = world_image(s.w.t->db, 70, later, "original");
    sample_world_pool(&s.w, &(struct pool_ask){.newest_class = was.newest_class}, &now);
    assert_true(now.n_classes == 2 && now.newest_class == s.first && now.n == was.n);
    assert_true(pool_find(&now, (uint32_t)image) == MAP_NONE &&
                pool_class(&now, later) == MAP_NONE);
    assert_int_equal(differences(&was, &now), 0);
    pool_release(&now);
    sample_world_pool(&s.w, &(struct pool_ask){0}, &now);
    assert_true(now.n_classes == 3 && now.newest_class == later && now.n == was.n + 1);
    assert_true(differences(&was, &now) & 1 << POOL_IMAGES);
    pool_release(&now);
    pool_release(&was);
    sample_world_close(&s.w);
}

static unsigned changed_by(struct scene *s, const struct pool_ask *ask, const char *sql)
{
    struct pool was, now;
    sample_world_pool(&s->w, ask, &was);
    sample_world_need(&s->w, db_script(s->w.t->db, sql, &s->w.t->err));
    sample_world_pool(&s->w, ask, &now);
    unsigned bits = differences(&was, &now);
    pool_release(&now);
    pool_release(&was);
    return bits;
}

/* What is in a row without an event is in the digest, where it is looked at. */
PROJECT_TEST(completed_later)
{
    const struct pool_ask usual = {0}, authors = {.uploader_most = 1}, days = {.event_most = 1},
                          keys = {.keywords = true};
    const unsigned images = 1 << POOL_IMAGES, both = images | 1 << POOL_NEAR_DUPLICATES;
    struct scene s;
    open_scene(&s, *state);
    const char *author = "UPDATE image SET author = author || 'x'",
               *hour = "UPDATE image SET taken_at = '2013-07-01 1' || (id % 5) || ':00:00'",
               *day = "UPDATE image SET taken_at = '2013-07-02' WHERE id = 1",
               *keyword = "UPDATE image SET keyword = keyword || 'x' WHERE id = 1";
    sample_world_need(
        &s.w, db_script(s.w.t->db, "UPDATE image SET author = '', keyword = ''", &s.w.t->err));
    assert_int_equal(changed_by(&s, &usual, author), 0);
    assert_int_equal(changed_by(&s, &authors, author), images);
    assert_int_equal(changed_by(&s, &days, author), images);
    assert_int_equal(changed_by(&s, &keys, author), 0);
    assert_int_equal(changed_by(&s, &days, hour), images);
    assert_int_equal(changed_by(&s, &days, "UPDATE image SET taken_at = '2013-07-01'"), 0);
    assert_int_equal(changed_by(&s, &authors, day), 0);
    assert_int_equal(changed_by(&s, &usual, hour), 0);
    assert_int_equal(changed_by(&s, &days, day), images);
    assert_int_equal(changed_by(&s, &usual, keyword), 0);
    assert_int_equal(changed_by(&s, &keys, keyword), images);
    /* A photo of one image alone makes no difference, one of two does. */
    assert_int_equal(
        changed_by(&s, &usual, "UPDATE image SET source_id = 'p' || id WHERE source_id IS NULL"),
        0);
    assert_int_equal(changed_by(&s, &usual, "UPDATE image SET source_id = 'p' WHERE id < 3"), both);
    /* Neither stays the one that it was of, but the pair is the same. */
    assert_int_equal(changed_by(&s, &usual, "UPDATE image SET source_id = 'q' WHERE id < 3"), 0);
    /* Two that were near-duplicates already, now by their bytes too. */
    world_image_of(s.w.t->db, 60, s.first, "reference", 9);
    assert_int_equal(
        changed_by(&s, &usual,
                   "UPDATE image SET source = (SELECT max(id) FROM source) WHERE id = 1"),
        both);
    assert_int_equal(
        changed_by(&s, &usual,
                   "UPDATE image SET source = (SELECT max(id) FROM source) WHERE id = 2"),
        images);
    sample_world_close(&s.w);
}

PROJECT_TEST(an_empty_project)
{
    struct sample_world w;
    struct pool p;
    sample_world_open(&w, *state);
    /* A tally without a single event is one that is being made again. */
    assert_int_equal(pool_load(w.t->db, w.tally, &(struct pool_ask){0}, &p, &w.t->err), ERR_BUSY);
    pool_release(&p);
    temp_clear(w.t, ERR_BUSY, "counters-rebuilt");
    sample_world_pool(&w, &(struct pool_ask){0}, &p);
    assert_true(p.n == 0 && p.n_near == 0 && p.n_classes == 0 && p.as_of > 0);
    assert_true(pool_find(&p, 1) == MAP_NONE && pool_name(&p, SV("x")) == MAP_NONE);
    pool_release(&p);
    sample_world_close(&w);
}
