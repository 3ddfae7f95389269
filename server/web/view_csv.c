/* view_csv.c - frequencies as CSV. */
#include "web/view_csv.h"

#include <stdlib.h>

#include "base/map.h"
#include "base/xalloc.h"
#include "formats/csv.h"
#include "store/classes.h"

/* A pair in the order of the file: image, then class. */
struct row {
    uint32_t image, class_id, pair;
};
struct writing {
    const struct view_counts *v;
    struct row *rows;
    size_t n, at;
    struct map_u64 wnid; /* class id -> index */
    struct class_info *classes;
    struct str *out;
    enum err_code (*flush)(struct str *out, struct err *err);
};

static int by_image(const void *x, const void *y)
{
    const struct row *a = x, *b = y;
    if (a->image != b->image) {
        return a->image < b->image ? -1 : 1;
    }
    return (a->class_id > b->class_id) - (a->class_id < b->class_id);
}

/* Images come by id, as the rows do. */
static enum err_code add_image(void *arg, int64_t id, struct sv name, struct err *err)
{
    struct writing *w = arg;
    for (; w->at < w->n && w->rows[w->at].image == id; w->at++) {
        const struct row *r = &w->rows[w->at];
        uint32_t k = map_u64_get(&w->wnid, r->class_id);
        if (k != MAP_NONE) {
            csv_cell(w->out, name);
            str_addc(w->out, ',');
            csv_cell(w->out, w->classes[k].wnid);
            str_printf(w->out, ",%u,%u\n", w->v->shown[r->pair], w->v->selected[r->pair]);
        }
    }
    return w->flush ? w->flush(w->out, err) : OK;
}

static void sort_rows(struct writing *w)
{
    w->rows = xcalloc(w->v->n + 1, sizeof *w->rows);
    for (size_t i = 0; i < w->v->n; i++) {
        if (w->v->shown[i]) {
            w->rows[w->n++] = (struct row){w->v->image[i], w->v->class_id[i], (uint32_t)i};
        }
    }
    qsort(w->rows, w->n, sizeof *w->rows, by_image);
}

enum err_code view_csv(struct db *db, const struct view_counts *v, struct arena *a, struct str *out,
                       enum err_code (*flush)(struct str *out, struct err *err), struct err *err)
{
    struct writing w = {.v = v, .out = out, .flush = flush};
    size_t n_classes;
    enum err_code rc = classes_list(db, a, &w.classes, &n_classes, err);
    if (rc != OK) {
        return rc;
    }
    map_u64_init(&w.wnid);
    for (size_t i = 0; i < n_classes; i++) {
        map_u64_put(&w.wnid, (uint64_t)w.classes[i].id, (uint32_t)i);
    }
    sort_rows(&w);
    str_addz(out, "image,wnid,n_assignments,n_selected\n");
    rc = images_each(db, add_image, &w, err);
    free(w.rows);
    map_u64_release(&w.wnid);
    return rc;
}
