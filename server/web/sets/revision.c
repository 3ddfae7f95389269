/* revision.c - one revision of a set: what it is and how it came about, what waits before it
 * can be frozen, its images, and how models do on it. Rows in routes.c; templates/sets/revision. */
#include <stdlib.h>
#include <string.h>

#include "json/object.h"
#include "live/votes/stats.h"
#include "store/sets/images.h"
#include "store/votes/views.h"
#include "web/core/lists.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/parts/bias_data.h"
#include "web/parts/set_averages.h"
#include "web/parts/set_data.h"
#include "web/parts/tombstones.h"
#include "web/parts/view_data.h"
#include "web/scoring/model_rows.h"
#include "web/sets/plans_data.h"
#include "web/sets/revision_data.h"

enum { IMAGES_A_PAGE = 100, MODELS_SHOWN = 10, CAMPAIGNS_SHOWN = 10 };

/* ---- its images ---- */

struct images {
    struct set_image *rows;
    size_t n;
    int64_t from;
    struct class_info k; /* id 0: all classes */
    bool more;
};

static enum err_code read_images(struct ctx *c, const struct revision_row *r, struct images *out)
{
    struct sv wnid = sv_trim(request_query(c->req, "class"));
    *out = (struct images){.from = 0};
    if (list_from(c, &out->from) != OK) {
        return c->err.code;
    }
    if (wnid.n && classes_find(c->db, wnid, c->arena, &out->k, &c->err) != OK) {
        return c->err.code;
    }
    enum err_code rc = set_images_list(c->db, r->list, out->k.id, out->from, IMAGES_A_PAGE + 1,
                                       c->arena, &out->rows, &out->n, &c->err);
    out->more = out->n > IMAGES_A_PAGE;
    out->n -= out->more;
    return rc;
}

static json_t *image_json(struct ctx *c, const struct set_image *i)
{
    const char *url = arena_printf(c->arena, "/images/%lld", (long long)i->image);
    const char *thumb = arena_printf(c->arena, "%s/grid", url);
    return object(
        field_sv("name", i->name), field_text("url", url),
        field_text("thumb_url", i->has_pixels ? thumb : NULL), field_sv("role", i->role),
        field_sv("wnid", i->wnid), field_text("synset", data_synset(c->arena, i->synset, ", ")),
        field_text("class_url", arena_printf(c->arena, "/classes/" SV_FMT, SV_ARG(i->wnid))),
        field_bool("hidden", app_image_hidden(c->app, i->image)));
}

static const char *images_url(struct ctx *c, const struct revision_row *r, const struct images *i,
                              int64_t from)
{
    const char *url = set_url(c->arena, r);
    return i->k.id ? arena_printf(c->arena, "%s?class=" SV_FMT "&from=%lld#images", url,
                                  SV_ARG(i->k.wnid), (long long)from)
                   : arena_printf(c->arena, "%s?from=%lld#images", url, (long long)from);
}

static json_t *link_to(bool there, const char *url)
{
    return there ? json_string(url) : json_null();
}

/* Places are 0, 1, 2 ...: with all classes a page back and the last one are known. */
static json_t *pages_json(struct ctx *c, const struct revision_row *r, const struct images *i)
{
    bool all = !i->k.id;
    int64_t last = r->images > 0 ? (r->images - 1) / IMAGES_A_PAGE * IMAGES_A_PAGE : 0;
    int64_t back = i->from > IMAGES_A_PAGE ? i->from - IMAGES_A_PAGE : 0;
    int64_t next = i->n ? i->rows[i->n - 1].position + 1 : 0;
    const char *text =
        i->n ? arena_printf(c->arena, "Places %s to %s of %s",
                            data_count(c->arena, i->rows[0].position),
                            data_count(c->arena, next - 1), data_count(c->arena, r->images))
             : "No images";
    return object(
        field_text("text", text),
        field_json("first_url", link_to(i->from > 0, images_url(c, r, i, 0))),
        field_json("previous_url", link_to(all && i->from > 0, images_url(c, r, i, back))),
        field_json("next_url", link_to(i->more, images_url(c, r, i, next))),
        field_json("last_url", link_to(all && i->more, images_url(c, r, i, last))));
}

