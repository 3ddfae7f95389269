/* cmd_export.c - `holdout export frequencies|workers`: numbers as CSV on standard output. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/xalloc.h"
#include "cli/commands.h"
#include "cli/export.h"
#include "formats/csv.h"
#include "live/view_count.h"
#include "store/classes.h"
#include "store/images.h"
#include "store/views.h"
#include "store/votes.h"
#include "web/view_choice.h"

struct frequency {
    uint32_t image, class, shown, selected;
};

static int by_image(const void *a, const void *b)
{
    const struct frequency *x = a, *y = b;
    if (x->image != y->image) {
        return x->image < y->image ? -1 : 1;
    }
    return (x->class > y->class) - (x->class < y->class);
}

struct frequencies {
    struct frequency *pairs; /* by image */
    size_t n, at;
    struct map_u64 wnid;     /* class id -> index */
    struct class_info *classes;
    struct str out;
};

/* The pairs of one image; images come by id as the pairs do. Pairs without answers are left out:
 * they have no frequency. */
static enum err_code print_image(void *arg, int64_t id, struct sv name, struct err *err)
{
    struct frequencies *f = arg;
    for (; f->at < f->n && f->pairs[f->at].image == id; f->at++) {
        const struct frequency *p = &f->pairs[f->at];
        uint32_t k = map_u64_get(&f->wnid, p->class);
        if (p->shown == 0 || k == MAP_NONE) {
            continue;
        }
        csv_cell(&f->out, name);
        str_addc(&f->out, ',');
        csv_cell(&f->out, f->classes[k].wnid);
        str_printf(&f->out, ",%u,%u\n", p->shown, p->selected);
    }
    return export_flush(&f->out, err);
}

/* The default view's counters. */
static void take_default(const struct tally *t, struct frequencies *f)
{
    const struct tally_pair *pairs = tally_pairs(t, &f->n);
    f->pairs = xmalloc(f->n * sizeof *f->pairs);
    for (size_t i = 0; i < f->n; i++) {
        f->pairs[i] = (struct frequency){pairs[i].image, pairs[i].class, pairs[i].shown,
                                         pairs[i].selected};
    }
}

/* What was counted goes to the notes: a file of frequencies does not say by itself what they are of. */
static void note_view(struct cli *cli, const struct vote_view *view, const struct view_counts *v)
{
    cli_note(cli, "View " SV_FMT " up to event %lld: %llu answers of %llu people; %zu are left out.",
             SV_ARG(view->name), (long long)v->cursor, (unsigned long long)v->with.answers,
             (unsigned long long)v->with.people, v->n_dropped);
}

static enum err_code take_view(struct cli *cli, const char *name, struct tally *t,
                               struct frequencies *f)
{
    struct vote_view view;
    struct view_ask ask;
    struct view_counts v;
    if (views_find(cli->db, sv_of(name), &cli->arena, &view, &cli->err) != OK ||
        view_choice_ask(cli->db, &view, &cli->arena, &ask, &cli->err) != OK ||
        view_count(t, &ask, &v, &cli->err) != OK) {
        return cli->err.code;
    }
    f->n = v.n;
    f->pairs = xmalloc(f->n * sizeof *f->pairs);
    for (size_t i = 0; i < f->n; i++) {
        f->pairs[i] =
            (struct frequency){v.image[i], v.class_id[i], v.shown[i], v.selected[i]};
    }
    note_view(cli, &view, &v);
    view_counts_release(&v);
    return OK;
}

static enum err_code print_frequencies(struct cli *cli, struct frequencies *f)
{
    size_t n_classes = 0;
    enum err_code rc = classes_list(cli->db, &cli->arena, &f->classes, &n_classes, &cli->err);
    if (rc != OK) {
        return rc;
    }
    for (size_t i = 0; i < n_classes; i++) {
        map_u64_put(&f->wnid, (uint64_t)f->classes[i].id, (uint32_t)i);
    }
    qsort(f->pairs, f->n, sizeof *f->pairs, by_image);
    str_addz(&f->out, "image,wnid,n_assignments,n_selected\n");
    return images_each(cli->db, print_image, f, &cli->err);
}

enum err_code cmd_export_frequencies(struct cli *cli)
{
    struct frequencies f = {0};
    struct tally *t = tally_new();
    const char *view = cli_opt(cli, "view");
    str_init(&f.out, 1 << 24);
    map_u64_init(&f.wnid);
    enum err_code rc = tally_fold(t, cli->db, &cli->err);
    if (rc == OK && view && strcmp(view, "default") != 0) {
        rc = take_view(cli, view, t, &f);
    } else if (rc == OK) {
        take_default(t, &f);
    }
    if (rc == OK) {
        rc = print_frequencies(cli, &f);
    }
    rc = export_end(&f.out, rc, &cli->err);
    free(f.pairs);
    map_u64_release(&f.wnid);
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
    str_init(&out, 1 << 24);
    str_addz(&out, "worker,assignments,rejected,pos_correct,pos_total,neg_correct,neg_total,"
                   "n_selected,total_duration_s\n");
    enum err_code rc = votes_workers(cli->db, print_worker, &out, &cli->err);
    return export_end(&out, rc, &cli->err);
}
