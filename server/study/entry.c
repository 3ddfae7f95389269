/* entry.c - who may come to a study. */
#include "study/entry.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/outside.h"
#include "live/work/free_grids.h"
#include "store/campaigns/remeasurements.h"
#include "store/people/notes.h"
#include "store/people/people.h"
#include "study/flow.h"
#include "study/hold.h"
#include "study/quarantine.h"
#include "study/signed.h"

static const struct {
    const char *word, *rule, *text;
    enum study_outcome outcome;
} stands[ENTRY_STANDS] = {
    [ENTRY_OPEN] = {"open", "", "", STUDY_COMPLETE},
    [ENTRY_HAS_PLACE] = {"has_place", "", "", STUDY_COMPLETE},
    [ENTRY_NOT_YET] = {"not_yet", "campaign-not-open",
                       "This study has not begun yet. Nothing was recorded about you.", STUDY_FULL},
    [ENTRY_PAUSED] = {"paused", "campaign-not-open",
                      "This study is paused. Please come back later; nothing was recorded about "
                      "you.", STUDY_FULL},
    [ENTRY_CLOSED] = {"closed", "campaign-not-open",
                      "This study is closed. Nothing was recorded about you.", STUDY_FULL},
    [ENTRY_BLOCKED] = {"blocked", "screened-out",
                       "You cannot take part in this study. Please return the task to your panel.",
                       STUDY_SCREENED_OUT},
    [ENTRY_NOT_LISTED] = {"not_listed", "screened-out",
                          "Only people on the list of this study can take part. Nothing was "
                          "recorded about you.", STUDY_SCREENED_OUT},
    [ENTRY_FULL] = {"full", "study-full",
                    "All places of this study are taken. Please return the task to your panel; "
                    "nothing was recorded about you.", STUDY_FULL},
    [ENTRY_APART] = {"apart", "screened-out",
                     "You have seen photos of this study before, and this part of it needs people "
                     "who have not. Please return the task to your panel; nothing was recorded "
                     "about you.", STUDY_SCREENED_OUT},
    [ENTRY_COMPLETE] = {"complete", "no-work",
                        "This study has all the answers that it asked for. Please return the task "
                        "to your panel; nothing was recorded about you.", STUDY_FULL},
    [ENTRY_MET] = {"met", "no-work",
                   "You have seen photos of every grid that is free. Please return the task to your "
                   "panel; nothing was recorded about you.", STUDY_FULL},
    [ENTRY_NO_WORK] = {"no_work", "no-work",
                       "There is no grid for you at the moment. Please come back later, or return "
                       "the task to your panel; nothing was recorded about you.", STUDY_FULL},
};

const char *entry_stand_word(enum entry_stand stand)
{
    BUG_IF((unsigned)stand >= ENTRY_STANDS);
    return stands[stand].word;
}

enum study_outcome entry_stand_outcome(enum entry_stand stand)
{
    BUG_IF((unsigned)stand >= ENTRY_STANDS);
    return stands[stand].outcome;
}

/* ------------------------------------------------------------------ what the link says */

struct sv entry_value(const struct entry_link *link, const char *name)
{
    return link->value(link->arg, name);
}

/* Compared as keyed hashes: the time tells neither the key's bytes nor its length. */
static bool is_key(const struct study *study, struct sv given, struct sv key)
{
    unsigned char a[CRYPTO_HASH], b[CRYPTO_HASH];
    crypto_keyed(study->key, given, a);
    crypto_keyed(study->key, key, b);
    return crypto_equal(a, b, sizeof a);
}

static enum err_code check_value(const struct study *study, struct sv value, bool person)
{
    bool good = value.n <= ENTRY_VALUE_MOST && sv_utf8(value) && !outside_controls(value);
    if (person ? outside_formula(value) : outside_runs(value)) {
        return err_rule(study->err, ERR_INPUT, "id-formula",
                        "An id in this link " OUTSIDE_FORMULA_TEXT ". Open the link of the study as "
                        "it was given to you.");
    }
    return good ? OK
                : err_rule(study->err, ERR_INPUT, "parameters",
                           "An id in this link is longer than %d bytes, is not text or contains control "
                           "characters. Open the link of the study as it was given to you.", ENTRY_VALUE_MOST);
}

/* The first parameter is the person's id ("worker" stands for it, whatever its name); what the
 * others say is kept as it came. Of a token's claims, nothing else says who comes. */
