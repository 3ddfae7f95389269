/* training_facts.h - training lists for pages, the API and the command line, with their records. */
#ifndef EXPERTS_TRAINING_FACTS_H
#define EXPERTS_TRAINING_FACTS_H

#include "experts/training_stand.h"
#include "record/record.h"

struct training_person {
    struct training_person_row row;
    struct training_progress progress;
};
struct training_facts {
    struct training_list_row list;
    struct training_progress own;   /* of who asks */
    struct training_person *people; /* leads alone may see them */
    size_t n_people;
    struct training_need_row *needs; /* work that needs its group */
    size_t n_needs;
};
/* training_facts_record: with people. */
extern const struct record training_list_record, training_person_record, training_facts_record;

/* One list, for an account; in the arena. Without people and needs. */
enum err_code training_facts_read(struct db *db, const struct training_list_row *l, int64_t account, struct arena *a,
                                  struct training_facts *out, struct err *err);
/* Adds people and needs. */
enum err_code training_facts_people(struct db *db, struct arena *a, struct training_facts *f, struct err *err);

#endif
