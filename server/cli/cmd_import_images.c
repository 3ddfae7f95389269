/* cmd_import_images.c - `holdout import images`: the files FOLDER/<wnid>/<name>.
 *
 * Threads read, hash and decode the files and write source and renditions, flushed, below images/;
 * the main thread writes the rows afterwards, in short chunks. So a row never names a file that is
 * not on the disk, a killed import leaves at most files without rows, and running it again
 * completes it. A file that cannot be decoded is named and skipped; the exit status is 1 then. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/thread.h"
#include "base/xalloc.h"
#include "cli/commands.h"
#include "cli/import.h"
#include "crypto/crypto.h"
#include "db/bulk.h"
#include "image/image.h"
#include "store/images.h"
#include "store/paths.h"

enum { THREADS_MOST = 64, NAME_MOST = 255, CHUNK = 20, AHEAD = 256 };
#define FILE_MOST ((size_t)256 << 20)

struct file {
    const char *path;     /* relative to the folder; in the command's arena */
    struct sv name;
    int64_t class_id;
    enum { WAITING, DONE, FAILED } state;
    struct source_row source;
    char *why;            /* FAILED; malloc'ed */
};

struct images_import {
    struct import im;
    const char *folder;
    struct sv role, prefix;
    struct rendition_options options;
    struct file *files;
    size_t n, cap;
    struct map_sv names;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t next;          /* file that no thread has taken yet */
    size_t written;       /* files whose rows are written or that failed */
    bool stop;
    uint64_t added, failed;
};

/* The image's name: prefix and file name without its ending. */
static struct sv image_name(struct images_import *ii, const char *relative)
{
    const char *base = strrchr(relative, '/');
    base = base ? base + 1 : relative;
    const char *dot = strrchr(base, '.');
    struct sv stem = sv_make(base, dot && dot != base ? (size_t)(dot - base) : strlen(base));
    return sv_of(arena_printf(&ii->im.cli->arena, SV_FMT SV_FMT, SV_ARG(ii->prefix),
                              SV_ARG(stem)));
}

static enum err_code add_file(void *arg, const char *relative, struct err *err)
{
    (void)err;
    struct images_import *ii = arg;
    const char *slash = strchr(relative, '/');
    if (!slash) {
        import_bad(&ii->im, ii->n + 1, "%s lies in no class folder", relative);
        return OK;
    }
    struct file f = {.path = arena_strdup(&ii->im.cli->arena, relative),
                     .name = image_name(ii, relative)};
    uint64_t line = ii->n + 1;
    f.class_id = import_class(&ii->im, line, sv_make(relative, (size_t)(slash - relative)));
    if (f.name.n == 0 || f.name.n > NAME_MOST || !sv_utf8(f.name)) {
        import_bad(&ii->im, line, "%s: the name must be UTF-8 and at most %d bytes", relative,
                   NAME_MOST);
    }
    if (map_sv_put(&ii->names, f.name, (uint32_t)ii->n) != ii->n) {
        import_bad(&ii->im, line, "%s: another file gives the name " SV_FMT
                   " too; rename one, or import the folders one by one with --prefix",
                   relative, SV_ARG(f.name));
    }
    xgrow(&ii->files, &ii->cap, ii->n + 1, sizeof *ii->files);
    ii->files[ii->n++] = f;
    return OK;
}

/* Writes one of the three files unless it is there. */
static enum err_code put_file(struct images_import *ii, struct arena *a,
                              const unsigned char *sha256, enum rendition_kind kind, const void *p,
                              size_t n, struct err *err)
{
    const char *path = path_rendition(a, ii->im.cli->dir, sha256, kind);
    if (fs_size(path) == (int64_t)n) {
        return OK;
    }
    char *folder = arena_strdup(a, path);
    *strrchr(folder, '/') = '\0';
    enum err_code rc = fs_mkdirs(folder, err);
    return rc != OK ? rc : fs_write_whole(path, p, n, true, err);
}

