/* calibrate.c - gives the calibration the features of pictures: from the metrics' models, with a session for each worker. */
#include "cli/duplicates/calibrate.h"

#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "base/rng.h"
#include "base/xalloc.h"
#include "cli/models/use.h"
#include "store/duplicates/near_metrics.h"
#include "store/models/features.h"
#include "transfer/duplicates/neighbors_calibrate.h"

enum { IMAGES_USUAL = 200, IMAGES_MOST = 100000 };

struct of_model {
    struct model_use use;
    struct session *session[PARALLEL_THREADS];
    float *in[PARALLEL_THREADS], *out[PARALLEL_THREADS];
};
struct calibration {
    struct cli *cli;
    struct review_gate gate;
    struct of_model model[REVIEW_METRICS_MOST]; /* of the gate's metrics; those of features are open */
};

/* The value that the model's newest features are of; "" when it has none: the one that its recipe names. */
static enum err_code output_of(struct cli *cli, const char *name, const char **out)
{
    struct model_row row;
    struct feature_source f;
    *out = "";
    enum err_code rc = models_find(cli->db, sv_of(name), &cli->arena, &row, &cli->err);
    rc = rc == OK ? features_newest(cli->db, row.id, &cli->arena, &f, &cli->err) : rc;
    if (rc == OK && f.rows > 0) {
        *out = arena_cstr(&cli->arena, f.output);
    }
    return rc;
}

static bool is_asked(const struct cli *cli, const struct review_metric *m)
{
    const char *only = cli_opt(cli, "metric");
    return m->kind == NEAR_FEATURE && m->model[0] && (only ? strcmp(only, m->name) == 0 : m->enabled);
}

static enum err_code open_models(struct calibration *c)
{
    struct cli *cli = c->cli;
    enum err_code rc = near_metrics_get(cli->db, 0, &c->gate, &cli->err);
    for (size_t i = 0; i < c->gate.n && rc == OK; i++) {
        const char *output = "";
        if (is_asked(cli, &c->gate.metric[i])) {
            rc = output_of(cli, c->gate.metric[i].model, &output);
            rc = rc == OK ? model_use_stored(cli, c->gate.metric[i].model, output, &c->model[i].use) : rc;
        }
    }
    return rc;
}

static enum err_code begin_session(struct of_model *m, unsigned worker, struct err *err)
{
    enum err_code rc = engine_session(m->use.engine, 1, &m->session[worker], err);
    if (rc == OK) {
        m->in[worker] = xcalloc(engine_input_size(m->use.engine) + 1, sizeof(float));
        m->out[worker] = xcalloc(m->use.scores + 1, sizeof(float));
    }
    return rc;
}

/* As `holdout features` gets them from a file, which is written here without loss. */
static enum err_code features(void *arg, unsigned worker, const struct review_metric *metric, const struct image *im,
                              const float **out, size_t *size, struct err *err)
{
    struct calibration *c = arg;
    struct of_model *m = &c->model[review_gate_find(&c->gate, sv_of(metric->name))];
    const struct image_limits limits = {.max_side = UINT32_MAX, .max_pixels = UINT64_MAX};
    struct preprocess_room room = {0};
    struct str file;
    str_init(&file, SIZE_MAX);
    enum err_code rc = m->session[worker] ? OK : begin_session(m, worker, err);
    rc = rc == OK ? image_encode_png(im, &file, err) : rc;
    rc = rc == OK ? preprocess_planes(file.p, file.n, &m->use.recipe.preprocess, &limits, &room, m->in[worker], err) : rc;
    rc = rc == OK ? session_run(m->session[worker], m->in[worker], 1, &m->out[worker], err) : rc;
    preprocess_room_release(&room);
    str_release(&file);
    *out = m->out[worker];
    *size = m->use.scores;
    return rc;
}

static void close_models(struct calibration *c)
{
    for (size_t i = 0; i < REVIEW_METRICS_MOST; i++) {
        struct of_model *m = &c->model[i];
        for (unsigned w = 0; w < PARALLEL_THREADS; w++) {
            if (m->session[w]) {
                session_close(m->session[w]);
            }
            free(m->in[w]);
            free(m->out[w]);
        }
        model_use_close(&m->use);
    }
}

enum err_code calibrate(struct cli *cli, unsigned threads)
{
    struct calibration *c = arena_calloc(&cli->arena, 1, sizeof *c);
    int64_t images, seed;
    enum err_code rc = cli_opt_int(cli, "images", 1, IMAGES_MOST, IMAGES_USUAL, &images);
    rc = rc == OK ? cli_opt_int(cli, "seed", 0, (int64_t)1 << 53, (int64_t)rng_fresh_seed(), &seed) : rc;
    if (rc != OK) {
        return rc;
    }
    c->cli = cli;
    const struct calibrate_ask ask = {.metric = cli_opt(cli, "metric"), .images = (uint32_t)images, .seed = (uint64_t)seed,
                                      .threads = threads, .max_pixels = (uint64_t)cli->config.max_megapixels * 1000000,
                                      .features = features, .arg = c};
    rc = open_models(c);
    rc = rc == OK ? neighbors_calibrate(cli_transfer(cli), &ask) : rc;
    close_models(c);
    return rc;
}
