/* near_verdicts.c - SQL for near_verdict and near_look. */
#include "store/duplicates/near_verdicts.h"

#include <stdio.h>

#include "base/list.h"
#include "db/rows.h"
#include "store/core/events.h"
#include "store/duplicates/near_pairs.h"

const char *const near_say_words[NEAR_SAYS] = {"duplicate", "not", "unsure", "open"};

static enum near_say say_of(struct sv word)
{
    int k = 0;
    while (k < NEAR_SAY_OPEN && !sv_is(word, near_say_words[k])) {
        k++;
    }
    return (enum near_say)k;
}

enum err_code near_verdicts_version(struct db *db, struct sv name, int64_t *out, struct err *err)
{
    return db_one_int(db,
                      "SELECT coalesce(max(event), 0) FROM (SELECT max(event) AS event FROM near_verdict WHERE a = ?1"
                      " UNION ALL SELECT max(event) FROM near_verdict WHERE b = ?1)",
                      DB_VALS(db_text(name)), out, err);
}

/* ---- writing ---- */

static enum err_code begin(struct db *db, const char *kind, const struct near_look *look, int64_t undoes, int64_t account,
                           int64_t now, int64_t *id, struct err *err)
{
    char detail[40];
    snprintf(detail, sizeof detail, "{\"pairs\":%zu}", look->n);
    enum err_code rc = events_add(db, now, account, kind, 0, detail, id, err);
    return rc == OK ? db_run(db, "INSERT INTO near_look (id, name, shown, undoes) VALUES (?1, ?2, ?3, nullif(?4, 0))",
                             DB_VALS(db_int(*id), db_text(look->name), db_text(look->shown), db_int(undoes)), err)
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
                    " VALUES (min(?1, ?2), max(?1, ?2), ?3, ?4, 0)",
                    DB_VALS(db_text(look->name), db_text(s->neighbor), db_int(event), db_str(near_say_words[s->say])), err);
        rc = rc == OK ? near_pairs_put(db, event, look->name, s->neighbor, s->say == NEAR_SAY_DUPLICATE, &added, err) : rc;
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
            (struct near_said){arena_sv(a, db_col_text(&r, 0)), say_of(db_col_text(&r, 1))};
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
    enum err_code rc = db_maybe_text(db, "SELECT name FROM near_look WHERE id = ?1", DB_VALS(db_int(look)), a, name, err);
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
