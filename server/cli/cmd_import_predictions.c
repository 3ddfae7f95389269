/* cmd_import_predictions.c - `holdout import predictions`: what models said about images, from files that other
 * programs made or that `predict --shard` left. Many files at once, or a folder of them; a file that names no
 * model is of the model that its name says.
 *
 * All files are read and checked before the first is written. What is written of a file is its records in
 * blocks; their digest tells a file that was imported before, whole or in part, so that a second time adds what
 * is missing and otherwise nothing. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/fs.h"
#include "base/xalloc.h"
#include "cli/commands.h"
#include "cli/prediction_file.h"
#include "crypto/crypto.h"
#include "db/bulk.h"
#include "store/models.h"

enum { FILES_MOST = 10000 };

struct predictions_import {
    struct import im;
    struct prediction_target target;
    const char **files;
    size_t n_files, cap_files;
    const char *model;         /* --model */
    bool reversed;
    uint64_t read, added, models, new_models;
};

/* ---- which files ---- */

static bool ending_known(const char *path)
{
    static const char *const endings[] = {".npy", ".csv", ".jsonl", ".ndjson"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        if (sv_ends(sv_of(path), endings[i])) {
            return true;
        }
    }
    return false;
}

static enum err_code add_file(struct predictions_import *pi, const char *path)
{
    if (pi->n_files == FILES_MOST) {
        return err_rule(&pi->im.cli->err, ERR_LIMIT, "prediction-files",
                        "At most %d files are imported at once; nothing was written.", FILES_MOST);
    }
    xgrow(&pi->files, &pi->cap_files, pi->n_files + 1, sizeof *pi->files);
    pi->files[pi->n_files++] = path;
    return OK;
}

struct folder {
    struct predictions_import *pi;
    const char *path;
};

static enum err_code add_of_folder(void *arg, const char *relative, struct err *err)
{
    (void)err;
    const struct folder *f = arg;
    struct arena *a = &f->pi->im.cli->arena;
    if (!ending_known(relative)) {
        cli_note(f->pi->im.cli, "%s/%s is left out: it is no .npy, .csv or .jsonl file.", f->path, relative);
        return OK;
    }
    return add_file(f->pi, fs_join(a, f->path, relative));
}

static enum err_code list_files(struct predictions_import *pi)
{
    struct cli *cli = pi->im.cli;
    enum err_code rc = OK;
    for (int i = 1; i < cli->n_args && rc == OK; i++) {
        struct folder f = {pi, cli->args[i]};
        rc = fs_is_dir(cli->args[i]) ? fs_walk(cli->args[i], add_of_folder, &f, &cli->err)
                                     : add_file(pi, cli->args[i]);
    }
    if (rc == OK && pi->n_files == 0) {
        rc = err_rule(&cli->err, ERR_NOT_FOUND, "prediction-files", "There is no file to import.");
    }
    return rc;
}

/* --model, or the file's name without folder and ending. */
static struct sv model_of(const struct predictions_import *pi, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    if (pi->model) {
        return sv_of(pi->model);
    }
    if (strcmp(path, "-") == 0) {
        return SV("");
    }
    return dot && ending_known(name) ? sv_make(name, (size_t)(dot - name)) : sv_of(name);
}

/* ---- reading ---- */

/* Points the import at a file of the list; one that comes through standard input is read once and kept. */
static enum err_code open_file(struct predictions_import *pi, const char *path)
{
    struct import *im = &pi->im;
    fs_unmap(&im->map);
    im->map = (struct fs_map){0};
    im->name = strcmp(path, "-") == 0 ? "standard input" : path;
    if (strcmp(path, "-") != 0) {
        enum err_code rc = fs_map(path, &im->map, &im->cli->err);
        im->text = sv_make((const char *)im->map.data, im->map.n);
        return rc;
    }
    enum err_code rc = im->stdin_text.n ? OK : fs_read(path, &im->stdin_text, &im->cli->err);
    im->text = str_sv(&im->stdin_text);
    return rc;
}

static double percent(size_t k, size_t n)
{
    return n ? 100 * (double)k / (double)n : 0;
}

/* Published predictions exist whose columns are worst first: believed, top-1 accuracy is a tenth of what it is. */
static void warn_order(const struct predictions_import *pi, const struct prediction_batch *b)
{
    struct cli *cli = pi->im.cli;
    int last = b->k - 1;
    if (b->k < 2 || b->hits[last] <= b->hits[0]) {
        return;
    }
    cli_progress_end(cli);
    cli_warn(cli,
             "%s: the last of its %d columns is right for %.1f %% of the images, the first for %.1f %%: %s",
             pi->im.name, b->k, percent(b->hits[last], b->labelled), percent(b->hits[0], b->labelled),
             pi->reversed ? "--reversed turned columns round that were best first already. Import it again "
                            "without --reversed."
                          : "its columns seem to be worst first. Import it again with --reversed, which turns "
                            "them round and records that it did.");
}

