/* near_verdicts.c - SQL for near_verdict and near_look. */
#include "store/duplicates/near_verdicts.h"

#include <stdio.h>

#include "base/list.h"
#include "db/rows.h"
#include "store/core/events.h"
#include "store/duplicates/near_pairs.h"

static const char *const say_words[NEAR_SAYS] = {"duplicate", "not", "unsure", "open"};

enum near_say near_say_of(struct sv word)
{
    int k = 0;
    while (k < NEAR_SAY_OPEN && !sv_is(word, say_words[k])) {
        k++;
    }
    return (enum near_say)k;
}

enum err_code near_verdicts_version(struct db *db, struct sv name, int64_t *out, struct err *err)
{
    return db_one_int(db,
                      "SELECT coalesce(max(event), 0) FROM (SELECT max(event) AS event FROM near_verdict WHERE a = ?1 AND repeat = 0"
                      " UNION ALL SELECT max(event) FROM near_verdict WHERE b = ?1 AND repeat = 0)",
                      DB_VALS(db_text(name)), out, err);
}

enum err_code near_verdicts_passed_on(struct db *db, struct sv name, int64_t neighbor, int64_t account, bool *out,
                                      struct err *err)
{
    int64_t mine = 0;
    enum err_code rc = db_maybe_int(db,
                                    "SELECT v.verdict = 'unsure' AND e.account IS ?3 FROM image i JOIN near_verdict v"
                                    " ON v.a = min(?1, i.name) AND v.b = max(?1, i.name) JOIN event e ON e.id = v.event"
                                    " WHERE i.id = ?2 AND v.repeat = 0 ORDER BY v.event DESC LIMIT 1",
                                    DB_VALS(db_text(name), db_int(neighbor), db_int(account)), &mine, err);
    *out = mine != 0;
    return rc;
}

/* ---- writing ---- */

static enum err_code begin(struct db *db, const char *kind, const struct near_look *look, int64_t undoes, int64_t account,
                           int64_t now, int64_t *id, struct err *err)
{
    char detail[40];
    snprintf(detail, sizeof detail, "{\"pairs\":%zu}", look->n);
    enum err_code rc = events_add(db, now, account, kind, 0, detail, id, err);
    return rc == OK ? db_run(db, "INSERT INTO near_look (id, name, shown, undoes, repeats)"
                                 " VALUES (?1, ?2, ?3, nullif(?4, 0), nullif(?5, 0))",
                             DB_VALS(db_int(*id), db_text(look->name), db_text(look->shown), db_int(undoes),
                                     db_int(look->repeats)),
                             err)
                    : rc;
}

static enum err_code put(struct db *db, int64_t event, const struct near_look *look, struct err *err)
{
    enum err_code rc = OK;
    for (size_t i = 0; i < look->n && rc == OK; i++) {
        const struct near_said *s = &look->said[i];
        bool added;
        rc = db_run(db,
                    "INSERT INTO near_verdict (a, b, event, verdict, repeat)"
                    " VALUES (min(?1, ?2), max(?1, ?2), ?3, ?4, ?5)",
                    DB_VALS(db_text(look->name), db_text(s->neighbor), db_int(event), db_str(say_words[s->say]),
                            db_int(look->repeats > 0)),
                    err);
        rc = rc == OK && !look->repeats ? near_pairs_put(db, event, look->name, s->neighbor, s->say == NEAR_SAY_DUPLICATE, &added, err) : rc;
    }
    return rc;
}

/* Looks that may be shown again: not taken back, and no repeat. */
#define REPEATABLE                                                                                                     \
    " l.undoes IS NULL AND l.repeats IS NULL AND NOT EXISTS (SELECT 1 FROM near_look u WHERE u.undoes = l.id)"

