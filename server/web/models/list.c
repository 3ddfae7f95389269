/* list.c - all models beside one another on a pair of sets and on every set, live while some
 * predict; letting one predict, adding one from a file. Rows in routes.c; templates/models/. One
 * model: model.c. */
#include <string.h>

#include "json/object.h"
#include "store/models/models.h"
#include "web/core/charts.h"
#include "web/core/form_refused.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/models/files.h"
#include "web/parts/job_data.h"
#include "web/parts/set_data.h"
#include "web/scoring/model_choice.h"
#include "web/scoring/model_rows.h"

enum { SETS_SHOWN = 8 };

/* ---- the pair and its form ---- */

static json_t *tops_json(struct ctx *c, const struct model_query *q)
{
    json_t *list = json_array();
    for (const struct list_word *w = model_tops; w->word; w++) {
        struct model_query other = *q;
        other.top = w->value;
        object_add(list, field_text("label", w->label),
                   field_text("url", model_query_url(c, "/models", &other)),
                   field_bool("current", q->top == w->value));
    }
    return list;
}

static json_t *levels_json(struct ctx *c, const struct model_query *q)
{
    json_t *list = json_array();
    for (const struct list_word *w = model_levels; w->word; w++) {
        struct model_query other = *q;
        other.level = w->value;
        object_add(list, field_text("label", w->label), field_text("url", model_query_url(c, "/models", &other)),
                   field_bool("current", q->level == w->value));
    }
    return list;
}

static json_t *scales_json(struct ctx *c, const struct model_query *q)
{
    static const char *const scales[][2] = {
        {"linear", "Linear"}, {"probit", "Probit"}, {"logit", "Logit"}};
    json_t *list = json_array();
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        struct model_query other = *q;
        other.scale = i ? sv_of(scales[i][0]) : SV("");
        bool current = sv_is(q->scale, scales[i][0]) || (i == 0 && !q->scale.n);
        object_add(list, field_text("label", scales[i][1]),
                   field_text("url", arena_printf(c->arena, "%s#charts",
                                                  model_query_url(c, "/models", &other))),
                   field_bool("current", current));
    }
    return list;
}

static json_t *query_json(struct ctx *c, const struct model_table *t)
{
    json_t *groups = model_choice_facts(c, t, MODEL_GROUP);
    json_t *families = model_choice_facts(c, t, MODEL_FAMILY);
    return object(field_json("original", model_choice_sets(c, t, SIDE_ORIGINAL)),
                  field_json("new", model_choice_sets(c, t, SIDE_NEW)),
                  field_json("subsets", model_choice_subsets(c, t->query.subset, &t->subset, false)), field_json("groups", groups),
                  field_bool("any_groups", json_array_size(groups) > 0), field_json("families", families),
                  field_bool("any_families", json_array_size(families) > 0), field_text("top", t->query.top == 5 ? "5" : "1"),
                  field_sv("scale", t->query.scale), field_text("level", list_word_of(model_levels, t->query.level)),
                  field_text("sort", list_word_of(model_sorts, (int)t->query.sort)),
                  field_text("order", t->query.falling ? "falling" : "rising"));
}

/* ---- every set ---- */

static json_t *cells_json(struct ctx *c, const struct model_set *sets, size_t n, int64_t model, double alpha)
{
    json_t *cells = json_array();
    for (size_t i = 0; i < n; i++) {
        const struct model_score *s = set_score_of(sets[i].scores, sets[i].n, model);
        json_t *top1 = model_score_knows(s, 1)
                           ? set_data_short_cell(c->arena, s->top1, s->predicted, s->images, alpha)
                           : json_null();
        json_t *top5 = model_score_knows(s, 5)
                           ? set_data_short_cell(c->arena, s->topk, s->predicted, s->images, alpha)
                           : json_null();
        object_add(cells, field_json("top1", top1), field_json("top5", top5));
    }
    return cells;
}

/* The newest revisions that models may be scored on, by set and number; *all counts those not shown
 * too. */
