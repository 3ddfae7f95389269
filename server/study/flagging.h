/* flagging.h - flags: a worker says what is wrong with photos of a grid; a lead decides about an image, or
 * sets many flags aside and puts them back, and what is left to decide. What is hidden then is
 * quarantine.h's. */
#ifndef STUDY_FLAGGING_H
#define STUDY_FLAGGING_H

#include "store/work/flag_dismissals.h"
#include "store/work/flags.h"
#include "study/flow.h"

struct flagging {
    uint64_t shown;             /* bit i: the photo at shown position i */
    struct sv kind, note;
};
/* Stores what a worker says about photos of a grid; *stored: how many flags are new, the same again
 * changes nothing. Write steps only. ERR_INPUT (rule "position" for a photo that the grid has not, and
 * those of flags_add). */
enum err_code flag_photos(const struct study *study, const struct assignment *as,
                          const struct flagging *f, int *stored);

struct flag_decision {
    int64_t image, account;
    struct sv decision, reason; /* as flags_decide has them */
    struct sv seen;             /* the state that was decided about; empty: whichever it is */
};
struct flag_decided {
    struct flagged was; /* how the image stood before; "open" when nobody had flagged it */
    /* Deciding as it was before takes the decision back. An image that nobody had decided about and that was
     * in sight cannot become undecided again; one that is taken down stays that. */
    bool can_go_back;
};
/* Errors of flags_decide, and ERR_CONFLICT (rule "flag-changed") when the image is not in the state that was seen,
 * unless the decision is what it is in by now. Write steps only. */
enum err_code flag_decide(const struct study *study, const struct flag_decision *d,
                          struct flag_decided *out);

/* Flagged images, a page of them. */
enum { FLAG_QUEUE_KEPT = 20 };
struct flag_queue_ask {
    unsigned states;   /* bits of enum flag_state */
    enum quarantine_sort sort;
    size_t skip, most; /* of those in these states */
    /* Images decided about on this page a moment ago, which keep their places on it: the first FLAG_QUEUE_KEPT. */
    const int64_t *kept;
    size_t n_kept;
};
/* In the arena. */
enum err_code flag_queue_read(const struct study *study, const struct flag_queue_ask *ask,
                              struct flagged **out, size_t *n);

/* Of the flags that wait for a decision, what to look at first. */
struct flag_person {
    struct flag_sum sum;
    struct sv pseudonym;
};
struct flag_waiting { /* in the arena */
    struct flag_sum *surges;    /* work.flags_surge flags within an hour; the newest first */
    struct flag_person *people; /* who flagged more than one image, the most first */
    size_t n_surges, n_people;
};
enum err_code flag_waiting_read(const struct study *study, struct flag_waiting *out);

/* Setting aside, or putting back, in slices of FLAGS_A_SLICE: each a step of a writer, so that no answer
 * waits for a thousand flags. */
struct flag_aside {
    struct flag_dismissing before, now; /* begin with `before`; `now` is how far it went */
    int64_t account;
    bool restore;
};
/* All flags of a person by pseudonym, or those of events `first` to `last`. ERR_NOT_FOUND (rule "no-person"),
 * ERR_INPUT (rule "flags-which"). */
enum err_code flag_aside_which(const struct study *study, struct sv person, struct sv first,
                               struct sv last, struct flag_aside *out);
/* What was set aside under that number, to put it back. ERR_NOT_FOUND (rule "no-action"). */
enum err_code flag_aside_back(const struct study *study, struct sv action, struct flag_aside *out);
/* May run twice: begins where the slice before ended. */
enum err_code flag_aside_slice(struct db *db, struct flag_aside *o, int64_t now, struct err *err);
/* Once the slice is committed: whether there is another one, which begins behind it. */
bool flag_aside_more(struct flag_aside *o);

#endif
