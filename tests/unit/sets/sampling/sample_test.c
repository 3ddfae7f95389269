/* sample_test.c - from a request to a plan, a revision with what is on record about it, and the
 * same revision again. */
#include "unit.h"

#include <string.h>

#include "sets/sample_world.h"
#include "sets/sampling/sample.h"
#include "store/core/events.h"
#include "store/review/class_reviews.h"
#include "store/work/flags.h"
#include "world.h"

enum { N = 6 };

struct scene {
    struct sample_world w;
    int64_t classes[2], images[2][N];
};

/* Candidate j of either class was selected in 5 + j of 10 answers. */
static void open_scene(struct scene *s, struct temp_project *t)
{
    const unsigned selected[N] = {5, 6, 7, 8, 9, 10};
    sample_world_open(&s->w, t);
    for (unsigned k = 0; k < 2; k++) {
        s->classes[k] = world_class(t->db, k + 1);
        sample_world_images(&s->w, s->classes[k], "candidate", selected, N, 10, s->images[k]);
    }
}

static struct sample_ask top(const char *parent)
{
    struct sample_ask ask = {
        .rules = sample_rules_usual(SAMPLE_TOP), .set = SV("s"), .parent = sv_of(parent)};
    ask.rules.size = 3;
    return ask;
}

static enum err_code try_sample(struct scene *s, const struct sample_ask *ask, int64_t *id)
{
    struct temp_project *t = s->w.t;
    struct sample_job job;
    sample_world_need(&s->w, tally_fold(s->w.tally, t->db, &t->err));
    enum err_code rc = sample_make_plan(t->db, s->w.tally, ask, &job, &t->err);
    rc = rc == OK ? sample_write(t->db, true, &job, 0, WORLD_NOW, id, &t->err) : rc;
    sample_release(&job);
    return rc;
}

static int64_t sample(struct scene *s, const struct sample_ask *ask)
{
    int64_t id = 0;
    sample_world_need(&s->w, try_sample(s, ask, &id));
    return id;
}

/* Whether the revision has exactly these images. */
static void assert_images(struct scene *s, int64_t id, const int64_t *want, size_t n)
{
    struct temp_project *t = s->w.t;
    struct revision_image *list;
    size_t m = 0, found = 0;
    sample_world_need(&s->w, revisions_images(t->db, id, &t->arena, &list, &m, &t->err));
    assert_int_equal(m, n);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < m; j++) {
            found += list[j].image == want[i];
        }
    }
    assert_int_equal(found, n);
}

PROJECT_TEST(a_revision_on_record)
{
    struct scene s;
    struct revision_facts f;
    struct revision_row r;
    open_scene(&s, *state);
    struct temp_project *t = s.w.t;
    struct sample_ask ask = top("");
    int64_t id = sample(&s, &ask);
    sample_world_need(&s.w, revision_facts_get(t->db, id, &t->arena, &f, &t->err));
    sample_world_need(&s.w, revisions_get(t->db, id, &t->arena, &r, &t->err));
    assert_true(f.sampled && f.valid == 1 && f.seed == 0 && f.vote_view == 1 && f.n_removals == 0);
    assert_int_equal(f.newest_image, s.images[1][N - 1]);
    assert_true(f.as_of > 0 && f.as_of < id && r.state == REVISION_SEALED &&
                sv_is(r.strategy, "top"));
    json_t *facts = json_loads(f.facts.p, 0, NULL), *inputs = json_loads(f.inputs.p, 0, NULL);
    assert_int_equal(json_integer_value(json_object_get(facts, "chosen")), 6);
    assert_true(json_real_value(json_object_get(facts, "average_frequency")) > .8999 &&
                json_real_value(json_object_get(facts, "average_frequency")) < .9001);
    assert_int_equal(json_object_size(inputs), POOL_INPUTS);
    assert_int_equal(json_string_length(json_object_get(inputs, "near_duplicates")), 64);
    json_decref(facts);
    json_decref(inputs);
    const int64_t want[] = {s.images[0][3], s.images[0][4], s.images[0][5],
                            s.images[1][3], s.images[1][4], s.images[1][5]};
    assert_images(&s, id, want, 6);
    /* The same again is a revision of its own all the same. */
    assert_true(sample(&s, &ask) > id);
    sample_world_close(&s.w);
}