static enum err_code check_repeat(struct db *db, const struct near_look *look, int64_t account, struct err *err)
{
    int64_t known = 0, before = 0;
    enum err_code rc = db_one_int(db, "SELECT count(*) FROM near_look l WHERE l.id = ?1 AND l.name = ?2 AND" REPEATABLE,
                                  DB_VALS(db_int(look->repeats), db_text(look->name)), &known, err);
    rc = rc == OK ? db_one_int(db,
                               "SELECT count(*) FROM near_look l JOIN event e ON e.id = l.id WHERE l.repeats = ?1"
                               " AND e.account = ?2",
                               DB_VALS(db_int(look->repeats), db_int(account)), &before, err)
                  : rc;
    if (rc == OK && (known == 0 || before > 0)) {
        rc = err_rule(err, ERR_CONFLICT, "near-repeated",
                      known ? "You have judged these neighbours again already. Nothing was saved."
                            : "These verdicts were taken back meanwhile. Nothing was saved.");
    }
    return rc;
}

enum err_code near_verdicts_write(struct db *db, const struct near_look *look, int64_t account, int64_t now, int64_t *id,
                                  struct err *err)
{
    int64_t version = 0;
    if (look->n == 0 || look->n > NEAR_LOOK_MOST) {
        return err_rule(err, ERR_INPUT, "near-verdict",
                        look->n ? "These are more than %d verdicts at once. Nothing was saved."
                                : "Choose a verdict for at least one neighbour. Nothing was saved.",
                        NEAR_LOOK_MOST);
    }
    if (look->repeats) {
        enum err_code again = check_repeat(db, look, account, err);
        again = again == OK ? begin(db, "near-duplicates.repeated", look, 0, account, now, id, err) : again;
        return again == OK ? put(db, *id, look, err) : again;
    }
    enum err_code rc = near_verdicts_version(db, look->name, &version, err);
    if (rc == OK && version != look->seen) {
        return err_rule(err, ERR_CONFLICT, "near-changed",
                        "Somebody else has judged neighbours of this image meanwhile, so nothing was saved. Below is what "
                        "is still open; look at it and save again.");
    }
    rc = rc == OK ? begin(db, "near-duplicates.reviewed", look, 0, account, now, id, err) : rc;
    return rc == OK ? put(db, *id, look, err) : rc;
}

/* ---- undoing ---- */

/* What each pair of the look was before. */
static enum err_code read_before(struct db *db, int64_t look, struct sv name, struct arena *a, struct list *out,
                                 bool *changed, struct err *err)
{
    struct db_rows r;
    enum err_code rc = db_begin(
        db,
        "SELECT CASE WHEN v.a = ?2 THEN v.b ELSE v.a END, coalesce((SELECT x.verdict FROM near_verdict x WHERE x.a = v.a"
        " AND x.b = v.b AND x.event < ?1 AND x.repeat = 0 ORDER BY x.event DESC LIMIT 1), 'open'),"
        " EXISTS (SELECT 1 FROM near_verdict x WHERE x.a = v.a AND x.b = v.b AND x.event > ?1 AND x.repeat = 0)"
        " FROM near_verdict v WHERE v.event = ?1 ORDER BY v.a, v.b",
        DB_VALS(db_int(look), db_text(name)), &r, err);
    while (rc == OK && db_step(&r, err)) {
        *LIST_ADD(out, a, struct near_said) =
            (struct near_said){arena_sv(a, db_col_text(&r, 0)), near_say_of(db_col_text(&r, 1))};
        *changed = *changed || db_col_int(&r, 2) != 0;
    }
    return db_end_after(&r, rc);
}

enum err_code near_verdicts_undo(struct db *db, int64_t look, int64_t account, int64_t now, struct arena *a,
                                 struct sv *name, struct err *err)
{
    struct list said = {0};
    bool changed = false;
    int64_t id;
    *name = SV("");
    enum err_code rc = db_maybe_text(db, "SELECT name FROM near_look WHERE id = ?1 AND repeats IS NULL",
                                     DB_VALS(db_int(look)), a, name, err);
    if (rc == OK && !name->n) {
        return err_rule(err, ERR_NOT_FOUND, "near-look", "Nothing was saved under that number.");
    }
    rc = rc == OK ? read_before(db, look, *name, a, &said, &changed, err) : rc;
    if (rc == OK && changed) {
        return err_rule(err, ERR_CONFLICT, "near-undone",
                        "These verdicts were taken back or changed already. Nothing was changed.");
    }
    const struct near_look back = {.name = *name, .said = said.items, .n = said.n, .shown = SV("[]")};
    rc = rc == OK ? begin(db, "near-duplicates.undone", &back, look, account, now, &id, err) : rc;
    return rc == OK ? put(db, id, &back, err) : rc;
}

