/* panel.c - one class of a set: what models and people say of its images, and some of them at each selection frequency. Rows in
 * routes.c; templates/measures/class. */
#include <math.h>

#include "json/object.h"
#include "measures/images/class_panel.h"
#include "store/images/images.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/records.h"
#include "web/core/reply.h"
#include "web/core/view_choice.h"
#include "web/measures/answers.h"
#include "web/measures/charts.h"
#include "web/measures/parts.h"
#include "web/parts/set_data.h"

static const char template[] = "measures/class";
static const char *const bins[PANEL_BINS] = {"0 to 0.2", "0.2 to 0.4", "0.4 to 0.6", "0.6 to 0.8", "0.8 to 1", "not asked"};

struct query {
    struct answers_query of;
    struct sv view; /* empty: default */
};
#define AT(member) .at = offsetof(struct query, member)
static const struct list_param params[] = {
    {"set", LIST_TEXT, AT(of.set)},       {"subset", LIST_TEXT, AT(of.subset)}, {"labels", LIST_TEXT, AT(of.labels)},
    {"models", LIST_TEXT, AT(of.models)}, {"view", LIST_TEXT, AT(view)},        {0},
};
static const struct list_table table = {params, sizeof(struct query), NULL, NULL};
static const struct query usual = {.of.top = 1};

struct label_row {
    struct sv wnid, synset;
    uint32_t answers, main, asked;
    double answers_share, main_share, frequency;
};
struct sample_row {
    struct sv image;
    int64_t id;
    const char *bin;
    uint32_t selected, shown, right, models;
    double frequency;
    bool has_file;
};
struct shown {
    struct query q;
    struct class_info k;
    struct answers of;
    struct sv view;
    struct class_panel p;
    struct label_row *labels;
    struct sample_row *images; /* of all bins, the highest first */
    size_t n_images;
};

static double share(uint32_t k, uint32_t n)
{
    return n ? (double)k / n : (double)NAN;
}

static enum err_code take_labels(struct ctx *c, struct shown *s)
{
    struct class_info *list;
    size_t n;
    enum err_code rc = classes_list(c->db, c->arena, &list, &n, &c->err);
    s->labels = arena_calloc(c->arena, s->p.n_labels + 1, sizeof *s->labels);
    for (size_t i = 0; i < s->p.n_labels && rc == OK; i++) {
        const struct panel_label *l = &s->p.labels[i];
        size_t at = 0;
        while (at < n && list[at].cid != l->cid) {
            at++;
        }
        s->labels[i] = (struct label_row){at < n ? list[at].wnid : SV(""), at < n ? list[at].synset : SV(""), l->answers, l->main, l->asked,
                                          share(l->answers, s->p.answers), share(l->main, s->p.main), l->frequency};
    }
    return rc;
}

/* By frequency, the highest bin first, what nobody was asked about last. */
static int bin_at(int i)
{
    return i + 1 < PANEL_BINS ? HISTOGRAM_BINS - 1 - i : HISTOGRAM_BINS;
}

static enum err_code take_images(struct ctx *c, struct shown *s)
{
    int64_t ids[PANEL_BINS * PANEL_SAMPLE];
    struct image_row *rows = arena_calloc(c->arena, PANEL_BINS * PANEL_SAMPLE, sizeof *rows);
    s->images = arena_calloc(c->arena, PANEL_BINS * PANEL_SAMPLE, sizeof *s->images);
    for (int i = 0; i < PANEL_BINS; i++) {
        for (size_t k = 0; k < s->p.n_sample[bin_at(i)]; k++) {
            const struct panel_image *from = &s->p.sample[bin_at(i)][k];
            ids[s->n_images] = from->image;
            s->images[s->n_images++] = (struct sample_row){.id = from->image, .bin = bins[bin_at(i)], .selected = from->selected, .shown = from->shown,
                                                           .right = from->right, .models = from->predicted,
                                                           .frequency = share(from->selected, from->shown)};
        }
    }
    enum err_code rc = images_names(c->db, ids, s->n_images, c->arena, rows, &c->err);
    for (size_t i = 0; i < s->n_images && rc == OK; i++) {
        s->images[i].image = rows[i].name;
        s->images[i].has_file = rows[i].source != 0;
    }
    return rc;
}

