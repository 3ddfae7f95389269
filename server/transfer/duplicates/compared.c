/* compared.c - images are listed once, whatever they are compared by; the row of each is read when a search wants it. */
#include "transfer/duplicates/compared.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sorted.h"
#include "base/xalloc.h"
#include "store/classes/classes.h"
#include "store/duplicates/feature_only.h"
#include "store/models/features.h"
#include "store/models/models.h"
#include "transfer/exports/match_pixels.h"

#define NO_ROW UINT32_MAX

/* ------------------------------------------------------------------ images */

struct collecting {
    struct compared *c;
    size_t cap;
};

static enum err_code collect(void *arg, const struct match_image *m, struct err *err)
{
    struct collecting *to = arg;
    struct compared *c = to->c;
    (void)err;
    xgrow(&c->images, &to->cap, c->n + 1, sizeof *c->images);
    c->images[c->n++] = match_image_copy(c->tr->arena, m);
    return OK;
}

static int by_name(const void *a, const void *b)
{
    const struct match_image *x = a, *y = b;
    return sv_cmp(x->name, y->name);
}

static int by_id(const void *a, const void *b)
{
    const struct match_image *x = a, *y = b;
    return (x->image > y->image) - (x->image < y->image);
}

static uint64_t pair_of(int64_t class_id, int64_t other)
{
    return (uint64_t)class_id << 32 | (uint64_t)other;
}

static enum err_code take_similar(void *arg, int64_t class_id, int64_t other, struct err *err)
{
    struct compared *c = arg;
    (void)err;
    map_u64_put(&c->similar, pair_of(class_id, other), 1);
    return OK;
}

bool compared_compares(const struct compared *c, uint32_t a, uint32_t b)
{
    const struct match_image *x = &c->images[a], *y = &c->images[b];
    return c->metric.kind != SEARCH_SSIM || c->similar.n == 0 || x->training == y->training || x->class_id == y->class_id ||
           map_u64_get(&c->similar, x->training ? pair_of(y->class_id, x->class_id) : pair_of(x->class_id, y->class_id)) != MAP_NONE;
}

enum err_code compared_open(struct compared *c, struct transfer *tr, enum compared_order order, uint64_t max_pixels)
{
    *c = (struct compared){.tr = tr, .max_pixels = max_pixels};
    struct collecting to = {.c = c};
    pthread_mutex_init(&c->lock, NULL);
    map_u64_init(&c->similar);
    enum err_code rc = match_images_each(tr->db, true, collect, &to, tr->err);
    rc = rc == OK ? match_images_feature_only(tr->db, collect, &to, tr->err) : rc;
    if (c->n > 0) {
        qsort(c->images, c->n, sizeof *c->images, order == COMPARED_BY_NAME ? by_name : by_id);
    }
    c->out = xcalloc(c->n + 1, sizeof *c->out);
    c->unread = xcalloc(c->n + 1, sizeof *c->unread);
    c->warned = xcalloc(c->n + 1, sizeof *c->warned);
    return rc == OK ? classes_similar_each(tr->db, take_similar, c, tr->err) : rc;
}

void compared_close(struct compared *c)
{
    if (c->tr) {
        fs_unmap(&c->features);
        map_u64_release(&c->similar);
        pthread_mutex_destroy(&c->lock);
        free(c->images);
        free(c->out);
        free(c->unread);
        free(c->warned);
        free(c->rows);
    }
}

/* ------------------------------------------------------------------ features */

struct feature_rows {
    struct compared *c;
    struct map_u64 place; /* among the images, by an image's number */
};

static enum err_code take_row(void *arg, int64_t row, uint32_t image, struct err *err)
{
    struct feature_rows *r = arg;
    uint32_t place = map_u64_get(&r->place, image);
    (void)err;
    if (place != MAP_NONE) {
        r->c->rows[place] = (uint32_t)row;
    }
    return OK;
}

static enum err_code map_rows(struct compared *c, const struct feature_source *source, struct err *err)
{
    struct transfer *tr = c->tr;
    struct feature_rows r = {.c = c};
    c->rows = xmalloc((c->n + 1) * sizeof *c->rows);
    map_u64_init(&r.place);
    for (uint32_t i = 0; i < c->n; i++) {
        c->rows[i] = NO_ROW;
        map_u64_put(&r.place, (uint64_t)c->images[i].image, i);
    }
    enum err_code rc = features_each(tr->db, source->id, take_row, &r, err);
    map_u64_release(&r.place);
    rc = rc == OK ? fs_map(path_features(tr->arena, tr->dir, source->id), &c->features, err) : rc;
    if (rc == OK && c->features.n / sizeof(float) / (size_t)source->dim < (size_t)source->rows) {
        rc = err_set(err, ERR_IO, "the file of features %lld is shorter than its index; `holdout check` says more",
                     (long long)source->id);
    }
    return rc;
}

