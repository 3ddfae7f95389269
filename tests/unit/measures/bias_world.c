/* bias_world.c - worlds from seeds. */
#include "measures/bias_world.h"

#include <math.h>
#include <string.h>

#include "unit.h"

#include "base/xalloc.h"

static double normal(struct rng *r)
{
    double u = 1 - rng_unit(r), v = rng_unit(r);
    return sqrt(-2 * log(u)) * cos(2 * acos(-1) * v);
}

/* Marsaglia and Tsang 2000. */
static double gamma_draw(struct rng *r, double shape)
{
    if (shape < 1) {
        double u = 1 - rng_unit(r);
        return gamma_draw(r, shape + 1) * pow(u, 1 / shape);
    }
    double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);
    for (;;) {
        double x = normal(r), v = 1 + c * x;
        if (v > 0 && log(1 - rng_unit(r)) < x * x / 2 + d - d * v * v * v + 3 * d * log(v)) {
            return d * v * v * v;
        }
    }
}

static double beta_draw(struct rng *r, double a, double b)
{
    double x = gamma_draw(r, a), y = gamma_draw(r, b);
    return x / (x + y);
}

static double shifted(double p, double by)
{
    return by == 0 ? p : 1 / (1 + exp(-(log((p + 1e-9) / (1 - p + 1e-9)) + by)));
}

/* What many workers would say about it: the mean over their leanings. */
static double said_by_many(double p, double leaning)
{
    double sum = 0, weight = 0;
    for (int i = -20; i <= 20 && leaning > 0; i++) {
        double x = i / 5.0, w = exp(-x * x / 2);
        sum += w * shifted(p, leaning * x);
        weight += w;
    }
    return leaning > 0 ? sum / weight : p;
}

static double one_of(struct rng *r, const double chances[4])
{
    static const double points[] = {0.1, 0.4, 0.7, 0.95};
    double u = rng_unit(r);
    size_t i = 0;
    for (; i < 3 && u >= chances[i]; i++) {
        u -= chances[i];
    }
    return points[i];
}

static double frequency(struct rng *r, enum bias_shape shape, bool original)
{
    static const double pool[] = {0.35, 0.2, 0.3, 0.15}, good[] = {0.05, 0.1, 0.35, 0.5};
    double u;
    switch (shape) {
    case SHAPE_HUMPS:
        u = rng_unit(r);
        return original ? (u < 0.15 ? beta_draw(r, 4, 8) : beta_draw(r, 18, 3))
               : u < 0.5 ? beta_draw(r, 4, 16)
                         : beta_draw(r, 16, 4);
    case SHAPE_POINTS:
        return one_of(r, original ? good : pool);
    case SHAPE_CUT:
        u = rng_unit(r);
        return original ? 0.4 + 0.55 * u : 0.25 + 0.6 * u;
    case SHAPE_SKEWED:
        u = rng_unit(r);
        return original ? 1 - 0.6 * u * u * u : u * u * u;
    case SHAPE_BETA:
    case BIAS_SHAPES:
        break;
    }
    return original ? beta_draw(r, 2.2, 0.85) : beta_draw(r, 0.6, 0.9);
}

static bool judged(struct rng *r, enum bias_review review, double p)
{
    double u = rng_unit(r);
    return review == REVIEW_BELOW_3   ? p < 0.3
           : review == REVIEW_BELOW_4 ? p < 0.4
           : review == REVIEW_SOFT    ? u < 0.03 + 0.97 / (1 + exp((p - 0.35) / 0.07))
           : review == REVIEW_PICKY ? p < 0.35 || u < 0.15
                                      : false;
}

static double drawn(const struct bias_world *w, struct rng *r, bool original, double off)
{
    return w->erring + (1 - 2 * w->erring) * shifted(frequency(r, w->shape, original), off);
}

static double step_of(const struct bias_world *w, uint32_t c)
{
    return c % 2 ? w->steps : -w->steps;
}

static void vote(struct bias_made *m, const struct bias_world *w, uint32_t image, double p, struct rng *r)
{
    for (uint32_t i = 0; i < w->answers; i++) {
        uint32_t worker = (uint32_t)rng_below(r, w->workers);
        bool selected = rng_unit(r) < shifted(p, m->leaning[worker]);
        m->votes[m->in.n_votes++] = (struct bias_vote){image, worker, selected};
        m->sample[image].shown++;
        m->sample[image].selected += selected;
    }
}

static void make_images(struct bias_made *m, const struct bias_world *w, struct rng *r)
{
    for (uint32_t i = 0; i < w->workers; i++) {
        m->leaning[i] = w->leaning > 0 ? w->leaning * normal(r) : 0;
    }
    uint32_t image = 0;
    m->in.n_votes = 0;
    for (uint32_t c = 0; c < w->classes; c++) {
        double off = step_of(w, c) + (w->spread > 0 ? w->spread * normal(r) : 0);
        for (uint32_t i = 0; i < w->originals + w->candidates; i++, image++) {
            bool original = i < w->originals;
            double p = drawn(w, r, original, off);
            m->truth[image] = said_by_many(p, w->leaning);
            m->images[image] = (struct bias_image){.class_index = c, .original = original};
            m->sample[image] = (struct sample_image){.image = image,
                                                     .class_index = c,
                                                     .rank = image,
                                                     .original = original,
                                                     .keyword = SAMPLE_UNKNOWN};
            vote(m, w, image, p, r);
            m->removed[image] = judged(r, w->review, m->truth[image]);
        }
    }
}

