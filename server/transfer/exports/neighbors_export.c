/* neighbors_export.c - originals and candidates by name are the references, candidates among them the queries; pixels
 * are read from their files and brought to one size, features from the rows that `holdout features` wrote. */
#include "transfer/exports/neighbors_export.h"

#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "base/map.h"
#include "base/thread.h"
#include "base/xalloc.h"
#include "formats/csv.h"
#include "store/models/features.h"
#include "store/models/models.h"
#include "transfer/exports/match_pixels.h"

enum { OUT_MOST = 1 << 26 };
#define NO_ROW UINT32_MAX

struct finding {
    struct transfer *tr;
    const struct neighbors_ask *ask;
    struct match_image *images; /* by name; texts in the arena */
    size_t n, cap;
    uint32_t *queries, n_queries; /* places among images */
    struct fs_map features;
    uint32_t *rows;             /* SEARCH_FEATURES: of each image, NO_ROW: it has none */
    uint64_t compared;          /* pairs that were printed */
    struct str out;
    pthread_mutex_t lock;       /* of what follows: rows are read by several threads */
    bool *unread;               /* of each image, said once */
    size_t n_unread;
};

/* ---- images ---- */

static enum err_code collect(void *arg, const struct match_image *m, struct err *err)
{
    struct finding *f = arg;
    (void)err;
    xgrow(&f->images, &f->cap, f->n + 1, sizeof *f->images);
    f->images[f->n++] = match_image_copy(f->tr->arena, m);
    return OK;
}

static int by_name(const void *a, const void *b)
{
    const struct match_image *x = a, *y = b;
    return sv_cmp(x->name, y->name);
}

static enum err_code find_images(struct finding *f)
{
    enum err_code rc = match_images_each(f->tr->db, collect, f, f->tr->err);
    if (rc != OK) {
        return rc;
    }
    if (f->n > 0) {
        qsort(f->images, f->n, sizeof *f->images, by_name);
    }
    f->queries = xcalloc(f->n + 1, sizeof *f->queries);
    f->unread = xcalloc(f->n + 1, sizeof *f->unread);
    for (uint32_t i = 0; i < f->n; i++) {
        if (!f->images[i].original) {
            f->queries[f->n_queries++] = i;
        }
    }
    return OK;
}

static void cannot_read(struct finding *f, uint32_t image, const char *why)
{
    pthread_mutex_lock(&f->lock);
    if (!f->unread[image]) {
        f->unread[image] = true;
        f->n_unread++;
        transfer_warn(f->tr, SV_FMT " cannot be compared: %s", SV_ARG(f->images[image].name), why);
    }
    pthread_mutex_unlock(&f->lock);
}

/* ---- rows ---- */

static void read_pixels(struct finding *f, uint32_t image, unsigned char *out, bool *there)
{
    const struct search_metric *m = &f->ask->metric;
    struct image whole = {0}, sized = {0};
    struct err err = {0};
    enum err_code rc = match_pixels(f->tr->dir, &f->images[image], 2 * m->side, f->ask->max_pixels, &whole, &err);
    rc = rc == OK ? image_resize(&whole, m->side, m->side, &sized, &err) : rc;
    if (rc == OK) {
        memcpy(out, sized.data, search_row_size(m));
    } else {
        cannot_read(f, image, err.msg);
    }
    *there = rc == OK;
    image_release(&whole);
    image_release(&sized);
}

static void read_features(struct finding *f, uint32_t image, unsigned char *out, bool *there)
{
    size_t size = search_row_size(&f->ask->metric);
    *there = f->rows[image] != NO_ROW;
    if (*there) {
        memcpy(out, (const char *)f->features.data + f->rows[image] * size, size);
    } else {
        cannot_read(f, image, "the model has no features of it; `holdout features` computes them");
    }
}

static enum err_code read_reference(void *arg, uint32_t row, void *out, bool *there, struct err *err)
{
    struct finding *f = arg;
    (void)err;
    if (f->ask->metric.kind == SEARCH_FEATURES) {
        read_features(f, row, out, there);
    } else {
        read_pixels(f, row, out, there);
    }
    return OK;
}

static enum err_code read_query(void *arg, uint32_t row, void *out, bool *there, struct err *err)
{
    const struct finding *f = arg;
    return read_reference(arg, f->queries[row], out, there, err);
}

/* ---- features ---- */

struct feature_rows {
    struct finding *f;
    struct map_u64 place; /* among the images, by an image's number */
};

static enum err_code take_row(void *arg, int64_t row, uint32_t image, struct err *err)
{
    struct feature_rows *r = arg;
    uint32_t place = map_u64_get(&r->place, image);
    (void)err;
    if (place != MAP_NONE) {
        r->f->rows[place] = (uint32_t)row;
    }
    return OK;
}

