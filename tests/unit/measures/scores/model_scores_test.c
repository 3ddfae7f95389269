/* model_scores_test.c - counts of right answers against a recount of every record that ever came, while sources,
 * images, freezes and decisions come. */
#include "unit.h"

#include <pthread.h>
#include <string.h>

#include "measures/scores/model_right.h"
#include "measures/score_world.h"
#include "world.h"

static int rank_of(const struct prediction *p, int cid)
{
    for (int k = 0; k < PREDICTION_K; k++) {
        if (p->labels[k] == cid) {
            return k + 1;
        }
    }
    return 0;
}

/* Whether a sealed revision has the image at the position, and the model's answer about it counts. */
static bool closed_at(const struct world *w, int set, int m, int at)
{
    return w->counts[m][at].source >= 0 && w->sealed[w->sets[set].image[at]];
}

/* Everything that counts, but for an answer about a sealed image that is alone. */
static struct model_score recount(const struct world *w, int set, int m)
{
    struct model_score c = {.model = w->models[m], .images = (uint32_t)w->sets[set].n};
    int used[SOURCES] = {0}, most = 0, closed = 0;
    for (int at = 0; at < w->sets[set].n; at++) {
        closed += closed_at(w, set, m, at);
    }
    for (int at = 0; at < w->sets[set].n; at++) {
        int source = w->counts[m][at].source;
        if (source < 0) {
            continue;
        }
        int rank = rank_of(&w->counts[m][at].p, w->sets[set].cid[at]), k = w->sources[m][source].k;
        bool told = closed != 1 || !closed_at(w, set, m, at);
        c.predicted += told;
        c.top1 += told && rank == 1;
        c.topk += told && rank > 0;
        c.scored = c.scored || w->sources[m][source].scored;
        c.k = c.k == 0 || k < c.k ? k : c.k;
        c.sources += used[source]++ == 0;
    }
    for (int s = 0; s < SOURCES; s++) {
        c.others += used[s] == 0 && score_world_covered(w, set, m, s, w->n_log) > 0;
        most = used[s] > most ? used[s] : most;
    }
    return c;
}

/* No class counts one answer about a sealed image alone, nor does what is left of the whole set without its classes. */
static void compare_classes(struct world *w, int set, int m)
{
    struct class_score *list;
    size_t n = 0;
    uint32_t images = 0, predicted = 0;
    world_must(w, model_scores_classes(w->scores, w->t->db, &w->sets[set].r, w->models[m], &w->t->arena, &list, &n,
                                 &w->t->err));
    for (size_t i = 0; i < n; i++) {
        uint32_t of_class = 0, right = 0, said = 0, closed = 0, closed_right = 0;
        assert_true(i == 0 || list[i].class_id > list[i - 1].class_id);
        for (int j = 0; j < w->sets[set].n; j++) {
            bool here = w->classes[w->sets[set].cid[j]] == list[i].class_id;
            of_class += here;
            said += here && w->counts[m][j].source >= 0;
            bool is_right = here && w->counts[m][j].source >= 0 &&
                            rank_of(&w->counts[m][j].p, w->sets[set].cid[j]) == 1;
            right += is_right;
            closed += here && closed_at(w, set, m, j);
            closed_right += is_right && closed_at(w, set, m, j);
        }
        bool all = list[i].predicted == said;
        assert_int_equal(list[i].images, of_class);
        assert_int_equal(list[i].predicted, all ? said : said - closed);
        assert_int_equal(list[i].top1, all ? right : right - closed_right);
        assert_true(closed != 1 || !all);
        images += list[i].images;
        predicted += list[i].predicted;
    }
    struct model_score all = recount(w, set, m);
    assert_true(images == all.images && predicted <= all.predicted && all.predicted - predicted != 1);
}

/* All models on one class are each model's classes, read the other way. */
static void compare_on_class(struct world *w, int set, int64_t class_id)
{
    struct model_score *on;
    size_t n;
    world_must(w, model_scores_on_class(w->scores, w->t->db, &w->sets[set].r, class_id, &w->t->arena, &on, &n,
                                  &w->t->err));
    for (size_t i = 0; i < n; i++) {
        struct class_score *list, want = {.images = 0};
        size_t classes;
        world_must(w, model_scores_classes(w->scores, w->t->db, &w->sets[set].r, on[i].model, &w->t->arena, &list,
                                     &classes, &w->t->err));
        for (size_t k = 0; k < classes; k++) {
            want = list[k].class_id == class_id ? list[k] : want;
        }
        assert_true(i == 0 || on[i].model > on[i - 1].model);
        assert_true(on[i].images == want.images && on[i].predicted == want.predicted &&
                    on[i].top1 == want.top1 && on[i].topk == want.topk);
    }
}

