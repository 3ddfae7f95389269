/* near_verdicts.h - SQL for the duplicate review: what reviewers say of a candidate and its neighbours. One save is a look:
 * what was shown, and a verdict of each pair that was judged. Nothing is overwritten: the newest verdict of a pair holds,
 * who saves names the version that they have seen, and undo is another look. "Duplicate" also records the pair
 * (near_pairs.h). Knows nothing of distances; what is left to review says near_review.h. */
#ifndef STORE_DUPLICATES_NEAR_VERDICTS_H
#define STORE_DUPLICATES_NEAR_VERDICTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"

enum near_say {
    NEAR_SAY_DUPLICATE,
    NEAR_SAY_NOT,
    NEAR_SAY_UNSURE, /* it waits for somebody else */
    NEAR_SAY_OPEN,   /* taken back */
    NEAR_SAYS
};
/* Of "duplicate", "not" or "unsure"; NEAR_SAY_OPEN for any other word. */
enum near_say near_say_of(struct sv word);

struct near_said {
    struct sv neighbor; /* a name */
    enum near_say say;
};
struct near_look {
    struct sv name;     /* the candidate */
    const struct near_said *said;
    size_t n;           /* at most NEAR_LOOK_MOST */
    struct sv shown;    /* JSON list of the names of neighbours that were on the page */
    int64_t seen;       /* the candidate's version as the page showed it */
    int64_t repeats;    /* this look was shown once more, its verdicts only say whether people agree; 0: none */
};
enum {
    NEAR_LOOK_MOST = 1000,  /* more than all metrics find for one candidate */
    NEAR_REPEAT_EVERY = 20  /* looks of a reviewer, then one is shown again */
};

/* The version of a candidate: the newest verdict about a pair of it; 0: none. */
enum err_code near_verdicts_version(struct db *db, struct sv name, int64_t *out, struct err *err);
/* Whether the newest verdict of a pair is the account's own "unsure": the pair waits for somebody else. */
enum err_code near_verdicts_passed_on(struct db *db, struct sv name, int64_t neighbor, int64_t account, bool *out,
                                      struct err *err);
/* Inside the caller's transaction; *id is the look. With an event "near-duplicates.reviewed". ERR_CONFLICT (rule
 * "near-changed") when somebody judged a pair of the candidate since `seen`; ERR_INPUT (rule "near-verdict") without a
 * verdict, or with too many. A repeat has the event "near-duplicates.repeated" and changes nothing else; ERR_CONFLICT
 * (rule "near-repeated") when the account repeated that look already. */
enum err_code near_verdicts_write(struct db *db, const struct near_look *look, int64_t account, int64_t now, int64_t *id,
                                  struct err *err);
struct near_due {
    int64_t look;
    struct sv name; /* its candidate */
};
/* Looks that may be shown to the account again now, the first of them unless its pairs can no longer be shown; in the arena,
 * none when none is due. Looks of their own and of others take turns. */
enum err_code near_verdicts_due(struct db *db, int64_t account, struct arena *a, struct near_due **out, size_t *n,
                                struct err *err);
/* The candidate of a look that may be shown again, and its neighbours that were judged, in the arena; ERR_NOT_FOUND (rule
 * "near-look") for another number. */
enum err_code near_verdicts_look(struct db *db, int64_t look, struct arena *a, struct sv *name, struct sv **neighbors,
                                 size_t *n, struct err *err);
/* What was said of each pair that was shown again: at first, and then. */
enum err_code near_verdicts_repeated(struct db *db,
                                     enum err_code (*each)(void *arg, bool same_person, enum near_say first,
                                                           enum near_say then, struct err *err),
                                     void *arg, struct err *err);
/* Inside the caller's transaction: every pair of that look is as it was before, with an event "near-duplicates.undone".
 * *name: the candidate, in the arena. ERR_NOT_FOUND (rule "near-look"); ERR_CONFLICT (rule "near-undone") when it was
 * undone already, or somebody judged one of its pairs later. */
enum err_code near_verdicts_undo(struct db *db, int64_t look, int64_t account, int64_t now, struct arena *a,
                                 struct sv *name, struct err *err);

#endif
