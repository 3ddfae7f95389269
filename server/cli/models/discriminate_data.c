/* discriminate_data.c - two lists of images become rows of features: what is in both, sealed or without features is left
 * out, then as many of either set are taken in each class. */
#include "cli/models/discriminate_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "base/list.h"
#include "base/map.h"
#include "base/xalloc.h"
#include "sets/bias/differences.h"
#include "store/models/features.h"
#include "store/models/models.h"
#include "store/sets/export_images.h"
#include "store/sets/seals.h"

/* The year would tell a newer set by its date alone. */
enum { STATISTICS = DIFFERENCE_YEAR, NONE = UINT32_MAX, LEAST = 10 };

/* Where an image's features come from: a file of rows, or statistics. */
struct source {
    struct fs_map file; /* of a model */
    size_t width;
    uint32_t *rows;     /* of each image that was read; NONE: it has none */
    float *statistics;  /* rows of these, in place of a file; on the heap */
    size_t n_statistics, cap;
};
struct reading {
    struct cli *cli;
    const struct discriminate_ask *ask;
    struct discriminate_data *out;
    struct list images;      /* struct discriminate_image */
    struct map_u64 place;    /* image -> its place in the list */
    struct map_u64 class_at; /* class -> its number here */
    struct map_u64 drop;     /* images that have no part */
    struct source sources[DISCRIMINATE_SOURCES];
    bool fresh;
    uint32_t *kept;          /* places of images that have a part */
    size_t n_kept;
};

/* ---- images of both sets ---- */

static struct sv hex_of(struct arena *a, struct sv bytes)
{
    char *text = arena_alloc(a, 2 * bytes.n + 1);
    for (size_t i = 0; i < bytes.n; i++) {
        text[2 * i] = "0123456789abcdef"[(unsigned char)bytes.p[i] >> 4];
        text[2 * i + 1] = "0123456789abcdef"[(unsigned char)bytes.p[i] & 15];
    }
    return sv_make(text, 2 * bytes.n);
}

static enum err_code take_image(void *arg, const struct export_image *i, struct err *err)
{
    struct reading *r = arg;
    struct arena *a = &r->cli->arena;
    uint32_t at = (uint32_t)r->images.n;
    (void)err;
    if (map_u64_put(&r->place, (uint64_t)i->image, at) != at) {
        r->out->in_both += map_u64_get(&r->drop, (uint64_t)i->image) == MAP_NONE;
        map_u64_put(&r->drop, (uint64_t)i->image, 0);
        return OK;
    }
    *LIST_ADD(&r->images, a, struct discriminate_image) = (struct discriminate_image){
        .image = i->image,
        .class_at = map_u64_put(&r->class_at, (uint64_t)i->class_id, (uint32_t)r->class_at.n),
        .fresh = r->fresh,
        .ties = {{arena_sv(a, i->author), arena_sv(a, i->source_id), hex_of(a, i->sha256)}},
        .name = arena_sv(a, i->name),
        .wnid = arena_sv(a, i->wnid)};
    return OK;
}

static void drop_sealed(void *arg, int64_t image, int64_t sealed)
{
    struct reading *r = arg;
    (void)sealed;
    if (map_u64_get(&r->place, (uint64_t)image) != MAP_NONE && map_u64_get(&r->drop, (uint64_t)image) == MAP_NONE) {
        map_u64_put(&r->drop, (uint64_t)image, 0);
        r->out->sealed++;
    }
}

static enum err_code read_images(struct reading *r)
{
    struct cli *cli = r->cli;
    enum err_code rc = revision_may_be_scored(&r->ask->fresh, &cli->err);
    rc = rc == OK ? revision_may_be_scored(&r->ask->original, &cli->err) : rc;
    rc = rc == OK ? export_images_of_list(cli->db, r->ask->original.list, take_image, r, &cli->err) : rc;
    r->fresh = true;
    rc = rc == OK ? export_images_of_list(cli->db, r->ask->fresh.list, take_image, r, &cli->err) : rc;
    return rc == OK ? seals_each_image(cli->db, 0, drop_sealed, r, &cli->err) : rc;
}

/* ---- features ---- */

struct row_reading {
    const struct reading *r;
    struct source *s;
};

static enum err_code take_row(void *arg, int64_t row, uint32_t image, struct err *err)
{
    struct row_reading *to = arg;
    uint32_t place = map_u64_get(&to->r->place, image);
    (void)err;
    if (place != MAP_NONE) {
        to->s->rows[place] = (uint32_t)row;
    }
    return OK;
}

