/* potential_file.h - further potential labels of images, from CSV: image,wnid and, if it is there, source. */
#ifndef TRANSFER_IMPORTS_POTENTIAL_FILE_H
#define TRANSFER_IMPORTS_POTENTIAL_FILE_H

#include "sets/labels/potential.h"
#include "transfer/core/transfer.h"

/* *out in order of image and class, in the arena. ERR_INPUT "FILE:LINE: ..." for every bad row: an image that is not among
 * `images`, an unknown wnid, a pair twice, a source that is too long. */
enum err_code potential_file_read(struct transfer *tr, const char *path, const struct potential_image *images, size_t n_images,
                                  struct potential_named **out, size_t *n);

#endif