/* Shows the reviewers what was drawn. False: they removed something. */
static bool review(struct bias_made *m, const struct sample_pick *picks, size_t n)
{
    bool fine = true;
    for (size_t i = 0; i < m->in.n_images; i++) {
        m->sample[i].in_parent = false;
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t image = picks[i].index;
        m->images[image].review = m->removed[image] ? SPREAD_REMOVED : SPREAD_KEPT;
        m->sample[image].blacklisted |= m->removed[image];
        m->sample[image].in_parent = true;
        m->removals += m->removed[image];
        fine = fine && !m->removed[image];
    }
    return fine;
}

static void take_set(struct bias_made *m, const struct bias_world *w, const struct sample_pick *picks, size_t n,
                     struct arena *a)
{
    /* Every class with the weight that it has in the set: originals of one that fell short count less. */
    double *of_class = arena_calloc(a, w->classes, sizeof *of_class);
    for (size_t i = 0; i < m->in.n_images; i++) {
        of_class[m->images[i].class_index] += m->images[i].original ? m->truth[i] / w->originals : 0;
    }
    m->bias = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t image = picks[i].index;
        m->images[image].in_set = true;
        m->bias += (m->truth[image] - of_class[m->images[image].class_index]) / (double)n;
    }
}

/* Samples the set as the program does, by the votes, and again for what the review removed. */
static void choose_set(struct bias_made *m, const struct bias_world *w, uint64_t seed, struct arena *a)
{
    struct sample_rules rules = sample_rules_usual(w->strategy);
    struct sample_input in = {m->sample, m->in.n_images, w->classes, NULL};
    struct sample_plan plan;
    struct sample_pick *picks;
    struct err err = {0};
    size_t n;
    rules.seed = seed;
    rules.answers_least = rules.original_answers_least = w->answers;
    m->removals = 0;
    do {
        assert_int_equal(sample_plan(&in, &rules, a, &plan, &err), OK);
        sample_draw(&plan, &in, a, &picks, &n);
    } while (w->review != REVIEW_NONE && !review(m, picks, n));
    take_set(m, w, picks, n, a);
    m->in.threshold = rules.threshold;
    m->in.size = rules.size;
}

struct bias_made bias_world_new(const struct bias_world *w)
{
    size_t n = (size_t)w->classes * (w->originals + w->candidates);
    struct bias_made m = {.images = xcalloc(n, sizeof *m.images),
                          .votes = xcalloc(n * w->answers, sizeof *m.votes),
                          .sample = xcalloc(n, sizeof *m.sample),
                          .truth = xcalloc(n, sizeof *m.truth),
                          .removed = xcalloc(n, sizeof *m.removed),
                          .leaning = xcalloc(w->workers, sizeof *m.leaning)};
    m.in = (struct bias_input){.images = m.images,
                               .n_images = n,
                               .votes = m.votes,
                               .n_classes = w->classes,
                               .n_workers = w->workers,
                               .strategy = w->strategy};
    return m;
}

void bias_world_free(struct bias_made *m)
{
    free(m->images);
    free(m->votes);
    free(m->sample);
    free(m->truth);
    free(m->removed);
    free(m->leaning);
}

void bias_world_make(struct bias_made *m, const struct bias_world *w, uint64_t seed, struct arena *a)
{
    struct rng r;
    rng_seed(&r, seed);
    make_images(m, w, &r);
    choose_set(m, w, seed, a);
    m->in.seed = seed;
}

double bias_world_mean(const struct bias_world *w, double (*of)(double))
{
    enum { IMAGES = 200000 };
    struct rng r;
    double sum = 0;
    rng_seed(&r, 1);
    for (uint32_t i = 0; i < 2 * IMAGES; i++) {
        sum += of(said_by_many(drawn(w, &r, true, step_of(w, i)), w->leaning));
    }
    return sum / (2 * IMAGES);
}

/* ---- who knows more ---- */

void bias_oracle_make(const struct bias_world *w, struct bias_oracle *out)
{
    enum { IMAGES = 40000 };
    double n[2][ORACLE_ANSWERS + 1] = {{0}};
    struct rng r;
    rng_seed(&r, 1);
    *out = (struct bias_oracle){.mean = {{0}}};
    for (uint32_t i = 0; i < 2 * IMAGES; i++) {
        double p = drawn(w, &r, false, step_of(w, i));
        uint32_t k = 0;
        for (uint32_t v = 0; v < w->answers; v++) {
            k += rng_unit(&r) < p;
        }
        if (!judged(&r, w->review, p)) {
            n[i % 2][k]++;
            out->mean[i % 2][k] += p;
            out->variance[i % 2][k] += p * p;
        }
    }
    for (int c = 0; c < 2; c++) {
        for (uint32_t k = 0; k <= w->answers; k++) {
            out->mean[c][k] /= fmax(1, n[c][k]);
            out->variance[c][k] = out->variance[c][k] / fmax(1, n[c][k]) - out->mean[c][k] * out->mean[c][k];
        }
    }
}

struct interval bias_oracle_interval(const struct bias_oracle *o, const struct bias_made *m, const struct bias_world *w)
{
    double *weight = xcalloc(w->classes, sizeof *weight), images = 0, value = 0, variance = 0;
    for (size_t i = 0; i < m->in.n_images; i++) {
        if (m->images[i].in_set) {
            uint32_t c = m->images[i].class_index, k = m->sample[i].selected;
            value += o->mean[c % 2][k];
            variance += o->variance[c % 2][k];
            weight[c]++;
            images++;
        }
    }
    value /= images;
    variance /= images * images;
    for (size_t i = 0; i < m->in.n_images; i++) {
        if (m->images[i].original) {
            double share = weight[m->images[i].class_index] / images / w->originals, p = m->truth[i];
            value -= share * m->sample[i].selected / m->sample[i].shown;
            variance += share * share * p * (1 - p) / m->sample[i].shown;
        }
    }
    free(weight);
    return (struct interval){value - 1.96 * sqrt(variance), value + 1.96 * sqrt(variance)};
}
