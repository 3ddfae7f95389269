/* predict_part.h - predictions as a part file: what `predict --shard i/n --output PART` writes and
 * `import predictions` reads. JSON lines: a header that says what made them, then an image each. */
#ifndef CLI_MODELS_PREDICT_PART_H
#define CLI_MODELS_PREDICT_PART_H

#include "cli/models/image_part.h"
#include "store/classes/classes.h"
#include "store/models/predictions.h"

struct predict_part {
    struct image_part image;
    const struct class_info *classes; /* by cid */
    size_t n_classes;
    int k;
};
/* As image_part_open of image_part.h; part->image was asked for. */
enum err_code predict_part_open(struct predict_part *part, struct image_run *run, const struct prediction_source *s);
enum err_code predict_part_add(struct predict_part *part, struct db *db, const struct prediction *p, struct err *err);

#endif