static struct sv parameter(const struct study *study, const json_t *claims,
                           const struct entry_link *link, const char *name, bool first)
{
    struct sv value = claims ? signed_value(study, claims, name, first) : SV("");
    if (value.n == 0 && !(claims && first)) {
        value = entry_value(link, name);
    }
    return value.n == 0 && first && !claims ? entry_value(link, "worker") : value;
}

static enum err_code read_parameters(const struct study *study, const json_t *claims,
                                     const struct entry_link *link, struct entry *e)
{
    struct sv rest = e->s.id_parameters;
    json_t *others = json_object();
    enum err_code rc = OK;
    for (size_t i = 0; rest.p && rc == OK && i < STUDY_PARAMETERS; i++) {
        const char *name = arena_cstr(study->arena, sv_cut(&rest, '|'));
        e->values[i] = parameter(study, claims, link, name, i == 0);
        rc = check_value(study, e->values[i], i == 0);
        if (rc == OK && i > 0 && e->values[i].n) {
            json_object_set_new(others, name, json_stringn(e->values[i].p, e->values[i].n));
        }
    }
    e->id = e->values[0];
    if (rc == OK && json_object_size(others)) {
        char *text = json_dumps(others, JSON_COMPACT);
        e->parameters = arena_sv(study->arena, sv_of(text));
        free(text);
    }
    json_decref(others);
    return rc;
}

enum err_code entry_who(const struct study *study, const struct entry_link *link, struct entry *e)
{
    struct sv entry = entry_value(link, "entry");
    json_t *claims = NULL;
    bool by_token = signed_by_token(&e->s) && entry.n == 0;
    enum err_code rc = by_token ? signed_claims(study, &e->s, link, &claims) : OK;
    rc = rc == OK ? read_parameters(study, claims, link, e) : rc;
    json_decref(claims);
    if (rc != OK || e->s.signing.n == 0) {
        return rc;
    }
    rc = entry.n ? signed_entry_check(study, e, entry)
                 : signed_id(study, e, link);
    e->proven = rc == OK;
    return rc;
}

enum err_code entry_find(const struct study *study, struct sv campaign, struct entry *e)
{
    *e = (struct entry){0};
    return campaigns_find(study->db, campaign, study->arena, &e->k, study->err);
}

enum err_code entry_read(const struct study *study, const struct entry_link *link, struct entry *e)
{
    if (studies_get(study->db, e->k.id, study->arena, &e->s, study->err) != OK) {
        return study->err->code;
    }
    e->key = entry_value(link, "key");
    e->consent = entry_value(link, "consent");
    if (e->s.link_key.n && !is_key(study, e->key, e->s.link_key)) {
        return err_rule(study->err, ERR_DENIED, "study-key",
                        "This link is not complete. Open exactly the link that you were given for "
                        "the study; nothing was recorded about you.");
    }
    return OK;
}

/* ------------------------------------------------------------------ who may start */

static enum entry_stand campaign_stand(const struct campaign *k, int64_t now)
{
    if (sv_is(k->state, "paused")) {
        return ENTRY_PAUSED;
    }
    if (sv_is(k->state, "closed") || (k->closes_at && now >= k->closes_at)) {
        return ENTRY_CLOSED;
    }
    return flow_is_open(k, now) ? ENTRY_OPEN : ENTRY_NOT_YET;
}

static enum err_code find_person(const struct study *study, struct entry *e)
{
    if (e->id.n == 0) {
        return OK;
    }
    enum err_code rc = people_find_external(study->db, e->s.source, e->id, &e->person, study->err);
    if (rc == ERR_NOT_FOUND) {
        e->person = 0;
        return OK;
    }
    return rc == OK ? work_place_of(study->db, e->k.id, e->person, study->arena, &e->place,
                                    &e->has_place, study->err)
                    : rc;
}