static json_t *images_json(struct ctx *c, const struct revision_row *r, const struct images *i)
{
    json_t *rows = json_array();
    for (size_t at = 0; at < i->n; at++) {
        json_array_append_new(rows, image_json(c, &i->rows[at]));
    }
    return object(field_json("rows", rows),
                  field_json("class", i->k.id ? data_text(i->k.wnid) : json_string("")),
                  field_json("pages", pages_json(c, r, i)), field_bool("filtered", i->k.id != 0));
}

/* ---- its models ---- */

/* All models with predictions about it, the most accurate first: model_set_of has them by id. */
static int by_accuracy(const void *pa, const void *pb)
{
    const struct model_score *a = pa, *b = pb;
    uint64_t x = (uint64_t)a->top1 * b->predicted, y = (uint64_t)b->top1 * a->predicted;
    return x != y ? (x < y) - (x > y) : (a->model > b->model) - (a->model < b->model);
}

static const struct model_row *model_of(const struct model_row *models, size_t n, int64_t id)
{
    for (size_t i = 0; i < n; i++) {
        if (models[i].id == id) {
            return &models[i];
        }
    }
    return NULL;
}

static json_t *score_json(struct ctx *c, const struct model_row *m, const struct model_score *s,
                          const char *set)
{
    json_t *top5 = model_score_knows(s, 5)
                       ? set_data_cell(c->arena, s->topk, s->predicted, s->images)
                       : json_null();
    return object(
        field_sv("name", m->name),
        field_text("url",
                   arena_printf(c->arena, "/models/" SV_FMT "?set=%s", SV_ARG(m->name), set)),
        field_json("top1", set_data_cell(c->arena, s->top1, s->predicted, s->images)),
        field_json("top5", top5), field_bool("mixed", s->sources > 1),
        field_sv("made_by", s->made_by),
        field_text("sources_url", arena_printf(c->arena, "/models/" SV_FMT "/sources?set=%s",
                                               SV_ARG(m->name), set)));
}

/* The most accurate ones, *all of them counted; empty for a sealed set. NULL with c->err set. */
static json_t *scores_json(struct ctx *c, const struct revision_row *r, size_t *all)
{
    struct model_set set = {.n = 0};
    struct model_row *models;
    size_t n;
    *all = 0;
    if (!set_scoreable(r)) {
        return json_array();
    }
    if (model_set_of(c, r, NULL, &set) != OK ||
        models_list(c->db, false, c->arena, &models, &n, &c->err) != OK) {
        return NULL;
    }
    json_t *rows = json_array();
    if (set.n) {
        qsort(set.scores, set.n, sizeof *set.scores, by_accuracy);
    }
    for (size_t i = 0; i < set.n; i++) {
        const struct model_row *m = model_of(models, n, set.scores[i].model);
        if (m && set.scores[i].predicted && (*all)++ < MODELS_SHOWN) {
            json_array_append_new(rows, score_json(c, m, &set.scores[i], set_title(c->arena, r)));
        }
    }
    return rows;
}

/* ---- its frequency ---- */

static void average_tile(struct arena *a, json_t *tiles, const char *label,
                         const struct set_average *s)
{
    data_tile(tiles, label, set_average_value(s, a),
              arena_printf(a, "%s; %s", set_average_note(s, a), set_average_basis(s, a)));
}

/* What its images were chosen by, as it was then, what it is now, and how much harder noise in it makes the set. NULL
 * with c->err set. */
