/* responses_import.c - `holdout import responses`: what people ticked in images in a study done elsewhere, as answers to CLASSIFY
 * tasks of one campaign. The file is one of formats/responses.h; a file of orders, as `holdout objects` reads it, says among which
 * labels people chose and in which order ties are decided. Who has no id is a person of their own. */
#include <stdlib.h>
#include <string.h>

#include "base/outside.h"
#include "formats/csv.h"
#include "formats/responses.h"
#include "store/images/images.h"
#include "transfer/imports/imports.h"
#include "transfer/labels/task_answers.h"

enum { NO_LABEL = 0 };

struct order_row { /* what the file of orders says of an image of the responses */
    bool told;
    int64_t class_id;            /* the set's label; 0: not said */
    struct grid_options options;
};
struct responses_import {
    struct import im, order_im;
    struct responses r;
    struct names labels;
    int64_t *class_of;           /* of each label */
    struct order_row *orders;    /* of each image */
    struct task_answers t;
};

/* ---- labels ---- */

/* A label is a wnid or the number of a class; 0: it is none. */
static int64_t class_of(const struct import *im, struct sv label)
{
    uint32_t at = map_sv_get(&im->classes, label);
    int64_t cid;
    if (at != MAP_NONE) {
        return im->class_list[at].id;
    }
    bool number = sv_i64(label, &cid);
    for (size_t i = 0; i < im->n_classes && number; i++) {
        if (im->class_list[i].cid == cid) {
            return im->class_list[i].id;
        }
    }
    return NO_LABEL;
}

/* Of those that responses have; a wrong one is said where it comes first. */
static void read_classes(struct responses_import *ri)
{
    bool *told = arena_calloc(ri->im.tr->arena, ri->labels.n + 1, sizeof *told);
    ri->class_of = arena_calloc(ri->im.tr->arena, ri->labels.n + 1, sizeof *ri->class_of);
    for (size_t i = 0; i < ri->labels.n; i++) {
        ri->class_of[i] = class_of(&ri->im, ri->labels.at[i]);
    }
    for (size_t i = 0; i < ri->r.n; i++) {
        const struct responses_row *row = &ri->r.rows[i];
        for (uint32_t k = 0; k < row->n; k++) {
            uint32_t label = ri->r.selected[row->first + k];
            if (ri->class_of[label] == NO_LABEL && !told[label]) {
                told[label] = true;
                import_bad(&ri->im, row->line, "label " SV_FMT " is no class of the project", SV_ARG(ri->labels.at[label]));
            }
        }
    }
}

/* ---- orders ---- */

static unsigned option_at(const struct grid_options *o, int64_t class_id)
{
    unsigned i = 0;
    while (i < o->n && o->class_id[i] != class_id) {
        i++;
    }
    return i;
}

static void read_order(struct responses_import *ri, const struct csv *csv, const int *columns)
{
    uint32_t image = names_get(&ri->r.images, sv_trim(csv->cells[columns[0]]));
    struct sv label = columns[1] >= 0 ? sv_trim(csv->cells[columns[1]]) : SV(""), rest = sv_trim(csv->cells[columns[2]]);
    if (image == MAP_NONE) {
        return;
    }
    struct order_row *o = &ri->orders[image];
    if (o->told) {
        import_bad(&ri->order_im, csv->line, "image " SV_FMT " has a row already", SV_ARG(ri->r.images.at[image]));
        return;
    }
    o->told = true;
    o->class_id = label.n ? class_of(&ri->im, label) : NO_LABEL;
    if (label.n && o->class_id == NO_LABEL) {
        import_bad(&ri->order_im, csv->line, "label " SV_FMT " is no class of the project", SV_ARG(label));
    }
    while (rest.n) {
        struct sv text = sv_trim(sv_cut(&rest, '+'));
        int64_t id = class_of(&ri->im, text);
        if (id == NO_LABEL || option_at(&o->options, id) < o->options.n) {
            import_bad(&ri->order_im, csv->line, "label " SV_FMT " %s", SV_ARG(text), id ? "appears twice" : "is no class of the project");
        } else if (o->options.n == GRID_OPTIONS) {
            import_bad(&ri->order_im, csv->line, "more than %d labels", (int)GRID_OPTIONS);
            return;
        } else {
            o->options.class_id[o->options.n++] = id;
        }
    }
}

static enum err_code read_orders(struct responses_import *ri, const char *path)
{
    struct csv csv = {0};
    struct err *err = ri->im.tr->err;
    int columns[3] = {0};
    bool more = true;
    enum err_code rc = import_open_beside(&ri->order_im, &ri->im, path);
    rc = rc == OK ? csv_open(&csv, ri->order_im.name, ri->order_im.text, err) : rc;
    rc = rc == OK ? csv_need(&csv, "image", &columns[0], err) : rc;
    columns[1] = rc == OK ? csv_column(&csv, "label") : -1;
    rc = rc == OK ? csv_need(&csv, "candidate_order", &columns[2], err) : rc;
    while (rc == OK && (rc = csv_next(&csv, &more, err)) == OK && more) {
        read_order(ri, &csv, columns);
    }
    csv_close(&csv);
    ri->im.bad += ri->order_im.bad;
    return rc;
}

/* ---- tasks ---- */

struct numbered { /* a class with its number */
    int64_t id, cid;
};
static int by_cid(const void *a, const void *b)
{
    const struct numbered *x = a, *y = b;
    return (x->cid > y->cid) - (x->cid < y->cid);
}