static enum err_code newest_sets(struct ctx *c, const struct model_table *t,
                                 struct model_set sets[SETS_SHOWN], size_t *n, size_t *all)
{
    *n = *all = 0;
    for (size_t i = 0; i < t->n_revisions; i++) {
        size_t newer = 0;
        const struct revision_row *r = &t->revisions[i];
        for (size_t j = 0; j < t->n_revisions; j++) {
            newer += t->revisions[j].id > r->id && set_scoreable(&t->revisions[j]);
        }
        if (!set_scoreable(r)) {
            continue;
        }
        ++*all;
        if (newer < SETS_SHOWN && model_set_of(c, r, NULL, &sets[(*n)++]) != OK) {
            return c->err.code;
        }
    }
    return OK;
}

/* null with fewer sets than the table above shows anyway; NULL with c->err set. */
static json_t *all_json(struct ctx *c, const struct model_table *t)
{
    struct model_set sets[SETS_SHOWN];
    size_t n, all;
    if (newest_sets(c, t, sets, &n, &all) != OK) {
        return NULL;
    }
    if (n < 3) {
        return json_null();
    }
    json_t *columns = json_array(), *rows = json_array();
    for (size_t i = 0; i < n; i++) {
        json_array_append_new(columns, model_rows_set(c, &sets[i]));
    }
    for (size_t i = 0; i < t->n_models; i++) {
        const struct model_row *m = t->lines[i].model;
        object_add(rows, field_sv("name", m->name),
                   field_text("url", arena_printf(c->arena, "/models/" SV_FMT, SV_ARG(m->name))),
                   field_json("cells", cells_json(c, sets, n, m->id, model_query_level(&t->query)->alpha)));
    }
    return object(
        field_json("columns", columns), field_json("rows", rows),
        field_text("more", all > n
                               ? arena_printf(c->arena, "the newest %zu of %zu revisions", n, all)
                               : ""));
}

/* ---- what waits ---- */

static json_t *files_json(struct ctx *c, const struct model_file *files, size_t n)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        object_add(
            list, field_count("id", i), field_sv("file", files[i].file),
            field_sv("name", files[i].name),
            field_text("size", arena_printf(c->arena, "%.1f MB", (double)files[i].bytes / 1e6)));
    }
    return list;
}

static json_t *adding_json(struct ctx *c, const struct model_jobs *jobs)
{
    json_t *list = json_array();
    for (size_t i = 0; i < jobs->n; i++) {
        if (sv_is(jobs->jobs[i].kind, "model add")) {
            json_array_append_new(list, job_json(c, &jobs->jobs[i]));
        }
    }
    return list;
}

static json_t *sealed_json(struct ctx *c, const struct model_table *t)
{
    json_t *list = json_array();
    for (size_t i = 0; i < t->n_revisions; i++) {
        struct err why = {0};
        if (revision_may_be_scored(&t->revisions[i], &why) != OK) {
            object_add(list, field_text("name", set_title(c->arena, &t->revisions[i])),
                       field_text("url", set_url(c->arena, &t->revisions[i])),
                       field_text("state_url", set_state_url(c->arena, &t->revisions[i])),
                       field_text("why", why.msg));
        }
    }
    return list;
}

/* ---- the page ---- */

/* null without anything to draw; NULL with c->err set. */
static json_t *charts_json(struct ctx *c, const struct model_table *t)
{
    static const char *const names[][2] = {{"scatter", "models-scatter"},
                                           {"dots", "models-accuracy"}};
    struct chart_ask ask = {.original = t->query.sets[SIDE_ORIGINAL],
                            .fresh = t->query.sets[SIDE_NEW],
                            .top = t->query.top == 5 ? SV("5") : SV(""),
                            .new_top = sv_of(list_word_of(model_new_tops, t->query.new_top)),
                            .subset = t->query.subset,
                            .new_subset = t->query.new_subset,
                            .labels = t->query.labels,
                            .new_labels = t->query.new_labels,
                            .group = t->query.group,
                            .family = t->query.family,
                            .scale = t->query.scale};
    return t->n_models ? charts_group(c, names, sizeof names / sizeof *names, &ask) : json_null();
}

