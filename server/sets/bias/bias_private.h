/* bias_private.h - what bias.c (votes) and bias_review.c (final reviews) share. */
#ifndef SETS_BIAS_BIAS_PRIVATE_H
#define SETS_BIAS_BIAS_PRIVATE_H

#include "sets/bias/bias.h"
#include "sets/pool/pool.h"
#include "sets/sampling/sample.h"

struct bias_work {
    struct db *db;
    struct tally *t;
    const struct set_bias_ask *ask;
    struct arena *a;  /* the caller's */
    struct arena own; /* until the end */
    struct set_bias *out;
    struct revision_facts facts;
    struct sample_ask sampled; /* size 0: not known */
    struct revision_image *members;
    size_t n_members;
    struct pool pool;
    uint32_t *at; /* of an image id: its place in the pool and in `images` */
    struct bias_image *images;
    bool *out_of_pool; /* of each: no candidate that could have been chosen */
};

/* Marks in `images` what the final reviews said; what they removed is in the pool again. */
enum err_code set_bias_reviews(struct bias_work *w, struct err *err);

#endif
