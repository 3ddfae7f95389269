/* work.c - SQL of the voting path. Every statement here runs thousands of times a second. */
#include "store/work/work.h"

#include <string.h>

#include "db/rows.h"
#include "domain/grids/grid.h"
#include "store/core/events.h"

DB_ROW(place_row, struct place, id, campaign, person, joined_at, code, consent_version, visit, own);

/* The columns of place_row; the secret is not known. */
#define PLACE_COLUMNS "p.id, p.campaign, p.person, p.joined_at, p.code, p.consent_version, "
#define PLACE "SELECT " PLACE_COLUMNS "-1, 0 FROM place p "

static enum err_code find_place(struct db *db, const char *sql, const struct db_val *v, size_t n,
                                struct arena *a, struct place *out, bool *found, struct err *err)
{
    *out = (struct place){0};
    enum err_code rc = db_find(db, place_row, out, a, sql, v, n, err);
    *found = rc == OK;
    return rc == ERR_NOT_FOUND ? OK : rc;
}

static enum err_code need_place(enum err_code rc, bool found, struct err *err)
{
    return rc != OK || found
               ? rc
               : err_rule(err, ERR_NOT_FOUND, "no-place",
                          "This link is not known here. Open the link of the study again.");
}

enum err_code work_place_find(struct db *db, const unsigned char hash[WORK_HASH], struct arena *a,
                              struct place *out, struct err *err)
{
    bool found = false;
    enum err_code rc = find_place(
        db,
        "SELECT " PLACE_COLUMNS "0, 1 FROM place p WHERE p.token = ?1"
        " UNION ALL SELECT " PLACE_COLUMNS "v.id, v.own FROM place_visit v"
        " JOIN place p ON p.id = v.place WHERE v.hash = ?1 LIMIT 1",
        DB_VALS(db_blob(hash, WORK_HASH)), a, out, &found, err);
    return need_place(rc, found, err);
}

enum err_code work_place_by_grid(struct db *db, const unsigned char token[WORK_TOKEN],
                                 struct arena *a, struct place *out, struct err *err)
{
    bool found = false;
    enum err_code rc = find_place(
        db,
        "SELECT " PLACE_COLUMNS "a.visit, a.visit = 0 OR coalesce(v.own, 0)"
        " FROM assignment a JOIN place p ON p.id = a.place"
        " LEFT JOIN place_visit v ON v.id = a.visit WHERE a.token = ?1",
        DB_VALS(db_blob(token, WORK_TOKEN)), a, out, &found, err);
    memcpy(out->token, token, WORK_TOKEN);
    out->by_grid = true;
    return need_place(rc, found, err);
}

enum err_code work_place_get(struct db *db, int64_t id, struct arena *a, struct place *out,
                             struct err *err)
{
    bool found = false;
    enum err_code rc =
        find_place(db, PLACE "WHERE p.id = ?1", DB_VALS(db_int(id)), a, out, &found, err);
    return need_place(rc, found, err);
}

enum err_code work_place_of(struct db *db, int64_t campaign, int64_t person, struct arena *a,
                            struct place *out, bool *found, struct err *err)
{
    return find_place(db, PLACE "WHERE p.campaign = ?1 AND p.person = ?2",
                      DB_VALS(db_int(campaign), db_int(person)), a, out, found, err);
}

enum err_code work_places_of(struct db *db, int64_t person, struct arena *a, struct place *out,
                             unsigned most, unsigned *n, struct err *err)
{
    struct db_rows r;
    *n = 0;
    db_begin(db, PLACE "WHERE p.person = ?1 ORDER BY p.id DESC LIMIT ?2",
             DB_VALS(db_int(person), db_int(most)), &r, err);
    while (*n < most && db_next(&r, place_row, &out[*n], a, err)) {
        ++*n;
    }
    return db_end(&r);
}

enum err_code work_place_create(struct db *db, struct place *p, const unsigned char hash[WORK_HASH],
                                int64_t now, struct err *err)
{
    enum err_code rc =
        db_run(db,
               "INSERT INTO place (token, campaign, person, code, consent_version, joined_at)"
               " VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
               DB_VALS(db_blob(hash, WORK_HASH), db_int(p->campaign), db_int(p->person),
                       db_text(p->code), db_text(p->consent_version), db_int(now)),
               err);
    if (rc != OK) {
        return rc;
    }
    p->id = db_last_id(db);
    p->joined_at = now;
    p->visit = VISIT_FIRST;
    p->own = true;
    return events_add(db, now, 0, "place.join", p->id, NULL, NULL, err);
}