/* What every source says about some images. */
static void compare_about(struct world *w, int first, int n)
{
    struct prediction_found *found;
    uint32_t images[IMAGES];
    size_t n_found, want = 0;
    for (int i = 0; i < n; i++) {
        images[n - 1 - i] = (uint32_t)w->images[first + i];
    }
    for (int i = 0; i < w->n_log; i++) {
        want += w->log[i].image >= first && w->log[i].image < first + n && !w->sealed[w->log[i].image];
    }
    world_must(w, predictions_about(w->t->db, 0, images, (size_t)n, &w->t->arena, &found, &n_found, &w->t->err));
    assert_int_equal(n_found, want);
    for (size_t i = 0; i < n_found; i++) {
        int at = 0;
        while (w->models[w->log[at].model] != found[i].model ||
               w->sources[w->log[at].model][w->log[at].source].id != found[i].source ||
               w->images[w->log[at].image] != found[i].p.image) {
            assert_true(++at < w->n_log);
        }
        assert_memory_equal(&found[i].p, &w->log[at].p, sizeof found[i].p);
        assert_false(w->sealed[w->log[at].image]);
        assert_true(i == 0 || found[i].model > found[i - 1].model ||
                    (found[i].model == found[i - 1].model && found[i].source >= found[i - 1].source));
    }
    world_must(w, predictions_about(w->t->db, w->models[1], images, (size_t)n, &w->t->arena, &found, &want,
                              &w->t->err));
    for (size_t i = 0; i < want; i++) {
        assert_int_equal(found[i].model, w->models[1]);
    }
}

/* How many images of the set a sealed revision has and the source said something of. */
static int closed_of_source(const struct world *w, int set, int m, int source)
{
    int n = 0;
    for (int at = 0; at < w->sets[set].n; at++) {
        int image = w->sets[set].image[at];
        bool said = false;
        for (int i = 0; i < w->n_log; i++) {
            said = said || (w->log[i].model == m && w->log[i].source == source && w->log[i].image == image);
        }
        n += said && w->sealed[image];
    }
    return n;
}

/* Answers, the sources that they come from, and where others say something else. */
static void compare_answers(struct world *w, int set, int m)
{
    struct model_answer *list;
    struct source_difference *d;
    struct source_score *sources;
    int64_t *holders;
    size_t n, n_holders, differ = 0;
    world_must(w, model_scores_answers(w->scores, w->t->db, &w->sets[set].r, w->models[m], &w->t->arena, &list, &n,
                                 &w->t->err));
    world_must(w, model_scores_holders(w->scores, w->t->db, &w->sets[set].r, w->models[m], &w->t->arena, &holders,
                                 &n_holders, &w->t->err));
    assert_true(n == (size_t)w->sets[set].n && n_holders == n);
    for (size_t at = 0; at < n; at++) {
        int source = w->counts[m][at].source;
        bool closed = w->sealed[w->sets[set].image[at]];
        assert_int_equal(holders[at], source < 0 ? 0 : w->sources[m][source].id);
        assert_int_equal(list[at].source, closed ? 0 : holders[at]);
        if (source >= 0 && !closed) {
            assert_memory_equal(&list[at].p, &w->counts[m][at].p, sizeof list[at].p);
        }
        for (int i = 0; i < w->n_log; i++) {
            int other = w->log[i].source;
            if (closed || source < 0 || w->log[i].model != m || other == source || w->log[i].image != w->sets[set].image[at]) {
                continue;
            }
            int k = w->sources[m][source].k < w->sources[m][other].k ? w->sources[m][source].k : w->sources[m][other].k;
            differ += memcmp(w->log[i].p.labels, w->counts[m][at].p.labels, (size_t)k * 2) != 0;
        }
    }
    world_must(w, model_scores_differences(w->scores, w->t->db, &w->sets[set].r, w->models[m], 0, &w->t->arena, &d, &n,
                                     &w->t->err));
    assert_int_equal(n, differ);
    world_must(w, model_scores_sources(w->scores, w->t->db, &w->sets[set].r, w->models[m], &w->t->arena, &sources, &n,
                                 &w->t->err));
    for (size_t i = 0; i < n; i++) {
        int s = 0;
        while (w->sources[m][s].id != sources[i].source) {
            s++;
        }
        int lone = closed_of_source(w, set, m, s) == 1;
        assert_int_equal(sources[i].predicted, score_world_covered(w, set, m, s, w->n_log) - lone);
    }
}

