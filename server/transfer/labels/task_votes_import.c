/* task_votes_import.c - `holdout import votes` of CSV task,worker,label, as `export votes --format long` writes it: whether
 * somebody finds a class in an image. A task is IMAGE:WNID, a label 1 or 0. */
#include <string.h>

#include "base/outside.h"
#include "formats/csv.h"
#include "transfer/imports/imports.h"
#include "transfer/labels/task_answers.h"

enum { ROWS_MOST = 8000000, WORKER_MOST = 128, TASK_MOST = 300 };

struct votes_read {
    struct import *im;
    struct csv csv;
    int task, worker, label;
    struct map_sv by_task; /* -> index of a task */
    struct map_sv by_vote; /* "TASK#WORKER" */
    struct task_answers t; /* answers in the order of the file */
};

static enum err_code labels_are_classes(const struct votes_read *v, struct sv label)
{
    return err_rule(v->im->tr->err, ERR_INPUT, "task-labels",
                    "%s:%llu: label \"" SV_FMT "\" is neither 1 nor 0 of a task IMAGE:WNID. Labels that people chose are read by `holdout "
                    "import responses`. Nothing was written.",
                    v->im->name, (unsigned long long)v->csv.line, SV_ARG(label));
}

/* The place of a task; a new one is IMAGE:WNID. */
static enum err_code task_of(struct votes_read *v, struct sv text, uint32_t *out)
{
    struct import *im = v->im;
    const char *colon = text.n ? memrchr(text.p, ':', text.n) : NULL;
    enum err_code rc = OK;
    *out = map_sv_put(&v->by_task, text, (uint32_t)v->t.tasks.n);
    if (*out < v->t.tasks.n) {
        return OK;
    }
    struct task_read t = {.name = arena_sv(im->tr->arena, text), .line = v->csv.line};
    if (!colon || text.n > TASK_MOST) {
        import_bad(im, v->csv.line, "the task must be IMAGE:WNID of at most %d bytes", (int)TASK_MOST);
    } else {
        struct sv image = sv_make(text.p, (size_t)(colon - text.p));
        t.class_id = import_class(im, v->csv.line, sv_make(colon + 1, text.n - image.n - 1));
        rc = task_image(im, v->csv.line, image, &t.image);
    }
    *LIST_ADD(&v->t.tasks, im->tr->arena, struct task_read) = t;
    return rc;
}

static enum err_code read_row(struct votes_read *v)
{
    struct import *im = v->im;
    struct sv task = sv_trim(v->csv.cells[v->task]), worker = sv_trim(v->csv.cells[v->worker]), label = sv_trim(v->csv.cells[v->label]);
    struct task_answer k = {.line = v->csv.line, .main = OPTION_NONE, .mask = sv_is(label, "1")};
    if (!k.mask && !sv_is(label, "0")) {
        return labels_are_classes(v, label);
    }
    enum err_code rc = task_of(v, task, &k.task);
    if (worker.n == 0 || worker.n > WORKER_MOST) {
        import_bad(im, v->csv.line, "the worker must have 1 to %d bytes", (int)WORKER_MOST);
        return rc;
    }
    if (outside_formula(worker)) {
        import_bad(im, v->csv.line, "the worker " SV_FMT " " OUTSIDE_FORMULA_TEXT, SV_ARG(worker));
    }
    k.name = sv_of(arena_printf(im->tr->arena, SV_FMT "#" SV_FMT, SV_ARG(task), SV_ARG(worker)));
    k.worker = sv_make(k.name.p + k.name.n - worker.n, worker.n);
    if (map_sv_put(&v->by_vote, k.name, (uint32_t)v->t.answers.n) != v->t.answers.n) {
        import_bad(im, v->csv.line, "worker " SV_FMT " has a row for this task already", SV_ARG(worker));
    }
    *LIST_ADD(&v->t.answers, im->tr->arena, struct task_answer) = k;
    return v->t.answers.n > ROWS_MOST ? err_rule(im->tr->err, ERR_LIMIT, "votes", "%s has more than %d votes.", im->name, (int)ROWS_MOST) : rc;
}

static enum err_code read_all(struct votes_read *v)
{
    struct err *err = v->im->tr->err;
    bool more = true;
    enum err_code rc = csv_open(&v->csv, v->im->name, v->im->text, err);
    rc = rc == OK ? csv_need(&v->csv, "task", &v->task, err) : rc;
    rc = rc == OK ? csv_need(&v->csv, "worker", &v->worker, err) : rc;
    rc = rc == OK ? csv_need(&v->csv, "label", &v->label, err) : rc;
    while (rc == OK && (rc = csv_next(&v->csv, &more, err)) == OK && more) {
        rc = read_row(v);
        transfer_progress(v->im->tr, "reading votes", v->t.answers.n, 0);
        if (rc != OK) {
            break;
        }
    }
    csv_close(&v->csv);
    return rc;
}

/* Votes of a task together, in the order of the file. */
static void group(struct votes_read *v)
{
    struct arena *a = v->im->tr->arena;
    const struct task_answer *from = v->t.answers.items;
    size_t *at = arena_calloc(a, v->t.tasks.n + 2, sizeof *at);
    struct task_answer *to = arena_calloc(a, v->t.answers.n + 1, sizeof *to);
    for (size_t i = 0; i < v->t.answers.n; i++) {
        at[from[i].task + 1]++;
    }
    for (size_t i = 1; i <= v->t.tasks.n; i++) {
        at[i] += at[i - 1];
    }
    for (size_t i = 0; i < v->t.answers.n; i++) {
        to[at[from[i].task]++] = from[i];
    }
    v->t.answers.items = to;
}

enum err_code task_votes_import(struct import *im, const char *campaign)
{
    struct votes_read v = {.im = im, .t = {.im = im, .campaign = campaign}};
    map_sv_init(&v.by_task);
    map_sv_init(&v.by_vote);
    enum err_code rc = read_all(&v);
    rc = rc == OK ? import_checked(im) : rc;
    if (rc == OK) {
        group(&v);
        rc = task_answers_write(&v.t);
    }
    map_sv_release(&v.by_task);
    map_sv_release(&v.by_vote);
    return rc;
}
