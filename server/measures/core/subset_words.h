/* subset_words.h - what each word of a subset means; of subset.c alone. */
#ifndef MEASURES_SUBSET_WORDS_H
#define MEASURES_SUBSET_WORDS_H

#include "measures/core/subset.h"

enum { SUBSET_PARTS_MOST = 16 };

struct subset_ask {
    struct db *db;
    const struct subset_when *when; /* not NULL */
    struct arena *a;
    struct err *err;
    struct subset *out;             /* with room for SUBSET_PARTS_MOST parts */
};
/* A word's parts are appended to ask->out; *word: with the numbers that it means, *label: for people. */
enum err_code subset_word(const struct subset_ask *ask, struct sv name, const char **word, const char **label);

/* Of two ids, for arrays of them. */
int subset_by_id(const void *a, const void *b);

#endif
