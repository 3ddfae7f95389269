/* predictions_import.c - `holdout import predictions`: what models said about images, from
 * files that other programs made or that `predict --shard` left. Many files at once, or a folder of
 * them; a file that names no model is of the model that its name says.
 *
 * All files are read and checked before the first is written. What is written of a file is its
 * records in blocks; their digest tells a file that was imported before, whole or in part, so that
 * a second time adds what is missing and otherwise nothing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "base/xalloc.h"
#include "measures/scores/model_scores.h"
#include "stats/chance.h"
#include "transfer/imports/imports.h"
#include "transfer/predictions/prediction_file.h"

enum { FILES_MOST = 10000 };

struct predictions_import {
    struct import im;
    struct prediction_target target;
    const char **files;
    size_t n_files, cap_files;
    const char *model; /* of all; NULL: the files say it */
    bool reversed;
    uint64_t read;
    struct prediction_write_counts counts;
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
        return err_rule(pi->im.tr->err, ERR_LIMIT, "prediction-files",
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
    struct arena *a = f->pi->im.tr->arena;
    if (!ending_known(relative)) {
        transfer_note(f->pi->im.tr, "%s/%s is skipped: it is not a .npy, .csv or .jsonl file.", f->path,
                 relative);
        return OK;
    }
    return add_file(f->pi, fs_join(a, f->path, relative));
}

static enum err_code list_files(struct predictions_import *pi, const struct predictions_ask *ask)
{
    struct transfer *tr = pi->im.tr;
    enum err_code rc = OK;
    for (size_t i = 0; i < ask->n_files && rc == OK; i++) {
        struct folder f = {pi, ask->files[i]};
        rc = fs_is_dir(f.path) ? fs_walk(f.path, add_of_folder, &f, tr->err) : add_file(pi, f.path);
    }
    if (rc == OK && pi->n_files == 0) {
        rc = err_rule(tr->err, ERR_NOT_FOUND, "prediction-files", "There is no file to import.");
    }
    return rc;
}

/* The given one, or the file's name without folder and ending. */
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

static double percent(size_t k, size_t n)
{
    return n ? 100 * (double)k / (double)n : 0;
}

/* Published predictions exist whose columns are worst first: believed, top-1 accuracy is a tenth of
 * what it is. A part was written by `predict`, whose order is right however few its images are. How
 * often a column is right is said of sets alone that models may be scored on. */
static void warn_order(const struct predictions_import *pi, const struct prediction_batch *b)
{
    struct transfer *tr = pi->im.tr;
    int last = b->k - 1;
    char numbers[96] = "";
    if (b->part || b->k < 2 || b->hits[last] <= b->hits[0]) {
        return;
    }
    if (pi->target.may_be_scored) {
        snprintf(numbers, sizeof numbers, " (%.1f %% of the images, the first %.1f %%)",
                 percent(b->hits[last], b->labelled), percent(b->hits[0], b->labelled));
    }
    transfer_progress_end(tr);
    transfer_warn(
        tr, "%s: the last of its %d columns is right more often than the first%s: %s", pi->im.name,
        b->k, numbers,
        pi->reversed
            ? "--reversed turned columns round that were already best first. Import it again without "
              "--reversed."
            : "its columns seem to be worst first. Import it again with --reversed, which turns "
              "them round and records that it did.");
}

/* One more than the highest class that is named. */
static size_t classes_of(const struct prediction_batch *b)
{
    size_t classes = 1;
    for (size_t i = 0; i < b->labelled; i++) {
        classes = b->pairs[i].label >= classes ? (size_t)b->pairs[i].label + 1 : classes;
        classes = b->pairs[i].answer >= classes ? (size_t)b->pairs[i].answer + 1 : classes;
    }
    return classes;
}

/* Rows that are those of another list are right as often as any answers would be. Of a sealed set
 * nothing is said but that, nor of images without a set, which may be those of one. */
static void warn_chance(const struct predictions_import *pi, const struct prediction_batch *b)
{
    struct transfer *tr = pi->im.tr;
    uint32_t n = (uint32_t)b->labelled;
    size_t classes = classes_of(b);
    uint32_t *labels = xcalloc(2 * classes, sizeof *labels), *answers = labels + classes;
    char numbers[96] = "";
    for (size_t i = 0; i < b->labelled; i++) {
        labels[b->pairs[i].label]++;
        answers[b->pairs[i].answer]++;
    }
    /* The last is that of answers without a class, which are never right. */
    struct chance chance = chance_agreement(labels, answers, classes < PREDICTION_NONE ? classes : PREDICTION_NONE, n);
    free(labels);
    if (b->part || !chance_level((uint32_t)b->hits[0], n, chance)) {
        return;
    }
    if (pi->target.may_be_scored) {
        snprintf(numbers, sizeof numbers, " (%.1f %% of %u images, chance %.1f %%)",
                 percent(b->hits[0], n), n, 100 * chance.expected);
    }
    transfer_progress_end(tr);
    transfer_warn(tr,
             "%s: model " SV_FMT " is right no more often than chance%s: its rows probably follow another "
             "list, or its class numbers another numbering. --images IMAGES.csv names the image of each row.",
             pi->im.name, SV_ARG(b->model), numbers);
}