static enum err_code read_asked(struct ctx *c, struct shown *s)
{
    const struct counted_view *v;
    const unsigned with_main = 1u << LABEL_KIND_MAIN | 1u << LABEL_KIND_OBJECTS;
    s->q.of.wnid = s->k.wnid;
    enum err_code rc = s->q.of.labels.n ? OK : answers_usual_labels(c, s->q.of.set, with_main, &s->q.of.labels);
    rc = rc == OK ? answers_find(c, &s->q.of, &s->of) : rc;
    s->view = s->q.view.n ? s->q.view : SV("default");
    rc = rc == OK ? view_choice_get(c, s->view, &v) : rc;
    if (rc != OK) {
        return rc;
    }
    const struct class_panel_ask ask = {.revision = &s->of.r, .subset = &s->of.subset, .models = s->of.ids, .n_models = s->of.n,
                                        .votes = &v->counts, .class_id = s->k.id, .seed = PANEL_SEED};
    rc = class_panel_make(app_model_scores(c->app), c->db, &ask, c->arena, &s->p, &c->err);
    view_choice_put(v);
    rc = rc == OK ? take_labels(c, s) : rc;
    return rc == OK ? take_images(c, s) : rc;
}

static enum err_code read_shown(struct ctx *c, struct shown *s)
{
    *s = (struct shown){.q = usual};
    enum err_code rc = classes_find(c->db, c->req->params[0], c->arena, &s->k, &c->err);
    rc = rc == OK ? list_read(c, &table, &usual, &s->q) : rc;
    return rc == OK ? read_asked(c, s) : rc;
}

/* ---- the page ---- */

static const char *path_of(struct ctx *c, const struct shown *s)
{
    return arena_printf(c->arena, "/measures/classes/" SV_FMT, SV_ARG(s->k.wnid));
}

static const char *percent(struct ctx *c, double v)
{
    return isnan(v) ? NULL : arena_printf(c->arena, "%.1f", 100 * v);
}

static json_t *label_json(struct ctx *c, const struct shown *s, const struct label_row *l)
{
    const struct images_link link = {.of = s->q.of, .said = l->wnid};
    return object(field_json("label", class_named_json(c, l->wnid, l->synset, true)), field_bool("own", sv_eq(l->wnid, s->k.wnid)),
                  field_text("answers", percent(c, l->answers_share)), field_text("main", percent(c, l->main_share)),
                  field_text("frequency", isnan(l->frequency) ? NULL : arena_printf(c->arena, "%.2f", l->frequency)),
                  field_text("asked", data_count(c->arena, l->asked)),
                  field_text("url", l->answers && l->wnid.n ? measures_images_url(c, &link) : NULL));
}

static json_t *image_json(struct ctx *c, const struct sample_row *r)
{
    const char *url = arena_printf(c->arena, "/images/%lld", (long long)r->id);
    return object(field_sv("name", r->image), field_text("url", url), field_text("thumb_url", r->has_file ? arena_printf(c->arena, "%s/grid", url) : NULL),
                  field_bool("hidden", app_image_hidden(c->app, r->id)),
                  field_text("frequency", isnan(r->frequency) ? NULL : arena_printf(c->arena, "%.2f", r->frequency)),
                  field_int("selected", r->selected), field_int("shown", r->shown), field_int("right", r->right), field_int("models", r->models));
}

static const char *counted(struct ctx *c, uint32_t n)
{
    return arena_printf(c->arena, "%s image%s", data_count(c->arena, n), n == 1 ? "" : "s");
}

/* [{label, count, cards}] of the bins that have images. */
static json_t *bins_json(struct ctx *c, const struct shown *s)
{
    json_t *list = json_array();
    size_t at = 0;
    for (int i = 0; i < PANEL_BINS; i++) {
        json_t *cards = json_array();
        for (size_t k = 0; k < s->p.n_sample[bin_at(i)]; k++) {
            json_array_append_new(cards, image_json(c, &s->images[at++]));
        }
        if (json_array_size(cards)) {
            object_add(list, field_text("label", bins[bin_at(i)]), field_bool("asked", bin_at(i) < HISTOGRAM_BINS),
                       field_int("id", bin_at(i)), field_text("count", counted(c, s->p.in_bin[bin_at(i)])), field_json("cards", cards));
        } else {
            json_decref(cards);
        }
    }
    return list;
}

