/* work_entry.c - who may come to a study. */
#include "web/work_entry.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "store/notes.h"
#include "store/people.h"
#include "store/remeasurements.h"
#include "web/work_flow.h"
#include "web/work_parts.h"

static const struct {
    const char *word, *rule, *text;
    enum study_outcome outcome;
} gates[ENTRY_GATES] = {
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
};

const char *entry_gate_word(enum entry_gate gate)
{
    BUG_IF((unsigned)gate >= ENTRY_GATES);
    return gates[gate].word;
}

enum study_outcome entry_gate_outcome(enum entry_gate gate)
{
    BUG_IF((unsigned)gate >= ENTRY_GATES);
    return gates[gate].outcome;
}

/* ------------------------------------------------------------------ what the link says */

/* Compared as keyed hashes: the time tells neither the key's bytes nor its length. */
static bool is_key(struct ctx *c, struct sv given, struct sv key)
{
    unsigned char a[CRYPTO_HASH], b[CRYPTO_HASH];
    crypto_keyed(app_secret(c->app, "person_key"), given, a);
    crypto_keyed(app_secret(c->app, "person_key"), key, b);
    return crypto_equal(a, b, sizeof a);
}

static enum err_code check_value(struct ctx *c, struct sv value)
{
    bool good = value.n <= ENTRY_VALUE_MOST && sv_utf8(value);
    for (size_t i = 0; i < value.n; i++) {
        good = good && (unsigned char)value.p[i] >= ' ';
    }
    return good ? OK
                : err_rule(&c->err, ERR_INPUT, "parameters",
                           "An id in this link is longer than %d bytes or no text. Open the link "
                           "of the study as it was given to you.", ENTRY_VALUE_MOST);
}

/* The first parameter is the person's id ("worker" stands for it, whatever its name); what the
 * others say is kept as it came. */
static enum err_code read_parameters(struct ctx *c, entry_value get, struct work_entry *e)
{
    struct sv rest = e->s.id_parameters;
    json_t *others = json_object();
    enum err_code rc = OK;
    for (bool first = true; rest.p && rc == OK; first = false) {
        const char *name = arena_cstr(c->arena, sv_cut(&rest, '|'));
        struct sv value = get(c, name);
        if (first && value.n == 0) {
            value = get(c, "worker");
        }
        rc = check_value(c, value);
        if (rc == OK && first) {
            e->id = value;
        } else if (rc == OK && value.n) {
            json_object_set_new(others, name, json_stringn(value.p, value.n));
        }
    }
    if (rc == OK && json_object_size(others)) {
        char *text = json_dumps(others, JSON_COMPACT);
        e->parameters = arena_sv(c->arena, sv_of(text));
        free(text);
    }
    json_decref(others);
    return rc;
}

enum err_code work_entry_read(struct ctx *c, struct sv campaign, entry_value get,
                              struct work_entry *e)
{
    *e = (struct work_entry){0};
    if (campaigns_find(c->db, campaign, c->arena, &e->k, &c->err) != OK ||
        work_language(c, e->k.id) != OK ||
        studies_get(c->db, e->k.id, c->arena, &e->s, &c->err) != OK) {
        return c->err.code;
    }
    e->key = get(c, "key");
    e->consent = get(c, "consent");
    if (e->s.link_key.n && !is_key(c, e->key, e->s.link_key)) {
        return err_rule(&c->err, ERR_DENIED, "study-key",
                        "This link is not complete. Open exactly the link that you were given for "
                        "the study; nothing was recorded about you.");
    }
    return read_parameters(c, get, e);
}

/* ------------------------------------------------------------------ who may start */

static enum entry_gate campaign_gate(const struct campaign *k, int64_t now)
{
    if (sv_is(k->state, "paused")) {
        return ENTRY_PAUSED;
    }
    if (sv_is(k->state, "closed") || (k->closes_at && now >= k->closes_at)) {
        return ENTRY_CLOSED;
    }
    return work_is_open(k, now) ? ENTRY_OPEN : ENTRY_NOT_YET;
}

static enum err_code find_person(struct ctx *c, struct work_entry *e)
{
    if (e->id.n == 0) {
        return OK;
    }
    enum err_code rc = people_find_external(c->db, e->s.source, e->id, &e->person, &c->err);
    if (rc == ERR_NOT_FOUND) {
        e->person = 0;
        return OK;
    }
    return rc != OK ? rc
                    : work_place_of(c->db, e->k.id, e->person, c->arena, &e->place, &e->has_place,
                                    &c->err);
}

/* Everything but the number of places. */
static enum err_code check_person(struct ctx *c, struct work_entry *e, int64_t now)
{
    bool blocked = false, listed = false, met = false;
    enum err_code rc = find_person(c, e);
    if (rc == OK && e->person) {
        rc = notes_blocked(c->db, e->person, &blocked, &c->err);
    }
    if (rc == OK && e->person && e->s.known_only) {
        rc = studies_expects(c->db, e->k.id, e->person, &listed, &c->err);
    }
    if (rc == OK && e->person) {
        rc = remeasurements_met(c->db, e->k.id, e->person, &met, &c->err);
    }
    e->gate = campaign_gate(&e->k, now);
    if (e->has_place) {
        e->gate = ENTRY_HAS_PLACE; /* their own page says how it stands */
    } else if (blocked) {
        e->gate = ENTRY_BLOCKED;
    } else if (e->gate == ENTRY_OPEN && e->s.known_only && !listed) {
        e->gate = ENTRY_NOT_LISTED;
    } else if (e->gate == ENTRY_OPEN && met) {
        e->gate = ENTRY_APART;
    }
    return rc;
}