/* Everything but the number of places and of grids. */
static enum err_code check_person(const struct study *study, struct entry *e, int64_t now)
{
    bool blocked = false, listed = false, met = false;
    enum err_code rc = OK;
    if (e->person) {
        rc = notes_blocked(study->db, e->person, &blocked, study->err);
    }
    if (rc == OK && e->person && e->s.known_only) {
        rc = studies_expects(study->db, e->k.id, e->person, &listed, study->err);
    }
    if (rc == OK && e->person) {
        rc = remeasurements_met(study->db, e->k.id, e->person, &met, study->err);
    }
    e->stand = campaign_stand(&e->k, now);
    if (e->has_place) {
        e->stand = ENTRY_HAS_PLACE; /* their own page says how it stands */
    } else if (blocked) {
        e->stand = ENTRY_BLOCKED;
    } else if (e->stand == ENTRY_OPEN && e->s.known_only && !listed) {
        e->stand = ENTRY_NOT_LISTED;
    } else if (e->stand == ENTRY_OPEN && met) {
        e->stand = ENTRY_APART;
    }
    return rc;
}

/* Everybody else is nobody: they stand as the campaign does. */
static enum err_code find_myself(const struct study *study, struct entry *e)
{
    bool mine = e->proven;
    enum err_code rc = find_person(study, e);
    if (rc == OK && e->has_place && !mine) {
        rc = hold_by_kept(study, &e->place, &mine);
    } else if (rc == OK && e->person && !mine) {
        rc = hold_is_person(study, e->person, &mine);
    }
    if (!mine) {
        e->person = 0;
        e->has_place = false;
    }
    return rc;
}

/* Whether the campaign has a grid for somebody, and why not: `p` is how it stands, NULL when that is not known;
 * `found`: one of its free grids is for them. `told`: they proved who they are, and may hear that what they saw
 * keeps them out; others may only try an id. */
static enum entry_stand work_stand(const struct desk_progress *p, bool found, bool told)
{
    if (p && p->answers >= p->wanted) {
        return ENTRY_COMPLETE;
    }
    if (!p || p->answers + p->leased >= p->wanted) {
        return ENTRY_NO_WORK;
    }
    return found ? ENTRY_OPEN : told ? ENTRY_MET : ENTRY_NO_WORK;
}

/* Whether they would find a grid, as of the last commit. What they saw elsewhere only counts for whoever
 * is known to be that person. */
static enum err_code check_work(const struct study *study, struct entry *e, int64_t now)
{
    struct desk_progress p;
    bool found = true;
    enum err_code rc = OK;
    if (!board_progress(study->board, e->k.id, &p)) {
        return OK;
    }
    e->stand = work_stand(&p, true, true);
    if (e->stand == ENTRY_OPEN && e->person && !e->k.same_image_again) {
        rc = free_grid_for(study->tally, study->db, &e->k, e->person, now, &found, study->err);
        e->stand = work_stand(&p, found, true);
    }
    return rc;
}

enum err_code entry_check(const struct study *study, struct entry *e)
{
    int64_t now = clock_wall_ms(), taken = 0;
    enum err_code rc = find_myself(study, e);
    rc = rc == OK ? check_person(study, e, now) : rc;
    if (rc == OK && e->stand == ENTRY_NOT_LISTED && e->id.n && !e->proven) {
        e->stand = ENTRY_OPEN; /* the list is for who proves to be on it: joining says so */
    }
    if (rc != OK || e->stand != ENTRY_OPEN) {
        return rc;
    }
    /* Lapsed places are only counted out when it matters: that looks at every place. */
    rc = work_places_count(study->db, e->k.id, &taken, study->err);
    if (rc == OK && taken >= e->k.places) {
        rc = studies_places_taken(study->db, e->k.id, now, &taken, study->err);
    }
    if (rc != OK || taken >= e->k.places) {
        e->stand = ENTRY_FULL;
        return rc;
    }
    return check_work(study, e, now);
}

/* ------------------------------------------------------------------ joining */

enum err_code entry_has_room(const struct study *study, const struct campaign *k, int64_t now,
                             bool *room)
{
    struct desk *desk = study->desk;
    enum err_code rc = OK;
    if (desk_places(desk, k->id) >= k->places && desk_places_stale(desk, k->id, now)) {
        int64_t taken = 0;
        rc = studies_places_taken(study->db, k->id, now, &taken, study->err);
        if (rc == OK) {
            desk_set_places(desk, k->id, taken, now);
        }
    }
    *room = desk_places(desk, k->id) < k->places;
    return rc;
}

static enum err_code refuse(const struct study *study, const struct entry *e)
{
    return err_rule(study->err, ERR_CONFLICT, stands[e->stand].rule, "%s", stands[e->stand].text);
}

