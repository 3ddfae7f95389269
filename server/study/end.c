/* end.c - how a place stands and ends. */
#include "study/end.h"

#include <string.h>

#include "base/clock.h"
#include "store/campaigns/remeasurements.h"
#include "store/people/notes.h"
#include "store/people/people.h"
#include "store/work/visits.h"
#include "study/entry.h"
#include "study/hold.h"

static const char *const stand_words[STANDS] = {
    [STAND_READY] = "ready",   [STAND_WAITING] = "waiting", [STAND_DONE] = "done",
    [STAND_NONE_LEFT] = "none_left", [STAND_PAUSED] = "paused", [STAND_CLOSED] = "closed",
    [STAND_LAPSED] = "lapsed", [STAND_BLOCKED] = "blocked", [STAND_LEFT] = "left"};

const char *end_stand_word(enum end_stand at)
{
    BUG_IF((unsigned)at >= STANDS);
    return stand_words[at];
}

bool end_stand_goes_on(enum end_stand at)
{
    return at == STAND_READY || at == STAND_WAITING;
}

/* Whoever did a part of the work is paid for it. */
static enum study_outcome outcome_so_far(const struct study_settings *s, int64_t answered,
                                         enum study_outcome otherwise)
{
    return answered >= s->partial_grids ? STUDY_PARTIAL : otherwise;
}

/* Why this place gets no grid, whatever the campaign says; STAND_READY: nothing keeps it. One that is
 * complete is ready as far as this goes: there may be grids again that somebody else let go. */
static enum err_code place_stand(const struct study *study, const struct place *p, int64_t now,
                                 struct end_standing *out)
{
    bool blocked = false, lapsed = false;
    enum err_code rc = studies_outcome_of(study->db, p->id, &out->ended, &out->outcome, study->err);
    if (rc == OK && !out->ended) {
        rc = notes_blocked(study->db, p->person, &blocked, study->err);
    }
    /* Who was let in may have worked elsewhere since, and seen what this campaign measures again. */
    if (rc == OK && !out->ended && !blocked) {
        rc = remeasurements_met(study->db, p->campaign, p->person, &blocked, study->err);
    }
    /* No study lets places lapse within a minute: the usual worker costs no query. */
    if (rc == OK && !out->ended && !blocked && now - p->joined_at >= 60000) {
        rc = studies_lapsed(study->db, p->id, now, &lapsed, study->err);
    }
    out->at = out->ended && out->outcome != STUDY_COMPLETE ? STAND_LEFT
              : blocked                                    ? STAND_BLOCKED
              : lapsed                                     ? STAND_LAPSED
                                                           : STAND_READY;
    return rc;
}

/* The campaign is not open: paused it may go on, closed this was all there was. */
static void stand_shut(const struct campaign *k, int64_t now, struct end_standing *out)
{
    bool over = sv_is(k->state, "closed") || (k->closes_at && now >= k->closes_at);
    out->at = over ? STAND_CLOSED : STAND_PAUSED;
}

static struct sv code_due(const struct study_settings *s, const struct place *p,
                          const struct end_standing *at)
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

/* The code is for who joined, and for who did a part of the work with a secret of their own: whoever
 * only knows the id of somebody who worked learns nothing from it. */
static enum err_code tell_code(const struct study *study, const struct study_settings *s,
                               const struct place *p, struct end_standing *at)
{
    bool worked = false;
    enum err_code rc = OK;
    at->code = code_due(s, p, at);
    if (!p->own && p->visit > 0) {
        rc = visits_worked(study->db, p->id, p->visit, &worked, study->err);
    }
    at->foreign = !p->own && !worked;
    at->withheld = at->foreign && at->code.n && (at->answered || at->ended);
    at->code = at->withheld ? SV("") : at->code;
    return rc;
}

/* A lapsed place is only gone when somebody else needs it. */
static enum err_code lapsed_is_gone(const struct study *study, const struct campaign *k,
                                    int64_t now, struct end_standing *out)
{
    int64_t taken = 0;
    enum err_code rc = studies_places_taken(study->db, k->id, now, &taken, study->err);
    out->at = taken >= k->places ? STAND_LAPSED : STAND_READY;
    return rc;
}

