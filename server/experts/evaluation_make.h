/* evaluation_make.h - an evaluation made: which images of one or two sets people classify as models do (Shankar et al. 2020,
 * section 3.3; Recht et al. 2019, appendix B.2.5). Nobody in it has seen the photo of an image of it anywhere
 * (store/core/photos.h), no two of its images show the same one, and none that is open shows one of a sealed revision. A sealed
 * set may be evaluated: only the hardest images cannot be asked for then, since models choose them. */
#ifndef EXPERTS_EVALUATION_MAKE_H
#define EXPERTS_EVALUATION_MAKE_H

#include "base/arena.h"
#include "db/db.h"
#include "domain/evaluation/evaluation.h"

struct evaluation_ask {
    struct sv name, sets[EVALUATION_SIDES]; /* originals, new: SET[/NUMBER]; one of them may be empty */
    struct sv models;   /* by whose answers the hardest are chosen, with commas; empty: all but people */
    struct sv classes;  /* wnids with commas: only images whose label is one of them or below it; empty: all */
    struct sv people;   /* logins with commas: whose work it is */
    enum evaluation_by by;
    int64_t images;     /* of each set; 0: one of each class, of the hardest 5 % of the set */
    bool among;         /* people choose among the classes of the list's images, at most EVALUATION_AMONG, not all of the project's */
    bool dry;           /* choose, but write nothing */
    int64_t seed, account, flags; /* flags: of so many people hide an image */
};
struct evaluation_side {
    int64_t images, seen, most_right; /* seen: left out because somebody had seen them; most_right -1: not by models */
    int64_t near;    /* of seen, images of which somebody had only seen near-duplicates */
    int64_t sealed;  /* left out: near-duplicates of images of sealed revisions */
    int64_t without; /* left out: no pixels, hidden, the photo of another image of the two sets, or not predicted by all models */
};
struct evaluation_made {
    int64_t id, images, classes, models; /* classes: to choose among, 0: all */
    struct evaluation_side side[EVALUATION_SIDES];
    size_t people;
};
/* With a project that is open for writing; `alone`: no server runs (db/bulk.h). Errors of the name, the sets, models and
 * classes; ERR_INPUT (rules "evaluation-size", "evaluation-people"), ERR_DENIED (rule "set-sealed"). When too few images are
 * left that nobody has seen, the message says of whom. */
enum err_code evaluation_make(struct db *db, bool alone, const struct evaluation_ask *ask, int64_t now, struct arena *a,
                              struct evaluation_made *out, struct err *err);

#endif
