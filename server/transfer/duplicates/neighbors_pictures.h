/* neighbors_pictures.h - training images are imported without pictures to show; those that a search found close to a
 * candidate get theirs, so that reviewers see them. */
#ifndef TRANSFER_DUPLICATES_NEIGHBORS_PICTURES_H
#define TRANSFER_DUPLICATES_NEIGHBORS_PICTURES_H

#include "image/rendition.h"
#include "transfer/core/transfer.h"

/* Does nothing for those that have them. What cannot be read is named, and has none. */
enum err_code neighbors_pictures(struct transfer *tr, const struct rendition_options *options, unsigned threads);

#endif