static enum err_code open_features(struct reading *r, struct sv model, struct source *s)
{
    struct cli *cli = r->cli;
    struct model_row row;
    struct feature_source f = {0};
    struct row_reading to = {r, s};
    enum err_code rc = models_find(cli->db, model, &cli->arena, &row, &cli->err);
    rc = rc == OK ? features_newest(cli->db, row.id, &cli->arena, &f, &cli->err) : rc;
    if (rc == OK && f.rows == 0) {
        rc = err_rule(&cli->err, ERR_NOT_FOUND, "features",
                      SV_FMT " has no features yet; `holdout features %s --model " SV_FMT "` computes them", SV_ARG(model), cli->dir,
                      SV_ARG(model));
    }
    s->width = (size_t)f.dim;
    rc = rc == OK ? features_each(cli->db, f.id, take_row, &to, &cli->err) : rc;
    rc = rc == OK ? fs_map(path_features(&cli->arena, cli->dir, f.id), &s->file, &cli->err) : rc;
    if (rc == OK && s->file.n / sizeof(float) / s->width < (size_t)f.rows) {
        rc = err_set(&cli->err, ERR_IO, "the file of features %lld is shorter than its index; `holdout check` says more",
                     (long long)f.id);
    }
    return rc;
}

static enum err_code take_statistics(void *arg, const struct set_statistics_row *row, struct err *err)
{
    struct row_reading *to = arg;
    struct source *s = to->s;
    uint32_t place = map_u64_get(&to->r->place, (uint64_t)row->image);
    double v[DIFFERENCES];
    bool known = place != MAP_NONE;
    (void)err;
    difference_values(row, v);
    for (size_t i = 0; i < STATISTICS; i++) {
        known = known && isfinite(v[i]);
    }
    if (!known) {
        return OK;
    }
    xgrow(&s->statistics, &s->cap, (s->n_statistics + 1) * STATISTICS, sizeof *s->statistics);
    for (size_t i = 0; i < STATISTICS; i++) {
        s->statistics[s->n_statistics * STATISTICS + i] = (float)v[i];
    }
    s->rows[place] = (uint32_t)s->n_statistics++;
    return OK;
}

static enum err_code open_source(struct reading *r, struct sv name, struct source *s)
{
    struct cli *cli = r->cli;
    struct row_reading to = {r, s};
    s->rows = xmalloc((r->images.n + 1) * sizeof *s->rows);
    memset(s->rows, 0xff, (r->images.n + 1) * sizeof *s->rows);
    if (!sv_is(name, DISCRIMINATOR_STATISTICS)) {
        return open_features(r, name, s);
    }
    s->width = STATISTICS;
    enum err_code rc = set_statistics_of_list(cli->db, r->ask->original.list, take_statistics, &to, &cli->err);
    return rc == OK ? set_statistics_of_list(cli->db, r->ask->fresh.list, take_statistics, &to, &cli->err) : rc;
}

static enum err_code open_sources(struct reading *r)
{
    enum err_code rc = OK;
    size_t width = 0;
    for (size_t i = 0; i < r->ask->n_sources && rc == OK; i++) {
        rc = open_source(r, r->ask->sources[i], &r->sources[i]);
        width += r->sources[i].width;
    }
    if (rc == OK && width > DISCRIMINATOR_WIDTH) {
        rc = err_rule(&r->cli->err, ERR_LIMIT, "discriminator-width",
                      "%s %zu numbers for each image; a discriminator takes at most %d. %s, or look at " DISCRIMINATOR_STATISTICS ". Nothing was computed.",
                      r->ask->n_sources > 1 ? "Together these features are" : "The features of this model are", width, DISCRIMINATOR_WIDTH,
                      r->ask->n_sources > 1 ? "Name fewer models" : "Choose a model with fewer, such as one that takes the mean over positions");
    }
    r->out->width = width;
    return rc;
}

static bool has_features(const struct reading *r, uint32_t place)
{
    bool all = true;
    for (size_t i = 0; i < r->ask->n_sources; i++) {
        all = all && r->sources[i].rows[place] != NONE;
    }
    return all;
}

/* ---- as many of either set ---- */

/* Places of a class and set in random order: cell 2 * class + fresh, from first[cell] to first[cell + 1]. */
struct cells {
    uint32_t *places;
    size_t *first, n; /* n: of places */
};

