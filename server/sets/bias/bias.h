/* bias.h - how much harder a set is than its originals because it was chosen by noisy
 * frequencies: the votes that it was chosen by (measures/votes/matching_bias.h), and those of campaigns that
 * measured it again with other people. The estimate knows what the final reviews removed. Slow
 * steps only: about 1 s for 200,000 candidates with 10 answers. */
#ifndef SETS_BIAS_BIAS_H
#define SETS_BIAS_BIAS_H

#include <jansson.h>

#include "live/core/tally.h"
#include "measures/votes/matching_bias.h"
#include "record/record.h"
#include "store/sets/sets.h"

struct set_bias_ask {
    unsigned groups, threads; /* as bias_input has them */
    uint64_t seed;
    int64_t flags_to_quarantine; /* so many people's flags hide an image; 0: the usual */
    int64_t as_of; /* votes up to this event, where the set was not sampled as of an earlier one; 0: now */
};
struct set_bias_again {   /* campaigns that measure the set again, all together */
    struct sv *campaigns; /* their names */
    size_t n_campaigns;
    struct matching_bias now; /* `raw` alone has a meaning: nothing was chosen by these votes */
    double first_set, first_original; /* what the same images had when the set was chosen */
    uint64_t votes;                   /* counted */
    uint64_t votes_met; /* left out: of people who were shown images of the first campaigns */
    size_t people_met;
};
/* What is known of the final reviews of the revision and of those before it in its tree. An image
 * that is in one of them and on the blacklist now was removed; one whose class is recorded as
 * reviewed there was kept. */
struct set_bias_review {
    bool recorded; /* some class as reviewed */
    bool
        assumed; /* images were removed, but no class is recorded as reviewed: then everything in
                  * earlier revisions, in one that lost images, and in a frozen one was looked at */
    size_t revisions; /* that were read */
};
struct set_bias {
    struct revision_row revision;
    struct sv view;
    int64_t as_of, view_version;
    uint64_t seed; /* that dealt workers out to groups */
    enum sample_strategy strategy; /* SAMPLE_STRATEGIES: the revision does not say */
    bool sampled;                  /* here: else an import, whose history may be missing */
    struct set_bias_review review;
    struct matching_bias first;
    struct set_bias_again again; /* n_campaigns 0: nobody measured it again */
};
/* The figure that leads wherever only one is shown, in the order of what each takes for granted:
 * measured again by other people; for a set that no vote chose, its raw averages; estimated from
 * the votes that chose the set and what the final review removed. */
enum bias_method { BIAS_NONE, BIAS_MEASURED_AGAIN, BIAS_ESTIMATED, BIAS_RAW };
struct bias_leading {
    enum bias_method method;
    const char *words;             /* of the method, for people: "measured again" */
    struct bias_estimate estimate; /* `known` is false for BIAS_NONE */
    bool holds;                    /* else `why_not` says what the estimate does not know */
    const char *why_not;           /* a sentence; NULL when it holds. Both texts are static */
};
struct bias_leading set_bias_leading(const struct set_bias *b);
/* Why nothing is measured with fewer answers, a sentence; NULL when it is. */
const char *set_bias_no_designs(const struct set_bias *b);

/* Of "SET" or "SET/NUMBER"; `t` was folded. Texts in the arena. ERR_NOT_FOUND (rule "set"),
 * ERR_INPUT (rule "bias-original": a set of originals has nothing to be compared with). */
enum err_code set_bias_make(struct db *db, struct tally *t, struct sv name,
                            const struct set_bias_ask *ask, struct arena *a, struct set_bias *out,
                            struct err *err);
/* A bias_leading_record: lo and hi are null without an interval, and value, lo and hi are not there without a figure.
 * New reference. */
json_t *set_bias_leading_json(const struct bias_leading *l);
/* All of it, a bias_record, for scripts. New reference. */
json_t *set_bias_json(const struct set_bias *b);
extern const struct record bias_leading_record, bias_record;

#endif
