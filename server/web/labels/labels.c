/* labels.c - label sources: which there are, how much of a set each covers, and what models make of one; upload.c brings
 * one. Rows in routes.c; templates/labels/. */
#include <math.h>

#include "figures/figures.h"
#include "json/object.h"
#include "measures/core/label_sources.h"
#include "measures/scores/label_rows.h"
#include "store/classes/superclass_lists.h"
#include "transfer/exports/exports.h"
#include "view/escape.h"
#include "view/people_texts.h"
#include "web/core/form_refused.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/records.h"
#include "web/core/reply.h"
#include "web/labels/labels.h"
#include "web/parts/set_data.h"
#include "web/scoring/model_choice.h"

enum { GROUPS_SHOWN = 12 /* superclasses that a table has columns for */ };

/* ---- what is asked for ---- */

struct asked {
    struct set_shown on;
    struct label_source_row *sources;
    size_t n;
};

/* The sources, or all versions of one. */
static enum err_code read_asked(struct ctx *c, struct sv source, struct asked *a)
{
    *a = (struct asked){.n = 0};
    enum err_code rc = set_shown_read(c, &a->on);
    return rc == OK ? label_sources_list(c->db, source, a->on.set.id ? &a->on.set : NULL, c->arena, &a->sources, &a->n, &c->err) : rc;
}

/* ---- the list ---- */

static const char *source_url(struct ctx *c, struct sv name, const struct asked *a)
{
    const char *set = a->on.set.id ? set_title(c->arena, &a->on.set) : NULL;
    return arena_printf(c->arena, "/label-sources/" SV_FMT "%s%s", SV_ARG(name), set ? "?set=" : "", set ? set : "");
}

static json_t *row_json(struct ctx *c, const struct label_source_row *row, const struct asked *a)
{
    const struct label_version_row *v = &row->version;
    return object(field_sv("name", v->name), field_text("url", source_url(c, v->name, a)),
                  field_text("kind", label_kind_word(v->kind)), field_text("about", label_kind_about(v->kind)),
                  field_int("version", v->number), field_text("images", data_count(c->arena, v->images)),
                  field_text("labels", data_count(c->arena, v->labels)),
                  field_text("has", row->covered ? data_count(c->arena, row->has) : NULL),
                  field_text("counts", row->covered ? data_count(c->arena, row->counts) : NULL),
                  field_text("at", people_minute(c->arena, v->at)), field_sv("by", v->view ? SV("people") : v->login.n ? v->login : SV("command line")),
                  field_sv("file", v->file), field_sv("format", v->format), field_sv("reason", v->reason));
}

static json_t *rows_json(struct ctx *c, const struct asked *a)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < a->n; i++) {
        json_array_append_new(rows, row_json(c, &a->sources[i], a));
    }
    return rows;
}

/* GET /label-sources?set= */
enum err_code page_labels(struct ctx *c)
{
    struct asked a;
    if (read_asked(c, SV(""), &a) != OK) {
        return c->err.code;
    }
    json_t *page = object(field_json("sources", rows_json(c, &a)), field_bool("any", a.n > 0), field_json("sets", set_shown_choices(c, &a.on)),
                          field_text("set", a.on.set.id ? set_title(c->arena, &a.on.set) : NULL),
                          field_text("set_images", a.on.set.id ? data_count(c->arena, a.on.set.images) : NULL),
                          field_bool("may", c->user.role >= ROLE_LEAD), field_text("json_url", "/api/v1/labels"));
    return reply_page(c, 200, "labels/index", "Label sources", page);
}

/* ---- what models make of one ---- */

struct scored {
    struct sv part;          /* the address's word for the subset */
    struct subset subset;
    struct multilabel_table table;
    const char *why;         /* there are no scores; NULL: there are */
    struct class_hierarchy hierarchy;
    struct class_groups groups; /* word empty: none are asked for */
    struct label_group_row *group_rows;
    size_t n_group_rows;
};

