/* images.c - what models say of a set image by image (missed by all, hardest, most disputed): page, JSON, CSV. Rows in
 * routes.c; templates/measures/images. */
#include <math.h>

#include "base/sorted.h"
#include "json/object.h"
#include "measures/images/image_answers_rows.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/records.h"
#include "web/core/reply.h"
#include "web/measures/answers.h"
#include "web/measures/parts.h"
#include "web/parts/set_data.h"

enum { IMAGES_A_PAGE = 48, ROWS_MOST = 10000 /* of one reply */ };
static const char path[] = "/measures/images", template[] = "measures/images", title[] = "Measures by image";

/* ---- what is asked for ---- */

enum image_sort { SORT_RIGHT, SORT_DISAGREEMENT, SORT_ID };
enum image_show { SHOW_ALL, SHOW_MISSED, SHOW_DISPUTED };
struct query {
    struct images_link l;
    int show, sort;
    bool falling;
    int64_t page;
};

static const struct list_word shows[] = {{"all", "All images", SHOW_ALL},
                                         {"missed", "Missed by all models", SHOW_MISSED},
                                         {"disputed", "Right for some models", SHOW_DISPUTED},
                                         {0}};
static const struct list_word sorts[] = {
    {"right", "Models that are right", SORT_RIGHT}, {"disagreement", "Disagreement", SORT_DISAGREEMENT}, {"id", "Image", SORT_ID}, {0}};

static bool falls(int sort)
{
    return sort == SORT_DISAGREEMENT;
}

#define AT(member) .at = offsetof(struct query, member)
enum { SORT_PARAM = 10 };
static const struct list_param params[] = {
    ANSWERS_PARAMS(struct query, l.of),
    {"said", LIST_TEXT, AT(l.said)},
    {"wrong", LIST_FLAG, AT(l.wrong)},
    {"has", LIST_TEXT, AT(l.has)},
    {"show", LIST_WORD, AT(show), .words = shows, .chips = "Which images"},
    [SORT_PARAM] = {"sort", LIST_WORD, AT(sort), .words = sorts, .chips = "Order"},
    {"order", LIST_ORDER, AT(falling)},
    {"page", LIST_NUMBER, AT(page), .least = 1, .most = INT32_MAX, .moment = true},
    {0},
};
static const struct list_table table = {params, sizeof(struct query), &params[SORT_PARAM], falls};
static const struct query usual = {.l.of.top = 1, .page = 1};

struct shown {
    struct query q;
    struct answers of;
    struct subset said, has;
};

static enum err_code find_class(struct ctx *c, struct sv wnid, struct subset *out)
{
    return wnid.n == 0 ? OK : set_part_asked(c, sv_of(arena_printf(c->arena, "class:" SV_FMT, SV_ARG(wnid))), SV(""), out);
}

static enum err_code read_shown(struct ctx *c, struct shown *s)
{
    *s = (struct shown){.q = usual};
    enum err_code rc = list_read(c, &table, &usual, &s->q);
    rc = rc == OK ? answers_find(c, &s->q.l.of, &s->of) : rc;
    rc = rc == OK ? find_class(c, s->q.l.said, &s->said) : rc;
    rc = rc == OK ? find_class(c, s->q.l.has, &s->has) : rc;
    if (rc == OK && s->q.l.has.n && label_pick_is_set(&s->of.subset.labels)) {
        rc = err_rule(&c->err, ERR_INPUT, "list", "has asks what a label source says: name one with labels=NAME.");
    }
    return rc;
}

/* ---- the list ---- */

struct images {
    const struct image_answer **list; /* in the order asked for */
    size_t n;
    uint32_t sealed;
};

static double key_of(const struct image_answer *l, int sort)
{
    return sort == SORT_RIGHT ? l->predicted ? (double)l->right : (double)NAN
           : sort == SORT_DISAGREEMENT ? l->disagreement
                                       : l->image;
}

static bool shows_image(const struct image_answer *l, int show)
{
    return show == SHOW_ALL || (l->predicted && (show == SHOW_MISSED ? l->right == 0 : l->right > 0 && l->right < l->predicted));
}