static enum revision_removed reason_of(const struct revision_facts *f, int64_t image)
{
    for (size_t i = 0; i < f->n_removals; i++) {
        if (f->removals[i].image == image) {
            return f->removals[i].reason;
        }
    }
    return REMOVED_REASONS;
}

PROJECT_TEST(why_images_left)
{
    struct scene s;
    struct revision_facts f;
    open_scene(&s, *state);
    struct temp_project *t = s.w.t;
    struct sample_ask ask = top("");
    sample(&s, &ask);
    sample_world_ban(&s.w, s.images[0][5]);
    sample_world_pair(&s.w, sample_world_name(&s.w, s.images[0][4]), SV("n01440764_18.JPEG"));
    sample_world_need(
        &s.w, flags_decide(t->db, s.images[1][5], SV("takedown"), SV("x"), 0, WORLD_NOW, &t->err));
    ask = top("s/0");
    ask.rules.size = 2;
    int64_t id = sample(&s, &ask);
    sample_world_need(&s.w, revision_facts_get(t->db, id, &t->arena, &f, &t->err));
    assert_int_equal(f.n_removals, 3);
    assert_int_equal(reason_of(&f, s.images[0][5]), REMOVED_BLACKLISTED);
    assert_int_equal(reason_of(&f, s.images[0][4]), REMOVED_NEAR_DUPLICATE);
    assert_int_equal(reason_of(&f, s.images[1][5]), REMOVED_TAKEDOWN);
    const int64_t want[] = {s.images[0][3], s.images[0][2], s.images[1][4], s.images[1][3]};
    assert_images(&s, id, want, 4);
    ask = top("s/1");
    ask.rules.size = 1;
    id = sample(&s, &ask);
    sample_world_need(&s.w, revision_facts_get(t->db, id, &t->arena, &f, &t->err));
    assert_int_equal(reason_of(&f, s.images[1][3]), REMOVED_NOT_DRAWN);
    ask = top("s/0");
    ask.rules = sample_rules_usual(SAMPLE_THRESHOLD);
    ask.rules.threshold = .85;
    ask.rules.answers_least = 1;
    id = sample(&s, &ask);
    sample_world_need(&s.w, revision_facts_get(t->db, id, &t->arena, &f, &t->err));
    assert_int_equal(f.valid, 0);
    assert_int_equal(reason_of(&f, s.images[1][3]), REMOVED_BELOW_THRESHOLD);
    sample_world_close(&s.w);
}

/* Reviewed, not problematic and unchanged: only then a class begins as reviewed. */
PROJECT_TEST(reviews_carry_over)
{
    struct scene s;
    struct class_review_row *rows;
    size_t n = 0;
    bool added;
    open_scene(&s, *state);
    struct temp_project *t = s.w.t;
    struct sample_ask ask = top("");
    int64_t id = sample(&s, &ask);
    for (unsigned k = 0; k < 2; k++) {
        sample_world_need(&s.w, class_reviews_put(t->db, id, s.classes[k], sample_world_event(&s.w),
                                                  true, false, false, &added, &t->err));
    }
    sample_world_ban(&s.w, s.images[0][5]);
    ask = top("s/0");
    id = sample(&s, &ask);
    sample_world_need(&s.w, class_reviews_list(t->db, id, 0, &t->arena, &rows, &n, &t->err));
    assert_true(n == 1 && rows[0].class_id == s.classes[1] && rows[0].reviewed && rows[0].carried);
    sample_world_need(&s.w, class_reviews_put(t->db, id, s.classes[1], sample_world_event(&s.w),
                                              true, true, false, &added, &t->err));
    ask = top("s/1");
    id = sample(&s, &ask);
    sample_world_need(&s.w, class_reviews_list(t->db, id, 0, &t->arena, &rows, &n, &t->err));
    assert_int_equal(n, 0);
    sample_world_close(&s.w);
}

