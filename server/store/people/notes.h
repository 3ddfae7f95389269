/* notes.h - SQL for what leads write about people: notes and blocks. Append-only; the newest block or unblock holds. */
#ifndef STORE_PEOPLE_NOTES_H
#define STORE_PEOPLE_NOTES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"

/* `kind` is "block", "unblock" or "note". With an event "person.<kind>". */
enum err_code notes_add(struct db *db, int64_t person, const char *kind, struct sv text,
                        int64_t account, int64_t now, struct err *err);
enum err_code notes_blocked(struct db *db, int64_t person, bool *blocked, struct err *err);

struct note {
    int64_t id, at;
    struct sv kind, text, by; /* by: login, or empty for the command line */
};
/* Newest first. */
enum err_code notes_list(struct db *db, int64_t person, struct arena *a, struct note **out,
                         size_t *n, struct err *err);

#endif
