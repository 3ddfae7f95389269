/* rounds.c - SQL for blind rounds of the final review. */
#include "store/review/rounds.h"

#include "db/rows.h"
#include "store/core/events.h"

enum err_code review_rounds_add(struct db *db, const struct review_round *round, int64_t now,
                                int64_t *id, struct err *err)
{
    if (round->originals > REVIEW_ROUND_MOST || round->repeats > REVIEW_ROUND_MOST) {
        return err_rule(err, ERR_INPUT, "review-round",
                        "Originals and repeats must be 0 to %d percent. No round was begun.",
                        REVIEW_ROUND_MOST);
    }
    enum err_code rc =
        events_add(db, now, round->account, "review.round", round->revision, NULL, id, err);
    return rc == OK ? db_run(db,
                             "INSERT INTO review_round (id, revision, originals, repeats, seed)"
                             " VALUES (?1, ?2, ?3, ?4, ?5)",
                             DB_VALS(db_int(*id), db_int(round->revision), db_int(round->originals),
                                     db_int(round->repeats), db_int(round->seed)),
                             err)
                    : rc;
}

DB_ROW(review_round_row, struct review_round, id, at, account, seed, originals, repeats);

enum err_code review_rounds_newest(struct db *db, int64_t revision, struct review_round *out,
                                   struct err *err)
{
    *out = (struct review_round){.revision = revision};
    return db_maybe(db, review_round_row, out, NULL,
                    "SELECT r.id, e.at, coalesce(e.account, 0), r.seed, r.originals,"
                    " r.repeats FROM review_round r JOIN event e ON e.id = r.id"
                    " WHERE r.revision = ?1 ORDER BY r.id DESC LIMIT 1",
                    DB_VALS(db_int(revision)), err);
}

enum err_code review_originals(struct db *db, int64_t class_id, int64_t list_id, struct arena *a,
                               int64_t **out, size_t *n, struct err *err)
{
    return db_list_int(db,
                       "SELECT i.id FROM image i WHERE i.class = ?1 AND i.role = 'original'"
                       " AND i.source IS NOT NULL AND NOT EXISTS (SELECT 1 FROM set_list_image s"
                       "  WHERE s.list = ?2 AND s.image = i.id AND s.class = ?1) ORDER BY i.id",
                       DB_VALS(db_int(class_id), db_int(list_id)), a, out, n, err);
}

DB_ROW(review_turn_row, struct review_turn, id, at, class_id, again);

enum err_code review_turns_list(struct db *db, int64_t round, int64_t account, struct arena *a,
                                struct review_turn **out, size_t *n, struct err *err)
{
    return db_list(db, review_turn_row, out, n, a,
                   "SELECT t.id, e.at, t.class, t.again FROM review_turn t"
                   " JOIN event e ON e.id = t.id WHERE t.round = ?1 AND t.account = ?2"
                   " ORDER BY t.id",
                   DB_VALS(db_int(round), db_int(account)), err);
}

static enum err_code check_new(struct db *db, const struct review_turn_new *turn, struct err *err)
{
    int64_t there = 0;
    enum err_code rc = db_one_int(db,
                                  "SELECT count(*) FROM review_turn WHERE round = ?1"
                                  " AND account = ?2 AND class = ?3 AND again = ?4",
                                  DB_VALS(db_int(turn->round), db_int(turn->account),
                                          db_int(turn->class_id), db_int(turn->again)),
                                  &there, err);
    return rc == OK && there
               ? err_rule(err, ERR_CONFLICT, "review-turn",
                          "You have already finished this class. Your answers stand and nothing was changed; "
                          "continue with the next class.")
               : rc;
}

enum err_code review_turns_add(struct db *db, const struct review_turn_new *turn, int64_t now,
                               int64_t *id, struct err *err)
{
    int64_t revision = 0;
    enum err_code rc = check_new(db, turn, err);
    if (rc == OK) {
        rc = db_one_int(db, "SELECT revision FROM review_round WHERE id = ?1",
                        DB_VALS(db_int(turn->round)), &revision, err);
    }
    rc = rc == OK ? events_add(db, now, turn->account, "review.turn", revision, NULL, id, err) : rc;
    if (rc == OK) {
        rc = db_run(db,
                    "INSERT INTO review_turn (id, round, account, class, again)"
                    " VALUES (?1, ?2, ?3, ?4, ?5)",
                    DB_VALS(db_int(*id), db_int(turn->round), db_int(turn->account),
                            db_int(turn->class_id), db_int(turn->again)),
                    err);
    }
    for (size_t i = 0; i < turn->n && rc == OK; i++) {
        rc = db_run(
            db, "INSERT INTO review_mark (turn, image, probe, rejected) VALUES (?1, ?2, ?3, ?4)",
            DB_VALS(db_int(*id), db_int(turn->marks[i].image), db_int(turn->marks[i].probe),
                    db_int(turn->marks[i].rejected)),
            err);
    }
    return rc;
}

DB_ROW(review_result_row, struct review_result, account, login, turns, probes, probes_rejected,
       images, images_rejected, repeated, alike);

enum err_code review_rounds_results(struct db *db, int64_t round, struct arena *a,
                                    struct review_result **out, size_t *n, struct err *err)
{
    /* Aggregates over the marks of first times; `again` joins the mark of the same image in the
     * class's second time, where there is one. */
    return db_list(db, review_result_row, out, n, a,
                   "SELECT t.account, coalesce(i.external_id, ''), count(DISTINCT t.id) + "
                   "count(DISTINCT u.id),"
                   " sum(m.probe), sum(m.probe AND m.rejected), sum(NOT m.probe),"
                   " sum(NOT m.probe AND m.rejected), count(x.image), sum(coalesce(x.rejected = "
                   "m.rejected, 0))"
                   " FROM review_turn t JOIN review_mark m ON m.turn = t.id"
                   " LEFT JOIN review_turn u ON u.round = t.round AND u.account = t.account"
                   "  AND u.class = t.class AND u.again = 1"
                   " LEFT JOIN review_mark x ON x.turn = u.id AND x.image = m.image"
                   " JOIN account c ON c.id = t.account LEFT JOIN identity i ON i.person = c.person"
                   " WHERE t.round = ?1 AND t.again = 0 GROUP BY t.account ORDER BY 2, 1",
                   DB_VALS(db_int(round)), err);
}