enum err_code end_standing(const struct study *study, const struct place *p,
                           const struct campaign *k, const struct study_settings *s,
                           bool none_left, struct end_standing *out)
{
    int64_t now = clock_wall_ms();
    struct place_open open = {0};
    *out = (struct end_standing){.allowed = flow_grids_now(study, k)};
    enum err_code rc = work_place_open(study->db, p->id, now, study->arena, &open, study->err);
    if (rc == OK) {
        out->answered = open.answered;
        rc = place_stand(study, p, now, out);
    }
    if (rc == OK && out->at == STAND_LAPSED) {
        rc = lapsed_is_gone(study, k, now, out);
    }
    if (rc == OK && out->at == STAND_READY) {
        if (open.n_live) {
            out->at = STAND_WAITING;
        } else if (open.answered >= out->allowed) {
            out->at = STAND_DONE;
        } else if (!flow_is_open(k, now)) {
            stand_shut(k, now, out);
        } else if (none_left) {
            out->at = open.answered ? STAND_DONE : STAND_NONE_LEFT;
        }
    }
    if (out->at == STAND_DONE) {
        out->ended = true;
        out->outcome = STUDY_COMPLETE;
    }
    return rc == OK ? tell_code(study, s, p, out) : rc;
}

/* ------------------------------------------------------------------ write steps */

enum err_code end_refusal(const struct study *study, const struct place *p, const char **reason,
                          bool *again)
{
    int64_t now = clock_wall_ms();
    bool room = true;
    struct end_standing at = {0};
    const struct campaign *k = desk_campaign(study->desk, p->campaign);
    *again = false;
    enum err_code rc = place_stand(study, p, now, &at);
    if (rc == OK && at.at == STAND_LAPSED && k) {
        rc = entry_has_room(study, k, now, &room);
        *again = rc == OK && room;
        at.at = *again ? STAND_READY : STAND_LAPSED;
    }
    *reason = rc == OK && at.at != STAND_READY ? end_stand_word(at.at) : NULL;
    return rc;
}

enum err_code end_reached(const struct study *study, const struct place *p, struct flow_next *out)
{
    struct campaign k;
    struct study_settings s;
    struct end_standing at = {0};
    int64_t now = clock_wall_ms();
    if (campaigns_get(study->db, p->campaign, study->arena, &k, study->err) != OK ||
        studies_get(study->db, p->campaign, study->arena, &s, study->err) != OK ||
        place_stand(study, p, now, &at) != OK) {
        return study->err->code;
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
    bool reached = at.at == STAND_DONE || (at.at == STAND_CLOSED && out->finished);
    if (tell_code(study, &s, p, &at) != OK) {
        return study->err->code;
    }
    out->code = at.code;
    return reached && !at.ended
               ? studies_outcome(study->db, p->id, STUDY_COMPLETE, 0, now, study->err)
               : OK;
}

/* What leaving now comes to. Being forgotten is a wish about the id and says nothing about the work:
 * it ends as stopping does. */
static enum study_outcome outcome_of(const struct study_settings *s, const struct end_standing *at,
                                     enum end_leaving how)
{
    if (at->at == STAND_DONE || (at->at == STAND_CLOSED && at->answered)) {
        return STUDY_COMPLETE;
    }
    if (at->at == STAND_BLOCKED) {
        return outcome_so_far(s, at->answered, STUDY_SCREENED_OUT);
    }
    return how == LEAVE_TECHNICAL ? STUDY_TECHNICAL
                                  : outcome_so_far(s, at->answered, STUDY_WITHDRAWN);
}

enum err_code end_leave(const struct study *study, const struct place *p, enum end_leaving how)
{
    struct campaign k;
    struct study_settings s;
    struct end_standing at;
    int64_t now = clock_wall_ms();
    if (campaigns_get(study->db, p->campaign, study->arena, &k, study->err) != OK ||
        studies_get(study->db, p->campaign, study->arena, &s, study->err) != OK ||
        end_standing(study, p, &k, &s, false, &at) != OK) {
        return study->err->code;
    }
    bool ended = false;
    enum study_outcome was;
    enum err_code rc = studies_outcome_of(study->db, p->id, &ended, &was, study->err);
    if (rc == OK && !ended) {
        rc = studies_outcome(study->db, p->id, outcome_of(&s, &at, how), 0, now, study->err);
    }
    if (rc == OK && how == LEAVE_FORGET) {
        rc = people_forget(study->db, now, 0, p->person, study->err);
    }
    rc = rc == OK ? flow_release(study, p) : rc;
    if (rc == OK) {
        desk_places_changed(study->desk, p->campaign);
    }
    return rc;
}
