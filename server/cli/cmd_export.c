/* cmd_export.c - `holdout export frequencies|workers`: numbers as CSV on standard output. */
#include <stdio.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/xalloc.h"
#include "cli/commands.h"
#include "cli/export.h"
#include "formats/csv.h"
#include "live/tally.h"
#include "store/classes.h"
#include "store/images.h"
#include "store/votes.h"

static int by_image(const void *a, const void *b)
{
    const struct tally_pair *x = a, *y = b;
    if (x->image != y->image) {
        return x->image < y->image ? -1 : 1;
    }
    return (x->class > y->class) - (x->class < y->class);
}

struct frequencies {
    struct tally_pair *pairs; /* by image */
    size_t n, at;
    struct map_u64 wnid;      /* class id -> index */
    struct class_info *classes;
    struct str out;
};

/* The pairs of one image; images come by id as the pairs do. Pairs without answers are left out:
 * they have no frequency. */
static enum err_code print_image(void *arg, int64_t id, struct sv name, struct err *err)
{
    struct frequencies *f = arg;
    for (; f->at < f->n && f->pairs[f->at].image == id; f->at++) {
        const struct tally_pair *p = &f->pairs[f->at];
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

enum err_code cmd_export_frequencies(struct cli *cli)
{
    struct frequencies f = {0};
    struct tally *t = tally_new();
    size_t n_classes = 0;
    str_init(&f.out, 1 << 24);
    map_u64_init(&f.wnid);
    enum err_code rc = tally_fold(t, cli->db, &cli->err);
    if (rc == OK) {
        rc = classes_list(cli->db, &cli->arena, &f.classes, &n_classes, &cli->err);
    }
    if (rc == OK) {
        for (size_t i = 0; i < n_classes; i++) {
            map_u64_put(&f.wnid, (uint64_t)f.classes[i].id, (uint32_t)i);
        }
        const struct tally_pair *pairs = tally_pairs(t, &f.n);
        f.pairs = xmalloc(f.n * sizeof *f.pairs);
        for (size_t i = 0; i < f.n; i++) {
            f.pairs[i] = pairs[i];
        }
        qsort(f.pairs, f.n, sizeof *f.pairs, by_image);
        str_addz(&f.out, "image,wnid,n_assignments,n_selected\n");
        rc = images_each(cli->db, print_image, &f, &cli->err);
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
