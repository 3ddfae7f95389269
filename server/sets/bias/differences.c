/* differences.c - moments of every statistic, by class and side, and what they say. */
#include "sets/bias/differences.h"

#include <math.h>
#include <stdlib.h>

#include "base/map.h"

const struct difference_word difference_words[DIFFERENCES] = {
    {"brightness", "Brightness", "0 to 1", false},
    {"saturation", "Saturation", "0 to 1", false},
    {"sharpness", "Sharpness", "variance of the Laplacian", true},
    {"gray", "Gray images", "share", false},
    {"pixels", "Size", "pixels", true},
    {"form", "Form", "width / height", true},
    {"bytes", "File size", "bytes a pixel", true},
    {"year", "Taken", "year", false},
};

enum difference_stat difference_stat_of(struct sv name)
{
    int s = 0;
    while (s < DIFFERENCES && !sv_is(name, difference_words[s].name)) {
        s++;
    }
    return (enum difference_stat)s;
}

double difference_natural(enum difference_stat stat, double mean)
{
    BUG_IF((unsigned)stat >= DIFFERENCES);
    return stat == DIFFERENCE_SHARPNESS      ? exp2(mean) - 1
           : difference_words[stat].doubling ? exp2(mean)
                                             : mean;
}

/* ---- one image ---- */

/* "2016", "2016-05", "2016-05-01 ..." as a year with a fraction; false for what is no date. */
static bool year_of(struct sv taken_at, double *out)
{
    int64_t year, month = 1, day = 1;
    struct sv date = sv_make(taken_at.p, taken_at.n < 10 ? taken_at.n : 10);
    struct sv first = sv_cut(&date, '-'), second = sv_cut(&date, '-');
    if (first.n != 4 || !sv_i64(first, &year) || year < 1800 ||
        (second.n && (!sv_i64(second, &month) || month < 1 || month > 12)) ||
        (date.n && (!sv_i64(date, &day) || day < 1 || day > 31))) {
        return false;
    }
    *out = (double)year + ((double)(month - 1) + (double)(day - 1) / 31) / 12;
    return true;
}

void difference_values(const struct set_statistics_row *r, double v[DIFFERENCES])
{
    double pixels = (double)r->width * (double)r->height, year;
    for (int i = 0; i < DIFFERENCES; i++) {
        v[i] = NAN;
    }
    if (r->measured) {
        v[DIFFERENCE_BRIGHTNESS] = r->brightness;
        v[DIFFERENCE_SATURATION] = r->saturation;
        v[DIFFERENCE_SHARPNESS] = log2(1 + (r->sharpness > 0 ? r->sharpness : 0));
        v[DIFFERENCE_GRAY] = r->gray;
    }
    if (r->has_source && pixels > 0 && r->bytes > 0) {
        v[DIFFERENCE_PIXELS] = log2(pixels);
        v[DIFFERENCE_FORM] = log2((double)r->width / (double)r->height);
        v[DIFFERENCE_BYTES] = log2((double)r->bytes / pixels);
    }
    if (year_of(r->taken_at, &year)) {
        v[DIFFERENCE_YEAR] = year;
    }
}

/* ---- all images ---- */

struct gathering {
    struct differences *out;
    struct map_u64 place; /* class id -> index into out->classes */
    bool fresh;
};

static enum err_code take(void *arg, const struct set_statistics_row *r, struct err *err)
{
    struct gathering *g = arg;
    double v[DIFFERENCES];
    uint32_t at = map_u64_get(&g->place, (uint64_t)r->class_id);
    (void)err;
    if (at == MAP_NONE) {
        return OK; /* an original of a class that the new set has not */
    }
    struct class_differences *k = &g->out->classes[at];
    *(g->fresh ? &k->fresh : &k->originals) += 1;
    *(g->fresh ? &g->out->fresh : &g->out->originals) += 1;
    g->out->unmeasured += !r->measured;
    difference_values(r, v);
    for (int i = 0; i < DIFFERENCES; i++) {
        struct difference *d = &k->stat[i];
        if (!isnan(v[i])) {
            moments_add(g->fresh ? &d->fresh : &d->original, v[i]);
            moments_add(g->fresh ? &g->out->overall[i].fresh : &g->out->overall[i].original, v[i]);
        }
    }
    return OK;
}

/* The classes of the new set alone, by wnid: found by a first look at its images. */
static int by_wnid(const void *a, const void *b)
{
    return sv_cmp(((const struct class_differences *)a)->class_info.wnid,
                  ((const struct class_differences *)b)->class_info.wnid);
}

static enum err_code find_classes(struct db *db, int64_t revision, struct gathering *g,
                                  struct arena *a, struct err *err)
{
    struct revision_image *images;
    struct class_info *all;
    size_t n_images = 0, n_all = 0;
    struct map_u64 used;
    enum err_code rc = revisions_images(db, revision, a, &images, &n_images, err);
    rc = rc == OK ? classes_list(db, a, &all, &n_all, err) : rc;
    if (rc != OK) {
        return rc;
    }
    map_u64_init(&used);
    for (size_t i = 0; i < n_images; i++) {
        map_u64_put(&used, images[i].class_id, 0);
    }
    g->out->classes = arena_calloc(a, used.n + 1, sizeof *g->out->classes);
    for (size_t i = 0; i < n_all; i++) {
        if (map_u64_get(&used, (uint64_t)all[i].id) != MAP_NONE) {
            g->out->classes[g->out->n_classes++].class_info = all[i];
        }
    }
    map_u64_release(&used);
    qsort(g->out->classes, g->out->n_classes, sizeof *g->out->classes, by_wnid);
    for (size_t i = 0; i < g->out->n_classes; i++) {
        map_u64_put(&g->place, (uint64_t)g->out->classes[i].class_info.id, (uint32_t)i);
    }
    return OK;
}

/* ---- what they say ---- */

static void compare(struct differences *d, struct arena *a)
{
    struct stratum *strata = arena_calloc(a, d->n_classes + 1, sizeof *strata);
    for (int i = 0; i < DIFFERENCES; i++) {
        for (size_t k = 0; k < d->n_classes; k++) {
            struct difference *one = &d->classes[k].stat[i];
            one->d = standardised_difference(&one->original, &one->fresh);
            strata[k] = (struct stratum){one->original, one->fresh};
        }
        d->overall[i].d = standardised_strata(strata, d->n_classes, &d->overall[i].classes);
    }
}

enum err_code differences_make(struct db *db, const struct revision_row *fresh,
                               const struct revision_row *original, struct arena *a,
                               struct differences *out, struct err *err)
{
    struct gathering g = {.out = out, .fresh = true};
    *out = (struct differences){.n_classes = 0};
    map_u64_init(&g.place);
    enum err_code rc = find_classes(db, fresh->id, &g, a, err);
    rc = rc == OK ? set_statistics_of_list(db, fresh->list, take, &g, err) : rc;
    g.fresh = false;
    if (rc == OK) {
        rc = original->id ? set_statistics_of_list(db, original->list, take, &g, err)
                          : set_statistics_of_originals(db, take, &g, err);
    }
    map_u64_release(&g.place);
    if (rc == OK) {
        compare(out, a);
    }
    return rc;
}
