/* text_shares.h - of models whose predictions a mapping made from texts (store/models/texts.h): how many images of a set got an
 * answer that is no class, and why. Those count as wrong everywhere; here is how many they are, so that nobody takes
 * them for confusions, and which texts they were.
 *
 * Only predictions that score the set count (measures/scores/score_fold.h). Images that are also in a sealed revision are left
 * out, one by one and in all counts; a set on which models may not be scored is refused: ERR_DENIED (rule "set-sealed"). */
#ifndef MEASURES_TEXT_SHARES_H
#define MEASURES_TEXT_SHARES_H

#include "measures/scores/model_scores.h"
#include "record/record.h"
#include "stats/binomial.h"
#include "store/models/texts.h"

struct text_share { /* of one model on one set */
    int64_t model, version;
    struct sv name, base, mapping; /* of the model; of the one whose texts these are; of the mapping, and the version that has most images */
    const char *set;               /* SET/NUMBER */
    uint32_t images;               /* with an answer of a mapping that counts */
    uint32_t out_of_list, ambiguous, empty;
    struct proportion out_share, ambiguous_share, empty_share; /* of images; 95 % by Clopper and Pearson */
};
extern const struct record text_share_record; /* JSON and CSV; rows are struct text_share */
/* Of one model (0: of all) that a mapping made, or of all mappings of one model's texts; only with images; by name. */
enum err_code text_shares_on(struct model_scores *s, struct db *db, const struct revision_row *r, int64_t model, struct arena *a,
                             struct text_share **out, size_t *n, struct err *err);
/* "3.1 % (2.8 to 3.4) of 10,000 images out of list, 0.5 % (...) ambiguous, 0.0 % (...) empty". */
const char *text_share_words(const struct text_share *s, struct arena *a);

struct text_unmapped_row { /* a text that stands for no class */
    struct sv text;
    const char *wnid;      /* empty: to be filled in by a person */
    uint32_t images;       /* that got it */
    const char *reason;    /* "out-of-list", "ambiguous", "empty" */
};
extern const struct record text_unmapped_record; /* CSV that `map-texts --csv` reads once wnids are filled in */
/* Of one model that a mapping made, most frequent first, then by text. */
enum err_code text_unmapped_on(struct model_scores *s, struct db *db, const struct revision_row *r, int64_t model, struct arena *a,
                               struct text_unmapped_row **out, size_t *n, struct err *err);

#endif
