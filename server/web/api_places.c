/* api_places.c - places as JSON: joining a study, and how a place stands, for panels, the grid page's
 * script and load tests. The rules are work_entry.c's and work_end.c's. */
#include "web/pages.h"
#include "web/reply.h"
#include "web/work_end.h"
#include "web/work_entry.h"
#include "web/work_parts.h"

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
    static const char *const members[] = {"key", "consent", "external_id", "source"};
    if (gate_need_json(c) != OK) {
        return c->err.code;
    }
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        if (check_member(c, members[i], json_object_get(c->json, members[i])) != OK) {
            return c->err.code;
        }
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

/* What a link would say: key and consent are members, the person's id one too ("worker" asks for
 * it), everything else stands in "parameters". */
static struct sv body_value(struct ctx *c, const char *name)
{
    struct sv key = sv_of(name);
    bool own = sv_is(key, "key") || sv_is(key, "consent");
    const json_t *v = sv_is(key, "worker") ? json_object_get(c->json, "external_id")
                      : own                ? json_object_get(c->json, name)
                                           : json_object_get(
                                                 json_object_get(c->json, "parameters"), name);
    return v ? sv_make(json_string_value(v), json_string_length(v)) : SV("");
}

/* POST /api/v1/campaigns/:campaign/places */
enum err_code api_place_create(struct ctx *c)
{
    struct work_entry e;
    struct place p;
    if (work_entry_read(c, c->req->params[0], body_value, &e) != OK ||
        work_join(c, &e, &p) != OK) {
        return c->err.code;
    }
    return reply_json(c, 201,
                      json_pack("{s:s, s:I, s:s%}", "place", work_token_text(c->arena, p.token),
                                "grids", (json_int_t)e.k.grids_per_place, "consent",
                                p.consent_version.p, p.consent_version.n));
}

static json_t *submissions_json(const struct study_submission *list, size_t n)
{
    static const char *const states[] = {
        [SUBMISSION_STORED] = "stored", [SUBMISSION_SURPLUS] = "surplus", [SUBMISSION_OUT] = "out"};
    json_t *all = json_array();
    for (size_t i = 0; i < n; i++) {
        json_t *one = json_pack("{s:I, s:I, s:s}", "event", (json_int_t)list[i].answer, "at",
                                (json_int_t)list[i].at, "state", states[list[i].state]);
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
    struct work_standing at;
    struct study_submission *list;
    size_t n;
    if (work_place_named(c, &w) != OK ||
        work_standing(c, &w.place, &w.campaign, &w.study, false, &at) != OK ||
        studies_submissions(c->db, w.place.id, c->arena, &list, &n, &c->err) != OK) {
        return c->err.code;
    }
    json_t *body = json_pack(
        "{s:s, s:s?, s:{s:I, s:I}, s:s%, s:o}", "state", work_stand_word(at.at), "outcome",
        at.ended ? study_outcome_name(at.outcome) : NULL, "progress", "done",
        (json_int_t)at.answered, "total", (json_int_t)at.allowed, "consent",
        w.place.consent_version.p, w.place.consent_version.n, "submissions",
        submissions_json(list, n));
    json_object_set_new(body, "code",
                        at.code.n ? json_stringn(at.code.p, at.code.n) : json_null());
    return reply_json(c, 200, body);
}
