/* discriminator.c - "Can a model tell them apart?": held-out accuracy with which a linear model tells a new set from the
 * originals, and the images that look most like either. Rows in routes.c; templates/sets/discriminator. The job is
 * `holdout discriminate`. */
#include <math.h>

#include "base/clock.h"
#include "json/object.h"
#include "store/models/features.h"
#include "store/models/models.h"
#include "store/sets/seals.h"
#include "web/core/lists.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/records.h"
#include "web/core/reply.h"
#include "web/parts/job_data.h"
#include "web/parts/set_data.h"
#include "web/sets/discriminator_data.h"

enum { CARDS = 12, ITEMS_USUAL = 100, ITEMS_MOST = 1000 };

static enum err_code load(struct ctx *c, struct discriminator_asked *d)
{
    struct revision_row fresh;
    enum err_code rc = set_asked(c, &fresh);
    return rc == OK ? discriminator_load(c, &fresh, sv_trim(request_query(c->req, "original")),
                                         sv_trim(request_query(c->req, "features")), d)
                    : rc;
}

/* ---- images ---- */

/* What is shown of an image; *left_out: a sealed revision has it since, so nothing is. */
static enum err_code find_image(struct ctx *c, const struct discriminator_image *from, struct image_row *image, bool *left_out)
{
    struct sv sealed;
    enum err_code rc = seals_of_image(c->db, from->image, c->arena, &sealed, &c->err);
    rc = rc == OK ? images_names(c->db, &from->image, 1, c->arena, image, &c->err) : rc;
    *left_out = rc == OK && (sealed.n > 0 || image->name.n == 0);
    return rc;
}

static json_t *card(struct ctx *c, const struct discriminator_image *from, const struct image_row *image)
{
    const char *url = arena_printf(c->arena, "/images/%lld", (long long)from->image);
    bool right = from->fresh ? from->score > 0 : from->score < 0;
    return object(field_sv("name", image->name), field_text("url", url),
                  field_text("thumb_url", image->source ? arena_printf(c->arena, "%s/grid", url) : NULL),
                  field_bool("hidden", app_image_hidden(c->app, from->image)), field_bool("is_new", from->fresh),
                  field_bool("right", right),
                  field_text("score", data_minus(c->arena, arena_printf(c->arena, "%+.2f", from->score))));
}

/* The most new-looking, or from the other end. New reference; NULL with c->err set. */
static json_t *cards_json(struct ctx *c, const struct discriminator *d, bool newest)
{
    json_t *cards = json_array();
    for (size_t i = 0; i < d->n && json_array_size(cards) < CARDS; i++) {
        const struct discriminator_image *from = &d->images[newest ? i : d->n - 1 - i];
        struct image_row image;
        bool left_out;
        if (find_image(c, from, &image, &left_out) != OK) {
            json_decref(cards);
            return NULL;
        }
        if (!left_out) {
            json_array_append_new(cards, card(c, from, &image));
        }
    }
    return cards;
}

/* ---- numbers ---- */

static const char *percent(struct ctx *c, double x)
{
    return arena_printf(c->arena, "%.1f", 100 * x);
}

static json_t *tiles_json(struct ctx *c, const struct discriminator *d)
{
    const struct separation *s = &d->all;
    struct arena *a = c->arena;
    json_t *tiles = json_array();
    data_tile(tiles, "Told apart", percent(c, s->accuracy),
              arena_printf(a, "%s\u2013%s; chance is 50", percent(c, s->of_accuracy.lo), percent(c, s->of_accuracy.hi)));
    data_tile_unit(tiles, json_string("%"));
    data_tile(tiles, "Area under the curve", isnan(s->auc) ? "\u2013" : arena_printf(a, "%.3f", s->auc),
              arena_printf(a, "%.3f\u2013%.3f; chance is 0.5", s->of_auc.lo, s->of_auc.hi));
    data_tile(tiles, "Images", data_count(a, (int64_t)d->n), "half of them new, as many of either set in each class");
    data_tile(tiles, "Groups", data_count(a, (int64_t)d->n_groups),
              d->unknown ? arena_printf(a, "of %s images neither uploader nor source is known", data_count(a, d->unknown))
                         : "by uploader, source and bytes");
    return tiles;
}

