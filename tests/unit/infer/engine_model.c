/* engine_model.c - see engine_model.h. */
#include "engine_model.h"

#include <math.h>

#include "base/rng.h"

float *floats_random(size_t n)
{
    static struct rng rng;
    static bool seeded;
    if (!seeded) {
        rng_seed(&rng, 7);
        seeded = true;
    }
    float *p = calloc(n + 1, sizeof *p);
    assert_non_null(p);
    for (size_t i = 0; i < n; i++) {
        p[i] = (float)(rng_unit(&rng) * 2 - 1);
    }
    return p;
}

void model_weights(struct made *m, const char *name, const int64_t *dims)
{
    size_t n = 1, inner = 0;
    for (size_t i = 0; dims[i] >= 0; i++) {
        n *= (size_t)dims[i];
        inner = i == 0 ? 1 : inner * (size_t)dims[i];
    }
    float *w = floats_random(n);
    for (size_t i = 0; i < n; i++) {
        w[i] /= sqrtf((float)inner); /* so that deep models neither grow nor vanish */
    }
    made_floats(m, name, dims, w);
    free(w);
}

void model_begin(struct model *m)
{
    made_begin(&m->made);
    arena_init(&m->arena, 1 << 20);
    m->folder = unit_folder();
    m->engine = NULL;
}

const char *model_file(struct model *m)
{
    struct sv file = made_file(&m->made);
    unit_write(m->folder, "model.onnx", file.p, file.n);
    return fs_join(&m->arena, m->folder, "model.onnx");
}

void model_open(struct model *m)
{
    struct err err = {0};
    enum err_code rc = engine_open(model_file(m), NULL, 0, 0, NULL, &m->engine, &err);
    if (rc != OK) {
        fail_msg("%s: %s", err.rule, err.msg);
    }
}

void model_end(struct model *m)
{
    engine_close(m->engine);
    arena_release(&m->arena);
    unit_remove(m->folder);
    made_end(&m->made);
}

void floats_free(float **out, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        free(out[i]);
    }
}

void floats_near(const float *got, const double *want, size_t n, const char *what)
{
    double largest = 0;
    for (size_t i = 0; i < n; i++) {
        largest = fmax(largest, fabs(want[i]));
    }
    for (size_t i = 0; i < n; i++) {
        if (!(fabs((double)got[i] - want[i]) <= 3e-5 * (largest + 1e-30))) {
            fail_msg("%s: result %zu is %.9g, not %.9g", what, i, (double)got[i], want[i]);
        }
    }
}

enum err_code engine_run(struct engine *e, const float *in, int64_t n, int64_t batch,
                         unsigned threads, float *const *out, struct err *err)
{
    struct engine_team *team;
    enum err_code rc = engine_team_open(e, batch, threads, &team, err);
    if (rc == OK) {
        rc = engine_team_run(team, in, n, out, err);
        engine_team_close(team);
    }
    return rc;
}
