/* binned_test.c - accuracy by selection frequency against counting image by image: random votes, missing predictions,
 * images of a sealed set, subsets; and what is refused. */
#include "unit.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "measures/votes/binned_rows.h"
#include "store/models/predictions.h"
#include "temp_project.h"
#include "world.h"

enum { CLASSES = 3, IMAGES = 120, MODELS = 3, K = 5 };

struct world {
    struct temp_project *t;
    struct model_scores *scores;
    int64_t classes[CLASSES + 1], images[IMAGES], models[MODELS];
    int k[MODELS];
    unsigned char rank[MODELS][IMAGES]; /* of the label; 0: not listed; 255: no prediction */
    bool sealed[IMAGES];
    uint32_t shown[IMAGES], selected[IMAGES];
    struct view_counts votes;
    struct revision_row set;
    struct rng r;
};

static int class_of(int i)
{
    return 1 + i % CLASSES;
}

static void must(struct world *w, enum err_code rc)
{
    if (rc != OK) {
        fail_msg("%s: %s", w->t->err.rule, w->t->err.msg);
    }
}

/* Of every `step`th image from `from`. */
static struct revision_row make_set(struct world *w, const char *name, int from, int step, enum revision_state state)
{
    struct revision_image list[IMAGES];
    struct revision_row row;
    size_t n = 0;
    int64_t id;
    bool added;
    for (int i = from; i < IMAGES; i += step) {
        list[n++] = (struct revision_image){(uint32_t)w->images[i], (uint32_t)w->classes[class_of(i)]};
    }
    struct revision_new r = {.set = sv_of(name), .role = SV("new"), .strategy = SV("import"), .parameters = SV("{}"),
                             .images = list, .n = n, .digest = {(unsigned char)name[0]}, .state = state,
                             .state_reason = SV("a look")};
    must(w, revisions_add(w->t->db, true, &r, WORLD_NOW, &id, &added, &w->t->err));
    must(w, revisions_get(w->t->db, id, &w->t->arena, &row, &w->t->err));
    return row;
}

static void predict(struct world *w, int m)
{
    struct prediction p[IMAGES];
    size_t n = 0;
    char name[16];
    bool added;
    snprintf(name, sizeof name, "m%d", m);
    struct model_row row = {.name = sv_of(name), .kind = SV("import")};
    must(w, db_tx_begin(w->t->db, &w->t->err));
    must(w, models_put(w->t->db, &row, 0, WORLD_NOW, &added, &w->t->err));
    struct prediction_source s = {.model = row.id, .kind = SV("import"), .bytes = SV("unknown"), .engine = SV("f"),
                                  .recipe = SV("{}"), .k = w->k[m]};
    must(w, predictions_source(w->t->db, &s, 0, WORLD_NOW, &added, &w->t->err));
    for (int i = 0; i < IMAGES; i++) {
        unsigned char rank = (unsigned char)rng_below(&w->r, (uint32_t)w->k[m] + 1);
        w->rank[m][i] = m == 1 && i % 7 == 0 ? 255 : rank;
        if (w->rank[m][i] == 255) {
            continue;
        }
        p[n] = (struct prediction){.image = (uint32_t)w->images[i]};
        for (int j = 0; j < PREDICTION_K; j++) {
            p[n].labels[j] = (uint16_t)(j >= w->k[m]  ? PREDICTION_NONE
                                        : j + 1 == rank ? class_of(i)
                                                        : 100 + j);
        }
        n++;
    }
    must(w, predictions_append(w->t->db, &s, p, n, &w->t->err));
    must(w, db_tx_commit(w->t->db, &w->t->err));
    w->models[m] = row.id;
}

/* A pair for each image under its class, and one under another class that must not count. */
static void vote(struct world *w)
{
    static uint32_t image[2 * IMAGES], class_id[2 * IMAGES], shown[2 * IMAGES], selected[2 * IMAGES];
    for (int i = 0; i < IMAGES; i++) {
        w->shown[i] = i % 11 == 0 ? 0 : 1 + (uint32_t)rng_below(&w->r, 10);
        w->selected[i] = w->shown[i] ? (uint32_t)rng_below(&w->r, w->shown[i] + 1) : 0;
        for (int other = 0; other < 2; other++) {
            image[2 * i + other] = (uint32_t)w->images[i];
            class_id[2 * i + other] = (uint32_t)w->classes[1 + (class_of(i) - 1 + other) % CLASSES];
            shown[2 * i + other] = other ? 10 : w->shown[i];
            selected[2 * i + other] = other ? 10 : w->selected[i];
        }
    }
    w->votes = (struct view_counts){.n = (size_t)2 * IMAGES, .image = image, .class_id = class_id, .shown = shown,
                                    .selected = selected};
}

static struct world *make_world(struct temp_project *t)
{
    static const int depths[MODELS] = {5, 5, 1};
    struct world *w = arena_calloc(&t->arena, 1, sizeof *w);
    w->t = t;
    w->scores = model_scores_new();
    rng_seed(&w->r, 5);
    for (unsigned c = 1; c <= CLASSES; c++) {
        w->classes[c] = world_class(t->db, c);
    }
    for (unsigned i = 0; i < IMAGES; i++) {
        w->images[i] = world_image(t->db, i, w->classes[class_of((int)i)], "candidate");
    }
    w->set = make_set(w, "open", 0, 1, REVISION_UNSEALED);
    for (int m = 0; m < MODELS; m++) {
        w->k[m] = depths[m];
        predict(w, m);
    }
    vote(w);
    return w;
}

