/* texts.c - what a model said in its own words: its files, the mappings of it beside each other on one set, and what none of the
 * classes is. Rows in routes.c; templates/models/texts, layout/models/text_shares. */
#include "web/models/texts.h"

#include "json/object.h"
#include "measures/texts/text_shares.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/records.h"
#include "web/core/reply.h"
#include "web/parts/people_data.h"
#include "web/parts/set_data.h"
#include "web/scoring/model_data.h"

#define CSV "text/csv; charset=utf-8"
enum { TEXTS_SHOWN = 100, TEXTS_LISTED = 1000 };

/* A model whose texts they are, or one that a mapping made of them, and what is known of that on a set. */
struct said_on {
    struct model_row model;
    int64_t base; /* whose texts these are */
    bool mapped;  /* the model is one that a mapping made */
    struct revision_row r;
    struct text_source *sources;
    size_t n_sources;
    struct text_share *shares; /* of all mappings of these texts */
    size_t n_shares;
    struct text_unmapped_row *rows; /* of a mapped model */
    size_t n_rows;
};

/* base 0: the model has nothing to do with texts. */
static enum err_code find_base(struct ctx *c, const struct model_row *m, struct said_on *out)
{
    struct text_mapped *mapped;
    size_t n = 0;
    enum err_code rc = text_mapped_list(c->db, m->id, c->arena, &mapped, &n, &c->err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        out->mapped = out->mapped || mapped[i].model == m->id;
        out->base = mapped[i].base;
    }
    rc = rc == OK ? texts_sources(c->db, out->base ? out->base : m->id, c->arena, &out->sources, &out->n_sources, &c->err) : rc;
    out->base = rc == OK && out->base == 0 && out->n_sources ? m->id : out->base;
    return rc;
}

static enum err_code read_shares(struct ctx *c, struct said_on *s)
{
    return text_shares_on(app_model_scores(c->app), c->db, &s->r, s->base, c->arena, &s->shares, &s->n_shares, &c->err);
}

/* What an address asks for. */
static enum err_code read_said(struct ctx *c, struct said_on *s)
{
    *s = (struct said_on){.base = 0};
    enum err_code rc = models_find(c->db, c->req->params[0], c->arena, &s->model, &c->err);
    rc = rc == OK ? find_base(c, &s->model, s) : rc;
    if (rc == OK && s->base == 0) {
        rc = err_rule(&c->err, ERR_NOT_FOUND, "texts", "The model " SV_FMT " has no texts: its predictions are classes from the start.",
                      SV_ARG(s->model.name));
    }
    rc = rc == OK ? set_to_score(c, request_query(c->req, "set"), &s->r) : rc;
    rc = rc == OK ? read_shares(c, s) : rc;
    return rc == OK && s->mapped ? text_unmapped_on(app_model_scores(c->app), c->db, &s->r, s->model.id, c->arena, &s->rows, &s->n_rows, &c->err)
                                 : rc;
}

/* ---- page data ---- */

static const char *texts_url(struct arena *a, struct sv model, const struct revision_row *r)
{
    return arena_printf(a, "/models/" SV_FMT "/texts?set=%s", SV_ARG(model), set_title(a, r));
}

static json_t *shares_json(struct ctx *c, const struct said_on *s, const struct model_score *scores, size_t n_scores)
{
    struct arena *a = c->arena;
    json_t *list = json_array();
    for (size_t i = 0; i < s->n_shares; i++) {
        const struct text_share *one = &s->shares[i];
        const struct model_score *m = set_score_of(scores, n_scores, one->model);
        object_add(list, field_sv("name", one->name), field_text("url", arena_printf(a, "/models/" SV_FMT, SV_ARG(one->name))),
                   field_text("texts_url", texts_url(a, one->name, &s->r)), field_int("version", one->version),
                   field_json("top1", m ? set_data_cell(a, m->top1, m->predicted, m->images) : json_null()),
                   field_json("out_of_list", set_data_cell(a, one->out_of_list, one->images, one->images)),
                   field_json("ambiguous", set_data_cell(a, one->ambiguous, one->images, one->images)),
                   field_json("empty", set_data_cell(a, one->empty, one->images, one->images)),
                   field_bool("current", s->mapped && one->model == s->model.id));
    }
    return list;
}

/* {set, shares, any_shares}; NULL with c->err set. */
static json_t *table_json(struct ctx *c, const struct said_on *s)
{
    struct model_score *scores;
    size_t n = 0;
    if (model_scores_of(app_model_scores(c->app), c->db, &s->r, NULL, c->arena, &scores, &n, &c->err) != OK) {
        return NULL;
    }
    return object(field_text("set", set_title(c->arena, &s->r)), field_json("shares", shares_json(c, s, scores, n)),
                  field_bool("any_shares", s->n_shares > 0));
}

json_t *model_texts_json(struct ctx *c, const struct model_row *m, const struct revision_row *r, struct sv asked)
{
    struct said_on s = {.model = *m};
    if (find_base(c, m, &s) != OK) {
        return NULL;
    }
    if (s.base == 0) {
        return json_null();
    }
    const char *url = arena_printf(c->arena, "/models/" SV_FMT "/texts", SV_ARG(m->name));
    if (r) {
        s.r = *r;
    } else if (set_to_score(c, asked, &s.r) != OK) { /* no set, or a sealed one */
        err_clear(&c->err);
        return object(field_text("url", url), field_null("set"), field_json("shares", json_array()), field_bool("any_shares", false));
    }
    json_t *table = read_shares(c, &s) == OK ? table_json(c, &s) : NULL;
    if (table) {
        json_object_set_new(table, "url", json_string(texts_url(c->arena, m->name, &s.r)));
    }
    return table;
}

