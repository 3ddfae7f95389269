/* studies.c - SQL for study, study_code and consent: what a lead sets. What people do about it is in
 * study_places.c, what a setting may be in study_check.c. */
#include "store/campaigns/studies.h"

#include <stdio.h>

#include "db/rows.h"
#include "store/core/events.h"

static const char *const outcome_names[STUDY_OUTCOMES] = {
    "complete",  "partial",   "screened-out", "no-consent",
    "technical", "withdrawn", "full",         "returned"};

const char *study_outcome_name(enum study_outcome o)
{
    BUG_IF((unsigned)o >= STUDY_OUTCOMES);
    return outcome_names[o];
}

bool study_outcome_parse(struct sv name, enum study_outcome *out)
{
    for (unsigned i = 0; i < STUDY_OUTCOMES; i++) {
        if (sv_is(name, outcome_names[i])) {
            *out = (enum study_outcome)i;
            return true;
        }
    }
    return false;
}

bool study_has_code(enum study_outcome o)
{
    return o != STUDY_RETURNED;
}

struct sv study_code(const struct study_settings *s, const struct place *p, enum study_outcome o)
{
    return o == STUDY_COMPLETE && s->code[o].n == 0 && p ? p->code : s->code[o];
}

enum err_code studies_create(struct db *db, int64_t campaign, struct sv completion_code,
                             struct err *err)
{
    enum err_code rc = db_run(db, "INSERT INTO study (campaign) VALUES (?1) ON CONFLICT DO NOTHING",
                              DB_VALS(db_int(campaign)), err);
    for (unsigned i = 0; i < STUDY_OUTCOMES && rc == OK; i++) {
        if (i == STUDY_COMPLETE) {
            rc = db_run(db,
                        "INSERT INTO study_code (campaign, outcome, code)"
                        " VALUES (?1, 'complete', ?2) ON CONFLICT DO NOTHING",
                        DB_VALS(db_int(campaign), db_text(completion_code)), err);
        } else if (study_has_code((enum study_outcome)i)) {
            rc = db_run(db,
                        "INSERT INTO study_code (campaign, outcome, code)"
                        " VALUES (?1, ?2, hex(randomblob(5))) ON CONFLICT DO NOTHING",
                        DB_VALS(db_int(campaign), db_str(outcome_names[i])), err);
        }
    }
    return rc;
}

DB_ROW(study_row, struct study_settings, campaign, link_key, source, id_parameters, return_url,
       contact, protocol, language, signing, signing_key, known_only, partial_grids, place_minutes,
       floor_cents, consent, consent_version, consent_text);

static enum err_code read_codes(struct db *db, struct arena *a, struct study_settings *s,
                                struct err *err)
{
    struct db_rows r;
    db_begin(db, "SELECT outcome, code FROM study_code WHERE campaign = ?1",
             DB_VALS(db_int(s->campaign)), &r, err);
    while (db_step(&r, err)) {
        enum study_outcome o;
        if (study_outcome_parse(db_col_text(&r, 0), &o)) {
            s->code[o] = arena_sv(a, db_col_text(&r, 1));
        }
    }
    return db_end(&r);
}

enum err_code studies_get(struct db *db, int64_t campaign, struct arena *a,
                          struct study_settings *out, struct err *err)
{
    *out = (struct study_settings){0};
    enum err_code rc = db_find(
        db, study_row, out, a,
        "SELECT s.campaign, s.link_key, s.source, s.id_parameters, s.return_url, s.contact,"
        " s.protocol, s.language, s.signing, s.signing_key, s.known_only, s.partial_grids, s.place_minutes,"
        " s.floor_cents, coalesce(c.id, 0), coalesce(c.version, '0'), coalesce(c.text, '')"
        " FROM study s LEFT JOIN consent c ON c.id = (SELECT max(n.id) FROM consent n"
        "  WHERE n.campaign = s.campaign) WHERE s.campaign = ?1",
        DB_VALS(db_int(campaign)), err);
    if (rc == ERR_NOT_FOUND) {
        return err_rule(err, rc, "no-study",
                        "This campaign was answered elsewhere and imported, so nobody can join it here.");
    }
    return rc == OK ? read_codes(db, a, out, err) : rc;
}

enum err_code studies_language(struct db *db, int64_t campaign, struct arena *a, struct sv *out,
                               struct err *err)
{
    *out = SV("");
    return db_maybe_text(db, "SELECT language FROM study WHERE campaign = ?1",
                         DB_VALS(db_int(campaign)), a, out, err);
}

