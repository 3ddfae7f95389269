/* grid_data.c - the grid page's data. */
#include "web/work/grid_data.h"

#include <string.h>

#include "base/clock.h"
#include "web/core/grid_images.h"
#include "web/core/page_data.h"
#include "web/work/shared.h"

static const char *number(struct ctx *c, int64_t n)
{
    return arena_printf(c->arena, "%lld", (long long)n);
}

/* What most displays have for each CSS pixel. Where one has more, the page's script asks for larger
 * photos. */
enum { PIXELS_A_POINT = 2 };

/* As static/css/grid.css and grid_v2.css have them. */
int work_photo_size(struct sv layout)
{
    return sv_is(layout, "v2") ? 300 : sv_is(layout, "overview") ? 150 : 0;
}

/* The pixels of the rendition in grids; 0 where the common one has no more of them. */
static int64_t grid_pixels(const struct config *k)
{
    return k->tiny || k->view_side <= k->grid_side ? 0 : k->grid_side;
}

bool work_photo_large(const struct config *config, struct sv layout)
{
    int photo = work_photo_size(layout);
    int64_t pixels = grid_pixels(config);
    return pixels > 0 && PIXELS_A_POINT * (photo ? photo : WORK_FREE_PHOTO) > pixels;
}

static json_t *cells_json(struct ctx *c, const struct work_grid *g)
{
    json_t *cells = json_array();
    const char *total = number(c, g->cells);
    const char *kind = work_photo_large(c->config, g->campaign->layout) ? "/large" : "";
    const char *below = strrchr(g->url, '/') + 1; /* addresses beside the page's own are shorter */
    for (unsigned i = 0; i < g->cells; i++) {
        const char *alt = strings_fill(work_texts(c), c->arena, "grid_photo", "n",
                                       number(c, i + 1), "total", total, (char *)NULL);
        json_array_append_new(cells, json_pack("{s:i, s:s, s:s, s:b}", "position", (int)i, "url",
                                               arena_printf(c->arena, "%s%s/%u", below, kind, i),
                                               "alt", alt, "checked", 0));
    }
    return cells;
}

static json_t *examples_json(struct ctx *c, const struct work_grid *g)
{
    json_t *examples = json_array();
    for (unsigned i = 0; i < g->examples; i++) {
        const char *alt = strings_fill(work_texts(c), c->arena, "grid_example", "n",
                                       number(c, i + 1), (char *)NULL);
        json_array_append_new(examples,
                              json_pack("{s:s, s:s}", "url",
                                        arena_printf(c->arena, "%s/example/%u", g->url, i), "alt",
                                        alt));
    }
    return examples;
}

/* "This grid is reserved for you for 14 more minutes."; the page's script counts it down. */
static const char *lease_text(struct ctx *c, const struct work_grid *g, int64_t now)
{
    int64_t left = g->lease_until - now;
    int64_t minutes = left < 60000 ? left / 60000 : (left + 30000) / 60000; /* ten just after they began */
    if (!g->place) {
        return "";
    }
    return minutes > 0
               ? strings_count(work_texts(c), c->arena, "grid_lease", minutes)
               : strings_fill(work_texts(c), c->arena, "grid_lease_over", (char *)NULL);
}

/* What the page's script needs to know, as attributes. */
static json_t *facts_json(const struct work_grid *g, int64_t now)
{
    const struct campaign *k = g->campaign;
    return json_pack("{s:s, s:I, s:I, s:I, s:I, s:I, s:I}", "place",
                     g->place ? g->place : "", "lease", (json_int_t)g->lease_until, "now",
                     (json_int_t)now, "done", (json_int_t)g->done, "total", (json_int_t)g->total,
                     "expected",
                     (json_int_t)(plan_minutes(k->expected_minutes, k->grids_per_place, 1) * 60000), "screen",
                     (json_int_t)k->min_screen);
}

json_t *work_grid_json(struct ctx *c, const struct work_grid *g)
{
    const struct campaign *k = g->campaign;
    int64_t now = clock_wall_ms();
    json_t *class_json = data_class(c->arena, g->class_info);
    const char *synset = json_string_value(json_object_get(class_json, "synset"));
    const char *none = strings_fill(work_texts(c), c->arena, "grid_none", "n",
                                    number(c, g->cells), "class", synset, (char *)NULL);
    int photo = work_photo_size(k->layout);
    return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:s, s:o, s:i, s:I, s:b, "
                     "s:b, s:b, s:b, s:b, s:b}",
                     "action", g->url, "client_id", g->client_id ? g->client_id : "", "class",
                     class_json, "rule", data_text(k->rule_text), "version",
                     data_text(k->instruction_version), "cells", cells_json(c, g), "examples",
                     examples_json(c, g), "progress", work_progress(c, g->done, g->total), "facts",
                     facts_json(g, now), "lease_text", lease_text(c, g, now), "none_text", none,
                     "layout", data_text(k->layout), "photo", photo ? photo : WORK_FREE_PHOTO,
                     "pixels", (json_int_t)grid_pixels(c->config), "first", g->done == 0, "v2", sv_is(k->layout, "v2"),
                     "free", sv_is(k->layout, "free"), "bulk", k->bulk_select,
                     "ask_none", g->ask_none, "preview", g->place == NULL);
}

enum err_code work_examples(struct ctx *c, int64_t class_id, unsigned *out)
{
    return grid_images_examples(c->db, class_id, out, &c->err);
}
