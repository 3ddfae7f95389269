/* flags.h - SQL for flags that people put on images and what leads decide about them.
 * An image is hidden (in quarantine) when the newest decision says so, or when the flags of at least
 * `flags_to_quarantine` different people count since the newest decision "clear" and none decided otherwise. A flag
 * counts when its person answered a grid, then or later, or is on the campaign's list of
 * participants, is not blocked, and has not spent the images that one person may have hidden; not
 * while it is dismissed (flag_dismissals.h). */
#ifndef STORE_WORK_FLAGS_H
#define STORE_WORK_FLAGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"

enum { FLAG_NOTE_MAX = 500, FLAG_KINDS = 5 }; /* bytes of a note or reason */
extern const char *const flag_kinds[FLAG_KINDS]; /* "disturbing", "private", "illegal", ... */

struct flag_new {
    int64_t image, person;
    int64_t assignment;   /* 0: not from a task; then it counts without an answer */
    struct sv kind, note;
    int64_t most;         /* images of one person that count, besides those that a lead agreed about */
};
/* The same person and kind again is the same flag: the first note stays. With an event "flag".
 * ERR_INPUT (rule "flag-kind", "flag-note"). */
enum err_code flags_add(struct db *db, const struct flag_new *f, int64_t now, bool *added,
                        struct err *err);
/* The person has just answered (event `answer`): from now on what they flagged before counts, at most
 * `most` images of it. One seek for who never flagged anything. */
enum err_code flags_answered(struct db *db, int64_t person, int64_t assignment, int64_t answer,
                             int64_t most, struct err *err);
/* `decision`: "quarantine", "clear", "takedown", with an event "image.<decision>". ERR_INPUT (rule
 * "decision", "reason-missing" for a takedown, "flag-note"), ERR_NOT_FOUND (rule "no-image"). */
enum err_code flags_decide(struct db *db, int64_t image, struct sv decision, struct sv reason,
                           int64_t account, int64_t now, struct err *err);

/* Every hidden image: in quarantine by decision or by enough people's flags, or taken down. */
enum err_code flags_hidden(struct db *db, int64_t flags_to_quarantine,
                           enum err_code (*each)(void *arg, int64_t image, struct err *err),
                           void *arg, struct err *err);
/* Images that somebody flagged or decided about up to event `as_of`, and whether they were hidden then;
 * by id. */
enum err_code flags_as_of(struct db *db, int64_t flags_to_quarantine, int64_t as_of,
                          enum err_code (*each)(void *arg, int64_t image, bool hidden, struct err *err),
                          void *arg, struct err *err);
/* The newest event that changed how an image stands, 0: none. Four seeks: cheap enough for every
 * commit. */
enum err_code flags_newest(struct db *db, int64_t *out, struct err *err);
enum flag_state { FLAG_OPEN, FLAG_QUARANTINE, FLAG_CLEAR, FLAG_TAKEDOWN, FLAG_STATES };
struct flag_standing {
    enum flag_state state;
    bool hidden; /* in quarantine or taken down */
    bool waits;  /* flagged, nobody dismissed that, and no decision came after or keeps it from everybody */
    int64_t people; /* who ever flagged it */
    int64_t newest; /* event of the newest flag, of the decision without any */
};
/* Every image whose flags or decisions changed after event `after`, as it stands now. */
enum err_code flags_changed(struct db *db, int64_t flags_to_quarantine, int64_t after,
                            enum err_code (*each)(void *arg, int64_t image,
                                                  const struct flag_standing *s, struct err *err),
                            void *arg, struct err *err);

struct flagged {
    int64_t image, people, newest_at;
    struct sv name, wnid, kinds; /* kinds joined by "|" */
    struct sv state;             /* "open", "quarantine", "clear", "takedown" */
    struct sv reason;            /* of the newest decision, empty without one */
    bool decided;                /* the state is somebody's decision, not the flags' */
};
/* How one image stands; ERR_NOT_FOUND (rule "no-flag") when nobody said anything about it. */
enum err_code flags_of_image(struct db *db, int64_t flags_to_quarantine, int64_t image, struct arena *a,
                             struct flagged *out, struct err *err);

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
