/* objects.h - what an image shows, from what several people ticked in it: the main label, the number of objects, and
 * which labels name the same object (the CLASSIFY task of Tsipras et al. 2020, section 3.2; rules and tie-breaking as
 * in their published annotations). Pure. */
#ifndef DOMAIN_OBJECTS_H
#define DOMAIN_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/rng.h"
#include "domain/labels/partition.h"

enum {
    OBJECT_LABELS = 64,        /* labels of one image: bits of a response */
    OBJECT_TICKS = PARTITION_LABELS, /* most labels in a response, hence most objects of an image */
    OBJECTS_LEAST = 5,         /* responses, unless another number is asked for */
    OBJECT_NONE = 255
};

/* One person's answer: 1 to OBJECT_TICKS labels. Bits and `main` are positions in the image's candidate order. */
struct object_response {
    uint64_t selected; /* a label for each object that the person sees */
    uint32_t main;     /* the label of the main one, among those selected */
};
struct objects_ask {
    const uint32_t *labels; /* class ids, each once, in candidate order, which decides ties between partitions */
    uint32_t n_labels;      /* at most OBJECT_LABELS; some may be selected by nobody */
    const struct object_response *responses; /* that count, in the order in which they came */
    uint32_t n;
    uint32_t least;         /* fewer responses say nothing */
};

struct object {
    uint64_t labels;     /* bits */
    uint32_t label;      /* position of the most selected one, of several the one with the smallest class id */
    uint32_t selections; /* sum of `selected` over its labels */
    uint32_t main_votes; /* responses whose main label is one of its labels */
};
struct objects_found {
    uint32_t responses;
    bool few;                  /* fewer than `least`; then nothing below is known */
    uint32_t main, main_count; /* position of the label that most call the main one, and how many do */
    bool main_tied;            /* others are called so as often; the one that came first holds */
    uint32_t n;                /* objects: how many labels most responses have */
    bool n_tied;
    uint32_t selected[OBJECT_LABELS];    /* responses that selected the label */
    unsigned char of[OBJECT_LABELS];     /* its object; OBJECT_NONE: of none */
    uint64_t unassigned;       /* selected but of no object: of several objects, those never selected with another */
    bool beyond;               /* among them the least selected ones, where more than PARTITION_LABELS were left */
    struct object object[OBJECT_TICKS];  /* in reverse order of first appearance in candidate order, as published */
    uint32_t main_object;      /* the first of those with most main votes */
    uint64_t within_cost;      /* times that two labels of one object were selected together; 0: all agree */
    uint32_t n_optimal;        /* partitions with that cost; 1: no other */
};
void objects_find(const struct objects_ask *ask, struct objects_found *out);
/* The object with the label of class `id`; -1: it has none, or nobody selected it. */
int objects_of_class(const struct objects_ask *ask, const struct objects_found *found, uint32_t id);
/* Whether `some`, of some of the responses, has as many objects as `all`, and the labels of its objects are together and
 * apart as there; labels that nobody of the some selected are passed over. */
bool objects_same(const struct objects_found *some, const struct objects_found *all);

/* How much depends on who was asked: the same with `keep` of the responses, drawn without replacement. */
struct objects_stability {
    uint64_t subsets;     /* that were looked at */
    bool all;             /* that is all there are; else they were drawn */
    uint64_t same_main;   /* with the same main label */
    uint64_t same_n;      /* with as many objects */
    uint64_t same;        /* with the same objects */
};
/* All subsets when there are at most `draws`, in lexicographic order; else so many drawn by `r`. 1 <= keep <= ask->n <=
 * OBJECTS_STABLE_MOST, unless there are too few responses to know anything: then no subset. */
enum { OBJECTS_STABLE_MOST = 1024 };
void objects_stability(const struct objects_ask *ask, uint32_t keep, uint64_t draws, struct rng *r,
                       struct objects_stability *out);
/* The first `keep` of n responses (NULL for r), or as many drawn by r, in their order, into out[keep]. keep <= n <=
 * OBJECTS_STABLE_MOST. */
void object_responses_some(const struct object_response *all, uint32_t n, uint32_t keep, struct rng *r,
                           struct object_response *out);

#endif