/* GET /measures/classes/:wnid?set=&subset=&labels=&models=&view= */
enum err_code page_measures_class(struct ctx *c)
{
    struct shown s;
    enum err_code rc = read_shown(c, &s);
    const char *path = s.k.wnid.n ? path_of(c, &s) : NULL;
    if (rc != OK) {
        return path ? answers_none(c, &s.q.of, path, template, "Measures of a class") : rc;
    }
    const char *name = data_class_name(c->arena, s.k.synset, s.k.wnid);
    const struct chart_ask ask = {.set = sv_of(set_title(c->arena, &s.of.r)), .subset = s.q.of.subset, .labels = s.q.of.labels,
                                  .models = s.q.of.models, .wnid = s.k.wnid, .view = s.q.view};
    json_t *views = measures_views(c, s.view), *chart = views ? charts_data(c, "measures-class", &ask) : NULL;
    json_t *page = chart ? answers_form(c, &s.of, path, s.p.sealed, NULL) : NULL;
    if (!page) {
        json_decref(views);
        json_decref(chart);
        return c->err.code;
    }
    json_t *labels = json_array();
    for (size_t i = 0; i < s.p.n_labels; i++) {
        json_array_append_new(labels, label_json(c, &s, &s.labels[i]));
    }
    json_object_update_new(
        page, object(field_bool("any_views", true), field_json("views", views), field_bool("asks_class", false), field_text("name", name),
                     field_sv("wnid", s.k.wnid), field_text("class_url", arena_printf(c->arena, "/classes/" SV_FMT, SV_ARG(s.k.wnid))),
                     field_text("images", counted(c, s.p.images)), field_bool("list", s.p.images > 0),
                     field_text("main_by", s.p.main ? arena_cstr(c->arena, s.of.subset.labels.version.name) : NULL),
                     field_text("main_known", data_count(c->arena, s.p.main)), field_sv("view", s.view), field_json("chart", chart),
                     field_json("rows", labels), field_text("more", s.p.n_said > s.p.n_labels ? data_count(c->arena, (int64_t)(s.p.n_said - s.p.n_labels)) : NULL),
                     field_json("bins", bins_json(c, &s)),
                     field_text("json_url", list_url(c, &table, arena_printf(c->arena, "/api/v1%s", path), &usual, &s.q, false))));
    return reply_page(c, 200, template, arena_printf(c->arena, "Measures of %s", name), page);
}

/* ---- for scripts ---- */

#define OF(member) RECORD_OF(struct label_row, member)
static RECORD(panel_label_record, struct label_row, "label_of_class", "A label that models or people give images of a class.",
              {"wnid", OF(wnid), .maybe = true, .about = "The label; null: a class that the project has not."},
              {"synset", OF(synset), .maybe = true, .about = "What it is called, several words with | between them."},
              {"answers", OF(answers), .about = "First answers of models that say it."},
              {"answers_share", OF(answers_share), .maybe = true, .about = "Of all about these images, from 0 to 1; null: there are none."},
              {"main", OF(main), .about = "Images whose main object it is."},
              {"main_share", OF(main_share), .maybe = true, .about = "Of those whose main object is known; null: of none."},
              {"asked", OF(asked), .about = "Images about which people were asked whether it is in them."},
              {"frequency", OF(frequency), .maybe = true, .about = "Mean selection frequency over these; null: none."});
#undef OF
#define OF(member) RECORD_OF(struct sample_row, member)
static RECORD(panel_image_record, struct sample_row, "image_of_class", "An image of a class, drawn among those of its selection frequency.",
              {"id", OF(id), .about = "Its number, as in /images/ID."}, {"image", OF(image), .about = "Its name."},
              {"bin", OF(bin), .about = "Of selection frequency, as the page says it."},
              {"selected", OF(selected), .about = "People who found the class in it."}, {"shown", OF(shown), .about = "People who were asked."},
              {"frequency", OF(frequency), .maybe = true, .about = "selected of shown; null: nobody was asked."},
              {"right", OF(right), .about = "Models that say the class first."}, {"models", OF(models), .about = "Models that have predicted it."});
#undef OF

