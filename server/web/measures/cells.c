/* cells.c - which classes, or superclasses, models take for which, and which come together in images: pages, JSON, CSV, heat
 * maps. A cell of superclasses leads to its classes, one of classes to the images. Rows in routes.c; templates/measures/
 * confusions, cooccurrence. */
#include <math.h>

#include "json/object.h"
#include "measures/images/class_cells_rows.h"
#include "measures/objects/object_answers.h"
#include "store/classes/superclass_lists.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/records.h"
#include "web/core/reply.h"
#include "web/measures/answers.h"
#include "web/measures/charts.h"
#include "web/measures/parts.h"
#include "web/parts/set_data.h"
#include "web/scoring/answers_kept.h"

enum { PAIRS_A_PAGE = 100, PAIRS_MOST = 1000 /* of one reply */, HEAT_MOST = 20, HEAT_EVERY = CHART_CELLS };

/* ---- what is asked for ---- */

struct query {
    struct answers_query of;
    struct sv groups;      /* measures/core/class_groups.h */
    struct sv row, column; /* of groups: only their classes, by class */
    int64_t page;
};

#define AT(member) .at = offsetof(struct query, member)
static const struct list_param params[] = {
    ANSWERS_PARAMS(struct query, of),
    {"groups", LIST_TEXT, AT(groups)},
    {"row", LIST_TEXT, AT(row)},
    {"column", LIST_TEXT, AT(column)},
    {"page", LIST_NUMBER, AT(page), .least = 1, .most = INT32_MAX, .moment = true},
    {0},
};
static const struct list_table table = {params, sizeof(struct query), NULL, NULL};
static const struct query usual = {.of.top = 1, .page = 1};

static const struct {
    const char *path, *api, *template, *title, *chart, *csv;
} kinds[] = {
    [CELLS_CONFUSED] = {"/measures/confusions", "/api/v1/measures/confusions", "measures/confusions", "Confusions", "measures-confusions",
                        "confusions.csv"},
    [CELLS_TOGETHER] = {"/measures/cooccurrence", "/api/v1/measures/cooccurrence", "measures/cooccurrence", "Co-occurrence",
                        "measures-cooccurrence", "cooccurrence.csv"},
};

struct shown {
    enum class_cells_what what;
    struct query q;
    struct answers of;
    struct class_hierarchy hierarchy;
    struct class_groups asked;   /* by the address */
    struct class_groups classes; /* each by itself */
    const struct class_groups *by; /* what cells are of */
    uint32_t row, column;        /* of `asked`; CLASS_GROUP_NONE: all */
    struct class_cells all, cells; /* cells: within row and column */
    bool no_labels;              /* there is no source with several labels of an image */
    struct superclass_list_row *lists; /* superclasses under a name */
    size_t n_lists;
    struct likeness like;        /* of CELLS_TOGETHER by superclasses; n 0: the source has no main labels, or there are too many */
};

static enum err_code find_group(struct ctx *c, const struct shown *s, const char *name, struct sv wnid, uint32_t *out)
{
    *out = wnid.n ? class_groups_at(&s->asked, wnid) : CLASS_GROUP_NONE;
    return wnid.n == 0 || *out != CLASS_GROUP_NONE
               ? OK
               : err_rule(&c->err, ERR_NOT_FOUND, "no-class", "%s: \"" SV_FMT "\" is not one of these superclasses.", name, SV_ARG(wnid));
}

static enum err_code read_groups(struct ctx *c, struct shown *s)
{
    enum err_code rc = class_hierarchy_read(c->db, c->arena, &s->hierarchy, &c->err);
    rc = rc == OK ? superclass_lists_newest(c->db, c->arena, &s->lists, &s->n_lists, &c->err) : rc;
    rc = rc == OK ? class_groups_find(c->db, &s->hierarchy, s->q.groups, c->arena, &s->asked, &c->err) : rc;
    rc = rc == OK ? class_groups_find(c->db, &s->hierarchy, SV(""), c->arena, &s->classes, &c->err) : rc;
    rc = rc == OK ? find_group(c, s, "row", s->q.row, &s->row) : rc;
    rc = rc == OK ? find_group(c, s, "column", s->q.column, &s->column) : rc;
    if (rc == OK && (s->q.row.n > 0) != (s->q.column.n > 0)) {
        rc = err_rule(&c->err, ERR_INPUT, "list", "row and column are two superclasses whose classes are shown: give both, or neither.");
    }
    s->by = s->q.row.n ? &s->classes : &s->asked;
    return rc;
}

