/* model_gaps_test.c - gaps from stored predictions: made at once or by the thread, the same numbers; kept while
 * nothing changes them, made again when something does. */
#include "unit.h"

#include <sched.h>
#include <string.h>

#include "measures/scores/model_gaps.h"
#include "store/models/predictions.h"
#include "temp_project.h"
#include "world.h"

enum { CLASSES = 30, EACH = 160, MODELS = 8, IMAGES = CLASSES * EACH };

struct world {
    struct temp_project *t;
    struct model_scores *scores;
    int64_t classes[CLASSES], images[IMAGES], models[MODELS];
    struct prediction_source sources[MODELS];
    struct revision_row sets[2];
};

static void must(struct world *w, enum err_code rc)
{
    if (rc != OK) {
        fail_msg("%s: %s", w->t->err.rule, w->t->err.msg);
    }
}

/* The originals have every class, the new set all but the last; every image is in one of them. */
static void make_set(struct world *w, int at, const char *name)
{
    struct revision_image images[IMAGES];
    size_t n = 0;
    int64_t id;
    bool added;
    for (int i = 0; i < IMAGES; i++) {
        bool fresh = i % 2 && i / EACH < CLASSES - 1;
        if (fresh == (at == 1)) {
            images[n++] = (struct revision_image){(uint32_t)w->images[i], (uint32_t)w->classes[i / EACH]};
        }
    }
    struct revision_new r = {.set = sv_of(name), .role = at ? SV("new") : SV("original"), .strategy = SV("import"),
                             .parameters = SV("{}"), .images = images, .n = n, .state = REVISION_UNSEALED,
                             .state_reason = SV("a look")};
    r.digest[0] = (unsigned char)(at + 1);
    must(w, revisions_add(w->t->db, true, &r, WORLD_NOW, &id, &added, &w->t->err));
    must(w, revisions_get(w->t->db, id, &w->t->arena, &w->sets[at], &w->t->err));
}

/* Model m has image i right unless (i / 2 + shift) % (m + 3) is 0. */
static void predict(struct world *w, int m, int shift)
{
    static struct prediction p[IMAGES];
    for (int i = 0; i < IMAGES; i++) {
        bool right = (i / 2 + shift) % (m + 3) != 0;
        p[i] = (struct prediction){.image = (uint32_t)w->images[i],
                                   .labels = {(uint16_t)(right ? i / EACH + 1 : CLASSES + 1), PREDICTION_NONE,
                                              PREDICTION_NONE, PREDICTION_NONE, PREDICTION_NONE}};
    }
    must(w, db_tx_begin(w->t->db, &w->t->err));
    for (int i = 0; i < IMAGES; i += 1000) {
        must(w, predictions_append(w->t->db, &w->sources[m], p + i, IMAGES - i < 1000 ? (size_t)(IMAGES - i) : 1000, &w->t->err));
    }
    must(w, db_tx_commit(w->t->db, &w->t->err));
}

static struct world *make_world(struct temp_project *t)
{
    struct world *w = arena_calloc(&t->arena, 1, sizeof *w);
    w->t = t;
    w->scores = model_scores_new();
    for (unsigned c = 0; c < CLASSES; c++) {
        w->classes[c] = world_class(t->db, c + 1);
    }
    must(w, db_tx_begin(t->db, &t->err));
    for (unsigned i = 0; i < IMAGES; i++) {
        w->images[i] = world_image(t->db, i, w->classes[i / EACH], "candidate");
    }
    for (int m = 0; m < MODELS; m++) {
        struct model_row row = {.kind = SV("import")};
        char name[16];
        bool added;
        snprintf(name, sizeof name, "m%d", m);
        row.name = sv_of(name);
        must(w, models_put(t->db, &row, 0, WORLD_NOW, &added, &t->err));
        w->models[m] = row.id;
        w->sources[m] = (struct prediction_source){.model = row.id, .kind = SV("import"), .bytes = SV("unknown"),
                                                   .engine = SV("f"), .recipe = SV("{}"), .k = 1};
        must(w, predictions_source(t->db, &w->sources[m], 0, WORLD_NOW, &added, &t->err));
    }
    must(w, db_tx_commit(t->db, &t->err));
    make_set(w, 0, "old");
    make_set(w, 1, "fresh");
    for (int m = 0; m < MODELS; m++) {
        predict(w, m, 0);
    }
    return w;
}

static struct model_gaps_found look(struct world *w, struct model_gaps *g, size_t models, bool wait)
{
    struct model_gaps_found found;
    const struct model_gaps_ask ask = {.original = &w->sets[0], .fresh = &w->sets[1], .top = 1,
                                       .models = w->models, .n = models, .wait = wait};
    must(w, model_gaps_of(g, w->scores, w->t->db, &ask, &w->t->arena, &found, &w->t->err));
    return found;
}

/* As the page does: looks again when something was made. */
static struct model_gaps_found until_ready(struct world *w, struct model_gaps *g, size_t models)
{
    for (;;) {
        uint64_t made = model_gaps_made(g);
        struct model_gaps_found found = look(w, g, models, false);
        if (found.ready) {
            return found;
        }
        while (model_gaps_made(g) == made) {
            sched_yield();
        }
    }
}

/* Not with memcmp: structs have room between their members. */
static bool same_range(const struct gap_range *a, const struct gap_range *b)
{
    return a->known == b->known && a->lo == b->lo && a->hi == b->hi;
}

