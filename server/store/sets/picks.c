/* picks.c - SQL for picks. */
#include "store/sets/picks.h"

#include <stdio.h>

#include "db/rows.h"
#include "store/core/events.h"

const char *const pick_stages[PICK_STAGES] = {"open", "picked", "pruned"};

enum pick_stage pick_stage_of(struct sv word)
{
    int s = 0;
    while (s < PICK_STAGES && !sv_is(word, pick_stages[s])) {
        s++;
    }
    return (enum pick_stage)s;
}

/* ---- writing ---- */

/* Whether it is what the newest row of the name says; of a name without one: that it is open. */
static enum err_code holds(struct db *db, const struct pick_row *p, bool *out, struct err *err)
{
    struct db_rows r;
    db_begin(db, "SELECT stage, note FROM pick WHERE name = ?1 ORDER BY event DESC LIMIT 1",
             DB_VALS(db_text(p->name)), &r, err);
    *out = p->stage == PICK_OPEN && p->note.n == 0;
    if (db_step(&r, err)) {
        *out =
            sv_is(db_col_text(&r, 0), pick_stages[p->stage]) && sv_eq(db_col_text(&r, 1), p->note);
    }
    return db_end(&r);
}

/* Whether the account's person picked the name; without an account, whether any account did. */
static enum err_code picked(struct db *db, struct sv name, int64_t account, bool *out,
                            struct err *err)
{
    return db_exists(
        db,
        "SELECT 1 FROM pick p JOIN event e ON e.id = p.event JOIN account c ON c.id = e.account"
        " WHERE p.name = ?1 AND p.stage = 'picked'"
        " AND (?2 = 0 OR c.person = (SELECT person FROM account WHERE id = ?2)) LIMIT 1",
        DB_VALS(db_text(name), db_int(account)), out, err);
}

static enum err_code check_pruner(struct db *db, struct sv name, int64_t account, struct err *err)
{
    bool found;
    enum err_code rc = picked(db, name, account, &found, err);
    if (rc != OK || !found) {
        return rc;
    }
    return account ? err_rule(err, ERR_CONFLICT, "pick-own",
                              SV_FMT " was picked by the same person, and only somebody else can prune a "
                                     "pick. Nothing was stored. Put it back instead, or ask somebody else to "
                                     "prune it.",
                              SV_ARG(name))
                   : err_rule(err, ERR_CONFLICT, "pick-nobody",
                              SV_FMT " was picked by an account, and only somebody else can prune a pick. "
                                     "Nothing was stored. Say who prunes it: --by LOGIN.",
                              SV_ARG(name));
}

enum err_code picks_check(struct db *db, const struct pick_row *row, int64_t account, bool *held,
                          struct err *err)
{
    BUG_IF((unsigned)row->stage >= PICK_STAGES);
    *held = false;
    if (row->note.n > PICK_NOTE_MOST || !sv_utf8(row->note)) {
        return err_rule(err, ERR_INPUT, "pick-note",
                        "The note on a pick must be text of at most %d bytes. Nothing was stored.",
                        PICK_NOTE_MOST);
    }
    enum err_code rc = holds(db, row, held, err);
    return rc == OK && !*held && row->stage == PICK_PRUNED
               ? check_pruner(db, row->name, account, err)
               : rc;
}

static enum err_code insert(struct db *db, const struct pick_row *p, int64_t event, struct err *err)
{
    enum err_code rc = db_run(
        db,
        "INSERT INTO pick (name, event, stage, note) VALUES (?1, ?2, ?3, ?4)"
        " ON CONFLICT DO NOTHING",
        DB_VALS(db_text(p->name), db_int(event), db_str(pick_stages[p->stage]), db_text(p->note)),
        err);
    if (rc == OK && db_changes(db) == 0) {
        return err_rule(err, ERR_INPUT, "pick-twice",
                        "The input says two different things about " SV_FMT ". Nothing was stored.",
                        SV_ARG(p->name));
    }
    return rc;
}

