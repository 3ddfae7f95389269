/* prediction_file.c - what all kinds of files with predictions share, and NumPy arrays. */
#include "transfer/predictions/prediction_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "formats/npy.h"
#include "store/models/models.h"

void prediction_file_open(struct prediction_file *f, struct prediction_target *t, struct sv model,
                          bool model_given, bool reversed)
{
    *f = (struct prediction_file){.target = t, .model = model, .model_given = model_given,
                                  .reversed = reversed};
    map_sv_init(&f->by_model);
    map_u64_init(&f->seen);
}

void prediction_file_close(struct prediction_file *f)
{
    for (size_t i = 0; i < f->n; i++) {
        free(f->batches[i].p);
        free(f->batches[i].pairs);
    }
    free(f->batches);
    map_sv_release(&f->by_model);
    map_u64_release(&f->seen);
}

struct prediction_batch *prediction_batch_new(struct prediction_file *f, struct sv model)
{
    xgrow(&f->batches, &f->cap, f->n + 1, sizeof *f->batches);
    f->batches[f->n] =
        (struct prediction_batch){.model = arena_sv(f->target->im->tr->arena, model)};
    return &f->batches[f->n++];
}

struct prediction_batch *prediction_batch_of(struct prediction_file *f, uint64_t line,
                                             struct sv model)
{
    struct err why = {OK, "", ""};
    uint32_t at = map_sv_get(&f->by_model, model);
    if (at != MAP_NONE) {
        return &f->batches[at];
    }
    if (model_name_check(model, &why) != OK) {
        import_bad(f->target->im, line, "\"" SV_FMT "\" cannot be a model's name: %s", SV_ARG(model),
                   why.msg);
        return NULL;
    }
    if (f->n == PREDICTION_MODELS_MOST) {
        import_bad(f->target->im, line, "a file can have predictions of at most %d models",
                   PREDICTION_MODELS_MOST);
        return NULL;
    }
    map_sv_put(&f->by_model, model, (uint32_t)f->n);
    return prediction_batch_new(f, model);
}

/* Turns the answers of a record round. */
static void reverse(struct prediction *p)
{
    int k = 0;
    while (k < PREDICTION_K && p->labels[k] != PREDICTION_NONE) {
        k++;
    }
    for (int i = 0, j = k - 1; i < j; i++, j--) {
        uint16_t label = p->labels[i];
        float score = p->scores[i];
        p->labels[i] = p->labels[j];
        p->scores[i] = p->scores[j];
        p->labels[j] = label;
        p->scores[j] = score;
    }
}

/* The first label that a record has twice, which would be counted twice; PREDICTION_NONE: there is none. From the
 * end, where the empty ones are, which are equal too; without branches, as millions of records have none. */
static uint16_t label_twice(const struct prediction *p)
{
    uint16_t twice = PREDICTION_NONE;
    for (int i = PREDICTION_K - 1; i > 0; i--) {
        for (int j = 0; j < i; j++) {
            twice = p->labels[i] == p->labels[j] ? p->labels[i] : twice;
        }
    }
    return twice;
}

/* The place of the first score that is higher than the one before it, of a record that stands best first. Such a
 * row contradicts itself: the labels would say one thing and the scores another. 0: there is none. */
static int first_rise(const struct prediction *p)
{
    int i = 1;
    while (i < PREDICTION_K && p->labels[i] != PREDICTION_NONE && p->scores[i] <= p->scores[i - 1]) {
        i++;
    }
    return i < PREDICTION_K && p->labels[i] != PREDICTION_NONE ? i : 0;
}

bool prediction_shape(struct prediction_file *f, struct prediction_batch *b, uint64_t line, int k,
                      bool scored)
{
    struct import *im = f->target->im;
    if (b->part && k > b->k) {
        import_bad(im, line, "there are %d labels, but the header says %d", k, b->k);
        return false;
    }
    if (b->n == 0 && !b->part) {
        b->scored = scored;
    }
    if (b->scored != scored) {
        import_bad(im, line, scored ? "this row has scores, but the rows before it have none"
                                    : "this row has no scores, but the rows before it do");
        return false;
    }
    b->k = k > b->k ? k : b->k;
    return true;
}