static enum err_code put_codes(struct db *db, const struct study_settings *s, struct err *err)
{
    enum err_code rc = OK;
    for (unsigned i = 0; i < STUDY_OUTCOMES && rc == OK; i++) {
        if (study_has_code((enum study_outcome)i)) {
            rc = db_run(db,
                        "INSERT INTO study_code (campaign, outcome, code) VALUES (?1, ?2, ?3)"
                        " ON CONFLICT (campaign, outcome) DO UPDATE SET code = excluded.code",
                        DB_VALS(db_int(s->campaign), db_str(outcome_names[i]), db_text(s->code[i])),
                        err);
        }
    }
    if (rc == OK) {
        rc = db_run(db, "UPDATE campaign SET completion_code = ?2 WHERE id = ?1",
                    DB_VALS(db_int(s->campaign), db_text(s->code[STUDY_COMPLETE])), err);
    }
    return rc;
}

enum err_code studies_put(struct db *db, const struct study_settings *s, int64_t account,
                          int64_t now, struct err *err)
{
    enum err_code rc = study_check(s, err);
    if (rc == OK) {
        rc = db_run(db,
                    "UPDATE study SET link_key = ?2, source = ?3, id_parameters = ?4,"
                    " return_url = ?5, known_only = ?6, partial_grids = ?7, place_minutes = ?8,"
                    " floor_cents = ?9, contact = ?10, protocol = ?11, language = ?12,"
                    " signing = ?13, signing_key = ?14"
                    " WHERE campaign = ?1",
                    DB_VALS(db_int(s->campaign), db_text(s->link_key), db_text(s->source),
                            db_text(s->id_parameters), db_text(s->return_url),
                            db_int(s->known_only), db_int(s->partial_grids),
                            db_int(s->place_minutes), db_int(s->floor_cents), db_text(s->contact),
                            db_text(s->protocol), db_text(s->language),
                            db_text(s->signing), db_text(s->signing_key)),
                    err);
    }
    if (rc == OK && db_changes(db) == 0) {
        return err_rule(err, ERR_NOT_FOUND, "no-study", "This campaign has no study.");
    }
    rc = rc == OK ? put_codes(db, s, err) : rc;
    return rc == OK ? events_add(db, now, account, "study.change", s->campaign, NULL, NULL, err)
                    : rc;
}

/* The next free number. */
static enum err_code next_version(struct db *db, int64_t campaign, int64_t *out, struct err *err)
{
    return db_one_int(db,
                      "SELECT 1 + max(count(*), coalesce(max(CASE WHEN version NOT GLOB '*[^0-9]*'"
                      " AND length(version) < 9 THEN CAST(version AS INTEGER) END), 0))"
                      " FROM consent WHERE campaign = ?1",
                      DB_VALS(db_int(campaign)), out, err);
}

enum err_code studies_consent(struct db *db, int64_t campaign, struct sv version, struct sv text,
                              int64_t account, int64_t now, struct err *err)
{
    char number[24];
    int64_t n = 0, id = 0, taken = 0;
    enum err_code rc = study_check_consent(version, text, err);
    if (rc == OK && version.n == 0) {
        rc = next_version(db, campaign, &n, err);
    }
    if (rc == OK && version.n == 0) {
        snprintf(number, sizeof number, "%lld", (long long)n);
        version = sv_of(number);
    }
    if (rc == OK) {
        rc = db_one_int(db, "SELECT 1 FROM consent WHERE campaign = ?1 AND version = ?2",
                        DB_VALS(db_int(campaign), db_text(version)), &taken, err);
        rc = rc == ERR_NOT_FOUND ? OK : rc;
    }
    if (rc == OK && taken) {
        return err_rule(err, ERR_CONFLICT, "consent_version",
                        "There is already a version " SV_FMT ", and people agreed to its text. Choose "
                        "another name.",
                        SV_ARG(version));
    }
    rc = rc == OK ? events_add(db, now, account, "study.consent", campaign, NULL, &id, err) : rc;
    return rc == OK ? db_run(db,
                             "INSERT INTO consent (id, campaign, version, text)"
                             " VALUES (?1, ?2, ?3, ?4)",
                             DB_VALS(db_int(id), db_int(campaign), db_text(version),
                                     db_text(text)),
                             err)
                    : rc;
}

DB_ROW(study_consent_row, struct study_consent, version, text, at, places);

enum err_code studies_consents(struct db *db, int64_t campaign, struct arena *a,
                               struct study_consent **out, size_t *n, struct err *err)
{
    return db_list(db, study_consent_row, out, n, a,
                   "SELECT c.version, c.text, e.at, (SELECT count(*) FROM place p"
                   "  WHERE p.campaign = c.campaign AND p.consent_version = c.version)"
                   " FROM consent c JOIN event e ON e.id = c.id WHERE c.campaign = ?1"
                   " ORDER BY c.id DESC",
                   DB_VALS(db_int(campaign)), err);
}
