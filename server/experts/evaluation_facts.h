/* evaluation_facts.h - how far an evaluation is: for its page, the API and the command line. Nothing here says how right
 * anybody is: that is what scores are for (measures/people/). */
#ifndef EXPERTS_EVALUATION_FACTS_H
#define EXPERTS_EVALUATION_FACTS_H

#include "record/record.h"
#include "store/labels/evaluation_people.h"

struct evaluation_person_facts {
    struct evaluation_person_row row;
    struct sv model;     /* the name of the predictions that their answers are or become */
    const char *state;   /* "not begun", "at work", "through", "taken off" */
    int64_t left;        /* images that they have not answered and that are not passed over */
    double seconds;      /* of an answer, mean; NAN: none was timed */
};
struct evaluation_facts {
    struct evaluation_row row;
    const char *models;  /* by whose answers the hardest were chosen, with commas */
    int64_t classes;     /* to choose among; 0: all of the project */
    int64_t through;     /* people who are */
    struct evaluation_set_row *sets;
    size_t n_sets;
    struct evaluation_person_facts *people;
    size_t n_people;
    struct evaluation_guest *guests;
    size_t n_guests;
};
/* An account of an expert or above that could join an open list. */
struct evaluation_guest {
    int64_t account, seen; /* seen: images of the list whose photo they were shown, or will be by another evaluation; above 0: they cannot */
    int64_t near;          /* of these, images that they were not shown themselves */
    struct sv login, role;
    bool may;
};
extern const struct record evaluation_record, evaluation_facts_record, evaluation_person_record;
/* Everything but guests. In the arena. Leads alone may see it. */
enum err_code evaluation_facts_read(struct db *db, const struct evaluation_row *r, struct arena *a, struct evaluation_facts *out,
                                    struct err *err);
/* Guests too: all who are not in an open list, by login. */
enum err_code evaluation_facts_all(struct db *db, const struct evaluation_row *r, struct arena *a, struct evaluation_facts *out,
                                   struct err *err);

/* An answer as exports have it: of people whose answers are predictions. */
struct evaluation_said {
    struct sv image, set, person, wnid; /* person: the model's name */
    int64_t cid, active_ms, at;
};
extern const struct record evaluation_said_record;
/* By person and image. In the arena. *sealed: answers that are left out because a sealed revision has their image. */
enum err_code evaluation_said_list(struct db *db, const struct evaluation_row *r, struct arena *a, struct evaluation_said **out, size_t *n,
                                   int64_t *sealed, struct err *err);

#endif
