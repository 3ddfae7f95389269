/* training_file.h - images of a training list as CSV, from a file or a form: image, and wnid where it is another class than
 * the one that the image was collected for. */
#ifndef TRANSFER_TRAINING_FILE_H
#define TRANSFER_TRAINING_FILE_H

#include "store/labels/training_lists.h"

/* In the arena. ERR_INPUT (rule "training-file") with NAME:LINE for the first row that is wrong: an image that is unknown or
 * listed twice, an unknown class, a candidate without a wnid. */
enum err_code training_file_read(struct db *db, const char *name, struct sv text, struct arena *a, struct training_item **out,
                                 size_t *n, struct err *err);

#endif