static size_t imported_models(const struct model_table *t)
{
    size_t n = 0;
    for (size_t i = 0; i < t->n_models; i++) {
        n += sv_is(t->models[i].kind, "import");
    }
    return n;
}

static const char *count_text(struct ctx *c, const struct model_table *t)
{
    size_t n = imported_models(t);
    const char *of = n == t->n_models ? "all" : arena_printf(c->arena, "%zu of them", n);
    return arena_printf(c->arena, "%zu model%s%s", t->n_models, t->n_models == 1 ? "" : "s",
                        n ? arena_printf(c->arena, ", %s as imported predictions", of) : "");
}

/* The table for scripts and for papers. */
static json_t *formats_json(struct ctx *c, const struct model_query *q)
{
    static const struct {
        const char *label, *path;
        bool common;
    } formats[] = {{"CSV", "/api/v1/scores.csv", true}, {"JSON", "/api/v1/scores", false},
                   {"Markdown", "/api/v1/scores.markdown", true}, {"LaTeX", "/api/v1/scores.latex", true}};
    json_t *list = json_array();
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        const char *url = model_query_url(c, formats[i].path, q);
        if (formats[i].common) {
            url = arena_printf(c->arena, "%s%ccommon=1", url, strchr(url, '?') ? '&' : '?');
        }
        object_add(list, field_text("label", formats[i].label), field_text("url", url));
    }
    return list;
}

static enum err_code add_table(struct ctx *c, json_t *page, const struct model_table *t,
                      const struct model_jobs *jobs)
{
    const char *title = model_table_part(c, t);
    const char *ranked =
        arena_printf(c->arena, "%zu model%s with predictions of all images of both", t->n_ranked,
                     t->n_ranked == 1 ? "" : "s");
    json_object_set_new(page, "count_text", json_string(count_text(c, t)));
    json_object_set_new(page, "any", json_boolean(t->n_all > 0));
    json_t *query = query_json(c, t);
    model_choice_add_labels(t, query);
    enum err_code rc = model_choice_add_new(c, t, query);
    json_object_set_new(page, "query", query);
    json_object_set_new(page, "tops", tops_json(c, &t->query));
    json_object_set_new(page, "scales", scales_json(c, &t->query));
    json_object_set_new(page, "originals", model_rows_set(c, &t->sets[SIDE_ORIGINAL]));
    json_object_set_new(page, "news", model_rows_set(c, &t->sets[SIDE_NEW]));
    json_object_set_new(page, "table", model_rows_json(c, t, t->n_models, jobs, true));
    json_object_set_new(page, "made_by", model_rows_sources(c, t));
    json_object_set_new(page, "ranked_text", json_string(ranked));
    json_object_set_new(page, "level_text", json_string(model_query_level(&t->query)->label));
    json_object_set_new(page, "summary", model_rows_summary(c, t));
    json_object_set_new(page, "part", title ? json_string(title) : json_null());
    json_object_set_new(page, "levels", levels_json(c, &t->query));
    json_object_set_new(page, "formats", formats_json(c, &t->query));
    json_object_set_new(
        page, "can_run",
        json_boolean(c->user.role >= ROLE_LEAD && imported_models(t) < t->n_models));
    json_object_set_new(page, "runs", model_rows_runs(c, t->revisions, t->n_revisions));
    json_object_set_new(page, "adding", adding_json(c, jobs));
    json_object_set_new(page, "sealed", sealed_json(c, t));
    json_object_set_new(page, "live",
                        data_live("jobs,models", model_query_url(c, "/models", &t->query)));
    return rc;
}