static enum err_code map_rows(struct finding *f, const struct feature_source *source)
{
    struct transfer *tr = f->tr;
    struct feature_rows r = {.f = f};
    f->rows = xmalloc((f->n + 1) * sizeof *f->rows);
    map_u64_init(&r.place);
    for (uint32_t i = 0; i < f->n; i++) {
        f->rows[i] = NO_ROW;
        map_u64_put(&r.place, (uint64_t)f->images[i].image, i);
    }
    enum err_code rc = features_each(tr->db, source->id, take_row, &r, tr->err);
    map_u64_release(&r.place);
    rc = rc == OK ? fs_map(path_features(tr->arena, tr->dir, source->id), &f->features, tr->err) : rc;
    if (rc == OK && f->features.n / sizeof(float) / (size_t)source->dim < (size_t)source->rows) {
        rc = err_set(tr->err, ERR_IO, "the file of features %lld is shorter than its index; `holdout check` says more",
                     (long long)source->id);
    }
    return rc;
}

/* The newest features that the model has. */
static enum err_code open_features(struct finding *f, struct neighbors_ask *ask)
{
    struct transfer *tr = f->tr;
    struct model_row model;
    struct feature_source *sources;
    size_t n = 0;
    enum err_code rc = models_find(tr->db, sv_of(ask->model), tr->arena, &model, tr->err);
    rc = rc == OK ? features_sources(tr->db, model.id, tr->arena, &sources, &n, tr->err) : rc;
    while (rc == OK && n > 0 && sources[n - 1].rows == 0) {
        n--;
    }
    if (rc == OK && n == 0) {
        rc = err_rule(tr->err, ERR_NOT_FOUND, "features", "%s has no features yet; `holdout features %s --model %s` computes them",
                      ask->model, tr->dir, ask->model);
    }
    if (rc == OK) {
        ask->metric.size = (uint32_t)sources[n - 1].dim;
        rc = map_rows(f, &sources[n - 1]);
    }
    return rc;
}

/* ---- printing ---- */

static void add_distance(struct finding *f, double distance)
{
    if (f->ask->metric.kind == SEARCH_PIXELS) { /* whole numbers */
        str_printf(&f->out, "%.0f", distance);
    } else {
        csv_number(&f->out, distance);
    }
}

static enum err_code take(void *arg, uint32_t first, uint32_t n, const struct nearest *lists, const bool *there,
                          struct err *err)
{
    struct finding *f = arg;
    enum err_code rc = OK;
    (void)there;
    for (uint32_t i = 0; i < n && rc == OK; i++) {
        uint32_t image = f->queries[first + i], rank = 0;
        for (uint32_t j = 0; j < lists[i].n && rank < f->ask->k; j++) {
            const struct neighbor *at = &lists[i].at[j];
            if (at->reference == image || at->distance > f->ask->within) {
                continue;
            }
            csv_cell(&f->out, f->images[image].name);
            str_printf(&f->out, ",%u,", ++rank);
            csv_cell(&f->out, f->images[at->reference].name);
            str_addc(&f->out, ',');
            add_distance(f, at->distance);
            str_addc(&f->out, '\n');
            f->compared++;
        }
        rc = transfer_flush(f->tr, &f->out, err);
    }
    return rc;
}

static bool progress(void *arg, double share)
{
    const struct finding *f = arg;
    transfer_progress(f->tr, "searching near-duplicates", (uint64_t)(share * (double)f->n_queries), f->n_queries);
    return true;
}

static enum err_code search(struct finding *f, const struct neighbors_ask *ask)
{
    const struct search s = {.metric = ask->metric,
                             .queries = {f->n_queries, read_query, f},
                             .references = {(uint32_t)f->n, read_reference, f},
                             .k = ask->k + 1, /* the image itself */
                             .threads = ask->threads, .memory = ask->memory, .arg = f, .take = take, .progress = progress};
    str_init(&f->out, OUT_MOST);
    str_addz(&f->out, "image,rank,neighbor,distance\n");
    enum err_code rc = search_run(&s, 0, f->tr->err);
    transfer_progress_end(f->tr);
    return transfer_end(f->tr, &f->out, rc);
}

enum err_code neighbors_export(struct transfer *tr, const struct neighbors_ask *asked)
{
    struct neighbors_ask ask = *asked;
    struct finding f = {.tr = tr, .ask = &ask};
    pthread_mutex_init(&f.lock, NULL);
    enum err_code rc = find_images(&f);
    rc = rc == OK && ask.metric.kind == SEARCH_FEATURES ? open_features(&f, &ask) : rc;
    rc = rc == OK ? search(&f, &ask) : rc;
    if (rc == OK) {
        transfer_note(tr, "%u candidates compared with %zu images: %llu neighbours.", f.n_queries, f.n,
                      (unsigned long long)f.compared);
    }
    if (rc == OK && f.n_unread > 0) {
        rc = err_rule(tr->err, ERR_INPUT, "images-unread", "%zu images could not be compared (named above)", f.n_unread);
    }
    fs_unmap(&f.features);
    pthread_mutex_destroy(&f.lock);
    free(f.images);
    free(f.queries);
    free(f.unread);
    free(f.rows);
    return rc;
}
