/* flags.h - SQL for flags that people put on images and what leads decide about them.
 * An image is hidden (in quarantine) when the newest decision says so, or when at least `k` different
 * people flagged it since the newest decision "clear" and none decided otherwise. Called by web/,
 * cli/ (planner). */
#ifndef STORE_FLAGS_H
#define STORE_FLAGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"

enum { FLAG_NOTE_MAX = 500, FLAG_KINDS = 5 }; /* bytes of a note or reason */
extern const char *const flag_kinds[FLAG_KINDS]; /* "disturbing", "private", "illegal", ... */

/* The same person and kind again is the same flag: the first note stays. With an event "flag".
 * `assignment` 0: not from a task. ERR_INPUT (rule "flag-kind", "flag-note"). */
enum err_code flags_add(struct db *db, int64_t image, int64_t person, int64_t assignment,
                        struct sv kind, struct sv note, int64_t now, bool *added, struct err *err);
/* `decision`: "quarantine", "clear", "takedown", with an event "image.<decision>". ERR_INPUT (rule
 * "decision", "reason-missing" for a takedown, "flag-note"), ERR_NOT_FOUND (rule "no-image"). */
enum err_code flags_decide(struct db *db, int64_t image, struct sv decision, struct sv reason,
                           int64_t account, int64_t now, struct err *err);

/* Every hidden image: in quarantine by decision or by k flags, or taken down. */
enum err_code flags_hidden(struct db *db, int64_t k,
                           enum err_code (*each)(void *arg, int64_t image, struct err *err),
                           void *arg, struct err *err);
/* The newest flag or decision, 0: none. Two seeks: cheap enough for every commit. */
enum err_code flags_newest(struct db *db, int64_t *out, struct err *err);
/* Every image that was flagged or decided about after event `after`, as it stands now. */
enum err_code flags_changed(struct db *db, int64_t k, int64_t after,
                            enum err_code (*each)(void *arg, int64_t image, bool hidden,
                                                  struct err *err),
                            void *arg, struct err *err);

struct flagged {
    int64_t image, people, newest_at;
    int64_t newest;              /* event of the newest flag (of the decision without any): cursor */
    struct sv name, wnid, kinds; /* kinds joined by "|" */
    struct sv state;             /* "open", "quarantine", "clear", "takedown" */
    struct sv reason;            /* of the newest decision, empty without one */
    bool decided;                /* the state is somebody's decision, not the k flags' */
};
/* Images with flags or decisions, those with the newest flag first; `before` is the cursor, 0 for
 * the first page. `open_only`: without those that are cleared or taken down. */
enum err_code flags_list(struct db *db, int64_t k, int64_t before, bool open_only, size_t most,
                         struct arena *a, struct flagged **out, size_t *n, struct err *err);
/* How one image stands; ERR_NOT_FOUND (rule "no-flag") when nobody said anything about it. */
enum err_code flags_of_image(struct db *db, int64_t k, int64_t image, struct arena *a,
                             struct flagged *out, struct err *err);

/* Images with a flag that no decision came after, unless one keeps the image from everybody already. */
enum err_code flags_waiting(struct db *db, int64_t *out, struct err *err);

struct flag_note {
    int64_t id, at;
    struct sv kind, note, pseudonym;
};
/* What was said about an image, newest first. */
enum err_code flags_notes(struct db *db, int64_t image, size_t most, struct arena *a,
                          struct flag_note **out, size_t *n, struct err *err);

struct flag_given {
    int64_t image, at;
    struct sv kind, note;
};
/* What a person said in one assignment, oldest first; at most one per cell and kind. */
enum err_code flags_of_assignment(struct db *db, int64_t person, int64_t assignment,
                                  struct arena *a, struct flag_given **out, size_t *n,
                                  struct err *err);

#endif
