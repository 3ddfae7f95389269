/* label_errors.c - labels of a set that are probably wrong, by what models say: page, JSON, CSV. Rows in routes.c;
 * templates/measures/label_errors. */
#include <math.h>

#include "json/object.h"
#include "measures/images/label_errors_rows.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/records.h"
#include "web/core/reply.h"
#include "web/measures/answers.h"
#include "web/measures/parts.h"
#include "web/parts/set_data.h"

enum { IMAGES_A_PAGE = 48, REVIEWED_FIRST = 200, ROWS_MOST = 10000 /* of one reply */ };
static const char path[] = "/measures/label-errors", template[] = "measures/label_errors", title[] = "Label errors";

struct query {
    struct answers_query of; /* top and labels mean nothing: labels are the set's, answers the first ones */
    int64_t page;
};
#define AT(member) .at = offsetof(struct query, member)
static const struct list_param params[] = {
    {"set", LIST_TEXT, AT(of.set)},       {"subset", LIST_TEXT, AT(of.subset)},
    {"models", LIST_TEXT, AT(of.models)}, {"class", LIST_TEXT, AT(of.wnid)},
    {"page", LIST_NUMBER, AT(page), .least = 1, .most = INT32_MAX, .moment = true}, {0},
};
static const struct list_table table = {params, sizeof(struct query), NULL, NULL};
static const struct query usual = {.of.top = 1, .page = 1};

struct shown {
    struct query q;
    struct answers of;
    struct label_errors found;
};

static enum err_code read_shown(struct ctx *c, struct shown *s)
{
    *s = (struct shown){.q = usual};
    enum err_code rc = list_read(c, &table, &usual, &s->q);
    rc = rc == OK ? answers_find(c, &s->q.of, &s->of) : rc;
    const struct label_errors_ask ask = {.revision = &s->of.r, .subset = &s->of.subset, .models = s->of.ids, .n_models = s->of.n};
    return rc == OK ? label_errors_make(app_model_scores(c->app), c->db, &ask, c->arena, &s->found, &c->err) : rc;
}

static const char *url_of(struct ctx *c, const char *to, const struct query *q)
{
    return list_url(c, &table, to, &usual, q, false);
}

/* ---- the page ---- */

static const char *share(struct ctx *c, double v)
{
    return isnan(v) ? NULL : arena_printf(c->arena, "%.3f", v);
}

static json_t *card_json(struct ctx *c, const struct label_error_row *r)
{
    const char *url = arena_printf(c->arena, "/images/%lld", (long long)r->id);
    return object(field_text("rank", data_count(c->arena, r->rank)), field_sv("name", r->image), field_text("url", url),
                  field_text("thumb_url", r->has_file ? arena_printf(c->arena, "%s/grid", url) : NULL),
                  field_bool("hidden", app_image_hidden(c->app, r->id)), field_bool("likely", r->likely),
                  field_json("label", class_json(c, r->wnid)), field_text("confidence", share(c, r->confidence)), field_int("say", r->say),
                  field_int("models", r->models), field_json("other", class_json(c, r->other)),
                  field_text("other_confidence", share(c, r->other_confidence)), field_int("other_say", r->other_say));
}

/* The form for a label review in this order, for those who may make one. */
static const char *review_url(struct ctx *c, const struct shown *s)
{
    unsigned n = s->found.n < REVIEWED_FIRST ? (unsigned)s->found.n : REVIEWED_FIRST;
    return c->user.role >= ROLE_LEAD && n ? arena_printf(c->arena, "/labels/new?set=%s&by=errors&images=%u&random=%u", set_title(c->arena, &s->of.r), n, n) : NULL;
}

