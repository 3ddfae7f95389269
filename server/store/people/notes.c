/* notes.c - SQL for person_note. Knows nothing of what a block stops: who lends grids or lets
 * people join asks notes_blocked. */
#include "store/people/notes.h"

#include <string.h>

#include "db/rows.h"
#include "store/core/events.h"
#include "store/people/names.h"

enum { NOTE_MOST = 1000 };

/* What a note must be before anything is written. */
static enum err_code check(struct db *db, int64_t person, const char *kind, struct sv text,
                           struct err *err)
{
    int64_t known;
    enum err_code rc = db_one_int(db, "SELECT 1 FROM person WHERE id = ?1",
                                  DB_VALS(db_int(person)), &known, err);
    if (rc == ERR_NOT_FOUND) {
        return err_rule(err, ERR_NOT_FOUND, "no-person", "There is no such person.");
    }
    if (rc != OK) {
        return rc;
    }
    if (text.n == 0 && strcmp(kind, "unblock") != 0) {
        return err_rule(err, ERR_INPUT, "note-empty",
                        strcmp(kind, "block") == 0
                            ? "A block needs a reason; nothing was changed."
                            : "The note is empty; nothing was stored.");
    }
    if (text.n > NOTE_MOST || !sv_utf8(text)) {
        return err_rule(err, ERR_INPUT, "note-text",
                        "A note must be text of at most %d bytes. Nothing was stored.", NOTE_MOST);
    }
    return names_refuse(db, person, text, err);
}

enum err_code notes_add(struct db *db, int64_t person, const char *kind, struct sv text,
                        int64_t account, int64_t now, struct err *err)
{
    bool block = strcmp(kind, "block") == 0, unblock = strcmp(kind, "unblock") == 0;
    BUG_IF(!block && !unblock && strcmp(kind, "note") != 0);
    int64_t id;
    enum err_code rc = check(db, person, kind, sv_trim(text), err);
    if (rc == OK) {
        rc = events_add(db, now, account,
                        block     ? "person.block"
                        : unblock ? "person.unblock"
                                  : "person.note",
                        person, NULL, &id, err);
    }
    if (rc != OK) {
        return rc;
    }
    return db_run(db, "INSERT INTO person_note (id, person, kind, text) VALUES (?1, ?2, ?3, ?4)",
                  DB_VALS(db_int(id), db_int(person), db_str(kind), db_text(sv_trim(text))), err);
}

enum err_code notes_blocked(struct db *db, int64_t person, bool *blocked, struct err *err)
{
    int64_t is = 0;
    enum err_code rc = db_maybe_int(db,
                                    "SELECT kind = 'block' FROM person_note "
                                    "WHERE person = ?1 AND kind <> 'note' ORDER BY id DESC LIMIT 1",
                                    DB_VALS(db_int(person)), &is, err);
    *blocked = rc == OK && is;
    return rc;
}

DB_ROW(note_row, struct note, id, at, kind, text, by);

enum err_code notes_list(struct db *db, int64_t person, struct arena *a, struct note **out,
                         size_t *n, struct err *err)
{
    return db_list(db, note_row, out, n, a,
                   "SELECT n.id, e.at, n.kind, n.text, i.external_id "
                   "FROM person_note n JOIN event e ON e.id = n.id "
                   "LEFT JOIN account c ON c.id = e.account "
                   "LEFT JOIN identity i ON i.person = c.person "
                   "WHERE n.person = ?1 ORDER BY n.id DESC",
                   DB_VALS(db_int(person)), err);
}
