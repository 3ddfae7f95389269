/* review_files.h - `holdout multilabel` without a project: reviews of predictions, images and predictions as files. */
#ifndef CLI_OBJECTS_REVIEW_FILES_H
#define CLI_OBJECTS_REVIEW_FILES_H

#include "cli/core/cli.h"

/* Reads --images (CSV image, label, and any of stage, dataset, in_review_pool), --reviews (image, class, state, with stage
 * if the images have one) and --predictions (image and a column of class numbers for each model). Prints, for each stage, what every model's
 * answers are, as CSV; of a stage of which not all images are in the review pool, those alone that are. --queue: instead
 * the different predictions of each image, by how many models say so, with their state. --summary: what the files have,
 * as JSON. ERR_INPUT "FILE:LINE: ..." for a wrong row. */
enum err_code review_files_print(struct cli *cli);

#endif