static json_t *sources_json(struct ctx *c, const struct said_on *s)
{
    json_t *list = json_array();
    for (size_t i = 0; i < s->n_sources; i++) {
        const struct text_source *t = &s->sources[i];
        object_add(list, field_sv("file", t->file), field_text("texts", data_count(c->arena, t->stored)),
                   field_bool("incomplete", t->stored != t->records), field_json("set", t->set.n ? data_text(t->set) : json_null()),
                   field_text("at", people_minute(c->arena, t->at)),
                   field_json("recipe", t->recipe.n ? model_data_recipe(c, t->recipe) : json_array()));
    }
    return list;
}

static json_t *rows_json(struct ctx *c, const struct said_on *s)
{
    json_t *list = json_array();
    for (size_t i = 0; i < s->n_rows && i < TEXTS_SHOWN; i++) {
        object_add(list, field_sv("text", s->rows[i].text), field_text("images", data_count(c->arena, s->rows[i].images)),
                   field_text("reason", s->rows[i].reason));
    }
    return list;
}

/* GET /models/:model/texts?set= */
enum err_code page_model_texts(struct ctx *c)
{
    struct said_on s;
    if (read_said(c, &s) != OK) {
        return c->err.code;
    }
    json_t *page = table_json(c, &s);
    if (!page) {
        return c->err.code;
    }
    struct arena *a = c->arena;
    json_object_update_new(
        page, object(field_sv("name", s.model.name), field_text("url", arena_printf(a, "/models/" SV_FMT, SV_ARG(s.model.name))),
                     field_text("set_url", set_url(a, &s.r)), field_json("sources", sources_json(c, &s)), field_bool("mapped", s.mapped),
                     field_json("rows", rows_json(c, &s)), field_bool("any_rows", s.n_rows > 0),
                     field_text("total", data_count(a, (int64_t)s.n_rows)), field_bool("more", s.n_rows > TEXTS_SHOWN),
                     field_text("csv_url", arena_printf(a, "/api/v1/models/" SV_FMT "/texts.csv?set=%s", SV_ARG(s.model.name), set_title(a, &s.r)))));
    return reply_page(c, 200, "models/texts", arena_printf(a, "Texts of " SV_FMT, SV_ARG(s.model.name)), page);
}

/* ---- for scripts ---- */

#define OF(member) RECORD_OF(struct text_source, member)
static RECORD(text_source_record, struct text_source, "text_source", "A file of what a model said.",
              {"file", OF(file), .about = "Its name."},
              {"recipe", OF(recipe), RECORD_PARSED, .maybe = true, .about = "How the model was asked; null: not said."},
              {"set", OF(set), .maybe = true, .about = "The revision that it was imported for, SET/NUMBER; null: any images."},
              {"texts", OF(stored), .about = "How many lines of it are here."},
              {"lines", OF(records), .about = "How many it has; more than texts: its import was cut off."},
              {"at", OF(at), RECORD_MOMENT, .about = "When it was imported."});
#undef OF

struct texts_face {
    struct said_on s;
    const char *set;
    size_t listed;
};
#define OF(member) RECORD_OF(struct texts_face, member)
RECORD(model_texts_record, struct texts_face, "texts", "What a model said in its own words, and which classes that is.",
       {"model", OF(s.model.name), .about = "The model: one that said texts, or one that a mapping made of them."},
       {"set", OF(set), .about = "The revision, SET/NUMBER."},
       {"sources", RECORD_ROWS(struct texts_face, s.sources, s.n_sources), .of = &text_source_record, .about = "The files of what was said."},
       {"shares", RECORD_ROWS(struct texts_face, s.shares, s.n_shares), .of = &text_share_record,
        .about = "All mappings of these texts on the set."},
       {"unmapped", RECORD_ROWS(struct texts_face, s.rows, listed), .of = &text_unmapped_record,
        .about = "Of a model that a mapping made: texts that are no class, most frequent first, at most 1000; texts.csv has all."},
       {"unmapped_total", OF(s.n_rows), .about = "How many such texts there are."});
#undef OF

/* GET /api/v1/models/:model/texts?set= */
enum err_code api_model_texts(struct ctx *c)
{
    struct texts_face face = {.listed = 0};
    if (read_said(c, &face.s) != OK) {
        return c->err.code;
    }
    face.set = set_title(c->arena, &face.s.r);
    face.listed = face.s.n_rows < TEXTS_LISTED ? face.s.n_rows : TEXTS_LISTED;
    return reply_json(c, 200, record_json(&model_texts_record, &face));
}

/* GET /api/v1/models/:model/texts.csv?set= */
enum err_code api_model_texts_csv(struct ctx *c)
{
    struct said_on s;
    if (read_said(c, &s) != OK) {
        return c->err.code;
    }
    record_table(&text_unmapped_record, RECORD_TABLE_CSV, s.rows, s.n_rows, &c->res->body);
    return reply_table_file(c, "unmapped-texts.csv", CSV);
}

/* GET /api/v1/texts.csv?set= */
enum err_code api_texts_csv(struct ctx *c)
{
    struct said_on s = {.base = 0};
    if (set_to_score(c, request_query(c->req, "set"), &s.r) != OK || read_shares(c, &s) != OK) {
        return c->err.code;
    }
    record_table(&text_share_record, RECORD_TABLE_CSV, s.shares, s.n_shares, &c->res->body);
    return reply_table_file(c, "text-shares.csv", CSV);
}
