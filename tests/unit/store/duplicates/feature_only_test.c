/* feature_only_test.c - images of which only features are known: whose, since when, and what candidates wait for. */
#include "unit.h"

#include "store/core/events.h"
#include "store/duplicates/feature_only.h"
#include "store/duplicates/match_images.h"
#include "store/duplicates/near_review.h"
#include "store/duplicates/near_searches.h"
#include "store/duplicates/near_space.h"
#include "temp_project.h"
#include "world.h"

static int64_t event(struct temp_project *t)
{
    int64_t id = 0;
    assert_int_equal(events_add(t->db, WORLD_NOW, 0, "said", 0, NULL, &id, &t->err), OK);
    return id;
}

/* A model with features of one image, as if computed. */
static int64_t model(struct temp_project *t, const char *name)
{
    int64_t id = event(t), source = event(t);
    assert_int_equal(db_run(t->db, "INSERT INTO model (id, name, kind) VALUES (?1, ?2, 'import')",
                            DB_VALS(db_int(id), db_str(name)), &t->err), OK);
    assert_int_equal(db_run(t->db, "INSERT INTO feature_source VALUES (?1, ?2, 'f', 1, 'e', '{}', randomblob(32))",
                            DB_VALS(db_int(source), db_int(id)), &t->err), OK);
    assert_int_equal(db_run(t->db, "INSERT INTO feature_block (source, first, records, images) VALUES (?1, 0, 1, x'01000000')",
                            DB_VALS(db_int(source)), &t->err), OK);
    return id;
}

/* The images came with features of the model, in one import, whose event comes back. */
static int64_t bring(struct temp_project *t, int64_t of, int64_t first, int64_t last)
{
    assert_int_equal(db_tx_begin(t->db, &t->err), OK);
    int64_t e = event(t);
    for (int64_t i = first; i <= last; i++) {
        assert_int_equal(feature_only_put(t->db, of, i, e, &t->err), OK);
    }
    assert_int_equal(db_tx_commit(t->db, &t->err), OK);
    return e;
}

static void listed(struct temp_project *t, const char *of, int64_t as_of, uint32_t first, size_t n)
{
    uint32_t *images;
    size_t found = 0;
    assert_int_equal(feature_only_list(t->db, of, as_of, &t->arena, &images, &found, &t->err), OK);
    assert_int_equal(found, n);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(images[i], first + i);
    }
}

static enum err_code take(void *arg, const struct match_image *m, struct err *err)
{
    int64_t *sum = arg;
    (void)err;
    assert_true(m->original && m->source == 0 && m->sha256.n == 0 && m->training == (m->image % 2 == 1) && m->training != m->example);
    *sum = *sum * 100 + m->image;
    return OK;
}

PROJECT_TEST(of_which_model_and_since_when)
{
    struct temp_project *t = *state;
    int64_t class_id = world_class(t->db, 1), sum = 0;
    bool has;
    for (unsigned i = 1; i <= 6; i++) {
        world_image(t->db, i, class_id, i % 2 ? "training" : "reference");
    }
    int64_t a = model(t, "a"), b = model(t, "b");
    listed(t, "a", 0, 0, 0);
    int64_t first = bring(t, a, 4, 5), second = bring(t, a, 3, 5);
    bring(t, b, 6, 6);
    listed(t, "a", 0, 3, 3);
    listed(t, "a", second - 1, 4, 2); /* what was there stays of its first import */
    listed(t, "a", first - 1, 0, 0);
    listed(t, "b", 0, 6, 1);
    listed(t, "none", 0, 0, 0);
    assert_int_equal(feature_only_has(t->db, 6, &has, &t->err), OK);
    assert_true(has);
    assert_int_equal(feature_only_has(t->db, 2, &has, &t->err), OK);
    assert_false(has);
    assert_int_equal(match_images_feature_only(t->db, take, &sum, &t->err), OK);
    assert_int_equal(sum, 3040506);
    /* Who is given pixels is compared by them, and still as features. */
    assert_int_equal(db_run(t->db, "INSERT INTO source (sha256, bytes, type, width, height) VALUES (randomblob(32), 1, 'png', 1, ?1)",
                            DB_VALS(db_int(1)), &t->err), OK);
    assert_int_equal(db_run(t->db, "UPDATE image SET source = (SELECT max(id) FROM source) WHERE id = ?1", DB_VALS(db_int(4)), &t->err), OK);
    sum = 0;
    assert_int_equal(match_images_feature_only(t->db, take, &sum, &t->err), OK);
    assert_int_equal(sum, 30506);
    listed(t, "a", 0, 3, 3);
}

