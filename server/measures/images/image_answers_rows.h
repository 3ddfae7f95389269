/* image_answers_rows.h - answers of models image by image as rows: the API's record and CSV. */
#ifndef MEASURES_IMAGE_ANSWERS_ROWS_H
#define MEASURES_IMAGE_ANSWERS_ROWS_H

#include "measures/images/image_answers.h"
#include "record/record.h"
#include "store/classes/classes.h"

struct image_answer_row {
    int64_t id;
    struct sv image, wnid, most_said; /* most_said: wnid, empty for none or a class that is not in the project */
    uint32_t right, models, said_by, named;
    double disagreement;
    bool has_file;
};
extern const struct record image_answer_record;
/* Of some images in that order, with their names; in the arena. */
enum err_code image_answer_rows(struct db *db, const struct image_answer *const *list, size_t n, struct arena *a,
                                struct image_answer_row **out, struct err *err);

#endif
