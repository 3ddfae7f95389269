/* images.c - the pixels to train on, decoded once and kept as bytes. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "base/parallel.h"
#include "base/xalloc.h"
#include "infer/train/private.h"

/* A file of an image, and the pixels of all of them. */
#define FILE_MOST ((size_t)256 << 20)
#define PIXELS_MOST ((size_t)8 << 30)

enum err_code train_stopped(const struct train_watch *w, struct err *err)
{
    return w && w->stop && w->stop(w->arg)
               ? err_rule(err, ERR_BUSY, "job-stopped", "Training was stopped; nothing was kept.")
               : OK;
}

void train_say(const struct train_watch *w, const char *what, size_t done, size_t total)
{
    if (w && w->progress) {
        w->progress(w->arg, what, done, total);
    }
}

struct preprocess train_preprocess(unsigned side)
{
    return (struct preprocess){.resize = side,
                               .crop = side,
                               .filter = FILTER_BILINEAR,
                               .scale = 255,
                               .mean = {0, 0, 0},
                               .std = {1, 1, 1}};
}

/* ------------------------------------------------------------------ decoding */

struct decoding {
    const struct train_list *list;
    const struct train_watch *watch;
    struct train_images *s;
    struct preprocess how;
    struct worker_room {
        struct preprocess_room room;
        unsigned char *bytes; /* of one image, pixel by pixel */
        struct str file;
    } workers[PARALLEL_THREADS];
    pthread_mutex_t lock; /* of what follows */
    struct failure {
        size_t image;
        struct err why;
    } * failures; /* sorted by image once all are decoded */
    size_t n_failures, cap;
    bool stopped; /* set by worker 0, which others may see late */
};

static enum err_code decode(struct decoding *d, struct worker_room *w, size_t i, struct err *err)
{
    size_t area = (size_t)d->s->side * d->s->side;
    str_clear(&w->file);
    enum err_code rc = fs_read(d->list->path(d->list->arg, i), &w->file, err);
    if (rc == OK) {
        rc = preprocess_bytes(w->file.p, w->file.n, &d->how, &d->list->limits, &w->room, w->bytes,
                              err);
    }
    unsigned char *planes = d->s->pixels + i * 3 * area;
    for (size_t k = 0; k < area && rc == OK; k++) {
        for (size_t channel = 0; channel < 3; channel++) {
            planes[channel * area + k] = w->bytes[3 * k + channel];
        }
    }
    return rc;
}

static void decode_one(void *arg, unsigned worker, size_t i)
{
    struct decoding *d = arg;
    if (worker == 0) {
        train_say(d->watch, "reading images", i, d->list->n);
        bool stop = d->watch && d->watch->stop && d->watch->stop(d->watch->arg);
        __atomic_store_n(&d->stopped, d->stopped || stop, __ATOMIC_RELAXED);
    }
    struct err why = {OK, "", ""};
    if (!__atomic_load_n(&d->stopped, __ATOMIC_RELAXED) &&
        decode(d, &d->workers[worker], i, &why) != OK) {
        pthread_mutex_lock(&d->lock);
        xgrow(&d->failures, &d->cap, d->n_failures + 1, sizeof *d->failures);
        d->failures[d->n_failures++] = (struct failure){i, why};
        pthread_mutex_unlock(&d->lock);
    }
}

static int by_image(const void *a, const void *b)
{
    const struct failure *x = a, *y = b;
    return x->image < y->image ? -1 : x->image > y->image;
}

static void decode_all(struct decoding *d, unsigned threads)
{
    size_t area = (size_t)d->s->side * d->s->side;
    threads = threads > PARALLEL_THREADS ? PARALLEL_THREADS : threads;
    for (unsigned i = 0; i < threads || i == 0; i++) {
        d->workers[i].bytes = xmalloc(3 * area);
        str_init(&d->workers[i].file, FILE_MOST);
    }
    parallel_for(threads, d->list->n, decode_one, d);
    if (d->n_failures > 1) {
        qsort(d->failures, d->n_failures, sizeof *d->failures, by_image);
    }
    for (unsigned i = 0; i < threads || i == 0; i++) {
        preprocess_room_release(&d->workers[i].room);
        str_release(&d->workers[i].file);
        free(d->workers[i].bytes);
    }
}

