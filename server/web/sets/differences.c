/* differences.c - "What differs": statistics of the pictures of a set against the originals,
 * over all classes and class by class, without models. Rows in routes.c;
 * templates/sets/differences.mustache. */
#include <math.h>
#include <stdlib.h>

#include "json/object.h"
#include "web/core/lists.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/records.h"
#include "web/core/reply.h"
#include "web/parts/set_data.h"
#include "web/sets/differences_data.h"

enum { CLASSES_A_PAGE = 100 };

struct differences_query {
    struct sv original;        /* as it was written */
    enum difference_stat stat; /* of the table by class */
    int64_t from;
};

static enum err_code read_query(struct ctx *c, struct differences_query *q)
{
    struct sv stat = request_query(c->req, "stat");
    *q = (struct differences_query){.original = sv_trim(request_query(c->req, "original")),
                                    .stat = stat.n ? difference_stat_of(stat) : 0};
    if (q->stat == DIFFERENCES) {
        return err_rule(&c->err, ERR_INPUT, "difference",
                        "stat must be brightness, saturation, sharpness, gray, pixels, form, bytes "
                        "or year.");
    }
    return list_from(c, &q->from);
}

static enum err_code load(struct ctx *c, const struct differences_query *q,
                          struct differences_asked *d)
{
    if (set_asked(c, &d->fresh) != OK || differences_original(c, q->original, &d->original) != OK) {
        return c->err.code;
    }
    return differences_make(c->db, &d->fresh, &d->original, c->arena, &d->is, &c->err);
}

static const char *original_name(struct ctx *c, const struct differences_asked *d)
{
    return d->original.id ? set_title(c->arena, &d->original) : "all";
}

static const char *stat_url(struct ctx *c, const struct differences_asked *d, enum difference_stat stat)
{
    return arena_printf(c->arena, "%s/differences?original=%s&stat=%s", set_url(c->arena, &d->fresh),
                        original_name(c, d), difference_words[stat].name);
}

/* ---- over all classes ---- */

/* What people say of a standardised difference; .1 is where balance checks begin to worry. */
static const char *size_of(const struct standardised *s)
{
    double d = fabs(s->d);
    return !s->known                  ? ""
           : s->lo <= 0 && s->hi >= 0 ? "not clearly different"
           : d < 0.1                  ? "negligible"
           : d < 0.5                  ? "small"
           : d < 0.8                  ? "medium"
                                      : "large";
}

static json_t *row_json(struct ctx *c, enum difference_stat stat, const struct difference *d)
{
    const struct difference_word *w = &difference_words[stat];
    json_t *row = differences_json(c->arena, stat, d);
    double apart = fabs(d->d.d);
    const char *none = "\xe2\x80\x93";
    json_object_set_new(row, "label", json_string(w->label));
    json_object_set_new(row, "unit", json_string(w->unit));
    json_object_set_new(
        row, "original_mean",
        json_string(d->original.n ? differences_mean(c->arena, stat, &d->original) : none));
    json_object_set_new(
        row, "new_mean",
        json_string(d->fresh.n ? differences_mean(c->arena, stat, &d->fresh) : none));
    json_object_set_new(row, "original_n",
                        json_string(data_count(c->arena, (int64_t)d->original.n)));
    json_object_set_new(row, "new_n", json_string(data_count(c->arena, (int64_t)d->fresh.n)));
    json_object_set_new(row, "known", json_boolean(d->d.known));
    json_object_set_new(row, "alike",
                        json_boolean(!d->d.known && d->original.n > 1 && d->fresh.n > 1));
    json_object_set_new(row, "size", json_string(size_of(&d->d)));
    json_object_set_new(row, "clear",
                        json_boolean(d->d.known && apart >= 0.1 && (d->d.lo > 0 || d->d.hi < 0)));
    return row;
}

static json_t *overall_json(struct ctx *c, const struct differences_asked *d)
{
    json_t *rows = json_array();
    for (int i = 0; i < DIFFERENCES; i++) {
        json_array_append_new(rows, row_json(c, (enum difference_stat)i, &d->is.overall[i]));
    }
    return rows;
}

/* ---- class by class ---- */

struct ranked {
    const struct class_differences *k;
    double apart;
};

