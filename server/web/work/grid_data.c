/* grid_data.c - the grid page's data. */
#include "web/work/grid_data.h"

#include <string.h>

#include "base/clock.h"
#include "json/object.h"
#include "store/work/flags.h"
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
    bool large = g->campaign->classify || work_photo_large(c->config, g->campaign->layout);
    const char *kind = large ? "/large" : "";
    const char *below = strrchr(g->url, '/') + 1; /* addresses beside the page's own are shorter */
    for (unsigned i = 0; i < g->cells; i++) {
        const char *alt = strings_fill(work_texts(c), c->arena, "grid_photo", "n",
                                       number(c, i + 1), "total", total, (char *)NULL);
        object_add(cells, field_int("position", i),
                   field_text("url", arena_printf(c->arena, "%s%s/%u", below, kind, i)),
                   field_text("alt", alt), field_bool("checked", false));
    }
    return cells;
}

static json_t *examples_json(struct ctx *c, const struct work_grid *g)
{
    json_t *examples = json_array();
    for (unsigned i = 0; i < g->examples; i++) {
        const char *alt = strings_fill(work_texts(c), c->arena, "grid_example", "n",
                                       number(c, i + 1), (char *)NULL);
        object_add(examples, field_text("url", arena_printf(c->arena, "%s/example/%u", g->url, i)),
                   field_text("alt", alt));
    }
    return examples;
}

/* The labels of a CLASSIFY task; its script ticks the first nine by their numbers. */
static json_t *options_json(struct ctx *c, const struct work_grid *g)
{
    json_t *list = json_array();
    for (size_t i = 0; i < g->options.n; i++) {
        const struct work_option *o = &g->options.list[i];
        json_t *examples = json_array();
        for (unsigned e = 0; e < o->examples; e++) {
            const char *url = arena_printf(c->arena, "%s/example/%u", g->url, (unsigned)o->position * o->room + e);
            const char *alt = strings_fill(work_texts(c), c->arena, "labels_example", "n", number(c, e + 1), "label",
                                           o->called, (char *)NULL);
            object_add(examples, field_text("url", url), field_text("alt", alt));
        }
        object_add(list, field_int("position", o->position), field_int("number", o->position + 1),
                   field_text("called", o->called), field_sv("gloss", o->label.gloss),
                   field_bool("some", o->examples > 0), field_json("examples", examples));
    }
    return list;
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
    return object(
        field_text("place", g->place ? g->place : ""), field_int("lease", g->lease_until),
        field_int("now", now), field_int("done", g->done), field_int("total", g->total),
        field_int("expected", (int64_t)(plan_minutes(k->expected_minutes, k->grids_per_place, 1) * 60000)),
        field_int("screen", k->min_screen));
}

const char *work_grid_title(struct ctx *c, const struct work_grid *g)
{
    return g->campaign->classify ? strings_fill(work_texts(c), c->arena, "labels_title", (char *)NULL)
                                 : data_synset(c->arena, g->class_info->synset, " or ");
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
    return object(
        field_text("action", g->url), field_text("client_id", g->client_id ? g->client_id : ""),
        field_json("class", class_json), field_sv("rule", k->rule_text),
        field_sv("version", k->instruction_version), field_json("cells", cells_json(c, g)),
        field_json("examples", examples_json(c, g)),
        field_json("progress", work_progress(c, g->done, g->total)),
        field_json("facts", facts_json(g, now)), field_text("lease_text", lease_text(c, g, now)),
        field_text("none_text", none), field_sv("layout", k->layout),
        field_int("photo", photo ? photo : WORK_FREE_PHOTO),
        field_int("pixels", grid_pixels(c->config)), field_bool("first", g->done == 0),
        field_bool("v2", sv_is(k->layout, "v2")), field_bool("free", sv_is(k->layout, "free")),
        field_bool("bulk", k->bulk_select), field_bool("classify", k->classify),
        field_json("options", options_json(c, g)), field_bool("none_offered", k->none_of_these), field_bool("ask_none", g->ask_none),
        field_bool("preview", g->place == NULL), field_int("note_max", FLAG_NOTE_MAX));
}

enum err_code work_examples(struct ctx *c, int64_t class_id, unsigned *out)
{
    return grid_images_examples(c->db, class_id, out, &c->err);
}
