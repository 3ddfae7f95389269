/* search_terms.h - what to search for when a class needs candidates, step by step as the paper did
 * (C.1.1, "we took the following steps to expand our search queries"). Pure rules on texts: knows
 * neither where one searches nor what was found.
 *
 *   synonym       each word of the synset by itself;
 *   parent-word   each followed by a word of a direct hypernym that stands in the class's gloss;
 *   more-results  the same terms, more results;
 *   longer-range  the same, photos of a longer time;
 *   compound      words of several parts written as one ("dialphone" for "dial phone");
 *   by-hand       words that somebody finds, translations too: the last resort.
 * One goes on to the next step only for a class that still needs images. A term stands in the first
 * step that has it; upper and lower case are one. */
#ifndef DOMAIN_SEARCH_TERMS_H
#define DOMAIN_SEARCH_TERMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/sv.h"

enum search_step {
    SEARCH_SYNONYM,
    SEARCH_PARENT_WORD,
    SEARCH_MORE_RESULTS,
    SEARCH_LONGER_RANGE,
    SEARCH_COMPOUND,
    SEARCH_BY_HAND,
    SEARCH_STEPS
};
extern const char *const search_steps[SEARCH_STEPS]; /* "synonym", ... */
enum search_step search_step_of(struct sv word);     /* SEARCH_STEPS for anything else */

struct search_class {
    struct sv synset, gloss;  /* words joined by "|" */
    const struct sv *parents; /* the words of each direct hypernym, joined by "|" */
    size_t n_parents;
};
struct search_term {
    enum search_step step;    /* that brings it: synonym, parent-word or compound */
    struct sv text;
    uint64_t found;           /* 0: filled in by the caller */
};
/* By step, then as the synset and the hypernyms have them. */
void search_terms(const struct search_class *k, struct arena *a, struct search_term **out, size_t *n);

/* What was done for a class, as far as its candidates tell. */
struct search_state {
    const struct search_term *terms;
    size_t n_terms;
    uint64_t candidates;
    bool later;               /* some were taken after the first range */
    uint64_t first_results;   /* images per class that the first searches asked for */
    enum search_step after;   /* steps before this one are done, whatever the candidates tell */
};
/* The step to be run now, if the class needs images: the first that left no trace. */
enum search_step search_due(const struct search_state *s);

/* Candidates that would have to be looked for, if as many of them are good as were so far: missing * candidates /
 * fine, rounded up; without any that is fine, ten times what is missing, which is the paper's estimate. */
uint64_t search_more(uint64_t missing, uint64_t fine, uint64_t candidates);

#endif