PROJECT_TEST(limits_per_uploader)
{
    struct scene s;
    struct sample_job job;
    open_scene(&s, *state);
    struct temp_project *t = s.w.t;
    sample_world_need(
        &s.w, db_script(t->db,
                        "UPDATE image SET author = 'ann', taken_at = '2013-07-0' || (1 + id % 2)"
                        " || ' 10:00:00'",
                        &t->err));
    sample_world_ban(&s.w, s.images[0][0]);
    struct sample_ask ask = top("");
    ask.pool.uploader_most = 2;
    sample_world_need(&s.w, tally_fold(s.w.tally, t->db, &t->err));
    sample_world_need(&s.w, sample_make_plan(t->db, s.w.tally, &ask, &job, &t->err));
    assert_int_equal(job.plan.chosen, 4);
    for (unsigned k = 0; k < 2; k++) {
        assert_int_equal(job.plan.cells[k].excluded[SAMPLE_LIMIT], k == 0 ? N - 3 : N - 2);
    }
    assert_int_equal(job.plan.cells[0].excluded[SAMPLE_BLACKLISTED], 1);
    /* The best of an uploader stay: the last two of each class. */
    for (unsigned k = 0; k < 2; k++) {
        for (unsigned i = 1; i < N; i++) {
            uint32_t at = pool_find(&job.pool, (uint32_t)s.images[k][i]);
            assert_int_equal(job.pool.sample[at].limited, i < N - 2);
        }
    }
    sample_release(&job);
    ask.pool.uploader_most = 0;
    ask.pool.event_most = 1;
    sample_world_need(&s.w, sample_make_plan(t->db, s.w.tally, &ask, &job, &t->err));
    assert_int_equal(job.plan.chosen, 4); /* two days of each class */
    sample_release(&job);
    sample_world_close(&s.w);
}

/* What no cell is for cannot be drawn, so it takes nobody's place. */
PROJECT_TEST(limits_count_what_cells_take)
{
    struct scene s;
    struct sample_job job;
    int64_t originals[2];
    open_scene(&s, *state);
    struct temp_project *t = s.w.t;
    for (unsigned k = 0; k < 2; k++) {
        sample_world_images(&s.w, s.classes[k], "original", (const unsigned[]){1}, 1, 1,
                            &originals[k]);
    }
    sample_world_need(&s.w, db_script(t->db,
                                      "UPDATE image SET author = 'ann', keyword = CASE WHEN role ="
                                      " 'original' OR id = (SELECT max(i.id) FROM image i WHERE"
                                      " i.class = image.class AND i.role = 'candidate')"
                                      " THEN 'hound' ELSE 'wolf' END",
                                      &t->err));
    struct sample_ask ask = {.rules = sample_rules_usual(SAMPLE_KEYWORD), .set = SV("s")};
    ask.rules.size = 1;
    ask.rules.answers_least = 0;
    ask.pool.uploader_most = 1;
    sample_world_need(&s.w, tally_fold(s.w.tally, t->db, &t->err));
    sample_world_need(&s.w, sample_make_plan(t->db, s.w.tally, &ask, &job, &t->err));
    assert_int_equal(job.plan.chosen, 2);
    for (size_t i = 0; i < job.pool.n; i++) {
        assert_false(job.pool.sample[i].limited);
    }
    sample_release(&job);
    sample_world_close(&s.w);
}