static enum err_code make_cells(struct ctx *c, struct shown *s)
{
    const struct class_cells_ask ask = {.what = s->what, .revision = &s->of.r, .subset = &s->of.subset, .models = s->of.ids,
                                        .n_models = s->of.n, .groups = s->by};
    if (s->no_labels) {
        return OK;
    }
    enum err_code rc = class_cells_get(c, &ask, &s->all);
    s->cells = s->all;
    if (rc == OK && s->q.row.n) {
        s->cells.list = arena_calloc(c->arena, s->all.n + 1, sizeof *s->cells.list);
        for (size_t i = 0; i < s->all.n; i++) {
            s->cells.list[i] = s->all.list[i];
        }
        class_cells_within(&s->cells, &s->asked, s->row, s->column);
    }
    return rc;
}

/* Whether confusions by people and models are like what comes together: of superclasses, by a source with main labels. */
static enum err_code make_likeness(struct ctx *c, struct shown *s)
{
    const enum label_kind kind = s->of.subset.labels.version.kind;
    const struct object_answers_ask ask = {.revision = &s->of.r, .subset = &s->of.subset, .models = s->of.models, .n_models = s->of.n};
    const bool main = !s->no_labels && kind == LABEL_KIND_OBJECTS;
    return main && s->what == CELLS_TOGETHER && s->by->word.n && s->by->n <= SUPERCLASSES_MOST
               ? likeness_make(app_model_scores(c->app), c->db, &ask, s->by, c->arena, &s->like, &c->err)
               : OK;
}

/* What s->q asks for. */
static enum err_code read_asked(struct ctx *c, struct shown *s)
{
    enum err_code rc = OK;
    if (s->what == CELLS_TOGETHER && s->q.of.labels.n == 0) {
        rc = answers_usual_labels(c, s->q.of.set, ~(1u << LABEL_KIND_MAIN), &s->q.of.labels);
        s->no_labels = s->q.of.labels.n == 0;
    }
    rc = rc == OK ? answers_find(c, &s->q.of, &s->of) : rc;
    rc = rc == OK ? read_groups(c, s) : rc;
    return rc == OK ? make_cells(c, s) : rc;
}

static enum err_code read_shown(struct ctx *c, enum class_cells_what what, struct shown *s)
{
    *s = (struct shown){.what = what, .q = usual};
    enum err_code rc = list_read(c, &table, &usual, &s->q);
    return rc == OK ? read_asked(c, s) : rc;
}

/* ---- the page ---- */

static const char *url_of(struct ctx *c, const char *path, const struct query *q)
{
    return list_url(c, &table, path, &usual, q, false);
}

static const char *group_name(struct ctx *c, const struct class_groups *g, uint32_t at)
{
    return data_class_name(c->arena, g->list[at].synset, g->list[at].wnid);
}

/* A cell of superclasses leads to its classes, one of classes to the images; NULL: there is nothing behind it. */
static const char *drill_url(struct ctx *c, const struct shown *s, const struct class_cell_row *r)
{
    if (r->other.n == 0) {
        return NULL;
    }
    if (s->by->word.n) {
        struct query q = s->q;
        q.row = r->wnid;
        q.column = r->other;
        return url_of(c, kinds[s->what].path, &q);
    }
    struct images_link l = {.of = s->q.of};
    l.of.wnid = r->wnid;
    l.said = s->what == CELLS_CONFUSED ? r->other : SV("");
    l.has = s->what == CELLS_TOGETHER ? r->other : SV("");
    l.wrong = s->what == CELLS_CONFUSED && !label_pick_is_set(&s->of.subset.labels);
    return measures_images_url(c, &l);
}

