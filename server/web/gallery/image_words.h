/* image_words.h - the words that lists of images know in addresses, and what they are called on pages. */
#ifndef WEB_GALLERY_IMAGE_WORDS_H
#define WEB_GALLERY_IMAGE_WORDS_H

#include "live/images/listing.h"
#include "web/core/lists.h"

extern const struct list_word words_sort[], words_role[], words_bin[], words_gray[], words_state[],
    words_show[], words_blacklist[], words_near[];
/* Of words_bin: not a bin, but those that a sample takes images of. */
enum { BIN_TARGETS = 6 };

/* Whether an order (enum listing_sort) is falling when nobody says which way. */
bool words_falls(int sort);

#endif