static struct binned bins(struct world *w, const struct subset *subset, size_t models)
{
    struct binned b;
    const struct binned_ask ask = {.revision = &w->set, .subset = subset, .votes = &w->votes, .models = w->models,
                                   .n_models = models};
    must(w, binned_make(w->scores, w->t->db, &ask, &w->t->arena, &b, &w->t->err));
    return b;
}

/* The bin by the words of the rule. */
static int bin_of(const struct world *w, int i)
{
    int at = 0;
    while (at < 4 && 5 * w->selected[i] >= (uint32_t)(at + 1) * w->shown[i]) {
        at++;
    }
    return at;
}

static void check(struct world *w, const struct binned *b, size_t models, int64_t class_id)
{
    uint32_t images[K] = {0}, unanswered = 0, sealed = 0;
    struct binned_count counts[MODELS][K] = {0};
    double sum[K] = {0}, whole[K] = {0};
    for (int i = 0; i < IMAGES; i++) {
        if (class_id && w->classes[class_of(i)] != class_id) {
            continue;
        }
        sealed += w->sealed[i];
        unanswered += !w->sealed[i] && w->shown[i] == 0;
        if (w->sealed[i] || w->shown[i] == 0) {
            continue;
        }
        int at = bin_of(w, i);
        double right = 0;
        bool all = true;
        images[at]++;
        for (size_t m = 0; m < models; m++) {
            unsigned char rank = w->rank[m][i];
            counts[m][at].n += rank != 255;
            counts[m][at].top1 += rank == 1;
            counts[m][at].top5 += rank >= 1 && rank <= K;
            right += rank == 1;
            all = all && rank != 255;
        }
        sum[at] += all ? right / (double)models : 0;
        whole[at] += all;
    }
    assert_int_equal(b->unanswered, unanswered);
    assert_int_equal(b->sealed, sealed);
    for (int k = 0; k < K; k++) {
        assert_int_equal(b->images[k], images[k]);
        for (size_t m = 0; m < models; m++) {
            assert_memory_equal(&b->models[m].bins[k], &counts[m][k], sizeof counts[m][k]);
        }
        assert_int_equal(b->mean_n[k], (uint32_t)whole[k]);
        if (whole[k] > 0) {
            assert_true(fabs(b->mean1[k].value - sum[k] / whole[k]) < 1e-12);
        }
        if (whole[k] > 1) {
            assert_true(b->mean1[k].lo <= b->mean1[k].value && b->mean1[k].value <= b->mean1[k].hi);
        }
    }
}

PROJECT_TEST(every_image_is_in_its_bin)
{
    struct world *w = make_world(*state);
    struct binned b = bins(w, NULL, 2);
    check(w, &b, 2, 0);
    assert_true(!isnan(b.mean5[4].value));
    assert_int_equal(b.models[0].k, 5);
    /* A model with one column says nothing of top-5. */
    b = bins(w, NULL, MODELS);
    check(w, &b, MODELS, 0);
    assert_int_equal(b.models[2].k, 1);
    assert_true(isnan(b.mean5[4].value) && !isnan(b.mean1[4].value));
    model_scores_free(w->scores);
}

PROJECT_TEST(a_class_alone)
{
    struct world *w = make_world(*state);
    struct subset_part part = {.label = "", .ids = &w->classes[2], .n = 1, .of = SUBSET_CLASSES};
    const struct subset one = {.name = SV("class:n"), .label = "", .parts = &part, .n = 1};
    struct binned b = bins(w, &one, 2);
    check(w, &b, 2, w->classes[2]);
    model_scores_free(w->scores);
}

PROJECT_TEST(sealed_images_are_in_no_bin)
{
    struct world *w = make_world(*state);
    struct revision_row closed = make_set(w, "closed", 1, 5, REVISION_SEALED);
    for (int i = 1; i < IMAGES; i += 5) {
        w->sealed[i] = true;
    }
    struct binned b = bins(w, NULL, 2);
    check(w, &b, 2, 0);
    assert_int_equal(b.sealed, IMAGES / 5);
    w->set = closed;
    const struct binned_ask ask = {.revision = &closed, .votes = &w->votes, .models = w->models, .n_models = 2};
    assert_int_equal(binned_make(w->scores, w->t->db, &ask, &w->t->arena, &b, &w->t->err), ERR_DENIED);
    assert_string_equal(w->t->err.rule, "set-sealed");
    model_scores_free(w->scores);
}

PROJECT_TEST(without_models_or_votes)
{
    struct world *w = make_world(*state);
    struct binned b = bins(w, NULL, 0);
    assert_true(isnan(b.mean1[4].value) && b.mean_n[4] == 0);
    w->votes.n = 0;
    b = bins(w, NULL, 2);
    assert_int_equal(b.unanswered, IMAGES);
    assert_int_equal(b.models[0].bins[4].n, 0);
    struct binned_set s = binned_set(&b, SV("open/0"), SV("open"), (const struct sv[]){SV("m0"), SV("m1")}, &w->t->arena);
    assert_int_equal(s.images, 0);
    assert_int_equal(s.n_rows, 2 * K);
    json_t *json = record_json(&binned_set_record, &s);
    assert_non_null(json);
    json_decref(json);
    model_scores_free(w->scores);
}