/* Behind those of the file of orders: what was ticked otherwise, by class. */
static void add_ticked(struct responses_import *ri, uint32_t image, struct task_read *t)
{
    struct numbered more[GRID_OPTIONS];
    unsigned n = 0;
    struct grid_options had = t->options;
    for (uint32_t i = ri->r.begin[image]; i < ri->r.begin[image + 1]; i++) {
        const struct responses_row *row = &ri->r.rows[i];
        for (uint32_t k = 0; k < row->n; k++) {
            int64_t id = ri->class_of[ri->r.selected[row->first + k]];
            if (id == NO_LABEL || option_at(&had, id) < had.n) {
                continue;
            }
            if (had.n == GRID_OPTIONS) {
                import_bad(&ri->im, row->line, "image " SV_FMT " has more than %d different labels", SV_ARG(t->name), (int)GRID_OPTIONS);
                return;
            }
            had.class_id[had.n++] = id;
            more[n++] = (struct numbered){.id = id};
        }
    }
    for (unsigned i = 0; i < n; i++) {
        for (size_t k = 0; k < ri->im.n_classes; k++) {
            more[i].cid = ri->im.class_list[k].id == more[i].id ? ri->im.class_list[k].cid : more[i].cid;
        }
    }
    if (n) {
        qsort(more, n, sizeof *more, by_cid);
    }
    for (unsigned i = 0; i < n; i++) {
        t->options.class_id[t->options.n++] = more[i].id;
    }
}

static void add_answer(struct responses_import *ri, uint32_t task, const struct task_read *t, const struct responses_row *row)
{
    struct arena *a = ri->im.tr->arena;
    const char *own = arena_printf(a, SV_FMT "#%lld", SV_ARG(t->name), (long long)row->number);
    bool known = row->worker != RESPONSE_ANONYMOUS;
    struct task_answer k = {.task = task, .line = row->line, .name = sv_of(own), .worker = known ? ri->r.workers.at[row->worker] : sv_of(own)};
    for (uint32_t i = 0; i < row->n; i++) {
        k.mask |= UINT64_C(1) << option_at(&t->options, ri->class_of[ri->r.selected[row->first + i]]);
    }
    k.main = (int)option_at(&t->options, ri->class_of[row->main]);
    if (known && outside_formula(k.worker)) {
        import_bad(&ri->im, row->line, "the worker " SV_FMT " " OUTSIDE_FORMULA_TEXT, SV_ARG(k.worker));
    }
    *LIST_ADD(&ri->t.answers, a, struct task_answer) = k;
}

static enum err_code add_task(struct responses_import *ri, uint32_t image)
{
    const struct responses_row *first = &ri->r.rows[ri->r.begin[image]];
    const struct order_row *o = &ri->orders[image];
    struct task_read t = {.name = ri->r.images.at[image], .line = first->line, .options = o->options, .class_id = o->class_id};
    struct import *im = &ri->im;
    uint64_t bad = im->bad;
    struct image_row row;
    enum err_code rc = task_image(im, first->line, t.name, &t.image);
    if (rc == OK && t.image && t.class_id == NO_LABEL) {
        rc = images_get(im->tr->db, t.image, im->tr->arena, &row, im->tr->err);
        t.class_id = rc == OK ? row.class_id : NO_LABEL;
    }
    add_ticked(ri, image, &t);
    if (rc != OK || im->bad != bad) {
        return rc;
    }
    *LIST_ADD(&ri->t.tasks, im->tr->arena, struct task_read) = t;
    for (uint32_t i = ri->r.begin[image]; i < ri->r.begin[image + 1]; i++) {
        add_answer(ri, (uint32_t)ri->t.tasks.n - 1, &t, &ri->r.rows[i]);
    }
    return OK;
}

static enum err_code read_tasks(struct responses_import *ri)
{
    enum err_code rc = OK;
    for (uint32_t i = 0; i < ri->r.images.n && rc == OK; i++) {
        rc = ri->r.begin[i] < ri->r.begin[i + 1] ? add_task(ri, i) : OK;
        transfer_progress(ri->im.tr, "reading responses", i, ri->r.images.n);
    }
    return rc;
}

enum err_code responses_import(struct transfer *tr, const struct responses_import_ask *ask)
{
    struct responses_import ri = {.t = {.campaign = ask->campaign ? ask->campaign : "classify", .classify = true, .simulated = ask->simulated}};
    struct responses_ask read = {.labels = &ri.labels, .most = RESPONSE_LABELS};
    ri.t.im = &ri.im;
    names_init(&ri.labels);
    enum err_code rc = import_open(&ri.im, tr, ask->path);
    read.name = ri.im.name;
    bool opened = rc == OK, ordered = false;
    rc = rc == OK ? responses_read(&read, ri.im.text, tr->arena, &ri.r, tr->err) : rc;
    if (rc == OK) {
        ri.orders = arena_calloc(tr->arena, ri.r.images.n + 1, sizeof *ri.orders);
        read_classes(&ri);
    }
    if (rc == OK && ask->order) {
        ordered = true;
        rc = read_orders(&ri, ask->order);
    }
    rc = rc == OK ? read_tasks(&ri) : rc;
    rc = rc == OK ? import_checked(&ri.im) : rc;
    rc = rc == OK ? task_answers_write(&ri.t) : rc;
    if (opened) {
        responses_release(&ri.r);
    }
    names_release(&ri.labels);
    if (ordered) {
        import_close(&ri.order_im);
    }
    import_close(&ri.im);
    return rc;
}