PROJECT_TEST(replays)
{
    struct scene s;
    struct revision_row r;
    struct sample_replay again;
    open_scene(&s, *state);
    struct temp_project *t = s.w.t;
    struct sample_threshold own = {SV("n00000002"), .6};
    struct sample_ask ask = {
        .rules = sample_rules_usual(SAMPLE_THRESHOLD), .set = SV("s"), .own = &own, .n_own = 1};
    ask.rules.size = 2;
    ask.rules.seed = 41;
    int64_t first = sample(&s, &ask);
    ask.parent = SV("s/0");
    sample_world_ban(&s.w, s.images[1][5]);
    int64_t second = sample(&s, &ask);
    sample_world_ban(&s.w, s.images[0][4]);
    /* One class more, before all others: their places are not what they were. */
    world_image(t->db, 90, world_class(t->db, 0), "candidate");
    for (int k = 0; k < 2; k++) {
        sample_world_need(&s.w, revisions_get(t->db, k ? second : first, &t->arena, &r, &t->err));
        sample_world_need(&s.w, tally_fold(s.w.tally, t->db, &t->err));
        sample_world_need(&s.w, sample_replay(t->db, s.w.tally, &r, &again, &t->err));
        assert_true(again.same && again.changed_inputs == 0 && again.n_missing == 0 &&
                    again.n_further == 0);
    }
    /* What no event says, such as the keyword of an image, is what the digest is for. */
    sample_world_need(&s.w,
                      db_script(t->db, "UPDATE image SET source_id = 'x' WHERE id < 3", &t->err));
    sample_world_need(&s.w, sample_replay(t->db, s.w.tally, &r, &again, &t->err));
    assert_int_equal(again.changed_inputs, 1 << POOL_NEAR_DUPLICATES | 1 << POOL_IMAGES);
    sample_world_close(&s.w);
}

static void fails(struct scene *s, struct sample_ask ask, enum err_code code, const char *rule)
{
    int64_t id = 0;
    assert_int_equal(try_sample(s, &ask, &id), code);
    temp_clear(s->w.t, code, rule);
}

PROJECT_TEST(nothing_half_made)
{
    struct scene s;
    open_scene(&s, *state);
    struct temp_project *t = s.w.t;
    struct sample_ask ask = top("");
    sample(&s, &ask);
    int64_t events = temp_int(t, "SELECT max(id) FROM event");
    ask = top("s/0");
    ask.set = SV("other");
    fails(&s, ask, ERR_CONFLICT, "set-parent");
    fails(&s, top("s/9"), ERR_NOT_FOUND, "set");
    ask = top("");
    ask.set = SV("a/b");
    fails(&s, ask, ERR_INPUT, "set-name");
    ask = top("");
    ask.rules.answers_least = 11;
    fails(&s, ask, ERR_INPUT, "sample-empty");
    ask = top("");
    ask.rules.size = 0;
    fails(&s, ask, ERR_INPUT, "sample-size");
    ask.rules = sample_rules_usual(SAMPLE_MATCHED);
    fails(&s, ask, ERR_INPUT, "sample-originals");
    struct sample_threshold own = {SV("n99999999"), .6};
    ask = (struct sample_ask){
        .rules = sample_rules_usual(SAMPLE_THRESHOLD), .set = SV("s"), .own = &own, .n_own = 1};
    fails(&s, ask, ERR_NOT_FOUND, "no-class");
    assert_int_equal(temp_int(t, "SELECT max(id) FROM event"), events);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM set_list"), 1);
    struct revision_row r = {.set = SV("s"), .parameters = SV("{}")};
    struct sample_replay again;
    r.id = temp_int(t, "SELECT id FROM revision");
    sample_world_need(&s.w, db_script(t->db, "UPDATE revision SET seed = NULL", &t->err));
    assert_int_equal(sample_replay(t->db, s.w.tally, &r, &again, &t->err), ERR_INPUT);
    temp_clear(t, ERR_INPUT, "sample-replay");
    sample_world_close(&s.w);
}
