/* sample_replay_test.c - whatever happens after a draw, the revision is drawn the same again: every
 * kind of decision, answer and import happens in drawn orders, with further draws in between. */
#include "unit.h"

#include <string.h>

#include "base/rng.h"
#include "sets/sample_world.h"
#include "sets/sampling/sample.h"
#include "store/classes/classes.h"
#include "store/duplicates/near_metrics.h"
#include "store/duplicates/near_pairs.h"
#include "store/duplicates/review_distances.h"
#include "store/images/images.h"
#include "store/people/notes.h"
#include "store/people/people.h"
#include "store/review/blacklist.h"
#include "store/sets/picks.h"
#include "store/work/flags.h"
#include "store/work/grids.h"
#include "world.h"

enum { N = 12, CLASSES = 2, GRIDS = 3, PER_GRID = 4, ANSWERS = 5, REVISIONS_MOST = 16, STEPS = 60 };

struct scene {
    struct sample_world w;
    struct rng rng;
    int64_t classes[CLASSES];
    unsigned classes_later;
    int64_t revisions[REVISIONS_MOST];
    size_t n_revisions;
};

static unsigned below(struct scene *s, unsigned n)
{
    return (unsigned)rng_below(&s->rng, n);
}

static void need(struct scene *s, enum err_code rc)
{
    sample_world_need(&s->w, rc);
}

static void add_images(struct scene *s, int64_t class_id, const char *role, unsigned answers)
{
    unsigned selected[PER_GRID];
    int64_t ids[PER_GRID];
    for (int i = 0; i < PER_GRID; i++) {
        selected[i] = answers ? below(s, answers + 1) : 0;
    }
    sample_world_images(&s->w, class_id, role, selected, PER_GRID, answers, ids);
}

static void open_scene(struct scene *s, struct temp_project *t, uint64_t seed)
{
    int64_t view = 0;
    *s = (struct scene){.n_revisions = 0};
    rng_seed(&s->rng, seed);
    sample_world_open(&s->w, t);
    for (unsigned k = 0; k < CLASSES; k++) {
        s->classes[k] = world_class(t->db, k + 2);
        for (int i = 0; i < GRIDS; i++) {
            add_images(s, s->classes[k], "candidate", ANSWERS);
        }
    }
    add_images(s, s->classes[0], "original", ANSWERS);
    sample_world_need(
        &s->w,
        db_script(t->db, "UPDATE image SET keyword = 'word' WHERE role = 'original' OR id % 3",
                  &t->err));
    const struct vote_view strict = {
        .name = SV("strict"),
        .description = SV("x"),
        .kinds = SV("main"),
        .rules = {2, {{RULE_NOT_BLOCKED, 0, 0}, {RULE_NOT_NONE, 0, 0}}},
    };
    need(s, views_create(t->db, &strict, 0, WORLD_NOW, &view, &t->err));
}

/* ---- what can happen ---- */

/* A row of a table, by the statement that says the first id from ?1 on. */
static int64_t one_of(struct scene *s, const char *last, const char *from)
{
    int64_t id = 0;
    int64_t n = temp_int(s->w.t, last);
    need(s, db_one_int(s->w.t->db, from, DB_VALS(db_int(1 + below(s, (unsigned)n))), &id,
                       &s->w.t->err));
    return id;
}
#define ONE_OF(s, table)                                                                           \
    one_of(s, "SELECT max(id) FROM " table, "SELECT min(id) FROM " table " WHERE id >= ?1")

static struct sv name_of(struct scene *s)
{
    return sample_world_name(&s->w, ONE_OF(s, "image"));
}

static void block(struct scene *s)
{
    need(s, notes_add(s->w.t->db, ONE_OF(s, "person"), below(s, 3) ? "block" : "unblock", SV("x"),
                      0, WORLD_NOW, &s->w.t->err));
}

static void exclude_answer(struct scene *s)
{
    world_judge(s->w.t->db, ONE_OF(s, "answer"), below(s, 3) > 0);
}

static void exclude_grid(struct scene *s)
{
    need(s, grids_exclude(s->w.t->db, ONE_OF(s, "grid"), below(s, 3) ? SV("x") : SV(""), 0,
                          WORLD_NOW, &s->w.t->err));
}

static void decide_image(struct scene *s)
{
    static const char *const decisions[] = {"quarantine", "clear", "takedown"};
    need(s, flags_decide(s->w.t->db, ONE_OF(s, "image"), sv_of(decisions[below(s, 3)]), SV("x"), 0,
                         WORLD_NOW, &s->w.t->err));
}