static struct ranges numbers(struct temp_project *t, uint32_t first, uint32_t last)
{
    struct ranges_build b = {0};
    for (uint32_t i = first; i <= last; i++) {
        ranges_add(&b, &t->arena, i);
    }
    return b.ranges;
}

/* A whole search of images 3 and 4 among those from `first` on. */
static void search(struct temp_project *t, const struct review_metric *m, uint32_t first, uint32_t last)
{
    struct near_search s = {.k = 1, .within = 2, .metric = sv_of(m->name), .engine = SV(NEAR_ENGINE), .queries = numbers(t, 3, 4),
                            .refs = numbers(t, first, last)};
    assert_int_equal(near_space(t->db, m, 0, &t->arena, &s.space, &t->err), OK);
    assert_int_equal(db_tx_begin(t->db, &t->err), OK);
    assert_int_equal(near_searches_put(t->db, &s, 0, WORLD_NOW, &t->err), OK);
    assert_int_equal(near_searches_end(t->db, s.id, 0, WORLD_NOW, &t->err), OK);
    assert_int_equal(db_tx_commit(t->db, &t->err), OK);
}

/* How many queries each metric covers: by pixels, by features of a, by those of b. */
static void covered(struct temp_project *t, const struct review_gate *gate, int64_t as_of, uint32_t pixels, uint32_t a, uint32_t b)
{
    static const uint32_t originals[] = {1, 2};
    struct near_covered out[REVIEW_METRICS_MOST];
    assert_int_equal(near_review_covered(t->db, gate, as_of, originals, 2, &t->arena, out, &t->err), OK);
    assert_int_equal(out[0].queries.numbers, pixels);
    assert_int_equal(out[1].queries.numbers, a);
    assert_int_equal(out[2].queries.numbers, b);
}

PROJECT_TEST(candidates_wait_for_them_by_features_of_that_model)
{
    struct temp_project *t = *state;
    struct review_gate gate = {.n = 3, .metric = {{.name = "pixels", .kind = NEAR_L2, .side = 8, .threshold = 1},
                                                  {.name = "deep-a", .kind = NEAR_FEATURE, .model = "a", .threshold = 1},
                                                  {.name = "deep-b", .kind = NEAR_FEATURE, .model = "b", .threshold = 1}}};
    int64_t class_id = world_class(t->db, 1);
    for (unsigned i = 1; i <= 6; i++) {
        world_image(t->db, i, class_id, i <= 2 ? "original" : i <= 4 ? "candidate" : "training");
    }
    int64_t a = model(t, "a");
    model(t, "b");
    for (size_t m = 0; m < gate.n; m++) {
        search(t, &gate.metric[m], 1, 4);
    }
    int64_t before = event(t);
    covered(t, &gate, 0, 2, 2, 2);
    bring(t, a, 5, 6);
    covered(t, &gate, 0, 2, 0, 2);
    covered(t, &gate, before, 2, 2, 2);
    search(t, &gate.metric[1], 5, 5);
    covered(t, &gate, 0, 2, 0, 2);
    search(t, &gate.metric[1], 6, 6);
    covered(t, &gate, 0, 2, 2, 2);
}
