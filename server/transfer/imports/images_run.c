/* images_run.c - the pipeline of an import of images.
 *
 * Threads take files in order, never far ahead of the rows. The caller's thread waits until a
 * batch is done, flushes the file system once, and writes the batch's rows in short transactions.
 * So a row never names a file that is not on the disk, a killed import leaves at most files without
 * rows, and running it again completes it: files without rows are written again, since they may be
 * what a power cut left; those with rows were flushed, and are not decoded again. */
#include "transfer/imports/images_run.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/thread.h"
#include "base/xalloc.h"
#include "crypto/crypto.h"
#include "db/bulk.h"

/* At least BATCH files are flushed at once, and all that are done: a slow disk gets larger batches. */
enum { BATCH = 128, AHEAD = 8 * BATCH, CHUNK = 20 };

struct outcome {
    enum { MADE, SEEN, FAILED } how; /* SEEN: the content was in the project, with all its files */
    struct source_row source;
    char *path;                      /* of a reference; malloc'ed */
    char *why;                       /* FAILED; malloc'ed */
};

/* Content that the project has, with statistics. */
struct known {
    unsigned char sha256[IMAGE_SHA];
    bool referenced;
    int64_t bytes;
};

struct pipeline {
    struct images_job *job;
    struct image_files files;
    int base;                /* the folder, open */
    struct known *known;     /* by hash */
    size_t n_known, cap_known;
    uint32_t tiny_width, tiny_height; /* that all images of the project have; 0: any */
    pthread_mutex_t lock;    /* of all below */
    pthread_cond_t changed;
    size_t next;             /* item that no thread has taken yet */
    size_t written;          /* items whose rows are written or that failed */
    size_t done;             /* items with an outcome */
    size_t ready;            /* end of the batch whose files are flushed */
    bool stop;
    struct err err;          /* why it stopped */
};

static void outcome_free(struct outcome *o)
{
    if (o) {
        free(o->path);
        free(o->why);
        free(o);
    }
}

static int by_hash(const void *a, const void *b)
{
    return memcmp(a, b, IMAGE_SHA);
}

/* True when neither files nor row of this content have to be made. One that was only referenced is
 * not complete when its bytes are to be kept now. */
static bool is_complete(const struct pipeline *p, const unsigned char *sha256)
{
    const struct known *k =
        p->n_known ? bsearch(sha256, p->known, p->n_known, sizeof *k, by_hash) : NULL;
    return k && (!k->referenced || p->job->keep == KEEP_REFERENCE) &&
           image_files_complete(&p->files, sha256, k->bytes, k->referenced);
}

/* The absolute path of an item's file. */
static enum err_code find_reference(const struct pipeline *p, const struct images_item *item,
                                    struct outcome *o, struct err *err)
{
    char full[PATH_MAX];
    struct arena a;
    arena_init(&a, 1 << 16);
    const char *path = item->path[0] == '/' ? item->path : fs_join(&a, p->job->base, item->path);
    enum err_code rc = realpath(path, full) ? OK : err_errno(err, errno, "cannot be found");
    if (rc == OK && !sv_utf8(sv_of(full))) {
        rc = err_set(err, ERR_INPUT, "a file that is referenced must have a path in UTF-8");
    }
    if (rc == OK) {
        o->path = xstrdup(full);
        o->source.path = sv_of(o->path);
    }
    arena_release(&a);
    return rc;
}

static enum err_code check_tiny(const struct pipeline *p, const struct image_info *i,
                                struct err *err)
{
    if (p->tiny_width == 0 || (i->width == p->tiny_width && i->height == p->tiny_height)) {
        return OK;
    }
    return err_rule(err, ERR_INPUT, "image-tiny",
                    "the image has %u x %u pixels; in a project of tiny images (images.tiny) all "
                    "have the same size, here %u x %u",
                    i->width, i->height, p->tiny_width, p->tiny_height);
}

