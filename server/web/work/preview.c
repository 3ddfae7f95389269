/* preview.c - a lead looks at a task exactly as workers see it. Reads only: nothing is lent,
 * counted or logged but the request. */
#include "domain/grids/grid.h"
#include "store/images/images.h"
#include "store/work/grids.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/work/grid_data.h"
#include "web/work/shared.h"

/* The campaign's grid with that id, its first one for 0. False: there is none. */
static bool choose_grid(struct ctx *c, int64_t campaign, int64_t asked, struct tally_grid *out)
{
    struct tally *t = app_tally(c->app);
    size_t n;
    bool found = false;
    tally_read_lock(t);
    const struct tally_grid *g = tally_grids(t, &n);
    for (size_t i = 0; i < n && !found; i++) {
        found = g[i].campaign == campaign && (!asked || g[i].id == asked);
        if (found) {
            *out = g[i];
        }
    }
    tally_read_unlock(t);
    return found;
}

/* Addresses that a lead may open, in place of those by an assignment's token. */
static void set_urls(struct arena *a, json_t *list, const int64_t *images, bool large)
{
    size_t i;
    json_t *entry;
    json_array_foreach(list, i, entry) {
        const char *url = arena_printf(a, "/images/%lld/%s", (long long)images[i],
                                       large ? "view" : "grid");
        json_object_set_new(entry, "url", json_string(url));
    }
}

/* The same of the labels' examples. */
static enum err_code option_urls(struct ctx *c, const struct work_options *options, json_t *list)
{
    enum err_code rc = OK;
    for (size_t i = 0; i < options->n && rc == OK; i++) {
        json_t *examples = json_object_get(json_array_get(list, i), "examples");
        int64_t *images;
        size_t n;
        rc = images_of_class(c->db, options->list[i].label.class_id, "reference", c->arena, &images, &n, &c->err);
        if (rc == OK && json_array_size(examples) <= n) {
            set_urls(c->arena, examples, images, false);
        }
    }
    return rc;
}

static enum err_code preview_json(struct ctx *c, const struct campaign *k, int64_t grid,
                                  const struct class_info *class_info, json_t **out)
{
    struct grid_cells cells;
    int64_t *examples, images[GRID_CELLS];
    size_t n;
    uint8_t order[GRID_CELLS];
    struct work_options options;
    if (grids_cells(c->db, grid, &cells, &c->err) != OK ||
        images_of_class(c->db, class_info->id, "reference", c->arena, &examples, &n, &c->err) !=
            OK || work_options(c, grid, (uint64_t)grid, k->shuffle, &options) != OK ||
        work_option_examples(c, &options) != OK) {
        return c->err.code;
    }
    struct work_grid g = {
        .campaign = k,
        .class_info = class_info,
        .url = arena_printf(c->arena, "/campaigns/" SV_FMT "/preview", SV_ARG(k->name)),
        .cells = cells.n,
        .options = options,
        .examples = n < WORK_EXAMPLES ? (unsigned)n : WORK_EXAMPLES,
        .total = work_page_allowed(c, k),
    };
    *out = work_grid_json(c, &g);
    grid_order((uint64_t)grid, k->shuffle, cells.n, order);
    for (unsigned i = 0; i < cells.n; i++) {
        images[i] = cells.image[order[i]];
    }
    set_urls(c->arena, json_object_get(*out, "cells"), images,
             k->classify || work_photo_large(c->config, k->layout));
    set_urls(c->arena, json_object_get(*out, "examples"), examples, false);
    return option_urls(c, &options, json_object_get(*out, "options"));
}

/* GET /campaigns/:campaign/preview?grid=, the first one without. The order of its photos is one that
 * some assignment may have, the same each time. */
enum err_code page_preview_grid(struct ctx *c)
{
    struct campaign k;
    struct class_info class_info;
    struct tally_grid grid = {0};
    int64_t asked = 0;
    json_t *page = NULL;
    sv_i64(request_query(c->req, "grid"), &asked);
    if (campaigns_find(c->db, c->req->params[0], c->arena, &k, &c->err) != OK) {
        return c->err.code;
    }
    if (!choose_grid(c, k.id, asked, &grid)) {
        return err_rule(&c->err, ERR_NOT_FOUND, "no-grid", "This campaign has no such grid.");
    }
    struct work_grid titled = {.campaign = &k, .class_info = &class_info};
    if ((!k.imported && work_language(c, k.id, k.classify) != OK) ||
        classes_get(c->db, grid.class, c->arena, &class_info, &c->err) != OK ||
        preview_json(c, &k, grid.id, &class_info, &page) != OK) {
        return c->err.code;
    }
    response_header(c->res, "Cache-Control", "no-store"); /* it says what time it is */
    return reply_page(c, 200, "work/grid", work_grid_title(c, &titled), page);
}
