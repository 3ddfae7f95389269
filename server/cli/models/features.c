/* features.c - `holdout features`: writes what a model computes inside, a row of float32 an
 * image, into DIR/features/<source>.f32 (transfer/core/feature_file.h), or into a part file, or out of part files. */
#include <stdio.h>
#include <string.h>

#include "cli/core/commands.h"
#include "cli/models/features_part.h"
#include "cli/models/features_source.h"
#include "db/bulk.h"
#include "transfer/core/feature_file.h"

struct features_command {
    struct image_run run;
    struct feature_source source;
    struct image_part part;
    struct feature_file file;
    size_t dim;
};

/* ---- storing ---- */

static enum err_code append_step(struct db *db, void *arg, bool *more, struct err *err)
{
    const struct features_command *f = arg;
    *more = false;
    return features_append(db, f->source.id, f->source.rows, f->file.images, f->file.n, err);
}

static enum err_code flush_rows(void *arg, struct err *err)
{
    struct features_command *f = arg;
    struct cli *cli = f->run.cli;
    if (f->part.wanted) {
        return part_file_flush(&f->part.file, err);
    }
    if (f->file.n == 0) {
        return OK;
    }
    enum err_code rc = feature_file_write(&f->file, err);
    rc = rc == OK ? bulk_write(cli->db, cli->alone, append_step, f, err) : rc;
    if (rc == OK) {
        feature_file_written(&f->file);
    }
    return rc;
}

/* What is in feature_file_next is the row of this image. */
static enum err_code add_row(struct features_command *f, uint32_t image, struct err *err)
{
    f->file.images[f->file.n++] = image;
    f->run.computed++;
    return f->file.n == f->file.most ? flush_rows(f, err) : OK;
}

static enum err_code take(void *arg, const struct work_content *c, const float *const *outputs,
                          struct err *err)
{
    struct features_command *f = arg;
    enum err_code rc = OK;
    for (uint32_t at = WORK_NONE;
         rc == OK && (at = image_work_next(&f->run.work, c, at)) != WORK_NONE;) {
        uint32_t image = f->run.work.images[at].id;
        if (f->part.wanted) {
            rc = features_part_add(&f->part, f->run.cli->db, image, c, outputs[0], f->dim, err);
            f->run.computed++;
        } else {
            memcpy(feature_file_next(&f->file), outputs[0], f->dim * sizeof(float));
            rc = add_row(f, image, err);
        }
    }
    return rc;
}

/* ---- opening ---- */

static enum err_code mark_done(void *arg, int64_t row, uint32_t image, struct err *err)
{
    (void)row;
    (void)err;
    image_work_done(arg, image);
    return OK;
}

static enum err_code open_model(struct features_command *f)
{
    enum err_code rc = features_source_model(f->run.cli, &f->run.model, &f->source);
    f->dim = (size_t)f->source.dim;
    return rc;
}

static enum err_code open_source(struct features_command *f)
{
    return features_source_here(f->run.cli, &f->run.model, &f->source);
}

static enum err_code open_file(struct features_command *f)
{
    struct cli *cli = f->run.cli;
    return feature_file_open(&f->file, cli->db, cli->dir, &f->source, f->run.what, f->run.model.row.name, &cli->arena, &cli->err);
}

/* Which images are without their row. */
static enum err_code find_work(struct features_command *f)
{
    struct cli *cli = f->run.cli;
    enum err_code rc = image_work_open(cli, 0, 1, &f->run.work);
    return rc == OK ? features_each(cli->db, f->source.id, mark_done, &f->run.work, &cli->err) : rc;
}

/* ---- part files ---- */

/* `missing`: images that are chosen and have neither a row nor a line. */
static enum err_code tell_merged(struct features_command *f, size_t missing, uint32_t first, uint32_t shards)
{
    struct cli *cli = f->run.cli;
    const struct image_work *w = &f->run.work;
    struct image_row row;
    if (cli->json) {
        printf("{\"images\":%zu,\"stored\":%zu,\"already\":%zu,\"without_pixels\":%zu,\"missing\":%zu}\n", w->wanted,
               f->run.computed, w->done, w->without_pixels, missing);
    } else {
        cli_note(cli, "%zu images: %zu stored, %zu were there already, %zu without pixels", w->wanted, f->run.computed,
                 w->done, w->without_pixels);
    }
    enum err_code rc = missing ? images_get(cli->db, w->images[first].id, &cli->arena, &row, &cli->err) : OK;
    if (rc != OK || missing == 0) {
        return rc;
    }
    return err_rule(&cli->err, ERR_CONFLICT, "part-unfinished",
                    "%zu images are in no part, the first of them " SV_FMT " of shard %u/%u; everything else is stored. Run "
                    "the command that makes the part again, and merge again",
                    missing, SV_ARG(row.name), image_work_shard(row.name, shards) + 1, shards);
}

