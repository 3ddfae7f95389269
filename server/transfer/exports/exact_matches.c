/* exact_matches.c - `holdout exact-matches`: originals that are among the candidates, as every
 * image of CIFAR-10 was in Tiny Images (paper B.1): by equal bytes, or by equal pixels after
 * decoding as people see them (image.h), so that a PNG and a JPEG of one picture are found. What is
 * found can give originals their keyword and is a near-duplicate.
 *
 * Images of other sizes, or of clearly other brightness and colour, are not decoded: renditions of
 * equal pixels are almost equal, whatever their files. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/list.h"
#include "base/xalloc.h"
#include "crypto/crypto.h"
#include "db/bulk.h"
#include "formats/csv.h"
#include "store/core/events.h"
#include "store/duplicates/near_pairs.h"
#include "store/images/images.h"
#include "transfer/exports/exports.h"
#include "transfer/exports/match_pixels.h"

enum { CHUNK = 20, OUT_MOST = 1 << 26 };
static const double near_statistic = 0.02;

struct compared {
    struct match_image is; /* texts in the arena */
    bool hashed, unreadable;
    unsigned char pixels[CRYPTO_HASH]; /* of what it shows, once it was decoded */
};
struct match {
    const struct compared *original, *candidate;
    bool bytes;
};
struct matching {
    struct transfer *tr;
    const struct matches_ask *ask;
    struct compared *all; /* by size and brightness */
    size_t n, cap, decoded, unreadable;
    struct list found; /* struct match */
    size_t at;         /* the next to be recorded */
    uint64_t keywords, pairs;
};

static enum err_code collect(void *arg, const struct match_image *m, struct err *err)
{
    struct matching *x = arg;
    (void)err;
    xgrow(&x->all, &x->cap, x->n + 1, sizeof *x->all);
    x->all[x->n++] = (struct compared){.is = match_image_copy(x->tr->arena, m)};
    return OK;
}

/* ---- pixels ---- */

static enum err_code hash_pixels(struct matching *x, struct compared *one, struct err *err)
{
    struct image im = {0};
    enum err_code rc = match_pixels(x->tr->dir, &one->is, x->ask->max_pixels, &im, err);
    if (rc == OK) {
        crypto_sha256(im.data, (size_t)im.width * im.height * 3, one->pixels);
    }
    image_release(&im);
    return rc;
}

/* Decoded at most once; false: it cannot be read, which is said. */
static bool has_pixels(struct matching *x, struct compared *one)
{
    struct err err = {OK, "", ""};
    if (!one->hashed) {
        one->hashed = true;
        one->unreadable = hash_pixels(x, one, &err) != OK;
        x->decoded++;
        x->unreadable += one->unreadable;
        transfer_progress(x->tr, "images decoded", x->decoded, 0);
    }
    if (err.code != OK) {
        transfer_warn(x->tr, SV_FMT " cannot be compared: %s", SV_ARG(one->is.name), err.msg);
    }
    return !one->unreadable;
}

static bool may_be_equal(const struct match_image *a, const struct match_image *b)
{
    return !a->measured || !b->measured ||
           (fabs(a->brightness - b->brightness) < near_statistic &&
            fabs(a->saturation - b->saturation) < near_statistic);
}

static bool equal_pixels(struct matching *x, struct compared *a, struct compared *b)
{
    return may_be_equal(&a->is, &b->is) && has_pixels(x, a) && has_pixels(x, b) &&
           memcmp(a->pixels, b->pixels, sizeof a->pixels) == 0;
}

/* ---- finding ---- */

static void add_match(struct matching *x, struct compared *original, struct compared *candidate)
{
    bool bytes = original->is.source == candidate->is.source;
    if (bytes || (!x->ask->bytes_only && equal_pixels(x, original, candidate))) {
        *LIST_ADD(&x->found, x->tr->arena, struct match) =
            (struct match){original, candidate, bytes};
    }
}

/* An original with the candidates of its size from `from` on, one way, until they are too dark or
 * too bright. Where some were never measured all are looked at. */
static void compare_one(struct matching *x, size_t original, size_t first, size_t end, bool upward)
{
    struct compared *o = &x->all[original];
    bool all = !x->all[first].is.measured;
    for (size_t step = 1; upward ? original + step < end : original >= first + step; step++) {
        struct compared *c = &x->all[upward ? original + step : original - step];
        if (!all && fabs(c->is.brightness - o->is.brightness) >= near_statistic) {
            return;
        }
        if (!c->is.original) {
            add_match(x, o, c);
        }
    }
}

static void compare_sizes(struct matching *x)
{
    size_t end;
    for (size_t first = 0; first < x->n; first = end) {
        const struct match_image *size = &x->all[first].is;
        for (end = first; end < x->n && x->all[end].is.width == size->width &&
                          x->all[end].is.height == size->height;) {
            end++;
        }
        for (size_t i = first; i < end; i++) {
            if (x->all[i].is.original) {
                compare_one(x, i, first, end, false);
                compare_one(x, i, first, end, true);
            }
        }
    }
    transfer_progress_end(x->tr);
}

static int by_original(const void *a, const void *b)
{
    const struct match *x = a, *y = b;
    int c = sv_cmp(x->original->is.name, y->original->is.name);
    return c ? c : sv_cmp(x->candidate->is.name, y->candidate->is.name);
}

/* ---- recording ---- */

