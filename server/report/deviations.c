/* deviations.c - where a report departs from its plan: the plan came too late, fields differ, models are missing, the set
 * was opened early; or there is no plan. What readers must know first. */
#include <string.h>

#include "json/object.h"
#include "report/plan.h"
#include "report/run.h"

static void add(struct report_run *r, const char *what, const char *planned, const char *done)
{
    object_add(r->deviations, field_text("what", what), field_text("planned", planned), field_text("done", done));
}

static const char *shown(const char *text)
{
    return text[0] ? text : "none named";
}

static enum err_code compare(struct report_run *r)
{
    struct analysis planned;
    enum err_code rc = plan_analysis(&r->plan, r->a, &planned, r->err);
    for (const struct analysis_field *f = analysis_fields; f->name && rc == OK; f++) {
        const char *was = analysis_text(&planned, f, r->a), *is = analysis_text(&r->s, f, r->a);
        if (!f->of_plan && strcmp(was, is) != 0) {
            add(r, f->label, shown(was), shown(is));
        }
    }
    return rc;
}

/* Models that were named and are not in the report. */
static void missing_models(struct report_run *r)
{
    for (size_t i = 0; i < json_array_size(r->left_out) && r->s.models.n; i++) {
        const json_t *left = json_array_get(r->left_out, i);
        add(r, arena_printf(r->a, "Model %s", json_string_value(json_object_get(left, "model"))), "in the report",
                         json_string_value(json_object_get(left, "reason")));
    }
}

/* Plans about the set that the report does not follow. */
static enum err_code other_plans(struct report_run *r)
{
    struct plan_row *list;
    size_t n = 0;
    enum err_code rc = plans_list(r->db, r->fresh.set, r->a, &list, &n, r->err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        if (list[i].id <= r->event && list[i].id != r->plan.id) {
            add(r, r->plan.id ? "Another plan" : "A plan that is not followed", arena_printf(r->a, SV_FMT ", %s", SV_ARG(list[i].name),
                             plan_words(&list[i], r->a)), r->plan.id ? "not in this report" : "an analysis without a plan");
        }
    }
    return rc;
}

static void opened_early(struct report_run *r)
{
    const struct revision_row *v = &r->fresh;
    if (v->state == REVISION_UNSEALED) {
        add(r, arena_printf(r->a, SV_FMT "/%lld", SV_ARG(v->set), (long long)v->number), "sealed until it is frozen",
                         arena_printf(r->a, "unsealed before: " SV_FMT, SV_ARG(v->state_reason)));
    }
}

enum err_code report_deviations(struct report_run *r)
{
    enum err_code rc = OK;
    if (r->plan.id == 0) {
        add(r, "Plan", "none was named", "an analysis chosen when its numbers may have been known");
    } else {
        if (plan_is_late(&r->plan)) {
            add(r, "Time of the plan", "before the new set can be scored", plan_words(&r->plan, r->a));
        }
        rc = compare(r);
    }
    missing_models(r);
    opened_early(r);
    return rc == OK ? other_plans(r) : rc;
}
