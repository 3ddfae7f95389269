/* erasure.c - the passes of an erasure, slice by slice. Everything that a slice needs to know is in
 * the database: whoever runs the next one, after a crash too, continues where it ended. */
#include "store/people/erasure.h"

#include "base/clock.h"
#include "db/rows.h"
#include "store/people/names.h"

/* Steps 0 to NAMES_TABLES - 1 look through a table of typed texts each. The triggers of the views
 * write to both halves from COPY_IDENTITY to CHANGE_OVER. */
enum {
    NONE = -1,
    COPY_IDENTITY = NAMES_TABLES,
    COPY_ARRIVAL,
    CHANGE_OVER,
    EMPTY_IDENTITY,
    EMPTY_ARRIVAL,
    END
};
_Static_assert(COPY_IDENTITY == 7 && CHANGE_OVER == 9, "0007_people.sql says so");

enum { ROWS = 50, NS_PER_MS = 1000000 };

/* The views on the half `x`, whose triggers write to the half `y` too while rows are copied: as in
 * 0007_people.sql. */
#define COPYING "(SELECT step FROM erasure) BETWEEN 7 AND 9"
#define VIEWS(x, y)                                                                                \
    "DROP VIEW identity; DROP VIEW arrival;"                                                       \
    "CREATE VIEW identity AS SELECT person, source, external_id, name FROM identity_" x ";"        \
    "CREATE TRIGGER identity_insert INSTEAD OF INSERT ON identity BEGIN"                           \
    "  INSERT INTO identity_" x " VALUES (new.person, new.source, new.external_id, new.name);"     \
    "  INSERT INTO identity_" y " SELECT new.person, new.source, new.external_id, new.name"        \
    "    WHERE " COPYING ";"                                                                       \
    "END;"                                                                                         \
    "CREATE TRIGGER identity_delete INSTEAD OF DELETE ON identity BEGIN"                           \
    "  DELETE FROM identity_" x " WHERE person = old.person;"                                      \
    "  DELETE FROM identity_" y " WHERE person = old.person AND " COPYING ";"                      \
    "END;"                                                                                         \
    "CREATE VIEW arrival AS SELECT place, parameters FROM arrival_" x ";"                          \
    "CREATE TRIGGER arrival_insert INSTEAD OF INSERT ON arrival BEGIN"                             \
    "  INSERT INTO arrival_" x " VALUES (new.place, new.parameters)"                               \
    "    ON CONFLICT (place) DO UPDATE SET parameters = excluded.parameters;"                      \
    "  INSERT INTO arrival_" y " SELECT new.place, new.parameters WHERE " COPYING                  \
    "    ON CONFLICT (place) DO UPDATE SET parameters = excluded.parameters;"                      \
    "END;"                                                                                         \
    "CREATE TRIGGER arrival_delete INSTEAD OF DELETE ON arrival BEGIN"                             \
    "  DELETE FROM arrival_" x " WHERE place = old.place;"                                         \
    "  DELETE FROM arrival_" y " WHERE place = old.place AND " COPYING ";"                         \
    "END;"

struct state {
    int64_t step, after;
    bool again, on_b;
};

DB_ROW(state_row, struct state, step, after, again, on_b);

static enum err_code load(struct db *db, struct state *s, struct err *err)
{
    *s = (struct state){.step = NONE};
    return db_maybe(db, state_row, s, NULL, "SELECT step, after, again, half = 'b' FROM erasure",
                    DB_NONE, err);
}

static enum err_code save(struct db *db, const struct state *s, struct err *err)
{
    return db_run(
        db, "UPDATE erasure SET step = ?1, after = ?2, again = ?3, half = ?4",
        DB_VALS(db_int(s->step), db_int(s->after), db_int(s->again), db_str(s->on_b ? "b" : "a")),
        err);
}

enum err_code erasure_begin(struct db *db, struct err *err)
{
    /* One that has done nothing yet serves this person too. */
    return db_run(db,
                  "UPDATE erasure SET again = again OR step > 0 OR after > 0, step = max(step, 0)",
                  DB_NONE, err);
}

enum err_code erasure_pending(struct db *db, bool *out, struct err *err)
{
    int64_t step = NONE;
    enum err_code rc = db_one_int(db, "SELECT step FROM erasure", DB_NONE, &step, err);
    *out = rc == OK && step != NONE;
    return rc;
}

static void next_step(struct state *s)
{
    s->step++;
    s->after = 0;
}

/* Copies the rows after s->after and says how far that went: 0 for the end. */
static enum err_code copy(struct db *db, struct state *s, const char *last, const char *insert,
                          struct err *err)
{
    int64_t to = 0;
    enum err_code rc = db_one_int(db, last, DB_VALS(db_int(s->after), db_int(ROWS)), &to, err);
    if (rc == OK && to) {
        rc = db_run(db, insert, DB_VALS(db_int(s->after), db_int(to)), err);
    }
    if (to) {
        s->after = to;
    } else {
        next_step(s);
    }
    return rc;
}