enum err_code picks_write(struct db *db, const struct pick_row *rows, size_t n, const char *kind,
                          int64_t class_id, int64_t account, int64_t now, size_t *changed,
                          struct err *err)
{
    bool held[PICKS_AT_ONCE];
    char detail[48];
    int64_t event = 0;
    enum err_code rc = OK;
    BUG_IF(n > PICKS_AT_ONCE);
    *changed = 0;
    for (size_t i = 0; i < n && rc == OK; i++) {
        rc = picks_check(db, &rows[i], account, &held[i], err);
        *changed += rc == OK && !held[i];
    }
    if (rc != OK || *changed == 0) {
        return rc;
    }
    snprintf(detail, sizeof detail, "{\"images\":%zu}", *changed);
    rc = events_add(db, now, account, kind, class_id, detail, &event, err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        rc = held[i] ? OK : insert(db, &rows[i], event, err);
    }
    return rc;
}

/* ---- reading ---- */

#define COLUMNS "SELECT p.name, p.note, p.event, e.at, coalesce(e.account, 0), p.stage FROM "

static void read_stage(const struct db_rows *r, struct arena *a, void *out)
{
    (void)a;
    ((struct pick_row *)out)->stage = pick_stage_of(db_col_text(r, 5));
}
DB_ROW_THEN(pick_row, struct pick_row, read_stage, name, note, event, at, account);

/* SQLite takes the other columns from the row that has the max(). */
enum err_code picks_each(struct db *db, int64_t as_of,
                         enum err_code (*each)(void *arg, const struct pick_row *p,
                                               struct err *err),
                         void *arg, struct err *err)
{
    struct db_rows r;
    struct pick_row row;
    enum err_code rc =
        db_begin(db,
                 COLUMNS "(SELECT name, note, stage, max(event) AS event FROM pick"
                         " WHERE event <= ?1 GROUP BY name) p JOIN event e ON e.id = p.event"
                         " ORDER BY p.name",
                 DB_VALS(db_int(as_of > 0 ? as_of : INT64_MAX)), &r, err);
    while (rc == OK && db_next(&r, pick_row, &row, NULL, err)) {
        rc = each(arg, &row, err);
    }
    return db_end_after(&r, rc);
}

enum err_code picks_history(struct db *db, struct sv name, struct arena *a, struct pick_row **out,
                            size_t *n, struct err *err)
{
    return db_list(db, pick_row, out, n, a,
                   COLUMNS "pick p JOIN event e ON e.id = p.event"
                           " WHERE p.name = ?1 ORDER BY p.event",
                   DB_VALS(db_text(name)), err);
}

/* ---- what people who pick look at ---- */

/* Whether the blacklist has the image i. */
#define BANNED                                                                                     \
    "coalesce((SELECT banned FROM blacklisting WHERE name = i.name ORDER BY event DESC LIMIT 1), " \
    "0)"

#define IMAGES                                                                                     \
    "SELECT i.id, i.name, coalesce(i.taken_at, ''), coalesce(i.author, ''),"                       \
    " i.source IS NOT NULL, coalesce(p.note, ''), coalesce(e.at, 0), coalesce(e.account, 0),"      \
    " coalesce(d.external_id, ''), " BANNED ", coalesce(p.stage, 'open')"                          \
    " FROM image i LEFT JOIN pick p ON p.name = i.name AND p.event ="                              \
    "  (SELECT max(event) FROM pick WHERE name = i.name)"                                          \
    " LEFT JOIN event e ON e.id = p.event LEFT JOIN account c ON c.id = e.account"                 \
    " LEFT JOIN identity d ON d.person = c.person"                                                 \
    " WHERE i.class = ?1 AND i.role = ?2 AND coalesce(i.keyword, '') = ?3 AND i.id > ?4"           \
    " AND (?5 = '' OR coalesce(p.stage, 'open') = ?5) ORDER BY i.id LIMIT ?6"

static void read_image_stage(const struct db_rows *r, struct arena *a, void *out)
{
    (void)a;
    ((struct pick_image *)out)->stage = pick_stage_of(db_col_text(r, 10));
}
DB_ROW_THEN(pick_image_row, struct pick_image, read_image_stage, id, name, taken_at, author,
            has_pixels, note, at, account, login, banned);

enum err_code pick_images(struct db *db, const struct pick_ask *ask, struct arena *a,
                          struct pick_image **out, size_t *n, struct err *err)
{
    const char *stage = ask->originals || ask->stage == PICK_STAGES ? "" : pick_stages[ask->stage];
    return db_list(db, pick_image_row, out, n, a, IMAGES,
                   DB_VALS(db_int(ask->class_id), db_str(ask->originals ? "original" : "candidate"),
                           db_text(ask->keyword), db_int(ask->after), db_str(stage),
                           db_int((int64_t)ask->most)),
                   err);
}
