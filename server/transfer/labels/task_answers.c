/* task_answers.c - tasks as grids of one image, then their answers, in pieces. */
#include "transfer/labels/task_answers.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "db/bulk.h"
#include "domain/grids/grid.h"
#include "store/images/images.h"
#include "store/people/people.h"
#include "store/work/work.h"

enum { CHUNK = 20 /* tasks of one transaction */ };

struct writing {
    struct task_answers *t;
    struct campaign campaign;
    struct map_sv workers; /* -> index into persons */
    int64_t *persons;
    size_t n_persons, cap_persons;
    size_t task, answer;   /* next */
    uint64_t new_tasks, new_answers;
};

enum err_code task_image(struct import *im, uint64_t line, struct sv name, int64_t *out)
{
    enum err_code rc = images_find(im->tr->db, name, out, im->tr->err);
    if (rc == OK && *out == 0) {
        import_bad(im, line, "image " SV_FMT " is not in the project; import images first", SV_ARG(name));
    }
    return rc;
}

static const struct task_read *task_at(const struct writing *w, size_t i) { return (const struct task_read *)w->t->tasks.items + i; }
static const struct task_answer *answer_at(const struct writing *w, size_t i)
{
    return (const struct task_answer *)w->t->answers.items + i;
}

static struct grid_new grid_of(const struct writing *w, const struct task_read *k)
{
    return (struct grid_new){.campaign = w->campaign.id, .class_id = k->class_id, .number = -1, .name = k->name,
                             .cells = {1, {k->image}, {CELL_CANDIDATE}}, .options = k->options};
}

/* Names of answers are the project's; those of the study are behind the campaign's. */
static struct work_imported answer_of(const struct writing *w, const struct task_answer *k, struct arena *a)
{
    return (struct work_imported){.name = sv_of(arena_printf(a, SV_FMT ":" SV_FMT, SV_ARG(w->campaign.name), SV_ARG(k->name))),
                                  .mask = k->mask, .has_main = k->main != OPTION_NONE, .main = k->main, .status = 'S',
                                  .accepted_at = w->t->im->now};
}

/* The person of an earlier import; *out 0: there is none yet. */
static enum err_code find_person(struct db *db, struct writing *w, struct sv worker, int64_t **out, struct err *err)
{
    uint32_t at = map_sv_put(&w->workers, worker, (uint32_t)w->n_persons);
    if (at == w->n_persons) {
        xgrow(&w->persons, &w->cap_persons, w->n_persons + 1, sizeof *w->persons);
        w->persons[w->n_persons++] = 0;
    }
    *out = &w->persons[at];
    enum err_code rc = **out ? OK : people_find_external(db, w->campaign.name, worker, *out, err);
    return rc == ERR_NOT_FOUND ? OK : rc;
}

/* ---- checking ---- */

static enum err_code bad_or(struct import *im, uint64_t line, enum err_code rc, const struct err *why)
{
    if (rc == ERR_CONFLICT) {
        import_bad(im, line, "%s", why->msg);
        return OK;
    }
    if (rc != OK) {
        *im->tr->err = *why;
    }
    return rc;
}

static enum err_code check_answer(struct writing *w, int64_t grid, const struct task_answer *k, struct arena *a)
{
    struct err why = {OK, "", ""};
    int64_t *person;
    char was = 0;
    struct db *db = w->t->im->tr->db;
    struct work_imported v = answer_of(w, k, a);
    enum err_code rc = find_person(db, w, k->worker, &person, &why);
    v.grid = grid;
    v.person = rc == OK ? *person : 0;
    rc = rc == OK ? work_import_check(db, &v, &was, &why) : rc;
    return bad_or(w->t->im, k->line, rc, &why);
}

/* Only what is there already can contradict. */
static enum err_code check_task(struct writing *w, const struct task_read *k, struct arena *a)
{
    struct err why = {OK, "", ""};
    struct grid_new g = grid_of(w, k);
    struct db *db = w->t->im->tr->db;
    int64_t id = 0;
    bool excluded;
    enum err_code rc = grids_check(db, &g, &why);
    rc = rc == OK ? grids_find(db, w->campaign.id, k->name, &id, &excluded, &why) : rc;
    rc = bad_or(w->t->im, k->line, rc, &why);
    while (w->answer < w->t->answers.n && answer_at(w, w->answer)->task == w->task && rc == OK) {
        rc = id ? check_answer(w, id, answer_at(w, w->answer), a) : OK;
        w->answer++;
    }
    return rc;
}

