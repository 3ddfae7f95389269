/* votes_import.c - `holdout import votes`: the answers of an imported study.
 * CSV assignment,hit,worker,status,accept_time,duration_s,mask_hex: bit j of the mask is cell j;
 * status S submitted, A approved, R rejected (rejected answers stay on record, out of the
 * analysis). Votes as task,worker,label are read by task_votes_import.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/outside.h"
#include "base/xalloc.h"
#include "db/bulk.h"
#include "formats/csv.h"
#include "store/people/people.h"
#include "store/work/grids.h"
#include "store/work/work.h"
#include "transfer/imports/imports.h"
#include "transfer/imports/lines.h"

enum { CHUNK = 40, DURATION_MOST = 30 * 24 * 3600 };

struct columns {
    int assignment, hit, worker, status, accept_time, duration, mask;
};

struct hit_grid {
    int64_t id, cells;
};

struct votes_import {
    struct import im;
    struct campaign campaign;
    struct csv csv;
    struct columns col;
    struct map_u64 hits;      /* hit number -> index into grids; asked of the database once each */
    struct hit_grid *grids;
    size_t n_grids, cap_grids;
    struct map_sv workers;    /* worker -> index into persons */
    int64_t *persons;         /* 0 until the worker's first answer is written */
    size_t n_persons, cap_persons;
    uint64_t rows, done, added;
    uint64_t other_status, rejected; /* answers that came with another status before; of them: rejected in this file */
};

struct vote_line {
    struct sv assignment, worker;
    struct work_imported w;
};

static enum err_code open_csv(struct votes_import *vi)
{
    struct err *err = vi->im.tr->err;
    enum err_code rc = csv_open(&vi->csv, vi->im.name, vi->im.text, err);
    if (rc != OK) {
        return rc;
    }
    const struct {
        const char *name;
        int *col;
    } need[] = {
        {"assignment", &vi->col.assignment}, {"hit", &vi->col.hit},
        {"worker", &vi->col.worker},         {"status", &vi->col.status},
        {"accept_time", &vi->col.accept_time}, {"duration_s", &vi->col.duration},
        {"mask_hex", &vi->col.mask},
    };
    for (size_t i = 0; i < sizeof need / sizeof *need && rc == OK; i++) {
        rc = csv_need(&vi->csv, need[i].name, need[i].col, err);
    }
    return rc;
}

/* The grid of a hit number; id 0 when there is none. */
static enum err_code grid_of(struct votes_import *vi, int64_t number, struct hit_grid *out)
{
    uint32_t at = map_u64_get(&vi->hits, (uint64_t)number);
    if (at == MAP_NONE) {
        struct hit_grid g;
        enum err_code rc = grids_find_number(vi->im.tr->db, vi->campaign.id, number, &g.id,
                                             &g.cells, vi->im.tr->err);
        if (rc != OK) {
            return rc;
        }
        at = (uint32_t)vi->n_grids;
        xgrow(&vi->grids, &vi->cap_grids, vi->n_grids + 1, sizeof *vi->grids);
        vi->grids[vi->n_grids++] = g;
        map_u64_put(&vi->hits, (uint64_t)number, at);
    }
    *out = vi->grids[at];
    return OK;
}

