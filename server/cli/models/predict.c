/* predict.c - `holdout predict`: lets a model classify images of the project, and stores the
 * five best classes of each. Records go in chunks of their own transaction, so whatever is
 * committed stays when the process ends, however it ends, and the same command goes on behind it.
 */
#include <stdlib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/sorted.h"
#include "base/xalloc.h"
#include "cli/core/commands.h"
#include "cli/models/image_run.h"
#include "cli/models/origin.h"
#include "cli/models/predict_part.h"
#include "db/bulk.h"
#include "infer/predict/predict.h"
#include "store/models/predictions.h"

struct predict_command {
    struct image_run run;
    struct prediction_source source;
    struct predict_part part;
    struct prediction chunk[PREDICTION_BLOCK];
    size_t n; /* in the chunk */
    /* Twins: images whose content has its record under another image, by that one's id. */
    struct twin {
        uint32_t done, image;
    } * twins;
    size_t n_twins, cap_twins;
};

/* ---- storing ---- */

static enum err_code append_step(struct db *db, void *arg, bool *more, struct err *err)
{
    const struct predict_command *p = arg;
    *more = false;
    return predictions_append(db, &p->source, p->chunk, p->n, err);
}

static enum err_code flush_chunk(void *arg, struct err *err)
{
    struct predict_command *p = arg;
    struct cli *cli = p->run.cli;
    if (p->part.image.wanted) {
        return part_file_flush(&p->part.image.file, err);
    }
    if (p->n == 0) {
        return OK;
    }
    enum err_code rc = bulk_write(cli->db, cli->alone, append_step, p, err);
    p->n = rc == OK ? 0 : p->n;
    return rc;
}

static enum err_code add_record(struct predict_command *p, const struct prediction *record,
                                struct err *err)
{
    p->run.computed++;
    if (p->part.image.wanted) {
        return predict_part_add(&p->part, p->run.cli->db, record, err);
    }
    p->chunk[p->n++] = *record;
    return p->n == PREDICTION_BLOCK ? flush_chunk(p, err) : OK;
}

static enum err_code take(void *arg, const struct work_content *c, const float *const *outputs,
                          struct err *err)
{
    struct predict_command *p = arg;
    const struct model_use *m = &p->run.model;
    uint32_t best[PREDICTION_K];
    struct prediction record = {0};
    predict_top(outputs[0], m->scores, m->recipe.softmax, p->source.k, best, record.scores);
    for (int i = 0; i < PREDICTION_K; i++) {
        record.labels[i] = i < p->source.k ? m->cids[best[i]] : PREDICTION_NONE;
        if (i < p->source.k && !isfinite(record.scores[i])) {
            return err_rule(err, ERR_INPUT, "model-nan",
                            "The model gives a score that is not a number: it is broken, or its recipe is "
                            "wrong. What was stored before is kept.");
        }
    }
    enum err_code rc = OK;
    for (uint32_t at = WORK_NONE;
         rc == OK && (at = image_work_next(&p->run.work, c, at)) != WORK_NONE;) {
        record.image = p->run.work.images[at].id;
        rc = add_record(p, &record, err);
    }
    return rc;
}

/* ---- what is there already ---- */

static void mark_done(void *arg, const struct prediction_source *s, const struct prediction *record)
{
    (void)s;
    image_work_done(arg, record->image);
}

static void note_twin(void *arg, uint32_t image, uint32_t done)
{
    struct predict_command *p = arg;
    xgrow(&p->twins, &p->cap_twins, p->n_twins + 1, sizeof *p->twins);
    p->twins[p->n_twins++] = (struct twin){done, image};
}

static int by_done(const void *a, const void *b)
{
    const struct twin *x = a, *y = b;
    return x->done != y->done ? (x->done > y->done) - (x->done < y->done)
                              : (x->image > y->image) - (x->image < y->image);
}

struct twin_records {
    struct predict_command *p;
    struct prediction *records; /* of each twin */
};

static void copy_record(void *arg, const struct prediction_source *s,
                        const struct prediction *record)
{
    struct twin_records *t = arg;
    struct predict_command *p = t->p;
    (void)s;
    size_t at = sorted_u32(p->twins, p->n_twins, sizeof *p->twins, offsetof(struct twin, done),
                           record->image);
    for (; at < p->n_twins && p->twins[at].done == record->image; at++) {
        t->records[at] = *record;
        t->records[at].image = p->twins[at].image;
    }
}

