/* study_places.c - SQL for participant, arrival and place_outcome: who is expected, how places begin
 * and end, and what became of their answers. */
#include "store/campaigns/studies.h"

#include "db/rows.h"
#include "store/core/events.h"
#include "store/people/people.h"

/* Who has that id; made when nobody has. */
static enum err_code person_of(struct db *db, struct sv source, struct sv external_id,
                               int64_t account, int64_t now, int64_t *person, struct err *err)
{
    enum err_code rc = people_find_external(db, source, external_id, person, err);
    if (rc != ERR_NOT_FOUND) {
        return rc;
    }
    rc = people_create(db, now, account, "worker", person, err);
    return rc == OK ? people_identify(db, now, account, *person, source, external_id, SV(""), err)
                    : rc;
}

enum err_code studies_participant(struct db *db, int64_t campaign, struct sv source,
                                  struct sv external_id, int64_t account, int64_t now, bool *added,
                                  struct err *err)
{
    int64_t person = 0;
    *added = false;
    enum err_code rc = person_of(db, source, external_id, account, now, &person, err);
    if (rc == OK) {
        rc = db_run(db,
                    "INSERT INTO participant (campaign, person) VALUES (?1, ?2)"
                    " ON CONFLICT DO NOTHING",
                    DB_VALS(db_int(campaign), db_int(person)), err);
    }
    if (rc != OK || db_changes(db) == 0) {
        return rc;
    }
    *added = true;
    return events_add(db, now, account, "participant.add", person, NULL, NULL, err);
}

enum err_code studies_expects(struct db *db, int64_t campaign, int64_t person, bool *listed,
                              struct err *err)
{
    return db_exists(db, "SELECT 1 FROM participant WHERE campaign = ?1 AND person = ?2",
                     DB_VALS(db_int(campaign), db_int(person)), listed, err);
}

enum err_code studies_arrival(struct db *db, int64_t place, struct sv parameters, struct err *err)
{
    /* A view, whose trigger replaces what was said before. */
    return db_run(db, "INSERT INTO arrival (place, parameters) VALUES (?1, ?2)",
                  DB_VALS(db_int(place), db_text(parameters)), err);
}

enum err_code studies_outcome_of(struct db *db, int64_t place, bool *ended,
                                 enum study_outcome *out, struct err *err)
{
    struct db_rows r;
    db_begin(db, "SELECT outcome FROM place_outcome WHERE place = ?1 ORDER BY id DESC LIMIT 1",
             DB_VALS(db_int(place)), &r, err);
    *ended = db_step(&r, err) && study_outcome_parse(db_col_text(&r, 0), out);
    return db_end(&r);
}

enum err_code studies_outcome(struct db *db, int64_t place, enum study_outcome o, int64_t account,
                              int64_t now, struct err *err)
{
    bool ended = false;
    enum study_outcome was = STUDY_FULL;
    int64_t id = 0;
    enum err_code rc = studies_outcome_of(db, place, &ended, &was, err);
    if (rc != OK || (ended && was == o)) {
        return rc;
    }
    rc = events_add(db, now, account, "place.outcome", place, NULL, &id, err);
    return rc == OK ? db_run(db,
                             "INSERT INTO place_outcome (id, place, outcome) VALUES (?1, ?2, ?3)",
                             DB_VALS(db_int(id), db_int(place), db_str(study_outcome_name(o))),
                             err)
                    : rc;
}

enum err_code studies_places_taken(struct db *db, int64_t campaign, int64_t now, int64_t *out,
                                   struct err *err)
{
    return db_one_int(
        db,
        "WITH state AS (SELECT p.joined_at,"
        "  (SELECT o.outcome FROM place_outcome o WHERE o.place = p.id ORDER BY o.id DESC LIMIT 1)"
        "    AS outcome,"
        "  EXISTS (SELECT 1 FROM assignment a JOIN answer w ON w.assignment = a.id"
        "    WHERE a.place = p.id) AS answered,"
        "  (SELECT max(a.leased_at) FROM assignment a WHERE a.place = p.id) AS lent_at,"
        "  (SELECT max(a.lease_until) FROM assignment a WHERE a.place = p.id) AS lent_until,"
        "  60000 * coalesce((SELECT s.place_minutes FROM study s WHERE s.campaign = ?1), 240)"
        "    AS keep FROM place p WHERE p.campaign = ?1)"
        " SELECT count(*) FROM state WHERE CASE"
        "  WHEN outcome IN ('complete', 'partial') THEN 1"
        "  WHEN outcome = 'returned' THEN 0"
        "  WHEN answered THEN 1"
        "  WHEN outcome IS NOT NULL THEN 0"
        "  ELSE max(joined_at + keep, coalesce(lent_at + keep, 0), coalesce(lent_until, 0)) > ?2"
        " END",
        DB_VALS(db_int(campaign), db_int(now)), out, err);
}

enum err_code studies_lapsed(struct db *db, int64_t place, int64_t now, bool *lapsed,
                             struct err *err)
{
    return db_exists(
        db,
        "SELECT 1 FROM place p JOIN study s ON s.campaign = p.campaign WHERE p.id = ?1"
        " AND p.joined_at <= ?2 - 60000 * s.place_minutes"
        " AND NOT EXISTS (SELECT 1 FROM assignment a WHERE a.place = p.id"
        "   AND max(a.leased_at + 60000 * s.place_minutes, a.lease_until) > ?2)"
        " AND NOT EXISTS (SELECT 1 FROM place_outcome o WHERE o.place = p.id)"
        " AND NOT EXISTS (SELECT 1 FROM assignment a JOIN answer w ON w.assignment = a.id"
        "   WHERE a.place = p.id)",
        DB_VALS(db_int(place), db_int(now)), lapsed, err);
}

enum err_code studies_declined(struct db *db, int64_t campaign, int64_t now, struct err *err)
{
    return events_add(db, now, 0, "study.decline", campaign, NULL, NULL, err);
}

static void read_state(const struct db_rows *r, struct arena *a, void *out)
{
    struct study_submission *s = out;
    s->state = db_col_int(r, 2) ? SUBMISSION_SURPLUS : SUBMISSION_STORED;
    if (sv_is(db_col_text(r, 3), "out")) {
        s->state = SUBMISSION_OUT;
        s->rule = arena_sv(a, db_col_text(r, 4));
    }
}
DB_ROW_THEN(study_submission_row, struct study_submission, read_state, answer, at);

enum err_code studies_submissions(struct db *db, int64_t place, struct arena *a,
                                  struct study_submission **out, size_t *n, struct err *err)
{
    return db_list(db, study_submission_row, out, n, a,
                   "SELECT w.id, w.at, w.surplus, s.value, s.rule FROM assignment a"
                   " JOIN answer w ON w.assignment = a.id"
                   " LEFT JOIN answer_state s ON s.id = (SELECT max(t.id) FROM answer_state t"
                   "   WHERE t.answer = w.id AND t.field = 'analysis')"
                   " WHERE a.place = ?1 ORDER BY w.id",
                   DB_VALS(db_int(place)), err);
}
