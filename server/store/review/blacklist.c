/* blacklist.c - SQL for the blacklist. Rows are only added: what holds for a name is its newest. */
#include "store/review/blacklist.h"

#include <strings.h>

#include "db/rows.h"

const char *const blacklist_reasons[BLACKLIST_REASONS] = {
    "class", "drawing", "distribution", "unclear", "near-duplicate", "harmful", "other"};
const char *const blacklist_labels[BLACKLIST_REASONS] = {"not the class",
                                                         "drawing, painting or rendering",
                                                         "another distribution",
                                                         "unclear, edited or tiny",
                                                         "near-duplicate",
                                                         "harmful",
                                                         "other"};

enum blacklist_reason blacklist_reason_of(struct sv word)
{
    int r = 0;
    while (r < BLACKLIST_REASONS && !sv_is(word, blacklist_reasons[r])) {
        r++;
    }
    return (enum blacklist_reason)r;
}

/* The first that a text contains decides, so what says more stands first: "unclear and
 * near-duplicate of ..." is a near-duplicate, "picture of cover" is no picture of the class. */
static const struct {
    const char *word;
    enum blacklist_reason reason;
} guesses[] = {{"near-duplicate", BLACKLIST_NEAR_DUPLICATE},
               {"near duplicate", BLACKLIST_NEAR_DUPLICATE},
               {"nsfw", BLACKLIST_HARMFUL},
               {"harmful", BLACKLIST_HARMFUL},
               {"offensive", BLACKLIST_HARMFUL},
               {"drawing", BLACKLIST_DRAWING},
               {"painting", BLACKLIST_DRAWING},
               {"cartoon", BLACKLIST_DRAWING},
               {"rendering", BLACKLIST_DRAWING},
               {"synthetic", BLACKLIST_DRAWING},
               {"illustration", BLACKLIST_DRAWING},
               {"wrong class", BLACKLIST_CLASS},
               {"unclear", BLACKLIST_UNCLEAR},
               {"blurry", BLACKLIST_UNCLEAR},
               {"occluded", BLACKLIST_UNCLEAR},
               {"edited", BLACKLIST_UNCLEAR},
               {"composite", BLACKLIST_UNCLEAR},
               {"distortion", BLACKLIST_UNCLEAR},
               {"small", BLACKLIST_UNCLEAR},
               {"tiny", BLACKLIST_UNCLEAR},
               {"distribution", BLACKLIST_DISTRIBUTION},
               {"time range", BLACKLIST_DISTRIBUTION},
               {"picture of", BLACKLIST_DISTRIBUTION},
               {"photo of", BLACKLIST_DISTRIBUTION},
               {"poster", BLACKLIST_DISTRIBUTION}};

static bool starts(struct sv text, struct sv with)
{
    return text.n >= with.n && strncasecmp(text.p, with.p, with.n) == 0;
}

static bool contains(struct sv text, struct sv word)
{
    for (size_t at = 0; at + word.n <= text.n; at++) {
        if (starts(sv_make(text.p + at, text.n - at), word)) {
            return true;
        }
    }
    return false;
}

enum blacklist_reason blacklist_reason_guess(struct sv text)
{
    enum blacklist_reason word = blacklist_reason_of(text);
    if (word != BLACKLIST_REASONS || starts(text, SV("not "))) {
        return word != BLACKLIST_REASONS ? word : BLACKLIST_CLASS;
    }
    for (size_t i = 0; i < sizeof guesses / sizeof guesses[0]; i++) {
        if (contains(text, sv_of(guesses[i].word))) {
            return guesses[i].reason;
        }
    }
    return BLACKLIST_OTHER;
}

/* ---- reading ---- */

#define COLUMNS                                                                                    \
    "SELECT b.name, b.event, e.at, coalesce(e.account, 0), b.banned, b.reason, b.note FROM "
#define EVENT " b JOIN event e ON e.id = b.event "

DB_ROW(entry_row, struct blacklist_entry, name, event, at, account, banned, reason, note);

static int64_t until(int64_t as_of)
{
    return as_of > 0 ? as_of : INT64_MAX;
}

enum err_code blacklist_of(struct db *db, struct sv name, int64_t as_of, struct arena *a,
                           struct blacklist_entry *out, bool *found, struct err *err)
{
    enum err_code rc = db_find(db, entry_row, out, a,
                               COLUMNS "blacklisting" EVENT
                                       "WHERE b.name = ?1 AND b.event <= ?2 ORDER BY b.event DESC LIMIT 1",
                               DB_VALS(db_text(name), db_int(until(as_of))), err);
    *found = rc == OK;
    return rc == ERR_NOT_FOUND ? OK : rc;
}

/* SQLite takes the other columns from the row that has the max(). When each was said and by whom is left
 * out: looking it up would take longer than all the rest, for tens of thousands of names. */
