/* sample.c - making a revision of a set: the request, the plan that comes of it, and the job
 * that does it. A plain form by GET, so that a plan has an address; nothing is stored before the
 * job is started. Rows in routes.c; templates/sets/new. The same plan for scripts. */
#include "json/object.h"
#include "web/core/lists.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/records.h"
#include "web/core/reply.h"
#include "web/parts/job_data.h"
#include "web/parts/set_data.h"
#include "web/sets/sample_data.h"
#include "web/sets/sample_form.h"

enum { CLASSES_A_PAGE = 50, CLASSES_MOST = 1000 };

/* ---- the form ---- */

/* Revisions that a new one can be made from: not of originals. NULL with c->err set. */
static json_t *parents_json(struct ctx *c, struct sv current)
{
    struct revision_row *list;
    size_t n;
    if (revisions_list(c->db, 0, c->arena, &list, &n, &c->err) != OK) {
        return NULL;
    }
    json_t *rows = json_array();
    for (size_t i = n; i-- > 0;) {
        const char *name = set_title(c->arena, &list[i]);
        if (!sv_is(list[i].role, "original")) {
            object_add(rows, field_text("value", name),
                       field_bool("current", sv_is(current, name)));
        }
    }
    return rows;
}

/* NULL with c->err set. */
static json_t *views_json(struct ctx *c, struct sv current)
{
    struct vote_view *list;
    size_t n;
    if (views_list(c->db, c->arena, &list, &n, &c->err) != OK) {
        return NULL;
    }
    json_t *rows = json_array();
    for (size_t i = 0; i < n; i++) {
        object_add(rows, field_sv("value", list[i].name),
                   field_bool("current", sv_eq(list[i].name, current)));
    }
    return rows;
}

static json_t *strategies_json(const struct sample_form *f)
{
    static const struct {
        const char *label, *hint;
    } words[SAMPLE_STRATEGIES] = {
        {"Matched frequency",
         "As many images of each frequency bin as the class's originals have."},
        {"Threshold", "Drawn from all candidates whose frequency is at least the threshold."},
        {"Top images", "The candidates with the highest frequencies; nothing is drawn."},
        {"Keywords",
         "As many images of each keyword as the class's originals have; no votes needed."},
    };
    json_t *rows = json_array();
    for (int s = 0; s < SAMPLE_STRATEGIES; s++) {
        object_add(rows, field_text("value", sample_strategies[s]),
                   field_text("label", words[s].label), field_text("hint", words[s].hint),
                   field_bool("current", sv_is(f->text[FIELD_STRATEGY], sample_strategies[s])));
    }
    return rows;
}

/* ---- the plan ---- */

/* The whole form, so that it is started as it was seen. */
static json_t *hidden_json(const struct sample_form *f)
{
    struct job_given given[SAMPLE_FIELDS];
    size_t n = sample_form_fields(f, given);
    json_t *rows = json_array();
    for (size_t i = 0; i < n; i++) {
        object_add(rows, field_sv("name", given[i].name), field_sv("value", given[i].value));
    }
    return rows;
}

static const char *part_url(struct ctx *c, const char *address, bool all)
{
    return arena_printf(c->arena, "%s&do=plan%s", address, all ? "&classes=all" : "");
}

static json_t *tabs_json(struct ctx *c, const char *address, bool short_only, int64_t n_short,
                         size_t n_all)
{
    return list(object(field_text("label", arena_printf(c->arena, "Classes that fall short (%s)",
                                                        data_count(c->arena, n_short))),
                       field_text("url", arena_printf(c->arena, "%s#classes", part_url(c, address, false))),
                       field_bool("current", short_only)),
                object(field_text("label", arena_printf(c->arena, "All classes (%s)",
                                                        data_count(c->arena, (int64_t)n_all))),
                       field_text("url", arena_printf(c->arena, "%s#classes", part_url(c, address, true))),
                       field_bool("current", !short_only)));
}

/* A plan with what it does to the parent. */
struct planned {
    struct sample_job job;
    struct sample_against against;
    struct arena arena;
};

static void planned_init(struct planned *p)
{
    *p = (struct planned){.job.thresholds = NULL};
    arena_init(&p->arena, SIZE_MAX / 2);
}

static void planned_release(struct planned *p)
{
    sample_release(&p->job);
    arena_release(&p->arena);
}

static json_t *plan_json(struct ctx *c, const struct sample_form *f, const struct planned *planned,
                         int64_t from)
{
    const struct sample_job *job = &planned->job;
    struct sample_part part = {.short_only = !sv_is(request_query(c->req, "classes"), "all"),
                               .from = from, .most = CLASSES_A_PAGE};
    part.short_only =
        part.short_only && (job->plan.missing > 0 || job->plan.classes_few_originals > 0);
    const char *address = sample_form_address(f, c->arena);
    json_t *plan = sample_plan_json(c, job, &planned->against, &part);
    int64_t n = json_integer_value(json_object_get(plan, "n"));
    int64_t n_short = json_integer_value(json_object_get(plan, "n_short"));
    json_object_set_new(plan, "pages",
                        list_parts(c, "Classes", part.from, n, CLASSES_A_PAGE,
                                   part_url(c, address, !part.short_only), "#classes"));
    json_object_set_new(plan, "pages_label", json_string("Pages of classes"));
    json_object_set_new(plan, "tabs",
                        tabs_json(c, address, part.short_only, n_short, job->plan.n_classes));
    json_object_set_new(plan, "hidden", hidden_json(f));
    json_object_set_new(plan, "set", data_text(f->text[FIELD_SET]));
    json_object_set_new(plan, "lead", json_boolean(c->user.role >= ROLE_LEAD));
    return plan;
}

/* ---- the page ---- */