static enum err_code read_line(struct votes_import *vi, struct vote_line *v)
{
    const struct csv *csv = &vi->csv;
    struct import *im = &vi->im;
    int64_t hit = -1, accepted = 0, seconds = 0;
    struct hit_grid grid = {0, 0};
    struct sv status = csv->cells[vi->col.status];
    *v = (struct vote_line){.assignment = csv->cells[vi->col.assignment],
                            .worker = csv->cells[vi->col.worker]};
    enum err_code rc = OK;
    if (sv_i64(csv->cells[vi->col.hit], &hit) && hit >= 0) {
        rc = grid_of(vi, hit, &grid);
    }
    if (rc == OK && grid.id == 0) {
        import_bad(im, csv->line, "hit " SV_FMT " is not in campaign " SV_FMT
                   "; import its hits first", SV_ARG(csv->cells[vi->col.hit]),
                   SV_ARG(vi->campaign.name));
    }
    if (status.n != 1 || !strchr("SAR", status.p[0])) {
        import_bad(im, csv->line, "status must be S, A or R");
    }
    if (!sv_i64(csv->cells[vi->col.accept_time], &accepted) || accepted < 0 ||
        accepted > INT64_C(1) << 40 || !sv_i64(csv->cells[vi->col.duration], &seconds) ||
        seconds < 0 || seconds > DURATION_MOST) {
        import_bad(im, csv->line, "accept_time and duration_s must be seconds");
    }
    if (!sv_hex64(csv->cells[vi->col.mask], &v->w.mask)) {
        import_bad(im, csv->line, "mask_hex must be 1 to 16 hex digits");
    } else if (grid.id && !grid_mask_fits(v->w.mask, (unsigned)grid.cells)) {
        import_bad(im, csv->line, "the mask selects a cell beyond the %lld of its hit",
                   (long long)grid.cells);
    }
    if (v->assignment.n == 0 || v->assignment.n > 64 || v->worker.n == 0 || v->worker.n > 128) {
        import_bad(im, csv->line, "assignment and worker must not be empty or too long");
    } else if (outside_formula(v->worker)) {
        import_bad(im, csv->line, "the worker " SV_FMT " " OUTSIDE_FORMULA_TEXT, SV_ARG(v->worker));
    }
    v->w.grid = grid.id;
    v->w.accepted_at = accepted * 1000;
    v->w.active_ms = seconds * 1000;
    v->w.status = status.n ? status.p[0] : '?';
    return rc;
}

static uint32_t worker_index(struct votes_import *vi, struct sv worker)
{
    uint32_t at = map_sv_put(&vi->workers, worker, (uint32_t)vi->n_persons);
    if (at == vi->n_persons) {
        xgrow(&vi->persons, &vi->cap_persons, vi->n_persons + 1, sizeof *vi->persons);
        vi->persons[vi->n_persons++] = 0;
    }
    return at;
}

enum { ASSIGNMENT_NAME = 160 };

/* Names of assignments are the project's, numbers the study's. */
static struct sv full_name(const struct votes_import *vi, struct sv assignment,
                           char buf[ASSIGNMENT_NAME])
{
    snprintf(buf, ASSIGNMENT_NAME, SV_FMT ":" SV_FMT, SV_ARG(vi->campaign.name),
             SV_ARG(assignment));
    return sv_of(buf);
}

/* The worker as a person of an earlier import; *known stays 0 when there is none. */
static enum err_code find_person(struct db *db, const struct votes_import *vi, struct sv worker,
                                 int64_t *known, struct err *err)
{
    enum err_code rc =
        *known ? OK : people_find_external(db, vi->campaign.name, worker, known, err);
    return rc == ERR_NOT_FOUND ? OK : rc;
}

/* A row that contradicts an answer of the project is a bad row as well. */
static enum err_code compare_row(struct votes_import *vi, struct vote_line *v)
{
    char name[ASSIGNMENT_NAME], was = 0;
    struct db *db = vi->im.tr->db;
    struct err why = {OK, "", ""};
    uint32_t at = worker_index(vi, v->worker); /* may move the list */
    int64_t *known = &vi->persons[at];
    enum err_code rc = find_person(db, vi, v->worker, known, &why);
    v->w.name = full_name(vi, v->assignment, name);
    v->w.person = *known;
    rc = rc == OK ? work_import_check(db, &v->w, &was, &why) : rc;
    if (rc == OK && was && was != v->w.status) {
        vi->other_status++;
        vi->rejected += v->w.status == 'R';
    }
    if (rc == ERR_CONFLICT) {
        import_bad(&vi->im, vi->csv.line, "%s", why.msg);
        return OK;
    }
    *vi->im.tr->err = why;
    return rc;
}

static enum err_code validate(struct votes_import *vi)
{
    struct map_sv assignments;
    struct map_u64 seen; /* (hit grid, worker) */
    bool more = true;
    map_sv_init(&assignments);
    map_u64_init(&seen);
    enum err_code rc = open_csv(vi);
    while (rc == OK && (rc = csv_next(&vi->csv, &more, vi->im.tr->err)) == OK && more) {
        struct vote_line v;
        uint32_t row = (uint32_t)vi->rows++;
        uint64_t bad = vi->im.bad;
        rc = read_line(vi, &v);
        if (rc == OK && vi->im.bad == bad) {
            rc = compare_row(vi, &v);
        }
        if (map_sv_put(&assignments, v.assignment, row) != row) {
            import_bad(&vi->im, vi->csv.line, "assignment " SV_FMT " appears twice in the file",
                       SV_ARG(v.assignment));
        }
        uint64_t pair = (uint64_t)v.w.grid << 32 | worker_index(vi, v.worker);
        if (v.w.grid && map_u64_put(&seen, pair, row) != row) {
            import_bad(&vi->im, vi->csv.line, "worker " SV_FMT " answered this hit twice",
                       SV_ARG(v.worker));
        }
        transfer_progress(vi->im.tr, "checking votes", vi->rows, 0);
    }
    csv_close(&vi->csv);
    map_sv_release(&assignments);
    map_u64_release(&seen);
    return rc == OK ? import_checked(&vi->im) : rc;
}