enum err_code prediction_add(struct prediction_file *f, struct prediction_batch *b, uint64_t line,
                             const struct prediction *p, uint16_t truth)
{
    struct import *im = f->target->im;
    uint16_t twice = label_twice(p);
    uint64_t key = (uint64_t)(b - f->batches) << 32 | p->image;
    if (++f->records > PREDICTION_RECORDS_MOST) {
        return err_rule(im->tr->err, ERR_LIMIT, "prediction-records",
                        "%s has more than %d predictions: split it. Nothing was written.", im->name,
                        PREDICTION_RECORDS_MOST);
    }
    if (!f->distinct && map_u64_put(&f->seen, key, (uint32_t)b->n) != b->n) {
        import_bad(im, line, "model " SV_FMT " has predictions about this image twice",
                   SV_ARG(b->model));
        return OK;
    }
    if (twice != PREDICTION_NONE) {
        import_bad(im, line, "class %u appears twice among the labels of one image", twice);
        return OK;
    }
    xgrow(&b->p, &b->cap, b->n + 1, sizeof *b->p);
    struct prediction *best_first = &b->p[b->n]; /* counts when it is right */
    *best_first = *p;
    if (f->reversed) {
        reverse(best_first);
    }
    int rise = b->scored ? first_rise(best_first) : 0;
    if (rise) {
        import_bad(im, line,
                   f->reversed ? "the score of class %u is higher than that of class %u, which --reversed puts "
                                 "before it: labels must be listed worst first here"
                               : "the score of class %u is higher than that of class %u, which comes before it: "
                                 "labels must be listed best first (--reversed reads a file that has them worst "
                                 "first)",
                   best_first->labels[rise], best_first->labels[rise - 1]);
        return OK;
    }
    if (truth != PREDICTION_NONE) {
        xgrow(&b->pairs, &b->cap_pairs, b->labelled + 1, sizeof *b->pairs);
        b->pairs[b->labelled++] = (struct prediction_pair){truth, best_first->labels[0]};
        for (int i = 0; i < PREDICTION_K; i++) {
            b->hits[i] += best_first->labels[i] == truth;
        }
    }
    b->n++;
    return OK;
}

enum err_code prediction_rows_check(const struct prediction_file *f, size_t rows)
{
    const struct prediction_target *t = f->target;
    struct err *err = t->im->tr->err;
    enum err_code rc = prediction_target_rows(t);
    if (rc == OK && f->model.n == 0) {
        rc = err_rule(err, ERR_INPUT, "usage", "%s names no model: name one with --model", t->im->name);
    }
    return rc != OK || rows == t->n
               ? rc
               : err_rule(err, ERR_INPUT, "prediction-rows",
                          "%s has %zu rows, but %s has %zu images: it belongs to another list. --images "
                          "FILE names the images of its rows. Nothing was written.",
                          t->im->name, rows, t->rows_of, t->n);
}

/* ---- NumPy ---- */

static enum err_code read_array(struct prediction_file *f)
{
    struct prediction_target *t = f->target;
    struct npy a;
    enum err_code rc = npy_open(&a, t->im->name, t->im->text, t->im->tr->err);
    rc = rc == OK ? prediction_rows_check(f, a.rows) : rc;
    struct prediction_batch *b = rc == OK ? prediction_batch_of(f, 1, f->model) : NULL;
    if (!b) {
        return rc;
    }
    b->k = (int)(a.columns < PREDICTION_K ? a.columns : PREDICTION_K);
    b->dropped = a.columns > PREDICTION_K;
    f->distinct = true;
    xgrow(&b->p, &b->cap, a.rows, sizeof *b->p);
    xgrow(&b->pairs, &b->cap_pairs, a.rows, sizeof *b->pairs);
    size_t first = f->reversed ? a.columns - (size_t)b->k : 0; /* the best of all columns */
    for (size_t row = 0; row < a.rows && rc == OK; row++) {
        struct prediction p = {.image = t->image[row]};
        uint64_t bad = t->im->bad;
        memset(p.labels, 0xff, sizeof p.labels);
        for (int i = 0; i < b->k; i++) {
            p.labels[i] = prediction_number(t, row + 1, npy_at(&a, row, first + (size_t)i));
        }
        rc = t->im->bad == bad ? prediction_add(f, b, row + 1, &p, t->label[row]) : OK;
    }
    return rc;
}

static int by_image(const void *a, const void *b)
{
    uint32_t x = ((const struct prediction *)a)->image, y = ((const struct prediction *)b)->image;
    return (x > y) - (x < y);
}

static void sort_by_image(struct prediction_batch *b)
{
    for (size_t i = 1; i < b->n; i++) {
        if (b->p[i].image < b->p[i - 1].image) {
            qsort(b->p, b->n, sizeof *b->p, by_image);
            return;
        }
    }
}

static enum err_code read_any(struct prediction_file *f)
{
    struct sv text = f->target->im->text;
    struct sv start = sv_trim(text);
    if (npy_is(text)) {
        return read_array(f);
    }
    if (sv_starts(text, "PK\x03\x04")) {
        return err_set(f->target->im->tr->err, ERR_INPUT,
                       "%s is a .npz archive: unpack it and import the .npy files in it",
                       f->target->im->name);
    }
    bool json = start.n && (start.p[0] == '{' || start.p[0] == '['); /* a list is refused as no line */
    return json ? prediction_read_lines(f) : prediction_read_table(f);
}

enum err_code prediction_file_read(struct prediction_file *f)
{
    enum err_code rc = read_any(f);
    for (size_t i = 0; i < f->n && rc == OK; i++) {
        sort_by_image(&f->batches[i]);
    }
    return rc;
}