/* By superclasses, where the address names some. */
static enum err_code read_group_scores(struct ctx *c, const struct asked *a, struct scored *s)
{
    const struct sv word = request_query(c->req, "groups");
    enum err_code rc = class_hierarchy_read(c->db, c->arena, &s->hierarchy, &c->err);
    rc = rc == OK ? class_groups_find(c->db, &s->hierarchy, word, c->arena, &s->groups, &c->err) : rc;
    return rc == OK && s->groups.word.n && !s->why
               ? multilabel_groups_make(app_model_scores(c->app), c->db, &a->on.set, &s->subset, &s->table, &s->groups, c->arena, &s->group_rows,
                                        &s->n_group_rows, &c->err)
               : rc;
}

/* A set on which models may not be scored, or of which the source has nothing, is no mistake of the address: the page says
 * so. */
static enum err_code read_scores(struct ctx *c, const struct asked *a, struct scored *s)
{
    const struct sv name = sv_of(arena_printf(c->arena, SV_FMT "/%lld", SV_ARG(a->sources[0].version.name),
                                              (long long)a->sources[0].version.number));
    *s = (struct scored){.part = request_query(c->req, "subset"), .why = "There is no set yet that models can be scored on."};
    enum err_code rc = set_part_asked(c, s->part, name, &s->subset);
    if (rc != OK || a->on.set.id == 0) {
        return rc;
    }
    rc = multilabel_table_make(app_model_scores(c->app), c->db, &a->on.set, &s->subset, c->arena, &s->table, &c->err);
    s->why = rc == ERR_DENIED || rc == ERR_INPUT ? arena_strdup(c->arena, c->err.msg) : NULL;
    if (s->why) {
        err_clear(&c->err);
        rc = OK;
    }
    return rc == OK ? read_group_scores(c, a, s) : rc;
}

static void add_cell(json_t *cells, const char *value, const char *note)
{
    object_add(cells, field_text("value", value), field_text("note", note));
}

static void add_share(struct ctx *c, json_t *cells, uint32_t k, uint32_t n)
{
    add_cell(cells, data_number(c->arena, n ? 100.0 * k / n : (double)NAN, 1), arena_printf(c->arena, "n %s", data_count(c->arena, n)));
}

static void add_interval(struct ctx *c, json_t *cells, double v, double lo, double hi)
{
    add_cell(cells, data_number(c->arena, v, 1), data_range(c->arena, lo, hi, 1));
}

static json_t *cells_json(struct ctx *c, enum label_kind kind, const struct multilabel_row *r)
{
    const struct multilabel *m = &r->counts;
    json_t *cells = json_array();
    add_cell(cells, data_number(c->arena, r->set, 1), "");
    if (kind == LABEL_KIND_OBJECTS) {
        add_share(c, cells, m->part[PART_ALL].main, m->n);
        for (int part = PART_SINGLE; part <= PART_MULTI; part++) {
            add_share(c, cells, m->part[part].set, m->part[part].n);
            add_share(c, cells, m->part[part].names, m->part[part].n);
            add_share(c, cells, m->part[part].any, m->part[part].n);
        }
        return cells;
    }
    add_interval(c, cells, r->strict, r->strict_lo, r->strict_hi);
    if (kind == LABEL_KIND_REVIEW) {
        add_interval(c, cells, r->lenient, r->lenient_lo, r->lenient_hi);
        add_cell(cells, data_number(c->arena, r->strict_most, 1), "");
        add_cell(cells, data_number(c->arena, r->lenient_most, 1), "");
    }
    add_cell(cells, data_number(c->arena, 100 * m->mean_strict, 1), "");
    if (kind == LABEL_KIND_REVIEW) {
        add_cell(cells, data_number(c->arena, 100 * m->mean_lenient, 1), "");
        add_cell(cells, data_number(c->arena, r->outside, 1), "");
    }
    return cells;
}

