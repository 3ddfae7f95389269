/* neighbors_calibrate.c - images are drawn by their order, each is one piece of work for a thread; distances are sorted
 * and stored when all are there. */
#include "transfer/duplicates/neighbors_calibrate.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/parallel.h"
#include "base/rng.h"
#include "base/xalloc.h"
#include "image/distort.h"
#include "neighbors/pixels.h"
#include "neighbors/ssim.h"
#include "sets/duplicates/near_recall.h"
#include "store/duplicates/near_calibrations.h"
#include "store/duplicates/near_metrics.h"
#include "store/duplicates/near_space.h"
#include "transfer/duplicates/compared.h"
#include "transfer/duplicates/neighbors_metric.h"
#include "transfer/exports/match_pixels.h"

enum { OUT_MOST = 1 << 20 };

struct calibrating {
    const struct transfer *tr;
    const struct calibrate_ask *ask;
    const struct match_image **images; /* drawn */
    size_t n;
    const struct review_metric *metrics[REVIEW_METRICS_MOST];
    size_t n_metrics;
    double *distances;    /* [metric][distortion][image]; NAN: there is none */
    pthread_mutex_t lock; /* of all below, and of what is said */
    size_t done;
};

/* ---- one image ---- */

/* What a metric compares of a picture. */
struct side {
    struct image sized;         /* pixels */
    void *room;                 /* of `picture` */
    struct ssim_picture picture;
    float *features;
    size_t size;
};

static void side_release(struct side *s)
{
    image_release(&s->sized);
    free(s->room);
    free(s->features);
    *s = (struct side){0};
}

static struct ssim_shape shape_of(const struct review_metric *m)
{
    return (struct ssim_shape){m->side, m->side, m->window};
}

static enum err_code features_of(const struct calibrating *c, unsigned worker, const struct review_metric *m,
                                 const struct image *im, struct side *out, struct err *err)
{
    const float *features = NULL;
    enum err_code rc = c->ask->features(c->ask->arg, worker, m, im, &features, &out->size, err);
    if (rc == OK) {
        out->features = xmalloc((out->size + 1) * sizeof *out->features);
        for (size_t i = 0; i < out->size; i++) {
            out->features[i] = features[i];
        }
    }
    return rc;
}

static enum err_code side_of(const struct calibrating *c, unsigned worker, const struct review_metric *m,
                             const struct image *im, struct side *out, struct err *err)
{
    *out = (struct side){0};
    if (m->kind == NEAR_FEATURE) {
        return features_of(c, worker, m, im, out, err);
    }
    enum err_code rc = image_resize(im, m->side, m->side, &out->sized, err);
    if (rc == OK && m->kind == NEAR_DSSIM) {
        const struct ssim_shape shape = shape_of(m);
        out->room = xmalloc(ssim_size(&shape));
        ssim_prepare(&shape, out->sized.data, out->room, &out->picture);
    }
    return rc;
}

static double feature_distance(const struct side *a, const struct side *b)
{
    double sum = 0;
    for (size_t i = 0; i < a->size; i++) {
        double d = (double)a->features[i] - (double)b->features[i];
        sum += d * d;
    }
    return sum;
}

static double distance_of(const struct review_metric *m, const struct side *a, const struct side *b)
{
    const struct ssim_shape shape = shape_of(m);
    double d = 0;
    if (m->kind == NEAR_FEATURE) {
        d = feature_distance(a, b);
    } else if (m->kind == NEAR_L2) {
        d = (double)pixels_distance(a->sized.data, b->sized.data, search_row_size(&(struct search_metric){
                                                                       .kind = SEARCH_PIXELS, .side = m->side}));
    } else {
        void *scratch = xmalloc(ssim_scratch(&shape));
        d = ssim_distance(&shape, &a->picture, &b->picture, scratch);
        free(scratch);
    }
    return d;
}

static double *place_of(const struct calibrating *c, size_t m, size_t d)
{
    return c->distances + (m * DISTORTIONS + d) * c->n;
}

/* One metric: what it says of the image is worked out once. */
static enum err_code compare(const struct calibrating *c, unsigned worker, size_t i, size_t m, const struct image *whole,
                             const struct image copies[DISTORTIONS], struct err *err)
{
    struct side image, copy;
    enum err_code rc = side_of(c, worker, c->metrics[m], whole, &image, err);
    for (size_t d = 0; d < DISTORTIONS && rc == OK; d++) {
        rc = side_of(c, worker, c->metrics[m], &copies[d], &copy, err);
        if (rc == OK) {
            place_of(c, m, d)[i] = distance_of(c->metrics[m], &image, &copy);
        }
        side_release(&copy);
    }
    side_release(&image);
    return rc;
}

static enum err_code compare_all(const struct calibrating *c, unsigned worker, size_t i, const struct image *whole,
                                 struct err *err)
{
    struct image copies[DISTORTIONS] = {{0}};
    struct rng r;
    enum err_code rc = OK;
    rng_seed(&r, c->ask->seed ^ (uint64_t)c->images[i]->image << 20); /* the same whatever else was drawn */
    for (size_t d = 0; d < DISTORTIONS && rc == OK; d++) {
        rc = distortions[d].make(whole, &r, &copies[d], err);
    }
    for (size_t m = 0; m < c->n_metrics && rc == OK; m++) {
        rc = compare(c, worker, i, m, whole, copies, err);
    }
    for (size_t d = 0; d < DISTORTIONS; d++) {
        image_release(&copies[d]);
    }
    return rc;
}