static void compare_mistakes(struct world *w, int set, int m)
{
    struct confident_mistake *list;
    size_t n = 0, want = 0, sealed = 0, want_sealed = 0;
    world_must(w, model_scores_mistakes(w->scores, w->t->db, &w->sets[set].r, w->models[m], 0, IMAGES,
                                        &w->t->arena, &list, &n, &sealed, &w->t->err));
    for (int i = 0; i < w->sets[set].n; i++) {
        int source = w->counts[m][i].source;
        bool closed = w->sealed[w->sets[set].image[i]];
        want_sealed += closed;
        want += source >= 0 && w->sources[m][source].scored && !closed &&
                w->counts[m][i].p.labels[0] != w->sets[set].cid[i];
    }
    assert_true(n == want && sealed == want_sealed);
    for (size_t i = 0; i < n; i++) {
        int at = 0;
        while (w->images[w->sets[set].image[at]] != list[i].image) {
            at++;
        }
        assert_true(i == 0 || list[i].score <= list[i - 1].score);
        assert_true(list[i].score == w->counts[m][at].p.scores[0] && !w->sealed[w->sets[set].image[at]]);
        assert_int_equal(list[i].said, w->counts[m][at].p.labels[0]);
    }
    struct confident_mistake *few;
    world_must(w, model_scores_mistakes(w->scores, w->t->db, &w->sets[set].r, w->models[m], w->classes[3], 2,
                                  &w->t->arena, &few, &n, &sealed, &w->t->err));
    assert_true(n <= 2);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(few[i].class_id, w->classes[3]);
    }
}

static void compare_all(struct world *w, int set)
{
    struct model_score *list;
    size_t n, at = 0;
    score_world_count(w, set);
    world_must(w, model_scores_of(w->scores, w->t->db, &w->sets[set].r, NULL, &w->t->arena, &list, &n, &w->t->err));
    for (int m = 0; m < MODELS; m++) {
        struct model_score want = recount(w, set, m);
        if (want.predicted == 0) {
            continue;
        }
        assert_true(at < n);
        const struct model_score *got = &list[at++];
        assert_int_equal(got->model, want.model);
        assert_int_equal(got->images, want.images);
        assert_int_equal(got->predicted, want.predicted);
        assert_int_equal(got->top1, want.top1);
        assert_int_equal(got->topk, want.topk);
        assert_int_equal(got->sources, want.sources);
        assert_int_equal(got->others, want.others);
        assert_int_equal(got->decided, w->sets[set].decided[m] >= 0);
        assert_int_equal(got->k, want.k);
        assert_int_equal(got->scored, want.scored);
    }
    assert_int_equal(at, n);
    int m = set % MODELS;
    compare_classes(w, set, m);
    compare_mistakes(w, set, m);
    compare_answers(w, set, m);
}

/* A sealed revision of these images. */
static int64_t seal(struct world *w, const int *images, int n, unsigned char digest)
{
    struct revision_image list[IMAGES];
    struct revision_new r = {.set = SV("closed"), .role = SV("new"), .strategy = SV("import"),
                             .parameters = SV("{}"), .images = list, .n = (size_t)n};
    int64_t id;
    bool added;
    r.digest[0] = digest;
    for (int i = 0; i < n; i++) {
        w->sealed[images[i]] = true;
        list[i] = (struct revision_image){(uint32_t)w->images[images[i]], (uint32_t)w->classes[1]};
    }
    world_must(w, revisions_add(w->t->db, true, &r, WORLD_NOW, &id, &added, &w->t->err));
    return id;
}

