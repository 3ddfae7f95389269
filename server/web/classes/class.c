/* class.c - one class: its numbers, the histogram of its frequencies, what a sample would take
 * of it, and its images, about which people decide here. Costs the same with a million images. */
#include "domain/grids/grid.h"
#include "json/object.h"
#include "store/review/class_decisions.h"
#include "web/core/catalogues.h"
#include "web/core/charts.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/core/view_choice.h"
#include "web/gallery/class_browser.h"
#include "web/gallery/image_list.h"
#include "web/parts/class_numbers.h"
#include "web/scoring/image_models.h"

/* ---- tiles ---- */

static void frequency_tile(struct ctx *c, json_t *tiles, const char *label,
                           const struct class_numbers *n, enum cell_role role)
{
    uint64_t shown = n->s.shown[role], selected = n->s.selected[role];
    const char *value = "\xe2\x80\x93", *note = "no votes yet";
    if (shown) {
        value = arena_printf(c->arena, "%.2f", (double)selected / (double)shown);
        note =
            arena_printf(c->arena, "n %s votes on %s images", data_count(c->arena, (int64_t)shown),
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
    data_tile(
        tiles, "Coverage", arena_printf(c->arena, "%u", n->s.covered),
        arena_printf(c->arena, "%soriginals with at least %d answers",
                     target ? arena_printf(c->arena, "of %lld wanted: ", (long long)target) : "",
                     STATS_LEAST_ANSWERS));
    if (n->s.covered < target) {
        json_object_set_new(json_array_get(tiles, json_array_size(tiles) - 1), "tone",
                            object(field_bool("danger", true)));
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
        frequency_tile(c, tiles, "Gold answered right", n, CELL_GOLD);
    }
    return tiles;
}

/* ---- the page ---- */

struct parts {
    struct class_info k;
    struct class_numbers numbers;
    struct browser_query b;
    int64_t target, version;
    const char *path, *here;
    json_t *choice, *chart, *models, *list, *originals, *decisions, *tiles, *excluded, *bins;
};

/* Everything that is about single images: the list, originals beside it, who decided what. */
static enum err_code make_images(struct ctx *c, const struct image_query *q, struct parts *p)
{
    struct image_list l = {0};
    bool beside =
        q->cards &&
        q->ask.role == IMAGE_CANDIDATE; /* originals in the list have their fields there */
    if (image_list_make(c, q, p->k.id, IMAGE_LIST_PAGE, &l) == OK) {
        p->here =
            q->as_of ? image_list_url(c, p->path, q, &l, l.page) : image_query_url(c, p->path, q);
        p->tiles = tiles_json(c, &p->numbers, p->target);
        p->excluded = class_browser_excluded(c, p->tiles, &l);
        p->bins = class_browser_bins(c, &l.bins);
        p->list = image_list_json(c, p->path, q, p->k.id, &l);
        p->originals =
            p->list ? class_browser_originals(c, &p->k, q, &p->b, &l.facts, beside) : NULL;
        p->decisions =
            p->originals ? class_browser_decisions(c, p->k.id, p->b.seen, p->version) : NULL;
    }
    image_list_put(&l);
    return p->decisions ? OK : c->err.code;
}

static enum err_code make_parts(struct ctx *c, const struct image_query *q, struct parts *p)
{
    struct chart_ask ask = {.wnid = p->k.wnid};
    ask.view = view_choice_is_default(q->view) ? SV("") : q->view;
    if (class_version(c->db, p->k.id, &p->version, &c->err) != OK || /* before what it is about */
        class_numbers_one(c, q->view, p->k.id, &p->numbers) != OK ||
        class_coverage_target(c, &p->target) != OK ||
        (p->choice = view_choice_json(c, q->view, p->path, image_query_keep(c))) == NULL ||
        (p->chart = charts_data(c, "class-histogram", &ask)) == NULL ||
        (p->models = class_models_json(c, &p->k)) == NULL) {
        return c->err.code;
    }
    return make_images(c, q, p);
}

static void drop_parts(struct parts *p)
{
    json_t *all[] = {p->choice,    p->chart, p->models,   p->list, p->originals,
                     p->decisions, p->tiles, p->excluded, p->bins};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        json_decref(all[i]);
    }
}

/* The address that the page's live parts are fetched from: as asked, with the version that the page
 * was opened with, so that it says what others changed since then. */
static const char *live_url(struct ctx *c, const struct parts *p)
{
    return arena_printf(c->arena, "%s&originals=%lld&others=%lld&seen=%lld", p->here,
                        (long long)p->b.originals, (long long)p->b.others,
                        (long long)(p->b.seen < 0 ? p->version : p->b.seen));
}

/* GET /classes/:wnid?view=, what image_list.h knows, originals=, others= */
enum err_code page_class(struct ctx *c)
{
    struct image_query q;
    struct parts p = {.path = NULL};
    if (classes_find(c->db, c->req->params[0], c->arena, &p.k, &c->err) != OK ||
        image_query_read(c, &image_usual_browser, &q) != OK || browser_query_read(c, &p.b) != OK) {
        return c->err.code;
    }
    catalogues_warm(c);
    p.path = arena_printf(c->arena, "/classes/" SV_FMT, SV_ARG(p.k.wnid));
    enum err_code rc = make_parts(c, &q, &p);
    if (rc != OK) {
        drop_parts(&p);
        return rc;
    }
    json_t *live = data_live("votes,models,review", live_url(c, &p));
    json_object_set_new(live, "form", json_true());
    json_t *page =
        object(field_json("live", live), field_text("back", p.here),
               field_bool("any_models", json_array_size(p.models) > 0),
               field_json("models", p.models), field_json("class", data_class(c->arena, &p.k)),
               field_json("tiles", p.tiles), field_json("bins", p.bins),
               field_json("excluded", p.excluded), field_json("chart", p.chart),
               field_json("view_choice", p.choice), field_json("list", p.list),
               field_json("originals", p.originals), field_json("decisions", p.decisions),
               field_bool("any_excluded", json_array_size(p.excluded) > 0),
               field_int("sample", HISTOGRAM_SAMPLE), field_text("pages_label", "Pages of images"));
    return reply_page(c, 200, "classes/show", data_synset(c->arena, p.k.synset, ", "), page);
}