static json_t *row_json(struct ctx *c, const struct shown *s, const struct class_cell_row *r)
{
    const bool classes = s->by->word.n == 0;
    return object(field_json("label", class_named_json(c, r->wnid, r->synset, classes)),
                  field_json("said", class_named_json(c, r->other, r->other_synset, classes)), field_bool("own", sv_eq(r->wnid, r->other)),
                  field_text("answers", data_count(c->arena, r->answers)), field_text("of", data_count(c->arena, r->of)),
                  field_text("share", arena_printf(c->arena, "%.1f", 100 * r->share)), field_text("images", data_count(c->arena, r->images)),
                  field_text("url", drill_url(c, s, r)));
}

/* [{value, label, current}]: classes, superclasses at each level and under a name, and what is asked for. */
static json_t *groups_json(struct ctx *c, const struct shown *s)
{
    json_t *list = json_array();
    const struct sv word = s->asked.word;
    bool known = word.n == 0;
    object_add(list, field_text("value", ""), field_text("label", arena_printf(c->arena, "Classes (%zu)", s->hierarchy.n_classes)),
               field_bool("current", known));
    for (uint32_t level = 1; level <= s->hierarchy.levels; level++) {
        const char *value = arena_printf(c->arena, "level:%u", (unsigned)level);
        bool current = sv_is(word, value);
        known = known || current;
        object_add(list, field_text("value", value),
                   field_text("label", arena_printf(c->arena, "Superclasses, level %u (%u)", (unsigned)level, (unsigned)s->hierarchy.groups[level - 1])),
                   field_bool("current", current));
    }
    for (size_t i = 0; i < s->n_lists; i++) {
        const struct superclass_list_row *l = &s->lists[i];
        const char *value = arena_printf(c->arena, "@" SV_FMT "/%lld", SV_ARG(l->name), (long long)l->number);
        bool current = sv_is(word, value);
        known = known || current;
        object_add(list, field_text("value", value), field_text("label", arena_printf(c->arena, SV_FMT " (%lld)", SV_ARG(l->name), (long long)l->superclasses)),
                   field_bool("current", current));
    }
    if (!known) {
        const char *named = word.p[0] == '@' ? arena_printf(c->arena, SV_FMT " (%u)", SV_ARG(word), (unsigned)s->asked.n)
                                             : arena_printf(c->arena, "%u superclasses", (unsigned)s->asked.n);
        object_add(list, field_sv("value", word), field_text("label", named), field_bool("current", true));
    }
    return list;
}

/* Which superclasses' classes are shown, and the way back; null: all. */
static json_t *within_json(struct ctx *c, const struct shown *s)
{
    struct query up = s->q;
    up.row = up.column = SV("");
    return s->q.row.n ? object(field_text("row", group_name(c, &s->asked, s->row)), field_text("column", group_name(c, &s->asked, s->column)),
                               field_bool("own", s->row == s->column), field_text("url", url_of(c, kinds[s->what].path, &up)))
                      : json_null();
}

/* {rows [{name, url, human, any, other, within}], images, left_out} or null. */
static json_t *likeness_json(struct ctx *c, const struct likeness *l)
{
    static const char *const keys[LIKES] = {[LIKE_HUMAN] = "human", [LIKE_ANY] = "any", [LIKE_OTHER] = "other"};
    json_t *rows = json_array();
    for (size_t i = 0; i < l->n; i++) {
        const struct likeness_row *r = &l->rows[i];
        const bool model = i >= 2;
        json_t *row = object(field_json("name", i == 0 ? json_string("People\xe2\x80\x99s confusions") : model ? data_text(r->who) : json_string("Coming together")),
                             field_text("url", model ? arena_printf(c->arena, "/models/" SV_FMT, SV_ARG(r->who)) : NULL),
                             field_text("within", isfinite(r->within) ? arena_printf(c->arena, "%.1f", 100 * r->within) : NULL));
        for (int k = 0; k < LIKES; k++) {
            json_object_set_new(row, keys[k], isfinite(r->r[k]) ? json_string(data_minus(c->arena, arena_printf(c->arena, "%.2f", r->r[k]))) : json_null());
        }
        json_array_append_new(rows, row);
    }
    json_t *found = object(field_json("rows", rows), field_text("images", data_count(c->arena, l->images)),
                           field_text("left_out", l->left_out ? data_count(c->arena, l->left_out) : NULL));
    if (l->n == 0) {
        json_decref(found);
        return json_null();
    }
    return found;
}