/* `OR IGNORE`: what came since the copying began is there already. */
#define COPY(table, key, from, to)                                                                 \
    "INSERT OR IGNORE INTO " table to " SELECT * FROM " table from                                 \
    " WHERE " key " > ?1 AND " key " <= ?2 ORDER BY " key

static enum err_code copy_identity(struct db *db, struct state *s, struct err *err)
{
    static const char last[] = "SELECT coalesce(max(person), 0) FROM (SELECT person FROM identity"
                               " WHERE person > ?1 ORDER BY person LIMIT ?2)";
    return copy(db, s, last,
                s->on_b ? COPY("identity", "person", "_b", "_a")
                        : COPY("identity", "person", "_a", "_b"),
                err);
}

static enum err_code copy_arrival(struct db *db, struct state *s, struct err *err)
{
    static const char last[] = "SELECT coalesce(max(place), 0) FROM (SELECT place FROM arrival"
                               " WHERE place > ?1 ORDER BY place LIMIT ?2)";
    return copy(db, s, last,
                s->on_b ? COPY("arrival", "place", "_b", "_a")
                        : COPY("arrival", "place", "_a", "_b"),
                err);
}

static enum err_code change_over(struct db *db, struct state *s, struct err *err)
{
    enum err_code rc = db_script(db, s->on_b ? VIEWS("a", "b") : VIEWS("b", "a"), err);
    s->on_b = !s->on_b;
    next_step(s);
    return rc;
}

/* Freed pages are overwritten; a table without rows keeps its first page, which only a DELETE of
 * everything overwrites whole. */
static enum err_code empty(struct db *db, struct state *s, const char *some, const char *all,
                           struct err *err)
{
    enum err_code rc = db_run(db, some, DB_VALS(db_int(ROWS)), err);
    if (rc == OK && db_changes(db) == 0) {
        rc = db_run(db, all, DB_NONE, err);
        next_step(s);
    }
    return rc;
}

#define EMPTY_SOME(table, key)                                                                     \
    "DELETE FROM " table " WHERE " key " IN (SELECT " key " FROM " table " ORDER BY " key          \
    " LIMIT ?1)"

static enum err_code empty_identity(struct db *db, struct state *s, struct err *err)
{
    return s->on_b
               ? empty(db, s, EMPTY_SOME("identity_a", "person"), "DELETE FROM identity_a", err)
               : empty(db, s, EMPTY_SOME("identity_b", "person"), "DELETE FROM identity_b", err);
}

static enum err_code empty_arrival(struct db *db, struct state *s, struct err *err)
{
    return s->on_b ? empty(db, s, EMPTY_SOME("arrival_a", "place"), "DELETE FROM arrival_a", err)
                   : empty(db, s, EMPTY_SOME("arrival_b", "place"), "DELETE FROM arrival_b", err);
}

/* Whoever was erased meanwhile may have left copies in the new tables: then once more. */
static enum err_code end(struct db *db, struct state *s, struct err *err)
{
    enum err_code rc = s->again ? OK : db_run(db, "DELETE FROM erasure_name", DB_NONE, err);
    s->step = s->again ? 0 : NONE;
    s->after = 0;
    s->again = false;
    if (rc == OK && s->step == NONE) {
        db_erase_mark(db);
    }
    return rc;
}

static enum err_code some_rows(struct db *db, struct state *s, struct names **names,
                               struct err *err)
{
    bool more = false;
    enum err_code rc = OK;
    switch (s->step) {
    case COPY_IDENTITY:
        return copy_identity(db, s, err);
    case COPY_ARRIVAL:
        return copy_arrival(db, s, err);
    case CHANGE_OVER:
        return change_over(db, s, err);
    case EMPTY_IDENTITY:
        return empty_identity(db, s, err);
    case EMPTY_ARRIVAL:
        return empty_arrival(db, s, err);
    case END:
        return end(db, s, err);
    default:
        break;
    }
    if (!*names) {
        rc = names_to_erase(db, names, err);
    }
    rc = rc == OK ? names_erase_some(db, *names, (size_t)s->step, &s->after, &more, err) : rc;
    if (rc == OK && !more) {
        next_step(s);
    }
    return rc;
}

enum err_code erasure_slice(struct db *db, int64_t ms, bool *more, struct err *err)
{
    int64_t until = clock_mono_ns() + ms * NS_PER_MS;
    struct state s;
    struct names *names = NULL;
    enum err_code rc = load(db, &s, err);
    while (rc == OK && s.step != NONE) {
        rc = some_rows(db, &s, &names, err);
        if (clock_mono_ns() >= until) {
            break;
        }
    }
    names_free(names);
    *more = rc == OK && s.step != NONE;
    return rc == OK ? save(db, &s, err) : rc;
}
