/* frequencies_csv.c - frequencies as CSV. */
#include "transfer/exports/frequencies_csv.h"

#include <stdlib.h>

#include "base/map.h"
#include "base/xalloc.h"
#include "formats/csv.h"
#include "store/classes/classes.h"

struct writing {
    const struct frequency *list; /* by image */
    size_t n, at;
    struct map_u64 wnid;          /* class id -> index */
    struct class_info *classes;
    struct str *out;
    const struct transfer *tr;
};

struct frequency *frequencies_of(const struct view_counts *v, size_t *n)
{
    struct frequency *list = xcalloc(v->n + 1, sizeof *list);
    for (size_t i = 0; i < v->n; i++) {
        list[i] = (struct frequency){v->image[i], v->class_id[i], v->shown[i], v->selected[i]};
    }
    *n = v->n;
    return list;
}

static int by_image(const void *x, const void *y)
{
    const struct frequency *a = x, *b = y;
    if (a->image != b->image) {
        return a->image < b->image ? -1 : 1;
    }
    return (a->class_id > b->class_id) - (a->class_id < b->class_id);
}

/* Images come by id, as the list does. */
static enum err_code add_image(void *arg, int64_t id, struct sv name, struct err *err)
{
    struct writing *w = arg;
    for (; w->at < w->n && w->list[w->at].image == id; w->at++) {
        const struct frequency *f = &w->list[w->at];
        uint32_t k = map_u64_get(&w->wnid, f->class_id);
        if (f->shown == 0 || k == MAP_NONE) {
            continue;
        }
        csv_cell(w->out, name);
        str_addc(w->out, ',');
        csv_cell(w->out, w->classes[k].wnid);
        str_printf(w->out, ",%u,%u\n", f->shown, f->selected);
    }
    return w->tr ? transfer_flush(w->tr, w->out, err) : OK;
}

enum err_code frequencies_csv(struct db *db, struct frequency *list, size_t n, struct arena *a,
                              struct str *out, const struct transfer *tr, struct err *err)
{
    struct writing w = {.list = list, .n = n, .out = out, .tr = tr};
    size_t n_classes;
    enum err_code rc = classes_list(db, a, &w.classes, &n_classes, err);
    if (rc != OK) {
        return rc;
    }
    map_u64_init(&w.wnid);
    for (size_t i = 0; i < n_classes; i++) {
        map_u64_put(&w.wnid, (uint64_t)w.classes[i].id, (uint32_t)i);
    }
    if (n) {
        qsort(list, n, sizeof *list, by_image);
    }
    str_addz(out, "image,wnid,n_assignments,n_selected\n");
    rc = images_each(db, add_image, &w, err);
    map_u64_release(&w.wnid);
    return rc;
}