static json_t *none_json(struct ctx *c, const struct shown *s)
{
    if (s->no_labels) {
        return measures_none_labels("No label source with several labels of these images",
                                    "A set has one label of each image. Import what else they show, or let people say it:");
    }
    return s->what == CELLS_CONFUSED && s->of.n == 0 ? measures_none_models(c, &s->of.r) : json_null();
}

static struct chart_ask chart_ask_of(struct ctx *c, const struct shown *s)
{
    const struct query *q = &s->q;
    return (struct chart_ask){.set = sv_of(set_title(c->arena, &s->of.r)), .subset = q->of.subset, .labels = q->of.labels,
                              .models = q->of.models, .wnid = q->of.wnid, .groups = q->groups, .row = q->row, .column = q->column};
}

static enum err_code cells_page(struct ctx *c, enum class_cells_what what)
{
    struct shown s;
    if (read_shown(c, what, &s) != OK || make_likeness(c, &s) != OK) {
        return answers_none(c, &s.q.of, kinds[what].path, kinds[what].template, kinds[what].title);
    }
    const struct chart_ask ask = chart_ask_of(c, &s);
    json_t *chart = s.no_labels ? json_null() : charts_data(c, kinds[what].chart, &ask);
    json_t *page = chart ? answers_form(c, &s.of, kinds[what].path, s.cells.sealed, NULL) : NULL;
    if (!page) {
        json_decref(chart);
        return c->err.code;
    }
    const struct list_page part = list_page_of((int64_t)s.cells.n, PAIRS_A_PAGE, s.q.page);
    size_t n;
    const struct class_cell_row *rows = class_cell_rows(&s.cells, s.by, part.skip, part.most, c->arena, &n);
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        json_array_append_new(list, row_json(c, &s, &rows[i]));
    }
    json_t *no_cells = none_json(c, &s);
    json_object_update_new(
        page, object(field_json("rows", list), field_json("chart", chart), field_bool("list", json_is_null(no_cells)),
                     field_json("no_cells", no_cells), field_text("count", data_count(c->arena, (int64_t)s.cells.n)),
                     field_bool("any_groups", true), field_text("labels_called", what == CELLS_TOGETHER ? "Shown by" : "Right by"), field_bool("asks_models", what == CELLS_CONFUSED), field_json("groups", groups_json(c, &s)), field_bool("superclasses", s.by->word.n > 0),
                     field_json("within", within_json(c, &s)), field_json("like", likeness_json(c, &s.like)), field_text("by", s.of.subset.labels.label),
                     field_text("ungrouped", s.cells.left_out ? data_count(c->arena, s.cells.left_out) : NULL),
                     field_json("pages", list_page_links(c, &part, url_of(c, kinds[what].path, &s.q), "#pairs")),
                     field_text("pages_label", "Pages of pairs"), field_text("json_url", url_of(c, kinds[what].api, &s.q)),
                     field_text("csv_url", url_of(c, arena_printf(c->arena, "%s.csv", kinds[what].api), &s.q))));
    return reply_page(c, 200, kinds[what].template, kinds[what].title, page);
}

/* GET /measures/confusions?set=&top=&subset=&labels=&models=&class=&groups=&row=&column=&page= */
enum err_code page_measures_confusions(struct ctx *c) { return cells_page(c, CELLS_CONFUSED); }
/* GET /measures/cooccurrence, the same */
enum err_code page_measures_cooccurrence(struct ctx *c) { return cells_page(c, CELLS_TOGETHER); }

/* ---- for scripts ---- */

struct cells_reply {
    const char *set;
    struct sv subset, labels, groups, row, column;
    json_t *models, *left_out;
    int64_t pairs;
    uint32_t sealed, ungrouped;
    struct class_group *superclasses;
    size_t n_superclasses;
    struct class_cell_row *rows;
    size_t n;
    struct likeness_row *like;
    size_t n_like;
};
#define OF(member) RECORD_OF(struct cells_reply, member)
#define ASKED                                                                                                          \
    {"set", OF(set), .about = "The revision, SET/NUMBER."},                                                            \
        {"subset", OF(subset), .about = "Of its images, as in addresses; empty: all."},                                \
        {"labels", OF(labels), .about = "By which label source and rule, SOURCE/NUMBER:RULE; empty: the set's own labels."}, \
        {"groups", OF(groups), .about = "How classes are grouped, as in addresses; empty: each by itself."},           \
        {"row", OF(row), .about = "Only labels of that superclass, class by class; empty: all."},                      \
        {"column", OF(column), .about = "The same of the other class."}