/* GET /measures/label-errors?set=&subset=&models=&class=&page= */
enum err_code page_measures_label_errors(struct ctx *c)
{
    struct shown s;
    struct label_error_row *rows;
    if (read_shown(c, &s) != OK) {
        return answers_none(c, &s.q.of, path, template, title);
    }
    const struct list_page part = list_page_of((int64_t)s.found.n, IMAGES_A_PAGE, s.q.page);
    const size_t left = s.found.n - part.skip, n = left < IMAGES_A_PAGE ? left : IMAGES_A_PAGE;
    json_t *page = label_error_rows(c->db, &s.found, part.skip, n, c->arena, &rows, &c->err) == OK
                       ? answers_form(c, &s.of, path, s.found.sealed, NULL)
                       : NULL;
    if (!page) {
        return c->err.code;
    }
    json_t *cards = json_array();
    for (size_t i = 0; i < n; i++) {
        json_array_append_new(cards, card_json(c, &rows[i]));
    }
    json_object_update_new(page, object(field_bool("any_labels", false), field_json("cards", cards), field_text("count", data_count(c->arena, (int64_t)s.found.n)),
                                        field_text("likely", data_count(c->arena, s.found.likely)), field_bool("scored", s.found.scored > 0),
                                        field_text("n_scored", data_count(c->arena, s.found.scored)), field_text("n_models", data_count(c->arena, s.found.models)),
                                        field_json("no_models", s.found.models ? json_null() : measures_none_models(c, &s.of.r)),
                                        field_bool("list", s.found.models > 0), field_text("review_url", review_url(c, &s)),
                                        field_json("pages", list_page_links(c, &part, url_of(c, path, &s.q), "#images")),
                                        field_text("pages_label", "Pages of images"),
                                        field_text("json_url", url_of(c, "/api/v1/measures/label-errors", &s.q)),
                                        field_text("csv_url", url_of(c, "/api/v1/measures/label-errors.csv", &s.q))));
    return reply_page(c, 200, template, title, page);
}

/* ---- for scripts ---- */

struct errors_reply {
    const char *set;
    struct sv subset;
    json_t *models, *left_out;
    struct label_errors found;
    int64_t images;
    struct label_error_row *rows;
    size_t n;
};
#define OF(member) RECORD_OF(struct errors_reply, member)
RECORD(measures_label_errors_record, struct errors_reply, "label_errors", "Labels of a set that are probably wrong, by what models say.",
       {"set", OF(set), .about = "The revision, SET/NUMBER."}, {"subset", OF(subset), .about = "Of its images, as in addresses; empty: all."},
       {"models", OF(models), RECORD_TEXTS, .about = "The models that are asked: those that have predicted all of it."},
       {"left_out", OF(left_out), RECORD_TEXTS, .about = "Models that were asked for by name and have not."},
       {"scored", OF(found.scored), .about = "Those that carry probabilities; 0: the order is by how many models say the label."},
       {"images", OF(images), .about = "Images in the list."}, {"likely", OF(found.likely), .about = "Those whose label is likely wrong."},
       {"sealed", OF(found.sealed), .about = "Images that a sealed revision has, which are not in the list."},
       {"items", RECORD_ROWS(struct errors_reply, rows, n), .of = &label_error_record, .about = "The first 10,000 of them, the most doubtful label first."});
#undef OF

/* GET /api/v1/measures/label-errors */
enum err_code api_measures_label_errors(struct ctx *c)
{
    struct shown s;
    struct errors_reply r = {.n = 0};
    if (read_shown(c, &s) != OK) {
        return c->err.code;
    }
    r.n = s.found.n < ROWS_MOST ? s.found.n : ROWS_MOST;
    if (label_error_rows(c->db, &s.found, 0, r.n, c->arena, &r.rows, &c->err) != OK) {
        return c->err.code;
    }
    r.set = set_title(c->arena, &s.of.r);
    r.subset = s.of.subset.name;
    r.models = answers_names(&s.of);
    r.left_out = answers_left_out(&s.of);
    r.found = s.found;
    r.images = (int64_t)s.found.n;
    return reply_json(c, 200, record_json(&measures_label_errors_record, &r));
}

/* GET /api/v1/measures/label-errors.csv */
enum err_code api_measures_label_errors_csv(struct ctx *c)
{
    struct shown s;
    struct label_error_row *rows;
    enum err_code rc = read_shown(c, &s);
    rc = rc == OK ? label_error_rows(c->db, &s.found, 0, s.found.n, c->arena, &rows, &c->err) : rc;
    return rc == OK ? reply_csv(c, "label-errors.csv", &label_error_record, rows, s.found.n) : rc;
}