static const char *verdict(const struct discriminator *d)
{
    const struct interval *i = &d->all.of_accuracy;
    return i->lo > 0.5   ? "Images of the two sets differ in something that these features show."
           : i->hi < 0.5 ? "Below chance: the sets are not told apart, and the folds are too small or too few to say more."
                         : "The interval contains one half: by these features the sets are not told apart.";
}

static const char *number(struct ctx *c, double x)
{
    return isnan(x) ? "\u2013" : data_minus(c->arena, arena_printf(c->arena, "%.2f", x));
}

static const char *spread(struct ctx *c, const struct five_numbers *f)
{
    return arena_printf(c->arena, "%s \u00b7 %s \u00b7 %s \u00b7 %s \u00b7 %s", number(c, f->least), number(c, f->lower),
                        number(c, f->median), number(c, f->upper), number(c, f->most));
}

static json_t *folds_json(struct ctx *c, const struct discriminator *d)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < d->folds; i++) {
        const struct discriminator_fold *f = &d->by_fold[i];
        object_add(rows, field_int("fold", f->fold), field_text("images", data_count(c->arena, f->images)),
                   field_text("groups", data_count(c->arena, (int64_t)f->groups)),
                   field_text("accuracy", isnan(f->accuracy) ? "\u2013" : percent(c, f->accuracy)),
                   field_text("auc", isnan(f->auc) ? "\u2013" : arena_printf(c->arena, "%.3f", f->auc)),
                   field_text("lambda", arena_printf(c->arena, "%g", f->lambda)),
                   field_text("original", spread(c, &f->original)), field_text("fresh", spread(c, &f->fresh)));
    }
    return rows;
}

static const char *left_out_text(struct ctx *c, const struct discriminator *d)
{
    struct arena *a = c->arena;
    return d->in_both + d->without_features + d->sealed + d->surplus == 0
               ? NULL
               : arena_printf(a, "Left out: %s in both sets, %s without such features, %s of a sealed set, %s beyond what the other set has "
                                 "in the class.",
                              data_count(a, d->in_both), data_count(a, d->without_features), data_count(a, d->sealed),
                              data_count(a, d->surplus));
}

/* ---- what can be asked for ---- */

static void add_choice(json_t *list, struct sv value, bool current)
{
    object_add(list, field_sv("value", value),
               field_sv("label", sv_is(value, DISCRIMINATOR_STATISTICS) ? SV("image statistics") : value),
               field_bool("current", current));
}

/* Statistics, models that have features, and what this result looked at. NULL with c->err set. */
static json_t *features_json(struct ctx *c, const struct discriminator_asked *d)
{
    struct model_row *models;
    size_t n;
    json_t *list = json_array();
    bool there = sv_is(d->features, DISCRIMINATOR_STATISTICS);
    enum err_code rc = models_list(c->db, false, c->arena, &models, &n, &c->err);
    add_choice(list, SV(DISCRIMINATOR_STATISTICS), there);
    for (size_t i = 0; i < n && rc == OK; i++) {
        struct feature_source f = {0};
        bool current = sv_eq(models[i].name, d->features);
        rc = features_newest(c->db, models[i].id, c->arena, &f, &c->err);
        if (f.rows > 0 || current) {
            add_choice(list, models[i].name, current);
        }
        there = there || current;
    }
    if (!there) {
        add_choice(list, d->features, true);
    }
    if (rc != OK) {
        json_decref(list);
        return NULL;
    }
    return list;
}

/* Revisions on which models may be scored, those of originals first. NULL with c->err set. */
static json_t *originals_json(struct ctx *c, const struct discriminator_asked *d)
{
    struct revision_row *list;
    size_t n;
    if (revisions_list(c->db, 0, c->arena, &list, &n, &c->err) != OK) {
        return NULL;
    }
    json_t *choices = json_array();
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < n; i++) {
            bool original = sv_is(list[i].role, "original");
            if (original == (side == 0) && list[i].id != d->fresh.id && set_scoreable(&list[i])) {
                add_choice(choices, sv_of(set_title(c->arena, &list[i])), list[i].id == d->original.id);
            }
        }
    }
    return choices;
}

