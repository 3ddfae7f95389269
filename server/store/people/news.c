/* news.c - SQL for what happened to people since. */
#include "store/people/news.h"

#include "store/core/events.h"

static const char *const person_kinds[PERSON_KINDS] = {"worker", "staff", "imported", "simulated"};

static enum person_kind kind_of(struct sv word)
{
    unsigned kind = 0;
    while (kind < PERSON_KINDS && !sv_is(word, person_kinds[kind])) {
        kind++;
    }
    BUG_IF(kind == PERSON_KINDS); /* the table allows no other */
    return (enum person_kind)kind;
}

static enum err_code read_people(struct db *db, struct people_seen *seen,
                                 const struct people_news *to, struct err *err)
{
    struct db_rows r;
    db_begin(db, "SELECT id, kind FROM person WHERE id > ?1 ORDER BY id",
             DB_VALS(db_int(seen->person)), &r, err);
    while (db_step(&r, err)) {
        seen->person = db_col_int(&r, 0);
        to->person(to->arg, seen->person, kind_of(db_col_text(&r, 1)));
    }
    return db_end(&r);
}

static enum err_code read_places(struct db *db, struct people_seen *seen,
                                 const struct people_news *to, struct err *err)
{
    struct db_rows r;
    db_begin(db,
             "SELECT p.id, p.person, p.campaign, k.pay_cents FROM place p"
             " CROSS JOIN campaign k ON k.id = p.campaign WHERE p.id > ?1"
             " ORDER BY p.id",
             DB_VALS(db_int(seen->place)), &r, err);
    while (db_step(&r, err)) {
        seen->place = db_col_int(&r, 0);
        to->place(to->arg, seen->place, db_col_int(&r, 1), db_col_int(&r, 2), db_col_int(&r, 3));
    }
    return db_end(&r);
}

static enum err_code read_outcomes(struct db *db, struct people_seen *seen,
                                   const struct people_news *to, struct err *err)
{
    struct db_rows r;
    db_begin(db,
             "SELECT id, place, outcome = 'complete' FROM place_outcome"
             " WHERE id > ?1 ORDER BY id",
             DB_VALS(db_int(seen->outcome)), &r, err);
    while (db_step(&r, err)) {
        seen->outcome = db_col_int(&r, 0);
        to->outcome(to->arg, db_col_int(&r, 1), db_col_int(&r, 2) != 0);
    }
    return db_end(&r);
}

static enum err_code read_pay(struct db *db, struct people_seen *seen, const struct people_news *to,
                              struct err *err)
{
    struct db_rows r;
    db_begin(db,
             "SELECT id, place, state = 'rejected', bonus_cents FROM pay"
             " WHERE id > ?1 ORDER BY id",
             DB_VALS(db_int(seen->pay)), &r, err);
    while (db_step(&r, err)) {
        seen->pay = db_col_int(&r, 0);
        to->pay(to->arg, db_col_int(&r, 1), db_col_int(&r, 2) != 0, db_col_int(&r, 3));
    }
    return db_end(&r);
}

static enum err_code read_blocks(struct db *db, struct people_seen *seen,
                                 const struct people_news *to, struct err *err)
{
    struct db_rows r;
    db_begin(db, "SELECT id, person, kind FROM person_note WHERE id > ?1 ORDER BY id",
             DB_VALS(db_int(seen->note)), &r, err);
    while (db_step(&r, err)) {
        struct sv kind = db_col_text(&r, 2);
        seen->note = db_col_int(&r, 0);
        if (!sv_is(kind, "note")) {
            to->block(to->arg, db_col_int(&r, 1), sv_is(kind, "block"));
        }
    }
    return db_end(&r);
}

static enum err_code read_forgotten(struct db *db, struct people_seen *seen,
                                    const struct people_news *to, struct err *err)
{
    struct db_rows r;
    enum err_code rc = db_begin(db,
                                "SELECT e.id, e.subject FROM event e WHERE e.id > ?1 AND " EVENTS_TOLD
                                " AND e.kind = 'person.forget' ORDER BY e.id",
                                DB_VALS(db_int(seen->event)), &r, err);
    while (rc == OK && db_step(&r, err)) {
        to->forgotten(to->arg, db_col_int(&r, 1));
    }
    rc = db_end_after(&r, rc);
    return rc == OK ? db_one_int(db, "SELECT coalesce(max(id), 0) FROM event", DB_NONE,
                                 &seen->event, err)
                    : rc;
}

enum err_code people_news(struct db *db, struct people_seen *seen, const struct people_news *to,
                          struct err *err)
{
    static enum err_code (*const parts[])(struct db *, struct people_seen *,
                                          const struct people_news *, struct err *) = {
        read_people, read_places, read_outcomes, read_pay, read_blocks, read_forgotten};
    enum err_code rc = db_snapshot(db, err);
    for (size_t i = 0; i < sizeof parts / sizeof *parts && rc == OK; i++) {
        rc = parts[i](db, seen, to, err);
    }
    db_snapshot_end(db);
    return rc;
}
