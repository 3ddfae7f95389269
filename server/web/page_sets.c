/* page_sets.c - the sets and their revisions, one revision with its images and with how models do
 * on it. Rows in routes.c; templates/sets/. */
#include <stdlib.h>
#include <string.h>

#include "store/set_images.h"
#include "web/model_rows.h"
#include "web/page_data.h"
#include "web/pages.h"
#include "web/people_data.h"
#include "web/reply.h"
#include "web/set_data.h"

enum { IMAGES_A_PAGE = 100, MODELS_SHOWN = 10 };

/* ---- lists of revisions ---- */

/* NULL with c->err set. */
static json_t *revisions_json(struct ctx *c, const struct revision_row *list, size_t n)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < n; i++) {
        json_t *row = set_data_revision(c, &list[i]);
        if (!row) {
            json_decref(rows);
            return NULL;
        }
        json_array_append_new(rows, row);
    }
    return rows;
}

/* GET /sets */
enum err_code page_sets(struct ctx *c)
{
    struct revision_row *list;
    size_t n;
    if (revisions_list(c->db, 0, c->arena, &list, &n, &c->err) != OK) {
        return c->err.code;
    }
    json_t *rows = revisions_json(c, list, n);
    return !rows
               ? c->err.code
               : reply_page(c, 200, "sets/index", "Sets",
                            json_pack("{s:o, s:o, s:b, s:b}", "live", data_live("models", "/sets"),
                                      "revisions", rows, "any", n > 0, "of_sets", 1));
}

/* GET /sets/:set */
enum err_code page_set(struct ctx *c)
{
    struct set_row set;
    struct revision_row *list;
    size_t n;
    if (sets_find(c->db, c->req->params[0], c->arena, &set, &c->err) != OK ||
        revisions_list(c->db, set.id, c->arena, &list, &n, &c->err) != OK) {
        return c->err.code;
    }
    json_t *rows = revisions_json(c, list, n);
    const char *url = arena_printf(c->arena, "/sets/" SV_FMT, SV_ARG(set.name));
    return !rows ? c->err.code
                 : reply_page(c, 200, "sets/show", arena_cstr(c->arena, set.name),
                              json_pack("{s:o, s:o, s:o, s:o, s:b, s:b}", "live",
                                        data_live("models", url), "name", data_text(set.name),
                                        "role", data_text(set.role), "revisions", rows, "any",
                                        n > 0, "of_sets", 0));
}

/* ---- one revision: its images ---- */

struct images {
    struct set_image *rows;
    size_t n;
    int64_t from;
    struct class_info k; /* id 0: all classes */
    bool more;
};

