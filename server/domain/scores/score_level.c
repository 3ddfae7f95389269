/* score_level.c - the levels. */
#include "domain/scores/score_level.h"

#include <stddef.h>

const struct score_level score_levels[] = {
    {"0.95", "95 %", 0.05, 40, 1000},
    {"0.995", "99.5 %", 0.005, 400, 4000},
    {0},
};

const struct score_level *score_level_named(struct sv word)
{
    for (const struct score_level *l = score_levels; l->word; l++) {
        if (word.n == 0 || sv_is(word, l->word) || sv_is(word, l->word + 1)) {
            return l;
        }
    }
    return NULL;
}