static json_t *frequency_tiles(struct ctx *c, const struct revision_about *about)
{
    struct revision_averages averages;
    struct bias_leading bias;
    struct arena *a = c->arena;
    if (set_averages_get(c, &about->r, 1, &averages) != OK) {
        return NULL;
    }
    json_t *tiles = json_array();
    if (averages.differ) {
        average_tile(a, tiles, "Average frequency at the draw", &averages.draw);
        average_tile(a, tiles, "Average frequency now", &averages.now);
    } else {
        average_tile(a, tiles, "Average frequency",
                     averages.drawn ? &averages.draw : &averages.now);
    }
    if (!sv_is(about->r.role, "original")) {
        bool known = bias_at_hand(c, &about->r, true, &bias) && bias.estimate.known;
        const char *interval = known ? bias_interval(a, &bias.estimate) : "";
        data_tile(tiles, "Matching bias", known ? bias_value(a, &bias.estimate) : "\xe2\x80\x93",
                  !known ? "see Matching bias"
                         : arena_printf(a, "%s%s%s%s", bias.words, *interval ? ", " : "", interval,
                                        bias.holds ? "" : "; it does not hold here"));
    }
    return tiles;
}

/* ---- who was asked ---- */

/* "main (1,200 answers of 40 people, simulated)" for each campaign that its view counts, with the answers
 * of now; "" without a view on record. NULL with c->err set. */
static const char *campaigns_text(struct ctx *c, const struct revision_about *about)
{
    int64_t *ids;
    size_t n = 0;
    const char *text = "";
    if (!about->view.id) {
        return text;
    }
    if (views_campaigns(c->db, &about->view, c->arena, &ids, &n, &c->err) != OK) {
        return NULL;
    }
    const struct stats *s = stats_get(app_stats(c->app));
    for (size_t i = 0, said = 0; i < n && text; i++) {
        const struct stats_campaign *v = stats_campaign(s, ids[i]);
        struct campaign k;
        if (!v || !v->answers || said++ >= CAMPAIGNS_SHOWN) {
            continue;
        }
        text = campaigns_get(c->db, ids[i], c->arena, &k, &c->err) != OK
                   ? NULL
                   : arena_printf(c->arena, "%s%s" SV_FMT " (%s answers of %s people%s)", text,
                                  *text ? ", " : "", SV_ARG(k.name), data_count(c->arena, v->answers),
                                  data_count(c->arena, v->people),
                                  k.simulated  ? ", simulated"
                                  : k.imported ? ", imported"
                                               : "");
    }
    stats_put(app_stats(c->app), s);
    return text;
}

/* ---- the page ---- */

/* Who opens or releases it, and what for; null for those who may not. */
static json_t *steps_json(struct ctx *c, const struct revision_about *about)
{
    json_t *steps = c->user.role >= ROLE_LEAD ? revision_steps(c->arena, about) : json_array();
    bool any = json_array_size(steps) > 0;
    return object(field_bool("any", any), field_json("steps", steps));
}

static json_t *about_json(struct ctx *c, const struct revision_about *about, json_t *revision,
                          json_t *frequency, const char *campaigns)
{
    struct arena *a = c->arena;
    json_t *tiles = revision_tiles(a, about), *terms = revision_terms(a, about, revision);
    if (*campaigns) {
        data_term(terms, "Who was asked", campaigns);
    }
    json_t *parameters = revision_parameters(a, about->r.parameters);
    json_t *inputs = revision_inputs(a, about), *lacking = revision_short(c, about);
    bool more = json_array_size(parameters) + json_array_size(inputs) > 0;
    bool any_short = json_array_size(lacking) > 0;
    for (size_t i = json_array_size(frequency); i-- > 0;) {
        json_array_insert(tiles, 1, json_array_get(frequency, i));
    }
    json_decref(frequency);
    json_t *warnings = view_data_warnings(a, &about->view.rules);
    bool original = sv_is(about->r.role, "original");
    const char *next = arena_printf(a, "/sets/new?set=" SV_FMT "&parent=%s", SV_ARG(about->r.set),
                                    set_title(a, &about->r));
    return object(field_json("view_warnings", warnings),
                  field_bool("any_view_warnings", json_array_size(warnings) > 0),
                  field_json("revision", revision), field_json("tiles", tiles),
                  field_json("facts", terms), field_bool("more", more),
                  field_json("parameters", parameters), field_json("inputs", inputs),
                  field_json("short", lacking), field_bool("any_short", any_short),
                  field_json("removals", revision_removals(a, about)),
                  field_json("links", revision_links(a, about)),
                  field_bool("can_sample", !original && c->user.role >= ROLE_LEAD),
                  field_text("sample_url", next), field_bool("is_original", original),
                  field_text("sealed_url", set_state_url(a, &about->r)));
}

