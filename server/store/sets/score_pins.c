/* score_pins.c - SQL for revision_pin and score_decision. */
#include "store/sets/score_pins.h"

#include "db/rows.h"
#include "store/core/events.h"
#include "store/sets/sets.h"

DB_ROW(score_pin_row, struct score_pin, frozen, newest, block, decision);

enum err_code score_pin_get(struct db *db, int64_t revision, struct score_pin *out, struct err *err)
{
    return db_maybe(db, score_pin_row, out, NULL,
                    "SELECT p.revision IS NOT NULL, coalesce(p.way = 'newest', 0), coalesce(p.block, 0),"
                    " (SELECT coalesce(max(id), 0) FROM score_decision WHERE revision = ?1)"
                    " FROM (SELECT 1) LEFT JOIN revision_pin p ON p.revision = ?1",
                    DB_VALS(db_int(revision)), err);
}

enum err_code score_pin_add(struct db *db, int64_t revision, struct err *err)
{
    return db_run(db,
                  "INSERT INTO revision_pin (revision, block, way) VALUES (?1,"
                  " (SELECT coalesce(max(id), 0) FROM prediction_block), 'chosen')"
                  " ON CONFLICT (revision) DO NOTHING",
                  DB_VALS(db_int(revision)), err);
}

/* A decision is in force unless it was undone or a later one that was not undone took its place. */
#define IN_FORCE                                                                                   \
    "SELECT max(d.id) FROM score_decision d WHERE d.revision = ?1 AND d.undoes IS NULL AND NOT "   \
    "EXISTS (SELECT 1 FROM score_decision u WHERE u.undoes = d.id)"

DB_ROW(score_decision_row, struct score_decision, id, revision, model, source, reason, at, account);

enum err_code score_decisions(struct db *db, int64_t revision, struct arena *a,
                              struct score_decision **out, size_t *n, struct err *err)
{
    return db_list(
        db, score_decision_row, out, n, a,
        "SELECT s.id, s.revision, s.model, s.source, s.reason, e.at, coalesce(e.account, 0)"
        " FROM score_decision s JOIN event e ON e.id = s.id"
        " WHERE s.id IN (" IN_FORCE " GROUP BY d.model) ORDER BY s.model",
        DB_VALS(db_int(revision)), err);
}

/* The id of the decision in force about a model, 0 without one, and its source. */
static enum err_code in_force(struct db *db, int64_t revision, int64_t model, int64_t *id,
                              int64_t *source, struct err *err)
{
    *id = *source = 0;
    return db_maybe_ints(db,
                         "SELECT s.id, s.source FROM score_decision s WHERE s.id = (" IN_FORCE
                         " AND d.model = ?2)",
                         DB_VALS(db_int(revision), db_int(model)), id, source, err);
}

static enum err_code check_reason(struct sv reason, struct err *err)
{
    return reason.n > 0 && reason.n <= SET_REASON && sv_utf8(reason)
               ? OK
               : err_rule(err, ERR_INPUT, "score-reason",
                          "Give a reason of 1 to %d bytes. Nothing was changed.",
                          SET_REASON);
}

static enum err_code add(struct db *db, const char *kind, const struct score_decision *d,
                         int64_t undoes, struct err *err)
{
    int64_t id = 0;
    enum err_code rc = events_add(db, d->at, d->account, kind, d->model, NULL, &id, err);
    return rc == OK ? db_run(db,
                             "INSERT INTO score_decision (id, revision, model, source, reason,"
                             " undoes) VALUES (?1, ?2, ?3, ?4, ?5, nullif(?6, 0))",
                             DB_VALS(db_int(id), db_int(d->revision), db_int(d->model),
                                     db_int(d->source), db_text(d->reason), db_int(undoes)),
                             err)
                    : rc;
}

enum err_code score_decision_add(struct db *db, int64_t revision, int64_t model, int64_t source,
                                 struct sv reason, int64_t account, int64_t now, struct err *err)
{
    int64_t id, there;
    const struct score_decision d = {.revision = revision, .model = model, .source = source,
                                     .at = now, .account = account, .reason = reason};
    enum err_code rc = check_reason(reason, err);
    rc = rc == OK ? in_force(db, revision, model, &id, &there, err) : rc;
    if (rc == OK && id && there == source) {
        return err_rule(err, ERR_CONFLICT, "score-decided",
                        "Source %lld is already chosen for this revision. Nothing was changed.",
                        (long long)source);
    }
    return rc == OK ? add(db, "predictions.choose", &d, 0, err) : rc;
}

enum err_code score_decision_undo(struct db *db, int64_t revision, int64_t model, struct sv reason,
                                  int64_t account, int64_t now, struct err *err)
{
    int64_t id, source;
    enum err_code rc = check_reason(reason, err);
    rc = rc == OK ? in_force(db, revision, model, &id, &source, err) : rc;
    if (rc == OK && id == 0) {
        return err_rule(err, ERR_NOT_FOUND, "score-decision",
                        "No predictions of this model were chosen for the revision: there is "
                        "nothing to undo.");
    }
    const struct score_decision d = {.revision = revision, .model = model, .source = source,
                                     .at = now, .account = account, .reason = reason};
    return rc == OK ? add(db, "predictions.unchoose", &d, id, err) : rc;
}