/* Records of the same content under other names; reading and writing take turns, so they are
 * collected first. */
static enum err_code store_twins(struct predict_command *p)
{
    struct cli *cli = p->run.cli;
    struct twin_records t = {.p = p, .records = xcalloc(p->n_twins + 1, sizeof *t.records)};
    int64_t last;
    qsort(p->twins, p->n_twins, sizeof *p->twins, by_done);
    enum err_code rc = predictions_each(cli->db, p->source.model, p->source.id, 0, &last,
                                        copy_record, &t, &cli->err);
    for (size_t i = 0; i < p->n_twins && rc == OK; i++) {
        rc = add_record(p, &t.records[i], &cli->err);
    }
    free(t.records);
    return rc == OK ? flush_chunk(p, &cli->err) : rc;
}

static enum err_code find_work(struct predict_command *p)
{
    struct cli *cli = p->run.cli;
    int64_t last;
    enum err_code rc = p->source.id == 0
                           ? OK
                           : predictions_each(cli->db, p->source.model, p->source.id, 0, &last,
                                              mark_done, &p->run.work, &cli->err);
    if (rc == OK) {
        image_work_queue(&p->run.work, note_twin, p);
    }
    return rc == OK && p->n_twins && !cli->dry_run ? store_twins(p) : rc;
}

/* ---- the whole ---- */

/* Without adding it: the id stays 0 when it is not there. */
static enum err_code find_source(struct predict_command *p)
{
    struct cli *cli = p->run.cli;
    struct prediction_source *list;
    size_t n = 0;
    enum err_code rc =
        predictions_sources(cli->db, p->source.model, &cli->arena, &list, &n, &cli->err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        bool same = memcmp(list[i].digest, p->source.digest, PREDICTION_DIGEST) == 0;
        p->source.id = same ? list[i].id : p->source.id;
    }
    return rc;
}

static enum err_code open_source(struct predict_command *p)
{
    struct cli *cli = p->run.cli;
    const struct model_use *m = &p->run.model;
    struct model_origin origin;
    bool added;
    enum err_code rc = model_origin(cli, m, "predictions", &origin);
    if (rc != OK) {
        return rc;
    }
    p->source =
        (struct prediction_source){.model = m->row.id,
                                   .kind = SV("engine"),
                                   .bytes = SV("original"),
                                   .engine = sv_of(origin.engine),
                                   .recipe = sv_of(m->recipe.canonical),
                                   .k = m->scores < PREDICTION_K ? (int)m->scores : PREDICTION_K,
                                   .scored = true};
    memcpy(p->source.digest, origin.digest, sizeof origin.digest);
    if (p->part.image.wanted) {
        return OK;
    }
    return cli->dry_run
               ? find_source(p)
               : predictions_source(cli->db, &p->source, 0, clock_wall_ms(), &added, &cli->err);
}

static enum err_code predict(struct predict_command *p)
{
    struct cli *cli = p->run.cli;
    enum err_code rc = model_use_stored(cli, cli_opt(cli, "model"), NULL, &p->run.model);
    rc = rc == OK ? model_use_classes(cli, &p->run.model) : rc;
    rc = rc != OK || p->part.image.wanted ? rc : image_run_lock(&p->run, p->run.model.path);
    rc = rc == OK ? open_source(p) : rc;
    rc = rc == OK ? image_work_open(cli, p->part.image.shard, p->part.image.shards, &p->run.work) : rc;
    rc = rc != OK ? rc : p->part.image.wanted ? predict_part_open(&p->part, &p->run, &p->source) : find_work(p);
    if (rc == OK && !cli->dry_run) {
        rc = image_run_images(&p->run);
    }
    return rc == OK ? image_run_tell(&p->run) : rc;
}

enum err_code cmd_predict(struct cli *cli)
{
    struct predict_command *p = arena_calloc(&cli->arena, 1, sizeof *p);
    if (!cli_opt(cli, "model")) {
        return cli_usage(cli, "--model is missing");
    }
    enum err_code rc = image_run_begin(&p->run, cli, "predicting");
    p->run.take = take;
    p->run.flush = flush_chunk;
    p->run.arg = p;
    rc = rc == OK ? image_part_ask(cli, &p->part.image) : rc;
    rc = rc == OK ? predict(p) : rc;
    part_file_close(&p->part.image.file);
    free(p->twins);
    image_run_end(&p->run);
    return rc;
}