static enum err_code show(struct ctx *c, int status, const struct sample_form *f, const char *error,
                          json_t *plan)
{
    json_t *parents = parents_json(c, f->text[FIELD_PARENT]);
    json_t *views = parents ? views_json(c, f->text[FIELD_VIEW]) : NULL;
    if (!views) {
        json_decref(parents);
        json_decref(plan);
        return c->err.code;
    }
    json_t *page = object(
        field_json("form", sample_form_json(f)), field_json("strategies", strategies_json(f)),
        field_json("parents", parents), field_json("views", views), field_text("error", error),
        field_bool("as_parent", f->inherited != NULL),
        field_bool("parent_silent", f->parent_silent),
        field_text("wrong", f->wrong < SAMPLE_FIELDS ? sample_field_name(f->wrong) : ""),
        field_json("plan", plan), field_bool("set_wrong", f->wrong == FIELD_SET));
    return reply_page(c, status, "sets/new", "New revision", page);
}

/* The page again with what was typed and what is wrong with it. */
static enum err_code show_wrong(struct ctx *c, const struct sample_form *f)
{
    const char *error = arena_strdup(c->arena, c->err.msg);
    int status = reply_status(c->err.code);
    err_clear(&c->err);
    return show(c, status, f, error, json_null());
}

/* What can be mended in the form. */
static bool is_refusal(enum err_code rc)
{
    return rc == ERR_INPUT || rc == ERR_CONFLICT || rc == ERR_NOT_FOUND || rc == ERR_LIMIT;
}

static enum err_code make_plan(struct ctx *c, struct sample_form *f, struct planned *out)
{
    struct sample_ask ask;
    enum err_code rc = sample_form_ask(f, c->arena, &ask, &c->err);
    ask.pool.flags_to_quarantine = c->config->flags_to_quarantine;
    rc = rc == OK ? sample_make_plan(c->db, app_tally(c->app), &ask, &out->job, &c->err) : rc;
    return rc == OK && out->job.parent.id
               ? sample_plan_against(c->db, &out->job, &out->arena, &out->against, &c->err)
               : rc;
}

/* GET /sets/new, with do=plan the plan too, on a helper thread: it looks at every image. */
enum err_code page_sample(struct ctx *c)
{
    struct sample_form f;
    struct planned p;
    int64_t from;
    if (list_from(c, &from) != OK) {
        return c->err.code;
    }
    sample_form_query(c, &f);
    if (!sv_is(request_query(c->req, "do"), "plan")) {
        return show(c, 200, &f, NULL, json_null());
    }
    planned_init(&p);
    enum err_code rc = make_plan(c, &f, &p);
    if (rc == OK) {
        rc = show(c, 200, &f, NULL, plan_json(c, &f, &p, from));
    } else if (is_refusal(rc)) {
        rc = show_wrong(c, &f);
    }
    planned_release(&p);
    return rc;
}

struct plan_reply {
    json_t *plan;
    int64_t next;
};
RECORD(plan_part_record, struct plan_reply, "plan_part", "A plan with part of its classes.",
       {NULL, RECORD_OF(struct plan_reply, plan), RECORD_BESIDE, .of = &plan_record},
       {"next", RECORD_OF(struct plan_reply, next), .maybe = true,
        .about = "What `from` must be for the classes that follow; null: these are the last."});

/* GET /api/v1/sets/new */
enum err_code api_sample_plan(struct ctx *c)
{
    struct sample_form f;
    struct planned p;
    struct sample_part part = {.short_only = false, .most = CLASSES_MOST};
    if (list_from(c, &part.from) != OK) {
        return c->err.code;
    }
    sample_form_query(c, &f);
    planned_init(&p);
    enum err_code rc = make_plan(c, &f, &p);
    if (rc == OK) {
        int64_t end = part.from + CLASSES_MOST;
        const struct plan_reply reply = {sample_plan_json(c, &p.job, &p.against, &part),
                                         end < (int64_t)p.job.plan.n_classes ? end : 0};
        rc = reply_json(c, 200, record_json(&plan_part_record, &reply));
    }
    planned_release(&p);
    return rc;
}

/* POST /sets/new, first step on a helper thread: refuses what the job would refuse. */
enum err_code page_sample_check(struct ctx *c)
{
    struct sample_form *f = arena_calloc(c->arena, 1, sizeof *f);
    struct planned p;
    planned_init(&p);
    sample_form_typed(c, f);
    enum err_code rc = set_name_check(f->text[FIELD_SET], &c->err);
    f->wrong = rc == OK ? SAMPLE_FIELDS : FIELD_SET;
    rc = rc == OK ? make_plan(c, f, &p) : rc;
    if (rc == OK && p.job.plan.chosen == 0) {
        rc = err_rule(
            &c->err, ERR_INPUT, "sample-empty",
            "No candidate can be drawn, so there would be no image in the set. Nothing was "
            "sampled: look at what was left out and why.");
    }
    planned_release(&p);
    if (rc != OK && is_refusal(rc)) {
        return show_wrong(c, f);
    }
    c->state = f;
    return rc;
}

/* Second step, on the writer thread. */
enum err_code page_sample_start(struct ctx *c)
{
    const struct sample_form *f = c->state;
    struct job_given given[SAMPLE_FIELDS];
    size_t n = sample_form_given(f, given);
    int64_t id;
    const char *title = arena_printf(c->arena, "Sample " SV_FMT " (" SV_FMT ")",
                                     SV_ARG(f->text[FIELD_SET]), SV_ARG(f->text[FIELD_STRATEGY]));
    enum err_code rc = job_start(c, SV("sample"), given, n, sv_of(title), &id);
    return rc == OK ? reply_did(c, job_url(c->arena, id), NULL, "The draw has started.") : rc;
}