static json_t *heads_json(enum label_kind kind)
{
    static const char *const review[] = {"Set\xe2\x80\x99s label", "Strict", "Lenient", "Strict, at most", "Lenient, at most", "Class mean, strict",
                                         "Class mean, lenient", "Not reviewed", NULL};
    static const char *const objects[] = {"Set\xe2\x80\x99s label", "Main label", "One object: set\xe2\x80\x99s label", "Object\xe2\x80\x99s label",
                                          "Any label", "Several: set\xe2\x80\x99s label", "Object\xe2\x80\x99s label", "Any label", NULL};
    static const char *const labels[] = {"Set\xe2\x80\x99s label", "Right", "Class mean", NULL};
    const char *const *names = kind == LABEL_KIND_REVIEW ? review : kind == LABEL_KIND_OBJECTS ? objects : labels;
    json_t *heads = json_array();
    for (; *names; names++) {
        object_add(heads, field_text("label", *names));
    }
    return heads;
}

static json_t *scores_json(struct ctx *c, enum label_kind kind, const struct scored *s)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < s->table.n; i++) {
        const struct multilabel_row *r = &s->table.rows[i];
        object_add(rows, field_sv("name", r->model), field_text("url", arena_printf(c->arena, "/models/" SV_FMT, SV_ARG(r->model))),
                   field_json("cells", cells_json(c, kind, r)));
    }
    return rows;
}

static const char *left_out_text(struct ctx *c, const struct multilabel_table *t)
{
    const char *text = NULL;
    for (size_t i = 0; i < t->n_left_out; i++) {
        text = arena_printf(c->arena, "%s%s" SV_FMT, text ? text : "", text ? ", " : "", SV_ARG(t->left_out[i].model));
    }
    return text;
}

/* ---- by superclasses ---- */

/* [{value, label, current}]: none, levels, lists under a name, and what is asked for. NULL with c->err set. */
static json_t *groups_json(struct ctx *c, const struct scored *s)
{
    struct superclass_list_row *lists;
    size_t n = 0;
    if (superclass_lists_newest(c->db, c->arena, &lists, &n, &c->err) != OK) {
        return NULL;
    }
    json_t *choices = json_array();
    bool known = s->groups.word.n == 0;
    object_add(choices, field_text("value", ""), field_text("label", "none"), field_bool("current", known));
    for (uint32_t level = 1; level <= s->hierarchy.levels + n; level++) {
        const bool tree = level <= s->hierarchy.levels;
        const struct superclass_list_row *l = tree ? NULL : &lists[level - s->hierarchy.levels - 1];
        const char *value = tree ? arena_printf(c->arena, "level:%u", (unsigned)level) : arena_printf(c->arena, "@" SV_FMT "/%lld", SV_ARG(l->name), (long long)l->number);
        const char *label = tree ? arena_printf(c->arena, "level %u (%u)", (unsigned)level, (unsigned)s->hierarchy.groups[level - 1])
                                 : arena_printf(c->arena, SV_FMT " (%lld)", SV_ARG(l->name), (long long)l->superclasses);
        bool current = sv_is(s->groups.word, value);
        known = known || current;
        object_add(choices, field_text("value", value), field_text("label", label), field_bool("current", current));
    }
    if (!known) {
        object_add(choices, field_sv("value", s->groups.word), field_sv("label", s->groups.word), field_bool("current", true));
    }
    return choices;
}

/* {heads [{label, n}], rows [{name, url, cells [{value, note}]}]} or null: nothing is asked for, or too much. */
static json_t *group_table_json(struct ctx *c, const struct scored *s)
{
    const uint32_t n = s->groups.n;
    if (s->groups.word.n == 0 || s->n_group_rows == 0 || n > GROUPS_SHOWN) {
        return json_null();
    }
    const bool review = s->subset.labels.version.kind == LABEL_KIND_REVIEW;
    json_t *heads = json_array(), *rows = json_array();
    for (uint32_t g = 0; g < n; g++) {
        const struct label_group_row *r = &s->group_rows[g];
        object_add(heads, field_text("label", data_class_name(c->arena, r->synset, r->superclass)), field_text("n", data_count(c->arena, r->counts.n)));
    }
    for (size_t i = 0; i < s->n_group_rows; i += n) {
        json_t *cells = json_array();
        for (uint32_t g = 0; g < n; g++) {
            const struct label_group_row *r = &s->group_rows[i + g];
            add_cell(cells, data_number(c->arena, r->right, 1), review ? data_number(c->arena, r->lenient, 1) : "");
        }
        const struct sv model = s->group_rows[i].model;
        object_add(rows, field_sv("name", model), field_text("url", arena_printf(c->arena, "/models/" SV_FMT, SV_ARG(model))), field_json("cells", cells));
    }
    return object(field_json("heads", heads), field_json("rows", rows), field_bool("review", review));
}