/* The most different ones first, then by wnid; those of which nothing is known last. */
static int by_apart(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    return x->apart != y->apart ? (x->apart < y->apart) - (x->apart > y->apart)
                                : (x->k > y->k) - (x->k < y->k);
}

static struct ranked *rank(struct ctx *c, const struct differences *d, enum difference_stat stat)
{
    struct ranked *list = arena_calloc(c->arena, d->n_classes + 1, sizeof *list);
    for (size_t i = 0; i < d->n_classes; i++) {
        const struct standardised *s = &d->classes[i].stat[stat].d;
        list[i] = (struct ranked){&d->classes[i], s->known ? fabs(s->d) : -1};
    }
    qsort(list, d->n_classes, sizeof *list, by_apart);
    return list;
}

static json_t *class_rows(struct ctx *c, const struct differences *d,
                          const struct differences_query *q)
{
    const struct ranked *list = rank(c, d, q->stat);
    json_t *rows = json_array();
    for (size_t i = (size_t)q->from; i < d->n_classes && i < (size_t)q->from + CLASSES_A_PAGE;
         i++) {
        json_t *row = row_json(c, q->stat, &list[i].k->stat[q->stat]);
        json_object_set_new(row, "class", data_class(c->arena, &list[i].k->class_info));
        json_array_append_new(rows, row);
    }
    return rows;
}

static json_t *stats_json(struct ctx *c, const struct differences_asked *d,
                          enum difference_stat now)
{
    json_t *list = json_array();
    for (int i = 0; i < DIFFERENCES; i++) {
        object_add(list, field_text("label", difference_words[i].label),
                   field_text("url", arena_printf(c->arena, "%s&from=0#classes",
                                                  stat_url(c, d, (enum difference_stat)i))),
                   field_bool("current", now == (enum difference_stat)i));
    }
    return list;
}

/* ---- the page ---- */

/* Sets of originals to compare with, and all originals of the project. NULL with c->err set. */
static json_t *choices_json(struct ctx *c, const struct differences_asked *d)
{
    struct revision_row *list;
    size_t n;
    if (revisions_list(c->db, 0, c->arena, &list, &n, &c->err) != OK) {
        return NULL;
    }
    json_t *choices = json_array();
    for (size_t i = 0; i < n; i++) {
        if (sv_is(list[i].role, "original")) {
            const char *name = set_title(c->arena, &list[i]);
            object_add(choices, field_text("value", name), field_text("label", name),
                       field_bool("current", list[i].id == d->original.id));
        }
    }
    object_add(choices, field_text("value", "all"),
               field_text("label", "all originals of the project"),
               field_bool("current", d->original.id == 0));
    return choices;
}

static const char *unmeasured_text(struct ctx *c, const struct differences *d)
{
    return d->unmeasured == 0
               ? NULL
               : arena_printf(c->arena,
                              "%s of the images have no statistics: only their names are known, or they were "
                              "imported before there were statistics. Import their files again to measure them.",
                              data_count(c->arena, (int64_t)d->unmeasured));
}

/* GET /sets/:set/:revision/differences?original=&stat=&from= */
enum err_code page_differences(struct ctx *c)
{
    struct differences_query q;
    struct differences_asked d;
    if (read_query(c, &q) != OK || load(c, &q, &d) != OK) {
        return c->err.code;
    }
    const char *title = set_title(c->arena, &d.fresh), *against = original_name(c, &d);
    const struct chart_ask ask = {.set = sv_of(title), .original = sv_of(against)};
    json_t *choices = choices_json(c, &d);
    json_t *chart = choices ? charts_data(c, "set-differences", &ask) : NULL;
    if (!chart) {
        json_decref(choices);
        return c->err.code;
    }
    const char *classes =
        arena_printf(c->arena, "%s classes", data_count(c->arena, (int64_t)d.is.n_classes));
    json_t *page = object(
        field_text("name", title), field_text("url", set_url(c->arena, &d.fresh)),
        field_json("choices", choices), field_text("stat", difference_words[q.stat].name),
        field_text("stat_label", difference_words[q.stat].label),
        field_text("stat_unit", difference_words[q.stat].unit),
        field_text("unmeasured", unmeasured_text(c, &d.is)),
        field_json("rows", overall_json(c, &d)), field_json("chart", chart),
        field_json("stats", stats_json(c, &d, q.stat)),
        field_json("classes", class_rows(c, &d.is, &q)), 
        field_json("pages", list_parts(c, "Classes", q.from, (int64_t)d.is.n_classes, CLASSES_A_PAGE,
                                       stat_url(c, &d, q.stat), "#classes")),
        field_text("pages_label", "Pages of classes"),
        field_bool("any", d.is.originals > 0 && d.is.fresh > 0),
        field_text("images_text",
                   arena_printf(c->arena, "%s images against %s originals of the same %s",
                                data_count(c->arena, (int64_t)d.is.fresh),
                                data_count(c->arena, (int64_t)d.is.originals),
                                d.is.n_classes == 1 ? "class" : classes)),
        field_text("json_url", arena_printf(c->arena, "/api/v1%s/differences?original=%s",
                                            set_url(c->arena, &d.fresh), against)));
    return reply_page(c, 200, "sets/differences", arena_printf(c->arena, "What differs: %s", title),
                      page);
}

