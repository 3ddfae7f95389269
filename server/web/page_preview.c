/* page_preview.c - a lead looks at a task exactly as workers see it. Reads only: nothing is lent,
 * counted or logged but the request. */
#include "base/rng.h"
#include "domain/grid.h"
#include "store/grids.h"
#include "store/images.h"
#include "web/page_data.h"
#include "web/pages.h"
#include "web/reply.h"
#include "web/work_grid.h"
#include "web/work_parts.h"

/* One of the campaign's grids by chance, or the one asked for. False: there is none. */
static bool choose_grid(struct ctx *c, int64_t campaign, int64_t asked, struct rng *rng,
                        struct tally_grid *out)
{
    struct tally *t = app_tally(c->app);
    size_t n;
    uint64_t seen = 0;
    tally_read_lock(t);
    const struct tally_grid *g = tally_grids(t, &n);
    for (size_t i = 0; i < n; i++) {
        if (g[i].campaign != campaign || (asked && g[i].id != asked)) {
            continue;
        }
        /* The k-th one replaces the choice with chance 1/k: each is as likely. */
        if (rng_below(rng, ++seen) == 0) {
            *out = g[i];
        }
    }
    tally_read_unlock(t);
    return seen > 0;
}

/* Addresses that a lead may open, in place of those by an assignment's token. */
static void set_urls(struct arena *a, json_t *list, const int64_t *images)
{
    size_t i;
    json_t *entry;
    json_array_foreach(list, i, entry) {
        json_object_set_new(entry, "url", json_string(arena_printf(a, "/images/%lld/grid",
                                                                   (long long)images[i])));
    }
}

/* The page with the photos in an order as some assignment may have. */
static enum err_code preview_json(struct ctx *c, const struct campaign *k, int64_t grid,
                                  const struct class_info *class_info, uint64_t seed, json_t **out)
{
    struct grid_cells cells;
    int64_t *examples, images[GRID_CELLS];
    size_t n;
    uint8_t order[GRID_CELLS];
    if (grids_cells(c->db, grid, &cells, &c->err) != OK ||
        images_of_class(c->db, class_info->id, "reference", c->arena, &examples, &n, &c->err) !=
            OK) {
        return c->err.code;
    }
    struct work_grid g = {
        .campaign = k,
        .class_info = class_info,
        .url = arena_printf(c->arena, "/campaigns/" SV_FMT "/preview", SV_ARG(k->name)),
        .cells = cells.n,
        .examples = n < WORK_EXAMPLES ? (unsigned)n : WORK_EXAMPLES,
        .total = work_page_allowed(c, k),
    };
    *out = work_grid_json(c, &g);
    grid_order(seed, k->shuffle, cells.n, order);
    for (unsigned i = 0; i < cells.n; i++) {
        images[i] = cells.image[order[i]];
    }
    set_urls(c->arena, json_object_get(*out, "cells"), images);
    set_urls(c->arena, json_object_get(*out, "examples"), examples);
    return OK;
}

/* GET /campaigns/:campaign/preview?grid= */
enum err_code page_preview_grid(struct ctx *c)
{
    struct campaign k;
    struct class_info class_info;
    struct tally_grid grid = {0};
    struct rng rng;
    int64_t asked = 0;
    json_t *page = NULL;
    sv_i64(request_query(c->req, "grid"), &asked);
    rng_seed(&rng, rng_fresh_seed());
    if (campaigns_find(c->db, c->req->params[0], c->arena, &k, &c->err) != OK) {
        return c->err.code;
    }
    if (!choose_grid(c, k.id, asked, &rng, &grid)) {
        return err_rule(&c->err, ERR_NOT_FOUND, "no-grid", "This campaign has no such grid.");
    }
    if ((!k.imported && work_language(c, k.id) != OK) ||
        classes_get(c->db, grid.class, c->arena, &class_info, &c->err) != OK ||
        preview_json(c, &k, grid.id, &class_info, rng_u64(&rng), &page) != OK) {
        return c->err.code;
    }
    response_header(c->res, "Cache-Control", "no-store"); /* another grid every time */
    return reply_page(c, 200, "work/grid", data_synset(c->arena, class_info.synset, " or "), page);
}
