/* images.c - what models say of a set image by image (missed by all, hardest, most disputed), and which classes they take
 * for which: pages, JSON, CSV. Rows in routes.c; templates/measures/images, confusions. */
#include <math.h>

#include "base/sorted.h"
#include "json/object.h"
#include "measures/images/image_answers_rows.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/records.h"
#include "web/core/reply.h"
#include "web/measures/charts.h"
#include "web/measures/parts.h"
#include "web/parts/model_choice.h"
#include "web/parts/set_data.h"

enum { IMAGES_A_PAGE = 48, ROWS_MOST = 10000 /* of one reply */, PAIRS_A_PAGE = 100, PAIRS_MOST = 1000 };

/* ---- what is asked for ---- */

enum image_sort { SORT_RIGHT, SORT_DISAGREEMENT, SORT_ID };
enum image_show { SHOW_ALL, SHOW_MISSED, SHOW_DISPUTED };
struct query {
    struct sv set, subset, models, wnid, said; /* wnid: images of that class; said: about which a model says this one */
    int top, show, sort;
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
#define SET_PARAMS                                                                                                     \
    {"set", LIST_TEXT, AT(set)}, {"top", LIST_WORD, AT(top), .words = measures_tops}, {"subset", LIST_TEXT, AT(subset)}, \
        {"models", LIST_TEXT, AT(models)}
static const struct list_param params[] = {
    SET_PARAMS,
    {"class", LIST_TEXT, AT(wnid)},
    {"said", LIST_TEXT, AT(said)},
    {"show", LIST_WORD, AT(show), .words = shows, .chips = "Which images"},
    {"sort", LIST_WORD, AT(sort), .words = sorts, .chips = "Order"},
    {"order", LIST_ORDER, AT(falling)},
    {"page", LIST_NUMBER, AT(page), .least = 1, .most = INT32_MAX, .moment = true},
    {0},
};
static const struct list_table table = {params, sizeof(struct query), &params[7], falls};
static const struct list_param pair_params[] = {
    SET_PARAMS,
    {"class", LIST_TEXT, AT(wnid)},
    {"page", LIST_NUMBER, AT(page), .least = 1, .most = INT32_MAX, .moment = true},
    {0},
};
static const struct list_table pair_table = {pair_params, sizeof(struct query), NULL, NULL};
static const struct query usual = {.top = 1, .page = 1};

/* A set, a part of its images, and the models that count: those (of the named) that have predicted all of it. */
struct shown {
    struct query q;
    struct revision_row r;
    struct subset subset, said; /* subset: with the class that is asked for */
    int64_t *models;
    json_t *names, *left_out;
    size_t n_models;
};

static enum err_code class_subset(struct ctx *c, struct sv wnid, struct subset *out)
{
    return set_part_asked(c, sv_of(arena_printf(c->arena, "class:" SV_FMT, SV_ARG(wnid))), SV(""), out);
}

static enum err_code choose_models(struct ctx *c, struct shown *s)
{
    struct model_row *list;
    struct model_set set;
    size_t n;
    if (models_named(c->db, s->q.models, c->arena, &list, &n, &c->err) != OK || model_set_of(c, &s->r, &s->subset, &set) != OK) {
        return c->err.code;
    }
    s->names = json_array();
    s->left_out = json_array();
    s->models = arena_calloc(c->arena, n + 1, sizeof *s->models);
    for (size_t i = 0; i < n; i++) {
        bool counts = model_score_complete(set_score_of(set.scores, set.n, list[i].id), s->q.top);
        if (counts) {
            s->models[s->n_models++] = list[i].id;
        }
        if (counts || s->q.models.n) {
            json_array_append_new(counts ? s->names : s->left_out, data_text(list[i].name));
        }
    }
    return OK;
}

/* What s->q asks for. */
static enum err_code read_asked(struct ctx *c, struct shown *s)
{
    if (set_to_score(c, s->q.set, &s->r) != OK) {
        return c->err.code;
    }
    struct sv part = s->q.subset;
    if (s->q.wnid.n) {
        part = sv_of(arena_printf(c->arena, SV_FMT "%sclass:" SV_FMT, SV_ARG(part), part.n ? "," : "", SV_ARG(s->q.wnid)));
    }
    if (set_part_asked(c, part, SV(""), &s->subset) != OK ||
        (s->q.said.n && class_subset(c, s->q.said, &s->said) != OK)) {
        return c->err.code;
    }
    return choose_models(c, s);
}

static enum err_code read_shown(struct ctx *c, const struct list_table *t, struct shown *s)
{
    *s = (struct shown){.n_models = 0};
    return list_read(c, t, &usual, &s->q) == OK ? read_asked(c, s) : c->err.code;
}

static struct image_answers_ask ask_of(const struct shown *s)
{
    return (struct image_answers_ask){.revision = &s->r, .subset = &s->subset, .models = s->models, .n_models = s->n_models,
                                      .top = s->q.top, .said = s->q.said.n ? &s->said : NULL};
}

static void drop(struct shown *s)
{
    json_decref(s->names);
    json_decref(s->left_out);
}

/* ---- images ---- */

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
    const struct image_answers_ask ask = ask_of(s);
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

static const char *url_of(struct ctx *c, const char *path, const struct query *q)
{
    return list_url(c, &table, path, &usual, q, false);
}

const char *measures_images_url(struct ctx *c, const struct measures_query *q, struct sv set, struct sv wnid)
{
    struct query images = usual;
    images.set = set;
    images.top = q->top;
    images.subset = q->subset;
    images.models = q->models;
    images.wnid = wnid;
    return url_of(c, "/measures/images", &images);
}

static json_t *class_json(struct ctx *c, struct sv wnid)
{
    return wnid.n ? object(field_text("name", data_class_called(c, wnid)), field_sv("wnid", wnid),
                           field_text("url", arena_printf(c->arena, "/classes/" SV_FMT, SV_ARG(wnid))))
                  : json_null();
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

/* [{value, label, current}] of the sets that may be chosen. NULL with c->err set. */
static json_t *sets_json(struct ctx *c, const struct shown *s)
{
    struct revision_row *list;
    size_t n;
    if (revisions_list(c->db, 0, c->arena, &list, &n, &c->err) != OK) {
        return NULL;
    }
    json_t *sets = json_array();
    for (size_t i = 0; i < n; i++) {
        const char *name = set_title(c->arena, &list[i]);
        if (set_scoreable(&list[i])) {
            object_add(sets, field_text("value", name), field_text("label", name), field_bool("current", list[i].id == s->r.id));
        }
    }
    return sets;
}

static json_t *subsets_json(const struct query *q)
{
    json_t *list = json_array();
    bool usual_one = false;
    for (const struct subset_choice *s = subset_choices; s->name; s++) {
        bool current = sv_is(q->subset, s->name);
        usual_one = usual_one || current;
        object_add(list, field_text("value", s->name), field_text("label", s->label), field_bool("current", current));
    }
    if (!usual_one) {
        object_add(list, field_sv("value", q->subset), field_sv("label", q->subset), field_bool("current", true));
    }
    return list;
}

/* What both pages show of what is asked for; the references are taken. NULL with c->err set. */
static json_t *page_json(struct ctx *c, struct shown *s, const char *path, uint32_t sealed)
{
    const struct measures_query pair = {.top = s->q.top, .subset = s->q.subset, .models = s->q.models};
    json_t *sets = sets_json(c, s);
    if (!sets) {
        return NULL;
    }
    return object(field_json("sections", measures_tabs(c, &pair, path)), field_text("action", path), field_json("sets", sets),
                  field_json("subsets", subsets_json(&s->q)), field_sv("models", s->q.models), field_sv("class", s->q.wnid),
                  field_sv("said", s->q.said), field_bool("top5", s->q.top == 5), field_text("set", set_title(c->arena, &s->r)),
                  field_text("set_url", set_url(c->arena, &s->r)), field_bool("any", s->n_models > 0),
                  field_text("counted", arena_printf(c->arena, "%zu model%s", s->n_models, s->n_models == 1 ? "" : "s")),
                  field_json("left_out", json_incref(s->left_out)), field_bool("any_left_out", json_array_size(s->left_out) > 0),
                  field_text("sealed", sealed ? data_count(c->arena, sealed) : NULL));
}

/* GET /measures/images?set=&top=&subset=&models=&class=&said=&show=&sort=&order=&page= */
enum err_code page_measures_images(struct ctx *c)
{
    static const char path[] = "/measures/images";
    struct shown s;
    struct images l;
    struct image_answer_row *rows;
    size_t n = 0;
    if (read_shown(c, &table, &s) != OK || make_images(c, &s, &l) != OK) {
        drop(&s);
        return c->err.code;
    }
    const struct list_page part = list_page_of((int64_t)l.n, IMAGES_A_PAGE, s.q.page);
    json_t *page = rows_from(c, &l, part.skip, part.most, &rows, &n) == OK ? page_json(c, &s, path, l.sealed) : NULL;
    drop(&s);
    if (!page) {
        return c->err.code;
    }
    json_t *cards = json_array();
    for (size_t i = 0; i < n; i++) {
        json_array_append_new(cards, card_json(c, &rows[i]));
    }
    json_object_update_new(page, object(field_json("cards", cards), field_text("count", data_count(c->arena, (int64_t)l.n)),
                                        field_json("chips", list_chips(c, &table, path, &s.q)),
                                        field_json("pages", list_page_links(c, &part, url_of(c, path, &s.q), "#images")),
                                        field_text("pages_label", "Pages of images"),
                                        field_text("json_url", url_of(c, "/api/v1/measures/images", &s.q)),
                                        field_text("csv_url", url_of(c, "/api/v1/measures/images.csv", &s.q))));
    return reply_page(c, 200, "measures/images", "Measures by image", page);
}

struct images_reply {
    const char *set;
    struct sv subset;
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
    if (read_shown(c, &table, &s) != OK || make_images(c, &s, &l) != OK ||
        rows_from(c, &l, 0, ROWS_MOST, &r.rows, &r.n) != OK) {
        drop(&s);
        return c->err.code;
    }
    r.set = set_title(c->arena, &s.r);
    r.subset = s.subset.name;
    r.top = s.q.top;
    r.models = s.names;
    r.left_out = s.left_out;
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
    enum err_code rc = read_shown(c, &table, &s);
    rc = rc == OK ? make_images(c, &s, &l) : rc;
    rc = rc == OK ? rows_from(c, &l, 0, l.n, &rows, &n) : rc;
    drop(&s);
    return rc == OK ? reply_csv(c, "images.csv", &image_answer_record, rows, n) : rc;
}

/* ---- classes for classes ---- */

static enum err_code make_pairs(struct ctx *c, const struct shown *s, struct confusions *out, struct confusion_row **rows)
{
    const struct image_answers_ask ask = ask_of(s);
    enum err_code rc = confusions_make(app_model_scores(c->app), c->db, &ask, PAIRS_MOST, c->arena, out, &c->err);
    return rc == OK ? confusion_rows(c->db, out, c->arena, rows, &c->err) : rc;
}

static json_t *pair_json(struct ctx *c, const struct shown *s, const struct confusion_row *r)
{
    struct query images = s->q;
    images.wnid = r->wnid;
    images.said = r->said;
    return object(field_json("label", class_json(c, r->wnid)), field_json("said", class_json(c, r->said)),
                  field_text("answers", data_count(c->arena, r->answers)), field_text("of", data_count(c->arena, r->of_answers)),
                  field_text("share", arena_printf(c->arena, "%.1f", 100 * r->share)), field_text("images", data_count(c->arena, r->images)),
                  field_text("images_url", r->said.n ? url_of(c, "/measures/images", &images) : NULL));
}

/* GET /measures/confusions?set=&top=&subset=&models=&class=&page= */
enum err_code page_measures_confusions(struct ctx *c)
{
    static const char path[] = "/measures/confusions";
    struct shown s;
    struct confusions found;
    struct confusion_row *rows;
    if (read_shown(c, &pair_table, &s) != OK || make_pairs(c, &s, &found, &rows) != OK) {
        drop(&s);
        return c->err.code;
    }
    const struct chart_ask ask = {.set = sv_of(set_title(c->arena, &s.r)), .subset = s.q.subset, .models = s.q.models, .wnid = s.q.wnid};
    json_t *chart = charts_data(c, "measures-confusions", &ask), *page = chart ? page_json(c, &s, path, found.sealed) : NULL;
    drop(&s);
    if (!page) {
        json_decref(chart);
        return c->err.code;
    }
    const struct list_page part = list_page_of((int64_t)found.n, PAIRS_A_PAGE, s.q.page);
    json_t *list = json_array();
    for (size_t i = part.skip; i < found.n && i < part.skip + part.most; i++) {
        json_array_append_new(list, pair_json(c, &s, &rows[i]));
    }
    const char *base = list_url(c, &pair_table, path, &usual, &s.q, false);
    json_object_update_new(page, object(field_json("rows", list), field_json("chart", chart), field_text("count", data_count(c->arena, (int64_t)found.pairs)),
                                        field_text("first", found.n < found.pairs ? data_count(c->arena, (int64_t)found.n) : NULL),
                                        field_json("pages", list_page_links(c, &part, base, "#pairs")),
                                        field_text("pages_label", "Pages of pairs"),
                                        field_text("json_url", list_url(c, &pair_table, "/api/v1/measures/confusions", &usual, &s.q, false)),
                                        field_text("csv_url", list_url(c, &pair_table, "/api/v1/measures/confusions.csv", &usual, &s.q, false))));
    return reply_page(c, 200, "measures/confusions", "Confusions", page);
}

struct confusions_reply {
    const char *set;
    struct sv subset;
    json_t *models, *left_out;
    int64_t pairs;
    uint32_t sealed;
    struct confusion_row *rows;
    size_t n;
};
#define OF(member) RECORD_OF(struct confusions_reply, member)
RECORD(measures_confusions_record, struct confusions_reply, "confusions", "Which classes of a set models take for which.",
       {"set", OF(set), .about = "The revision, SET/NUMBER."},
       {"subset", OF(subset), .about = "Of its images, as in addresses; empty: all."},
       {"models", OF(models), RECORD_TEXTS, .about = "The models that are asked: those that have predicted all of it."},
       {"left_out", OF(left_out), RECORD_TEXTS, .about = "Models that were asked for by name and have not."},
       {"pairs", OF(pairs), .about = "Pairs of a label and another class that is said first."},
       {"sealed", OF(sealed), .about = "Images that a sealed revision has, which are not counted."},
       {"items", RECORD_ROWS(struct confusions_reply, rows, n), .of = &confusion_record, .about = "The 1,000 with the most answers, the most first."});
#undef OF

/* GET /api/v1/measures/confusions */
enum err_code api_measures_confusions(struct ctx *c)
{
    struct shown s;
    struct confusions found;
    struct confusions_reply r;
    if (read_shown(c, &pair_table, &s) != OK || make_pairs(c, &s, &found, &r.rows) != OK) {
        drop(&s);
        return c->err.code;
    }
    r.set = set_title(c->arena, &s.r);
    r.subset = s.subset.name;
    r.models = s.names;
    r.left_out = s.left_out;
    r.pairs = (int64_t)found.pairs;
    r.sealed = found.sealed;
    r.n = found.n;
    return reply_json(c, 200, record_json(&measures_confusions_record, &r));
}

/* GET /api/v1/measures/confusions.csv */
enum err_code api_measures_confusions_csv(struct ctx *c)
{
    struct shown s;
    struct confusions found;
    struct confusion_row *rows;
    enum err_code rc = read_shown(c, &pair_table, &s);
    rc = rc == OK ? make_pairs(c, &s, &found, &rows) : rc;
    drop(&s);
    return rc == OK ? reply_csv(c, "confusions.csv", &confusion_record, rows, found.n) : rc;
}

/* ---- the chart ---- */

enum { CELLS = 20 };

/* The classes of the pairs with the most answers, at most CELLS, each once. */
static size_t most_confused(const struct confusion_row *rows, size_t n, const struct confusion_row *label[CELLS])
{
    size_t found = 0;
    for (size_t i = 0; i < n && found + 1 < CELLS; i++) {
        for (int side = 0; side < 2 && rows[i].said.n; side++) {
            struct sv wnid = side ? rows[i].said : rows[i].wnid;
            size_t at = 0, named = 0;
            while (at < found && !sv_eq(label[at]->wnid, wnid)) {
                at++;
            }
            while (named < n && !sv_eq(rows[named].wnid, wnid)) {
                named++;
            }
            if (at == found && named < n) {
                label[found++] = &rows[named];
            }
        }
    }
    return found;
}

/* Of the answers about `label` the share that says `said`; what no pair says is right. */
static double share_of(const struct confusion_row *rows, size_t n, const struct confusion_row *label, struct sv said)
{
    bool right = sv_eq(label->wnid, said);
    double share = right ? 1 : 0;
    for (size_t i = 0; i < n; i++) {
        if (sv_eq(rows[i].wnid, label->wnid) && (right || sv_eq(rows[i].said, said))) {
            share += right ? -rows[i].share : rows[i].share;
        }
    }
    return share > 0 ? share : 0;
}

static void add_cells(struct ctx *c, struct chart *chart, const struct confusion_row *rows, size_t n,
                      const struct confusion_row *const *label, size_t n_labels)
{
    double *v = arena_calloc(c->arena, n_labels + 1, sizeof *v);
    for (size_t k = 0; k < n_labels; k++) {
        for (size_t i = 0; i < n_labels; i++) {
            v[i] = share_of(rows, n, label[i], label[k]->wnid);
        }
        chart_cells(chart, data_class_name(c->arena, label[k]->synset, label[k]->wnid), n_labels, v);
    }
}

enum err_code chart_measures_confusions(struct ctx *c, const struct chart_ask *ask, struct chart **out)
{
    struct shown s = {.q = usual};
    struct confusions found;
    struct confusion_row *rows;
    const struct confusion_row *label[CELLS];
    const char *names[CELLS];
    s.q.set = ask->set;
    s.q.subset = ask->subset;
    s.q.models = ask->models;
    s.q.wnid = ask->wnid;
    enum err_code rc = read_asked(c, &s);
    const struct image_answers_ask of = ask_of(&s);
    rc = rc == OK ? confusions_make(app_model_scores(c->app), c->db, &of, SIZE_MAX, c->arena, &found, &c->err) : rc;
    rc = rc == OK ? confusion_rows(c->db, &found, c->arena, &rows, &c->err) : rc;
    drop(&s);
    if (rc != OK) {
        return rc;
    }
    size_t n = most_confused(rows, found.n, label), n_own = 0;
    struct confusion_row *own = arena_calloc(c->arena, found.n + 1, sizeof *own);
    for (size_t i = 0; i < n; i++) {
        names[i] = data_class_name(c->arena, label[i]->synset, label[i]->wnid);
        for (size_t k = 0; k < found.n; k++) {
            if (sv_eq(rows[k].wnid, label[i]->wnid)) {
                own[n_own++] = rows[k];
            }
        }
    }
    const struct chart_options o = {
        .title = arena_printf(c->arena, "Most confused classes of %s", set_title(c->arena, &s.r)),
        .description = arena_printf(c->arena, "A row for each label: which share of the first answers of %zu model%s says the class of the column.",
                                    s.n_models, s.n_models == 1 ? "" : "s"),
        .empty = s.n_models ? "No model says another class first." : "No model has predicted all images yet.",
        .x = {.label = "Label", .form = CHART_COUNT, .names = names, .n_names = n},
        .y = {.label = "Share", .form = CHART_PERCENT}};
    *out = chart_new(c->arena, &o);
    add_cells(c, *out, own, n_own, label, n);
    return OK;
}
