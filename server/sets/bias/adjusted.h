/* adjusted.h - the gap of models on a pair of sets when new images count by their true selection frequency
 * (measures/votes/adjusted_gap.h): by the votes that chose the set and what its reviews removed, and by those of campaigns that
 * measured it again, which then leads. Slow steps only: some seconds for 67 models and 200,000 candidates. */
#ifndef SETS_BIAS_ADJUSTED_H
#define SETS_BIAS_ADJUSTED_H

#include <jansson.h>

#include "live/core/tally.h"
#include "measures/votes/adjusted_gap.h"
#include "measures/scores/model_scores.h"
#include "record/record.h"

struct set_adjusted_ask {
    struct sv original, fresh; /* "SET" or "SET/NUMBER" */
    int top;                   /* 1 or 5 */
    struct sv models;          /* names with commas between them; empty: all */
    /* Which images of each side count, and by which labels answers about them are right; NULL: all, the set's. Candidates
     * and other images of the new set still say how true frequencies are spread. */
    const struct subset *part, *fresh_part;
    unsigned groups, threads, resamples;
    uint64_t seed;
    int64_t flags_to_quarantine;
    int64_t as_of;             /* as set_bias_ask has it */
};
struct set_adjusted_model {
    struct sv name;
    const char *left_out; /* why its figures are not known; NULL: they are */
};
struct set_adjusted {
    struct revision_row original, fresh;
    struct sv view;
    int64_t view_version, as_of;
    int top;
    uint64_t seed;
    struct set_adjusted_model *models; /* that count, in the order of the lines; then those left out */
    size_t n_models, n_left_out;
    struct sv subset, labels, new_labels; /* words of the parts; empty: all images, the set's own labels */
    size_t sealed; /* images of either set that a sealed revision has: none of them counts */
    struct adjusted_gap first, again;
    struct sv *campaigns; /* that measured the set again */
    size_t n_campaigns;
    bool known_selection; /* the revision says how it was sampled, or no vote chose it */
};
/* In the arena; `t` was folded. ERR_NOT_FOUND (rules "set", "model"), ERR_DENIED (rule "set-sealed"), ERR_INPUT (rules
 * "bias-original": the new set is one of originals; "labels-missing"). */
enum err_code set_adjusted_make(struct db *db, struct tally *t, struct model_scores *s, const struct set_adjusted_ask *ask,
                                struct arena *a, struct set_adjusted *out, struct err *err);
/* The one that leads: measured again where that says anything. */
const struct adjusted_gap *set_adjusted_leading(const struct set_adjusted *s);
/* How the leading one was made: "measured again", "by the votes that chose the set". */
const char *set_adjusted_how(const struct set_adjusted *s);
/* Why there is no figure, or what it does not know; a sentence; NULL: neither. */
const char *set_adjusted_why(const struct set_adjusted *s);

/* All of it for scripts, shares in percent points. New reference. */
json_t *set_adjusted_json(const struct set_adjusted *s, struct arena *a);
extern const struct record adjusted_record;

#endif
