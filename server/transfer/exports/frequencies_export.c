/* frequencies_export.c - `holdout export frequencies|workers`: numbers as CSV. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "formats/csv.h"
#include "live/votes/view_ask.h"
#include "store/votes/views.h"
#include "store/votes/votes.h"
#include "transfer/exports/exports.h"
#include "transfer/exports/frequencies_csv.h"
#include "transfer/exports/panel_ids.h"

/* The default view's counters; the caller frees them. */
static struct frequency *take_default(const struct tally *t, size_t *n)
{
    const struct tally_pair *pairs = tally_pairs(t, n);
    struct frequency *list = xcalloc(*n + 1, sizeof *list);
    for (size_t i = 0; i < *n; i++) {
        list[i] = (struct frequency){pairs[i].image, pairs[i].class, pairs[i].shown,
                                     pairs[i].selected};
    }
    return list;
}

void transfer_warn_view(const struct transfer *tr, const struct vote_view *view)
{
    for (size_t i = 0; i < view->rules.n; i++) {
        const char *warning = view_filter_warning(&view->rules.filters[i], tr->arena);
        if (warning) {
            transfer_warn(tr, "View " SV_FMT ", %s", SV_ARG(view->name), warning);
        }
    }
}

/* What was counted goes to the notes: a file of frequencies does not say by itself what they are of. */
static void note_view(struct transfer *tr, const struct vote_view *view, const struct view_counts *v)
{
    transfer_note(tr, "View " SV_FMT " up to event %lld: %llu answers from %llu people; %zu are left out.",
             SV_ARG(view->name), (long long)v->cursor, (unsigned long long)v->with.answers,
             (unsigned long long)v->with.people, v->n_dropped);
    transfer_warn_view(tr, view);
}

static enum err_code take_view(struct transfer *tr, const char *name, struct tally *t,
                               struct frequency **out, size_t *n)
{
    struct vote_view view;
    struct view_ask ask;
    struct view_counts v;
    if (views_find(tr->db, sv_of(name), tr->arena, &view, tr->err) != OK ||
        view_ask_of(tr->db, &view, 0, tr->arena, &ask, tr->err) != OK ||
        view_count(t, &ask, &v, tr->err) != OK) {
        return tr->err->code;
    }
    *out = frequencies_of(&v, n);
    note_view(tr, &view, &v);
    view_counts_release(&v);
    return OK;
}

enum err_code frequencies_export(struct transfer *tr, const char *view)
{
    struct frequency *list = NULL;
    size_t n = 0;
    struct str out;
    struct tally *t = tally_new();
    str_init(&out, 1 << 24);
    enum err_code rc = tally_fold(t, tr->db, tr->err);
    if (rc == OK && view && strcmp(view, "default") != 0) {
        rc = take_view(tr, view, t, &list, &n);
    } else if (rc == OK) {
        list = take_default(t, &n);
    }
    rc = rc == OK ? frequencies_csv(tr->db, list, n, tr->arena, &out, tr, tr->err) : rc;
    rc = transfer_end(tr, &out, rc);
    free(list);
    tally_free(t);
    return rc;
}

struct workers_export {
    struct transfer *tr;
    struct str out;
};

static enum err_code print_worker(void *arg, const struct vote_worker *w, struct err *err)
{
    struct workers_export *x = arg;
    struct str *out = &x->out;
    csv_cell(out, w->worker);
    const int64_t numbers[] = {w->assignments, w->rejected,    w->pos_correct, w->pos_total,
                               w->neg_correct, w->neg_total, w->n_selected,  w->total_duration_s};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        str_addc(out, ',');
        str_addi(out, numbers[i]);
    }
    str_addc(out, '\n');
    return transfer_flush(x->tr, out, err);
}

enum err_code workers_export(struct transfer *tr, bool panel_ids)
{
    struct workers_export x = {.tr = tr};
    enum err_code rc = panel_ids ? panel_ids_record_now(tr, "workers", 0) : OK;
    if (rc != OK) {
        return rc;
    }
    str_init(&x.out, 1 << 24);
    str_addz(&x.out, "worker,assignments,rejected,pos_correct,pos_total,neg_correct,neg_total,"
                     "n_selected,total_duration_s\n");
    rc = votes_workers(tr->db, panel_ids, print_worker, &x, tr->err);
    return transfer_end(tr, &x.out, rc);
}
