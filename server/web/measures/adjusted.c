/* adjusted.c - the page of the gap when new images count by their true frequency, and the same for scripts. Rows in
 * routes.c; templates/measures/adjusted.mustache. */
#include "json/object.h"
#include "measures/scores/gap_parts.h"
#include "web/core/lists.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/measures/adjusted_data.h"
#include "web/measures/parts.h"
#include "web/parts/set_data.h"

#define PATH "/measures/adjusted"

static const char *points(struct ctx *c, double share)
{
    return data_minus(c->arena, arena_printf(c->arena, "%.1f", 100 * share + 0.0));
}

static const char *interval(struct ctx *c, const struct adjusted_estimate *e)
{
    return e->interval ? arena_printf(c->arena, "%s to %s", points(c, e->lo), points(c, e->hi)) : "no interval";
}

static void gap_tile(struct ctx *c, json_t *tiles, const char *label, const struct adjusted_estimate *e, const char *more)
{
    data_tile(tiles, label, points(c, e->value), arena_printf(c->arena, "%s%s", interval(c, e), more));
    data_tile_unit(tiles, json_string("points"));
}

/* Measured again leads; what the first votes say stands beside it. */
static json_t *tiles_json(struct ctx *c, const struct set_adjusted *s)
{
    json_t *tiles = json_array();
    const struct adjusted_gap *g = set_adjusted_leading(s);
    gap_tile(c, tiles, "Adjusted gap", &g->mean.gap, arena_printf(c->arena, ", 95 %%, %s", set_adjusted_how(s)));
    if (g == &s->again && s->first.silence == ADJUSTED_SPEAKS) {
        gap_tile(c, tiles, "Adjusted, by the first votes", &s->first.mean.gap, ", 95 %");
    }
    gap_tile(c, tiles, "Raw gap", &g->mean.raw, ", 95 %, same images");
    data_tile(tiles, "Effective images", data_count(c->arena, (int64_t)(g->effective + 0.5)),
              arena_printf(c->arena, "of %s; overlap of true frequencies %.2f", data_count(c->arena, (int64_t)g->images), g->overlap));
    return tiles;
}

static void add_line(struct ctx *c, json_t *rows, struct sv name, bool mean, const struct adjusted_line *l)
{
    object_add(rows, field_sv("name", mean ? SV("Mean of models") : name),
               field_text("url", mean ? NULL : arena_printf(c->arena, "/models/" SV_FMT, SV_ARG(name))),
               field_text("original", points(c, l->original)), field_text("fresh", points(c, l->fresh)),
               field_text("adjusted", points(c, l->adjusted)), field_text("raw", points(c, l->raw.value)),
               field_text("raw_interval", interval(c, &l->raw)), field_text("gap", points(c, l->gap.value)),
               field_text("interval", interval(c, &l->gap)));
}

static json_t *rows_json(struct ctx *c, const struct set_adjusted *s)
{
    json_t *rows = json_array();
    const struct adjusted_gap *g = set_adjusted_leading(s);
    add_line(c, rows, SV(""), true, &g->mean);
    for (size_t i = 0; i < s->n_models; i++) {
        add_line(c, rows, s->models[i].name, false, &g->lines[i]);
    }
    return rows;
}

static json_t *parts_json(struct ctx *c, const struct set_adjusted *s)
{
    json_t *rows = json_array();
    struct gap_part parts[GAP_PARTS];
    gap_parts_of(set_adjusted_leading(s)->images, s->n_models, parts);
    for (int i = 0; i < GAP_PARTS; i++) {
        const struct gap_part *p = &parts[i];
        object_add(rows, field_text("name", p->name), field_text("is", p->is), field_text("method", p->method),
                   field_text("bound", p->identified ? arena_printf(c->arena, "at most %.2f points; %.2f for all %zu models at once",
                                                                    100 * p->bound, 100 * p->all, s->n_models)
                                                     : "not identified"));
    }
    return rows;
}

