/* way.h - a reviewer's way through the classes of a revision: in an order of their own, so that two
 * people seldom meet at one class; in a blind round with repeats. */
#ifndef WEB_REVIEW_WAY_H
#define WEB_REVIEW_WAY_H

#include "domain/review/review_round.h"
#include "store/review/progress.h"
#include "store/review/rounds.h"
#include "store/review/shown.h"
#include "store/sets/sets.h"
#include "web/core/app.h"

struct review_way {
    struct revision_row revision;
    struct review_class *classes; /* by wnid */
    size_t n_classes;
    struct review_round round;    /* id 0: nobody began one */
    struct round_turn *turns;     /* class_index is an index into classes */
    bool *done;                   /* of each turn: by this reviewer in a round, by anybody without one */
    size_t n_turns, n_done;
    size_t *place;                /* of a class's two turns: [2 * index], [2 * index + 1] */
    struct review_shown *shown;   /* with marks: who asked for frequencies, of which class */
    size_t n_shown;
};
/* The revision of the address, for whoever asks. `marks`: the classes say what is blacklisted and
 * paired (store/review/progress.h), and who asked for frequencies. */
enum err_code review_way_make(struct ctx *c, bool marks, struct review_way *out);

/* Place of a turn on the way; n_turns when it has none. */
size_t review_way_find(const struct review_way *w, int64_t class_id, bool again);
/* The next turn behind `at` that is not done, from the start again when none is left; n_turns: all
 * are. The second time of a class comes after its first. `at` n_turns: from the start. */
size_t review_way_next(const struct review_way *w, size_t at);
/* Addresses: of a turn, of the review (n_turns). */
const char *review_way_url(struct ctx *c, const struct review_way *w, size_t at);

#endif
