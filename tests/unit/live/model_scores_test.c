/* model_scores_test.c - counts of right answers against a recount one record at a time, while sources, images and
 * revisions come. */
#include "unit.h"

#include <pthread.h>
#include <string.h>

#include "base/rng.h"
#include "live/model_scores.h"
#include "temp_project.h"
#include "world.h"

enum { CLASSES = 7, IMAGES = 90, MODELS = 3, SOURCES = 4, SETS = 3, SET_MOST = 60 };

/* What the project holds, told once more without blocks: the newest record of each model and image. */
struct world {
    struct temp_project *t;
    struct model_scores *scores;
    int64_t classes[CLASSES + 1], images[IMAGES], models[MODELS];
    struct prediction_source sources[MODELS][SOURCES];
    struct {
        struct revision_row r;
        int image[SET_MOST], cid[SET_MOST], n;
    } sets[SETS];
    struct {
        struct prediction p;
        int source; /* -1: none */
    } newest[MODELS][IMAGES];
    bool sealed[IMAGES]; /* a sealed revision has it */
};

static void must(struct world *w, enum err_code rc)
{
    if (rc != OK) {
        fail_msg("%s: %s", w->t->err.rule, w->t->err.msg);
    }
}

static void make_set(struct world *w, int at, struct rng *rng)
{
    struct revision_image images[SET_MOST];
    uint32_t order[IMAGES];
    char name[16];
    bool added;
    int64_t id;
    for (uint32_t i = 0; i < IMAGES; i++) {
        order[i] = i;
    }
    rng_shuffle_u32(rng, order, IMAGES);
    w->sets[at].n = SET_MOST - at;
    for (int i = 0; i < w->sets[at].n; i++) {
        int cid = 1 + (int)rng_below(rng, CLASSES);
        w->sets[at].image[i] = (int)order[i];
        w->sets[at].cid[i] = cid;
        images[i] = (struct revision_image){(uint32_t)w->images[order[i]], (uint32_t)w->classes[cid]};
    }
    snprintf(name, sizeof name, "set-%d", at);
    struct revision_new r = {.set = sv_of(name), .role = SV("new"), .strategy = SV("import"),
                             .parameters = SV("{}"), .images = images, .n = (size_t)w->sets[at].n,
                             .state = REVISION_FROZEN, .state_reason = SV("final")};
    r.digest[0] = (unsigned char)(at + 1);
    must(w, revisions_add(w->t->db, true, &r, WORLD_NOW, &id, &added, &w->t->err));
    must(w, revisions_get(w->t->db, id, &w->t->arena, &w->sets[at].r, &w->t->err));
}

static void make_models(struct world *w)
{
    for (int m = 0; m < MODELS; m++) {
        struct model_row row = {.kind = SV("import")};
        char name[16];
        bool added;
        snprintf(name, sizeof name, "m%d", m);
        row.name = sv_of(name);
        must(w, db_tx_begin(w->t->db, &w->t->err));
        must(w, models_put(w->t->db, &row, 0, WORLD_NOW, &added, &w->t->err));
        must(w, db_tx_commit(w->t->db, &w->t->err));
        w->models[m] = row.id;
        for (int s = 0; s < SOURCES; s++) {
            struct prediction_source *src = &w->sources[m][s];
            *src = (struct prediction_source){.model = row.id, .kind = SV("import"), .bytes = SV("unknown"),
                                              .engine = SV("f"), .recipe = SV("{}"), .k = 5 - s, .scored = s % 2};
            src->digest[0] = (unsigned char)s;
            must(w, predictions_source(w->t->db, src, 0, WORLD_NOW, &added, &w->t->err));
        }
        for (int i = 0; i < IMAGES; i++) {
            w->newest[m][i].source = -1;
        }
    }
}

static struct world *make_world(struct temp_project *t, struct rng *rng)
{
    struct world *w = arena_calloc(&t->arena, 1, sizeof *w);
    w->t = t;
    w->scores = model_scores_new();
    for (unsigned c = 1; c <= CLASSES; c++) {
        w->classes[c] = world_class(t->db, c);
    }
    for (unsigned i = 0; i < IMAGES; i++) {
        w->images[i] = world_image(t->db, i, w->classes[1], "candidate");
    }
    make_models(w);
    for (int i = 0; i < SETS; i++) {
        make_set(w, i, rng);
    }
    return w;
}