static enum err_code read_images(struct ctx *c, const struct revision_row *r, struct images *out)
{
    struct sv from = request_query(c->req, "from"), wnid = sv_trim(request_query(c->req, "class"));
    *out = (struct images){.from = 0};
    if (from.n && (!sv_i64(from, &out->from) || out->from < 0)) {
        return err_rule(&c->err, ERR_INPUT, "cursor",
                        "from must be the place of an image in the set, from 0 on.");
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
    return json_pack("{s:o, s:s, s:s?, s:o, s:o, s:s, s:s, s:b}", "name", data_text(i->name), "url",
                     url, "thumb_url", i->has_pixels ? thumb : NULL, "role", data_text(i->role),
                     "wnid", data_text(i->wnid), "synset", data_synset(c->arena, i->synset, ", "),
                     "class_url", arena_printf(c->arena, "/classes/" SV_FMT, SV_ARG(i->wnid)),
                     "hidden", app_image_hidden(c->app, i->image));
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
    return json_pack("{s:s, s:o, s:o, s:o, s:o}", "text", text, "first_url",
                     link_to(i->from > 0, images_url(c, r, i, 0)), "previous_url",
                     link_to(all && i->from > 0, images_url(c, r, i, back)), "next_url",
                     link_to(i->more, images_url(c, r, i, next)), "last_url",
                     link_to(all && i->more, images_url(c, r, i, last)));
}

static json_t *images_json(struct ctx *c, const struct revision_row *r, const struct images *i)
{
    json_t *rows = json_array();
    for (size_t at = 0; at < i->n; at++) {
        json_array_append_new(rows, image_json(c, &i->rows[at]));
    }
    return json_pack("{s:o, s:o, s:o, s:b}", "rows", rows, "class",
                     i->k.id ? data_text(i->k.wnid) : json_string(""), "pages", pages_json(c, r, i),
                     "filtered", i->k.id != 0);
}

/* ---- one revision: its models ---- */

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
    return json_pack("{s:o, s:s, s:o, s:o, s:b}", "name", data_text(m->name), "url",
                     arena_printf(c->arena, "/models/" SV_FMT "?set=%s", SV_ARG(m->name), set),
                     "top1", set_data_cell(c->arena, s->top1, s->predicted, s->images), "top5",
                     top5, "mixed", s->sources > 1);
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
    if (model_set_of(c, r, &set) != OK ||
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

/* ---- one revision ---- */

static void add_facts(struct ctx *c, json_t *page, const struct revision_row *r,
                      const struct revision_row *parent, const json_t *about)
{
    json_t *terms = json_array();
    data_term(terms, "Images", data_count(c->arena, r->images));
    data_term(terms, "Chosen by", arena_cstr(c->arena, r->strategy));
    if (r->parent) {
        data_term(terms, "Made from", set_title(c->arena, parent));
    }
    data_term(terms, "Made", json_string_value(json_object_get(about, "at")));
    data_term(terms, "By", json_string_value(json_object_get(about, "by")));
    if (r->state_reason.n) {
        data_term(terms, "State",
                  arena_printf(c->arena, "%s since %s: " SV_FMT, revision_state_word(r->state),
                               people_minute(c->arena, r->state_at), SV_ARG(r->state_reason)));
    }
    data_term(terms, "Digest (SHA-256)", json_string_value(json_object_get(about, "digest")));
    json_object_set_new(page, "facts", terms);
}

/* Everything that may fail, then the page. */
static enum err_code show(struct ctx *c, const struct revision_row *r,
                          const struct revision_row *parent, const struct images *images)
{
    size_t all = 0;
    json_t *about = set_data_revision(c, r), *scores = about ? scores_json(c, r, &all) : NULL;
    if (!scores) {
        json_decref(about);
        return c->err.code;
    }
    const char *here = images->from || images->k.id ? images_url(c, r, images, images->from)
                                                    : set_url(c->arena, r);
    json_t *page = json_pack(
        "{s:o, s:o, s:b, s:o, s:s, s:s, s:o, s:s, s:s}", "live",
        data_live("jobs,models", arena_cstr(c->arena, sv_make(here, strcspn(here, "#")))),
        "revision", about, "any_scores", json_array_size(scores) > 0, "scores", scores, "all_url",
        arena_printf(c->arena, "/models?" SV_FMT "=%s", SV_ARG(r->role), set_title(c->arena, r)),
        "all_text",
        all > MODELS_SHOWN ? arena_printf(c->arena, "All %zu models", all) : "Compare models",
        "images", images_json(c, r, images), "pages_label", "Pages of images", "set_url",
        arena_printf(c->arena, "/sets/" SV_FMT, SV_ARG(r->set)));
    add_facts(c, page, r, parent, about);
    return reply_page(c, 200, "sets/revision", set_title(c->arena, r), page);
}

/* GET /sets/:set/:revision?class=&from= */
enum err_code page_revision(struct ctx *c)
{
    struct revision_row r, parent = {.id = 0};
    struct images images;
    if (set_asked(c, &r) != OK || read_images(c, &r, &images) != OK ||
        (r.parent && revisions_get(c->db, r.parent, c->arena, &parent, &c->err) != OK)) {
        return c->err.code;
    }
    return show(c, &r, &parent, &images);
}
