/* neighbours_import.c - how closely images' nearest neighbours were reviewed. `holdout import
 * review-thresholds`: CSV image,metric,min_unreviewed_distance, the metric `missing` for an image
 * whose neighbours were never searched; images that are not listed have nothing left to review, so
 * that the file replaces what was known. With `listed_only` they are left as they are: a file about
 * some images, and none of the others counts as searched because of it.
 * `holdout import nn-reviews`: who looked at which neighbours, JSON lines (image, metric, reviewer,
 * date, references) or the published JSON {image: {metric: {reviewer, date, references}}}. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/xalloc.h"
#include "domain/review/review_gate.h"
#include "formats/csv.h"
#include "formats/jsonl.h"
#include "store/duplicates/near_metrics.h"
#include "store/duplicates/review_distances.h"
#include "transfer/imports/decisions.h"
#include "transfer/imports/imports.h"

enum { REVIEWER_MOST = 200, NEIGHBOURS_MOST = 10000 };

/* ---- thresholds ---- */

struct distances_import {
    struct decision_import d;
    struct review_gate gate; /* the project's metrics */
    struct review_distance_row *rows;
    size_t cap;
};

static enum err_code put_distance(struct db *db, void *arg, size_t i, int64_t event, bool *added,
                                  struct err *err)
{
    const struct distances_import *di = arg;
    return review_distances_put(db, event, &di->rows[i], added, err);
}

/* An image that was never searched has been reviewed down to nothing, whatever else is said of it.
 */
static void add_again(struct distances_import *di, uint64_t line, size_t at,
                      const struct review_distance_row *row)
{
    struct review_distance_row *first = &di->rows[at];
    if (!row->searched || !first->searched) {
        first->searched = false;
    } else if (row->distance < first->distance || row->distance > first->distance) {
        import_bad(&di->d.im, line,
                   "another distance of " SV_FMT " by " SV_FMT " is in line %llu",
                   SV_ARG(row->name), SV_ARG(row->metric), (unsigned long long)di->d.at[at].line);
    }
}

/* The number of the row about that image and metric, d.n: there is none yet. */
static size_t number_of(struct distances_import *di, const struct review_distance_row *row)
{
    struct str key;
    str_init(&key, (size_t)1 << 12);
    str_printf(&key, SV_FMT "\n" SV_FMT, SV_ARG(row->name), SV_ARG(row->metric));
    size_t at = decision_import_seen(&di->d, str_sv(&key));
    str_release(&key);
    return at;
}

static void add_distance(struct distances_import *di, uint64_t line,
                         const struct review_distance_row *row)
{
    size_t at = number_of(di, row);
    if (at < di->d.n) {
        add_again(di, line, at, row);
        return;
    }
    xgrow(&di->rows, &di->cap, di->d.n + 1, sizeof *di->rows);
    di->rows[decision_import_add(&di->d, line)] = *row;
}

static void add_distance_row(struct distances_import *di, uint64_t line, struct sv name,
                             struct sv metric, struct sv distance)
{
    struct arena *a = di->d.im.tr->arena;
    struct review_distance_row row = {.name = arena_sv(a, name), .searched = true};
    bool missing = sv_is(metric, "missing");
    di->d.rows++;
    if (!decision_import_name(&di->d, line, name)) {
        return;
    }
    if (!missing && !sv_f64(distance, &row.distance)) {
        import_bad(&di->d.im, line, "min_unreviewed_distance must be a number");
        return;
    }
    for (size_t m = 0; missing && m < REVIEW_METRICS; m++) { /* the published search was of these */
        row.metric = sv_of(di->gate.metric[m].name);
        row.searched = false;
        add_distance(di, line, &row);
    }
    if (!missing) {
        row.metric = arena_sv(a, metric);
        add_distance(di, line, &row);
    }
}

