/* score_fold.h - which predictions score a model on a revision, and where the images' labels stand among them: a fold
 * of blocks of predictions over the labels of one revision. Pages, JSON, exports and `holdout score` ask
 * measures/scores/model_scores.h, which keeps these folds; nobody else chooses among the sources of a model.
 *
 * A source is one imported file (of one model) or one way to run a model: same file, recipe and engine. Of a source's
 * records those about images of the revision count here.
 *
 * On a revision that is not frozen the best source of a model scores it, by
 *   1. having all of its images rather than some,
 *   2. what it was imported for: this list of images (by its digest), then no list (runs, files without --set), then
 *      another list,
 *   3. among those that have all images the newer one, else the one that has more, else the newer.
 * Files that lack images complete each other where they rank alike in 2, each image taking the best of them that has
 * it; runs are never mixed. Files imported for other lists count only when they have all images.
 *
 * On a frozen revision an image's answer stays: what scored the revision when it was frozen (revision_pin) scores it.
 * A model that had nothing then is scored by the first source that comes, files for other lists again only when they
 * have all images; those give way to the first file for this list that has all of them, and its import says so. Later
 * records of these sources, and of files that rank alike, only fill in images without an answer. A revision that was frozen before there were pins ('newest') keeps, of the records of that time, the newest
 * about each image.
 *
 * Which source counts does not depend on the labels: a fold by the labels of a label source (measures/core/label_pick.h) has
 * the same answers, ranked by that source's labels. Where several are right, the place is that of the first.
 *
 * A decision (score_decision) names the one source that scores a model on a revision, frozen or not. */
#ifndef MEASURES_SCORE_FOLD_H
#define MEASURES_SCORE_FOLD_H

#include "measures/core/subset.h"
#include "store/models/predictions.h"
#include "store/sets/score_pins.h"
#include "store/sets/sets.h"

enum { NO_RECORD = 255 };
enum score_for { SCORE_FOR_OTHER, SCORE_FOR_ANY, SCORE_FOR_THIS }; /* what a source was imported for */

struct score_source {      /* of a model, with records about the revision */
    int64_t id;
    struct sv name;             /* the imported file, or "run 12" */
    enum score_for made_for;
    bool import, scored, chain; /* chain: its further records fill in what lacks an answer */
    int k;
    uint32_t covered, held;     /* images of the revision that it has; that it scores */
    unsigned char *rank;        /* by position, as model_ranks.rank */
    uint16_t *first;            /* by position: the class of its first answer, PREDICTION_NONE without one */
};
struct fold_labels { /* of a label source, by position */
    int64_t list, view;        /* of the version (store/labels/labels.h) */
    enum label_kind kind;
    enum label_rule rule;
    bool *there, *counts;      /* the source has the image; answers about it are counted */
    bool *several, *disagrees; /* more than one object; the set's label is in another one than the main object */
    uint32_t *first;           /* n + 1: where an image's labels begin in the arrays below */
    uint16_t *cid;
    unsigned char *said;       /* bits */
    bool *own;                 /* of the object that has the set's label */
    size_t n_labels;
};
struct model_ranks {
    int64_t model;
    unsigned char *rank;   /* by position: 1 to k, 0: the label is not among the answers, NO_RECORD */
    uint16_t *holder;      /* by position: index into sources of the record that counts, where rank has one */
    uint32_t of_rank[PREDICTION_K + 1]; /* how many have which, those without a record left out */
    struct score_source *sources;
    size_t n_sources, cap_sources;
    uint32_t seen;         /* images of the revision that any of them has */
    int64_t decided;       /* the source that a decision names; 0: none */
    bool fixed;            /* what holds stays */
    bool borrowed;         /* ... but is of files for other lists */
    int64_t gave_way;      /* the source of which most did, before a file for this list came; 0: none */
    bool dirty;            /* records came since it was chosen what holds */
};
struct revision_scores {
    int64_t revision, after; /* every block up to that one is in */
    const int64_t *only;     /* the models that are folded; n_only 0: all */
    size_t n_only;
    uint64_t looked;         /* when it was last asked for */
    uint64_t version;        /* of what is folded */
    unsigned char digest[SET_DIGEST];
    struct score_pin pin;
    struct score_decision *decisions; /* in force */
    size_t n_decisions;
    struct arena arena;      /* of the decisions and `only` */
    bool pinned;             /* the blocks up to the pin are in, and what holds was chosen */
    uint32_t n;
    uint32_t *image, *class_id;
    uint16_t *cid; /* of class_id; PREDICTION_NONE - 1 where predictions cannot name it */
    struct fold_labels *labels; /* NULL: the set's own */
    bool *sealed;  /* by position: a sealed revision has it, as of the stamp */
    uint32_t n_sealed;
    int64_t stamp; /* seals_stamp */
    struct model_ranks *models;
    size_t n_models, cap_models;
};

/* Labels, pin and decisions of a revision; no block is in yet. `labels`: by which; NULL: the set's own. */
enum err_code score_fold_new(struct db *db, const struct revision_row *r, const struct label_pick *labels,
                             struct revision_scores **out, struct err *err);
/* The same of a few models alone, at least one: what each has on the revision does not depend on the others. */
enum err_code score_fold_some(struct db *db, const struct revision_row *r, const struct label_pick *labels,
                              const int64_t *models, size_t n, struct revision_scores **out, struct err *err);
void score_fold_free(struct revision_scores *r);
/* Folds what came since. When it fails half-way, the next call folds the same again on top. */
enum err_code score_fold_more(struct revision_scores *r, struct db *db, struct err *err);
size_t score_fold_bytes(const struct revision_scores *r);

/* Whether a subset (NULL: all) means the image at the position, and the source of a fold by its labels counts it. */
bool score_fold_means(const struct revision_scores *r, const struct subset *subset, uint32_t at);
/* Whether what models say of the image at the position is counted of a subset (NULL: all), by whose labels the fold is.
 * Images that a sealed revision has never are, but of all images by the set's own labels. */
bool score_fold_counts(const struct revision_scores *r, const struct subset *subset, uint32_t at);
/* The class (cid) that the model says first of the image; PREDICTION_NONE without an answer. */
static inline uint16_t score_fold_first(const struct model_ranks *m, uint32_t at)
{
    return m->rank[at] == NO_RECORD ? PREDICTION_NONE : m->sources[m->holder[at]].first[at];
}

/* A source's labels of the images of a fold, which may be one by the set's own: labels that change with every save are laid over it instead of folding
 * all predictions again. Free with fold_labels_free. */
enum err_code fold_labels_read(const struct revision_scores *r, struct db *db, const struct label_pick *labels,
                               struct fold_labels **out, struct err *err);
void fold_labels_free(struct fold_labels *l); /* NULL is allowed */
/* The bits of an answer about the image at the position. */
static inline unsigned char fold_labels_said(const struct revision_scores *r, const struct fold_labels *l, uint32_t at, uint16_t cid)
{
    unsigned char said = r->cid[at] == cid ? SAID_SET : 0;
    for (uint32_t k = l->first[at]; k < l->first[at + 1]; k++) {
        said |= l->cid[k] == cid ? l->said[k] : 0;
    }
    return said;
}

/* Positions by image, for the time of a pass: images of a set have numbers that lie together. */
enum { NO_POSITION = UINT32_MAX >> 1 };
struct positions {
    uint32_t first, last, *of; /* of[image - first]; NO_POSITION: not in the revision. Free it. */
};
struct positions score_positions(const struct revision_scores *r);
uint32_t score_position(const struct positions *p, uint32_t image);

#endif