static enum err_code import_bytes(struct images_import *ii, struct file *f,
                                  const struct fs_map *bytes, struct err *err)
{
    struct rendition r = {0};
    struct arena a;
    arena_init(&a, 1 << 20);
    enum err_code rc = bytes->n > FILE_MOST
                           ? err_set(err, ERR_LIMIT, "the file is larger than %zu bytes", FILE_MOST)
                           : rendition_make(bytes->data, bytes->n, &ii->options, &r, err);
    if (rc == OK) {
        crypto_sha256(bytes->data, bytes->n, f->source.sha256);
        f->source.bytes = (int64_t)bytes->n;
        f->source.type = r.info.type == IMAGE_PNG ? "png" : "jpeg";
        f->source.width = r.info.width;
        f->source.height = r.info.height;
        rc = put_file(ii, &a, f->source.sha256, RENDITION_SOURCE, bytes->data, bytes->n, err);
    }
    if (rc == OK) {
        rc = put_file(ii, &a, f->source.sha256, RENDITION_VIEW, r.view.p, r.view.n, err);
    }
    if (rc == OK) {
        rc = put_file(ii, &a, f->source.sha256, RENDITION_GRID, r.grid.p, r.grid.n, err);
    }
    rendition_release(&r);
    arena_release(&a);
    return rc;
}

/* Reads one file to its end; a failure is kept with the file. */
static void import_one(struct images_import *ii, struct file *f)
{
    struct err err = {OK, "", ""};
    struct arena a;
    struct fs_map bytes = {0};
    arena_init(&a, 1 << 16);
    enum err_code rc = fs_map(fs_join(&a, ii->folder, f->path), &bytes, &err);
    if (rc == OK) {
        rc = import_bytes(ii, f, &bytes, &err);
    }
    fs_unmap(&bytes);
    arena_release(&a);
    f->why = rc == OK ? NULL : xstrdup(err.msg);
    pthread_mutex_lock(&ii->lock);
    f->state = rc == OK ? DONE : FAILED;
    pthread_cond_broadcast(&ii->changed);
    pthread_mutex_unlock(&ii->lock);
}

static void *worker(void *arg)
{
    struct images_import *ii = arg;
    for (;;) {
        pthread_mutex_lock(&ii->lock);
        /* Not too far ahead of the rows: a kill then leaves few files without them. */
        while (!ii->stop && ii->next < ii->n && ii->next >= ii->written + AHEAD) {
            pthread_cond_wait(&ii->changed, &ii->lock);
        }
        bool end = ii->stop || ii->next >= ii->n;
        struct file *f = end ? NULL : &ii->files[ii->next++];
        pthread_mutex_unlock(&ii->lock);
        if (!f) {
            return NULL;
        }
        import_one(ii, f);
    }
}

/* The next file in order, if it is read; NULL when it is not, or at the end. Failures are told
 * here. */
static struct file *next_read(struct images_import *ii)
{
    struct file *f = NULL;
    pthread_mutex_lock(&ii->lock);
    while (ii->written < ii->n) {
        f = &ii->files[ii->written];
        if (f->state == WAITING) {
            f = NULL;
            break;
        }
        ii->written++;
        pthread_cond_broadcast(&ii->changed);
        if (f->state == DONE) {
            break;
        }
        cli_progress_end(ii->im.cli);
        fprintf(stderr, "skipped: %s/%s: %s\n", ii->folder, f->path, f->why);
        ii->failed++;
        f = NULL;
    }
    pthread_mutex_unlock(&ii->lock);
    return f;
}

/* One chunk of what is ready; never waits for a decoder while the transaction is open. */
static enum err_code write_step(struct db *db, void *arg, bool *more, struct err *err)
{
    struct images_import *ii = arg;
    uint64_t added_here = 0;
    enum err_code rc = OK;
    for (int k = 0; k < CHUNK && rc == OK; k++) {
        struct file *f = next_read(ii);
        if (!f) {
            break;
        }
        rc = sources_put(db, &f->source, err);
        struct image_row row = {.name = f->name,
                                .class_id = f->class_id,
                                .role = ii->role,
                                .source = f->source.id,
                                .idx = -1};
        bool added = false;
        if (rc == OK) {
            rc = images_put(db, &row, &added, err);
        }
        added_here += added;
    }
    if (rc == OK && added_here) {
        rc = images_event(db, added_here, ii->im.now, err);
        ii->added += added_here;
    }
    cli_progress(ii->im.cli, "images", ii->written, ii->n);
    *more = false;
    return rc;
}

