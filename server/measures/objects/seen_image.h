/* seen_image.h - what people see in one image, with all that follows: its labels and objects, how much that depends on who was
 * asked, and every answer with the order in which its labels were shown. */
#ifndef MEASURES_SEEN_IMAGE_H
#define MEASURES_SEEN_IMAGE_H

#include "domain/labels/objects.h"
#include "record/record.h"
#include "store/votes/views.h"

struct seen_label { /* a label that people could tick */
    int64_t class_id;
    struct sv wnid, name;     /* the first word of its synset */
    uint32_t selected, main;  /* answers that tick it; that call it the main one */
    double share, of_object;  /* of the answers; of all selections in its object, NAN without one */
    uint32_t object;          /* if any: its number from 1, the main one first */
    bool in_object, names_object, set_label;
    bool asked;               /* by the task CONTAINS; then: */
    uint32_t found, shown;
    double frequency;
};
struct seen_answer {
    int64_t event;
    struct sv person;         /* pseudonym */
    int64_t at;               /* ms */
    double seconds;           /* active ones; NAN: not known */
    json_t *order, *ticked;   /* names of labels: as they were shown, and those that were ticked in that order */
    struct sv main;           /* empty: none of these */
};
struct seen_facts {
    struct sv image, view, source; /* source: "classify@VIEW/EVENT", a label source that says the same for ever */
    bool there, enough;       /* somebody answered; enough people for objects */
    uint32_t answers, responses, none; /* that count; that tick something; that say none of these */
    uint32_t n, label_objects; /* objects; label_objects: the one that has the set's label, 0: none */
    bool n_tied, main_tied, disagrees; /* disagrees: several objects, and the set's label is in another than the main one */
    struct sv main_label;
    double main_agreement;
    int64_t within_cost, n_optimal;
    bool stable;              /* stability was measured; then: */
    uint32_t kept;            /* answers of each subset */
    int64_t subsets;
    double same_main, same_n, same;
    struct seen_label *labels; /* in candidate order */
    size_t n_labels;
    struct seen_answer *list;  /* in the order of events */
    size_t n_list;
};
extern const struct record seen_facts_record;
enum { SEEN_LEAVE_OUT = 2, SEEN_DRAWS = 200 };
/* In the arena; the JSON of answers is the caller's (seen_facts_release). Of an image about which nobody was asked
 * `there` is false. `people`: with who answered. */
enum err_code seen_facts_make(struct db *db, const struct vote_view *v, int64_t image, bool people, struct arena *a,
                              struct seen_facts *out, struct err *err);
void seen_facts_release(struct seen_facts *f);

#endif