static bool same_line(const struct gap_line *a, const struct gap_line *b)
{
    return a->original_acc == b->original_acc && a->fresh_acc == b->fresh_acc && a->gap == b->gap &&
           same_range(&a->raw, &b->raw) && same_range(&a->common, &b->common) &&
           same_range(&a->original_rank, &b->original_rank) && same_range(&a->fresh_rank, &b->fresh_rank) &&
           same_range(&a->change, &b->change);
}

static void same(const struct model_gaps_found *a, const struct model_gaps_found *b, size_t n)
{
    assert_true(a->ready && b->ready);
    assert_true(a->classes.common == b->classes.common && a->classes.shared == b->classes.shared);
    for (size_t i = 0; i < n; i++) {
        assert_true(same_line(&a->lines[i], &b->lines[i]));
    }
}

PROJECT_TEST(now_or_later)
{
    struct world *w = make_world(*state);
    struct model_gaps *g = model_gaps_new(), *other = model_gaps_new();
    struct model_gaps_found at_once = look(w, other, MODELS, true), first = look(w, g, MODELS, false);
    assert_int_equal(first.classes.original, CLASSES);
    assert_int_equal(first.classes.common, CLASSES - 1);
    assert_int_equal(model_gaps_made(other), 0);
    for (int m = 0; m < MODELS; m++) { /* what needs no resamples is there at once */
        assert_true(first.lines[m].gap == at_once.lines[m].gap && at_once.lines[m].common.known);
        assert_true(first.ready || !first.lines[m].common.known);
    }
    struct model_gaps_found later = until_ready(w, g, MODELS);
    same(&at_once, &later, MODELS);
    assert_int_equal(model_gaps_made(g), 1);
    later = look(w, g, MODELS, true);
    same(&at_once, &later, MODELS);
    assert_int_equal(model_gaps_made(g), 1); /* kept */

    /* Predictions of others, and the same ones again, change nothing and cost nothing. */
    predict(w, 1, 0);
    later = look(w, g, MODELS, false);
    same(&at_once, &later, MODELS);
    predict(w, 2, 1);
    later = until_ready(w, g, MODELS);
    assert_true(later.lines[2].raw.lo != at_once.lines[2].raw.lo || later.lines[2].gap != at_once.lines[2].gap);
    assert_true(same_range(&later.lines[4].raw, &at_once.lines[4].raw));
    assert_int_equal(model_gaps_made(g), 2);
    model_gaps_free(g);
    model_gaps_free(other);
    model_scores_free(w->scores);
}

/* A set of images 1, 3, 5 and so on, all of the first class. */
static struct revision_row small_set(struct world *w, const char *name, uint32_t n, enum revision_state state)
{
    struct revision_image images[EACH];
    struct revision_row row;
    int64_t id;
    bool added;
    for (uint32_t i = 0; i < n; i++) {
        images[i] = (struct revision_image){(uint32_t)w->images[2 * i + 1], (uint32_t)w->classes[0]};
    }
    struct revision_new r = {.set = sv_of(name), .role = SV("new"), .strategy = SV("import"), .parameters = SV("{}"),
                             .images = images, .n = n, .digest = {(unsigned char)(10 * n + state)},
                             .state = state, .state_reason = SV("final")};
    must(w, revisions_add(w->t->db, true, &r, WORLD_NOW, &id, &added, &w->t->err));
    must(w, revisions_get(w->t->db, id, &w->t->arena, &row, &w->t->err));
    return row;
}

/* The accuracy on one common class is a class's score: with one sealed image it would tell the answer about that. */
PROJECT_TEST(one_sealed_image_of_one_common_class)
{
    struct world *w = make_world(*state);
    struct model_gaps *g = model_gaps_new();
    must(w, db_tx_begin(w->t->db, &w->t->err));
    must(w, revision_state_add(w->t->db, w->sets[1].id, REVISION_FROZEN, SV("final"), 0, WORLD_NOW, &w->t->err));
    must(w, db_tx_commit(w->t->db, &w->t->err));
    w->sets[1] = small_set(w, "lone", 3, REVISION_FROZEN);
    struct model_gaps_found open = look(w, g, MODELS, true);
    assert_true(open.classes.common == 1 && gap_told(&open.classes) && open.lines[1].common.known);
    for (uint32_t n = 1; n <= 2; n++) { /* nothing was predicted since */
        small_set(w, n == 1 ? "one" : "two", n, REVISION_SEALED);
        struct model_gaps_found f = look(w, g, MODELS, true);
        assert_int_equal(gap_told(&f.classes), n > 1 ? 1 : 0);
        assert_true(f.classes.common == 1 && same_range(&f.lines[1].raw, &open.lines[1].raw));
        assert_true(n > 1 ? same_line(&f.lines[1], &open.lines[1])
                          : f.lines[1].gap == 0 && f.lines[1].fresh_acc == 0 && !f.lines[1].common.known);
    }
    model_gaps_free(g);
    model_scores_free(w->scores);
}

/* Freeing stops what the thread is at, and what waits. */
PROJECT_TEST(ends_at_once)
{
    struct world *w = make_world(*state);
    struct model_gaps *g = model_gaps_new();
    for (size_t n = 1; n <= MODELS; n++) {
        look(w, g, n, false);
    }
    model_gaps_free(g);
    model_gaps_free(NULL);
    model_scores_free(w->scores);
}