/* True when a file is ready to be written, false when all are done. */
static bool wait_ready(struct images_import *ii)
{
    pthread_mutex_lock(&ii->lock);
    while (ii->written < ii->n && ii->files[ii->written].state == WAITING) {
        pthread_cond_wait(&ii->changed, &ii->lock);
    }
    bool more = ii->written < ii->n;
    pthread_mutex_unlock(&ii->lock);
    return more;
}

static enum err_code run_threads(struct images_import *ii, int64_t threads)
{
    struct cli *cli = ii->im.cli;
    pthread_t ids[THREADS_MOST];
    int64_t started = 0;
    enum err_code rc = OK;
    while (started < threads && rc == OK) {
        rc = thread_start(&ids[started], "import", worker, ii, &cli->err);
        started += rc == OK;
    }
    while (rc == OK && wait_ready(ii)) {
        rc = bulk_write(cli->db, cli->alone, write_step, ii, &cli->err);
    }
    pthread_mutex_lock(&ii->lock);
    ii->stop = true;
    pthread_cond_broadcast(&ii->changed);
    pthread_mutex_unlock(&ii->lock);
    for (int64_t i = 0; i < started; i++) {
        pthread_join(ids[i], NULL);
    }
    return rc;
}

static enum err_code read_options(struct images_import *ii, int64_t *threads)
{
    static const char *const roles[] = {"original", "candidate", "reference", "gold"};
    struct cli *cli = ii->im.cli;
    const struct config *c = &cli->config;
    const char *role = cli_has(cli, "role") ? cli_opt(cli, "role") : "candidate";
    bool known = false;
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++) {
        known = known || strcmp(role, roles[i]) == 0;
    }
    ii->role = sv_of(role);
    ii->prefix = sv_of(cli_opt(cli, "prefix"));
    ii->options = (struct rendition_options){
        .view_side = (uint32_t)c->view_side,
        .grid_side = (uint32_t)c->grid_side,
        .quality = (int)c->quality,
        .limits = {.max_side = 65535, .max_pixels = (uint64_t)c->max_megapixels * 1000000},
    };
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int64_t otherwise = c->threads_import ? c->threads_import : cores > 0 ? cores : 1;
    if (!known) {
        return cli_usage(cli, "--role must be original, candidate, reference or gold");
    }
    return cli_opt_int(cli, "threads", 1, THREADS_MOST,
                       otherwise > THREADS_MOST ? THREADS_MOST : otherwise, threads);
}

static enum err_code import_folder(struct images_import *ii)
{
    struct cli *cli = ii->im.cli;
    int64_t threads;
    enum err_code rc = read_options(ii, &threads);
    if (rc == OK && !fs_is_dir(ii->folder)) {
        rc = err_set(&cli->err, ERR_NOT_FOUND, "%s is not a folder", ii->folder);
    }
    if (rc == OK) {
        rc = fs_walk(ii->folder, add_file, ii, &cli->err);
    }
    if (rc == OK) {
        rc = import_checked(&ii->im);
    }
    if (rc == OK && ii->n == 0) {
        rc = err_set(&cli->err, ERR_INPUT, "%s holds no files in class folders", ii->folder);
    }
    if (rc == OK && !cli->dry_run) {
        rc = run_threads(ii, threads);
    }
    return rc;
}

enum err_code cmd_import_images(struct cli *cli)
{
    struct images_import ii = {.folder = cli->args[1]};
    pthread_mutex_init(&ii.lock, NULL);
    pthread_cond_init(&ii.changed, NULL);
    map_sv_init(&ii.names);
    enum err_code rc = import_classes_only(&ii.im, cli, cli->args[1]);
    if (rc == OK) {
        rc = import_folder(&ii);
    }
    cli_progress_end(cli);
    if (rc == OK) {
        cli_note(cli, "%zu files, %llu new images, %llu skipped%s.", ii.n,
                 (unsigned long long)ii.added, (unsigned long long)ii.failed,
                 cli->dry_run ? " (dry run)" : "");
    }
    if (rc == OK && ii.failed) {
        rc = err_set(&cli->err, ERR_INPUT, "%llu files could not be read; the others are imported",
                     (unsigned long long)ii.failed);
    }
    for (size_t i = 0; i < ii.n; i++) {
        free(ii.files[i].why);
    }
    free(ii.files);
    map_sv_release(&ii.names);
    import_close(&ii.im);
    pthread_mutex_destroy(&ii.lock);
    pthread_cond_destroy(&ii.changed);
    return rc;
}
