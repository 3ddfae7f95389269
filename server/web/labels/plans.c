/* plans.c - plans of labels that images could have: the list, and making one of potential labels. Rows in routes.c (all need
 * the role lead); templates/labels/. */
#include "web/labels/plans.h"

#include <math.h>
#include <string.h>

#include "json/object.h"
#include "sets/labels/plan_rows.h"
#include "store/models/models.h"
#include "store/sets/sets.h"
#include "view/people_texts.h"
#include "web/core/form_refused.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/records.h"
#include "web/core/reply.h"
#include "web/parts/job_data.h"
#include "web/parts/set_data.h"
#include "web/parts/uploads.h"

enum err_code plan_asked(struct ctx *c, enum label_plan_kind kind, struct label_plan_row *out)
{
    const struct sv version = request_query(c->req, "version"), name = c->req->params[0];
    const char *asked = version.n ? arena_printf(c->arena, SV_FMT "/" SV_FMT, SV_ARG(name), SV_ARG(version)) : NULL;
    return label_plans_find(c->db, kind, asked ? sv_of(asked) : name, c->arena, out, &c->err);
}

static const char *versioned_url(struct arena *a, const struct label_plan_row *p)
{
    return arena_printf(a, "/label-plans/%s/" SV_FMT "?version=%lld", label_plan_kind_word(p->kind), SV_ARG(p->name), (long long)p->version);
}

/* "alexnet, vgg16" of a JSON list. */
static const char *joined(struct arena *a, struct sv models)
{
    json_t *list = json_loadb(models.p, models.n, 0, NULL);
    const json_t *name;
    const char *text = "";
    size_t i;
    json_array_foreach(list, i, name)
    {
        text = arena_printf(a, "%s%s%s", text, i ? ", " : "", json_string_value(name));
    }
    json_decref(list);
    return text;
}

json_t *label_plan_json(struct ctx *c, const struct label_plan_row *p, bool current)
{
    struct arena *a = c->arena;
    const struct label_plan_line line = label_plan_line(p, false, a);
    bool counted = p->kind == LABEL_PLAN_CANDIDATES;
    struct sv rest = p->potential_name, potential = sv_cut(&rest, '/');
    return object(field_sv("name", p->name), field_text("url", versioned_url(a, p)), field_int("version", p->version),
                  field_text("at", people_minute(a, p->at)), field_sv("by", p->login.n ? p->login : SV("command line")),
                  field_text("set", p->set.n ? arena_cstr(a, p->set) : NULL),
                  field_text("set_url", p->set.n ? arena_printf(a, "/sets/" SV_FMT, SV_ARG(p->set)) : NULL),
                  field_text("images", data_count(a, p->images)), field_text("labels", data_count(a, p->labels)),
                  field_text("per_image", arena_printf(a, "%.1f", p->images ? (double)p->labels / (double)p->images : 0)),
                  field_bool("sealed", p->sealed), field_text("models", joined(a, p->models)), field_int("top", p->top),
                  field_text("file", p->file.n ? arena_cstr(a, p->file) : NULL),
                  field_text("potential", counted ? arena_cstr(a, p->potential_name) : NULL),
                  field_text("potential_url", counted ? arena_printf(a, "/label-plans/potential/" SV_FMT "?version=" SV_FMT,
                                                                     SV_ARG(potential), SV_ARG(rest))
                                                      : NULL),
                  field_sv("view", p->view), field_int("as_of", p->as_of),
                  field_text("tau", isnan(line.tau) ? "" : arena_printf(a, "%g", line.tau)), field_int("least", p->least),
                  field_int("most", p->most), field_text("digest", arena_printf(a, "%.12s", line.digest)), field_bool("current", current));
}

static json_t *rows_json(struct ctx *c, const struct label_plan_row *list, size_t n, int64_t current)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < n; i++) {
        json_array_append_new(rows, label_plan_json(c, &list[i], list[i].id == current));
    }
    return rows;
}

json_t *plan_versions_json(struct ctx *c, const struct label_plan_row *p)
{
    struct label_plan_row *list;
    size_t n = 0;
    return label_plans_list(c->db, p->kind, p->name, c->arena, &list, &n, &c->err) == OK ? rows_json(c, list, n, p->id) : NULL;
}

json_t *plan_campaigns_json(struct ctx *c, const struct label_plan_row *p)
{
    struct label_plan_campaign *list;
    size_t n = 0;
    if (label_plan_campaigns(c->db, p->id, c->arena, &list, &n, &c->err) != OK) {
        return NULL;
    }
    json_t *rows = json_array();
    for (size_t i = 0; i < n; i++) {
        object_add(rows, field_sv("name", list[i].name), field_sv("state", list[i].state),
                   field_text("url", arena_printf(c->arena, "/campaigns/" SV_FMT, SV_ARG(list[i].name))));
    }
    return rows;
}

/* ---- the list ---- */

static json_t *sets_json(struct ctx *c)
{
    struct revision_row *list;
    size_t n = 0;
    if (revisions_list(c->db, 0, c->arena, &list, &n, &c->err) != OK) {
        return NULL;
    }
    json_t *rows = json_array();
    for (size_t i = 0; i < n; i++) {
        object_add(rows, field_text("value", set_title(c->arena, &list[i])), field_text("label", set_label(c->arena, &list[i])));
    }
    return rows;
}

static json_t *models_json(struct ctx *c)
{
    struct model_row *list;
    size_t n = 0;
    if (models_list(c->db, false, c->arena, &list, &n, &c->err) != OK) {
        return NULL;
    }
    json_t *rows = json_array();
    for (size_t i = 0; i < n; i++) {
        object_add(rows, field_sv("name", list[i].name));
    }
    return rows;
}

