/* image_words.h - the words that lists of images know in addresses, and what they are called on pages. */
#ifndef WEB_PARTS_IMAGE_WORDS_H
#define WEB_PARTS_IMAGE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "live/images/listing.h"

struct word {
    const char *word, *label;
    int value;
};
extern const struct word words_sort[], words_order[], words_role[], words_bin[], words_gray[],
    words_state[], words_show[], words_blacklist[], words_near[];
extern const size_t words_sort_n, words_order_n, words_role_n, words_bin_n, words_gray_n,
    words_state_n, words_show_n, words_blacklist_n, words_near_n;
/* Of words_bin: not a bin, but those that a sample takes images of. */
enum { BIN_TARGETS = 6 };

/* The word of a value; NULL when there is none. */
const char *words_of(const struct word *words, size_t n, int value);
/* Whether an order is falling when nobody says which way. */
bool words_falls(enum listing_sort sort);

#endif