/* What the head of the file says. */
static enum err_code note(const struct pipeline *p, const struct original *file, struct outcome *o, struct err *err)
{
    struct image_info info;
    enum err_code rc = image_info(file->p, file->n, &p->job->options.limits, &info, err);
    rc = rc == OK ? check_tiny(p, &info, err) : rc;
    if (rc == OK) {
        o->how = MADE;
        o->source.type = info.type == IMAGE_PNG ? "png" : "jpeg";
        o->source.width = info.width;
        o->source.height = info.height;
    }
    return rc;
}

/* What the file's bytes say, and both renditions. */
static enum err_code make(const struct pipeline *p, const struct original *file,
                          struct outcome *o, struct rendition *r, struct err *err)
{
    enum err_code rc = rendition_make(file->p, file->n, &p->job->options, r, err);
    rc = rc == OK ? check_tiny(p, &r->info, err) : rc;
    if (rc == OK) {
        o->how = MADE;
        o->source.type = r->info.type == IMAGE_PNG ? "png" : "jpeg";
        o->source.width = r->info.width;
        o->source.height = r->info.height;
        o->source.measured = true;
        o->source.gray = r->statistics.gray;
        o->source.saturation = r->statistics.saturation;
        o->source.sharpness = r->statistics.sharpness;
        o->source.brightness = r->statistics.brightness;
    }
    return rc;
}

static enum err_code put_files(struct pipeline *p, const struct original *file,
                               const struct rendition *r, struct outcome *o, struct err *err)
{
    const unsigned char *sha = o->source.sha256;
    enum keep keep = p->job->keep;
    enum err_code rc =
        image_files_put(&p->files, sha, RENDITION_VIEW, r->view.p, r->view.n, err);
    rc = rc == OK ? image_files_put(&p->files, sha, RENDITION_GRID, r->grid.p, r->grid.n, err) : rc;
    rc = rc == OK ? image_files_keep(&p->files, sha, file, &keep, err) : rc;
    o->source.kept = keep_words[keep];
    return rc;
}

/* Everything that is done for a file but its rows. *fatal: it failed, and not because of the
 * file. */
static enum err_code import_file(struct pipeline *p, const struct images_item *item,
                                 struct original *file, struct outcome *o, bool *fatal,
                                 struct err *err)
{
    struct rendition r = {0};
    enum keep keep = item->bare ? KEEP_REFERENCE : p->job->keep;
    enum err_code rc = original_read(file, p->base, item->path, err);
    if (rc == OK) {
        crypto_sha256(file->p, file->n, o->source.sha256);
        o->source.bytes = (int64_t)file->n;
        o->source.kept = keep_words[keep];
        if (item->content && memcmp(item->content, o->source.sha256, IMAGE_SHA) != 0) {
            rc = err_rule(err, ERR_CONFLICT, "image-content",
                          "image " SV_FMT " is already in the project with different "
                          "content", SV_ARG(item->name));
        }
    }
    if (rc == OK && keep == KEEP_REFERENCE) {
        rc = find_reference(p, item, o, err);
    }
    if (rc == OK && is_complete(p, o->source.sha256)) {
        o->how = SEEN;
    } else if (rc == OK && item->bare) {
        rc = note(p, file, o, err);
    } else if (rc == OK) {
        rc = make(p, file, o, &r, err);
        if (rc == OK) {
            rc = put_files(p, file, &r, o, err);
            *fatal = rc != OK && rc != ERR_INPUT;
        }
    }
    rendition_release(&r);
    original_close(file);
    return rc;
}

/* Imports one file; a failure is kept with it, or ends everything. */
static void import_one(struct pipeline *p, struct images_item *item, struct original *file)
{
    struct err err = {OK, "", ""};
    struct outcome *o = xcalloc(1, sizeof *o);
    bool fatal = false;
    enum err_code rc = import_file(p, item, file, o, &fatal, &err);
    if (rc != OK) {
        o->how = FAILED;
        o->why = xstrdup(err.msg);
    }
    pthread_mutex_lock(&p->lock);
    item->outcome = o;
    p->done++;
    if (fatal && !p->stop) {
        p->stop = true;
        p->err = err;
    }
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
}

