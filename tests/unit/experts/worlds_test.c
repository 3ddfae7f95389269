/* worlds_test.c - a hundred worlds whose truth is known: models of known skill predict a set in which some labels were
 * planted wrong, and experts of known skill review a random list and a list by likely errors. What the product then prints
 * must hold the truth, and the planted errors must come first. The numbers are printed. */
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "base/xalloc.h"
#include "experts/review_agreement.h"
#include "experts/review_facts.h"
#include "experts/review_make.h"
#include "live/labels/review_books.h"
#include "measures/images/label_errors.h"
#include "temp_project.h"
#include "world.h"

enum { PROJECTS = 10, WORLDS = 10 /* in each */, CLASSES = 12, IMAGES = 240, MODELS = 4, EXPERTS = 3, DRAWN = 80, CHOSEN = 30 };

static const double model_skill[MODELS] = {0.5, 0.6, 0.7, 0.8};
static const double expert_skill[EXPERTS] = {0.97, 0.95, 0.93}; /* a verdict is right */
static const double judge_skill = 0.99;
static const double planted = 0.06, several = 0.3;

struct image {
    int64_t id;
    int truth[2]; /* classes; the second -1: none */
    int label;    /* in the set */
    int said[MODELS];
};
struct world {
    struct temp_project *t;
    struct arena a;
    struct rng *rng;
    int64_t classes[CLASSES], account[EXPERTS + 1]; /* the last adjudicates */
    struct image images[IMAGES];
    int64_t models[MODELS];
    struct revision_row set;
    char name[32];
};
struct outcome {
    int inside[MODELS], rate_inside, found_twice;
    int64_t errors, first, said_wrong; /* planted; of the first CHOSEN: reviewed, and called wrong */
    int64_t first_wrong;               /* of the first CHOSEN, by the truth */
    int64_t likely, likely_wrong;
    double alpha;
};

static void must(struct world *w, enum err_code rc)
{
    if (rc != OK) {
        fail_msg("%s: %s", w->t->err.rule, w->t->err.msg);
    }
}

static bool chance(struct world *w, double p) { return rng_unit(w->rng) < p; }

static bool is_true(const struct image *i, int k) { return i->truth[0] == k || i->truth[1] == k; }

/* The class that it is easily taken for, or any. */
static int mistaken(struct world *w, const struct image *i)
{
    return chance(w, 0.7) ? i->truth[0] ^ 1 : (int)rng_below(w->rng, CLASSES);
}

static int wrong_class(struct world *w, const struct image *i)
{
    int k;
    do {
        k = mistaken(w, i);
    } while (is_true(i, k));
    return k;
}

/* ---- making one ---- */

static void make_set(struct world *w, unsigned number)
{
    struct revision_image list[IMAGES];
    bool added;
    int64_t id;
    for (int i = 0; i < IMAGES; i++) {
        struct image *image = &w->images[i];
        image->truth[0] = (int)rng_below(w->rng, CLASSES);
        image->truth[1] = -1;
        image->truth[1] = chance(w, several) ? wrong_class(w, image) : -1;
        image->label = chance(w, planted) ? wrong_class(w, image) : image->truth[0];
        image->id = world_image(w->t->db, number * IMAGES + (unsigned)i, w->classes[image->label], "candidate");
        list[i] = (struct revision_image){(uint32_t)image->id, (uint32_t)w->classes[image->label]};
    }
    struct revision_new r = {.set = sv_of(w->name), .role = SV("new"), .strategy = SV("import"), .parameters = SV("{}"),
                             .images = list, .n = IMAGES, .state = REVISION_UNSEALED, .state_reason = SV("a look")};
    r.digest[0] = (unsigned char)(number + 1);
    must(w, revisions_add(w->t->db, true, &r, WORLD_NOW, &id, &added, &w->t->err));
    must(w, revisions_get(w->t->db, id, &w->a, &w->set, &w->t->err));
}

/* Of what the model knows: its first answer, sure when it is right, then others. */
static struct prediction predict(struct world *w, int m, struct image *image)
{
    struct prediction p = {.image = (uint32_t)image->id};
    bool knows = chance(w, model_skill[m]);
    double left = 1, share = knows ? 0.5 + 0.4 * rng_unit(w->rng) : 0.3 + 0.3 * rng_unit(w->rng);
    int first = knows ? image->truth[image->truth[1] >= 0 && chance(w, 0.3)] : mistaken(w, image);
    int then = is_true(image, first) ? (first + 1) % CLASSES : image->truth[0];
    image->said[m] = first;
    for (int k = 0, n = 0; n < PREDICTION_K; k++) {
        int next = k == 0 ? first : k == 1 ? then : (first + k) % CLASSES;
        if (k > 1 && (next == first || next == then)) {
            continue;
        }
        p.labels[n] = (uint16_t)(next + 1);
        p.scores[n++] = (float)(left * share);
        left -= left * share;
    }
    return p;
}

