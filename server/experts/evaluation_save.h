/* evaluation_save.h - what somebody says an image of an evaluation is, checked and stored; and what follows once they are
 * through, or the list is closed: their answers are predictions of theirs, so that people are in every table and chart that
 * models are in. In the writer's transaction. */
#ifndef EXPERTS_EVALUATION_SAVE_H
#define EXPERTS_EVALUATION_SAVE_H

#include "experts/evaluation_item.h"

struct evaluation_saving {
    struct evaluation_turn turn;
    int64_t place;
    struct sv wnid;
    int64_t active_ms; /* as active_ms_known takes it */
};
/* The same answer a second time (a double click) is stored once. ERR_CONFLICT (rule "evaluation-closed"), (rule
 * "evaluation-answered") for another answer about the image, (rule "evaluation-turn") for an image that is not their next;
 * ERR_INPUT (rule "evaluation-class") for a class that is not among those to choose from. *through: nothing is left for them, and their
 * answers are predictions. */
enum err_code evaluation_save(struct db *db, const struct evaluation_saving *s, int64_t now, struct arena *a, bool *through,
                              struct err *err);
/* Closes the list for good; whatever people have said by then becomes predictions. Nothing when it is closed. */
enum err_code evaluation_end(struct db *db, const struct evaluation_row *list, int64_t by, int64_t now, struct arena *a, struct err *err);
/* The name of the model whose predictions a person's answers are: "person-" and their pseudonym. */
const char *evaluation_person_name(struct sv pseudonym, struct arena *a);

#endif