static enum err_code make_images(struct ctx *c, const struct shown *s, struct images *out)
{
    struct image_answers found;
    const struct images_link *l = &s->q.l;
    const struct image_answers_ask ask = {.revision = &s->of.r, .subset = &s->of.subset, .models = s->of.ids, .n_models = s->of.n,
                                          .top = l->of.top, .said = l->said.n ? &s->said : NULL, .wrong = l->wrong,
                                          .has = l->has.n ? &s->has : NULL};
    if (image_answers_make(app_model_scores(c->app), c->db, &ask, c->arena, &found, &c->err) != OK) {
        return c->err.code;
    }
    *out = (struct images){.list = arena_calloc(c->arena, found.n + 1, sizeof *out->list), .sealed = found.sealed};
    struct sorted_key *keys = arena_calloc(c->arena, found.n + 1, sizeof *keys);
    for (size_t i = 0; i < found.n; i++) {
        if (shows_image(&found.list[i], s->q.show)) {
            keys[out->n++] = (struct sorted_key){key_of(&found.list[i], s->q.sort), i};
        }
    }
    sorted_keys(keys, out->n, s->q.falling);
    for (size_t i = 0; i < out->n; i++) {
        out->list[i] = &found.list[keys[i].at];
    }
    return OK;
}

static enum err_code rows_from(struct ctx *c, const struct images *l, size_t skip, size_t most, struct image_answer_row **rows, size_t *n)
{
    *n = skip < l->n ? l->n - skip : 0;
    *n = *n < most ? *n : most;
    return image_answer_rows(c->db, l->list + (skip < l->n ? skip : 0), *n, c->arena, rows, &c->err);
}

static const char *url_of(struct ctx *c, const char *to, const struct query *q)
{
    return list_url(c, &table, to, &usual, q, false);
}

const char *measures_images_url(struct ctx *c, const struct images_link *l)
{
    struct query q = usual;
    q.l = *l;
    return url_of(c, path, &q);
}

static json_t *card_json(struct ctx *c, const struct image_answer_row *r)
{
    const char *url = arena_printf(c->arena, "/images/%lld", (long long)r->id);
    return object(field_sv("name", r->image), field_text("url", url), field_text("thumb_url", r->has_file ? arena_printf(c->arena, "%s/grid", url) : NULL),
                  field_bool("hidden", app_image_hidden(c->app, r->id)), field_json("label", class_json(c, r->wnid)),
                  field_json("said", class_json(c, r->most_said)), field_int("right", r->right), field_int("models", r->models),
                  field_int("said_by", r->said_by), field_text("classes", arena_printf(c->arena, "%u class%s", (unsigned)r->named, r->named == 1 ? "" : "es")),
                  field_text("bits", arena_printf(c->arena, "%.2f", r->disagreement)));
}

/* What the form does not ask. */
static json_t *keep_json(const struct query *q)
{
    json_t *keep = json_array();
    if (q->l.said.n) {
        object_add(keep, field_text("name", "said"), field_sv("value", q->l.said));
    }
    if (q->l.has.n) {
        object_add(keep, field_text("name", "has"), field_sv("value", q->l.has));
    }
    if (q->l.wrong) {
        object_add(keep, field_text("name", "wrong"), field_text("value", "1"));
    }
    return keep;
}