static bool has_keyword_for_it(const struct match *m)
{
    return m->candidate->is.keyword.n > 0 && m->original->is.class_id == m->candidate->is.class_id;
}

/* The first match of an original that has one, of its own class, gives it its keyword. */
static bool lends_keyword(const struct matching *x, size_t at)
{
    const struct match *found = x->found.items, *m = &found[at];
    bool lends = m->original->is.keyword.n == 0 && has_keyword_for_it(m);
    while (lends && at > 0 && found[at - 1].original == m->original) {
        lends = !has_keyword_for_it(&found[--at]);
    }
    return lends;
}

static enum err_code put_keyword(struct db *db, const struct match *m, bool *added, struct err *err)
{
    struct image_row row;
    struct arena a;
    bool fresh;
    arena_init(&a, 1 << 16);
    enum err_code rc = images_get(db, m->original->is.image, &a, &row, err);
    *added = rc == OK && row.keyword.n == 0;
    if (*added) {
        row.keyword = m->candidate->is.keyword;
        rc = images_put(db, &row, &fresh, err);
    }
    arena_release(&a);
    return rc;
}

static enum err_code record_one(struct db *db, struct matching *x, size_t at, int64_t event,
                                size_t *changed, struct err *err)
{
    const struct match *m = (const struct match *)x->found.items + at;
    bool added = false;
    enum err_code rc = OK;
    if (x->ask->near_duplicates) {
        rc = near_pairs_put(db, event, m->original->is.name, m->candidate->is.name, true, &added,
                            err);
        *changed += added;
        x->pairs += added && event > 0;
    }
    if (rc == OK && event > 0 && x->ask->keywords && lends_keyword(x, at)) {
        rc = put_keyword(db, m, &added, err);
        x->keywords += added;
    }
    return rc;
}

/* What holds already makes no event: the first walk only asks. */
static enum err_code record_step(struct db *db, void *arg, bool *more, struct err *err)
{
    struct matching *x = arg;
    size_t end = x->at + CHUNK < x->found.n ? x->at + CHUNK : x->found.n, changed = 0, ignored = 0;
    int64_t event = 0;
    char detail[48];
    enum err_code rc = OK;
    for (size_t i = x->at; i < end && rc == OK; i++) {
        rc = record_one(db, x, i, 0, &changed, err);
        changed += x->ask->keywords && lends_keyword(x, i);
    }
    if (rc == OK && changed > 0) {
        snprintf(detail, sizeof detail, "{\"images\":%zu}", end - x->at);
        rc = events_add(db, clock_wall_ms(), 0, "exact-matches.record", 0, detail, &event, err);
    }
    for (size_t i = x->at; i < end && rc == OK && event > 0; i++) {
        rc = record_one(db, x, i, event, &ignored, err);
    }
    if (rc == OK && event > 0) {
        rc = images_event(db, 0, clock_wall_ms(), err); /* keywords count from the next event on */
    }
    x->at = end;
    *more = end < x->found.n;
    return rc;
}

/* ---- telling ---- */

static enum err_code print(struct matching *x)
{
    struct str out;
    enum err_code rc = OK;
    const struct match *m = x->found.items;
    str_init(&out, OUT_MOST);
    str_addz(&out, "original,image,original_wnid,wnid,keyword,equal\n");
    for (size_t i = 0; i < x->found.n && rc == OK; i++) {
        const struct sv cells[] = {m[i].original->is.name, m[i].candidate->is.name,
                                   m[i].original->is.wnid, m[i].candidate->is.wnid,
                                   m[i].candidate->is.keyword};
        for (size_t k = 0; k < sizeof cells / sizeof *cells; k++) {
            csv_cell(&out, cells[k]);
            str_addc(&out, ',');
        }
        str_addz(&out, m[i].bytes ? "bytes\n" : "pixels\n");
        rc = transfer_flush(x->tr, &out, x->tr->err);
    }
    return transfer_end(x->tr, &out, rc);
}

static void say(const struct matching *x)
{
    size_t originals = 0;
    const struct match *m = x->found.items;
    for (size_t i = 0; i < x->found.n; i++) {
        originals += i == 0 || m[i].original != m[i - 1].original;
    }
    transfer_note(x->tr, "%zu originals are among the candidates (%zu pairs; %zu images decoded).",
             originals, x->found.n, x->decoded);
    if (x->keywords + x->pairs > 0) {
        transfer_note(x->tr, "Recorded: %llu keywords, %llu near-duplicates.",
                 (unsigned long long)x->keywords, (unsigned long long)x->pairs);
    }
}

enum err_code exact_matches(struct transfer *tr, const struct matches_ask *ask)
{
    struct matching x = {.tr = tr, .ask = ask};
    enum err_code rc = match_images_each(tr->db, false, collect, &x, tr->err);
    if (rc == OK) {
        compare_sizes(&x);
        if (x.found.n > 0) {
            qsort(x.found.items, x.found.n, sizeof(struct match), by_original);
        }
        rc = print(&x);
    }
    if (rc == OK && !tr->dry_run && x.found.n > 0) {
        rc = bulk_write(tr->db, tr->alone, record_step, &x, tr->err);
    }
    if (rc == OK) {
        say(&x);
    }
    free(x.all);
    return rc != OK || x.unreadable == 0
               ? rc
               : err_set(tr->err, ERR_INPUT, "%zu images could not be compared (named above)",
                         x.unreadable);
}
