/* features_import.c - `holdout import features`: reference and training images without pixels, with the features that a
 * model gave them elsewhere. The names are in memory, as in every import; the features pass by, a few rows at a time, once
 * to be checked and once to be stored. Their rows go behind those of `holdout features`, in one transaction with their
 * images. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "db/bulk.h"
#include "formats/csv.h"
#include "formats/manifest.h"
#include "formats/npy.h"
#include "store/core/events.h"
#include "store/duplicates/feature_only.h"
#include "store/images/images.h"
#include "transfer/core/feature_file.h"
#include "transfer/imports/imports.h"
#include "transfer/imports/lines.h"

enum { CHUNK = 200, READ_BYTES = 4 << 20, NAMES_BYTES = 1 << 20 };

/* The rows of the file, one after the other. */
struct rows {
    const char *path;
    int fd;
    struct npy_floats shape;
    float *room;
    size_t first, n, most; /* rows in `room` */
};

struct waiting {
    struct sv name;
    int64_t class_id;
};

struct feature_import {
    const struct features_ask *ask;
    struct import im;
    struct csv csv; /* names */
    int image, wnid;
    struct rows rows;
    struct map_u64 stored; /* images whose row is there -> its number */
    int stored_fd;         /* of these rows, -1: there are none */
    const char *stored_path;
    float *stored_row;     /* room for one */
    struct feature_file file;
    struct arena names;    /* of those that wait */
    struct waiting waiting[FEATURE_BLOCK];
    size_t put;            /* of those that wait: their rows are named */
    uint64_t read, added, new_images, same;
};

/* ------------------------------------------------------------------ the file of features */

static enum err_code read_at(int fd, const char *path, void *to, size_t n, uint64_t at, struct err *err)
{
    char *p = to;
    while (n) {
        ssize_t got = pread(fd, p, n, (off_t)at);
        if (got <= 0) {
            return err_errno(err, got < 0 ? errno : EIO, "cannot read %s", path);
        }
        p += got;
        n -= (size_t)got;
        at += (uint64_t)got;
    }
    return OK;
}

static enum err_code read_header(struct rows *r, uint64_t bytes, struct err *err)
{
    size_t n = bytes < NPY_BEGIN_MOST ? (size_t)bytes : NPY_BEGIN_MOST;
    char *begin = xmalloc(n + 1);
    enum err_code rc = read_at(r->fd, r->path, begin, n, 0, err);
    rc = rc == OK ? npy_floats(&r->shape, r->path, sv_make(begin, n), bytes, err) : rc;
    free(begin);
    return rc;
}

static enum err_code open_rows(struct feature_import *f)
{
    struct rows *r = &f->rows;
    struct err *err = f->im.tr->err;
    struct stat st;
    r->path = f->ask->file;
    r->fd = open(r->path, O_RDONLY | O_CLOEXEC);
    if (r->fd < 0 || fstat(r->fd, &st) != 0) {
        return err_errno(err, errno, "cannot read %s", r->path);
    }
    if (!S_ISREG(st.st_mode)) {
        return err_rule(err, ERR_INPUT, "npy-header", "%s is not a file; features are read twice, so they cannot be piped",
                        r->path);
    }
    enum err_code rc = read_header(r, (uint64_t)st.st_size, err);
    if (rc == OK && r->shape.columns != (size_t)f->ask->source->dim) {
        rc = err_rule(err, ERR_INPUT, "features-width",
                      "%s has %zu numbers per image, but " SV_FMT " of " SV_FMT " has %lld. Nothing was written", r->path,
                      r->shape.columns, SV_ARG(f->ask->source->output), SV_ARG(f->ask->model), (long long)f->ask->source->dim);
    }
    if (rc == OK) {
        size_t row = r->shape.columns * sizeof *r->room;
        r->most = READ_BYTES / row > 0 ? READ_BYTES / row : 1;
        r->room = xcalloc(r->most * r->shape.columns, sizeof *r->room);
    }
    return rc;
}

/* A row; rows are asked for in their order, from 0 again as often as somebody likes. */
static enum err_code row_at(struct rows *r, size_t row, const float **out, struct err *err)
{
    size_t bytes = r->shape.columns * sizeof *r->room;
    enum err_code rc = OK;
    if (row < r->first || row >= r->first + r->n) {
        r->first = row;
        r->n = r->shape.rows - row < r->most ? r->shape.rows - row : r->most;
        rc = read_at(r->fd, r->path, r->room, r->n * bytes, r->shape.begin + (uint64_t)row * bytes, err);
    }
    *out = r->room + (row - r->first) * r->shape.columns;
    return rc;
}