/* The parts that can fail; each NULL when one of them did, with c->err set. */
struct parts {
    json_t *revision, *frequency, *scores, *tombstones;
    const char *campaigns;
    size_t all;
};

static bool make_parts(struct ctx *c, const struct revision_about *about, struct parts *out)
{
    *out = (struct parts){.all = 0};
    out->campaigns = campaigns_text(c, about);
    out->revision = out->campaigns ? set_data_revision(c, &about->r) : NULL;
    out->frequency = out->revision ? frequency_tiles(c, about) : NULL;
    out->tombstones = out->frequency ? tombstones_json(c, about->r.list) : NULL;
    out->scores = out->tombstones ? scores_json(c, &about->r, &out->all) : NULL;
    if (!out->scores) {
        json_decref(out->tombstones);
        json_decref(out->frequency);
        json_decref(out->revision);
    }
    return out->scores != NULL;
}

static enum err_code show(struct ctx *c, const struct revision_about *about,
                          const struct images *images)
{
    const struct revision_row *r = &about->r;
    struct parts p;
    json_t *plans = set_plans_data(c, r->set);
    if (!plans || !make_parts(c, about, &p)) {
        json_decref(plans);
        return c->err.code;
    }
    bool planned = json_array_size(plans) > 0;
    const char *here = images->from || images->k.id ? images_url(c, r, images, images->from)
                                                    : set_url(c->arena, r);
    json_t *page = object(
        field_json("plans", plans), field_bool("planned", planned),
        field_bool("unplanned", !planned && !sv_is(r->role, "original")), field_json("tombstones", p.tombstones),
        field_json("live", data_live("jobs,models,review",
                                     arena_cstr(c->arena, sv_make(here, strcspn(here, "#"))))),
        field_bool("any_scores", json_array_size(p.scores) > 0), field_json("scores", p.scores),
        field_text("all_url", arena_printf(c->arena, "/models?" SV_FMT "=%s", SV_ARG(r->role),
                                           set_title(c->arena, r))),
        field_text("all_text", p.all > MODELS_SHOWN
                                   ? arena_printf(c->arena, "All %zu models", p.all)
                                   : "Compare models"),
        field_json("images", images_json(c, r, images)),
        field_text("pages_label", "Pages of images"),
        field_text("set_url", arena_printf(c->arena, "/sets/" SV_FMT, SV_ARG(r->set))),
        field_json("state", steps_json(c, about)));
    json_t *more = about_json(c, about, p.revision, p.frequency, p.campaigns);
    json_object_update(page, more);
    json_decref(more);
    return reply_page(c, 200, "sets/revision", set_title(c->arena, r), page);
}

/* GET /sets/:set/:revision?class=&from= */
enum err_code page_revision(struct ctx *c)
{
    struct revision_row r;
    struct revision_about about = {.said = NULL};
    struct images images;
    enum err_code rc = set_asked(c, &r);
    rc = rc == OK ? read_images(c, &r, &images) : rc;
    rc = rc == OK ? revision_about_read(c, &r, &about) : rc;
    rc = rc == OK ? show(c, &about, &images) : rc;
    revision_about_release(&about);
    return rc;
}