static void note_batch(const struct predictions_import *pi, const struct prediction_batch *b)
{
    struct cli *cli = pi->im.cli;
    warn_order(pi, b);
    if (b->dropped) {
        cli_note(cli, "%s: the best %d labels of each image are kept.", pi->im.name, PREDICTION_K);
    }
    if (pi->target.n > b->n && !b->part) {
        cli_note(cli, "%s: model " SV_FMT " has predictions about %zu of the %zu images.", pi->im.name,
                 SV_ARG(b->model), b->n, pi->target.n);
    }
}

static enum err_code check_files(struct predictions_import *pi)
{
    struct cli *cli = pi->im.cli;
    enum err_code rc = OK;
    for (size_t i = 0; i < pi->n_files && rc == OK; i++) {
        struct prediction_file f;
        uint64_t bad = pi->im.bad;
        rc = open_file(pi, pi->files[i]);
        prediction_file_open(&f, &pi->target, model_of(pi, pi->files[i]), pi->reversed);
        if (rc == OK) {
            rc = prediction_file_read(&f);
        }
        if (rc == OK && f.records == 0 && pi->im.bad == bad) {
            rc = err_rule(&cli->err, ERR_INPUT, "prediction-empty",
                          "%s has no predictions. Nothing was written.", pi->im.name);
        }
        for (size_t b = 0; b < f.n && rc == OK && pi->im.bad == 0; b++) {
            note_batch(pi, &f.batches[b]);
        }
        prediction_file_close(&f);
        cli_progress(cli, "checking files", i + 1, pi->n_files);
    }
    if (rc == OK && pi->n_files > 1) {
        pi->im.name = "the files";
    }
    return rc != OK ? rc : import_checked(&pi->im);
}

/* ---- writing ---- */

struct batch_write {
    struct predictions_import *pi;
    struct prediction_batch *b;
    struct prediction_source source;
    struct map_u64 have; /* images that the source has */
    int64_t seen;        /* blocks up to that one are in `have` */
    bool begun;
    size_t done;
};

/* Of the records as they are, so that the same predictions from another kind of file are the same. */
static void digest_records(const struct prediction_batch *b, unsigned char out[PREDICTION_DIGEST])
{
    struct str text;
    str_init(&text, SIZE_MAX / 2);
    str_printf(&text, "predictions k=%d scored=%d\n", b->k, b->scored);
    for (size_t i = 0; i < b->n; i++) {
        str_add(&text, &b->p[i].image, sizeof b->p[i].image);
        str_add(&text, b->p[i].labels, (size_t)b->k * sizeof *b->p[i].labels);
        str_add(&text, b->p[i].scores, b->scored ? (size_t)b->k * sizeof *b->p[i].scores : 0);
    }
    crypto_sha256(text.p, text.n, out);
    str_release(&text);
}

static void describe(struct batch_write *w)
{
    const struct predictions_import *pi = w->pi;
    struct arena *a = &pi->im.cli->arena;
    struct prediction_batch *b = w->b;
    const char *slash = strrchr(pi->im.name, '/'), *name = slash ? slash + 1 : pi->im.name;
    w->source = (struct prediction_source){.k = b->k, .scored = b->scored, .revision = pi->target.revision};
    if (b->part) {
        w->source.kind = SV("engine");
        w->source.bytes = b->bytes;
        w->source.engine = b->engine;
        w->source.recipe = b->recipe;
        w->source.revision = 0; /* parts of one run merge, whichever list each was checked against */
        memcpy(w->source.digest, b->digest, PREDICTION_DIGEST);
        return;
    }
    json_t *recipe = json_pack("{s:s, s:b}", "file", name, "reversed", pi->reversed);
    char *text = json_dumps(recipe, JSON_COMPACT);
    w->source.kind = SV("import");
    w->source.bytes = SV("unknown");
    w->source.engine = sv_of(arena_strdup(a, name));
    w->source.recipe = sv_of(arena_strdup(a, text ? text : "{}"));
    free(text);
    json_decref(recipe);
    digest_records(b, w->source.digest);
}

/* A model that is known by name is taken as it is; a part must be of the same file. */
static enum err_code check_model(const struct prediction_batch *b, const struct model_row *m,
                                 struct err *err)
{
    unsigned char hash[MODEL_HASH];
    if (m->removed && sv_is(m->kind, "onnx")) {
        return err_rule(err, ERR_CONFLICT, "model-removed",
                        "The model " SV_FMT " was removed: bring it back with `holdout model add` first. "
                        "Nothing was written of it.", SV_ARG(b->model));
    }
    if (!b->part || !sv_is(m->kind, "onnx")) {
        return OK;
    }
    bool same = crypto_unhex(b->hash, hash, MODEL_HASH) && memcmp(hash, m->hash, MODEL_HASH) == 0;
    return same ? OK
                : err_rule(err, ERR_CONFLICT, "model-differs",
                           "The part was made by another file than the model " SV_FMT
                           " of this project. Nothing was written of it.", SV_ARG(b->model));
}

