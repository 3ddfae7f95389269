/* page_class.c - one class: its numbers, the histogram of its frequencies, its images. Costs the same
 * with a million images. */
#include "domain/grid.h"
#include "web/catalogues.h"
#include "web/charts.h"
#include "web/class_numbers.h"
#include "web/image_list.h"
#include "web/image_models.h"
#include "web/page_data.h"
#include "web/pages.h"
#include "web/reply.h"
#include "web/view_choice.h"

/* ---- tiles ---- */

static void frequency_tile(struct ctx *c, json_t *tiles, const char *label,
                           const struct class_numbers *n, enum cell_role role)
{
    uint64_t shown = n->s.shown[role], selected = n->s.selected[role];
    const char *value = "\xe2\x80\x93", *note = "no votes yet";
    if (shown) {
        value = arena_printf(c->arena, "%.2f", (double)selected / (double)shown);
        note = arena_printf(c->arena, "n %s votes on %s images",
                            data_count(c->arena, (int64_t)shown),
                            data_count(c->arena, n->s.images[role]));
        note = n->has_ci ? arena_printf(c->arena, "%.2f\xe2\x80\x93%.2f, %s", n->s.ci[role].lo,
                                        n->s.ci[role].hi, note)
                         : note;
    }
    data_tile(tiles, label, value, note);
}

static void coverage_tile(struct ctx *c, json_t *tiles, const struct class_numbers *n,
                          int64_t target)
{
    data_tile(tiles, "Coverage", arena_printf(c->arena, "%u", n->s.covered),
              arena_printf(c->arena, "%soriginals with at least %d answers",
                           target ? arena_printf(c->arena, "of %lld wanted: ", (long long)target)
                                  : "",
                           STATS_LEAST_ANSWERS));
    if (n->s.covered < target) {
        json_object_set_new(json_array_get(tiles, json_array_size(tiles) - 1), "tone",
                            json_pack("{s:b}", "danger", true));
    }
}

static json_t *tiles_json(struct ctx *c, const struct class_numbers *n, int64_t target)
{
    json_t *tiles = json_array();
    frequency_tile(c, tiles, "Originals selected", n, CELL_POSITIVE);
    frequency_tile(c, tiles, "Candidates selected", n, CELL_CANDIDATE);
    coverage_tile(c, tiles, n, target);
    frequency_tile(c, tiles, "Negative controls selected", n, CELL_NEGATIVE);
    if (n->s.images[CELL_GOLD]) {
        frequency_tile(c, tiles, "Gold selected", n, CELL_GOLD);
    }
    return tiles;
}

/* ---- what a sample needs ---- */

/* Bin by bin: originals, what a sample of ten takes of them, the candidates that there are. */
static json_t *bins_json(struct ctx *c, const struct stats_class *s)
{
    static const char *const names[HISTOGRAM_BINS] = {
        "0 to under 0.2", "0.2 to under 0.4", "0.4 to under 0.6", "0.6 to under 0.8", "0.8 to 1"};
    uint32_t target[HISTOGRAM_BINS];
    histogram_targets(s->originals, HISTOGRAM_SAMPLE, target);
    json_t *bins = json_array();
    for (int i = 0; i < HISTOGRAM_BINS; i++) {
        json_array_append_new(
            bins, json_pack("{s:s, s:s, s:s, s:s, s:b}", "name", names[i], "originals",
                            arena_printf(c->arena, "%u", s->originals[i]), "target",
                            arena_printf(c->arena, "%u", target[i]), "candidates",
                            arena_printf(c->arena, "%u", s->candidates[i]), "few",
                            s->candidates[i] < target[i]));
    }
    return bins;
}

/* ---- the page ---- */

struct parts {
    struct class_info k;
    struct class_numbers numbers;
    int64_t target;
    const char *path, *here;
    json_t *choice, *chart, *models, *list;
};

static enum err_code make_parts(struct ctx *c, const struct image_query *q, struct parts *p)
{
    struct image_list l = {0};
    struct chart_ask ask = {.wnid = p->k.wnid};
    ask.view = view_choice_is_default(q->view) ? SV("") : q->view;
    if (class_numbers_one(c, q->view, p->k.id, &p->numbers) != OK ||
        class_coverage_target(c, &p->target) != OK ||
        (p->choice = view_choice_json(c, q->view, p->path, image_query_keep(c))) == NULL ||
        (p->chart = charts_data(c, "class-histogram", &ask)) == NULL ||
        (p->models = class_models_json(c, &p->k)) == NULL) {
        return c->err.code;
    }
    if (image_list_make(c, q, p->k.id, IMAGE_LIST_PAGE, &l) == OK) {
        p->here = q->as_of ? image_list_url(c, p->path, q, &l, l.page)
                           : image_query_url(c, p->path, q);
        p->list = image_list_json(c, p->path, q, p->k.id, &l);
    }
    image_list_put(&l);
    return p->list ? OK : c->err.code;
}

/* GET /classes/:wnid?view= and what image_list.h knows */
enum err_code page_class(struct ctx *c)
{
    struct image_query q;
    struct parts p = {.path = NULL};
    if (classes_find(c->db, c->req->params[0], c->arena, &p.k, &c->err) != OK ||
        image_query_read(c, LISTING_FREQUENCY, &q) != OK) {
        return c->err.code;
    }
    catalogues_warm(c);
    p.path = arena_printf(c->arena, "/classes/" SV_FMT, SV_ARG(p.k.wnid));
    enum err_code rc = make_parts(c, &q, &p);
    if (rc != OK) {
        json_decref(p.choice);
        json_decref(p.chart);
        json_decref(p.models);
        return rc;
    }
    json_t *page = json_pack(
        "{s:o, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:i, s:s}", "live",
        data_live("votes,models", p.here), "any_models", json_array_size(p.models) > 0, "models", p.models,
        "class",
        data_class(c->arena, &p.k), "tiles", tiles_json(c, &p.numbers, p.target), "bins",
        bins_json(c, &p.numbers.s), "chart", p.chart, "view_choice", p.choice, "list", p.list,
        "sample", (int)HISTOGRAM_SAMPLE, "pages_label", "Pages of images");
    return reply_page(c, 200, "classes/show", data_synset(c->arena, p.k.synset, ", "), page);
}