static void calibrate_one(void *arg, unsigned worker, size_t i)
{
    struct calibrating *c = arg;
    struct image whole = {0};
    struct err err = {0};
    enum err_code rc = match_pixels(c->tr->dir, c->images[i], c->ask->max_pixels, &whole, &err);
    rc = rc == OK ? compare_all(c, worker, i, &whole, &err) : rc;
    image_release(&whole);
    pthread_mutex_lock(&c->lock);
    if (rc != OK) {
        for (size_t k = 0; k < c->n_metrics * DISTORTIONS; k++) {
            c->distances[k * c->n + i] = (double)NAN;
        }
        transfer_warn(c->tr, SV_FMT " is left out: %s", SV_ARG(c->images[i]->name), err.msg);
    }
    transfer_progress(c->tr, "calibrating", ++c->done, c->n);
    pthread_mutex_unlock(&c->lock);
}

/* ---- what came out ---- */

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Those that are numbers, ascending; how many. */
static size_t sort_distances(double *distances, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (!isnan(distances[i])) {
            distances[kept++] = distances[i];
        }
    }
    if (kept) {
        qsort(distances, kept, sizeof *distances, by_size);
    }
    return kept;
}

static void print(struct str *out, const struct review_metric *m, const struct near_calibration *c, const char *distortion)
{
    static const double shares[] = {0.5, 1, 1.5};
    for (size_t k = 0; k < sizeof shares / sizeof *shares; k++) {
        const struct near_recall r = near_recall_of(m->name, distortion, shares[k] * m->threshold, c->distances, c->n);
        record_csv_cells(&near_recall_record, &r, out);
        str_addc(out, '\n');
    }
}

static enum err_code tell(struct calibrating *c)
{
    const struct transfer *tr = c->tr;
    struct near_calibration *list = arena_calloc(tr->arena, c->n_metrics * DISTORTIONS + 1, sizeof *list);
    struct str out;
    enum err_code rc = OK;
    str_init(&out, OUT_MOST);
    record_csv_names(&near_recall_record, &out);
    str_addc(&out, '\n');
    for (size_t m = 0; m < c->n_metrics && rc == OK; m++) {
        struct sv space;
        rc = near_space(tr->db, c->metrics[m], 0, tr->arena, &space, tr->err);
        for (size_t d = 0; d < DISTORTIONS && rc == OK; d++) {
            double *distances = place_of(c, m, d);
            struct near_calibration *to = &list[m * DISTORTIONS + d];
            *to = (struct near_calibration){sv_of(c->metrics[m]->name), space, sv_of(distortions[d].name), distances,
                                            sort_distances(distances, c->n)};
            print(&out, c->metrics[m], to, distortions[d].name);
        }
    }
    if (rc == OK && list[0].n == 0) {
        rc = err_rule(tr->err, ERR_INPUT, "calibrate-images", "No image could be compared; nothing was stored");
    }
    if (rc == OK && !tr->dry_run) {
        rc = near_calibrations_put(tr->db, list, c->n_metrics * DISTORTIONS, c->ask->account, clock_wall_ms(), tr->err);
    }
    return transfer_end(tr, &out, rc);
}

/* ---- what is compared ---- */

static enum err_code choose_metrics(struct calibrating *c, const struct review_gate *gate)
{
    const struct transfer *tr = c->tr;
    const struct review_metric *only = NULL;
    enum err_code rc = c->ask->metric ? neighbors_metric_find(gate, c->ask->metric, tr, &only) : OK;
    for (size_t m = 0; m < gate->n && rc == OK; m++) {
        const struct review_metric *metric = &gate->metric[m];
        if (only ? metric != only : !metric->enabled) {
            continue;
        }
        if (metric->kind == NEAR_FEATURE && !metric->model[0]) {
            transfer_note(tr, "%s: its distances are imported, so it cannot be calibrated here.", metric->name);
        } else {
            c->metrics[c->n_metrics++] = metric;
        }
    }
    if (rc == OK && c->n_metrics == 0) {
        rc = err_rule(tr->err, ERR_INPUT, "calibrate-metrics",
                      "There is no metric to calibrate; `holdout near-metrics %s` lists them and turns them on", tr->dir);
    }
    return rc;
}

static void draw(struct calibrating *c, const struct compared *from)
{
    struct rng r;
    uint32_t *order = xmalloc((from->n + 1) * sizeof *order), n = 0;
    for (uint32_t i = 0; i < from->n; i++) {
        if (from->images[i].source) { /* without pixels there is nothing to change */
            order[n++] = i;
        }
    }
    rng_seed(&r, c->ask->seed);
    rng_shuffle_u32(&r, order, n);
    c->n = n < c->ask->images ? n : c->ask->images;
    c->images = arena_calloc(c->tr->arena, c->n + 1, sizeof(const struct match_image *));
    for (size_t i = 0; i < c->n; i++) {
        c->images[i] = &from->images[order[i]];
    }
    free(order);
}

enum err_code neighbors_calibrate(struct transfer *tr, const struct calibrate_ask *ask)
{
    struct review_gate gate;
    struct compared images = {0};
    struct calibrating c = {.tr = tr, .ask = ask};
    enum err_code rc = near_metrics_get(tr->db, 0, &gate, tr->err);
    rc = rc == OK ? choose_metrics(&c, &gate) : rc;
    rc = rc == OK ? compared_open(&images, tr, COMPARED_BY_NAME, ask->max_pixels) : rc;
    if (rc == OK) {
        draw(&c, &images);
        c.distances = xcalloc(c.n_metrics * DISTORTIONS * c.n + 1, sizeof *c.distances);
        pthread_mutex_init(&c.lock, NULL);
        parallel_for(ask->threads, c.n, calibrate_one, &c);
        transfer_progress_end(tr);
        rc = tell(&c);
        pthread_mutex_destroy(&c.lock);
        free(c.distances);
    }
    compared_close(&images);
    return rc;
}