/* GET /measures/images?set=&top=&subset=&labels=&models=&class=&said=&wrong=&has=&show=&sort=&order=&page= */
enum err_code page_measures_images(struct ctx *c)
{
    struct shown s;
    struct images l;
    struct image_answer_row *rows;
    size_t n = 0;
    if (read_shown(c, &s) != OK || make_images(c, &s, &l) != OK) {
        return answers_none(c, &s.q.l.of, path, template, title);
    }
    const struct list_page part = list_page_of((int64_t)l.n, IMAGES_A_PAGE, s.q.page);
    json_t *page = rows_from(c, &l, part.skip, part.most, &rows, &n) == OK ? answers_form(c, &s.of, path, l.sealed, keep_json(&s.q)) : NULL;
    if (!page) {
        return c->err.code;
    }
    json_t *cards = json_array();
    for (size_t i = 0; i < n; i++) {
        json_array_append_new(cards, card_json(c, &rows[i]));
    }
    const bool models = s.of.n > 0, labels = s.q.l.has.n > 0;
    json_object_update_new(page, object(field_json("cards", cards), field_text("count", data_count(c->arena, (int64_t)l.n)),
                                        field_json("no_models", models || labels ? json_null() : measures_none_models(c, &s.of.r)),
                                        field_bool("list", models || labels), field_bool("any_models", models),
                                        field_json("only_said", class_json(c, s.q.l.said)), field_bool("wrong", s.q.l.wrong),
                                        field_json("only_has", class_json(c, s.q.l.has)),
                                        field_json("chips", list_chips(c, &table, path, &s.q)),
                                        field_json("pages", list_page_links(c, &part, url_of(c, path, &s.q), "#images")),
                                        field_text("pages_label", "Pages of images"),
                                        field_text("json_url", url_of(c, "/api/v1/measures/images", &s.q)),
                                        field_text("csv_url", url_of(c, "/api/v1/measures/images.csv", &s.q))));
    return reply_page(c, 200, template, title, page);
}

struct images_reply {
    const char *set;
    struct sv subset, labels;
    int top;
    json_t *models, *left_out;
    int64_t images;
    uint32_t sealed;
    struct image_answer_row *rows;
    size_t n;
};
#define OF(member) RECORD_OF(struct images_reply, member)
RECORD(measures_images_record, struct images_reply, "measures_by_image", "What models say of a set image by image.",
       {"set", OF(set), .about = "The revision, SET/NUMBER."},
       {"subset", OF(subset), .about = "Of its images, as in addresses; empty: all."},
       {"labels", OF(labels), .about = "By which label source and rule answers are right, SOURCE/NUMBER:RULE; empty: the set's own labels."},
       {"top", OF(top), .about = "A prediction is right when the label is among its first so many."},
       {"models", OF(models), RECORD_TEXTS, .about = "The models that are asked: those that have predicted all of it."},
       {"left_out", OF(left_out), RECORD_TEXTS, .about = "Models that were asked for by name and have not."},
       {"images", OF(images), .about = "Images in the list."},
       {"sealed", OF(sealed), .about = "Images that a sealed revision has, which are not in the list."},
       {"items", RECORD_ROWS(struct images_reply, rows, n), .of = &image_answer_record, .about = "The first 10,000 of them, in the order asked for."});
#undef OF

/* GET /api/v1/measures/images */
enum err_code api_measures_images(struct ctx *c)
{
    struct shown s;
    struct images l;
    struct images_reply r;
    if (read_shown(c, &s) != OK || make_images(c, &s, &l) != OK || rows_from(c, &l, 0, ROWS_MOST, &r.rows, &r.n) != OK) {
        return c->err.code;
    }
    r.set = set_title(c->arena, &s.of.r);
    r.subset = s.of.subset.name;
    r.labels = s.of.subset.labels.name;
    r.top = s.of.q.top;
    r.models = answers_names(&s.of);
    r.left_out = answers_left_out(&s.of);
    r.images = (int64_t)l.n;
    r.sealed = l.sealed;
    return reply_json(c, 200, record_json(&measures_images_record, &r));
}

/* GET /api/v1/measures/images.csv */
enum err_code api_measures_images_csv(struct ctx *c)
{
    struct shown s;
    struct images l;
    struct image_answer_row *rows;
    size_t n = 0;
    enum err_code rc = read_shown(c, &s);
    rc = rc == OK ? make_images(c, &s, &l) : rc;
    rc = rc == OK ? rows_from(c, &l, 0, l.n, &rows, &n) : rc;
    return rc == OK ? reply_csv(c, "images.csv", &image_answer_record, rows, n) : rc;
}