static void note_batch(const struct predictions_import *pi, const struct prediction_batch *b)
{
    struct transfer *tr = pi->im.tr;
    warn_order(pi, b);
    warn_chance(pi, b);
    if (b->dropped) {
        transfer_note(tr, "%s: the best %d labels of each image are kept.", pi->im.name, PREDICTION_K);
    }
    if (pi->target.n > b->n && !b->part) {
        transfer_note(tr, "%s: model " SV_FMT " has predictions about %zu of the %zu images.",
                 pi->im.name, SV_ARG(b->model), b->n, pi->target.n);
    }
}

static enum err_code check_files(struct predictions_import *pi)
{
    struct transfer *tr = pi->im.tr;
    enum err_code rc = OK;
    for (size_t i = 0; i < pi->n_files && rc == OK; i++) {
        struct prediction_file f;
        uint64_t bad = pi->im.bad;
        rc = import_open_next(&pi->im, pi->files[i]);
        prediction_file_open(&f, &pi->target, model_of(pi, pi->files[i]), pi->model != NULL,
                             pi->reversed);
        rc = rc == OK ? prediction_file_read(&f) : rc;
        if (rc == OK && f.records == 0 && pi->im.bad == bad) {
            rc = err_rule(tr->err, ERR_INPUT, "prediction-empty",
                          "%s has no predictions. Nothing was written.", pi->im.name);
        }
        for (size_t b = 0; b < f.n && rc == OK && pi->im.bad == 0; b++) {
            note_batch(pi, &f.batches[b]);
        }
        prediction_file_close(&f);
        transfer_progress(tr, "checking files", i + 1, pi->n_files);
    }
    return rc == OK ? import_checked(&pi->im) : rc;
}

/* ---- writing ---- */

static enum err_code write_files(struct predictions_import *pi)
{
    struct transfer *tr = pi->im.tr;
    struct prediction_writing how = {.tr = tr,
                                     .revision = pi->target.revision,
                                     .list = pi->target.set.id
                                                 ? sv_make((const char *)pi->target.set.digest, SET_DIGEST)
                                                 : SV(""),
                                     .now = pi->im.now,
                                     .reversed = pi->reversed,
                                     .counts = &pi->counts};
    enum err_code rc = OK;
    for (size_t i = 0; i < pi->n_files && rc == OK; i++) {
        struct prediction_file f;
        rc = import_open_next(&pi->im, pi->files[i]);
        prediction_file_open(&f, &pi->target, model_of(pi, pi->files[i]), pi->model != NULL,
                             pi->reversed);
        rc = rc == OK ? prediction_file_read(&f) : rc;
        if (rc == OK) { /* it was fine a moment ago */
            rc = import_checked(&pi->im);
        }
        for (size_t b = 0; b < f.n && rc == OK; b++) {
            pi->read += f.batches[b].n;
            how.name = pi->im.name;
            rc = f.batches[b].n && !tr->dry_run ? prediction_write(&how, &f.batches[b]) : OK;
        }
        prediction_file_close(&f);
        transfer_progress(tr, "importing predictions", i + 1, pi->n_files);
    }
    return rc;
}

/* ---- what does not count ---- */

enum { NOTES_MOST = 5 };

static size_t images_of(const struct source_score *list, size_t n, int64_t source, bool counted)
{
    for (size_t i = 0; i < n; i++) {
        if (list[i].source == source) {
            return counted ? list[i].counted : list[i].predicted;
        }
    }
    return 0;
}

static int64_t gave_way(const struct source_score *list, size_t n)
{
    size_t i = 0;
    while (i < n && !list[i].gave_way) {
        i++;
    }
    return i < n ? list[i].source : 0;
}