/* ---- the page ---- */

/* [{label, url}] of the shapes that the source can be written in; a set's where one is shown. */
static json_t *files_json(struct ctx *c, const struct label_version_row *v, const char *set)
{
    static const char *const called[LABELS_SHAPES] = {
        [LABELS_TABLE] = "CSV", [LABELS_JSONL] = "JSON lines", [LABELS_OBJECTS] = "Objects", [LABELS_REAL] = "ReaL",
        [LABELS_TFDS] = "TensorFlow Datasets", [LABELS_ANNOTATIONS] = "By image and label",
    };
    json_t *files = json_array();
    for (int i = 0; i < LABELS_SHAPES; i++) {
        const bool of_set = set && i != LABELS_TABLE && i != LABELS_JSONL;
        if (labels_shape_fits((enum labels_shape)i, v->kind)) {
            object_add(files, field_text("label", called[i]),
                       field_text("url", arena_printf(c->arena, "/api/v1/labels/" SV_FMT "/file?format=%s%s%s", SV_ARG(v->name), labels_shape_words[i],
                                                      of_set ? "&set=" : "", of_set ? set : "")));
        }
    }
    return files;
}

/* What moves the page while it is open. */
static json_t *live_json(struct ctx *c, const struct label_version_row *v, const char *query)
{
    const char *topics = v->view ? "votes,models" : v->list < 0 ? "review,models" : "models";
    return data_live(topics, arena_printf(c->arena, "/label-sources/" SV_FMT "%s", SV_ARG(v->name), query));
}

/* "?set=SET&subset=PART", and "&groups=WORD" where that is wanted, of what is shown. */
static const char *asked_query(struct ctx *c, const char *set, const struct scored *s, bool groups)
{
    struct str out;
    str_init(&out, 8192);
    str_printf(&out, set ? "?set=%s" : "", set ? set : "");
    if (s->subset.name.n) {
        str_addz(&out, out.n ? "&subset=" : "?subset=");
        escape_url(&out, s->subset.name);
    }
    if (groups && s->groups.word.n) {
        str_addz(&out, out.n ? "&groups=" : "?groups=");
        escape_url(&out, s->groups.word);
    }
    const char *query = arena_cstr(c->arena, str_sv(&out));
    str_release(&out);
    return query;
}

/* "strict (reviewed as correct), lenient (...)". */
static const char *rules_text(struct ctx *c, enum label_kind kind)
{
    const char *text = "";
    for (int r = 0; r < LABEL_RULES; r++) {
        if (label_rule_fits(kind, (enum label_rule)r)) {
            text = arena_printf(c->arena, "%s%s%s (%s)", text, *text ? ", " : "", label_rule_word((enum label_rule)r),
                                label_rule_about((enum label_rule)r));
        }
    }
    return text;
}