/* GET /label-plans */
enum err_code page_label_plans(struct ctx *c)
{
    struct label_plan_row *potential, *candidates;
    size_t n_potential = 0, n_candidates = 0;
    json_t *sets = sets_json(c), *models = sets ? models_json(c) : NULL;
    if (!models || label_plans_list(c->db, LABEL_PLAN_POTENTIAL, SV(""), c->arena, &potential, &n_potential, &c->err) != OK ||
        label_plans_list(c->db, LABEL_PLAN_CANDIDATES, SV(""), c->arena, &candidates, &n_candidates, &c->err) != OK) {
        json_decref(sets);
        json_decref(models);
        return c->err.code;
    }
    return reply_page(c, 200, "labels/plans", "Plans of labels",
                      object(field_json("potential", rows_json(c, potential, n_potential, 0)), field_bool("any_potential", n_potential > 0),
                             field_json("candidates", rows_json(c, candidates, n_candidates, 0)),
                             field_bool("any_candidates", n_candidates > 0), field_json("sets", sets), field_json("models", models),
                             field_bool("any_models", json_array_size(models) > 0), field_text("json_url", "/api/v1/label-plans")));
}

/* ---- jobs ---- */

/* The models that were ticked, with commas. */
static struct sv ticked(struct ctx *c)
{
    const char *text = "";
    for (size_t i = 0; i < c->form.n; i++) {
        if (sv_is(c->form.fields[i].name, "models") && c->form.fields[i].value.n) {
            text = arena_printf(c->arena, "%s%s" SV_FMT, text, *text ? "," : "", SV_ARG(c->form.fields[i].value));
        }
    }
    return sv_of(text);
}

/* Labels of the form's file, or typed in its place, under a name that says which they are: the same again is the same file,
 * which the job reads. NULL: there are none. */
enum err_code page_label_plan_check(struct ctx *c)
{
    struct sv name = sv_trim(form_get(&c->form, "name")), labels = form_get(&c->form, "labels");
    const char *file;
    if (label_plan_name_check(name, &c->err) != OK) {
        return form_wrong_field(c, "name");
    }
    if (sv_trim(labels).n == 0) {
        return OK;
    }
    enum err_code rc = upload_keep(c, name, labels, "csv", &file);
    c->state = rc == OK ? arena_strdup(c->arena, file) : NULL;
    return rc == ERR_INPUT ? form_wrong_field(c, "labels") : rc;
}

/* POST /label-plans: name, set (empty: every candidate), models (several), top, labels (CSV image,wnid,source). */
enum err_code page_label_plan_make(struct ctx *c)
{
    static const char *const fields[] = {"top", NULL};
    const char *file = c->state;
    struct sv name = sv_trim(form_get(&c->form, "name")), set = sv_trim(form_get(&c->form, "set")), models = ticked(c);
    struct revision_row r;
    if (set.n && revisions_find(c->db, set, c->arena, &r, &c->err) != OK) {
        return form_wrong_field(c, "set");
    }
    if (models.n == 0 && !file) {
        return form_wrong(c, "models", "Choose the models whose answers are labels, or give a file of labels. Nothing was started.");
    }
    struct job_given first[4] = {{SV("name"), name}, {set.n ? SV("set") : SV("candidates"), set.n ? set : SV("true")}};
    size_t n = 2;
    if (models.n) {
        first[n++] = (struct job_given){SV("models"), models};
    }
    if (file) {
        first[n++] = (struct job_given){SV("labels"), sv_of(file)};
    }
    return job_start_form(c, "potential freeze", first, n, fields, arena_printf(c->arena, "Potential labels " SV_FMT, SV_ARG(name)),
                          "makes the plan");
}

/* ---- for scripts ---- */

enum err_code plan_csv_row(struct ctx *c, const struct record *record, const void *row)
{
    record_csv_cells(record, row, &c->res->body);
    str_addc(&c->res->body, '\n');
    return c->res->body.n < HTTP_BODY_OUT - 4096
               ? OK
               : err_rule(&c->err, ERR_LIMIT, "label-plan-large", "This plan is too large for one reply: use `holdout export`.");
}

struct label_plans_reply {
    struct label_plan_line *potential, *candidates;
    size_t n_potential, n_candidates;
};
RECORD(label_plans_record, struct label_plans_reply, "label_plans", "Plans of labels that images could have.",
       {"potential", RECORD_ROWS(struct label_plans_reply, potential, n_potential), .of = &label_plan_record,
        .about = "Of potential labels: the newest version of each, by name."},
       {"candidates", RECORD_ROWS(struct label_plans_reply, candidates, n_candidates), .of = &label_plan_record,
        .about = "Of candidate labels: the same."});

static enum err_code read_lines(struct ctx *c, enum label_plan_kind kind, struct label_plan_line **out, size_t *n)
{
    struct label_plan_row *list;
    enum err_code rc = label_plans_list(c->db, kind, SV(""), c->arena, &list, n, &c->err);
    *out = arena_calloc(c->arena, *n + 1, sizeof **out);
    for (size_t i = 0; i < *n && rc == OK; i++) {
        (*out)[i] = label_plan_line(&list[i], true, c->arena);
    }
    return rc;
}

/* GET /api/v1/label-plans */
enum err_code api_label_plans(struct ctx *c)
{
    struct label_plans_reply r = {.n_potential = 0};
    enum err_code rc = read_lines(c, LABEL_PLAN_POTENTIAL, &r.potential, &r.n_potential);
    rc = rc == OK ? read_lines(c, LABEL_PLAN_CANDIDATES, &r.candidates, &r.n_candidates) : rc;
    return rc == OK ? reply_json(c, 200, record_json(&label_plans_record, &r)) : rc;
}