#define FOUND(record)                                                                                                  \
    {"sealed", OF(sealed), .about = "Images that a sealed revision has, which are not counted."},                      \
        {"ungrouped", OF(ungrouped), .about = "Images whose label is in none of the superclasses, which are not counted."}, \
        {"superclasses", RECORD_ROWS(struct cells_reply, superclasses, n_superclasses), .of = &class_group_record,     \
         .about = "Those that classes are grouped by; none when each is by itself."},                                  \
        {"items", RECORD_ROWS(struct cells_reply, rows, n), .of = &(record), .about = "The 1,000 with the most, the most first."}
RECORD(measures_confusions_record, struct cells_reply, "confusions", "Which classes of a set models take for which.", ASKED,
       {"models", OF(models), RECORD_TEXTS, .about = "The models that are asked: those that have predicted all of it."},
       {"left_out", OF(left_out), RECORD_TEXTS, .about = "Models that were asked for by name and have not."},
       {"pairs", OF(pairs), .about = "Pairs of a label and a class that is said first and is wrong."}, FOUND(confusion_record));
RECORD(measures_cooccurrence_record, struct cells_reply, "cooccurrences", "Which classes come together in the images of a set.", ASKED,
       {"pairs", OF(pairs), .about = "Pairs of a label and what else images with it show."},
       {"likeness", RECORD_ROWS(struct cells_reply, like, n_like), .of = &likeness_record,
        .about = "Of superclasses by a source of objects: how alike matrices are; first people's, then what comes together, then models that have predicted all."},
       FOUND(together_cell_record));
#undef OF
#undef ASKED
#undef FOUND

/* Without a source there is nothing to say for scripts. */
static enum err_code read_for_scripts(struct ctx *c, enum class_cells_what what, struct shown *s)
{
    enum err_code rc = read_shown(c, what, s);
    return rc == OK && s->no_labels
               ? err_rule(&c->err, ERR_NOT_FOUND, "label-source",
                          "There is no label source with several labels of images of this set. Import one with `holdout import labels`.")
               : rc;
}

static enum err_code cells_json(struct ctx *c, enum class_cells_what what)
{
    struct shown s;
    if (read_for_scripts(c, what, &s) != OK || make_likeness(c, &s) != OK) {
        return c->err.code;
    }
    const bool grouped = s.asked.word.n > 0, confused = what == CELLS_CONFUSED;
    size_t n;
    struct class_cell_row *rows = class_cell_rows(&s.cells, s.by, 0, PAIRS_MOST, c->arena, &n);
    const struct cells_reply r = {.set = set_title(c->arena, &s.of.r),
                                  .subset = s.of.subset.name,
                                  .labels = s.of.subset.labels.name,
                                  .groups = s.asked.word,
                                  .row = s.q.row,
                                  .column = s.q.column,
                                  .models = confused ? answers_names(&s.of) : NULL,
                                  .left_out = confused ? answers_left_out(&s.of) : NULL,
                                  .pairs = (int64_t)s.cells.n,
                                  .sealed = s.cells.sealed,
                                  .ungrouped = s.cells.left_out,
                                  .superclasses = s.asked.list,
                                  .n_superclasses = grouped ? s.asked.n : 0,
                                  .rows = rows,
                                  .n = n,
                                  .like = s.like.rows,
                                  .n_like = s.like.n};
    return reply_json(c, 200, record_json(confused ? &measures_confusions_record : &measures_cooccurrence_record, &r));
}

static enum err_code cells_csv(struct ctx *c, enum class_cells_what what)
{
    struct shown s;
    size_t n;
    if (read_for_scripts(c, what, &s) != OK) {
        return c->err.code;
    }
    const struct class_cell_row *rows = class_cell_rows(&s.cells, s.by, 0, s.cells.n, c->arena, &n);
    return reply_csv(c, kinds[what].csv, what == CELLS_CONFUSED ? &confusion_record : &together_cell_record, rows, n);
}