/* A block of one source about images that begin somewhere; labels are shuffled classes. */
static void predict(struct world *w, struct rng *rng)
{
    struct prediction p[IMAGES];
    int m = (int)rng_below(rng, MODELS), s = (int)rng_below(rng, SOURCES);
    int first = (int)rng_below(rng, IMAGES), n = 1 + (int)rng_below(rng, (uint64_t)(IMAGES - first));
    for (int i = 0; i < n; i++) {
        uint32_t order[CLASSES] = {1, 2, 3, 4, 5, 6, 7};
        rng_shuffle_u32(rng, order, CLASSES);
        p[i] = (struct prediction){.image = (uint32_t)w->images[first + i]};
        for (int k = 0; k < PREDICTION_K; k++) {
            bool has = k < w->sources[m][s].k;
            p[i].labels[k] = has ? (uint16_t)order[k] : PREDICTION_NONE;
            p[i].scores[k] = has && w->sources[m][s].scored ? (float)rng_unit(rng) : 0;
        }
        w->newest[m][first + i].p = p[i];
        w->newest[m][first + i].source = s;
    }
    must(w, db_tx_begin(w->t->db, &w->t->err));
    must(w, predictions_append(w->t->db, &w->sources[m][s], p, (size_t)n, &w->t->err));
    must(w, db_tx_commit(w->t->db, &w->t->err));
}

static int rank_of(const struct prediction *p, int cid)
{
    for (int k = 0; k < PREDICTION_K; k++) {
        if (p->labels[k] == cid) {
            return k + 1;
        }
    }
    return 0;
}

static struct model_score recount(const struct world *w, int set, int m)
{
    struct model_score c = {.model = w->models[m], .images = (uint32_t)w->sets[set].n};
    bool used[SOURCES] = {false};
    for (int i = 0; i < w->sets[set].n; i++) {
        int image = w->sets[set].image[i], source = w->newest[m][image].source;
        if (source < 0) {
            continue;
        }
        int rank = rank_of(&w->newest[m][image].p, w->sets[set].cid[i]), k = w->sources[m][source].k;
        c.predicted++;
        c.top1 += rank == 1;
        c.topk += rank > 0;
        c.scored = c.scored || w->sources[m][source].scored;
        c.k = c.k == 0 || k < c.k ? k : c.k;
        c.sources += !used[source];
        used[source] = true;
    }
    return c;
}

static void compare_classes(struct world *w, int set, int m)
{
    struct class_score *list;
    size_t n = 0;
    uint32_t images = 0, top1 = 0, topk = 0, predicted = 0;
    must(w, model_scores_classes(w->scores, w->t->db, &w->sets[set].r, w->models[m], &w->t->arena, &list, &n,
                                 &w->t->err));
    for (size_t i = 0; i < n; i++) {
        uint32_t of_class = 0, right = 0;
        assert_true(i == 0 || list[i].class_id > list[i - 1].class_id);
        for (int j = 0; j < w->sets[set].n; j++) {
            bool here = w->classes[w->sets[set].cid[j]] == list[i].class_id;
            int image = w->sets[set].image[j];
            of_class += here;
            right += here && w->newest[m][image].source >= 0 &&
                     rank_of(&w->newest[m][image].p, w->sets[set].cid[j]) == 1;
        }
        assert_int_equal(list[i].images, of_class);
        assert_int_equal(list[i].top1, right);
        images += list[i].images;
        top1 += list[i].top1;
        topk += list[i].topk;
        predicted += list[i].predicted;
    }
    struct model_score all = recount(w, set, m);
    assert_true(images == all.images && top1 == all.top1 && topk == all.topk && predicted == all.predicted);
}

/* All models on one class are each model's classes, read the other way. */
static void compare_on_class(struct world *w, int set, int64_t class_id)
{
    struct model_score *on;
    size_t n;
    must(w, model_scores_on_class(w->scores, w->t->db, &w->sets[set].r, class_id, &w->t->arena, &on, &n,
                                  &w->t->err));
    for (size_t i = 0; i < n; i++) {
        struct class_score *list, want = {.images = 0};
        size_t classes;
        must(w, model_scores_classes(w->scores, w->t->db, &w->sets[set].r, on[i].model, &w->t->arena, &list,
                                     &classes, &w->t->err));
        for (size_t k = 0; k < classes; k++) {
            want = list[k].class_id == class_id ? list[k] : want;
        }
        assert_true(i == 0 || on[i].model > on[i - 1].model);
        assert_true(on[i].images == want.images && on[i].predicted == want.predicted &&
                    on[i].top1 == want.top1 && on[i].topk == want.topk);
    }
}

