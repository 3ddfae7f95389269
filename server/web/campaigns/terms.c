/* terms.c - a lead changes those terms of a draft that no grid depends on: what the plan's
 * warnings ask for can be done where they stand. What a term may be is store/campaigns/campaigns.c's. */
#include <math.h>

#include "base/clock.h"
#include "store/decisions/pay.h"
#include "web/core/form_refused.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"

static double typed_real(struct ctx *c, const char *name)
{
    double x = 0;
    return sv_f64(sv_trim(form_get(&c->form, name)), &x) ? x : (double)NAN;
}

/* What is no number becomes one that campaigns_set_terms refuses. */
static void read_terms(struct ctx *c, struct campaign *k)
{
    k->title = sv_trim(form_get(&c->form, "title"));
    if (!sv_i64(sv_trim(form_get(&c->form, "grids_per_place")), &k->grids_per_place)) {
        k->grids_per_place = 0;
    }
    if (!pay_amount(sv_trim(form_get(&c->form, "pay")), &k->pay_cents)) {
        k->pay_cents = -1;
    }
    k->max_share = typed_real(c, "max_share") / 100;
    k->expected_minutes = typed_real(c, "minutes");
}

/* POST /campaigns/:campaign/terms */
enum err_code page_campaign_terms(struct ctx *c)
{
    struct campaign k;
    if (campaigns_find(c->db, c->req->params[0], c->arena, &k, &c->err) != OK) {
        return c->err.code;
    }
    read_terms(c, &k);
    if (campaigns_set_terms(c->db, &k, c->user.account, clock_wall_ms(), &c->err) != OK) {
        return c->err.code == ERR_INPUT ? form_wrong_field(c, c->err.rule) : c->err.code;
    }
    return reply_did(c, arena_printf(c->arena, "/campaigns/" SV_FMT "/plan", SV_ARG(k.name)), NULL,
                     "The terms are saved. The plan below follows them.");
}