/* What the figure was made of. */
static const char *of_text(struct ctx *c, const struct set_adjusted *s)
{
    const struct adjusted_gap *g = set_adjusted_leading(s);
    struct arena *a = c->arena;
    return arena_printf(a,
                        "%s new images%s and %s originals (%s with votes) of %s classes; %s people. View " SV_FMT
                        " up to event %s. Variance: that of votes by leaving out each of %u groups of people, plus that of images by "
                        "%u draws; seed %llu.",
                        data_count(a, (int64_t)g->images),
                        g->unanswered ? arena_printf(a, " (%s without votes do not count)", data_count(a, (int64_t)g->unanswered)) : "",
                        data_count(a, (int64_t)g->originals), data_count(a, (int64_t)g->measured),
                        data_count(a, (int64_t)g->classes), data_count(a, g->workers), SV_ARG(s->view), data_count(a, s->as_of),
                        g->groups, g->resamples, (unsigned long long)s->seed);
}

/* GET /measures/adjusted?original=&new=&top=&subset=&labels=&new_labels=&models= */
enum err_code page_measures_adjusted(struct ctx *c)
{
    struct measures_query q;
    struct measures_adjusted of;
    if (measures_query_read(c, &q) != OK || measures_adjusted_make(c, &q, &of) != OK) {
        return c->err.code;
    }
    const struct chart_ask ask = measures_chart_ask(&q);
    json_t *chart = charts_data(c, "measures-adjusted", &ask);
    if (!chart) {
        return c->err.code;
    }
    const struct set_adjusted *s = &of.s;
    const struct adjusted_gap *g = of.pair ? set_adjusted_leading(s) : NULL;
    bool any = g && g->silence == ADJUSTED_SPEAKS;
    json_t *page = object(
        field_json("sections", measures_tabs(c, &q, PATH)), field_json("form", measures_form(c, &of.m, PATH, measures_tops_tabs(c, &q, PATH), NULL)),
        field_bool("any", any), field_bool("pair", of.pair), field_sv("old_set", measures_title(c, &of.m, SIDE_ORIGINAL)),
        field_sv("new_set", measures_title(c, &of.m, SIDE_NEW)), field_text("left_out", measures_left_out(c, &of.m)),
        field_text("part", subset_title(&of.m.t.subset, &of.m.t.fresh_subset, c->arena)), field_text("why", of.pair ? set_adjusted_why(s) : NULL),
        field_text("warning", any ? adjusted_gap_warning(g) : NULL), field_text("assumes", adjusted_gap_assumes),
        field_text("sealed", any && s->sealed ? data_count(c->arena, (int64_t)s->sealed) : NULL),
        field_json("tiles", any ? tiles_json(c, s) : json_array()), field_text("of", any ? of_text(c, s) : NULL),
        field_json("chart", chart), field_json("rows", any ? rows_json(c, s) : json_array()),
        field_json("parts", any ? parts_json(c, s) : json_array()), field_bool("again", any && g == &s->again),
        field_text("bias_url", of.pair ? arena_printf(c->arena, "%s/bias", set_url(c->arena, of.m.t.sets[SIDE_NEW].r)) : NULL),
        field_text("json_url", measures_query_url(c, "/api/v1" PATH, &q)));
    return reply_page(c, 200, "measures/adjusted", "Adjusted gap", page);
}

/* GET /api/v1/measures/adjusted?original=&new=&top=&subset=&labels=&new_labels=&models= */
enum err_code api_measures_adjusted(struct ctx *c)
{
    struct measures_query q;
    struct measures_adjusted of;
    if (measures_query_read(c, &q) != OK || measures_adjusted_make(c, &q, &of) != OK) {
        return c->err.code;
    }
    if (!of.pair) {
        return err_rule(&c->err, ERR_NOT_FOUND, "set", "There is no pair of sets to compare.");
    }
    return reply_json(c, 200, set_adjusted_json(&of.s, c->arena));
}
