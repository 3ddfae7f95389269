/* plans.c - analysis plans: which there are, and whether each came before its set could be scored. Rows in routes.c;
 * templates/measures/plans.mustache. */
#include "json/object.h"
#include "report/plan.h"
#include "view/people_texts.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/records.h"
#include "web/core/reply.h"

static enum err_code plan_fields(struct ctx *c, const struct plan_row *p, json_t **out)
{
    struct analysis s;
    enum err_code rc = plan_analysis(p, c->arena, &s, &c->err);
    *out = json_array();
    for (const struct analysis_field *f = analysis_fields; f->name && rc == OK; f++) {
        const char *text = analysis_text(&s, f, c->arena);
        if (text[0] && f->at != offsetof(struct analysis, name)) {
            object_add(*out, field_text("label", f->label), field_text("text", text));
        }
    }
    return rc;
}

/* GET /measures/plans */
enum err_code page_plans(struct ctx *c)
{
    struct plan_row *list;
    size_t n = 0;
    json_t *plans = json_array();
    enum err_code rc = plans_list(c->db, SV(""), c->arena, &list, &n, &c->err);
    for (size_t i = n; rc == OK && i-- > 0;) {
        json_t *fields;
        rc = plan_fields(c, &list[i], &fields);
        object_add(plans, field_sv("name", list[i].name), field_text("at", people_minute(c->arena, list[i].at)),
                   field_text("words", plan_words(&list[i], c->arena)), field_bool("late", plan_is_late(&list[i])),
                   field_text("sha256", plan_sha256(&list[i], c->arena)), field_json("fields", fields));
    }
    json_t *page = object(field_json("plans", plans), field_bool("any", n > 0), field_text("measures_url", "/measures"),
                          field_text("json_url", "/api/v1/plans"));
    if (rc != OK) {
        json_decref(page);
        return rc;
    }
    return reply_page(c, 200, "measures/plans", "Analysis plans", page);
}

struct plans_reply {
    json_t *plans;
};
#define OF(member) RECORD_OF(struct plans_reply, member)
RECORD(plans_record, struct plans_reply, "analysis_plans", "All analysis plans.",
       {"plans", OF(plans), RECORD_LIST, .of = &analysis_plan_record, .about = "By event."});
#undef OF

/* GET /api/v1/plans */
enum err_code api_plans(struct ctx *c)
{
    struct plan_row *list;
    size_t n = 0;
    struct plans_reply r = {.plans = json_array()};
    enum err_code rc = plans_list(c->db, SV(""), c->arena, &list, &n, &c->err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        rc = json_array_append_new(r.plans, plan_json(&list[i], c->arena, &c->err)) == 0 ? OK : c->err.code;
    }
    if (rc != OK) {
        json_decref(r.plans);
        return rc;
    }
    return reply_json(c, 200, record_json(&plans_record, &r));
}