struct panel_reply {
    const char *set;
    struct sv wnid, subset, labels, view;
    json_t *models, *left_out;
    uint32_t images, answers, main_known, sealed;
    struct label_row *rows;
    size_t n;
    struct sample_row *sample;
    size_t n_sample;
};
#define OF(member) RECORD_OF(struct panel_reply, member)
RECORD(measures_class_record, struct panel_reply, "class_of_set", "What models and people say of the images of a class.",
       {"set", OF(set), .about = "The revision, SET/NUMBER."},
       {"wnid", OF(wnid), .about = "The class."},
       {"subset", OF(subset), .about = "Of the set's images, as in addresses."},
       {"labels", OF(labels), .about = "The label source that says which object is the main one; empty: none, it is not known."},
       {"view", OF(view), .about = "The vote view whose answers count."},
       {"models", OF(models), RECORD_TEXTS, .about = "The models that are asked: those that have predicted all of it."},
       {"left_out", OF(left_out), RECORD_TEXTS, .about = "Models that were asked for by name and have not."},
       {"images", OF(images), .about = "Images of the class."},
       {"answers", OF(answers), .about = "First answers of models about them."},
       {"main_known", OF(main_known), .about = "Those of them whose main object is known."},
       {"sealed", OF(sealed), .about = "Images that a sealed revision has, which are not counted."},
       {"said", RECORD_ROWS(struct panel_reply, rows, n), .of = &panel_label_record, .about = "The class, then the labels with the most answers or main objects, at most 11."},
       {"sample", RECORD_ROWS(struct panel_reply, sample, n_sample), .of = &panel_image_record, .about = "At most 8 images of each fifth of selection frequency, always the same ones."});
#undef OF

/* GET /api/v1/measures/classes/:wnid */
enum err_code api_measures_class(struct ctx *c)
{
    struct shown s;
    if (read_shown(c, &s) != OK) {
        return c->err.code;
    }
    const struct panel_reply r = {set_title(c->arena, &s.of.r), s.k.wnid, s.of.subset.name, s.of.subset.labels.name, s.view, answers_names(&s.of),
                                  answers_left_out(&s.of), s.p.images, s.p.answers, s.p.main, s.p.sealed, s.labels, s.p.n_labels, s.images, s.n_images};
    return reply_json(c, 200, record_json(&measures_class_record, &r));
}

/* ---- the chart ---- */

enum err_code chart_measures_class(struct ctx *c, const struct chart_ask *ask, struct chart **out)
{
    struct shown s = {.q = usual};
    const char *names[PANEL_LABELS];
    double v[3][PANEL_LABELS];
    s.q.of.set = ask->set;
    s.q.of.subset = ask->subset;
    s.q.of.labels = ask->labels;
    s.q.of.models = ask->models;
    s.q.view = ask->view;
    if (classes_find(c->db, ask->wnid, c->arena, &s.k, &c->err) != OK || read_asked(c, &s) != OK) {
        return c->err.code;
    }
    for (size_t i = 0; i < s.p.n_labels; i++) {
        const struct label_row *l = &s.labels[i];
        names[i] = l->wnid.n ? data_class_name(c->arena, l->synset, l->wnid) : "not in the project";
        v[0][i] = l->answers_share;
        v[1][i] = l->main_share;
        v[2][i] = l->frequency;
    }
    const struct chart_options o = {
        .title = arena_printf(c->arena, "Images of %s, %s", data_class_name(c->arena, s.k.synset, s.k.wnid), set_title(c->arena, &s.of.r)),
        .description = "By label: the share of models' first answers, of images whose main object it is, and the mean selection frequency.",
        .empty = s.p.images ? NULL : "The set has no image of the class.",
        .x = {.label = "Label", .form = CHART_COUNT, .names = names, .n_names = s.p.n_labels},
        .y = {.label = "Share", .form = CHART_SHARE, .hi = 1}};
    *out = chart_new(c->arena, &o);
    if (s.p.answers) {
        chart_bars(*out, "Models say it", s.p.n_labels, v[0]);
    }
    if (s.p.main) {
        chart_bars(*out, "Main object", s.p.n_labels, v[1]);
    }
    chart_bars(*out, "Selection frequency", s.p.n_labels, v[2]);
    return OK;
}
