/* label_review.h - label review by experts: words of it, and what holds when several people have said something (Shankar
 * et al. 2020). Pure. */
#ifndef DOMAIN_LABEL_REVIEW_H
#define DOMAIN_LABEL_REVIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/sv.h"
#include "domain/labels/labels.h"

enum { LABEL_REVIEWERS = 9, LABEL_REPEATS_MOST = 50, LABEL_COMMENT = 2000, LABEL_ADDED_MOST = 50 };

/* In which order, and if only some images are wanted by what they are chosen. */
enum review_queue { QUEUE_CLASS, QUEUE_DISAGREEMENT, QUEUE_RANDOM, QUEUE_ERRORS, REVIEW_QUEUES };
const char *review_queue_word(enum review_queue q); /* "class", "disagreement", "random", "errors" */
bool review_queue_of(struct sv word, enum review_queue *out);

/* Where a label that is asked about comes from: bits. Of campaigns: people found it in the image when they were asked about it
 * alone (CONTAINS), or ticked it as one of its objects (CLASSIFY). */
enum {
    ORIGIN_SET = 1,
    ORIGIN_MODEL = 2,
    ORIGIN_SOURCE = 4,
    ORIGIN_ADDED = 8,
    ORIGIN_PERSON = 16,
    ORIGIN_SUGGESTED = 32,
    ORIGIN_CONTAINS = 64,
    ORIGIN_CLASSIFY = 128
};

/* Why no label can be right. */
enum problem { PROBLEM_LABEL, PROBLEM_DRAWING, PROBLEM_EDITED, PROBLEM_INAPPROPRIATE, PROBLEM_OTHER, PROBLEMS };
const char *problem_word(enum problem p);  /* "label", ... */
const char *problem_about(enum problem p); /* for people */
bool problem_of(struct sv word, enum problem *out);

enum { LABEL_UNREVIEWED = VERDICTS };
/* What holds of a label: all that people say is equal: that; else unclear. Those who say nothing do not count. An
 * adjudication (LABEL_UNREVIEWED: none) holds whatever they say. LABEL_UNREVIEWED when nobody said anything. */
struct label_resolved {
    unsigned char verdict;
    bool disagree; /* what people say differs, and nobody has adjudicated */
};
struct label_resolved label_resolve(const unsigned char *said, size_t n, unsigned char adjudicated);

/* How far models disagree about an image: 1 minus the share of the answers that the most frequent label has; 0 without
 * answers. */
double label_disagreement(const uint32_t *models, size_t n);

#endif