enum err_code work_places_count(struct db *db, int64_t campaign, int64_t *out, struct err *err)
{
    return db_one_int(db, "SELECT count(*) FROM place WHERE campaign = ?1",
                      DB_VALS(db_int(campaign)), out, err);
}

/* The columns of assignment_row. */
#define ASSIGNMENT                                                                                 \
    "SELECT a.id, a.grid, g.campaign, g.class, a.person, a.place, a.leased_at, a.lease_until,"     \
    " a.seed, a.token, w.id, w.client_id, w.surplus, a.ahead, a.visit, a.seed IS NOT NULL,"        \
    " (SELECT k.task = 'classify' FROM campaign k WHERE k.id = g.campaign)"                       \
    " FROM assignment a JOIN grid g ON g.id = a.grid LEFT JOIN answer w ON w.assignment = a.id "

DB_ROW(assignment_row, struct assignment, id, grid, campaign, class_id, person, place, leased_at,
       lease_until, seed, token, answer, client_id, surplus, ahead, visit, has_seed, classify);

enum err_code work_assignment_find(struct db *db, const unsigned char token[WORK_TOKEN],
                                   struct arena *a, struct assignment *out, struct err *err)
{
    enum err_code rc = db_find(db, assignment_row, out, a, ASSIGNMENT "WHERE a.token = ?1",
                               DB_VALS(db_blob(token, WORK_TOKEN)), err);
    return rc == ERR_NOT_FOUND
               ? err_rule(err, rc, "no-assignment",
                          "This task is not known here. Open the link of the study again.")
               : rc;
}

enum err_code work_place_state(struct db *db, int64_t place, struct arena *a,
                               struct place_work *out, struct err *err)
{
    *out = (struct place_work){0};
    struct db_rows r;
    struct assignment as;
    db_begin(db, ASSIGNMENT "WHERE a.place = ?1 ORDER BY a.id DESC", DB_VALS(db_int(place)),
             &r, err);
    while (db_next(&r, assignment_row, &as, out->lent ? NULL : a, err)) {
        out->newest = out->lent++ ? out->newest : as;
        out->answered += as.answer != 0;
    }
    return db_end(&r);
}

enum err_code work_place_open(struct db *db, int64_t place, int64_t now, struct arena *a,
                              struct place_open *out, struct err *err)
{
    *out = (struct place_open){0};
    struct db_rows r;
    struct assignment as;
    db_begin(db, ASSIGNMENT "WHERE a.place = ?1 ORDER BY a.id", DB_VALS(db_int(place)), &r, err);
    while (db_next(&r, assignment_row, &as, a, err)) {
        if (as.answer) {
            out->answered++;
        } else if (as.lease_until <= now) {
            out->lapsed = as.ahead ? as : out->lapsed;
        } else if (out->n_live < WORK_LIVE) {
            out->live[out->n_live++] = as;
        }
    }
    return db_end(&r);
}

enum err_code work_assignment_create(struct db *db, struct assignment *as, struct err *err)
{
    enum err_code rc = db_run(
        db,
        "INSERT INTO assignment (token, grid, person, place, seed, leased_at, lease_until, ahead,"
        " visit) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        DB_VALS(db_blob(as->token, WORK_TOKEN), db_int(as->grid), db_int(as->person),
                db_int(as->place), as->has_seed ? db_int((int64_t)as->seed) : db_null(),
                db_int(as->leased_at), db_int(as->lease_until), db_int(as->ahead), db_int(as->visit)),
        err);
    if (rc == OK) {
        as->id = db_last_id(db);
    }
    return rc;
}

enum err_code work_assignment_lease(struct db *db, const struct assignment *as, struct err *err)
{
    return db_run(
        db,
        "UPDATE assignment SET leased_at = ?2, lease_until = ?3, ahead = ?4, visit = ?5 WHERE id = ?1",
        DB_VALS(db_int(as->id), db_int(as->leased_at), db_int(as->lease_until), db_int(as->ahead),
                db_int(as->visit)),
        err);
}

