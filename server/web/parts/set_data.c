/* set_data.c - what pages and scripts are told of a revision, and of a score. */
#include "web/parts/set_data.h"

#include "base/sorted.h"
#include "crypto/crypto.h"
#include "json/object.h"
#include "stats/binomial.h"
#include "store/people/accounts.h"
#include "web/core/page_data.h"
#include "web/parts/people_data.h"

static const double alpha = 0.05;

const char *set_title(struct arena *a, const struct revision_row *r)
{
    return arena_printf(a, SV_FMT "/%lld", SV_ARG(r->set), (long long)r->number);
}

const char *set_url(struct arena *a, const struct revision_row *r)
{
    return arena_printf(a, "/sets/%s", set_title(a, r));
}

const char *set_state_url(struct arena *a, const struct revision_row *r)
{
    return r->sealed_by.n ? arena_printf(a, "/sets/" SV_FMT "#state-head", SV_ARG(r->sealed_by))
                          : arena_printf(a, "%s#state-head", set_url(a, r));
}

bool set_scoreable(const struct revision_row *r)
{
    return revision_may_be_scored(r, NULL) == OK;
}

/* Why models may not be scored on it; null when they may. */
static json_t *refusal_json(const struct revision_row *r)
{
    struct err why = {0};
    return revision_may_be_scored(r, &why) == OK ? json_null() : json_string(why.msg);
}

enum err_code set_asked(struct ctx *c, struct revision_row *out)
{
    struct sv set = c->req->params[0], number = c->req->params[1];
    const char *name = arena_printf(c->arena, SV_FMT "/" SV_FMT, SV_ARG(set), SV_ARG(number));
    return revisions_find(c->db, sv_of(name), c->arena, out, &c->err);
}

/* Who made it, as pages of leads and experts name them. */
static enum err_code maker(struct ctx *c, int64_t account, struct sv *out)
{
    struct account who;
    *out = SV("command line");
    if (!account) {
        return OK;
    }
    enum err_code rc = accounts_get(c->db, account, c->arena, &who, &c->err);
    if (rc == OK) {
        *out = who.login.n ? who.login : SV("a former account");
    }
    return rc;
}

json_t *set_data_revision(struct ctx *c, const struct revision_row *r)
{
    struct sv by;
    if (maker(c, r->account, &by) != OK) {
        return NULL;
    }
    char digest[2 * SET_DIGEST + 1];
    crypto_hex(r->digest, SET_DIGEST, digest);
    return object(
        field_text("name", set_title(c->arena, r)), field_sv("set", r->set),
        field_int("number", r->number), field_text("url", set_url(c->arena, r)),
        field_sv("role", r->role), field_sv("strategy", r->strategy),
        field_int("images", r->images), field_text("images_text", data_count(c->arena, r->images)),
        field_text("digest", digest), field_sv("digest_start", sv_make(digest, (size_t)12)),
        field_text("state", revision_state_word(r->state)),
        field_bool("is_sealed", !set_scoreable(r)),
        field_bool("is_unsealed", r->state == REVISION_UNSEALED),
        field_json("sealed", refusal_json(r)), field_sv("state_reason", r->state_reason),
        field_text("at", people_minute(c->arena, r->at)), field_sv("by", by));
}

json_t *set_data_score(struct arena *a, uint32_t right, uint32_t n)
{
    if (n == 0) {
        return json_null();
    }
    double share = (double)right / (double)n;
    struct interval ci = binomial_clopper_pearson(right, n, alpha);
    return object(
        field_int("correct", right), field_int("n", n), field_real("accuracy", share),
        field_real("lo", ci.lo), field_real("hi", ci.hi),
        field_text("text", arena_printf(a, "%.1f\xc2\xa0%% (n %s, %.1f\xe2\x80\x93%.1f)",
                                        100 * share, data_count(a, n), 100 * ci.lo, 100 * ci.hi)));
}

static json_t *cell(struct arena *a, uint32_t right, uint32_t n, uint32_t images, bool says_n)
{
    if (n == 0) {
        return json_null();
    }
    struct interval ci = binomial_clopper_pearson(right, n, alpha);
    const char *count =
        n < images ? arena_printf(a, ", n %s of %s", data_count(a, n), data_count(a, images))
        : says_n   ? arena_printf(a, ", n %s", data_count(a, n))
                   : "";
    return object(field_text("value", arena_printf(a, "%.1f", 100 * ((double)right / (double)n))),
                  field_text("note", arena_printf(a, "%.1f\xe2\x80\x93%.1f%s", 100 * ci.lo,
                                                  100 * ci.hi, count)));
}

json_t *set_data_cell(struct arena *a, uint32_t right, uint32_t n, uint32_t images)
{
    return cell(a, right, n, images, true);
}

json_t *set_data_short_cell(struct arena *a, uint32_t right, uint32_t n, uint32_t images)
{
    return cell(a, right, n, images, false);
}

const struct model_score *set_score_of(const struct model_score *scores, size_t n, int64_t model)
{
    size_t at = sorted_i64(scores, n, sizeof *scores, offsetof(struct model_score, model), model);
    return at < n && scores[at].model == model ? &scores[at] : NULL;
}

enum err_code set_to_score(struct ctx *c, struct sv asked, struct revision_row *out)
{
    struct revision_row *list;
    size_t n;
    if (asked.n) {
        enum err_code rc = revisions_find(c->db, asked, c->arena, out, &c->err);
        return rc == OK ? revision_may_be_scored(out, &c->err) : rc;
    }
    *out = (struct revision_row){.id = 0};
    if (revisions_list(c->db, 0, c->arena, &list, &n, &c->err) != OK) {
        return c->err.code;
    }
    for (size_t i = 0; i < n; i++) {
        bool nearer = sv_is(list[i].role, "new") && !sv_is(out->role, "new");
        bool newer = sv_eq(list[i].role, out->role) && list[i].id > out->id;
        if (set_scoreable(&list[i]) && (!out->id || nearer || newer)) {
            *out = list[i];
        }
    }
    return out->id
               ? OK
               : err_rule(&c->err, ERR_NOT_FOUND, "set",
                          "There is no set yet on which models may be scored. `holdout import set` "
                          "brings one in.");
}