static struct cells make_cells(struct reading *r, uint64_t seed)
{
    struct arena *a = &r->cli->arena;
    const struct discriminate_image *images = r->images.items;
    size_t n_cells = 2 * r->class_at.n;
    struct cells c = {arena_calloc(a, r->images.n + 1, sizeof *c.places), arena_calloc(a, n_cells + 2, sizeof *c.first), 0};
    size_t *next = arena_calloc(a, n_cells + 1, sizeof *next);
    uint32_t *usable = arena_calloc(a, r->images.n + 1, sizeof *usable);
    struct rng rng;
    for (uint32_t i = 0; i < r->images.n; i++) {
        if (map_u64_get(&r->drop, (uint64_t)images[i].image) == MAP_NONE) {
            bool has = has_features(r, i);
            r->out->without_features += !has;
            c.first[2 * images[i].class_at + images[i].fresh + 1] += has;
            usable[c.n] = i;
            c.n += has;
        }
    }
    for (size_t k = 0; k < n_cells; k++) {
        c.first[k + 1] += c.first[k];
        next[k] = c.first[k];
    }
    for (size_t i = 0; i < c.n; i++) {
        const struct discriminate_image *one = &images[usable[i]];
        c.places[next[2 * one->class_at + one->fresh]++] = usable[i];
    }
    rng_seed(&rng, seed);
    for (size_t k = 0; k < n_cells; k++) {
        rng_shuffle_u32(&rng, c.places + c.first[k], c.first[k + 1] - c.first[k]);
    }
    return c;
}

/* Round by round a pair of each class that still has one, so that a limit takes from all classes alike. */
static void choose(struct reading *r, const struct cells *c)
{
    size_t classes = r->class_at.n, before;
    r->kept = arena_calloc(&r->cli->arena, c->n + 1, sizeof *r->kept);
    size_t round = 0;
    do {
        before = r->n_kept;
        for (size_t k = 0; k < classes && r->n_kept / 2 < r->ask->most; k++) {
            const size_t *first = c->first + 2 * k;
            if (first[0] + round < first[1] && first[1] + round < first[2]) {
                r->kept[r->n_kept++] = c->places[first[0] + round];
                r->kept[r->n_kept++] = c->places[first[1] + round];
            }
        }
        round++;
    } while (r->n_kept > before);
    r->out->surplus = (uint32_t)(c->n - r->n_kept);
}

/* ---- the rows ---- */

static const float *row_of(const struct source *s, uint32_t place)
{
    size_t at = (size_t)s->rows[place] * s->width;
    return s->statistics ? s->statistics + at : (const float *)(const void *)s->file.data + at;
}

static enum err_code fill(struct reading *r)
{
    struct discriminate_data *out = r->out;
    const struct discriminate_image *images = r->images.items;
    struct err *err = &r->cli->err;
    out->n = r->n_kept;
    out->n_classes = r->class_at.n;
    out->images = arena_calloc(&r->cli->arena, out->n + 1, sizeof *out->images);
    out->rows = xmalloc((out->n * out->width + 1) * sizeof *out->rows);
    for (size_t i = 0; i < out->n; i++) {
        float *to = out->rows + i * out->width;
        out->images[i] = images[r->kept[i]];
        out->unknown += out->images[i].ties.words[0].n == 0 && out->images[i].ties.words[1].n == 0;
        for (size_t k = 0; k < r->ask->n_sources; k++) {
            const struct source *s = &r->sources[k];
            memcpy(to, row_of(s, r->kept[i]), s->width * sizeof *to);
            to += s->width;
        }
        for (size_t k = 0; k < out->width; k++) {
            if (!isfinite(out->rows[i * out->width + k])) {
                return err_rule(err, ERR_INPUT, "discriminator-numbers", "a feature of " SV_FMT " is not a finite number; compute its features again",
                                SV_ARG(out->images[i].name));
            }
        }
    }
    return OK;
}

static enum err_code check_size(const struct reading *r)
{
    return r->n_kept >= 2 * LEAST
               ? OK
               : err_rule(&r->cli->err, ERR_INPUT, "discriminator-small",
                          "Only %zu images of either set can be compared (%u are in both, %u lack features, %u are in a sealed set, the "
                          "rest has no counterpart in its class); %d are needed",
                          r->n_kept / 2, r->out->in_both, r->out->without_features, r->out->sealed, LEAST);
}

static void release(struct reading *r)
{
    for (size_t i = 0; i < r->ask->n_sources; i++) {
        fs_unmap(&r->sources[i].file);
        free(r->sources[i].rows);
        free(r->sources[i].statistics);
    }
    map_u64_release(&r->place);
    map_u64_release(&r->class_at);
    map_u64_release(&r->drop);
}

enum err_code discriminate_data_read(struct cli *cli, const struct discriminate_ask *ask, uint64_t seed,
                                     struct discriminate_data *out)
{
    struct reading r = {.cli = cli, .ask = ask, .out = out};
    *out = (struct discriminate_data){0};
    map_u64_init(&r.place);
    map_u64_init(&r.class_at);
    map_u64_init(&r.drop);
    enum err_code rc = read_images(&r);
    rc = rc == OK ? open_sources(&r) : rc;
    if (rc == OK) {
        struct cells c = make_cells(&r, seed);
        choose(&r, &c);
        rc = check_size(&r);
        rc = rc == OK ? fill(&r) : rc;
    }
    release(&r);
    return rc;
}

void discriminate_data_release(struct discriminate_data *d)
{
    free(d->rows);
    d->rows = NULL;
}