/* ---- shown again ---- */

enum { DUE_MOST = 20 };

enum err_code near_verdicts_due(struct db *db, int64_t account, struct arena *a, struct near_due **out, size_t *n,
                                struct err *err)
{
    struct db_rows r;
    struct list list = {0};
    /* In an order that looks like chance, and is the same when the page is opened again. */
    enum err_code rc = db_begin(
        db,
        "WITH done AS (SELECT count(*) FILTER (WHERE l.repeats IS NULL) AS looks, count(l.repeats) AS repeats"
        "  FROM near_look l JOIN event e ON e.id = l.id WHERE e.account = ?1 AND l.undoes IS NULL)"
        " SELECT l.id, l.name FROM done CROSS JOIN near_look l JOIN event e ON e.id = l.id"
        " WHERE done.looks >= ?2 * (done.repeats + 1) AND" REPEATABLE
        " AND NOT EXISTS (SELECT 1 FROM near_look x JOIN event y ON y.id = x.id WHERE x.repeats = l.id AND y.account = ?1)"
        " ORDER BY (e.account IS ?1) <> (done.repeats % 2 = 0), (l.id * 40503 + ?1) % 65521, l.id LIMIT ?3",
        DB_VALS(db_int(account), db_int(NEAR_REPEAT_EVERY), db_int(DUE_MOST)), &r, err);
    while (rc == OK && db_step(&r, err)) {
        *LIST_ADD(&list, a, struct near_due) = (struct near_due){db_col_int(&r, 0), arena_sv(a, db_col_text(&r, 1))};
    }
    *out = list.items;
    *n = list.n;
    return db_end_after(&r, rc);
}

enum err_code near_verdicts_look(struct db *db, int64_t look, struct arena *a, struct sv *name, struct sv **neighbors,
                                 size_t *n, struct err *err)
{
    struct db_rows r;
    struct list list = {0};
    *name = SV("");
    enum err_code rc = db_maybe_text(db, "SELECT l.name FROM near_look l WHERE l.id = ?1 AND" REPEATABLE,
                                     DB_VALS(db_int(look)), a, name, err);
    if (rc == OK && !name->n) {
        return err_rule(err, ERR_NOT_FOUND, "near-look", "Nothing was saved under that number.");
    }
    rc = rc == OK ? db_begin(db, "SELECT CASE WHEN a = ?2 THEN b ELSE a END FROM near_verdict WHERE event = ?1",
                             DB_VALS(db_int(look), db_text(*name)), &r, err)
                  : rc;
    if (rc != OK) {
        return rc;
    }
    while (db_step(&r, err)) {
        *LIST_ADD(&list, a, struct sv) = arena_sv(a, db_col_text(&r, 0));
    }
    *neighbors = list.items;
    *n = list.n;
    return db_end(&r);
}

enum err_code near_verdicts_repeated(struct db *db,
                                     enum err_code (*each)(void *arg, bool same_person, enum near_say first,
                                                           enum near_say then, struct err *err),
                                     void *arg, struct err *err)
{
    struct db_rows r;
    enum err_code rc = db_begin(db,
                                "SELECT e.account IS f.account, w.verdict, v.verdict FROM near_look l"
                                " JOIN event e ON e.id = l.id JOIN event f ON f.id = l.repeats"
                                " JOIN near_verdict v ON v.event = l.id"
                                " JOIN near_verdict w ON w.event = l.repeats AND w.a = v.a AND w.b = v.b"
                                " WHERE l.repeats IS NOT NULL",
                                DB_NONE, &r, err);
    while (rc == OK && db_step(&r, err)) {
        rc = each(arg, db_col_int(&r, 0) != 0, near_say_of(db_col_text(&r, 1)), near_say_of(db_col_text(&r, 2)), err);
    }
    return db_end_after(&r, rc);
}