static enum err_code read_distances(struct distances_import *di)
{
    struct import *im = &di->d.im;
    struct err *err = im->tr->err;
    struct csv csv;
    int image = 0, metric = 0, distance = 0;
    bool more = true;
    enum err_code rc = csv_open(&csv, im->name, im->text, err);
    rc = rc == OK ? csv_need(&csv, "image", &image, err) : rc;
    rc = rc == OK ? csv_need(&csv, "metric", &metric, err) : rc;
    rc = rc == OK ? csv_need(&csv, "min_unreviewed_distance", &distance, err) : rc;
    while (rc == OK && (rc = csv_next(&csv, &more, err)) == OK && more) {
        add_distance_row(di, csv.line, csv.cells[image], csv.cells[metric], csv.cells[distance]);
        transfer_progress(im->tr, "reading distances", di->d.n, 0);
    }
    csv_close(&csv);
    return rc;
}

/* Something was left to review; the file, which lists all such images, says nothing of it. */
static enum err_code clear_one(void *arg, const struct review_distance_row *known, struct err *err)
{
    struct distances_import *di = arg;
    struct arena *a = di->d.im.tr->arena;
    (void)err;
    bool left = !known->searched || known->distance < REVIEW_CLEAR;
    if (left && number_of(di, known) == di->d.n) {
        xgrow(&di->rows, &di->cap, di->d.n + 1, sizeof *di->rows);
        di->rows[decision_import_add(&di->d, 0)] =
            (struct review_distance_row){.name = arena_sv(a, known->name),
                                         .metric = arena_sv(a, known->metric),
                                         .distance = REVIEW_CLEAR,
                                         .searched = true};
        di->d.beside++;
    }
    return OK;
}

/* The metrics that the file speaks of. */
static unsigned metrics_of(const struct distances_import *di)
{
    unsigned mask = 0;
    for (size_t i = 0; i < di->d.n; i++) {
        mask |= 1U << review_gate_find(&di->gate, di->rows[i].metric);
    }
    return mask;
}

/* Last: until then images that are not listed are refused, which is the safe side. */
static enum err_code cover(struct transfer *tr, unsigned metrics)
{
    bool changed = false;
    enum err_code rc = near_metrics_cover(tr->db, metrics, clock_wall_ms(), &changed, tr->err);
    if (rc == OK && changed) {
        transfer_note(tr, "Images that are in the project now and are not listed count as searched; those "
                      "that come later do not.");
    }
    return rc;
}

enum err_code review_thresholds_import(struct transfer *tr, const char *path, bool listed_only)
{
    struct distances_import di = {.d = {.event = "review-thresholds.import",
                                        .what = "Review distances",
                                        .put = put_distance}};
    di.d.arg = &di;
    enum err_code rc = decision_import_open(&di.d, tr, path);
    rc = rc == OK ? near_metrics_get(tr->db, 0, &di.gate, tr->err) : rc;
    rc = rc == OK ? read_distances(&di) : rc;
    if (rc == OK && !listed_only) {
        rc = review_distances_each(tr->db, 0, clear_one, &di, tr->err);
    }
    unsigned metrics = metrics_of(&di);
    rc = rc == OK ? decision_import_run(&di.d) : rc;
    if (rc == OK && !listed_only && !tr->dry_run) {
        rc = cover(tr, metrics);
    }
    if (rc == OK && di.d.beside) {
        transfer_note(tr,
                 "%zu images known earlier are not listed and count as cleared: nothing is left to review%s.",
                 di.d.beside, tr->dry_run ? " (dry run)" : "");
    }
    free(di.rows);
    decision_import_close(&di.d);
    return rc;
}

/* ---- who looked at which neighbours ---- */

struct reviews_import {
    struct decision_import d;
    struct neighbour_review *reviews;
    size_t cap;
};

static enum err_code put_review(struct db *db, void *arg, size_t i, int64_t event, bool *added,
                                struct err *err)
{
    const struct reviews_import *ri = arg;
    return neighbour_reviews_put(db, event, &ri->reviews[i], added, err);
}

static bool names_only(const json_t *list)
{
    const json_t *name;
    size_t i;
    bool good = json_is_array(list) && json_array_size(list) <= NEIGHBOURS_MOST;
    json_array_foreach(list, i, name)
    {
        good = good && json_is_string(name);
    }
    return good;
}

static struct sv text_of(const json_t *object, const char *member, struct arena *a)
{
    const json_t *v = json_object_get(object, member);
    return json_is_string(v) ? arena_sv(a, sv_of(json_string_value(v))) : SV("");
}