/* Stores rows in the order of a run without parts, so that the file is the same. */
static enum err_code store_lines(struct features_command *f, const struct features_merge *g)
{
    struct cli *cli = f->run.cli;
    const struct image_work *w = &f->run.work;
    size_t missing = 0;
    uint32_t first = 0;
    enum err_code rc = OK;
    for (size_t i = 0; i < w->n_todo && rc == OK; i++) {
        const struct work_content *c = &w->contents[w->todo[i]];
        for (uint32_t at = WORK_NONE; rc == OK && (at = image_work_next(w, c, at)) != WORK_NONE;) {
            if (g->lines[at].n == 0) {
                first = missing++ == 0 ? at : first;
                continue;
            }
            rc = features_merge_row(g, at, feature_file_next(&f->file), f->dim, &cli->err);
            rc = rc == OK ? add_row(f, w->images[at].id, &cli->err) : rc;
        }
        cli_progress(cli, "storing features", i + 1, w->n_todo);
    }
    cli_progress_end(cli);
    rc = rc == OK ? flush_rows(f, &cli->err) : rc;
    return rc == OK ? tell_merged(f, missing, first, g->shards) : rc;
}

/* What the parts say is checked before anything is stored. */
static enum err_code merge(struct features_command *f)
{
    struct cli *cli = f->run.cli;
    struct features_merge g = {0};
    enum err_code rc = open_model(f);
    rc = rc == OK ? features_merge_open(&g, &f->run, &cli->args[1], (size_t)cli->n_args - 1, &f->source) : rc;
    rc = rc == OK ? image_work_open(cli, 0, 1, &f->run.work) : rc;
    rc = rc == OK ? features_merge_read(&g, &f->run) : rc;
    if (rc == OK && !cli->dry_run) {
        rc = open_file(f);
        rc = rc == OK ? features_each(cli->db, f->source.id, mark_done, &f->run.work, &cli->err) : rc;
        if (rc == OK) {
            image_work_queue(&f->run.work, NULL, NULL);
            rc = store_lines(f, &g);
        }
    }
    features_merge_close(&g);
    return rc;
}

static enum err_code write_part(struct features_command *f)
{
    struct cli *cli = f->run.cli;
    enum err_code rc = open_model(f);
    rc = rc == OK ? open_source(f) : rc;
    rc = rc == OK ? image_work_open(cli, f->part.shard, f->part.shards, &f->run.work) : rc;
    rc = rc == OK ? features_part_open(&f->part, &f->run, &f->source) : rc;
    rc = rc == OK && !cli->dry_run ? image_run_images(&f->run) : rc;
    return rc == OK ? image_run_tell(&f->run) : rc;
}

/* ---- the whole ---- */

static enum err_code features(struct features_command *f)
{
    struct cli *cli = f->run.cli;
    enum err_code rc = open_model(f);
    rc = rc == OK ? open_source(f) : rc;
    if (rc == OK) {
        rc = cli->dry_run ? OK : open_file(f);
    }
    rc = rc == OK ? find_work(f) : rc;
    if (rc == OK) {
        image_work_queue(&f->run.work, NULL, NULL);
    }
    if (rc == OK && !cli->dry_run) {
        rc = image_run_images(&f->run);
    }
    return rc == OK ? image_run_tell(&f->run) : rc;
}

/* Reads what is asked for, and does it. */
static enum err_code choose(struct features_command *f)
{
    struct cli *cli = f->run.cli;
    enum err_code rc = image_part_ask(cli, &f->part);
    if (rc != OK) {
        return rc;
    }
    if (cli_has(cli, "merge")) {
        return cli->n_args < 2 || f->part.wanted ? cli_usage(cli, "--merge needs the part files, all of them, and no --output")
                                                 : merge(f);
    }
    if (cli->n_args > 1) {
        return cli_usage(cli, "part files are read with --merge");
    }
    return f->part.wanted ? write_part(f) : features(f);
}

enum err_code cmd_features(struct cli *cli)
{
    struct features_command *f = arena_calloc(&cli->arena, 1, sizeof *f);
    if (!cli_opt(cli, "model")) {
        return cli_usage(cli, "--model is missing");
    }
    f->file.fd = -1;
    enum err_code rc = image_run_begin(&f->run, cli, "computing features");
    f->run.take = take;
    f->run.flush = flush_rows;
    f->run.arg = f;
    rc = rc == OK ? choose(f) : rc;
    part_file_close(&f->part.file);
    feature_file_close(&f->file);
    image_run_end(&f->run);
    return rc;
}