/* Counts stay those of the open sets; one by one nothing is said of a sealed image. */
PROJECT_TEST(sealed_images_show_no_answers)
{
    struct rng rng;
    rng_seed(&rng, 7);
    struct world *w = score_world_make(*state, &rng);
    for (int i = 0; i < 60; i++) {
        score_world_predict(w, &rng);
    }
    for (int i = 0; i < SETS; i++) {
        compare_all(w, i);
    }
    static const int some[] = {3, 4, 5, 30, 31, 60, 61, 62, 89};
    int64_t id = seal(w, some, 9, 100);
    for (int i = 0; i < SETS; i++) {
        compare_all(w, i);
    }
    compare_about(w, 0, IMAGES);
    world_must(w, db_tx_begin(w->t->db, &w->t->err));
    world_must(w, revision_state_add(w->t->db, id, REVISION_FROZEN, SV("final"), 0, WORLD_NOW, &w->t->err));
    world_must(w, db_tx_commit(w->t->db, &w->t->err));
    memset(w->sealed, 0, sizeof w->sealed);
    compare_all(w, 0);
    compare_about(w, 0, IMAGES);
    model_scores_free(w->scores);
}

/* A class of an open set that has one sealed image: a count with it would tell what is said of that one. */
PROJECT_TEST(a_class_leaves_one_sealed_image_out)
{
    struct rng rng;
    rng_seed(&rng, 8);
    struct world *w = score_world_make(*state, &rng);
    struct revision_image images[] = {{(uint32_t)w->images[0], (uint32_t)w->classes[1]},
                                      {(uint32_t)w->images[1], (uint32_t)w->classes[2]},
                                      {(uint32_t)w->images[2], (uint32_t)w->classes[2]},
                                      {(uint32_t)w->images[3], (uint32_t)w->classes[3]},
                                      {(uint32_t)w->images[4], (uint32_t)w->classes[3]}};
    struct revision_new r = {.set = SV("small"), .role = SV("new"), .strategy = SV("import"), .parameters = SV("{}"),
                             .images = images, .n = 5, .digest = {50}, .state = REVISION_FROZEN,
                             .state_reason = SV("final")};
    struct revision_row small;
    struct class_score *classes;
    struct model_score *on;
    size_t n;
    int64_t id;
    bool added;
    for (int i = 0; i < 60; i++) {
        score_world_predict(w, &rng);
    }
    world_must(w, revisions_add(w->t->db, true, &r, WORLD_NOW, &id, &added, &w->t->err));
    world_must(w, revisions_get(w->t->db, id, &w->t->arena, &small, &w->t->err));
    for (int sealed = 0; sealed < 2; sealed++) {
        static const int some[] = {0, 1, 3, 4};
        if (sealed) {
            seal(w, some, 4, 101);
        }
        world_must(w, model_scores_classes(w->scores, w->t->db, &small, w->models[0], &w->t->arena, &classes, &n,
                                     &w->t->err));
        assert_true(n == 3 && classes[0].images == 1 && classes[0].predicted == (sealed ? 0 : 1));
        assert_true(classes[1].images == 2 && classes[1].predicted == (sealed ? 1 : 2));
        assert_true(classes[2].images == 2 && classes[2].predicted == 2);
        world_must(w, model_scores_on_class(w->scores, w->t->db, &small, w->classes[1], &w->t->arena, &on, &n,
                                      &w->t->err));
        assert_int_equal(n > 0, !sealed);
        world_must(w, model_scores_on_class(w->scores, w->t->db, &small, w->classes[2], &w->t->arena, &on, &n,
                                      &w->t->err));
        assert_true(n > 0 && on[0].predicted == (sealed ? 1 : 2));
        world_must(w, model_scores_on_class(w->scores, w->t->db, &small, w->classes[3], &w->t->arena, &on, &n,
                                      &w->t->err));
        assert_true(n > 0);
    }
    model_scores_free(w->scores);
}

/* One sealed image after the other, in whatever classes: no count comes down to one of them. */
PROJECT_TEST(no_count_is_one_sealed_image)
{
    struct rng rng;
    rng_seed(&rng, 11);
    struct world *w = score_world_make(*state, &rng);
    for (int i = 0; i < 60; i++) {
        score_world_predict(w, &rng);
    }
    for (int i = 0; i < 12; i++) {
        int image = (int)rng_below(&rng, IMAGES);
        seal(w, &image, 1, (unsigned char)(110 + i));
        for (int set = 0; set < SETS; set++) {
            compare_all(w, set);
            compare_on_class(w, set, w->classes[1 + i % CLASSES]);
        }
    }
    model_scores_free(w->scores);
}

