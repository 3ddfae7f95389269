/* work_end.c - how a place stands and ends. */
#include "web/work_end.h"

#include <string.h>

#include "base/clock.h"
#include "store/notes.h"
#include "store/people.h"
#include "store/remeasurements.h"
#include "view/escape.h"
#include "web/work_entry.h"
#include "web/work_parts.h"

static const char *const stand_words[STANDS] = {
    [STAND_READY] = "ready",   [STAND_WAITING] = "waiting", [STAND_DONE] = "done",
    [STAND_NONE_LEFT] = "none_left", [STAND_PAUSED] = "paused", [STAND_CLOSED] = "closed",
    [STAND_LAPSED] = "lapsed", [STAND_BLOCKED] = "blocked", [STAND_LEFT] = "left"};

const char *work_stand_word(enum work_stand at)
{
    BUG_IF((unsigned)at >= STANDS);
    return stand_words[at];
}

bool work_stand_goes_on(enum work_stand at)
{
    return at == STAND_READY || at == STAND_WAITING;
}

enum err_code work_place_named(struct ctx *c, struct work_place *out)
{
    unsigned char token[WORK_TOKEN];
    if (work_token(c, c->req->params[0], token) != OK ||
        work_place_find(c->db, token, c->arena, &out->place, &c->err) != OK ||
        work_language(c, out->place.campaign) != OK ||
        campaigns_get(c->db, out->place.campaign, c->arena, &out->campaign, &c->err) != OK) {
        return c->err.code;
    }
    return studies_get(c->db, out->place.campaign, c->arena, &out->study, &c->err);
}

/* Whoever did a part of the work is paid for it. */
static enum study_outcome outcome_so_far(const struct study *s, int64_t answered,
                                         enum study_outcome otherwise)
{
    return answered >= s->partial_grids ? STUDY_PARTIAL : otherwise;
}

/* Why this place gets no grid, whatever the campaign says; STAND_READY: nothing keeps it. One that is
 * complete is ready as far as this goes: there may be grids again that somebody else let go. */
static enum err_code place_stand(struct ctx *c, const struct place *p, int64_t now,
                                 struct work_standing *out)
{
    bool blocked = false, lapsed = false;
    enum err_code rc = studies_outcome_of(c->db, p->id, &out->ended, &out->outcome, &c->err);
    if (rc == OK && !out->ended) {
        rc = notes_blocked(c->db, p->person, &blocked, &c->err);
    }
    /* Who was let in may have worked elsewhere since, and seen what this campaign measures again. */
    if (rc == OK && !out->ended && !blocked) {
        rc = remeasurements_met(c->db, p->campaign, p->person, &blocked, &c->err);
    }
    /* No study lets places lapse within a minute: the usual worker costs no query. */
    if (rc == OK && !out->ended && !blocked && now - p->joined_at >= 60000) {
        rc = studies_lapsed(c->db, p->id, now, &lapsed, &c->err);
    }
    out->at = out->ended && out->outcome != STUDY_COMPLETE ? STAND_LEFT
              : blocked                                    ? STAND_BLOCKED
              : lapsed                                     ? STAND_LAPSED
                                                           : STAND_READY;
    return rc;
}

/* The campaign is not open: paused it may go on, closed this was all there was. */
static void stand_shut(const struct campaign *k, int64_t now, struct work_standing *out)
{
    bool over = sv_is(k->state, "closed") || (k->closes_at && now >= k->closes_at);
    out->at = over ? STAND_CLOSED : STAND_PAUSED;
}

static struct sv code_due(const struct study *s, const struct place *p,
                          const struct work_standing *at)
{
    switch (at->at) {
    case STAND_DONE: return study_code(s, p, STUDY_COMPLETE);
    case STAND_CLOSED: return study_code(s, p, at->answered ? STUDY_COMPLETE : STUDY_FULL);
    case STAND_NONE_LEFT:
    case STAND_LAPSED: return study_code(s, p, STUDY_FULL);
    case STAND_BLOCKED:
        return study_code(s, p, outcome_so_far(s, at->answered, STUDY_SCREENED_OUT));
    case STAND_LEFT: return study_code(s, p, at->outcome);
    case STAND_READY:
    case STAND_WAITING:
    case STAND_PAUSED:
    case STANDS: break;
    }
    /* A code that was given stays, when the study opened again or a grid was let go. */
    return at->ended ? study_code(s, p, at->outcome) : SV("");
}

/* A lapsed place is only gone when somebody else needs it. */
static enum err_code lapsed_is_gone(struct ctx *c, const struct campaign *k, int64_t now,
                                    struct work_standing *out)
{
    int64_t taken = 0;
    enum err_code rc = studies_places_taken(c->db, k->id, now, &taken, &c->err);
    out->at = taken >= k->places ? STAND_LAPSED : STAND_READY;
    return rc;
}