/* ---- the page ---- */

static const char *query_of(struct ctx *c, const struct discriminator_asked *d)
{
    struct str s;
    str_init(&s, 4096);
    str_printf(&s, "original=%s&features=", set_title(c->arena, &d->original));
    for (size_t i = 0; i < d->features.n; i++) { /* "+" means a space in addresses */
        str_addz(&s, d->features.p[i] == '+' ? "%2B" : arena_printf(c->arena, "%c", d->features.p[i]));
    }
    const char *query = arena_cstr(c->arena, str_sv(&s));
    str_release(&s);
    return query;
}

static bool add_result(struct ctx *c, const struct discriminator_asked *d, json_t *page)
{
    const char *title = set_title(c->arena, &d->fresh), *original = set_title(c->arena, &d->original);
    const struct chart_ask ask = {.set = sv_of(title), .original = sv_of(original), .model = d->features};
    json_t *most_new = cards_json(c, &d->is, true);
    json_t *most_original = most_new ? cards_json(c, &d->is, false) : NULL;
    json_t *chart = most_original ? charts_data(c, "set-discriminator", &ask) : NULL;
    if (!chart) {
        json_decref(most_new);
        json_decref(most_original);
        return false;
    }
    char day[CLOCK_ISO_SIZE];
    json_object_set_new(page, "most_new", most_new);
    json_object_set_new(page, "most_original", most_original);
    json_object_set_new(page, "chart", chart);
    json_object_set_new(page, "tiles", tiles_json(c, &d->is));
    json_object_set_new(page, "folds", folds_json(c, &d->is));
    json_object_set_new(page, "verdict", json_string(verdict(&d->is)));
    const char *left_out = left_out_text(c, &d->is);
    json_object_set_new(page, "left_out", left_out ? json_string(left_out) : json_null());
    json_object_set_new(page, "made", json_string(arena_printf(c->arena, "Computed on %.10s; seed %lld, %zu folds, %s resamples of groups",
                                                               clock_iso(d->is.at, day), (long long)d->is.seed, d->is.folds,
                                                               data_count(c->arena, d->is.resamples))));
    json_object_set_new(page, "known", json_boolean(d->is.unknown == 0));
    return true;
}

/* GET /sets/:set/:revision/discriminator?original=&features= */
enum err_code page_discriminator(struct ctx *c)
{
    struct discriminator_asked d;
    if (load(c, &d) != OK) {
        return c->err.code;
    }
    json_t *originals = originals_json(c, &d), *features = originals ? features_json(c, &d) : NULL;
    if (!features) {
        json_decref(originals);
        return c->err.code;
    }
    const char *url = set_url(c->arena, &d.fresh), *title = set_title(c->arena, &d.fresh);
    json_t *page = object(
        field_text("name", title), field_text("url", url), field_text("original", set_title(c->arena, &d.original)),
        field_json("originals", originals), field_json("features", features), field_bool("found", d.found),
        field_sv("looks_at", d.features), field_bool("may_compute", c->user.role >= ROLE_LEAD),
        field_text("blind_url", arena_printf(c->arena, "%s/blind?original=%s", url, set_title(c->arena, &d.original))),
        field_text("json_url", d.found ? arena_printf(c->arena, "/api/v1%s/discriminator?%s", url, query_of(c, &d)) : NULL));
    if (d.found && !add_result(c, &d, page)) {
        json_decref(page);
        return c->err.code;
    }
    return reply_page(c, 200, "sets/discriminator", arena_printf(c->arena, "Can a model tell it apart? %s", title), page);
}