static void add_review(struct reviews_import *ri, uint64_t line, struct sv image, struct sv metric,
                       const json_t *v)
{
    struct arena *a = ri->d.im.tr->arena;
    const json_t *list = json_object_get(v, "references");
    struct neighbour_review r = {.name = arena_sv(a, image),
                                 .metric = arena_sv(a, metric),
                                 .reviewer = text_of(v, "reviewer", a),
                                 .date = text_of(v, "date", a)};
    if (!decision_import_name(&ri->d, line, image)) {
        return;
    }
    if (!r.reviewer.n || r.reviewer.n > REVIEWER_MOST || !r.date.n || r.date.n > REVIEWER_MOST ||
        !names_only(list)) {
        import_bad(&ri->d.im, line,
                   "a review must have reviewer, date and references, a list of at most %d names",
                   NEIGHBOURS_MOST);
        return;
    }
    char *text = json_dumps(list, JSON_COMPACT);
    r.neighbours = arena_sv(a, sv_of(text));
    free(text);
    struct str key;
    str_init(&key, (size_t)1 << 12);
    str_printf(&key, SV_FMT "\n" SV_FMT "\n" SV_FMT "\n" SV_FMT, SV_ARG(r.name), SV_ARG(r.metric),
               SV_ARG(r.reviewer), SV_ARG(r.date));
    size_t at = decision_import_seen(&ri->d, str_sv(&key));
    str_release(&key);
    if (at < ri->d.n) {
        import_bad(&ri->d.im, line, "this review is already in %s %llu",
                   ri->d.im.by_entry ? "entry" : "line", (unsigned long long)ri->d.at[at].line);
        return;
    }
    xgrow(&ri->reviews, &ri->cap, ri->d.n + 1, sizeof *ri->reviews);
    ri->reviews[decision_import_add(&ri->d, line)] = r;
}

static enum err_code read_review_lines(struct reviews_import *ri)
{
    struct import *im = &ri->d.im;
    struct jsonl j;
    json_t *v = NULL;
    enum err_code rc = OK;
    jsonl_open(&j, im->name, im->text);
    while ((rc = jsonl_next(&j, &v, im->tr->err)) == OK && v) {
        add_review(ri, j.line, text_of(v, "image", im->tr->arena),
                   text_of(v, "metric", im->tr->arena), v);
        json_decref(v);
        transfer_progress(im->tr, "reading reviews", ri->d.n, 0);
    }
    return rc;
}

static enum err_code read_review_json(struct reviews_import *ri)
{
    json_t *whole = NULL, *of_image, *v;
    const char *image, *metric;
    uint64_t entry = 0;
    enum err_code rc = decision_import_object(&ri->d, &whole);
    json_object_foreach(whole, image, of_image)
    {
        entry++;
        if (!json_is_object(of_image)) {
            import_bad(&ri->d.im, entry, "the reviews of %s are not an object, {metric: review}",
                       image);
        }
        json_object_foreach(of_image, metric, v)
        {
            add_review(ri, entry, sv_of(image), sv_of(metric), v);
        }
    }
    json_decref(whole);
    return rc;
}

/* A line of JSON lines says "image"; the published file begins with an image's name. */
static bool is_lines(const struct import *im)
{
    struct sv rest = im->text, first = sv_cut(&rest, '\n');
    json_t *v = json_loadb(first.p ? first.p : "", first.n, 0, NULL);
    bool lines = json_is_string(json_object_get(v, "image"));
    json_decref(v);
    return lines || sv_trim(im->text).n == 0;
}

enum err_code nn_reviews_import(struct transfer *tr, const char *path)
{
    struct reviews_import ri = {
        .d = {.event = "nn-reviews.import", .what = "Reviews of neighbours", .put = put_review}};
    ri.d.arg = &ri;
    enum err_code rc = decision_import_open(&ri.d, tr, path);
    if (rc == OK) {
        rc = is_lines(&ri.d.im) ? read_review_lines(&ri) : read_review_json(&ri);
    }
    rc = rc == OK ? decision_import_run(&ri.d) : rc;
    free(ri.reviews);
    decision_import_close(&ri.d);
    return rc;
}