static enum err_code need_person(const struct study *study, struct entry *e, int64_t now)
{
    if (e->person) {
        return OK;
    }
    enum err_code rc = people_create(study->db, now, 0, "worker", &e->person, study->err);
    if (rc == OK && e->id.n) {
        rc = people_identify(study->db, now, 0, e->person, e->s.source, e->id, SV(""), study->err);
    }
    return rc;
}

/* The code that the worker takes back to the panel: the study's, or one of this place alone. */
static struct sv completion_code(const struct study *study, const struct study_settings *s)
{
    static const char letters[] = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
    if (s->code[STUDY_COMPLETE].n) {
        return s->code[STUDY_COMPLETE];
    }
    unsigned char raw[10];
    char *code = arena_alloc(study->arena, sizeof raw + 1);
    crypto_random(raw, sizeof raw);
    for (size_t i = 0; i < sizeof raw; i++) {
        code[i] = letters[raw[i] % 32];
    }
    code[sizeof raw] = '\0';
    return sv_make(code, sizeof raw);
}

static enum err_code make_place(const struct study *study, struct entry *e, int64_t now,
                                struct place *out)
{
    enum err_code rc = need_person(study, e, now);
    if (rc != OK) {
        return rc;
    }
    *out = (struct place){.campaign = e->k.id,
                          .person = e->person,
                          .code = completion_code(study, &e->s),
                          .consent_version = e->s.consent_version};
    unsigned char hash[WORK_HASH];
    crypto_random(out->token, WORK_TOKEN);
    hold_hash(study->key, out->token, hash);
    return work_place_create(study->db, out, hash, now, study->err);
}

/* Nobody consents in vain: there is a grid for them, or no place. */
static enum err_code find_work(const struct study *study, struct entry *e, int64_t now)
{
    struct desk *desk = study->desk;
    struct desk_progress p;
    struct desk_asker who = {e->k.id, e->person, quarantine_hides, study->quarantine};
    int64_t grid = 0;
    desk_expire(desk, now);
    enum err_code rc = desk_pick(desk, study->tally, study->db, &who, &grid, study->err);
    if (rc == OK && grid == 0) {
        e->stand = work_stand(desk_progress(desk, e->k.id, &p) ? &p : NULL, false, e->proven);
        return refuse(study, e);
    }
    return rc;
}

/* Back to the place that the person has. */
static enum err_code come_back(const struct study *study, const struct entry *e, struct place *out)
{
    bool known = false;
    enum err_code rc = e->browser ? hold_by_kept(study, out, &known) : OK;
    if (rc == OK && (!known || (e->proven && !out->own))) {
        rc = hold_new(study, out, e->proven);
    }
    return rc;
}

static enum err_code new_place(const struct study *study, struct entry *e, int64_t now,
                               struct place *out)
{
    bool room = false;
    if (e->stand != ENTRY_OPEN) {
        return refuse(study, e);
    }
    if (e->consent.n && !sv_eq(e->consent, e->s.consent_version)) {
        return err_rule(study->err, ERR_CONFLICT, "consent-changed",
                        "The text about what we keep changed while you read it. Please read it "
                        "again; nothing was recorded about you.");
    }
    enum err_code rc = entry_has_room(study, &e->k, now, &room);
    if (rc == OK && !room) {
        e->stand = ENTRY_FULL;
        return refuse(study, e);
    }
    /* Programs ask for the grid themselves, and come when there is none yet. */
    rc = rc == OK && e->browser ? find_work(study, e, now) : rc;
    return rc == OK ? make_place(study, e, now, out) : rc;
}

enum err_code entry_join(const struct study *study, struct entry *e, struct place *out)
{
    struct desk *desk = study->desk;
    int64_t now = clock_wall_ms();
    if (!desk_campaign(desk, e->k.id)) {
        return err_rule(study->err, ERR_NOT_FOUND, "no-campaign",
                        "There is no such study here. Check the link you were given.");
    }
    enum err_code rc = find_person(study, e);
    rc = rc == OK ? check_person(study, e, now) : rc;
    if (rc != OK) {
        return rc;
    }
    bool is_new = !e->has_place;
    *out = e->place;
    rc = is_new ? new_place(study, e, now, out) : come_back(study, e, out);
    if (rc == OK && e->parameters.n && out->own) {
        rc = studies_arrival(study->db, out->id, e->parameters, study->err);
    }
    if (rc == OK && is_new) {
        desk_joined(desk, e->k.id);
    }
    return rc;
}
