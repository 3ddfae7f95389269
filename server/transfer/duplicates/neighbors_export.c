/* neighbors_export.c - images by name, the lists of all searches of the metric's space as one. */
#include "transfer/duplicates/neighbors_export.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "store/duplicates/near_metrics.h"
#include "store/duplicates/near_space.h"
#include "store/duplicates/near_searches.h"
#include "transfer/duplicates/compared.h"
#include "transfer/duplicates/neighbors_csv.h"
#include "transfer/duplicates/neighbors_metric.h"

struct exporting {
    struct transfer *tr;
    struct compared compared; /* by name */
    struct map_u64 place;     /* among these, by an image's number */
    struct near_search *searches;
    size_t n;
    uint32_t k;
    double within;
    struct neighbors_csv csv;
};
struct named {
    double distance;
    struct sv name;
};

/* Lists are complete up to the shortest of what the searches looked for. */
static enum err_code find_searches(struct exporting *x, const struct review_metric *m)
{
    struct transfer *tr = x->tr;
    struct sv space;
    enum err_code rc = near_space(tr->db, m, 0, tr->arena, &space, tr->err);
    rc = rc == OK ? near_searches_whole(tr->db, space, 0, tr->arena, &x->searches, &x->n, tr->err) : rc;
    for (size_t i = 0; i < x->n && rc == OK; i++) {
        x->k = x->searches[i].k < x->k ? (uint32_t)x->searches[i].k : x->k;
    }
    return rc == OK && x->n == 0
               ? err_rule(tr->err, ERR_NOT_FOUND, "near-search",
                          "Nothing has been searched by %s as it is defined now; `holdout neighbors %s --metric %s` does it",
                          m->name, tr->dir, m->name)
               : rc;
}

static int by_distance(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    return x->distance < y->distance ? -1 : x->distance > y->distance ? 1 : sv_cmp(x->name, y->name);
}

static void print_list(struct exporting *x, struct sv image, const struct near_list *l)
{
    struct named list[NEAR_MOST];
    uint32_t n = 0;
    for (uint32_t i = 0; i < l->n; i++) {
        uint32_t at = map_u64_get(&x->place, l->at[i].image);
        if (at != MAP_NONE && l->at[i].distance <= x->within) {
            list[n++] = (struct named){l->at[i].distance, x->compared.images[at].name};
        }
    }
    if (n > 0) {
        qsort(list, n, sizeof *list, by_distance);
    }
    for (uint32_t i = 0; i < n; i++) {
        neighbors_csv_add(&x->csv, image, i + 1, list[i].name, list[i].distance);
    }
}

static enum err_code print_all(struct exporting *x)
{
    struct arena a;
    struct near_list l;
    enum err_code rc = OK;
    arena_init(&a, (size_t)1 << 20);
    for (uint32_t i = 0; i < x->compared.n && rc == OK; i++) {
        const struct match_image *m = &x->compared.images[i];
        arena_clear(&a);
        rc = near_searches_nearest(x->tr->db, x->searches, x->n, (uint32_t)m->image, x->k, &a, &l, x->tr->err);
        if (rc == OK) {
            print_list(x, m->name, &l);
            rc = transfer_flush(x->tr, &x->csv.out, x->tr->err);
        }
    }
    arena_release(&a);
    return rc;
}

static enum err_code find_images(struct exporting *x)
{
    enum err_code rc = compared_open(&x->compared, x->tr, COMPARED_BY_NAME, 0);
    for (uint32_t i = 0; i < x->compared.n; i++) {
        map_u64_put(&x->place, (uint64_t)x->compared.images[i].image, i);
    }
    return rc;
}

enum err_code neighbors_export(struct transfer *tr, const char *metric, uint32_t k, double within)
{
    struct exporting x = {.tr = tr, .k = k, .within = within};
    struct review_gate gate;
    const struct review_metric *m = NULL;
    map_u64_init(&x.place);
    enum err_code rc = near_metrics_get(tr->db, 0, &gate, tr->err);
    rc = rc == OK ? neighbors_metric_find(&gate, metric, tr, &m) : rc;
    rc = rc == OK ? find_searches(&x, m) : rc;
    rc = rc == OK ? find_images(&x) : rc;
    if (rc == OK) {
        neighbors_csv_begin(&x.csv, tr, neighbors_metric(m).kind);
        rc = neighbors_csv_end(&x.csv, print_all(&x));
    }
    compared_close(&x.compared);
    map_u64_release(&x.place);
    return rc;
}