/* POST /sets/:set/:revision/discriminator: original, features */
enum err_code page_discriminator_start(struct ctx *c)
{
    struct revision_row fresh, original;
    struct job_given given[3];
    int64_t id;
    struct sv features = sv_trim(form_get(&c->form, "features"));
    enum err_code rc = set_asked(c, &fresh);
    rc = rc == OK ? revisions_find(c->db, sv_trim(form_get(&c->form, "original")), c->arena, &original, &c->err) : rc;
    rc = rc == OK ? revision_may_be_scored(&fresh, &c->err) : rc;
    rc = rc == OK ? revision_may_be_scored(&original, &c->err) : rc;
    if (rc != OK) {
        return rc;
    }
    const char *title = set_title(c->arena, &fresh), *other = set_title(c->arena, &original);
    given[0] = (struct job_given){SV("original"), sv_of(other)};
    given[1] = (struct job_given){SV("new"), sv_of(title)};
    given[2] = (struct job_given){SV("features"), features.n ? features : SV(DISCRIMINATOR_STATISTICS)};
    rc = job_start(c, SV("discriminate"), given, 3, sv_of(arena_printf(c->arena, "Tell %s from %s", title, other)), &id);
    return rc == OK ? reply_did(c, job_url(c->arena, id), NULL, "Job %lld tries to tell %s from %s.", (long long)id, title, other) : rc;
}

/* ---- for scripts ---- */

struct item {
    int64_t number;
    struct sv image;
    const char *set;
    int64_t fold;
    double score;
};
#define OF(member) RECORD_OF(struct item, member)
static RECORD(item_record, struct item, "discriminator_item", "An image and its held-out score.",
              {"number", OF(number), .about = "The image's number, as in /images/NUMBER."},
              {"image", OF(image), .about = "Its name."},
              {"set", OF(set), .about = "new or original."},
              {"fold", OF(fold), .about = "The fold in which it was held out, from 1."},
              {"score", OF(score), .about = "Above 0: it looks new; 1 is a usual distance from undecided."});
#undef OF

struct discriminator_reply {
    struct discriminator is;
    json_t *items;
    int64_t next;
};
RECORD(discriminator_reply_record, struct discriminator_reply, "discriminator_of_set",
       "How well a linear model tells a set from originals, and images by their scores.",
       {NULL, RECORD_SELF, RECORD_BESIDE, .of = &discriminator_record},
       {"items", RECORD_OF(struct discriminator_reply, items), RECORD_LIST, .of = &item_record,
        .about = "Images, the most new-looking first; without those that a sealed revision has by now."},
       {"next", RECORD_OF(struct discriminator_reply, next), .about = "The cursor of the images that follow; 0: there are none."});

static enum err_code add_items(struct ctx *c, const struct discriminator *d, const struct cursor *at, json_t *items, int64_t *next)
{
    size_t i = (size_t)at->from;
    for (; i < d->n && i < (size_t)at->from + at->limit; i++) {
        const struct discriminator_image *from = &d->images[i];
        struct image_row image;
        bool left_out;
        enum err_code rc = find_image(c, from, &image, &left_out);
        if (rc != OK) {
            return rc;
        }
        if (!left_out) {
            const struct item item = {from->image, image.name, from->fresh ? "new" : "original", from->fold + 1, from->score};
            json_array_append_new(items, record_json(&item_record, &item));
        }
    }
    *next = i < d->n ? (int64_t)i : 0;
    return OK;
}

/* GET /api/v1/sets/:set/:revision/discriminator?original=&features=&after=&limit= */
enum err_code api_discriminator(struct ctx *c)
{
    struct discriminator_asked d;
    struct cursor at;
    if (cursor_read(c, "after", ITEMS_USUAL, ITEMS_MOST, &at) != OK || load(c, &d) != OK) {
        return c->err.code;
    }
    if (!d.found) {
        return discriminator_read(app_dir(c->app), &d.fresh, &d.original, d.features, c->arena, &d.is, &c->err);
    }
    struct discriminator_reply reply = {.is = d.is, .items = json_array()};
    if (add_items(c, &d.is, &at, reply.items, &reply.next) != OK) {
        json_decref(reply.items);
        return c->err.code;
    }
    return reply_json(c, 200, record_json(&discriminator_reply_record, &reply));
}
