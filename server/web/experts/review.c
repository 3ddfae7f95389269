/* review.c - who may open what. */
#include "web/experts/review.h"

#include "base/clock.h"
#include "experts/training_stand.h"
#include "store/people/accounts.h"
#include "web/core/form_refused.h"

enum err_code review_open(struct ctx *c, struct label_review_row *out)
{
    bool theirs = c->user.role >= ROLE_LEAD;
    enum err_code rc = label_reviews_find(c->db, c->req->params[0], c->arena, out, &c->err);
    rc = rc == OK && !theirs ? label_reviewer_is(c->db, out->id, c->user.account, &theirs, &c->err) : rc;
    return rc == OK && !theirs ? err_rule(&c->err, ERR_DENIED, "label-review-theirs",
                                          "The label review " SV_FMT " is not your work. Ask a lead to add you to it.",
                                          SV_ARG(out->name))
                               : rc;
}

enum err_code review_open_work(struct ctx *c, struct label_review_row *out)
{
    enum err_code rc = review_open(c, out);
    return rc == OK && c->user.role < ROLE_LEAD ? training_need_check(c->db, FOR_LABEL_REVIEW, out->id, c->user.account, c->arena, &c->err) : rc;
}

enum err_code review_open_item(struct ctx *c, struct label_review_row *out, int64_t *position)
{
    enum err_code rc = review_open_work(c, out);
    return rc != OK || (sv_i64(c->req->params[1], position) && *position >= 0)
               ? rc
               : err_rule(&c->err, ERR_NOT_FOUND, "label-review-item", "This label review has no such image.");
}

static enum err_code change_person(struct ctx *c, const struct label_review_row *r, struct sv login, bool add, const char **did)
{
    struct account who;
    enum err_code rc = accounts_find_login(c->db, login, c->arena, &who, &c->err);
    if (rc == ERR_NOT_FOUND || (rc == OK && add && !account_is_expert(&who))) {
        err_rule(&c->err, ERR_INPUT, "label-review-login", "Choose an account with the role expert or above. Nothing was changed.");
        return form_wrong_field(c, "login");
    }
    *did = arena_printf(c->arena, "The review is %s work of " SV_FMT ".", add ? "now" : "no longer", SV_ARG(login));
    return rc == OK ? label_review_assign(c->db, r->id, who.id, add, c->user.account, clock_wall_ms(), &c->err) : rc;
}

enum err_code review_change(struct ctx *c, const struct label_review_row *r, struct sv what, struct sv login, const char **did)
{
    bool open = sv_is(what, "open");
    if (sv_is(what, "add") || sv_is(what, "remove")) {
        return change_person(c, r, login, sv_is(what, "add"), did);
    }
    if (!open && !sv_is(what, "close")) {
        return err_rule(&c->err, ERR_INPUT, "label-review-do", "Choose what to do: add, remove, open or close. Nothing was changed.");
    }
    *did = open ? "Opened the review." : "Closed the review.";
    return label_review_state(c->db, r->id, open, c->user.account, clock_wall_ms(), &c->err);
}

const char *review_url(struct ctx *c, struct sv name)
{
    return arena_printf(c->arena, "/labels/" SV_FMT, SV_ARG(name));
}

const char *review_item_url(struct ctx *c, struct sv name, int64_t position)
{
    return arena_printf(c->arena, "/labels/" SV_FMT "/%lld", SV_ARG(name), (long long)position);
}
