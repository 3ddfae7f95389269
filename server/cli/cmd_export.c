/* cmd_export.c - `holdout export frequencies|workers`: numbers as CSV on standard output. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "cli/commands.h"
#include "cli/export.h"
#include "formats/csv.h"
#include "live/view_ask.h"
#include "store/views.h"
#include "store/votes.h"
#include "web/frequencies_csv.h"

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

/* What was counted goes to the notes: a file of frequencies does not say by itself what they are of. */
static void note_view(struct cli *cli, const struct vote_view *view, const struct view_counts *v)
{
    cli_note(cli, "View " SV_FMT " up to event %lld: %llu answers of %llu people; %zu are left out.",
             SV_ARG(view->name), (long long)v->cursor, (unsigned long long)v->with.answers,
             (unsigned long long)v->with.people, v->n_dropped);
    export_warn_view(cli, view);
}

static enum err_code take_view(struct cli *cli, const char *name, struct tally *t,
                               struct frequency **out, size_t *n)
{
    struct vote_view view;
    struct view_ask ask;
    struct view_counts v;
    if (views_find(cli->db, sv_of(name), &cli->arena, &view, &cli->err) != OK ||
        view_ask_of(cli->db, &view, 0, &cli->arena, &ask, &cli->err) != OK ||
        view_count(t, &ask, &v, &cli->err) != OK) {
        return cli->err.code;
    }
    *out = frequencies_of(&v, n);
    note_view(cli, &view, &v);
    view_counts_release(&v);
    return OK;
}

enum err_code cmd_export_frequencies(struct cli *cli)
{
    struct frequency *list = NULL;
    size_t n = 0;
    struct str out;
    struct tally *t = tally_new();
    const char *view = cli_opt(cli, "view");
    str_init(&out, 1 << 24);
    enum err_code rc = tally_fold(t, cli->db, &cli->err);
    if (rc == OK && view && strcmp(view, "default") != 0) {
        rc = take_view(cli, view, t, &list, &n);
    } else if (rc == OK) {
        list = take_default(t, &n);
    }
    if (rc == OK) {
        rc = frequencies_csv(cli->db, list, n, &cli->arena, &out, export_flush, &cli->err);
    }
    rc = export_end(&out, rc, &cli->err);
    free(list);
    tally_free(t);
    return rc;
}

static enum err_code print_worker(void *arg, const struct vote_worker *w, struct err *err)
{
    struct str *out = arg;
    csv_cell(out, w->worker);
    const int64_t numbers[] = {w->assignments, w->rejected,    w->pos_correct, w->pos_total,
                               w->neg_correct, w->neg_total, w->n_selected,  w->total_duration_s};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        str_addc(out, ',');
        str_addi(out, numbers[i]);
    }
    str_addc(out, '\n');
    return export_flush(out, err);
}

enum err_code cmd_export_workers(struct cli *cli)
{
    struct str out;
    bool panel_ids;
    enum err_code rc = export_panel_ids(cli, "workers", 0, &panel_ids);
    if (rc != OK) {
        return rc;
    }
    str_init(&out, 1 << 24);
    str_addz(&out, "worker,assignments,rejected,pos_correct,pos_total,neg_correct,neg_total,"
                   "n_selected,total_duration_s\n");
    rc = votes_workers(cli->db, panel_ids, print_worker, &out, &cli->err);
    return export_end(&out, rc, &cli->err);
}
