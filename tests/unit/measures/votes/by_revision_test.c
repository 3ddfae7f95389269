/* by_revision_test.c - a few models on every revision against the scores of all models on each: while files come, runs
 * fill in, sets are frozen, sources are chosen and images are sealed; what a revision changed; what is refused. */
#include "unit.h"

#include <string.h>

#include "measures/votes/by_revision_rows.h"
#include "measures/score_world.h"
#include "world.h"

enum { ROUNDS = 40 };

static struct revision_line *lines_of(struct world *w, struct by_revision *b, int64_t set, const struct subset *subset,
                                      const int64_t *models, size_t n_models, size_t *n)
{
    struct revision_line *lines = NULL;
    const struct revision_ask ask = {.set = set, .subset = subset, .models = models, .n_models = n_models};
    world_must(w, by_revision_make(b, w->t->db, &ask, &w->t->arena, &lines, n, &w->t->err));
    return lines;
}

static void same_score(const struct model_score *got, const struct model_score *want)
{
    assert_int_equal(got->predicted, want ? want->predicted : 0);
    if (want) {
        assert_true(got->model == want->model && got->images == want->images && got->top1 == want->top1 &&
                    got->topk == want->topk && got->k == want->k && got->source == want->source);
    }
}

/* Two models asked for in the other order, then all three with what is kept of two. */
static void compare(struct world *w, struct by_revision *b, int set, const struct subset *subset)
{
    const int64_t asked[MODELS] = {w->models[2], w->models[0], w->models[1]};
    struct model_score *all;
    size_t n, n_lines;
    world_must(w, model_scores_of(w->scores, w->t->db, &w->sets[set].r, subset, &w->t->arena, &all, &n, &w->t->err));
    for (size_t models = 2; models <= MODELS; models++) {
        struct revision_line *lines = lines_of(w, b, w->sets[set].r.image_set, subset, asked, models, &n_lines);
        assert_true(n_lines == 1 && lines[0].revision->id == w->sets[set].r.id && lines[0].scoreable && !lines[0].changed);
        for (size_t m = 0; m < models; m++) {
            const struct model_score *want = NULL;
            for (size_t i = 0; i < n; i++) {
                want = all[i].model == asked[m] ? &all[i] : want;
            }
            same_score(&lines[0].on[m], want);
        }
    }
}

static struct revision_row add_revision(struct world *w, const char *set, const int *some, size_t n, int64_t parent,
                                        enum revision_state state)
{
    static unsigned char digest = 200;
    struct revision_image images[IMAGES];
    struct revision_row row;
    int64_t id;
    bool added;
    for (size_t i = 0; i < n; i++) {
        images[i] = (struct revision_image){(uint32_t)w->images[some[i]], (uint32_t)w->classes[1 + some[i] % CLASSES]};
    }
    struct revision_new r = {.set = sv_of(set), .role = SV("new"), .strategy = SV("import"), .parent = parent,
                             .parameters = SV("{\"name\":\"published\"}"), .images = images, .n = n, .digest = {digest++},
                             .state = state, .state_reason = SV("a look")};
    world_must(w, revisions_add(w->t->db, true, &r, WORLD_NOW, &id, &added, &w->t->err));
    world_must(w, revisions_get(w->t->db, id, &w->t->arena, &row, &w->t->err));
    return row;
}

PROJECT_TEST(a_few_models_are_as_among_all)
{
    struct rng rng;
    rng_seed(&rng, 21);
    struct world *w = score_world_make(*state, &rng);
    struct by_revision *b = by_revision_new();
    struct subset_part part = {.label = "", .ids = &w->classes[2], .n = 1, .of = SUBSET_CLASSES};
    const struct subset one = {.name = SV("class:n"), .label = "", .parts = &part, .n = 1};
    for (int i = 0; i < ROUNDS; i++) {
        score_world_predict(w, &rng);
        if (i % 13 == 7) {
            score_world_freeze(w, i / 13 % SETS);
        }
        if (i % 9 == 4) {
            score_world_decide(w, &rng, (int)rng_below(&rng, SETS), (int)rng_below(&rng, MODELS));
        }
        if (i == ROUNDS / 2) {
            static const int some[] = {3, 4, 5, 30, 31, 60};
            add_revision(w, "hidden", some, 6, 0, REVISION_SEALED);
        }
        for (int set = 0; set < SETS; set++) {
            compare(w, b, set, NULL);
            compare(w, b, set, &one);
        }
    }
    by_revision_free(b);
    by_revision_free(NULL);
    model_scores_free(w->scores);
}

PROJECT_TEST(what_each_revision_changed)
{
    static const int first[] = {0, 1, 2, 3}, second[] = {1, 2, 3, 4, 5}, third[] = {1, 2};
    struct rng rng;
    rng_seed(&rng, 22);
    struct world *w = score_world_make(*state, &rng);
    struct by_revision *b = by_revision_new();
    size_t n;
    for (int i = 0; i < ROUNDS; i++) {
        score_world_predict(w, &rng);
    }
    struct revision_row r = add_revision(w, "tree", first, 4, 0, REVISION_UNSEALED);
    struct revision_row branch = add_revision(w, "tree", second, 5, r.id, REVISION_SEALED);
    add_revision(w, "tree", third, 2, branch.id, REVISION_UNSEALED);
    for (int again = 0; again < 2; again++) {
        struct revision_line *lines = lines_of(w, b, r.image_set, NULL, w->models, MODELS, &n);
        assert_int_equal(n, 3);
        assert_true(!lines[0].changed && lines[1].changed && lines[1].added == 2 && lines[1].removed == 1);
        assert_true(lines[2].changed && lines[2].added == 0 && lines[2].removed == 3);
        assert_true(lines[0].scoreable && !lines[1].scoreable && lines[2].scoreable);
        assert_int_equal(lines[1].on[0].predicted, 0);
        const struct sv names[MODELS] = {SV("m0"), SV("m1"), SV("m2")};
        struct revision_scores_list list = revision_score_rows(lines, n, names, MODELS, &w->t->arena);
        assert_int_equal(list.n_sealed, 1);
        for (size_t i = 0; i < list.n_rows; i++) {
            const struct revision_score_row *row = &list.rows[i];
            assert_true(sv_is(row->name, "published") && row->n == row->images);
            assert_true(row->number == 2 ? sv_is(row->parent, "tree/1") && row->removed == 3 : row->parent.n == 0);
            json_t *json = record_json(&revision_score_record, row);
            assert_int_equal(json_is_null(json_object_get(json, "added")), row->number == 0);
            json_decref(json);
        }
        assert_true(list.n_rows + list.n_partial <= 2 * MODELS);
    }
    by_revision_free(b);
    model_scores_free(w->scores);
}