/* ------------------------------------------------------------------ what is there */

static enum err_code take_stored(void *arg, int64_t row, uint32_t image, struct err *err)
{
    (void)err;
    map_u64_put(arg, image, (uint32_t)row);
    return OK;
}

/* Which images of the source have their row; again once nobody else adds to it. */
static enum err_code find_stored(struct feature_import *f)
{
    map_u64_release(&f->stored);
    map_u64_init(&f->stored);
    return f->ask->source->rows > 0
               ? features_each(f->im.tr->db, f->ask->source->id, take_stored, &f->stored, f->im.tr->err)
               : OK;
}

/* The source, if anything was stored of it, and its rows. */
static enum err_code open_stored(struct feature_import *f)
{
    struct transfer *tr = f->im.tr;
    struct feature_source *list, *s = f->ask->source;
    size_t n = 0;
    enum err_code rc = features_sources(tr->db, s->model, tr->arena, &list, &n, tr->err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        if (memcmp(list[i].digest, s->digest, sizeof s->digest) == 0 && list[i].dim == s->dim) {
            s->id = list[i].id;
            s->rows = list[i].rows;
        }
    }
    rc = rc == OK ? find_stored(f) : rc;
    if (rc == OK && s->rows > 0) {
        f->stored_path = path_features(tr->arena, tr->dir, s->id);
        f->stored_fd = open(f->stored_path, O_RDONLY | O_CLOEXEC);
        f->stored_row = xcalloc((size_t)s->dim, sizeof *f->stored_row);
        rc = f->stored_fd < 0 ? err_errno(tr->err, errno, "cannot read %s", f->stored_path) : OK;
    }
    return rc;
}

/* Whether row `row` of what is there has the same bits. */
static enum err_code same_as_stored(const struct feature_import *f, uint32_t row, const float *numbers, bool *out)
{
    size_t bytes = f->rows.shape.columns * sizeof *numbers;
    enum err_code rc = read_at(f->stored_fd, f->stored_path, f->stored_row, bytes, (uint64_t)row * bytes, f->im.tr->err);
    *out = rc == OK && memcmp(f->stored_row, numbers, bytes) == 0;
    return rc;
}

/* ------------------------------------------------------------------ names */

static enum err_code open_names(struct feature_import *f)
{
    struct err *err = f->im.tr->err;
    enum err_code rc = csv_open(&f->csv, f->im.name, f->im.text, err);
    rc = rc == OK ? csv_need(&f->csv, "image", &f->image, err) : rc;
    return rc == OK ? csv_need(&f->csv, "wnid", &f->wnid, err) : rc;
}

static struct image_row image_of(const struct feature_import *f, struct sv name, int64_t class_id)
{
    return (struct image_row){.name = name, .class_id = class_id, .role = sv_of(f->ask->role), .idx = -1};
}

static void check_numbers(struct feature_import *f, size_t row, const float *numbers)
{
    for (size_t k = 0; k < f->rows.shape.columns; k++) {
        if (!isfinite(numbers[k])) {
            import_bad(&f->im, f->csv.line, "row %zu of %s has a number that is %s, of image " SV_FMT, row, f->rows.path,
                       isnan(numbers[k]) ? "none (NaN)" : "infinite", SV_ARG(f->csv.cells[f->image]));
            return;
        }
    }
}

/* What is known of an image that the project has must not contradict the row. */
static enum err_code compare_known(struct feature_import *f, struct sv name, const float *numbers)
{
    struct transfer *tr = f->im.tr;
    unsigned char sha256[IMAGE_SHA];
    bool pixels = false, same = true;
    int64_t id = 0;
    enum err_code rc = sources_of_name(tr->db, name, sha256, &pixels, tr->err);
    rc = rc == OK ? images_find(tr->db, name, &id, tr->err) : rc;
    uint32_t row = map_u64_get(&f->stored, (uint64_t)id);
    rc = rc == OK && row != MAP_NONE && !pixels ? same_as_stored(f, row, numbers, &same) : rc;
    if (rc != OK) {
        return rc;
    }
    if (pixels) {
        import_bad(&f->im, f->csv.line, "image " SV_FMT " has pixels in this project; `holdout features` computes its features",
                   SV_ARG(name));
    } else if (!same) {
        import_bad(&f->im, f->csv.line,
                   "image " SV_FMT " has other features already, and searches were made with them; import these for "
                   "another model, or under another name", SV_ARG(name));
    } else {
        f->same += row != MAP_NONE;
    }
    return OK;
}