/* A model, or a source, that said something of one image of an open set, which is sealed. */
PROJECT_TEST(an_answer_about_one_sealed_image_is_not_counted)
{
    struct rng rng;
    rng_seed(&rng, 9);
    struct world *w = score_world_make(*state, &rng);
    const struct revision_row *r = &w->sets[0].r;
    struct model_score *scores;
    struct source_score *sources;
    size_t n = 0;
    int image = w->sets[0].image[0];
    struct prediction p = {.image = (uint32_t)w->images[image], .labels = {1, PREDICTION_NONE, PREDICTION_NONE,
                                                                           PREDICTION_NONE, PREDICTION_NONE}};
    world_must(w, db_tx_begin(w->t->db, &w->t->err));
    world_must(w, predictions_append(w->t->db, &w->sources[0][0], &p, 1, &w->t->err));
    world_must(w, db_tx_commit(w->t->db, &w->t->err));
    for (int sealed = 0; sealed < 2; sealed++) {
        if (sealed) {
            seal(w, &image, 1, 102);
        }
        world_must(w, model_scores_of(w->scores, w->t->db, r, NULL, &w->t->arena, &scores, &n, &w->t->err));
        assert_int_equal(n, !sealed);
        world_must(w, model_scores_sources(w->scores, w->t->db, r, w->models[0], &w->t->arena, &sources, &n,
                                           &w->t->err));
        assert_int_equal(n, !sealed);
    }
    model_scores_free(w->scores);
}

#define DENIED(call)                                                                                \
    assert_int_equal(call, ERR_DENIED);                                                            \
    assert_string_equal(err.rule, "set-sealed");                                                   \
    err_clear(&err)

/* Whatever is asked about a sealed set is refused, also where a count of it is in memory already. */
PROJECT_TEST(a_sealed_set_is_refused)
{
    struct rng rng;
    rng_seed(&rng, 10);
    struct world *w = score_world_make(*state, &rng);
    struct revision_row r = w->sets[0].r;
    struct db *db = w->t->db;
    struct arena *a = &w->t->arena;
    struct model_scores *m = w->scores;
    struct model_right right;
    struct err err = {0};
    uint64_t version;
    size_t n = 0, hidden;
    bool chance;
    struct model_score *of;
    score_world_predict(w, &rng);
    world_must(w, model_scores_of(m, db, &r, NULL, a, &of, &n, &err));
    r.state = REVISION_SEALED;
    DENIED(model_scores_of(m, db, &r, NULL, a, &of, &n, &err));
    assert_int_equal(n, 0);
    DENIED(model_scores_on_class(m, db, &r, w->classes[1], a, &of, &n, &err));
    DENIED(model_scores_classes(m, db, &r, w->models[0], a, &(struct class_score *){0}, &n, &err));
    DENIED(model_scores_mistakes(m, db, &r, w->models[0], 0, 9, a, &(struct confident_mistake *){0}, &n, &hidden,
                                 &err));
    DENIED(model_scores_sources(m, db, &r, w->models[0], a, &(struct source_score *){0}, &n, &err));
    DENIED(model_scores_answers(m, db, &r, w->models[0], a, &(struct model_answer *){0}, &n, &err));
    DENIED(model_scores_holders(m, db, &r, w->models[0], a, &(int64_t *){0}, &n, &err));
    DENIED(model_scores_differences(m, db, &r, w->models[0], 0, a, &(struct source_difference *){0}, &n, &err));
    DENIED(model_scores_chance(m, db, &r, w->models[0], &chance, &err));
    DENIED(model_right_version(m, db, &r, NULL, &version, &err));
    DENIED(model_right_of(m, db, &r, NULL, 1, w->models, MODELS, &right, &err));
    assert_true(n == 0 && version == 0 && right.n == 0 && !chance);
    model_scores_free(m);
}

