/* api_places.c - places as JSON: joining a study, and how a place stands, for panels, the grid page's
 * script and load tests. The rules are study/entry.c's and study/end.c's. */
#include "json/object.h"
#include "study/end.h"
#include "study/entry.h"
#include "study/hold.h"
#include "study/signed.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/work/hold.h"
#include "web/work/shared.h"

/* A member of the body that is a text of at most ENTRY_VALUE_MOST bytes, or absent. */
static enum err_code check_member(struct ctx *c, const char *name, const json_t *v)
{
    if (!v || (json_is_string(v) && json_string_length(v) <= ENTRY_VALUE_MOST)) {
        return OK;
    }
    return err_rule(&c->err, ERR_INPUT, name, "\"%s\" must be a text of at most %d bytes.", name,
                    ENTRY_VALUE_MOST);
}

/* POST /api/v1/campaigns/:campaign/places, before the write */
enum err_code api_place_check(struct ctx *c)
{
    static const char *const members[] = {"key", "consent", "external_id", "source", "sig", "exp"};
    const json_t *token = json_object_get(c->json, "token");
    if (gate_need_json(c) != OK) {
        return c->err.code;
    }
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        if (check_member(c, members[i], json_object_get(c->json, members[i])) != OK) {
            return c->err.code;
        }
    }
    if (token && (!json_is_string(token) || json_string_length(token) > SIGNED_TOKEN_MOST)) {
        return err_rule(&c->err, ERR_INPUT, "token", "\"token\" must be a text of at most %d bytes.",
                        SIGNED_TOKEN_MOST);
    }
    json_t *parameters = json_object_get(c->json, "parameters"), *v;
    const char *name;
    if (parameters && !json_is_object(parameters)) {
        return err_rule(&c->err, ERR_INPUT, "parameters",
                        "\"parameters\" must be an object of texts.");
    }
    json_object_foreach(parameters, name, v) {
        if (check_member(c, "parameters", v) != OK) {
            return c->err.code;
        }
    }
    if (!app_rate(c->app, RATE_PLACE, c->req->address, &c->retry_after_s)) {
        return err_set(&c->err, ERR_RATE,
                        "Too many people joined from this address within the hour.");
    }
    return OK;
}

/* What a link would say: key, consent and what is signed are members, the person's id one too ("worker" asks for
 * it), everything else stands in "parameters". */
static struct sv body_value(void *ctx, const char *name)
{
    struct ctx *c = ctx;
    struct sv key = sv_of(name);
    bool own = sv_is(key, "key") || sv_is(key, "consent") || sv_is(key, "sig") ||
               sv_is(key, "exp") || sv_is(key, "token");
    const json_t *v = sv_is(key, "worker") ? json_object_get(c->json, "external_id")
                      : own                ? json_object_get(c->json, name)
                                           : json_object_get(
                                                 json_object_get(c->json, "parameters"), name);
    return v ? sv_make(json_string_value(v), json_string_length(v)) : SV("");
}

/* POST /api/v1/campaigns/:campaign/places */
enum err_code api_place_create(struct ctx *c)
{
    struct entry e;
    struct place p;
    const struct study study = work_study_of(c);
    const struct entry_link link = {body_value, c};
    if (work_entry(c, &link, &e) != OK || entry_who(&study, &link, &e) != OK ||
        entry_join(&study, &e, &p) != OK) {
        return c->err.code;
    }
    return reply_json(c, 201,
                      object(field_text("place", hold_text(c->arena, &p)),
                             field_int("grids", e.k.grids_per_place), field_bool("own", p.own),
                             field_sv("consent", p.consent_version)));
}

/* POST /api/v1/places/:place/proof: {code} gives the place's own secret. */
enum err_code api_place_proof(struct ctx *c)
{
    struct work_place w;
    const json_t *code = json_object_get(c->json, "code");
    const struct study study = work_study_of(c);
    if (gate_need_json(c) != OK || check_member(c, "code", code) != OK ||
        work_place_named(c, &w) != OK ||
        hold_prove(&study, &w.place,
                        code ? sv_make(json_string_value(code), json_string_length(code)) : SV("")) !=
            OK) {
        return c->err.code;
    }
    return reply_json(
        c, 200,
        object(field_text("place", hold_text(c->arena, &w.place)), field_bool("own", true)));
}

static json_t *submissions_json(const struct study_submission *list, size_t n)
{
    static const char *const states[] = {
        [SUBMISSION_STORED] = "stored", [SUBMISSION_SURPLUS] = "surplus", [SUBMISSION_OUT] = "out"};
    json_t *all = json_array();
    for (size_t i = 0; i < n; i++) {
        json_t *one = object(field_int("event", list[i].answer), field_int("at", list[i].at),
                             field_text("state", states[list[i].state]));
        if (list[i].state == SUBMISSION_OUT) {
            json_object_set_new(one, "rule", json_stringn(list[i].rule.p, list[i].rule.n));
        }
        json_array_append_new(all, one);
    }
    return all;
}

/* GET /api/v1/places/:place */
enum err_code api_place(struct ctx *c)
{
    struct work_place w;
    struct end_standing at;
    const struct study study = work_study_of(c);
    struct study_submission *list = NULL;
    size_t n = 0;
    if (work_place_named(c, &w) != OK ||
        end_standing(&study, &w.place, &w.campaign, &w.study, false, &at) != OK ||
        (!at.foreign &&
         studies_submissions(c->db, w.place.id, c->arena, &list, &n, &c->err) != OK)) {
        return c->err.code;
    }
    json_t *body = object(field_text("state", end_stand_word(at.at)),
                          field_text("outcome", at.ended ? study_outcome_name(at.outcome) : NULL),
                          field_json("progress", object(field_int("done", at.answered),
                                                        field_int("total", at.allowed))),
                          field_sv("consent", w.place.consent_version),
                          field_json("submissions", submissions_json(list, n)));
    json_object_set_new(body, "own", json_boolean(w.place.own));
    json_object_set_new(body, "code",
                        at.code.n ? json_stringn(at.code.p, at.code.n) : json_null());
    return reply_json(c, 200, body);
}