static void flag(struct scene *s)
{
    bool added;
    int64_t image = ONE_OF(s, "image");
    struct temp_project *t = s->w.t;
    for (unsigned i = 0, n = below(s, 4); i < n; i++) {
        need(s, flags_add(
                    t->db,
                    &(struct flag_new){image, world_person(t->db), 0, SV("private"), SV(""), 100},
                    WORLD_NOW, &added, &t->err));
    }
}

static void blacklist(struct scene *s)
{
    bool added, banned = below(s, 3) > 0;
    need(s, blacklist_put(s->w.t->db, sample_world_event(&s->w), name_of(s), banned,
                          banned ? SV("drawing") : SV(""), SV(""), &added, &s->w.t->err));
}

static void pair(struct scene *s)
{
    bool added;
    struct sv a = name_of(s), b = name_of(s);
    if (!sv_eq(a, b)) {
        need(s, near_pairs_put(s->w.t->db, sample_world_event(&s->w), a, b, below(s, 3) > 0, &added,
                               &s->w.t->err));
    }
}

static void keep(struct scene *s)
{
    bool added;
    need(s, near_keeps_put(s->w.t->db, sample_world_event(&s->w), name_of(s), below(s, 3) > 0,
                           &added, &s->w.t->err));
}

static void review(struct scene *s)
{
    bool added, searched = below(s, 3) > 0;
    const struct review_distance_row r = {name_of(s), SV("l2"), below(s, 2) ? 1e9 : 1, searched};
    need(s, review_distances_put(s->w.t->db, sample_world_event(&s->w), &r, &added, &s->w.t->err));
}

static void declare_searched(struct scene *s)
{
    bool changed;
    need(s, near_metrics_cover(s->w.t->db, 1U << below(s, REVIEW_METRICS), WORLD_NOW, &changed,
                               &s->w.t->err));
}

static void pick(struct scene *s)
{
    const struct pick_row r = {.name = name_of(s), .stage = below(s, 2) ? PICK_PICKED : PICK_OPEN};
    size_t n;
    need(s, picks_write(s->w.t->db, &r, 1, "picks.import", 0, 0, WORLD_NOW, &n, &s->w.t->err));
}

static void vote(struct scene *s)
{
    world_vote(s->w.t->db, s->w.campaign, ONE_OF(s, "grid"), below(s, 16), below(s, 4) == 0);
}

static void new_images(struct scene *s)
{
    add_images(s, s->classes[below(s, CLASSES)], below(s, 2) ? "candidate" : "original",
               below(s, 8));
}

static void new_class(struct scene *s)
{
    /* Before, between and after the others. */
    unsigned number = (unsigned[]){0, 1, 9, 10, 11}[s->classes_later % 5];
    if (s->classes_later++ < 5) {
        add_images(s, world_class(s->w.t->db, number), "candidate", 2);
    }
}

/* An import knows more of an image that is there than the one before it did. */
static void complete_image(struct scene *s)
{
    struct temp_project *t = s->w.t;
    struct image_row i = {0};
    bool added;
    need(s, images_get(t->db, ONE_OF(s, "image"), &t->arena, &i, &t->err));
    i.source_id = below(s, 2) ? SV("photo") : SV("");
    i.author = below(s, 2) ? SV("author") : SV("");
    i.taken_at = below(s, 2) ? SV("2013-07-01") : SV("");
    i.keyword = below(s, 2) ? SV("word") : SV("");
    i.source = i.source || below(s, 2) ? i.source : 1;
    need(s, images_put(t->db, &i, &added, &t->err));
    need(s, images_event(t->db, 0, WORLD_NOW, &t->err));
}

static void forget(struct scene *s)
{
    need(s, people_forget(s->w.t->db, WORLD_NOW, 0, ONE_OF(s, "person"), &s->w.t->err));
}

static void change_view(struct scene *s)
{
    struct temp_project *t = s->w.t;
    int64_t id;
    struct vote_view v = {.name = SV("strict"),
                          .description = SV("changed"),
                          .kinds = SV("main"),
                          .rules = {1, {{RULE_ANSWERS_LEAST, 1 + below(s, 3), 0}}}};
    need(s, views_create(t->db, &v, 0, WORLD_NOW, &id, &t->err));
}

static void new_campaign(struct scene *s)
{
    char name[32];
    snprintf(name, sizeof name, "c%lld", (long long)temp_int(s->w.t, "SELECT max(id) FROM event"));
    struct campaign terms = world_terms(name);
    int64_t image = ONE_OF(s, "image"), id = world_campaign(s->w.t->db, &terms);
    struct image_row i = {0};
    need(s, images_get(s->w.t->db, image, &s->w.t->arena, &i, &s->w.t->err));
    int64_t grid = world_grid(s->w.t->db, id, i.class_id, &image, 1);
    world_vote(s->w.t->db, id, grid, 1, false);
}

