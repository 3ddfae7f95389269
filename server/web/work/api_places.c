/* api_places.c - places as JSON: joining a study, and how a place stands, for panels, the grid page's
 * script and load tests. The rules are study/entry.c's and study/end.c's. */
#include "study/end.h"
#include "study/entry.h"
#include "study/hold.h"
#include "study/signed.h"
#include "web/core/pages.h"
#include "web/core/records.h"
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

struct joined {
    const char *place;
    int64_t grids;
    struct place p;
};

#define OF(member) RECORD_OF(struct joined, member)
RECORD(place_joined_record, struct joined, "place_joined", "A place in a campaign.",
       {"place", OF(place), .about = "The secret of the place, by which everything else is asked."},
       {"grids", OF(grids), .about = "Grids of a place by the campaign's terms."},
       {"own", OF(p.own), .about = "Whether the secret opens codes, withdrawing and being forgotten too."},
       {"consent", OF(p.consent_version), .about = "The version of the consent that was agreed to."});
RECORD(place_proved_record, struct joined, "place_proved", "A place that is proved to be one's own.",
       {"place", OF(place), .about = "The secret that opens everything of it."},
       {"own", OF(p.own), .about = "True."});
#undef OF

/* POST /api/v1/campaigns/:campaign/places */
enum err_code api_place_create(struct ctx *c)
{
    struct entry e;
    struct joined joined;
    const struct study study = work_study_of(c);
    const struct entry_link link = {body_value, c};
    if (work_entry(c, &link, &e) != OK || entry_who(&study, &link, &e) != OK ||
        entry_join(&study, &e, &joined.p) != OK) {
        return c->err.code;
    }
    joined.place = hold_text(c->arena, &joined.p);
    joined.grids = e.k.grids_per_place;
    return reply_record(c, 201, &place_joined_record, &joined);
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
    const struct joined proved = {.place = hold_text(c->arena, &w.place), .p.own = true};
    return reply_record(c, 200, &place_proved_record, &proved);
}

struct submission_face {
    struct study_submission s;
    const char *state;
    bool out;
};

#define OF(member) RECORD_OF(struct submission_face, member)
static RECORD(submission_record, struct submission_face, "submission", "An answer as its worker sees it.",
              {"event", OF(s.answer), .about = "The answer's number."},
              {"at", OF(s.at), .about = "When it was submitted, in milliseconds since 1970."},
              {"state", OF(state), .about = "stored, surplus or out."},
              {"rule", OF(s.rule), RECORD_IF(struct submission_face, out), .absent = true,
               .about = "Why it does not count; not there if it does."});
#undef OF

static json_t *submissions_json(const struct study_submission *list, size_t n)
{
    static const char *const states[] = {
        [SUBMISSION_STORED] = "stored", [SUBMISSION_SURPLUS] = "surplus", [SUBMISSION_OUT] = "out"};
    json_t *all = json_array();
    for (size_t i = 0; i < n; i++) {
        const struct submission_face face = {list[i], states[list[i].state], list[i].state == SUBMISSION_OUT};
        json_array_append_new(all, record_json(&submission_record, &face));
    }
    return all;
}

struct place_face {
    struct place p;
    const char *state, *outcome;
    struct grids_done progress;
    struct sv code;
    json_t *submissions;
};

#define OF(member) RECORD_OF(struct place_face, member)
RECORD(place_record, struct place_face, "place", "How a place stands.",
       {"state", OF(state), .about = "ready, waiting, done, none_left, paused, closed, lapsed, blocked or left."},
       {"outcome", OF(outcome), .maybe = true, .about = "How it ended: complete, partial and others; null: it did not."},
       {"progress", RECORD_PART(struct place_face, progress), .of = &grids_done_record, .about = "Its grids."},
       {"consent", OF(p.consent_version), .about = "The version of the consent that was agreed to."},
       {"submissions", OF(submissions), RECORD_LIST, .of = &submission_record, .about = "Its answers."},
       {"own", OF(p.own), .about = "Whether the secret opens codes, withdrawing and being forgotten too."},
       {"code", OF(code), .maybe = true, .about = "The completion code; null: none is due, or not to this secret."});
#undef OF

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
    const struct place_face face = {
        .p = w.place,
        .state = end_stand_word(at.at),
        .outcome = at.ended ? study_outcome_name(at.outcome) : NULL,
        .progress = {at.answered, at.allowed},
        .code = at.code,
        .submissions = submissions_json(list, n)};
    return reply_record(c, 200, &place_record, &face);
}