static void follow(void **state, uint64_t seed)
{
    struct rng rng;
    rng_seed(&rng, seed);
    struct world *w = score_world_make(*state, &rng);
    compare_all(w, 0);
    for (int round = 0; round < 40; round++) {
        for (uint64_t i = rng_below(&rng, 4); i > 0; i--) {
            score_world_predict(w, &rng);
        }
        if (round == 0 || round == 9) {
            score_world_freeze(w, round == 0);
        }
        if (round % 5 == 4) {
            score_world_decide(w, &rng, (int)rng_below(&rng, SETS), (int)rng_below(&rng, MODELS));
        }
        int set = (int)rng_below(&rng, SETS), first = (int)rng_below(&rng, IMAGES);
        compare_all(w, set);
        compare_on_class(w, set, w->classes[1 + rng_below(&rng, CLASSES)]);
        compare_about(w, first, (int)rng_below(&rng, (uint64_t)(IMAGES - first)));
    }
    compare_about(w, 0, 0);
    compare_on_class(w, 0, 999999);
    /* What was counted in pieces is what a first look counts. */
    model_scores_free(w->scores);
    w->scores = model_scores_new();
    for (int i = 0; i < SETS; i++) {
        compare_all(w, i);
    }
    model_scores_free(w->scores);
}

PROJECT_TEST(counts_follow_what_comes)
{
    follow(state, 5);
}

PROJECT_TEST(counts_follow_what_else_comes)
{
    follow(state, 7);
}

PROJECT_TEST(counts_follow_something_else)
{
    follow(state, 11);
}

/* A revision that an earlier version froze: of the records of that time the newest about an image, whichever source it
 * has, and later ones change none of these. */
PROJECT_TEST(what_was_frozen_before_keeps_its_numbers)
{
    struct rng rng;
    rng_seed(&rng, 9);
    struct world *w = score_world_make(*state, &rng);
    int newest[MODELS][SET_MOST], upto;
    for (int i = 0; i < 25; i++) {
        score_world_predict(w, &rng);
    }
    score_world_freeze(w, 0);
    upto = w->n_log;
    world_must(w, db_script(w->t->db, "UPDATE revision_pin SET way = 'newest'", &w->t->err));
    for (int later = 0; later < 30; later++) {
        for (int m = 0; m < MODELS; m++) {
            int64_t *holders;
            size_t n;
            world_must(w, model_scores_holders(w->scores, w->t->db, &w->sets[0].r, w->models[m], &w->t->arena,
                                               &holders, &n, &w->t->err));
            for (int at = 0; at < w->sets[0].n; at++) {
                newest[m][at] = -1;
                for (int i = 0; i < upto; i++) {
                    bool about = w->log[i].model == m && w->log[i].image == w->sets[0].image[at];
                    newest[m][at] = about ? w->log[i].source : newest[m][at];
                }
                if (newest[m][at] >= 0) {
                    assert_int_equal(holders[at], w->sources[m][newest[m][at]].id);
                }
            }
        }
        score_world_predict(w, &rng);
    }
    model_scores_free(w->scores);
}

/* ---- many threads ---- */

struct looker {
    struct world *w;
    const char *path;
    bool failed;
};

static void *look(void *arg)
{
    struct looker *l = arg;
    struct db *db = NULL;
    struct err err = {0};
    struct arena a;
    arena_init(&a, 16 << 20);
    l->failed = db_open(l->path, DB_READ, &db, &err) != OK;
    for (int i = 0; i < 200 && !l->failed; i++) {
        struct model_score *list;
        struct class_score *classes;
        size_t n;
        const struct revision_row *r = &l->w->sets[i % SETS].r;
        l->failed = model_scores_of(l->w->scores, db, r, NULL, &a, &list, &n, &err) != OK || n != MODELS ||
                    model_scores_classes(l->w->scores, db, r, l->w->models[0], &a, &classes, &n, &err) != OK ||
                    n == 0;
        arena_clear(&a);
    }
    db_close(db);
    arena_release(&a);
    return NULL;
}

PROJECT_TEST(threads_may_look_at_once)
{
    struct temp_project *t = *state;
    struct rng rng;
    rng_seed(&rng, 6);
    struct world *w = score_world_make(t, &rng);
    for (int i = 0; i < 60; i++) {
        score_world_predict(w, &rng);
    }
    struct looker l[3];
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) {
        l[i] = (struct looker){.w = w, .path = fs_join(&t->arena, t->dir, "holdout.db")};
        assert_int_equal(pthread_create(&threads[i], NULL, look, &l[i]), 0);
    }
    for (int i = 0; i < 20; i++) {
        score_world_predict(w, &rng); /* while they look */
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
        assert_false(l[i].failed);
    }
    compare_all(w, 1);
    model_scores_free(w->scores);
}