static void (*const happenings[])(struct scene *) = {block,
                                                     exclude_answer,
                                                     exclude_grid,
                                                     decide_image,
                                                     flag,
                                                     blacklist,
                                                     pair,
                                                     keep,
                                                     review,
                                                     pick,
                                                     vote,
                                                     vote,
                                                     new_images,
                                                     new_class,
                                                     declare_searched,
                                                     declare_searched,
                                                     forget,
                                                     change_view,
                                                     new_campaign,
                                                     complete_image,
                                                     block,
                                                     exclude_grid,
                                                     complete_image};

/* ---- draws ---- */

static void draw(struct scene *s)
{
    struct temp_project *t = s->w.t;
    struct sample_job job;
    unsigned kind = below(s, 4);
    struct sample_ask ask = {
        .rules = sample_rules_usual(kind == 3 ? SAMPLE_KEYWORD : SAMPLE_THRESHOLD), .set = SV("s")};
    ask.pool.view = below(s, 3) ? SV("strict") : SV("default");
    ask.pool.flags_to_quarantine = 2;
    ask.pool.uploader_most = kind == 2 ? 1 : 0;
    ask.pool.picked_only = kind == 1 && below(s, 2);
    ask.rules.size = 3;
    ask.rules.answers_least = 1;
    ask.rules.threshold = .2;
    ask.rules.seed = below(s, 1000);
    ask.pool.parent = s->n_revisions ? s->revisions[s->n_revisions - 1] : 0;
    need(s, tally_fold(s->w.tally, t->db, &t->err));
    need(s, sample_make_plan(t->db, s->w.tally, &ask, &job, &t->err));
    if (job.plan.chosen && s->n_revisions < REVISIONS_MOST) {
        need(s, sample_write(t->db, true, &job, 0, WORLD_NOW, &s->revisions[s->n_revisions++],
                             &t->err));
    }
    sample_release(&job);
}

static void assert_replays(struct scene *s, uint64_t seed)
{
    struct temp_project *t = s->w.t;
    struct revision_row r;
    struct sample_replay again;
    struct tally *fresh = tally_new();
    need(s, tally_fold(s->w.tally, t->db, &t->err));
    need(s, tally_fold(fresh, t->db, &t->err));
    for (size_t k = 0; k < s->n_revisions; k++) {
        need(s, revisions_get(t->db, s->revisions[k], &t->arena, &r, &t->err));
        need(s, sample_replay(t->db, k % 2 ? fresh : s->w.tally, &r, &again, &t->err));
        if (!again.same || again.changed_inputs) {
            fail_msg("seed %llu: revision %zu of %zu is another one now: %zu images, inputs %x",
                     (unsigned long long)seed, k, s->n_revisions, again.n_missing,
                     again.changed_inputs);
        }
    }
    tally_free(fresh);
}

static void whatever_happens(struct temp_project *t, uint64_t seed)
{
    struct scene s;
    open_scene(&s, t, seed);
    world_image_of(t->db, 900, s.classes[0], "candidate", 7);
    draw(&s);
    for (int i = 0; i < STEPS; i++) {
        happenings[below(&s, sizeof happenings / sizeof *happenings)](&s);
        if (i % 6 == 5) {
            draw(&s);
        }
    }
    assert_true(s.n_revisions > 1);
    assert_replays(&s, seed);
    sample_world_close(&s.w);
}

PROJECT_TEST(replays_are_equal_1)
{
    whatever_happens(*state, 1);
}

PROJECT_TEST(replays_are_equal_2)
{
    whatever_happens(*state, 2);
}

PROJECT_TEST(replays_are_equal_3)
{
    whatever_happens(*state, 3);
}

PROJECT_TEST(replays_are_equal_4)
{
    whatever_happens(*state, 4);
}

/* Blocks, exclusions of grids and what imports fill in, one by one: each moved the draw once. */
PROJECT_TEST(one_by_one)
{
    static void (*const alone[])(struct scene *) = {block, exclude_grid, complete_image, forget};
    struct scene s;
    open_scene(&s, *state, 5);
    world_image_of(s.w.t->db, 900, s.classes[0], "candidate", 7);
    for (size_t k = 0; k < sizeof alone / sizeof *alone; k++) {
        draw(&s);
        for (int i = 0; i < 8; i++) {
            alone[k](&s);
        }
        assert_replays(&s, k);
    }
    sample_world_close(&s.w);
}