/* GET /models?original=&new=&top=&new_top=&subset=&new_subset=&labels=&new_labels=&level=&group=&family=&sort=&order=&scale= */
enum err_code page_models(struct ctx *c)
{
    struct model_query q;
    struct model_table t;
    struct model_jobs jobs;
    struct model_file *files;
    size_t n_files;
    if (model_query_read(c, &q) != OK || model_table_make(c, &q, &t) != OK ||
        model_table_gaps(c, &t, false) != OK || model_jobs_open(c, &jobs) != OK ||
        model_files_list(c, t.all, t.n_all, &files, &n_files) != OK) {
        return c->err.code;
    }
    json_t *all = all_json(c, &t), *drawn = all ? charts_json(c, &t) : NULL;
    if (!drawn) {
        json_decref(all);
        return c->err.code;
    }
    json_t *page = object(field_json("all", all), field_json("charts", drawn),
                          field_json("files", files_json(c, files, n_files)),
                          field_bool("any_files", n_files > 0));
    if (add_table(c, page, &t, &jobs) != OK) {
        json_decref(page);
        return c->err.code;
    }
    return reply_page(c, 200, "models/index", "Models", page);
}

/* ---- writes ---- */

/* POST /models/:model/predict: what ("all", "original", "candidate", "class", "set:NAME/NUMBER"),
 * wnid. */
enum err_code page_model_predict(struct ctx *c)
{
    struct sv what = form_get(&c->form, "what"), wnid = sv_trim(form_get(&c->form, "wnid"));
    struct model_row model;
    struct class_info k;
    int64_t id;
    if (models_find(c->db, c->req->params[0], c->arena, &model, &c->err) != OK) {
        return c->err.code;
    }
    struct job_given given[2] = {{SV("model"), model.name}, {SV("set"), SV("")}};
    bool is_set = sv_starts(what, "set:"), is_class = sv_is(what, "class");
    if (is_set) {
        struct revision_row r;
        given[1].value = sv_make(what.p + 4, what.n - 4);
        if (revisions_find(c->db, given[1].value, c->arena, &r, &c->err) != OK) {
            return c->err.code;
        }
    } else if (is_class) {
        given[1] = (struct job_given){SV("class"), wnid};
        if (classes_find(c->db, wnid, c->arena, &k, &c->err) != OK) {
            return form_wrong_field(c, "wnid");
        }
    } else if (sv_is(what, "original") || sv_is(what, "candidate")) {
        given[1] = (struct job_given){SV("role"), what};
    } else if (!sv_is(what, "all")) {
        return err_rule(&c->err, ERR_INPUT, "predict-what",
                        "Choose what to predict: everything, a role, a set or a class. Nothing was "
                        "started.");
    }
    if (model.removed || sv_is(model.kind, "import")) {
        return err_rule(&c->err, ERR_CONFLICT, "model-cannot-run",
                        "The model " SV_FMT " %s. Nothing was started.", SV_ARG(model.name),
                        model.removed ? "was removed; add its file again first"
                                      : "only has imported predictions, so there is no file to run");
    }
    enum err_code rc = job_start(c, SV("predict"), given, sv_is(what, "all") ? 1 : 2, SV(""), &id);
    return rc == OK ? reply_did(c, job_url(c->arena, id), NULL, "Job %lld predicts with " SV_FMT ".",
                                (long long)id, SV_ARG(model.name))
                    : rc;
}

/* POST /models: file, name, note. Reading the file takes longer than a page may: a job does it. */
enum err_code page_model_add_check(struct ctx *c)
{
    struct sv name = form_get(&c->form, "name");
    enum err_code rc = model_name_check(name, &c->err);
    return rc == OK ? model_files_check(c, form_get(&c->form, "file")) : rc;
}

enum err_code page_model_add(struct ctx *c)
{
    struct sv file = form_get(&c->form, "file"), note = sv_trim(form_get(&c->form, "note"));
    struct job_given given[] = {
        {SV("file"), file}, {SV("name"), form_get(&c->form, "name")}, {SV("note"), note}};
    int64_t id;
    const char *title = arena_printf(c->arena, "Add " SV_FMT, SV_ARG(file));
    enum err_code rc = job_start(c, SV("model add"), given, note.n ? 3 : 2, sv_of(title), &id);
    if (strcmp(c->err.rule, "job-value") == 0) { /* name and file were checked before */
        return form_wrong_field(c, "note");
    }
    return rc == OK ? reply_did(c, job_url(c->arena, id), NULL, "Job %lld adds the model.",
                                (long long)id)
                    : rc;
}