/* The newest record about each of some images, of every model. */
static void compare_about(struct world *w, int first, int n)
{
    struct prediction_found *found;
    uint32_t images[IMAGES];
    size_t n_found, want = 0;
    for (int i = 0; i < n; i++) {
        images[n - 1 - i] = (uint32_t)w->images[first + i];
        for (int m = 0; m < MODELS; m++) {
            want += w->newest[m][first + i].source >= 0 && !w->sealed[first + i];
        }
    }
    must(w, predictions_about(w->t->db, 0, images, (size_t)n, &w->t->arena, &found, &n_found, &w->t->err));
    assert_int_equal(n_found, want);
    for (size_t i = 0; i < n_found; i++) {
        int m = 0, image = (int)(found[i].p.image - w->images[0]);
        while (w->models[m] != found[i].model) {
            m++;
        }
        const struct prediction_source *s = &w->sources[m][w->newest[m][image].source];
        assert_true(image >= first && image < first + n && found[i].source == s->id);
        assert_false(w->sealed[image]);
        assert_true(found[i].k == s->k && found[i].scored == s->scored);
        assert_memory_equal(&found[i].p, &w->newest[m][image].p, sizeof found[i].p);
    }
    must(w, predictions_about(w->t->db, w->models[1], images, (size_t)n, &w->t->arena, &found, &want,
                              &w->t->err));
    for (size_t i = 0; i < want; i++) {
        assert_int_equal(found[i].model, w->models[1]);
    }
}