static void make_models(struct world *w)
{
    for (int m = 0; m < MODELS; m++) {
        struct prediction p[IMAGES];
        char name[48];
        bool added;
        snprintf(name, sizeof name, "%s-model-%d", w->name, m);
        struct model_row row = {.name = sv_of(name), .kind = SV("import")};
        must(w, db_tx_begin(w->t->db, &w->t->err));
        must(w, models_put(w->t->db, &row, 0, WORLD_NOW, &added, &w->t->err));
        w->models[m] = row.id;
        struct prediction_source s = {.model = row.id, .kind = SV("import"), .bytes = SV("unknown"), .engine = SV("f"),
                                      .recipe = SV("{}"), .k = PREDICTION_K, .scored = true, .revision = w->set.id};
        must(w, predictions_source(w->t->db, &s, 0, WORLD_NOW, &added, &w->t->err));
        for (int i = 0; i < IMAGES; i++) {
            p[i] = predict(w, m, &w->images[i]);
        }
        must(w, predictions_append(w->t->db, &s, p, IMAGES, &w->t->err));
        must(w, db_tx_commit(w->t->db, &w->t->err));
    }
}

/* ---- reviewing ---- */

static const struct image *image_of(const struct world *w, int64_t id)
{
    int i = 0;
    while (w->images[i].id != id) {
        i++;
    }
    return &w->images[i];
}

static void look(struct world *w, const struct label_review_row *r, int64_t position, int64_t account, double skill, enum look_part part)
{
    struct label_asked *asked;
    struct look_verdict said[CLASSES];
    int64_t image, id;
    double p;
    size_t n = 0;
    must(w, label_review_image(w->t->db, r->id, position, &image, &p, &w->t->err));
    must(w, label_review_labels(w->t->db, r->id, position, false, &w->a, &asked, &n, &w->t->err));
    for (size_t i = 0; i < n; i++) {
        bool right = is_true(image_of(w, image), (int)asked[i].cid - 1) == chance(w, skill);
        said[i] = (struct look_verdict){(uint32_t)asked[i].class_id, right ? VERDICT_CORRECT : VERDICT_WRONG};
    }
    const struct label_look_new v = {.review = r->id, .position = position, .account = account, .part = part, .verdicts = said,
                                     .n = n, .problem = PROBLEMS, .comment = SV("")};
    must(w, label_look_add(w->t->db, &v, WORLD_NOW, &id, &w->t->err));
}

/* Everybody looks at everything; what they disagree about is adjudicated. */
static void review(struct world *w, struct sv name, struct label_review_row *r)
{
    struct review_progress now;
    must(w, label_reviews_find(w->t->db, name, &w->a, r, &w->t->err));
    must(w, db_tx_begin(w->t->db, &w->t->err));
    for (int64_t at = 0; at < r->images; at++) {
        for (int e = 0; e < EXPERTS; e++) {
            look(w, r, at, w->account[e], expert_skill[e], LOOK_REVIEW);
        }
    }
    must(w, db_tx_commit(w->t->db, &w->t->err));
    must(w, label_reviews_find(w->t->db, name, &w->a, r, &w->t->err));
    must(w, review_progress_read(w->t->db, r, &w->a, &now, &w->t->err));
    must(w, db_tx_begin(w->t->db, &w->t->err));
    for (size_t i = 0; i < now.n_open; i++) {
        look(w, r, now.open[i].position, w->account[EXPERTS], judge_skill, LOOK_ADJUDICATION);
    }
    must(w, db_tx_commit(w->t->db, &w->t->err));
    must(w, label_reviews_find(w->t->db, name, &w->a, r, &w->t->err));
}

static struct review_facts make_review(struct world *w, struct model_scores *scores, enum review_queue queue, int64_t images,
                                       int64_t beside, struct label_review_row *r)
{
    struct review_facts f;
    struct review_made made;
    const char *name = arena_printf(&w->a, "%s-%s", w->name, review_queue_word(queue));
    const struct review_ask ask = {.name = sv_of(name), .set = sv_of(w->name), .models = SV(""), .sources = SV(""), .queue = queue,
                                   .images = images, .beside = beside, .seed = (int64_t)rng_below(w->rng, 1 << 20),
                                   .reviewers = EXPERTS};
    must(w, review_make(w->t->db, true, &ask, WORLD_NOW, &w->a, &made, &w->t->err));
    review(w, sv_of(name), r);
    must(w, review_facts_read(w->t->db, scores, r, &w->a, &f, &w->t->err));
    return f;
}

/* ---- what comes of it ---- */

/* Over all images: strict multi-label accuracy, in percent. */
static double true_accuracy(const struct world *w, int m)
{
    int right = 0;
    for (int i = 0; i < IMAGES; i++) {
        right += is_true(&w->images[i], w->images[i].said[m]);
    }
    return 100.0 * right / IMAGES;
}

static int true_errors(const struct world *w)
{
    int wrong = 0;
    for (int i = 0; i < IMAGES; i++) {
        wrong += !is_true(&w->images[i], w->images[i].label);
    }
    return wrong;
}

