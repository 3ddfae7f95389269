/* plan_again.c - a frozen set and as many originals, to be measured again by other people. */
#include "cli/study/plan_again.h"

#include <stdlib.h>
#include <string.h>

#include "store/sets/revision_facts.h"
#include "store/votes/views.h"

static int by_class(const void *a, const void *b)
{
    const struct revision_image *x = a, *y = b;
    return x->class_id != y->class_id ? (x->class_id > y->class_id) - (x->class_id < y->class_id)
                                      : (x->image > y->image) - (x->image < y->image);
}

static enum err_code check_revision(struct cli *cli, const struct revision_row *r)
{
    if (sv_is(r->role, "original")) {
        return err_rule(&cli->err, ERR_INPUT, "remeasurement-original",
                        SV_FMT " is a set of originals, which are measured together with a new set. Nothing "
                               "was planned; name a new set with --set.",
                        SV_ARG(r->set));
    }
    if (r->state != REVISION_FROZEN && r->state != REVISION_RELEASED) {
        return err_rule(&cli->err, ERR_CONFLICT, "set-not-frozen",
                        SV_FMT "/%lld is %s, so its final review may still remove images, which would be "
                        "measured for nothing. Nothing was planned; freeze it first (holdout set freeze).",
                        SV_ARG(r->set), (long long)r->number, revision_state_word(r->state));
    }
    return OK;
}

/* The version of the view that the set was sampled from; the newest of the default one for an
 * import. */
static enum err_code find_view(struct cli *cli, int64_t version, struct vote_view *out)
{
    return version ? views_version(cli->db, version, SV(""), &cli->arena, out, &cli->err)
                   : views_find(cli->db, SV("default"), &cli->arena, out, &cli->err);
}

static enum err_code read_apart(struct cli *cli, struct plan_again *p)
{
    struct revision_facts facts;
    struct vote_view view;
    enum err_code rc = revision_facts_get(cli->db, p->revision.id, &cli->arena, &facts, &cli->err);
    rc = rc == OK ? find_view(cli, facts.vote_view, &view) : rc;
    return rc == OK
               ? views_campaigns(cli->db, &view, &cli->arena, &p->apart, &p->n_apart, &cli->err)
               : rc;
}

enum err_code plan_again_open(struct cli *cli, struct plan_again *out)
{
    *out = (struct plan_again){0};
    enum err_code rc =
        revisions_find(cli->db, sv_of(cli_opt(cli, "set")), &cli->arena, &out->revision, &cli->err);
    rc = rc == OK ? check_revision(cli, &out->revision) : rc;
    rc = rc == OK ? revisions_images(cli->db, out->revision.id, &cli->arena, &out->images, &out->n,
                                     &cli->err)
                  : rc;
    if (rc == OK && out->n) {
        qsort(out->images, out->n, sizeof *out->images, by_class);
    }
    return rc == OK ? read_apart(cli, out) : rc;
}

static bool has(const struct plan_again *p, int64_t class_id, int64_t image)
{
    const struct revision_image key = {(uint32_t)image, (uint32_t)class_id};
    return p->n && bsearch(&key, p->images, p->n, sizeof key, by_class);
}

/* k of the pool, in drawn order. */
static struct plan_pool draw(const struct plan_pool *from, size_t k, struct rng *r, struct arena *a)
{
    struct plan_image *list = arena_alloc(a, (from->n + 1) * sizeof *list);
    if (from->n) {
        memcpy(list, from->images, from->n * sizeof *list);
    }
    k = k < from->n ? k : from->n;
    for (size_t i = 0; i < k; i++) {
        size_t j = i + (size_t)rng_below(r, from->n - i);
        struct plan_image t = list[i];
        list[i] = list[j];
        list[j] = t;
    }
    return (struct plan_pool){list, k};
}

/* Every image is open, whatever it had before: this measures again. There are no controls of the
 * class beside them: the drawn originals are in their place. */
bool plan_again_pools(struct plan_again *p, int64_t class_id, struct rng *r, struct arena *a,
                      struct plan_class *pools, struct plan_pool *drawn)
{
    struct plan_pool all = pools->candidates;
    struct plan_image *list = arena_alloc(a, (2 * all.n + 1) * sizeof *list);
    size_t n = 0;
    for (size_t i = 0; i < all.n; i++) {
        if (has(p, class_id, all.images[i].id)) {
            list[n++] = all.images[i];
        }
    }
    *drawn = draw(&pools->originals, n, r, a);
    p->shown += n;
    p->originals += drawn->n;
    p->few_originals += drawn->n < n;
    for (size_t i = 0; i < drawn->n; i++) {
        list[n + i] = drawn->images[i];
    }
    for (size_t i = 0; i < n + drawn->n; i++) {
        list[i].answers = 0;
    }
    pools->candidates = (struct plan_pool){list, n + drawn->n};
    pools->originals = (struct plan_pool){NULL, 0};
    return n > 0;
}

static bool is_drawn(const struct plan_pool *drawn, int64_t image)
{
    size_t i = 0;
    while (i < drawn->n && drawn->images[i].id != image) {
        i++;
    }
    return i < drawn->n;
}

void plan_again_roles(const struct plan_pool *drawn, struct plan_grid *grids, size_t n)
{
    for (size_t g = 0; g < n; g++) {
        for (unsigned i = 0; i < grids[g].n; i++) {
            if (grids[g].role[i] == CELL_CANDIDATE && is_drawn(drawn, grids[g].image[i])) {
                grids[g].role[i] = CELL_POSITIVE;
            }
        }
    }
}
