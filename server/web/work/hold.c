/* hold.c - cookies of places. */
#include "web/work/hold.h"

#include "study/flow.h"
#include "web/core/signed_in.h"
#include "web/work/shared.h"

enum { KEEP_DAYS = 180 };

static const char *place_cookie(struct ctx *c, int64_t place)
{
    return arena_printf(c->arena, "holdout_place_%lld", (long long)place);
}

struct sv work_hold_kept(void *ctx, int64_t place)
{
    struct ctx *c = ctx;
    return request_cookie(c->req, place_cookie(c, place));
}

void work_hold_keep(struct ctx *c, const struct place *p)
{
    cookie_set_below(c, "/work", place_cookie(c, p->id), hold_text(c->arena, p),
                     INT64_C(86400) * KEEP_DAYS);
}

enum err_code work_hold_of_grid(struct ctx *c, struct place *out)
{
    unsigned char token[WORK_TOKEN];
    enum err_code rc = flow_token(c->req->params[0], token, &c->err);
    rc = rc == OK ? work_place_by_grid(c->db, token, c->arena, out, &c->err) : rc;
    const struct study study = work_study_of(c);
    return rc == OK ? hold_by_kept(&study, out, NULL) : rc;
}

enum err_code work_place_named(struct ctx *c, struct work_place *out)
{
    const struct study study = work_study_of(c);
    if (hold_find(&study, c->req->params[0], &out->place) != OK ||
        campaigns_get(c->db, out->place.campaign, c->arena, &out->campaign, &c->err) != OK ||
        work_language(c, out->place.campaign, out->campaign.classify) != OK) {
        return c->err.code;
    }
    return studies_get(c->db, out->place.campaign, c->arena, &out->study, &c->err);
}

enum err_code work_entry(struct ctx *c, const struct entry_link *link, struct entry *e)
{
    const struct study study = work_study_of(c);
    return entry_find(&study, c->req->params[0], e) != OK || work_language(c, e->k.id, e->k.classify) != OK
               ? c->err.code
               : entry_read(&study, link, e);
}