enum err_code work_answer_rule(struct db *db, int64_t answer, struct arena *a, struct sv *rule,
                               struct err *err)
{
    *rule = SV("");
    return db_maybe_text(db,
                         "SELECT CASE value WHEN 'out' THEN rule END FROM answer_state WHERE answer = ?1"
                         " AND field = 'analysis' ORDER BY id DESC LIMIT 1",
                         DB_VALS(db_int(answer)), a, rule, err);
}

enum err_code work_answer_create(struct db *db, int64_t assignment, struct sv client_id,
                                 uint64_t mask, int main, bool surplus, int64_t active_ms, struct sv device,
                                 int64_t now, int64_t *id, struct err *err)
{
    enum err_code rc = events_add(db, now, 0, "answer", assignment, NULL, id, err);
    if (rc != OK) {
        return rc;
    }
    return db_run(db,
                  "INSERT INTO answer (id, assignment, client_id, mask, surplus, at, active_ms,"
                  " device, main) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
                  DB_VALS(db_int(*id), db_int(assignment), db_text(client_id),
                          db_int((int64_t)mask), db_int(surplus), db_int(now),
                          active_ms < 0 ? db_null() : db_int(active_ms), db_text_opt(device),
                          main == OPTION_NONE ? db_null() : db_int(main)),
                  err);
}

enum err_code work_answer_state(struct db *db, int64_t answer, const char *field,
                                const char *value, const char *rule, int64_t account, int64_t now,
                                struct err *err)
{
    int64_t id = 0;
    enum err_code rc = events_add(db, now, account, "answer.state", answer, NULL, &id, err);
    if (rc != OK) {
        return rc;
    }
    return db_run(db,
                  "INSERT INTO answer_state (id, answer, field, value, rule)"
                  " VALUES (?1, ?2, ?3, ?4, ?5)",
                  DB_VALS(db_int(id), db_int(answer), db_str(field), db_str(value), db_str(rule)),
                  err);
}

static const char imported_rule[] = "status of the imported study";

/* The status that the answer came with; 0: it is not there. */
static enum err_code imported_status(struct db *db, struct sv name, char *status, struct err *err)
{
    int64_t found = 0;
    enum err_code rc = db_maybe_int(
        db,
        "SELECT unicode(coalesce((SELECT CASE s.value WHEN 'approved' THEN 'A' ELSE 'R' END FROM answer_state s"
        "  WHERE s.answer = w.id AND s.field = 'pay' AND s.rule = ?2 ORDER BY s.id LIMIT 1), 'S'))"
        " FROM assignment a JOIN answer w ON w.assignment = a.id WHERE a.name = ?1",
        DB_VALS(db_text(name), db_str(imported_rule)), &found, err);
    *status = (char)found;
    return rc;
}

enum err_code work_import_check(struct db *db, const struct work_imported *w, char *status, struct err *err)
{
    int64_t differs = 0;
    enum err_code rc = db_one_int(
        db,
        "SELECT 1 FROM assignment a JOIN answer w ON w.assignment = a.id"
        " WHERE (a.name = ?1 OR (a.grid = ?2 AND a.person = ?3))"
        " AND (a.name, a.grid, a.person, w.mask, w.main) IS NOT (?1, ?2, ?3, ?4, ?5) LIMIT 1",
        DB_VALS(db_text(w->name), db_int(w->grid), db_int(w->person), db_int((int64_t)w->mask),
                w->has_main ? db_int(w->main) : db_null()),
        &differs, err);
    *status = 0;
    if (rc == OK) {
        return err_rule(err, ERR_CONFLICT, "answer-differs",
                        "assignment " SV_FMT " is already in the project with another hit, worker or "
                        "selection, or the worker answered this hit in another assignment",
                        SV_ARG(w->name));
    }
    return rc == ERR_NOT_FOUND ? imported_status(db, w->name, status, err) : rc;
}