enum err_code work_entry_check(struct ctx *c, struct work_entry *e)
{
    int64_t now = clock_wall_ms(), taken = 0;
    enum err_code rc = check_person(c, e, now);
    if (rc != OK || e->gate != ENTRY_OPEN) {
        return rc;
    }
    /* Lapsed places are only counted out when it matters: that looks at every place. */
    rc = work_places_count(c->db, e->k.id, &taken, &c->err);
    if (rc == OK && taken >= e->k.places) {
        rc = studies_places_taken(c->db, e->k.id, now, &taken, &c->err);
    }
    e->gate = taken >= e->k.places ? ENTRY_FULL : ENTRY_OPEN;
    return rc;
}

/* ------------------------------------------------------------------ joining */

enum err_code work_has_room(struct ctx *c, const struct campaign *k, int64_t now, bool *room)
{
    struct desk *desk = app_desk(c->app);
    enum err_code rc = OK;
    if (desk_places(desk, k->id) >= k->places && desk_places_stale(desk, k->id, now)) {
        int64_t taken = 0;
        rc = studies_places_taken(c->db, k->id, now, &taken, &c->err);
        if (rc == OK) {
            desk_set_places(desk, k->id, taken, now);
        }
    }
    *room = desk_places(desk, k->id) < k->places;
    return rc;
}

static enum err_code refuse(struct ctx *c, const struct work_entry *e)
{
    return err_rule(&c->err, ERR_CONFLICT, gates[e->gate].rule, "%s", gates[e->gate].text);
}

static enum err_code need_person(struct ctx *c, struct work_entry *e, int64_t now)
{
    if (e->person) {
        return OK;
    }
    enum err_code rc = people_create(c->db, now, 0, "worker", &e->person, &c->err);
    if (rc == OK && e->id.n) {
        rc = people_identify(c->db, now, 0, e->person, e->s.source, e->id, SV(""), &c->err);
    }
    return rc;
}

/* The code that the worker takes back to the panel: the study's, or one of this place alone. */
static struct sv completion_code(struct ctx *c, const struct study *s)
{
    static const char letters[] = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
    if (s->code[STUDY_COMPLETE].n) {
        return s->code[STUDY_COMPLETE];
    }
    unsigned char raw[10];
    char *code = arena_alloc(c->arena, sizeof raw + 1);
    crypto_random(raw, sizeof raw);
    for (size_t i = 0; i < sizeof raw; i++) {
        code[i] = letters[raw[i] % 32];
    }
    code[sizeof raw] = '\0';
    return sv_make(code, sizeof raw);
}

static enum err_code make_place(struct ctx *c, struct work_entry *e, int64_t now,
                                struct place *out)
{
    enum err_code rc = need_person(c, e, now);
    if (rc != OK) {
        return rc;
    }
    *out = (struct place){.campaign = e->k.id,
                          .person = e->person,
                          .code = completion_code(c, &e->s),
                          .consent_version = e->s.consent_version};
    crypto_random(out->token, WORK_TOKEN);
    return work_place_create(c->db, out, now, &c->err);
}

static enum err_code new_place(struct ctx *c, struct work_entry *e, int64_t now, struct place *out)
{
    bool room = false;
    if (e->gate != ENTRY_OPEN) {
        return refuse(c, e);
    }
    if (e->consent.n && !sv_eq(e->consent, e->s.consent_version)) {
        return err_rule(&c->err, ERR_CONFLICT, "consent-changed",
                        "The text about what we keep changed while you read it. Please read it "
                        "again; nothing was recorded about you.");
    }
    enum err_code rc = work_has_room(c, &e->k, now, &room);
    if (rc == OK && !room) {
        e->gate = ENTRY_FULL;
        return refuse(c, e);
    }
    return rc == OK ? make_place(c, e, now, out) : rc;
}

enum err_code work_join(struct ctx *c, struct work_entry *e, struct place *out)
{
    struct desk *desk = app_desk(c->app);
    int64_t now = clock_wall_ms();
    if (!desk_campaign(desk, e->k.id)) {
        return err_rule(&c->err, ERR_NOT_FOUND, "no-campaign",
                        "There is no such study here. Check the link you were given.");
    }
    enum err_code rc = check_person(c, e, now);
    if (rc != OK) {
        return rc;
    }
    bool is_new = !e->has_place;
    *out = e->place;
    if (is_new) {
        rc = new_place(c, e, now, out);
    }
    if (rc == OK && e->parameters.n) {
        rc = studies_arrival(c->db, out->id, e->parameters, &c->err);
    }
    if (rc == OK && is_new) {
        desk_joined(desk, e->k.id);
    }
    return rc;
}