/* GET /label-sources/:source?set=&subset=&groups= */
enum err_code page_label_source(struct ctx *c)
{
    struct asked a;
    struct scored s;
    struct subset part;
    if (read_asked(c, c->req->params[0], &a) != OK || read_scores(c, &a, &s) != OK || set_part_asked(c, s.part, SV(""), &part) != OK) {
        return c->err.code;
    }
    const struct label_version_row *v = &a.sources[0].version;
    const char *set = a.on.set.id ? set_title(c->arena, &a.on.set) : NULL, *query = asked_query(c, set, &s, true);
    const struct chart_ask ask = {.set = sv_of(set), .subset = s.subset.name, .labels = v->name};
    json_t *groups = groups_json(c, &s), *chart = groups && set && !s.why ? charts_data(c, "label-source-numbers", &ask) : json_null();
    if (!groups || !chart) {
        json_decref(groups);
        return c->err.code;
    }
    json_t *page = object(
        field_sv("name", v->name), field_text("about", label_kind_about(v->kind)), field_text("rules", rules_text(c, v->kind)),
        field_json("versions", rows_json(c, &a)), field_json("sets", set_shown_choices(c, &a.on)), field_text("set", set),
        field_text("counted", data_count(c->arena, s.table.coverage.counted)), field_text("why", s.why),
        field_text("left", s.table.coverage.there > s.table.coverage.counted ? data_count(c->arena, s.table.coverage.there - s.table.coverage.counted) : NULL),
        field_text("images", data_count(c->arena, s.table.coverage.images)), field_json("chart", chart), field_json("groups", groups),
        field_json("subsets", model_choice_subsets(c, s.part, &part, false)), field_json("by_group", group_table_json(c, &s)),
        field_text("too_many", s.groups.word.n && s.groups.n > GROUPS_SHOWN ? data_count(c->arena, s.groups.n) : NULL),
        field_text("groups_csv_url", s.n_group_rows ? arena_printf(c->arena, "/api/v1/labels/" SV_FMT "/scores.csv%s", SV_ARG(v->name), query) : NULL),
        field_json("files", files_json(c, v, set)), field_json("live", live_json(c, v, query)),
        field_bool("review", v->kind == LABEL_KIND_REVIEW), field_bool("intervals", v->kind != LABEL_KIND_OBJECTS), field_json("heads", heads_json(v->kind)),
        field_json("rows", scores_json(c, v->kind, &s)), field_bool("any", s.table.n > 0),
        field_text("left_out", left_out_text(c, &s.table)),
        field_text("models_url", arena_printf(c->arena, "/models?labels=" SV_FMT, SV_ARG(v->name))),
        field_text("json_url", arena_printf(c->arena, "/api/v1/labels/" SV_FMT "%s", SV_ARG(v->name), query)),
        field_text("csv_url", set && !s.why ? arena_printf(c->arena, "/api/v1/labels/" SV_FMT "/scores.csv%s", SV_ARG(v->name), asked_query(c, set, &s, false))
                                            : NULL));
    return reply_page(c, 200, "labels/show", arena_cstr(c->arena, v->name), page);
}

/* How many labels of the images that count are right by the source's rule. See chart_builder. */
enum err_code chart_label_source_numbers(struct ctx *c, const struct chart_ask *ask, struct chart **out)
{
    struct set_shown on;
    struct subset subset;
    struct multilabel_table table = {.n = 0};
    struct histogram_row rows[LABEL_NUMBERS + 1];
    struct figure_numbers all = {"Images", rows, 0};
    const bool named = ask->labels.n > 0;
    enum err_code rc = set_to_score(c, ask->set, &on.set);
    rc = rc == OK ? set_part_asked(c, ask->subset, ask->labels, &subset) : rc;
    rc = rc == OK && named ? multilabel_table_make(app_model_scores(c->app), c->db, &on.set, &subset, c->arena, &table, &c->err) : rc;
    if (rc != OK) {
        return rc;
    }
    const uint32_t counted = table.coverage.counted;
    for (uint32_t k = 0; k <= LABEL_NUMBERS; k++) {
        if (table.coverage.right[k]) {
            rows[all.n++] = (struct histogram_row){k, table.coverage.right[k]};
        }
    }
    const struct figure_text text = {
        .title = "Right labels of an image",
        .description = named ? arena_printf(c->arena, "%s images of %s by how many labels are right: %s. Bars have 95 %% intervals.",
                                            data_count(c->arena, counted), set_title(c->arena, &on.set), subset.labels.label)
                             : "Images of a set by how many labels are right by a label source.",
        .empty = !named ? "No label source is named." : counted ? NULL : "The label source counts none of these images."};
    *out = figure_numbers(c->arena, &text, "Right labels", &all, 1);
    return OK;
}