static enum err_code check_row(struct feature_import *f, struct map_sv *names, size_t row, const float *numbers)
{
    struct sv name = f->csv.cells[f->image], wnid = f->csv.cells[f->wnid];
    uint64_t bad = f->im.bad;
    bool known = false;
    if (!manifest_id_good(name)) {
        import_bad(&f->im, f->csv.line, "the image's name must be UTF-8 without control characters, of 1 to %d bytes",
                   MANIFEST_ID_MOST);
    } else if (map_sv_put(names, name, (uint32_t)row) != row) {
        import_bad(&f->im, f->csv.line, "image " SV_FMT " appears twice in the list", SV_ARG(name));
    }
    if (wnid.n == 0) {
        import_bad(&f->im, f->csv.line, "the image's class is missing");
    }
    struct image_row image = image_of(f, name, wnid.n ? import_class(&f->im, f->csv.line, wnid) : 0);
    check_numbers(f, row, numbers);
    if (f->im.bad != bad) {
        return OK;
    }
    struct err why = {0};
    enum err_code rc = images_check(f->im.tr->db, &image, &known, &why);
    if (rc == ERR_CONFLICT) {
        import_bad(&f->im, f->csv.line, "%s", why.msg);
        return OK;
    }
    *f->im.tr->err = why;
    return rc == OK && known ? compare_known(f, name, numbers) : rc;
}

static enum err_code check_counts(const struct feature_import *f)
{
    return f->read == f->rows.shape.rows
               ? OK
               : err_rule(f->im.tr->err, ERR_INPUT, "features-rows",
                          "%s has %zu rows, but %s names %llu images: a name for each row, in their order. Nothing was "
                          "written", f->rows.path, f->rows.shape.rows, f->im.name, (unsigned long long)f->read);
}

static enum err_code check_all(struct feature_import *f)
{
    struct transfer *tr = f->im.tr;
    struct map_sv names;
    bool more = true;
    map_sv_init(&names);
    enum err_code rc = open_names(f);
    for (; rc == OK && (rc = csv_next(&f->csv, &more, tr->err)) == OK && more; f->read++) {
        const float *numbers = NULL;
        if (f->read < f->rows.shape.rows) {
            rc = row_at(&f->rows, (size_t)f->read, &numbers, tr->err);
            rc = rc == OK ? check_row(f, &names, (size_t)f->read, numbers) : rc;
            transfer_progress(tr, "checking features", f->read, f->rows.shape.rows);
        }
    }
    transfer_progress_end(tr);
    csv_close(&f->csv);
    map_sv_release(&names);
    rc = rc == OK ? check_counts(f) : rc;
    return rc == OK ? import_checked(&f->im) : rc;
}

/* ------------------------------------------------------------------ storing */

static enum err_code put_image(struct feature_import *f, const struct waiting *w, int64_t event, uint32_t *out,
                               uint64_t *added_here, struct err *err)
{
    struct db *db = f->im.tr->db;
    const struct image_row image = image_of(f, w->name, w->class_id);
    bool added = false;
    int64_t id = 0;
    enum err_code rc = images_put(db, &image, &added, err);
    rc = rc == OK ? images_find(db, w->name, &id, err) : rc;
    rc = rc == OK ? feature_only_put(db, f->ask->source->model, id, event, err) : rc;
    *out = (uint32_t)id;
    *added_here += added;
    return rc;
}

/* Some images of those that wait, with their rows; what images_event says of an import is said by one event of both. */
static enum err_code put_step(struct db *db, void *arg, bool *more, struct err *err)
{
    struct feature_import *f = arg;
    struct feature_file *file = &f->file;
    size_t n = file->n - f->put < CHUNK ? file->n - f->put : CHUNK;
    char detail[48];
    int64_t event;
    uint64_t added_here = 0;
    snprintf(detail, sizeof detail, "{\"images\":%zu}", n);
    enum err_code rc = events_add(db, f->im.now, 0, "features.import", file->source->model, detail, &event, err);
    for (size_t i = f->put; i < f->put + n && rc == OK; i++) {
        rc = put_image(f, &f->waiting[i], event, &file->images[i], &added_here, err);
    }
    rc = rc == OK ? features_append(db, file->source->id, file->source->rows + (int64_t)f->put, &file->images[f->put], n, err)
                  : rc;
    if (rc == OK) {
        f->put += n;
        f->added += n;
        f->new_images += added_here;
    }
    *more = f->put < file->n;
    return rc;
}

