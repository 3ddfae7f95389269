/* plans_data.c - analysis plans on the pages of their set; what they say is on /measures/plans. */
#include "web/sets/plans_data.h"

#include "json/object.h"
#include "report/plan.h"
#include "view/people_texts.h"

json_t *set_plans_data(struct ctx *c, struct sv set)
{
    struct plan_row *plans;
    size_t n = 0;
    if (plans_list(c->db, set, c->arena, &plans, &n, &c->err) != OK) {
        return NULL;
    }
    json_t *list = json_array();
    for (size_t i = n; i-- > 0;) {
        const struct plan_row *p = &plans[i];
        object_add(list, field_sv("name", p->name), field_text("url", arena_printf(c->arena, "/measures/plans#plan-" SV_FMT, SV_ARG(p->name))),
                   field_text("words", plan_words(p, c->arena)), field_bool("late", plan_is_late(p)),
                   field_text("at", people_minute(c->arena, p->at)));
    }
    return list;
}