/* ---- for scripts ---- */

struct label_list_reply {
    struct label_source_row *items;
    size_t n;
    const char *set;
};
RECORD(label_sources_record, struct label_list_reply, "label_sources", "The label sources.",
       {"items", RECORD_ROWS(struct label_list_reply, items, n), .of = &label_source_record, .about = "The newest version of each, by name."},
       {"set", RECORD_OF(struct label_list_reply, set), .maybe = true, .about = "The set that their coverage is of, SET/NUMBER; null: there is none."});

/* GET /api/v1/labels?set= */
enum err_code api_labels(struct ctx *c)
{
    struct asked a;
    if (read_asked(c, SV(""), &a) != OK) {
        return c->err.code;
    }
    const struct label_list_reply r = {a.sources, a.n, a.on.set.id ? set_title(c->arena, &a.on.set) : NULL};
    return reply_json(c, 200, record_json(&label_sources_record, &r));
}

struct label_details {
    struct sv name;
    const char *kind, *set, *why;
    struct label_source_row *versions;
    size_t n_versions;
    uint32_t images, labelled, counted;
    struct multilabel_row *reviews, *objects, *labels;
    size_t n_reviews, n_objects, n_labels;
    struct sv subset, superclasses;
    struct histogram_row *numbers;
    size_t n_numbers;
    struct label_group_row *groups;
    size_t n_groups;
};
#define OF(member) RECORD_OF(struct label_details, member)
#define ROWS(member) RECORD_ROWS(struct label_details, member, n_##member)
RECORD(label_details_record, struct label_details, "label_details", "A label source and what models make of it on a set.",
       {"name", OF(name), .about = "The source's name."},
       {"kind", OF(kind), .about = "labels, main, objects or review."},
       {"versions", ROWS(versions), .of = &label_source_record, .about = "Its versions, newest first; scores are by the newest."},
       {"set", OF(set), .maybe = true, .about = "The set that scores are about, SET/NUMBER; null: there is none."},
       {"images", OF(images), .about = "Images of the set that no sealed set has."},
       {"labelled", OF(labelled), .about = "Those of them that the source has."},
       {"counted", OF(counted), .about = "Those that count."},
       {"subset", OF(subset), .about = "Of the set's images, as in addresses; empty: all."},
       {"images_by_labels", ROWS(numbers), .of = &image_histogram_record, .about = "Those that count by how many labels are right by the source's usual rule; 40: 40 or more."},
       {"superclasses", OF(superclasses), .about = "By which superclasses `groups` is, as in addresses; empty: none are asked for."},
       {"groups", ROWS(groups), .of = &label_group_record, .about = "Model by model on the images of each superclass."},
       {"why", OF(why), .maybe = true, .about = "Why there are no scores; null: there are."},
       {"reviews", ROWS(reviews), .of = &review_score_record, .about = "Of a source of reviews: the models that have predicted all images that count, by name."},
       {"objects", ROWS(objects), .of = &object_score_record, .about = "The same of a source of objects."},
       {"labels", ROWS(labels), .of = &label_score_record, .about = "The same of a source of labels or main labels."});
#undef ROWS
#undef OF

static struct histogram_row *numbers_of(struct ctx *c, const struct label_coverage *coverage, size_t *n)
{
    struct histogram_row *rows = arena_calloc(c->arena, LABEL_NUMBERS + 1, sizeof *rows);
    *n = 0;
    for (uint32_t k = 0; k <= LABEL_NUMBERS; k++) {
        if (coverage->right[k]) {
            rows[(*n)++] = (struct histogram_row){k, coverage->right[k]};
        }
    }
    return rows;
}