/* When other predictions of the model score the set, whether it is frozen or those are better; when they did. */
static enum err_code note_other(const struct predictions_import *pi, struct model_scores *scores,
                                const struct prediction_written *w, size_t *noted)
{
    struct transfer *tr = pi->im.tr;
    const struct revision_row *r = &pi->target.set;
    struct source_score *list;
    struct source_difference *differ;
    struct arena a;
    size_t n = 0, n_differ = 0;
    arena_init(&a, (size_t)1 << 31);
    enum err_code rc =
        model_scores_sources(scores, tr->db, r, w->model, &a, &list, &n, tr->err);
    int64_t before = rc == OK && images_of(list, n, w->source, true) ? gave_way(list, n) : 0;
    if (before && ++*noted <= NOTES_MOST) {
        rc = model_scores_differences(scores, tr->db, r, w->model, before, &a, &differ, &n_differ, tr->err);
        transfer_warn(tr,
                 SV_FMT "/%lld was scored by predictions of model " SV_FMT " that were imported for another list "
                 "(source %lld). Those imported for it now, source %lld, replace them: they differ for %zu of "
                 "%lld images. `holdout set sources` compares both, and `holdout set choose` brings the others "
                 "back.",
                 SV_ARG(r->set), (long long)r->number, SV_ARG(w->name), (long long)before, (long long)w->source,
                 n_differ, (long long)r->images);
    } else if (rc == OK && images_of(list, n, w->source, false) && !images_of(list, n, w->source, true) &&
               ++*noted <= NOTES_MOST) {
        rc = model_scores_differences(scores, tr->db, r, w->model, w->source, &a, &differ,
                                      &n_differ, tr->err);
        transfer_warn(tr,
                 "Other predictions of model " SV_FMT " score " SV_FMT "/%lld, and still do: only a decision "
                 "replaces them. The new ones are source %lld and differ for %zu of %zu images. `holdout set "
                 "sources` compares them, and `holdout set choose` makes them count.",
                 SV_ARG(w->name), SV_ARG(r->set), (long long)r->number, (long long)w->source,
                 n_differ, images_of(list, n, w->source, false));
    }
    arena_release(&a);
    return rc;
}

/* Whether other predictions of the model may be about images of the set; without asking each image. */
static enum err_code may_differ(const struct predictions_import *pi, const struct prediction_written *w,
                                bool *out)
{
    const struct prediction_target *t = &pi->target;
    struct transfer *tr = pi->im.tr;
    uint32_t least = UINT32_MAX, most = 0;
    *out = true;
    if (t->n != (size_t)t->set.images) {
        return OK; /* the list of images has some of them */
    }
    for (size_t i = 0; i < t->n; i++) {
        least = t->image[i] < least ? t->image[i] : least;
        most = t->image[i] > most ? t->image[i] : most;
    }
    return predictions_others(tr->db, w->model, w->source, least, most, out, tr->err);
}

/* Of models that had none before nothing is to be said. */
static enum err_code note_others(const struct predictions_import *pi)
{
    struct transfer *tr = pi->im.tr;
    size_t noted = 0;
    enum err_code rc = OK;
    if (!pi->target.set.id || !pi->target.may_be_scored || !pi->counts.n_written) {
        return OK;
    }
    struct model_scores *scores = model_scores_new();
    for (size_t i = 0; i < pi->counts.n_written && rc == OK; i++) {
        bool ask = false;
        rc = may_differ(pi, &pi->counts.written[i], &ask);
        rc = rc == OK && ask ? note_other(pi, scores, &pi->counts.written[i], &noted) : rc;
    }
    if (noted > NOTES_MOST) {
        transfer_warn(tr, "The same is true of %zu more models.", noted - NOTES_MOST);
    }
    model_scores_free(scores);
    return rc;
}

static enum err_code check_model(const struct predictions_import *pi)
{
    return pi->model && pi->n_files > 1
               ? err_rule(pi->im.tr->err, ERR_INPUT, "usage",
                          "--model is for a single file; several files are named after their models")
               : OK;
}

enum err_code predictions_import(struct transfer *tr, const struct predictions_ask *ask)
{
    struct predictions_import pi = {.model = ask->model, .reversed = ask->reversed};
    enum err_code rc = import_classes_only(&pi.im, tr, "");
    rc = rc == OK ? list_files(&pi, ask) : rc;
    rc = rc == OK ? check_model(&pi) : rc;
    rc = rc == OK ? prediction_target_open(&pi.target, &pi.im, ask->set, ask->images) : rc;
    rc = rc == OK ? check_files(&pi) : rc;
    rc = rc == OK ? write_files(&pi) : rc;
    if (rc == OK) {
        transfer_progress_end(tr);
        transfer_note(tr, "%llu predictions read in %zu file%s, %llu new; %llu new models%s.",
                 (unsigned long long)pi.read, pi.n_files, pi.n_files == 1 ? "" : "s",
                 (unsigned long long)pi.counts.added, (unsigned long long)pi.counts.models,
                 tr->dry_run ? " (dry run)" : "");
    }
    rc = rc == OK ? note_others(&pi) : rc;
    free(pi.files);
    free(pi.counts.written);
    prediction_target_close(&pi.target);
    import_close(&pi.im);
    return rc;
}