static enum err_code take_model(struct batch_write *w, struct db *db, struct err *err)
{
    struct cli *cli = w->pi->im.cli;
    struct err none = {OK, "", ""};
    struct model_row m = {0};
    bool added = false;
    enum err_code rc = models_find(db, w->b->model, &cli->arena, &m, &none);
    if (rc == OK) {
        rc = check_model(w->b, &m, err);
    } else if (rc != ERR_NOT_FOUND) {
        return err_set(err, rc, "%s", none.msg);
    }
    if (rc == ERR_NOT_FOUND || (rc == OK && m.removed)) {
        m = (struct model_row){.name = w->b->model, .kind = SV("import")};
        rc = models_put(db, &m, 0, w->pi->im.now, &added, err);
    }
    w->pi->new_models += added;
    w->source.model = m.id;
    return rc;
}

static void keep_image(void *arg, const struct prediction_source *s, const struct prediction *p)
{
    (void)s;
    map_u64_put(arg, p->image, 1);
}

/* Which images the source has by now: a killed import left some, another one may be writing. */
static enum err_code look_again(struct batch_write *w, struct db *db, struct err *err)
{
    int64_t newest = 0;
    enum err_code rc = predictions_newest(db, &newest, err);
    if (rc == OK && newest > w->seen) {
        rc = predictions_each(db, w->source.model, w->source.id, w->seen, &w->seen, keep_image,
                              &w->have, err);
        w->seen = newest;
    }
    return rc;
}

static enum err_code write_step(struct db *db, void *arg, bool *more, struct err *err)
{
    struct batch_write *w = arg;
    struct prediction block[PREDICTION_BLOCK];
    size_t n = 0;
    bool added = false;
    enum err_code rc = w->begun ? OK : take_model(w, db, err);
    if (rc == OK && !w->begun) {
        rc = predictions_source(db, &w->source, 0, w->pi->im.now, &added, err);
    }
    rc = rc == OK ? look_again(w, db, err) : rc;
    w->begun = rc == OK;
    for (; rc == OK && w->done < w->b->n && n < PREDICTION_BLOCK; w->done++) {
        if (map_u64_get(&w->have, w->b->p[w->done].image) == MAP_NONE) {
            block[n++] = w->b->p[w->done];
        }
    }
    if (rc == OK && n) {
        rc = predictions_append(db, &w->source, block, n, err);
    }
    w->pi->added += n;
    *more = w->done < w->b->n;
    return rc;
}

static enum err_code write_batch(struct predictions_import *pi, struct prediction_batch *b)
{
    struct cli *cli = pi->im.cli;
    struct batch_write w = {.pi = pi, .b = b};
    map_u64_init(&w.have);
    describe(&w);
    enum err_code rc = bulk_write(cli->db, cli->alone, write_step, &w, &cli->err);
    map_u64_release(&w.have);
    return rc;
}

static enum err_code write_files(struct predictions_import *pi)
{
    struct cli *cli = pi->im.cli;
    enum err_code rc = OK;
    for (size_t i = 0; i < pi->n_files && rc == OK; i++) {
        struct prediction_file f;
        rc = open_file(pi, pi->files[i]);
        prediction_file_open(&f, &pi->target, model_of(pi, pi->files[i]), pi->reversed);
        if (rc == OK) {
            rc = prediction_file_read(&f);
        }
        if (rc == OK) { /* it was fine a moment ago */
            rc = import_checked(&pi->im);
        }
        for (size_t b = 0; b < f.n && rc == OK; b++) {
            pi->read += f.batches[b].n;
            pi->models += f.batches[b].n > 0;
            rc = f.batches[b].n && !cli->dry_run ? write_batch(pi, &f.batches[b]) : OK;
        }
        prediction_file_close(&f);
        cli_progress(cli, "importing predictions", i + 1, pi->n_files);
    }
    return rc;
}

static enum err_code check_arguments(struct predictions_import *pi)
{
    struct cli *cli = pi->im.cli;
    pi->model = cli_opt(cli, "model");
    pi->reversed = cli_has(cli, "reversed");
    return pi->model && pi->n_files > 1
               ? cli_usage(cli, "--model names the model of one file; the names of several say their models")
               : OK;
}

enum err_code cmd_import_predictions(struct cli *cli)
{
    struct predictions_import pi = {0};
    enum err_code rc = import_classes_only(&pi.im, cli, "");
    if (rc == OK) {
        rc = list_files(&pi);
    }
    if (rc == OK) {
        rc = check_arguments(&pi);
    }
    if (rc == OK) {
        rc = prediction_target_open(&pi.target, &pi.im, cli_opt(cli, "set"), cli_opt(cli, "images"));
    }
    if (rc == OK) {
        rc = check_files(&pi);
    }
    if (rc == OK) {
        rc = write_files(&pi);
    }
    if (rc == OK) {
        cli_progress_end(cli);
        cli_note(cli, "%llu predictions read in %zu file%s, %llu new; %llu new models%s.",
                 (unsigned long long)pi.read, pi.n_files, pi.n_files == 1 ? "" : "s",
                 (unsigned long long)pi.added, (unsigned long long)pi.new_models,
                 cli->dry_run ? " (dry run)" : "");
    }
    free(pi.files);
    prediction_target_close(&pi.target);
    import_close(&pi.im);
    return rc;
}