static enum err_code person_of(struct db *db, struct votes_import *vi, struct sv worker,
                               int64_t *person, struct err *err)
{
    uint32_t at = worker_index(vi, worker);
    int64_t *known = &vi->persons[at];
    enum err_code rc = find_person(db, vi, worker, known, err);
    if (rc == OK && *known == 0) {
        rc = people_create(db, vi->im.now, 0, "imported", known, err);
        if (rc == OK) {
            rc = people_identify(db, vi->im.now, 0, *known, vi->campaign.name, worker, SV(""),
                                 err);
        }
    }
    *person = *known;
    return rc;
}

static enum err_code write_step(struct db *db, void *arg, bool *more, struct err *err)
{
    struct votes_import *vi = arg;
    enum err_code rc = OK;
    *more = true;
    for (int k = 0; k < CHUNK && rc == OK; k++) {
        struct vote_line v;
        char name[ASSIGNMENT_NAME];
        bool added = false;
        rc = csv_next(&vi->csv, more, err);
        if (rc != OK || !*more) {
            break;
        }
        rc = read_line(vi, &v);
        rc = rc == OK ? person_of(db, vi, v.worker, &v.w.person, err) : rc;
        if (rc == OK) {
            v.w.name = full_name(vi, v.assignment, name);
            rc = work_import(db, &v.w, vi->im.now, &added, err);
        }
        vi->added += added;
        vi->done++;
    }
    transfer_progress(vi->im.tr, "votes", vi->done, vi->rows);
    return rc;
}

/* What was imported first stays: decisions may rest on it. */
static void say_other_status(const struct votes_import *vi)
{
    if (vi->other_status) {
        transfer_warn(vi->im.tr,
                      "%s: %llu of these answers are already in the project with another status, which stays; the "
                      "file says that %llu of them are rejected. `holdout decide` excludes answers from the "
                      "analysis or includes them again.",
                      vi->im.name, (unsigned long long)vi->other_status, (unsigned long long)vi->rejected);
    }
}

static enum err_code has_tasks(struct votes_import *vi, bool *out)
{
    enum err_code rc = csv_open(&vi->csv, vi->im.name, vi->im.text, vi->im.tr->err);
    *out = rc == OK && csv_column(&vi->csv, "task") >= 0;
    csv_close(&vi->csv);
    return rc;
}

enum err_code votes_import(struct transfer *tr, const char *path, const char *campaign)
{
    struct votes_import vi = {0};
    bool tasks = false;
    map_u64_init(&vi.hits);
    map_sv_init(&vi.workers);
    enum err_code rc = import_open(&vi.im, tr, path);
    rc = rc == OK ? has_tasks(&vi, &tasks) : rc;
    if (rc == OK && tasks) {
        rc = task_votes_import(&vi.im, campaign);
        map_u64_release(&vi.hits);
        map_sv_release(&vi.workers);
        import_close(&vi.im);
        return rc;
    }
    rc = rc == OK ? import_campaign(&vi.im, campaign, false, &vi.campaign) : rc;
    rc = rc == OK ? validate(&vi) : rc;
    if (rc == OK && !tr->dry_run) {
        rc = open_csv(&vi);
        rc = rc == OK ? bulk_write(tr->db, tr->alone, write_step, &vi, tr->err) : rc;
        csv_close(&vi.csv);
    }
    if (rc == OK) {
        transfer_progress_end(tr);
        say_other_status(&vi);
        transfer_note(tr, "%llu answers read, %llu new%s.", (unsigned long long)vi.rows,
                 (unsigned long long)vi.added, tr->dry_run ? " (dry run)" : "");
    }
    free(vi.grids);
    free(vi.persons);
    map_u64_release(&vi.hits);
    map_sv_release(&vi.workers);
    import_close(&vi.im);
    return rc;
}