static struct images_item *take_item(struct pipeline *p)
{
    struct images_job *job = p->job;
    pthread_mutex_lock(&p->lock);
    while (!p->stop && p->next < job->n && p->next >= p->written + AHEAD) {
        pthread_cond_wait(&p->changed, &p->lock);
    }
    struct images_item *item = p->stop || p->next >= job->n ? NULL : &job->items[p->next++];
    pthread_mutex_unlock(&p->lock);
    return item;
}

static void *worker(void *arg)
{
    struct pipeline *p = arg;
    struct original file = {.fd = -1};
    for (struct images_item *item; (item = take_item(p));) {
        import_one(p, item, &file);
    }
    original_release(&file);
    return NULL;
}

static void tell_skipped(struct pipeline *p, const struct images_item *item)
{
    struct images_job *job = p->job;
    transfer_progress_end(job->tr);
    if (item->line) {
        transfer_skipped(job->tr, "skipped: %s:%llu: %s: %s", job->list, (unsigned long long)item->line,
                         item->path, item->outcome->why);
    } else {
        transfer_skipped(job->tr, "skipped: %s/%s: %s", job->list, item->path, item->outcome->why);
    }
    job->failed++;
}

static enum err_code put_rows(struct db *db, const struct images_item *item,
                              uint64_t *added_here, struct err *err)
{
    struct source_row *s = &item->outcome->source;
    const struct image_origin none = {.keyword = {NULL, 0}}, *from = item->origin;
    from = from ? from : &none;
    enum err_code rc =
        item->outcome->how == SEEN ? sources_seen(db, s, err) : sources_put(db, s, err);
    struct image_row row = {.name = item->name,
                            .class_id = item->class_id,
                            .role = sv_of(item->role),
                            .source = s->id,
                            .idx = -1,
                            .source_id = from->source_id,
                            .source_url = from->link,
                            .taken_at = from->taken_at,
                            .author = from->author,
                            .licence = from->licence,
                            .keyword = from->keyword};
    bool added = false;
    rc = rc == OK ? images_put(db, &row, &added, err) : rc;
    *added_here += added;
    return rc;
}

/* Some rows of the batch that is flushed. */
static enum err_code write_step(struct db *db, void *arg, bool *more, struct err *err)
{
    struct pipeline *p = arg;
    uint64_t added_here = 0;
    size_t at = p->written; /* only this thread changes it */
    enum err_code rc = OK;
    for (int k = 0; k < CHUNK && at < p->ready && rc == OK; k++, at++) {
        const struct images_item *item = &p->job->items[at];
        if (item->outcome->how == FAILED) {
            tell_skipped(p, item);
        } else {
            rc = put_rows(db, item, &added_here, err);
        }
    }
    if (rc == OK) {
        rc = images_event(db, added_here, p->job->now, err);
        p->job->added += added_here;
    }
    pthread_mutex_lock(&p->lock);
    while (rc == OK && p->written < at) {
        struct images_item *item = &p->job->items[p->written++];
        outcome_free(item->outcome);
        item->outcome = NULL;
    }
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
    *more = at < p->ready;
    return rc;
}

/* Waits for the next batch; false when all is written or the import has to stop. */
static bool wait_batch(struct pipeline *p)
{
    struct images_job *job = p->job;
    size_t at = p->written, least = at + BATCH < job->n ? at + BATCH : job->n;
    pthread_mutex_lock(&p->lock);
    for (;;) {
        while (at < job->n && job->items[at].outcome) {
            at++;
        }
        if (p->stop || at >= least) {
            break;
        }
        transfer_progress(job->tr, "images", p->done, job->n);
        pthread_cond_wait(&p->changed, &p->lock);
    }
    p->ready = p->stop ? p->written : at;
    pthread_mutex_unlock(&p->lock);
    return p->ready > p->written;
}