/* GET /api/v1/measures/confusions */
enum err_code api_measures_confusions(struct ctx *c) { return cells_json(c, CELLS_CONFUSED); }
/* GET /api/v1/measures/confusions.csv */
enum err_code api_measures_confusions_csv(struct ctx *c) { return cells_csv(c, CELLS_CONFUSED); }
/* GET /api/v1/measures/cooccurrence */
enum err_code api_measures_cooccurrence(struct ctx *c) { return cells_json(c, CELLS_TOGETHER); }
/* GET /api/v1/measures/cooccurrence.csv */
enum err_code api_measures_cooccurrence_csv(struct ctx *c) { return cells_csv(c, CELLS_TOGETHER); }

/* ---- the heat map ---- */

static const char *heat_title(struct ctx *c, const struct shown *s)
{
    const char *of = arena_printf(c->arena, "%s%s", set_title(c->arena, &s->of.r), s->of.part);
    const char *things = s->by->word.n ? "superclasses" : "classes";
    if (s->q.row.n) {
        return arena_printf(c->arena, "%s: %s, and %s, of %s", kinds[s->what].title, group_name(c, &s->asked, s->row),
                            s->row == s->column ? "others of it" : group_name(c, &s->asked, s->column), of);
    }
    return s->what == CELLS_CONFUSED ? arena_printf(c->arena, "Most confused %s of %s", things, of)
                                     : arena_printf(c->arena, "%s that come together in images of %s", s->by->word.n ? "Superclasses" : "Classes", of);
}

static enum err_code heat_chart(struct ctx *c, const struct chart_ask *ask, enum class_cells_what what, struct chart **out)
{
    struct shown s = {.what = what, .q = usual};
    s.q.of.set = ask->set;
    s.q.of.subset = ask->subset;
    s.q.of.labels = ask->labels;
    s.q.of.models = ask->models;
    s.q.of.wnid = ask->wnid;
    s.q.groups = ask->groups;
    s.q.row = ask->row;
    s.q.column = ask->column;
    if (read_asked(c, &s) != OK) {
        return c->err.code;
    }
    const bool every = s.by->word.n > 0 && s.by->n <= HEAT_EVERY;
    const struct class_heat h = class_heat_make(what, &s.all, &s.cells, every, every ? HEAT_EVERY : HEAT_MOST, c->arena);
    const char **names = arena_calloc(c->arena, h.n_rows + 1, sizeof *names);
    double *v = arena_calloc(c->arena, h.n_rows + 1, sizeof *v);
    for (size_t i = 0; i < h.n_rows; i++) {
        names[i] = group_name(c, s.by, h.rows[i]);
    }
    const struct chart_options o = {
        .title = heat_title(c, &s),
        .description = what == CELLS_CONFUSED
                           ? arena_printf(c->arena, "A row for each label: which share of the first answers of %s says the class of the column.",
                                          answers_counted(c, &s.of))
                           : "A row for each label: which share of its images shows the class of the column too.",
        .empty = what == CELLS_TOGETHER ? "No image shows another class too." : s.of.n ? "No model says another class first." : "No model has predicted all images yet.",
        .x = {.label = "Label", .form = CHART_COUNT, .names = names, .n_names = h.n_rows},
        .y = {.label = "Share", .form = CHART_PERCENT}};
    *out = chart_new(c->arena, &o);
    for (size_t column = 0; column < h.n_columns; column++) {
        for (size_t row = 0; row < h.n_rows; row++) {
            v[row] = h.share[row * h.n_columns + column];
        }
        chart_cells(*out, group_name(c, s.by, h.columns[column]), h.n_rows, v);
    }
    return OK;
}

enum err_code chart_measures_confusions(struct ctx *c, const struct chart_ask *ask, struct chart **out)
{
    return heat_chart(c, ask, CELLS_CONFUSED, out);
}

enum err_code chart_measures_cooccurrence(struct ctx *c, const struct chart_ask *ask, struct chart **out)
{
    return heat_chart(c, ask, CELLS_TOGETHER, out);
}