/* The newest features that the model has. */
static enum err_code open_features(struct compared *c, const char *model, struct err *err)
{
    struct transfer *tr = c->tr;
    struct model_row row;
    struct feature_source f;
    enum err_code rc = models_find(tr->db, sv_of(model), tr->arena, &row, err);
    rc = rc == OK ? features_newest(tr->db, row.id, tr->arena, &f, err) : rc;
    if (rc == OK && f.rows == 0) {
        rc = err_rule(err, ERR_NOT_FOUND, "features", "%s has no features yet; `holdout features %s --model %s` computes them",
                      model, tr->dir, model);
    }
    if (rc == OK) {
        c->metric.size = (uint32_t)f.dim;
        rc = map_rows(c, &f, err);
    }
    return rc;
}

/* Who has a part in the metric: images with pixels, and by a model's features those that came with them. */
static enum err_code leave_out(struct compared *c, const char *model, struct err *err)
{
    uint32_t *images;
    size_t n = 0;
    enum err_code rc = c->metric.kind == SEARCH_FEATURES
                           ? feature_only_list(c->tr->db, model, 0, c->tr->arena, &images, &n, err)
                           : OK;
    for (uint32_t i = 0; i < c->n && rc == OK; i++) {
        c->out[i] = c->images[i].source == 0 && !(n > 0 && sorted_has_u32(images, n, (uint32_t)c->images[i].image));
    }
    return rc;
}

enum err_code compared_by(struct compared *c, const struct search_metric *metric, const char *model, struct err *err)
{
    fs_unmap(&c->features);
    free(c->rows);
    c->features = (struct fs_map){0};
    c->rows = NULL;
    c->metric = *metric;
    c->n_unread = 0;
    memset(c->unread, 0, c->n * sizeof *c->unread);
    enum err_code rc = leave_out(c, model, err);
    return rc == OK && metric->kind == SEARCH_FEATURES ? open_features(c, model, err) : rc;
}

void compared_keep(struct compared *c)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        if (!c->out[i]) {
            c->images[kept] = c->images[i];
            if (c->rows) {
                c->rows[kept] = c->rows[i];
            }
            kept++;
        }
    }
    c->n = kept;
    memset(c->out, 0, kept * sizeof *c->out);
}

/* ------------------------------------------------------------------ rows */

/* A file is the same under every metric of pixels: one warning will do. */
static void cannot_read(struct compared *c, uint32_t place, const char *why)
{
    bool pixels = c->metric.kind != SEARCH_FEATURES;
    pthread_mutex_lock(&c->lock);
    if (!c->unread[place]) {
        c->unread[place] = true;
        c->n_unread++;
        if (!pixels || !c->warned[place]) {
            transfer_warn(c->tr, SV_FMT " cannot be compared: %s", SV_ARG(c->images[place].name), why);
        }
        c->warned[place] |= pixels;
    }
    pthread_mutex_unlock(&c->lock);
}

static void read_pixels(struct compared *c, uint32_t place, unsigned char *out, bool *there)
{
    const struct search_metric *m = &c->metric;
    struct image whole = {0}, sized = {0};
    struct err err = {0};
    enum err_code rc = match_pixels(c->tr->dir, &c->images[place], c->max_pixels, &whole, &err);
    rc = rc == OK ? image_resize(&whole, m->side, m->side, &sized, &err) : rc;
    if (rc == OK) {
        memcpy(out, sized.data, search_row_size(m));
    } else {
        cannot_read(c, place, err.msg);
    }
    *there = rc == OK;
    image_release(&whole);
    image_release(&sized);
}

static bool is_finite(const float *row, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(row[i])) {
            return false;
        }
    }
    return true;
}

static const char *why_not(const struct compared *c, uint32_t place, const char *row)
{
    return row                      ? "its features are not all numbers: the model is broken, or its recipe is wrong"
           : c->images[place].source ? "the model has no features of it; `holdout features` computes them"
                                     : "the model has no features of it as it runs now; `holdout import features` brings them "
                                       "from their file";
}

static void read_features(struct compared *c, uint32_t place, unsigned char *out, bool *there)
{
    size_t size = search_row_size(&c->metric);
    const char *row = c->rows[place] == NO_ROW ? NULL : (const char *)c->features.data + c->rows[place] * size;
    *there = row && is_finite((const float *)(const void *)row, c->metric.size);
    if (*there) {
        memcpy(out, row, size);
    } else {
        cannot_read(c, place, why_not(c, place, row));
    }
}

void compared_read(struct compared *c, uint32_t place, void *out, bool *there)
{
    if (c->metric.kind == SEARCH_FEATURES) {
        read_features(c, place, out, there);
    } else {
        read_pixels(c, place, out, there);
    }
}

enum err_code compared_tell(uint32_t n, struct err *err)
{
    return n == 0 ? OK
                  : err_rule(err, ERR_INPUT, "images-unread", "%u image%s could not be compared (named above)", n,
                             n == 1 ? "" : "s");
}