static void compare_mistakes(struct world *w, int set, int m)
{
    struct confident_mistake *list;
    size_t n = 0, want = 0, sealed = 0, want_sealed = 0;
    must(w, model_scores_mistakes(w->scores, w->t->db, &w->sets[set].r, w->models[m], 0, IMAGES,
                                  &w->t->arena, &list, &n, &sealed, &w->t->err));
    for (int i = 0; i < w->sets[set].n; i++) {
        int image = w->sets[set].image[i], source = w->newest[m][image].source;
        want += source >= 0 && w->sources[m][source].scored && !w->sealed[image] &&
                w->newest[m][image].p.labels[0] != w->sets[set].cid[i];
        want_sealed += w->sealed[image];
    }
    assert_true(n == want && sealed == want_sealed);
    for (size_t i = 0; i < n; i++) {
        int image = (int)(list[i].image - w->images[0]);
        assert_true(i == 0 || list[i].score <= list[i - 1].score);
        assert_true(list[i].score == w->newest[m][image].p.scores[0] && !w->sealed[image]);
        assert_int_equal(list[i].said, w->newest[m][image].p.labels[0]);
    }
    struct confident_mistake *few;
    must(w, model_scores_mistakes(w->scores, w->t->db, &w->sets[set].r, w->models[m], w->classes[3], 2,
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
    must(w, model_scores_of(w->scores, w->t->db, &w->sets[set].r, &w->t->arena, &list, &n, &w->t->err));
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
        assert_int_equal(got->k, want.k);
        assert_int_equal(got->scored, want.scored);
    }
    assert_int_equal(at, n);
    int m = set % MODELS;
    compare_classes(w, set, m);
    compare_mistakes(w, set, m);
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
    must(w, revisions_add(w->t->db, true, &r, WORLD_NOW, &id, &added, &w->t->err));
    return id;
}

/* Counts stay those of the open sets; one by one nothing is said of a sealed image. */
static void sealed_images_show_no_answers(void **state)
{
    struct rng rng;
    rng_seed(&rng, 7);
    struct world *w = make_world(*state, &rng);
    for (int i = 0; i < 60; i++) {
        predict(w, &rng);
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
    must(w, db_tx_begin(w->t->db, &w->t->err));
    must(w, revision_state_add(w->t->db, id, REVISION_FROZEN, SV("final"), 0, WORLD_NOW, &w->t->err));
    must(w, db_tx_commit(w->t->db, &w->t->err));
    memset(w->sealed, 0, sizeof w->sealed);
    compare_all(w, 0);
    compare_about(w, 0, IMAGES);
    model_scores_free(w->scores);
}

/* A class of one sealed image, in an open set: its count would be what is said of the image. */
static void a_class_of_one_sealed_image_is_not_counted(void **state)
{
    struct rng rng;
    rng_seed(&rng, 8);
    struct world *w = make_world(*state, &rng);
    struct revision_image images[] = {{(uint32_t)w->images[0], (uint32_t)w->classes[1]},
                                      {(uint32_t)w->images[1], (uint32_t)w->classes[2]},
                                      {(uint32_t)w->images[2], (uint32_t)w->classes[2]}};
    struct revision_new r = {.set = SV("small"), .role = SV("new"), .strategy = SV("import"), .parameters = SV("{}"),
                             .images = images, .n = 3, .digest = {50}, .state = REVISION_FROZEN,
                             .state_reason = SV("final")};
    struct revision_row small;
    struct class_score *classes;
    struct model_score *on;
    size_t n;
    int64_t id;
    bool added;
    while (w->newest[0][0].source < 0 || w->newest[0][1].source < 0) {
        predict(w, &rng);
    }
    must(w, revisions_add(w->t->db, true, &r, WORLD_NOW, &id, &added, &w->t->err));
    must(w, revisions_get(w->t->db, id, &w->t->arena, &small, &w->t->err));
    for (int sealed = 0; sealed < 2; sealed++) {
        static const int first_two[] = {0, 1};
        if (sealed) {
            seal(w, first_two, 2, 101);
        }
        must(w, model_scores_classes(w->scores, w->t->db, &small, w->models[0], &w->t->arena, &classes, &n,
                                     &w->t->err));
        assert_true(n == 2 && classes[0].images == 1 && classes[0].predicted == (sealed ? 0 : 1));
        assert_true(classes[1].images == 2 && classes[1].predicted >= 1);
        must(w, model_scores_on_class(w->scores, w->t->db, &small, w->classes[1], &w->t->arena, &on, &n,
                                      &w->t->err));
        assert_int_equal(n > 0, !sealed);
        must(w, model_scores_on_class(w->scores, w->t->db, &small, w->classes[2], &w->t->arena, &on, &n,
                                      &w->t->err));
        assert_true(n > 0);
    }
    model_scores_free(w->scores);
}

static void counts_follow_what_comes(void **state)
{
    struct rng rng;
    rng_seed(&rng, 5);
    struct world *w = make_world(*state, &rng);
    compare_all(w, 0);
    for (int round = 0; round < 40; round++) {
        for (uint64_t i = rng_below(&rng, 4); i > 0; i--) {
            predict(w, &rng);
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
        l->failed = model_scores_of(l->w->scores, db, r, &a, &list, &n, &err) != OK || n != MODELS ||
                    model_scores_classes(l->w->scores, db, r, l->w->models[0], &a, &classes, &n, &err) != OK ||
                    n == 0;
        arena_clear(&a);
    }
    db_close(db);
    arena_release(&a);
    return NULL;
}

static void threads_may_look_at_once(void **state)
{
    struct temp_project *t = *state;
    struct rng rng;
    rng_seed(&rng, 6);
    struct world *w = make_world(t, &rng);
    for (int i = 0; i < 60; i++) {
        predict(w, &rng);
    }
    struct looker l[3];
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) {
        l[i] = (struct looker){.w = w, .path = fs_join(&t->arena, t->dir, "holdout.db")};
        assert_int_equal(pthread_create(&threads[i], NULL, look, &l[i]), 0);
    }
    for (int i = 0; i < 20; i++) {
        predict(w, &rng); /* while they look */
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
        assert_false(l[i].failed);
    }
    compare_all(w, 1);
    model_scores_free(w->scores);
}

#define WITH(f) cmocka_unit_test_setup_teardown(f, temp_project_open, temp_project_close)
int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH(counts_follow_what_comes), WITH(sealed_images_show_no_answers),
        WITH(a_class_of_one_sealed_image_is_not_counted), WITH(threads_may_look_at_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