static void judge_scores(const struct world *w, const struct review_facts *f, struct outcome *out)
{
    assert_int_equal(f->n_rows, MODELS);
    for (size_t k = 0; k < f->n_rows; k++) {
        int m = f->rows[k].model.p[f->rows[k].model.n - 1] - '0';
        double truth = true_accuracy(w, m);
        out->inside[m] += f->rows[k].strict_lo <= truth && truth <= f->rows[k].strict_hi;
    }
}

static void judge_found(struct world *w, const struct review_facts *f, struct model_scores *scores, struct outcome *out)
{
    struct label_errors all;
    const double rate = 100.0 * true_errors(w) / IMAGES;
    const struct review_found *last = &f->found[f->n_found - 1];
    const struct label_errors_ask ask = {.revision = &w->set, .models = w->models, .n_models = MODELS};
    assert_int_equal(last->k, CHOSEN);
    out->rate_inside += f->rates[0].lo <= rate && rate <= f->rates[0].hi;
    out->found_twice += last->precision >= 2 * rate;
    out->errors += true_errors(w);
    out->first += last->reviewed;
    out->said_wrong += last->wrong;
    must(w, label_errors_make(scores, w->t->db, &ask, &w->a, &all, &w->t->err));
    assert_int_equal(all.n, IMAGES);
    assert_int_equal(all.scored, MODELS);
    out->likely += all.likely;
    for (size_t i = 0; i < all.n; i++) {
        const struct image *image = image_of(w, all.list[i].image);
        out->likely_wrong += all.list[i].likely && !is_true(image, image->label);
        out->first_wrong += i < CHOSEN && !is_true(image, image->label);
    }
}

static void run_world(struct temp_project *t, unsigned number, struct rng *rng, struct outcome *out)
{
    struct world *w = xcalloc(1, sizeof *w);
    struct label_review_row r;
    struct review_agreement g;
    struct model_scores *scores = model_scores_new();
    arena_init(&w->a, (size_t)64 << 20);
    w->t = t;
    w->rng = rng;
    snprintf(w->name, sizeof w->name, "world-%u", number);
    for (unsigned k = 0; k < CLASSES; k++) {
        w->classes[k] = number ? temp_int(t, arena_printf(&w->a, "SELECT id FROM class WHERE cid = %u", k + 1)) : world_class(t->db, k + 1);
    }
    for (int e = 0; e <= EXPERTS; e++) {
        w->account[e] = world_account(t->db, arena_printf(&w->a, "expert-%u-%d", number, e), e < EXPERTS ? "expert" : "lead");
    }
    make_set(w, number);
    make_models(w);
    struct review_facts f = make_review(w, scores, QUEUE_RANDOM, DRAWN, 0, &r);
    judge_scores(w, &f, out);
    must(w, review_agreement_read(t->db, &r, AGREEMENT_UNPROMPTED, &w->a, &g, &t->err));
    out->alpha += g.figures[0].value;
    f = make_review(w, scores, QUEUE_ERRORS, CHOSEN, DRAWN, &r);
    judge_found(w, &f, scores, out);
    model_scores_free(scores);
    arena_release(&w->a);
    free(w);
}

TEST(hundred_worlds)
{
    struct outcome o = {.alpha = 0};
    struct rng rng;
    const int n = PROJECTS * WORLDS;
    rng_seed(&rng, 20);
    for (unsigned p = 0; p < PROJECTS; p++) {
        void *project;
        assert_int_equal(temp_project_open(&project), 0);
        for (unsigned i = 0; i < WORLDS; i++) {
            run_world(project, i, &rng, &o);
        }
        temp_project_close(&project);
    }
    double rate = (double)o.errors / n / IMAGES, precision = (double)o.first_wrong / (n * CHOSEN), said = (double)o.said_wrong / (double)o.first;
    print_message("true accuracy inside the interval, by model: %d %d %d %d of %d\n", o.inside[0], o.inside[1], o.inside[2], o.inside[3], n);
    print_message("true error rate inside the random arm's interval: %d of %d\n", o.rate_inside, n);
    print_message("first %d of %d images by likely errors: precision %.1f %%, recall %.1f %%, at random %.1f %% and %.1f %%: %.1f times as many;\n"
                  "reviewers call %.1f %% of them wrong, at least twice the rate in %d of %d worlds\n",
                  CHOSEN, IMAGES, 100 * precision, 100.0 * (double)o.first_wrong / (double)o.errors, 100 * rate, 100.0 * CHOSEN / IMAGES,
                  precision / rate, 100 * said, o.found_twice, n);
    print_message("likely wrong: precision %.1f %%, recall %.1f %%\n", 100.0 * (double)o.likely_wrong / (double)o.likely,
                  100.0 * (double)o.likely_wrong / (double)o.errors);
    print_message("Krippendorff's alpha of the experts, mean: %.3f\n", o.alpha / n);
    for (int m = 0; m < MODELS; m++) {
        assert_in_range(o.inside[m], 90, n);
    }
    assert_in_range(o.rate_inside, 90, n);
    assert_in_range(o.found_twice, 90, n);
    assert_true(precision > 2 * rate);
}