static enum err_code check_all(struct writing *w)
{
    enum err_code rc = OK;
    for (w->task = 0; w->task < w->t->tasks.n && w->campaign.id && rc == OK; w->task++) {
        struct arena a;
        arena_init(&a, 1 << 24);
        rc = check_task(w, task_at(w, w->task), &a);
        arena_release(&a);
        transfer_progress(w->t->im->tr, "checking answers", w->task, w->t->tasks.n);
    }
    w->task = w->answer = 0;
    return rc == OK ? import_checked(w->t->im) : rc;
}

/* ---- writing ---- */

static enum err_code person_of(struct db *db, struct writing *w, struct sv worker, int64_t *out, struct err *err)
{
    int64_t *known;
    enum err_code rc = find_person(db, w, worker, &known, err);
    if (rc == OK && *known == 0) {
        rc = people_create(db, w->t->im->now, 0, w->t->simulated ? "simulated" : "imported", known, err);
        rc = rc == OK ? people_identify(db, w->t->im->now, 0, *known, w->campaign.name, worker, SV(""), err) : rc;
    }
    *out = *known;
    return rc;
}

static enum err_code write_answers(struct db *db, struct writing *w, int64_t grid, struct arena *a, struct err *err)
{
    enum err_code rc = OK;
    while (rc == OK && w->answer < w->t->answers.n && answer_at(w, w->answer)->task == w->task) {
        const struct task_answer *k = answer_at(w, w->answer);
        struct work_imported v = answer_of(w, k, a);
        bool added = false;
        v.grid = grid;
        rc = person_of(db, w, k->worker, &v.person, err);
        rc = rc == OK ? work_import(db, &v, w->t->im->now, &added, err) : rc;
        w->new_answers += added;
        w->answer++;
    }
    return rc;
}

static enum err_code write_step(struct db *db, void *arg, bool *more, struct err *err)
{
    struct writing *w = arg;
    struct arena a;
    uint64_t added = 0;
    enum err_code rc = OK;
    arena_init(&a, 1 << 26);
    for (int k = 0; k < CHUNK && w->task < w->t->tasks.n && rc == OK; k++, w->task++) {
        struct grid_new g = grid_of(w, task_at(w, w->task));
        int64_t id = 0;
        bool excluded;
        rc = grids_create(db, &g, w->t->im->now, &id, err);
        added += id != 0;
        rc = rc == OK && id == 0 ? grids_find(db, w->campaign.id, g.name, &id, &excluded, err) : rc;
        rc = rc == OK ? write_answers(db, w, id, &a, err) : rc;
    }
    if (rc == OK && added) {
        rc = grids_event(db, w->campaign.id, true, added, w->t->im->now, err);
        w->new_tasks += added;
    }
    arena_release(&a);
    *more = w->task < w->t->tasks.n;
    transfer_progress(w->t->im->tr, "answers", w->answer, w->t->answers.n);
    return rc;
}

/* The campaign if it is there; else id 0. */
static enum err_code find_campaign(struct writing *w, bool make)
{
    const enum import_task task = w->t->classify ? IMPORT_CLASSIFY : IMPORT_CONTAINS;
    enum err_code rc = import_campaign_of(w->t->im, w->t->campaign, task, make, &w->campaign);
    if (rc == ERR_NOT_FOUND && !make) {
        err_clear(w->t->im->tr->err);
        w->campaign.id = 0;
        return OK;
    }
    return rc;
}

enum err_code task_answers_write(struct task_answers *t)
{
    struct writing w = {.t = t};
    struct transfer *tr = t->im->tr;
    map_sv_init(&w.workers);
    enum err_code rc = find_campaign(&w, false);
    rc = rc == OK ? check_all(&w) : rc;
    rc = rc == OK ? find_campaign(&w, true) : rc;
    rc = rc == OK && !tr->dry_run ? bulk_write(tr->db, tr->alone, write_step, &w, tr->err) : rc;
    if (rc == OK) {
        transfer_progress_end(tr);
        transfer_note(tr, "%zu tasks and %zu answers read, %llu and %llu of them new%s.", t->tasks.n, t->answers.n,
                      (unsigned long long)w.new_tasks, (unsigned long long)w.new_answers, tr->dry_run ? " (dry run)" : "");
    }
    map_sv_release(&w.workers);
    free(w.persons);
    return rc;
}