enum err_code work_import(struct db *db, const struct work_imported *w, int64_t now, bool *added,
                          struct err *err)
{
    int64_t answer = 0, until = w->accepted_at + w->active_ms;
    enum err_code rc = db_run(
        db,
        "INSERT INTO assignment (name, grid, person, leased_at, lease_until)"
        " VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (name) DO NOTHING",
        DB_VALS(db_text(w->name), db_int(w->grid), db_int(w->person), db_int(w->accepted_at),
                db_int(until)),
        err);
    *added = rc == OK && db_changes(db) > 0;
    if (rc != OK || !*added) {
        return rc;
    }
    rc = work_answer_create(db, db_last_id(db), w->name, w->mask, w->has_main ? w->main : OPTION_NONE, false, w->active_ms, SV(""),
                            until, &answer, err);
    if (rc == OK && w->status != 'S') {
        rc = work_answer_state(db, answer, "pay", w->status == 'A' ? "approved" : "rejected",
                               imported_rule, 0, now, err);
    }
    if (rc == OK && w->status == 'R') {
        rc = work_answer_state(db, answer, "analysis", "out", imported_rule, 0, now, err);
    }
    return rc;
}

DB_ROW(work_lease_row, struct work_lease, assignment, campaign, grid, person, until);

enum err_code work_leases(struct db *db, int64_t now,
                          enum err_code (*each)(void *arg, const struct work_lease *l,
                                                struct err *err),
                          void *arg, struct err *err)
{
    struct db_rows r;
    struct work_lease l;
    enum err_code rc = db_begin(
        db,
        "SELECT a.id, g.campaign, a.grid, a.person, a.lease_until FROM assignment a"
        " JOIN grid g ON g.id = a.grid JOIN campaign k ON k.id = g.campaign"
        " WHERE a.lease_until > ?1 AND k.imported = 0"
        " AND NOT EXISTS (SELECT 1 FROM answer w WHERE w.assignment = a.id)",
        DB_VALS(db_int(now)), &r, err);
    while (rc == OK && db_next(&r, work_lease_row, &l, NULL, err)) {
        rc = each(arg, &l, err);
    }
    return db_end_after(&r, rc);
}

enum err_code work_leases_renew(struct db *db, int64_t now, struct err *err)
{
    return db_run(db,
                  "UPDATE assignment SET lease_until = ?1 + 1000 * (SELECT k.lease_seconds"
                  "   FROM grid g JOIN campaign k ON k.id = g.campaign"
                  "   WHERE g.id = assignment.grid)"
                  " WHERE lease_until > max((SELECT max(at) FROM event),"
                  "   (SELECT max(leased_at) FROM assignment)) AND token IS NOT NULL"
                  " AND NOT EXISTS (SELECT 1 FROM answer w WHERE w.assignment = assignment.id)",
                  DB_VALS(db_int(now)), err);
}

enum err_code work_had_grid(struct db *db, int64_t grid, int64_t person, bool *had,
                            struct err *err)
{
    return db_exists(db, "SELECT 1 FROM assignment WHERE grid = ?1 AND person = ?2",
                     DB_VALS(db_int(grid), db_int(person)), had, err);
}

static enum err_code each_image(struct db *db, const char *sql, int64_t person,
                                enum err_code (*each)(void *arg, int64_t image, struct err *err),
                                void *arg, struct err *err)
{
    struct db_rows r;
    enum err_code rc = db_begin(db, sql, DB_VALS(db_int(person)), &r, err);
    while (rc == OK && db_step(&r, err)) {
        rc = each(arg, db_col_int(&r, 0), err);
    }
    return db_end_after(&r, rc);
}

enum err_code work_exposed(struct db *db, int64_t person,
                           enum err_code (*each)(void *arg, int64_t image, struct err *err),
                           void *arg, struct err *err)
{
    return each_image(db, "SELECT image FROM exposure WHERE person = ?1", person, each, arg, err);
}

enum err_code work_met(struct db *db, int64_t person,
                       enum err_code (*each)(void *arg, int64_t image, struct err *err), void *arg,
                       struct err *err)
{
    return each_image(db,
                      "SELECT image FROM exposure WHERE person = ?1"
                      " UNION SELECT t.id FROM exposure e JOIN image i ON i.id = e.image"
                      " JOIN image t ON t.source = i.source WHERE e.person = ?1",
                      person, each, arg, err);
}