/* GET /api/v1/labels/:source?set=&subset=&groups= */
enum err_code api_label_source(struct ctx *c)
{
    struct asked a;
    struct scored s;
    if (read_asked(c, c->req->params[0], &a) != OK || read_scores(c, &a, &s) != OK) {
        return c->err.code;
    }
    const struct label_version_row *v = &a.sources[0].version;
    const struct label_coverage *coverage = &s.table.coverage;
    struct label_details r = {.name = v->name, .kind = label_kind_word(v->kind), .set = a.on.set.id ? set_title(c->arena, &a.on.set) : NULL,
                              .why = s.why, .versions = a.sources, .n_versions = a.n, .images = coverage->images,
                              .labelled = coverage->there, .counted = coverage->counted, .subset = s.subset.name,
                              .superclasses = s.groups.word, .groups = s.group_rows, .n_groups = s.n_group_rows};
    r.numbers = numbers_of(c, coverage, &r.n_numbers);
    if (v->kind == LABEL_KIND_REVIEW) {
        r.reviews = s.table.rows;
        r.n_reviews = s.table.n;
    } else if (v->kind == LABEL_KIND_OBJECTS) {
        r.objects = s.table.rows;
        r.n_objects = s.table.n;
    } else {
        r.labels = s.table.rows;
        r.n_labels = s.table.n;
    }
    return reply_json(c, 200, record_json(&label_details_record, &r));
}

/* GET /api/v1/labels/:source/scores.csv?set=&subset=&groups= */
enum err_code api_label_scores_csv(struct ctx *c)
{
    struct asked a;
    struct scored s = {.part = request_query(c->req, "subset")};
    if (read_asked(c, c->req->params[0], &a) != OK || set_to_score(c, request_query(c->req, "set"), &a.on.set) != OK ||
        set_part_asked(c, s.part, c->req->params[0], &s.subset) != OK ||
        multilabel_table_make(app_model_scores(c->app), c->db, &a.on.set, &s.subset, c->arena, &s.table, &c->err) != OK ||
        read_group_scores(c, &a, &s) != OK) {
        return c->err.code;
    }
    const char *file = arena_printf(c->arena, SV_FMT "-scores.csv", SV_ARG(s.subset.labels.version.name));
    if (s.groups.word.n) {
        return reply_csv(c, file, &label_group_record, s.group_rows, s.n_group_rows);
    }
    multilabel_csv(s.subset.labels.version.kind, s.table.rows, s.table.n, &c->res->body);
    return reply_table_file(c, file, "text/csv; charset=utf-8");
}

static enum err_code take_text(void *arg, const char *p, size_t n, struct err *err)
{
    struct str *body = arg;
    if (body->n + n > HTTP_BODY_OUT - 1) {
        return err_rule(err, ERR_LIMIT, "labels-large", "This label source is too large for one reply: use `holdout export labels`.");
    }
    str_add(body, p, n);
    return OK;
}

/* GET /api/v1/labels/:source/file?format=&set= */
enum err_code api_label_file(struct ctx *c)
{
    static const char *const endings[] = {[LABELS_TABLE] = "csv", [LABELS_JSONL] = "jsonl", [LABELS_OBJECTS] = "csv",
                                          [LABELS_REAL] = "json", [LABELS_TFDS] = "jsonl", [LABELS_ANNOTATIONS] = "json"};
    const struct sv format = request_query(c->req, "format"), set = request_query(c->req, "set");
    enum labels_shape shape = LABELS_TABLE;
    if (format.n && !labels_shape_of(format, &shape)) {
        return err_rule(&c->err, ERR_INPUT, "labels-format", "format must be table, jsonl, objects, real, tfds or annotations.");
    }
    const char *name = arena_cstr(c->arena, c->req->params[0]), *end = endings[shape];
    const struct labels_export_ask ask = {.source = name, .set = set.n ? arena_cstr(c->arena, set) : NULL, .shape = shape};
    struct transfer tr = {.db = c->db, .arena = c->arena, .err = &c->err, .write = take_text, .arg = &c->res->body};
    enum err_code rc = labels_export(&tr, &ask);
    return rc == OK ? reply_table_file(c, arena_printf(c->arena, "%s.%s", name, end),
                                       *end == 'c' ? "text/csv; charset=utf-8" : "application/json; charset=utf-8")
                    : rc;
}