enum err_code work_standing(struct ctx *c, const struct place *p, const struct campaign *k,
                            const struct study *s, bool none_left, struct work_standing *out)
{
    int64_t now = clock_wall_ms();
    struct place_open open = {0};
    *out = (struct work_standing){.allowed = work_page_allowed(c, k)};
    enum err_code rc = work_place_open(c->db, p->id, now, c->arena, &open, &c->err);
    if (rc == OK) {
        out->answered = open.answered;
        rc = place_stand(c, p, now, out);
    }
    if (rc == OK && out->at == STAND_LAPSED) {
        rc = lapsed_is_gone(c, k, now, out);
    }
    if (rc == OK && out->at == STAND_READY) {
        if (open.n_live) {
            out->at = STAND_WAITING;
        } else if (open.answered >= out->allowed) {
            out->at = STAND_DONE;
        } else if (!work_is_open(k, now)) {
            stand_shut(k, now, out);
        } else if (none_left) {
            out->at = open.answered ? STAND_DONE : STAND_NONE_LEFT;
        }
    }
    if (out->at == STAND_DONE) {
        out->ended = true;
        out->outcome = STUDY_COMPLETE;
    }
    out->code = code_due(s, p, out);
    return rc;
}

/* The study's return address with the code in it; NULL when it has none. */
static const char *return_url(struct ctx *c, const struct study *s, struct sv code)
{
    static const char mark[] = "{code}";
    struct str out;
    if (s->return_url.n == 0) {
        return NULL;
    }
    str_init(&out, 64 << 10);
    struct sv rest = s->return_url;
    while (rest.n) {
        if (sv_starts(rest, mark)) {
            escape_url(&out, code);
            rest = sv_make(rest.p + sizeof mark - 1, rest.n - (sizeof mark - 1));
        } else {
            str_addc(&out, *rest.p);
            rest = sv_make(rest.p + 1, rest.n - 1);
        }
    }
    const char *url = arena_cstr(c->arena, str_sv(&out));
    str_release(&out);
    return url;
}

json_t *work_code_json(struct ctx *c, const struct study *s, struct sv code)
{
    return code.n ? json_pack("{s:s%, s:s?}", "text", code.p, code.n, "url",
                              return_url(c, s, code))
                  : json_null();
}

/* ------------------------------------------------------------------ write steps */

enum err_code work_refusal(struct ctx *c, const struct place *p, const char **reason, bool *again)
{
    int64_t now = clock_wall_ms();
    bool room = true;
    struct work_standing at = {0};
    const struct campaign *k = desk_campaign(app_desk(c->app), p->campaign);
    *again = false;
    enum err_code rc = place_stand(c, p, now, &at);
    if (rc == OK && at.at == STAND_LAPSED && k) {
        rc = work_has_room(c, k, now, &room);
        *again = rc == OK && room;
        at.at = *again ? STAND_READY : STAND_LAPSED;
    }
    *reason = rc == OK && at.at != STAND_READY ? work_stand_word(at.at) : NULL;
    return rc;
}

enum err_code work_reached_end(struct ctx *c, const struct place *p, struct work_next *out)
{
    struct campaign k;
    struct study s;
    struct work_standing at = {0};
    int64_t now = clock_wall_ms();
    if (campaigns_get(c->db, p->campaign, c->arena, &k, &c->err) != OK ||
        studies_get(c->db, p->campaign, c->arena, &s, &c->err) != OK ||
        place_stand(c, p, now, &at) != OK) {
        return c->err.code;
    }
    at.answered = out->finished;
    if (out->holds) {
        return OK; /* what it holds comes first */
    }
    if (at.at == STAND_READY && strcmp(out->reason, "not-open") == 0) {
        stand_shut(&k, now, &at);
    } else if (at.at == STAND_READY) {
        at.at = out->finished ? STAND_DONE : STAND_NONE_LEFT;
    }
    out->code = code_due(&s, p, &at);
    bool reached = at.at == STAND_DONE || (at.at == STAND_CLOSED && out->finished);
    return reached && !at.ended
               ? studies_outcome(c->db, p->id, STUDY_COMPLETE, 0, now, &c->err)
               : OK;
}

static enum study_outcome outcome_of(const struct study *s, enum work_leaving how,
                                     int64_t answered)
{
    switch (how) {
    case LEAVE_TECHNICAL: return STUDY_TECHNICAL;
    case LEAVE_FORGET: return STUDY_WITHDRAWN;
    case LEAVE_STOP: break;
    }
    return outcome_so_far(s, answered, STUDY_WITHDRAWN);
}

enum err_code work_leave(struct ctx *c, const struct place *p, enum work_leaving how)
{
    struct study s;
    struct place_work work;
    int64_t now = clock_wall_ms();
    bool ended = false;
    enum study_outcome was;
    if (studies_get(c->db, p->campaign, c->arena, &s, &c->err) != OK ||
        work_place_state(c->db, p->id, c->arena, &work, &c->err) != OK ||
        studies_outcome_of(c->db, p->id, &ended, &was, &c->err) != OK) {
        return c->err.code;
    }
    enum err_code rc = ended ? OK
                             : studies_outcome(c->db, p->id, outcome_of(&s, how, work.answered),
                                               0, now, &c->err);
    if (rc == OK && how == LEAVE_FORGET) {
        rc = people_forget(c->db, now, 0, p->person, &c->err);
    }
    if (rc == OK) {
        rc = work_release(c, p);
    }
    if (rc == OK) {
        desk_places_changed(app_desk(c->app), p->campaign);
    }
    return rc;
}