enum err_code blacklist_each(struct db *db, int64_t as_of,
                             enum err_code (*each)(void *arg, const struct blacklist_entry *e,
                                                   struct err *err),
                             void *arg, struct err *err)
{
    struct db_rows r;
    struct blacklist_entry e;
    enum err_code rc = db_begin(db,
                                "SELECT name, event, 0, 0, banned, reason, note FROM"
                                " (SELECT name, max(event) AS event, banned, reason, note"
                                " FROM blacklisting WHERE event <= ?1 GROUP BY name)"
                                " WHERE banned ORDER BY name",
                                DB_VALS(db_int(until(as_of))), &r, err);
    while (rc == OK && db_next(&r, entry_row, &e, NULL, err)) {
        rc = each(arg, &e, err);
    }
    return db_end_after(&r, rc);
}

enum err_code blacklist_images(struct db *db,
                               enum err_code (*each)(void *arg, int64_t image, struct err *err),
                               void *arg, struct err *err)
{
    struct db_rows r;
    enum err_code rc =
        db_begin(db,
                 "SELECT i.id FROM (SELECT name, max(event), banned FROM blacklisting GROUP BY name)"
                 " b JOIN image i ON i.name = b.name WHERE b.banned",
                 DB_NONE, &r, err);
    while (rc == OK && db_step(&r, err)) {
        rc = each(arg, db_col_int(&r, 0), err);
    }
    return db_end_after(&r, rc);
}

enum err_code blacklist_of_class(struct db *db, int64_t class_id, struct arena *a,
                                 struct blacklist_entry **out, size_t *n, struct err *err)
{
    return db_list(
        db, entry_row, out, n, a,
        COLUMNS
        "image i CROSS JOIN blacklisting" EVENT
        "WHERE b.name = i.name AND i.class = ?1 AND b.banned AND b.event = (SELECT max(event)"
        " FROM blacklisting WHERE name = i.name) ORDER BY b.name",
        DB_VALS(db_int(class_id)), err);
}

/* ---- writing ---- */

static enum err_code check(struct sv name, bool banned, struct sv reason, struct sv note,
                           struct err *err)
{
    if (note.n > BLACKLIST_NOTE_MOST || !sv_utf8(note)) {
        return err_rule(
            err, ERR_INPUT, "blacklist-note",
            "The note on a reason must be text of at most %d bytes. Nothing was stored.",
            BLACKLIST_NOTE_MOST);
    }
    if (!banned) {
        return OK;
    }
    enum blacklist_reason r = blacklist_reason_of(reason);
    if (r == BLACKLIST_REASONS) {
        return err_rule(err, ERR_INPUT, "blacklist-reason",
                        "Say why " SV_FMT
                        " must not be in a set: class, drawing, distribution, unclear, "
                        "near-duplicate, harmful or other. Nothing was stored.",
                        SV_ARG(name));
    }
    return r == BLACKLIST_OTHER && sv_trim(note).n == 0
               ? err_rule(err, ERR_INPUT, "blacklist-reason",
                          "The reason \"other\" needs a note that explains it (" SV_FMT "). Nothing was "
                          "stored.",
                          SV_ARG(name))
               : OK;
}

/* Whether it has been said already; *event is that of the newest row, 0 without one. */
static enum err_code holds(struct db *db, struct sv name, bool banned, struct sv reason,
                           struct sv note, int64_t *event, bool *out, struct err *err)
{
    struct db_rows r;
    db_begin(db,
             "SELECT event, banned, reason, note FROM blacklisting WHERE name = ?1"
             " ORDER BY event DESC LIMIT 1",
             DB_VALS(db_text(name)), &r, err);
    *event = 0;
    *out = !banned;
    if (db_step(&r, err)) {
        *event = db_col_int(&r, 0);
        *out = (db_col_int(&r, 1) == 1) == banned &&
               (!banned || (sv_eq(db_col_text(&r, 2), reason) && sv_eq(db_col_text(&r, 3), note)));
    }
    return db_end(&r);
}

enum err_code blacklist_put(struct db *db, int64_t event, struct sv name, bool banned,
                            struct sv reason, struct sv note, bool *added, struct err *err)
{
    int64_t newest = 0;
    bool held = false;
    *added = false;
    enum err_code rc = check(name, banned, reason, note, err);
    rc = rc == OK ? holds(db, name, banned, reason, note, &newest, &held, err) : rc;
    if (rc != OK || held || event == 0) {
        *added = rc == OK && !held;
        return rc;
    }
    if (newest == event) {
        return err_rule(err, ERR_INPUT, "blacklist-reason",
                        "The input says two different things about " SV_FMT ". Nothing was stored.",
                        SV_ARG(name));
    }
    rc = db_run(db,
                "INSERT INTO blacklisting (name, event, banned, reason, note)"
                " VALUES (?1, ?2, ?3, ?4, ?5)",
                DB_VALS(db_text(name), db_int(event), db_int(banned),
                        db_text(banned ? reason : SV("")), db_text(note)),
                err);
    *added = rc == OK;
    return rc;
}
