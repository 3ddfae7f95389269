/* near_duplicates_export.c - `holdout export near-duplicates`: the components of the recorded
 * pairs as CSV, largest first; with --images every image that shares a photo with another, and
 * whether it is out of sampling, where equal source ids count as well. */
#include <stdio.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/xalloc.h"
#include "formats/csv.h"
#include "sets/pool/pool.h"
#include "store/duplicates/near_pairs.h"
#include "transfer/exports/exports.h"

enum { OUT_MOST = 1 << 28 };

/* ---- components of the pairs, whether the project has their images or not ---- */

struct pairs {
    struct arena *a;
    struct map_sv at; /* name -> index */
    struct sv *names;
    struct near_image *images;
    struct near_edge *edges;
    size_t n, cap_names, cap_images, n_edges, cap_edges;
};

static uint32_t name_at(struct pairs *p, struct sv name)
{
    uint32_t at = map_sv_put(&p->at, name, (uint32_t)p->n);
    if (at == p->n) {
        xgrow(&p->names, &p->cap_names, p->n + 1, sizeof *p->names);
        xgrow(&p->images, &p->cap_images, p->n + 1, sizeof *p->images);
        p->names[p->n] = arena_sv(p->a, name);
        p->images[p->n++] = (struct near_image){.original = near_name_of_imagenet(name)};
    }
    return at;
}

static enum err_code take_pair(void *arg, const struct near_pair *pair, struct err *err)
{
    struct pairs *p = arg;
    (void)err;
    xgrow(&p->edges, &p->cap_edges, p->n_edges + 1, sizeof *p->edges);
    p->edges[p->n_edges] = (struct near_edge){name_at(p, pair->a), 0};
    p->edges[p->n_edges++].b = name_at(p, pair->b);
    return OK;
}

static int by_name(const void *a, const void *b, void *names)
{
    const struct sv *list = names;
    return sv_cmp(list[*(const uint32_t *)a], list[*(const uint32_t *)b]);
}

static void rank_names(struct pairs *p)
{
    uint32_t *order = xcalloc(p->n + 1, sizeof *order);
    for (size_t i = 0; i < p->n; i++) {
        order[i] = (uint32_t)i;
    }
    if (p->n) {
        qsort_r(order, p->n, sizeof *order, by_name, p->names);
    }
    for (size_t i = 0; i < p->n; i++) {
        p->images[order[i]].rank = (uint32_t)i;
    }
    free(order);
}

/* Largest first, then by their first names; members are in order of names. */
struct sorting {
    const struct near_result *result;
    const struct near_image *images;
};
static int by_size(const void *a, const void *b, void *arg)
{
    const struct sorting *s = arg;
    const struct near_component *x = &s->result->components[*(const uint32_t *)a];
    const struct near_component *y = &s->result->components[*(const uint32_t *)b];
    uint32_t first_x = s->images[s->result->members[x->first]].rank;
    uint32_t first_y = s->images[s->result->members[y->first]].rank;
    return x->n != y->n ? (x->n < y->n) - (x->n > y->n) : (first_x > first_y) - (first_x < first_y);
}

static void print_component(struct str *out, const struct pairs *p, const struct near_result *r,
                            const struct near_component *c, struct arena *a)
{
    struct sv *names = arena_alloc(a, (c->n + (size_t)1) * sizeof *names);
    for (uint32_t i = 0; i < c->n; i++) {
        names[i] = p->names[r->members[c->first + i]];
    }
    str_printf(out, "%u,%u,", c->n, c->originals);
    csv_cell(out, names[0]);
    str_printf(out, ",%s,", near_component_name(names, c->n, a));
    csv_cell(out, near_component_text(names, c->n, a));
    str_addc(out, '\n');
}

static enum err_code print_components(struct transfer *tr, struct pairs *p, struct str *out)
{
    struct near_result r;
    struct near_input in = {p->images, p->n, p->edges, p->n_edges, 1};
    enum err_code rc = OK;
    rank_names(p);
    near_duplicates_resolve(&in, p->a, &r);
    uint32_t *order = arena_alloc(p->a, (r.n_components + 1) * sizeof *order);
    for (size_t i = 0; i < r.n_components; i++) {
        order[i] = (uint32_t)i;
    }
    struct sorting s = {&r, p->images};
    if (r.n_components) {
        qsort_r(order, r.n_components, sizeof *order, by_size, &s);
    }
    str_addz(out, "size,n_imagenet,first_id,name,images\n");
    for (size_t i = 0; i < r.n_components && rc == OK; i++) {
        print_component(out, p, &r, &r.components[order[i]], p->a);
        rc = transfer_flush(tr, out, tr->err);
    }
    if (rc == OK) {
        transfer_note(tr, "%zu components.", r.n_components);
    }
    return rc;
}

enum err_code near_components_export(struct transfer *tr)
{
    struct str out;
    struct arena a;
    struct pairs p = {.a = &a};
    arena_init(&a, SIZE_MAX / 2);
    map_sv_init(&p.at);
    str_init(&out, OUT_MOST);
    enum err_code rc = near_pairs_each(tr->db, 0, take_pair, &p, tr->err);
    rc = rc == OK ? print_components(tr, &p, &out) : rc;
    map_sv_release(&p.at);
    free(p.names);
    free(p.images);
    free(p.edges);
    arena_release(&a);
    return transfer_end(tr, &out, rc);
}

/* ---- images of the project ---- */

static enum err_code print_images(struct transfer *tr, const struct pool *p, struct str *out)
{
    const struct near_result *d = &p->duplicates;
    enum err_code rc = OK;
    str_addz(out, "image,wnid,component,size,rule,near_duplicate\n");
    for (uint32_t k = 0; k < p->n_near && rc == OK; k++) {
        uint32_t at = p->by_name[k];
        if (p->id[at] == 0 || d->component[at] == NEAR_NONE) {
            continue;
        }
        const struct near_component *c = &d->components[d->component[at]];
        csv_cell(out, p->name[at]);
        str_addc(out, ',');
        csv_cell(out, p->classes[p->near[at].class_index].wnid);
        str_addc(out, ',');
        csv_cell(out, p->name[d->members[c->first]]);
        str_printf(out, ",%u,%s,%d\n", c->n, near_rules[c->rule], d->out[at]);
        rc = transfer_flush(tr, out, tr->err);
    }
    if (rc == OK) {
        transfer_note(tr, "%zu components; %zu images must not be sampled.", d->n_components, d->n_out);
    }
    return rc;
}

enum err_code near_images_export(struct transfer *tr, int64_t flags_to_quarantine)
{
    struct str out;
    struct pool pool = {0};
    struct pool_ask ask = {.flags_to_quarantine = flags_to_quarantine};
    struct tally *t = tally_new();
    str_init(&out, OUT_MOST);
    enum err_code rc = tally_fold(t, tr->db, tr->err);
    rc = rc == OK ? pool_load(tr->db, t, &ask, &pool, tr->err) : rc;
    rc = rc == OK ? print_images(tr, &pool, &out) : rc;
    pool_release(&pool);
    tally_free(t);
    return transfer_end(tr, &out, rc);
}
