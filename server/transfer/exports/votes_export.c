/* votes_export.c - `holdout export votes`: the answers of a campaign, one line each as
 * `import votes` reads them, or with --format long one line per image, worker and answer
 * (task,worker,label), as tools for aggregation do.
 *
 * Status R stands for every answer that is out of the analysis, A for a paid one, S for the rest.
 * Surplus answers count nowhere and would count elsewhere: they are left out and their number is
 * said. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "formats/csv.h"
#include "store/votes/hits.h"
#include "transfer/exports/exports.h"
#include "transfer/exports/panel_ids.h"

#define OUT_MOST ((size_t)1 << 24)

struct votes_export {
    struct transfer *tr;
    const struct campaign *campaign;
    struct str out;
    struct hit hit;        /* long: the grid whose answers are printed */
    struct arena texts;    /* of that grid */
    size_t surplus, unnumbered;
    bool panel_ids;
};

/* The study's own number of an imported assignment, else ours. */
static void add_assignment(struct votes_export *ve, const struct hit_vote *v)
{
    size_t prefix = ve->campaign->name.n + 1;
    if (v->name.n > prefix) {
        csv_cell(&ve->out, sv_make(v->name.p + prefix, v->name.n - prefix));
    } else {
        str_addi(&ve->out, v->assignment);
    }
}

static enum err_code print_vote(void *arg, const struct hit_vote *v, struct err *err)
{
    struct votes_export *ve = arg;
    if (v->surplus || v->number < 0) {
        ve->surplus += v->surplus;
        ve->unnumbered += !v->surplus;
        return OK;
    }
    add_assignment(ve, v);
    str_printf(&ve->out, ",%" PRId64 ",", v->number);
    csv_cell(&ve->out, v->worker);
    str_printf(&ve->out, ",%c,%" PRId64 ",%" PRId64 ",%012" PRIx64 "\n", v->status,
               v->accepted_at / 1000, v->duration_ms / 1000, v->mask);
    return transfer_flush(ve->tr, &ve->out, err);
}

static enum err_code export_lines(struct votes_export *ve)
{
    struct transfer *tr = ve->tr;
    str_addz(&ve->out, "assignment,hit,worker,status,accept_time,duration_s,mask_hex\n");
    return hits_votes(tr->db, ve->campaign->id, ve->panel_ids, HITS_BY_TIME, print_vote,
                      ve, tr->err);
}

/* Whether the answer counts in the frequencies of a view that has its campaign. */
static bool counts(const struct hit_vote *v)
{
    return !v->surplus && !v->excluded && v->status != 'R';
}

/* Each image of the grid is a task of its own: IMAGE:WNID, label 1 for a selected one, else 0. */
static enum err_code print_long(void *arg, const struct hit_vote *v, struct err *err)
{
    struct votes_export *ve = arg;
    enum err_code rc = OK;
    if (!counts(v)) {
        return OK;
    }
    if (ve->hit.id != v->grid) {
        arena_release(&ve->texts);
        rc = hits_get(ve->tr->db, v->grid, &ve->texts, &ve->hit, err);
    }
    for (unsigned i = 0; i < ve->hit.n && rc == OK; i++) {
        char task[512];
        snprintf(task, sizeof task, SV_FMT ":" SV_FMT, SV_ARG(ve->hit.cell[i].image),
                 SV_ARG(ve->hit.wnid));
        csv_cell(&ve->out, sv_of(task));
        str_addc(&ve->out, ',');
        csv_cell(&ve->out, v->worker);
        str_addz(&ve->out, v->mask >> i & 1 ? ",1\n" : ",0\n");
    }
    return rc == OK ? transfer_flush(ve->tr, &ve->out, err) : rc;
}

static enum err_code export_long(struct votes_export *ve)
{
    struct transfer *tr = ve->tr;
    arena_init(&ve->texts, 1 << 24);
    str_addz(&ve->out, "task,worker,label\n");
    enum err_code rc = hits_votes(tr->db, ve->campaign->id, ve->panel_ids, HITS_BY_GRID,
                                  print_long, ve, tr->err);
    arena_release(&ve->texts);
    return rc;
}

static void note_left_out(const struct votes_export *ve)
{
    if (ve->surplus) {
        transfer_note(ve->tr, "%zu surplus answers are left out: they are paid but do not count.",
                 ve->surplus);
    }
    if (ve->unnumbered) {
        transfer_note(ve->tr, "%zu answers are left out because their grids came without a number.",
                 ve->unnumbered);
    }
}

enum err_code votes_export(struct transfer *tr, const struct campaign *campaign, bool is_long, bool panel_ids)
{
    struct votes_export ve = {.tr = tr, .campaign = campaign, .panel_ids = panel_ids};
    enum err_code rc = panel_ids ? panel_ids_record_now(tr, "votes", campaign->id) : OK;
    if (rc != OK) {
        return rc;
    }
    str_init(&ve.out, OUT_MOST);
    rc = transfer_end(tr, &ve.out, is_long ? export_long(&ve) : export_lines(&ve));
    if (rc == OK) {
        note_left_out(&ve);
    }
    return rc;
}