struct stats_face {
    json_t *stat[DIFFERENCES];
    struct sv wnid;
};
#define STAT(word, at, text) {word, RECORD_OF(struct stats_face, stat[at]), .of = &difference_record, .about = text}
static RECORD(stats_record, struct stats_face, "differences_by_statistic", "How each statistic differs.",
              STAT("brightness", DIFFERENCE_BRIGHTNESS, "Mean luma, from 0 to 1."),
              STAT("saturation", DIFFERENCE_SATURATION, "Mean saturation, from 0 to 1."),
              STAT("sharpness", DIFFERENCE_SHARPNESS, "Variance of the Laplacian."),
              STAT("gray", DIFFERENCE_GRAY, "Share of images without colour."),
              STAT("pixels", DIFFERENCE_PIXELS, "Width times height."),
              STAT("form", DIFFERENCE_FORM, "Width divided by height."),
              STAT("bytes", DIFFERENCE_BYTES, "Bytes of the file for each pixel."),
              STAT("year", DIFFERENCE_YEAR, "When it was taken, as a year with a fraction."));
#undef STAT
static RECORD(class_stats_record, struct stats_face, "class_differences", "How each statistic differs in a class.",
              {"wnid", RECORD_OF(struct stats_face, wnid), .about = "The class."},
              {NULL, RECORD_SELF, RECORD_BESIDE, .of = &stats_record});

static struct stats_face stats_of(struct ctx *c, const struct difference *d, struct sv wnid)
{
    struct stats_face face = {.wnid = wnid};
    for (int i = 0; i < DIFFERENCES; i++) {
        face.stat[i] = differences_json(c->arena, (enum difference_stat)i, &d[i]);
    }
    return face;
}

struct differences_reply {
    const char *set, *original;
    struct differences is;
    struct stats_face overall;
    json_t *items;
};
#define OF(member) RECORD_OF(struct differences_reply, member)
RECORD(differences_record, struct differences_reply, "differences", "What differs between a set and the originals without models.",
       {"set", OF(set), .about = "The revision, SET/NUMBER."},
       {"original", OF(original), .about = "The originals, SET/NUMBER; all: every original of the project."},
       {"images", OF(is.fresh), .about = "Images of the revision."},
       {"originals", OF(is.originals), .about = "Originals of the same classes."},
       {"unmeasured", OF(is.unmeasured), .about = "Images of both without statistics."},
       {"overall", RECORD_PART(struct differences_reply, overall), .of = &stats_record,
        .about = "Over all classes, weighted as in the revision."},
       {"items", OF(items), RECORD_LIST, .of = &class_stats_record, .about = "Class by class, by wnid."});
#undef OF

/* GET /api/v1/sets/:set/:revision/differences?original= */
enum err_code api_differences(struct ctx *c)
{
    struct differences_query q;
    struct differences_asked d;
    if (read_query(c, &q) != OK || load(c, &q, &d) != OK) {
        return c->err.code;
    }
    const struct differences_reply reply = {set_title(c->arena, &d.fresh), original_name(c, &d), d.is,
                                            stats_of(c, d.is.overall, SV("")), json_array()};
    for (size_t k = 0; k < d.is.n_classes; k++) {
        const struct class_differences *one = &d.is.classes[k];
        const struct stats_face row = stats_of(c, one->stat, one->class_info.wnid);
        json_array_append_new(reply.items, record_json(&class_stats_record, &row));
    }
    return reply_json(c, 200, record_json(&differences_record, &reply));
}