static void stop(struct pipeline *p)
{
    pthread_mutex_lock(&p->lock);
    p->stop = true;
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
}

static enum err_code run_threads(struct pipeline *p)
{
    struct transfer *tr = p->job->tr;
    pthread_t ids[IMPORT_THREADS_MOST];
    int64_t started = 0;
    enum err_code rc = OK;
    while (started < p->job->threads && rc == OK) {
        rc = thread_start(&ids[started], "import", worker, p, tr->err);
        started += rc == OK;
    }
    while (rc == OK && wait_batch(p)) {
        rc = image_files_flush(&p->files, tr->err);
        rc = rc == OK ? bulk_write(tr->db, tr->alone, write_step, p, tr->err) : rc;
    }
    stop(p);
    for (int64_t i = 0; i < started; i++) {
        pthread_join(ids[i], NULL);
    }
    if (rc == OK && p->err.code != OK) {
        rc = err_rule(tr->err, p->err.code, p->err.rule, "%s", p->err.msg);
    }
    return rc;
}

static enum err_code add_known(void *arg, const struct source_row *s, struct err *err)
{
    (void)err;
    struct pipeline *p = arg;
    if (s->measured) {
        xgrow(&p->known, &p->cap_known, p->n_known + 1, sizeof *p->known);
        struct known *k = &p->known[p->n_known++];
        *k = (struct known){.referenced = strcmp(s->kept, keep_words[KEEP_REFERENCE]) == 0,
                            .bytes = s->bytes};
        memcpy(k->sha256, s->sha256, IMAGE_SHA);
    }
    return OK;
}

/* The size that images of a tiny project have: that of any in it, or of the list's first. */
static enum err_code find_tiny_size(struct pipeline *p)
{
    struct images_job *job = p->job;
    int64_t width, height;
    enum err_code rc = sources_any_size(job->tr->db, &width, &height, job->tr->err);
    p->tiny_width = (uint32_t)width;
    p->tiny_height = (uint32_t)height;
    struct original file = {.fd = -1};
    for (size_t i = 0; i < job->n && rc == OK && p->tiny_width == 0; i++) {
        struct err none = {OK, "", ""};
        struct image_info info;
        if (original_read(&file, p->base, job->items[i].path, &none) == OK &&
            image_info(file.p, file.n, &job->options.limits, &info, &none) == OK) {
            p->tiny_width = info.width;
            p->tiny_height = info.height;
        }
        original_close(&file);
    }
    original_release(&file);
    return rc;
}

static enum err_code run(struct pipeline *p)
{
    struct transfer *tr = p->job->tr;
    p->base = open(p->job->base, O_RDONLY | O_CLOEXEC | O_DIRECTORY);
    if (p->base < 0) {
        return err_errno(tr->err, errno, "cannot open folder %s", p->job->base);
    }
    enum err_code rc = image_files_open(&p->files, tr->dir, tr->err);
    rc = rc == OK ? sources_each(tr->db, add_known, p, tr->err) : rc;
    if (rc == OK && p->job->options.tiny) {
        rc = find_tiny_size(p);
    }
    rc = rc == OK ? run_threads(p) : rc;
    image_files_close(&p->files);
    close(p->base);
    return rc;
}

enum err_code images_run(struct images_job *job)
{
    struct pipeline p = {.job = job};
    pthread_mutex_init(&p.lock, NULL);
    pthread_cond_init(&p.changed, NULL);
    enum err_code rc = run(&p);
    for (size_t i = p.written; i < p.next; i++) {
        outcome_free(job->items[i].outcome);
    }
    free(p.known);
    pthread_mutex_destroy(&p.lock);
    pthread_cond_destroy(&p.changed);
    return rc;
}