/* ------------------------------------------------------------------ what is left */

/* Closes the gaps of images that could not be decoded. */
static void drop_failed(struct decoding *d)
{
    struct train_images *s = d->s;
    size_t size = (size_t)3 * s->side * s->side, kept = 0, failed = 0;
    for (size_t i = 0; i < d->list->n; i++) {
        if (failed < d->n_failures && d->failures[failed].image == i) {
            if (d->list->skipped) {
                d->list->skipped(d->list->arg, i, &d->failures[failed].why);
            }
            failed++;
            continue;
        }
        memmove(s->pixels + kept * size, s->pixels + i * size, size);
        s->labels[kept++] = d->list->labels[i];
    }
    s->n = kept;
}

static enum err_code check_classes(const struct train_images *s, const struct train_list *list,
                                   struct err *err)
{
    enum err_code rc = OK;
    size_t *counts = xcalloc(s->classes, sizeof *counts);
    for (size_t i = 0; i < s->n; i++) {
        counts[s->labels[i]]++;
    }
    for (size_t k = 0; k < s->classes && rc == OK; k++) {
        if (counts[k] < 2) {
            rc = err_rule(
                err, ERR_INPUT, "train-images",
                "Class %s has %s training image%s that can be read: training needs at least two of "
                "every class.",
                list->class_name ? list->class_name(list->arg, (uint32_t)k) : "?",
                counts[k] ? "only one" : "no", counts[k] ? "" : "s");
        }
    }
    free(counts);
    return rc;
}

static enum err_code make_room(const struct train_list *list, struct train_images **out,
                               struct err *err)
{
    size_t size = (size_t)3 * list->side * list->side;
    void *pixels = NULL;
    BUG_IF(list->side == 0 || list->side > TRAIN_SIDE);
    if (list->n == 0 || list->classes < 2 || list->n > TRAIN_IMAGES ||
        list->classes > TRAIN_CLASSES) {
        return err_rule(
            err, ERR_INPUT, "train-images",
            "Training needs images of at least two classes (and at most %d images of %d classes): "
            "there are %zu of %zu.",
            TRAIN_IMAGES, TRAIN_CLASSES, list->n, list->classes);
    }
    enum err_code rc =
        xalloc_checked(list->n, size, PIXELS_MOST, "the training images", &pixels, err);
    if (rc == OK) {
        *out = xmalloc(sizeof **out);
        **out = (struct train_images){.side = list->side,
                                      .n = list->n,
                                      .classes = list->classes,
                                      .labels = xmalloc(list->n * sizeof(uint32_t)),
                                      .pixels = pixels};
        memcpy((*out)->labels, list->labels, list->n * sizeof *list->labels);
    }
    return rc;
}

enum err_code train_images_make(const struct train_list *list, const unsigned char *planes,
                                struct train_images **out, struct err *err)
{
    struct train_images *s = NULL;
    *out = NULL;
    enum err_code rc = make_room(list, &s, err);
    if (rc == OK) {
        memcpy(s->pixels, planes, s->n * 3 * s->side * s->side);
        rc = check_classes(s, list, err);
    }
    if (rc != OK) {
        train_images_free(s);
        return rc;
    }
    *out = s;
    return OK;
}

enum err_code train_images_load(const struct train_list *list, const struct train_watch *watch,
                                struct train_images **out, struct err *err)
{
    struct decoding *d = xcalloc(1, sizeof *d);
    *d = (struct decoding){.list = list, .watch = watch, .how = train_preprocess(list->side)};
    pthread_mutex_init(&d->lock, NULL);
    *out = NULL;
    enum err_code rc = make_room(list, &d->s, err);
    if (rc == OK) {
        decode_all(d, list->threads);
        rc = d->stopped ? train_stopped(watch, err) : OK;
    }
    if (rc == OK) {
        drop_failed(d);
        rc = check_classes(d->s, list, err);
    }
    if (rc != OK) {
        train_images_free(d->s);
    } else {
        *out = d->s;
    }
    pthread_mutex_destroy(&d->lock);
    free(d->failures);
    free(d);
    return rc;
}

void train_images_free(struct train_images *s)
{
    if (s) {
        free(s->labels);
        free(s->pixels);
        free(s);
    }
}

size_t train_images_count(const struct train_images *s)
{
    return s->n;
}
