/* candidates.h - which labels an image could have: potential labels, from what models say of it, and candidates among
 * them, from how often people found each in the image (Tsipras et al. 2020, section 3.1). Shares are compared as whole
 * numbers. Pure. */
#ifndef DOMAIN_CANDIDATES_H
#define DOMAIN_CANDIDATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CANDIDATE_SHARE = 1000,   /* shares are given in thousandths */
    CANDIDATE_TAU = 500,      /* unless others are asked for */
    CANDIDATE_LEAST = 5,
    CANDIDATE_MOST = 6,
    CANDIDATE_LABELS = 1000,  /* most labels that are asked about one image */
    CANDIDATE_PEOPLE = 1000000 /* most people who are asked about one label */
};

/* Of one label: the people who were asked whether it is in the image, and those who said so. */
struct contains_count {
    uint32_t label; /* class id */
    uint32_t selected, shown;
};

enum candidate_stage {
    CANDIDATES_EASY, /* the set's label is the only candidate: nobody has to be asked which it is */
    CANDIDATES_FU,   /* there are several, people choose among them */
    CANDIDATES_MIS,  /* nobody found the set's label in the image */
    CANDIDATES_AMB,  /* too few people were asked to know */
    CANDIDATE_STAGES
};
/* The published words: "easy", "fu", "mis", "amb". */
const char *candidate_stage_word(enum candidate_stage s);
/* A sentence that says why. */
const char *candidate_stage_about(enum candidate_stage s);

struct candidates_ask {
    uint32_t label; /* the set's */
    const struct contains_count *counts; /* each label once; the set's may be missing: nobody was asked */
    size_t n;       /* at most CANDIDATE_LABELS */
    uint32_t tau;   /* thousandths of the frequency of the set's label that a candidate has at least */
    uint32_t least; /* people asked */
    uint32_t most;  /* candidates, at least 1 */
};
struct candidates_found {
    enum candidate_stage stage;
    /* Indices into counts[], the most frequent first, of equal ones the smaller class id; the set's label is one of
     * them, those past `most` are not. None for CANDIDATES_MIS and CANDIDATES_AMB. */
    size_t list[CANDIDATE_LABELS];
    size_t n;
    size_t left_out; /* that would be candidates but for `most` */
};
void candidates_find(const struct candidates_ask *ask, struct candidates_found *out);

/* How many labels are as good as the set's at the share `t`, in thousandths: asked of at least `least` people, and found
 * at least t times as often as the set's label (`relative`), or by t of the people; the set's label always counts. 0: nobody found
 * the set's label, or nobody was asked about it. */
size_t labels_valid(const struct candidates_ask *ask, uint32_t t, bool relative);

/* The set's label and what models say, each once, in order of class id; `out` has room for n + 1. Returns how many. */
size_t potential_labels(uint32_t label, const uint32_t *said, size_t n, uint32_t *out);

#endif