static enum err_code flush(struct feature_import *f)
{
    struct transfer *tr = f->im.tr;
    if (f->file.n == 0) {
        return OK;
    }
    f->put = 0;
    enum err_code rc = feature_file_write(&f->file, tr->err);
    rc = rc == OK ? bulk_write(tr->db, tr->alone, put_step, f, tr->err) : rc;
    if (rc == OK) {
        feature_file_written(&f->file);
        arena_clear(&f->names);
    }
    return rc;
}

static enum err_code store_row(struct feature_import *f, size_t row)
{
    struct transfer *tr = f->im.tr;
    struct sv name = f->csv.cells[f->image];
    const float *numbers = NULL;
    int64_t id = 0;
    enum err_code rc = images_find(tr->db, name, &id, tr->err);
    if (rc != OK || (id && map_u64_get(&f->stored, (uint64_t)id) != MAP_NONE)) {
        return rc;
    }
    rc = row_at(&f->rows, row, &numbers, tr->err);
    if (rc == OK) {
        memcpy(feature_file_next(&f->file), numbers, f->rows.shape.columns * sizeof *numbers);
        f->waiting[f->file.n++] = (struct waiting){arena_sv(&f->names, name),
                                                   import_class(&f->im, f->csv.line, f->csv.cells[f->wnid])};
    }
    return rc == OK && f->file.n == f->file.most ? flush(f) : rc;
}

static enum err_code store_all(struct feature_import *f)
{
    struct transfer *tr = f->im.tr;
    bool more = true;
    enum err_code rc = feature_file_open(&f->file, tr->db, tr->dir, f->ask->source, "computing features", f->ask->model,
                                         tr->arena, tr->err);
    rc = rc == OK ? find_stored(f) : rc;
    rc = rc == OK ? open_names(f) : rc;
    for (size_t row = 0; rc == OK && (rc = csv_next(&f->csv, &more, tr->err)) == OK && more; row++) {
        rc = store_row(f, row);
        transfer_progress(tr, "storing features", row + 1, f->rows.shape.rows);
    }
    rc = rc == OK ? flush(f) : rc;
    transfer_progress_end(tr);
    csv_close(&f->csv);
    return rc;
}

/* ------------------------------------------------------------------ all */

static void tell(const struct feature_import *f)
{
    const struct transfer *tr = f->im.tr;
    if (tr->dry_run) {
        transfer_note(tr, "%llu rows read, features of %llu images to store, %llu were there already (dry run).",
                      (unsigned long long)f->read, (unsigned long long)(f->read - f->same), (unsigned long long)f->same);
    } else {
        transfer_note(tr, "%llu rows read, features of %llu images stored, %llu new images.", (unsigned long long)f->read,
                      (unsigned long long)f->added, (unsigned long long)f->new_images);
    }
}

static void close_fd(int fd)
{
    if (fd >= 0) {
        close(fd);
    }
}

enum err_code features_import(struct transfer *tr, const struct features_ask *ask)
{
    struct feature_import *f = xcalloc(1, sizeof *f);
    f->ask = ask;
    f->rows.fd = f->file.fd = f->stored_fd = -1;
    map_u64_init(&f->stored);
    arena_init(&f->names, NAMES_BYTES);
    enum err_code rc = import_open(&f->im, tr, ask->names);
    rc = rc == OK ? open_rows(f) : rc;
    rc = rc == OK ? open_stored(f) : rc;
    rc = rc == OK ? check_all(f) : rc;
    rc = rc == OK && !tr->dry_run && f->same < f->read ? store_all(f) : rc;
    if (rc == OK) {
        tell(f);
    }
    feature_file_close(&f->file);
    free(f->stored_row);
    free(f->rows.room);
    close_fd(f->rows.fd);
    close_fd(f->stored_fd);
    arena_release(&f->names);
    map_u64_release(&f->stored);
    import_close(&f->im);
    free(f);
    return rc;
}
