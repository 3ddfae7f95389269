/* picks.h - SQL for images that are chosen by hand for sets without votes (CIFAR-10.1): one person
 * picks, keyword by keyword, another prunes. Rows are only added: what holds for a name is its
 * newest. Texts are in the caller's arena, or borrowed for the call of a callback. */
#ifndef STORE_SETS_PICKS_H
#define STORE_SETS_PICKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"

enum pick_stage { PICK_OPEN, PICK_PICKED, PICK_PRUNED, PICK_STAGES };
extern const char *const pick_stages[PICK_STAGES]; /* "open", "picked", "pruned" */
enum pick_stage pick_stage_of(struct sv word);     /* PICK_STAGES for anything else */

enum { PICK_NOTE_MOST = 500 };

struct pick_row {
    struct sv name, note;
    enum pick_stage stage;
    int64_t event, at, account;
};
/* Whether the account (0: nobody is named) may say what the row says: name, stage and note. *holds: that is what
 * was last said about the name. ERR_INPUT (rule "pick-note"). A pick is pruned by another person, whatever their role
 * and whatever was said in between: ERR_CONFLICT for a name that the account's person ever picked (rule "pick-own"),
 * and without an account for one that any account picked (rule "pick-nobody"). Imported picks name nobody. */
enum err_code picks_check(struct db *db, const struct pick_row *row, int64_t account, bool *holds, struct err *err);
/* What somebody says in one go: name, stage and note of each row. Inside the caller's transaction; rows that hold
 * already are not written, and without any other there is no event either (*changed 0). `kind` is "picks.make" or
 * "picks.import", class_id 0: of no one class. As picks_check; ERR_INPUT (rule "pick-twice"). */
enum { PICKS_AT_ONCE = 500 };
enum err_code picks_write(struct db *db, const struct pick_row *rows, size_t n, const char *kind, int64_t class_id,
                          int64_t account, int64_t now, size_t *changed, struct err *err);
/* What holds for every name that somebody spoke about, as of an event (0: now), by name. */
enum err_code picks_each(struct db *db, int64_t as_of,
                         enum err_code (*each)(void *arg, const struct pick_row *p, struct err *err), void *arg,
                         struct err *err);
/* Everything that was said about a name, oldest first. */
enum err_code picks_history(struct db *db, struct sv name, struct arena *a, struct pick_row **out, size_t *n,
                            struct err *err);

/* ---- what people who pick look at ---- */

struct pick_image {
    int64_t id, at;          /* at: when it was picked or pruned, 0: never */
    struct sv name, taken_at, author, note, login; /* login: who did, empty: an import */
    enum pick_stage stage;
    int64_t account;
    bool has_pixels, banned;
};
struct pick_ask {
    int64_t class_id;
    struct sv keyword;       /* "": those without one */
    bool originals;          /* else the candidates */
    enum pick_stage stage;   /* candidates; PICK_STAGES: any */
    int64_t after;           /* id */
    size_t most;
};
/* By id. */
enum err_code pick_images(struct db *db, const struct pick_ask *ask, struct arena *a, struct pick_image **out,
                          size_t *n, struct err *err);

#endif
