/* seen_list.h - what people see in many images, by their answers to CLASSIFY tasks under a vote view: a row for each image, and
 * what follows from all of them. */
#ifndef MEASURES_SEEN_LIST_H
#define MEASURES_SEEN_LIST_H

#include "measures/objects/image_label_rows.h"
#include "measures/objects/summary_rows.h"
#include "store/votes/views.h"

enum { SEEN_TOGETHER = 1, SEEN_CONFUSED = 1 }; /* images of a pair, at least */

struct seen_row { /* classes are database ids */
    uint32_t image, class_id, campaign, main;
    uint32_t answers, responses, none;
    bool enough, n_tied, main_tied;
    uint32_t n, main_count, selected; /* objects; answers with the main label; different labels that were ticked */
    const uint32_t *names;            /* the label of each object, in their order */
    int main_object, label_object;    /* index into names; -1: none */
    int64_t within_cost, n_optimal;
    uint32_t found, shown;            /* CONTAINS about the set's label: filled in by who knows it; shown 0: not asked */
};
struct seen_list { /* in the arena */
    struct seen_row *rows;   /* by image id */
    size_t n;
    int64_t number;          /* of the label source classify@VIEW/NUMBER that says the same for ever */
    uint64_t made;           /* images that were made again so far: what changed alone */
    struct image_list counted; /* those with enough answers */
    struct object_summary_row summary;
    struct together_pair *together;
    struct confused_pair *confused;
    size_t n_together, n_confused;
};
enum err_code seen_list_make(struct db *db, const struct vote_view *v, struct arena *a, struct seen_list *out, struct err *err);

/* Why somebody should look at an image. */
enum seen_show { SEEN_ALL, SEEN_SEVERAL, SEEN_LOW, SEEN_TIES, SEEN_AMBIGUOUS, SEEN_NOT_MAIN, SEEN_FEW };
/* LOW: at most half of the answers agree about the main label. TIES: of the main label, of the number of objects, or of ways to
 * part the labels. AMBIGUOUS: nearly everybody finds the set's label in it (at least 0.8 of the votes), and yet it is not the main
 * one, or tied. NOT_MAIN: the main label is another one. FEW: too few answers. */
bool seen_shows(const struct seen_row *r, enum seen_show show);
/* Whether two of its objects have these labels; whether it is of one class and called by the other. */
bool seen_has_pair(const struct seen_row *r, uint32_t a, uint32_t b);
bool seen_confuses(const struct seen_row *r, uint32_t a, uint32_t b);

/* A row with its names. */
struct seen_named {
    struct sv image, label, main, objects; /* wnids; objects joined by "|" */
    int64_t id;
    struct seen_row row;
    bool enough, asked;
    double agreement, frequency;
    int label_object; /* number of the object from 0, as in struct seen_row */
};
extern const struct record seen_named_record;
/* Names of n rows; `wnid` has the text of each class id. */
enum err_code seen_names(struct db *db, const struct seen_row *const *rows, size_t n, const struct sv *wnid, struct arena *a,
                         struct seen_named **out, struct err *err);
/* By class id: `wnid` or the first word of the synset. */
enum err_code seen_class_texts(struct db *db, struct arena *a, struct sv **wnids, struct sv **names, uint32_t *n, struct err *err);

#endif
