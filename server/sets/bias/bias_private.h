/* bias_private.h - what bias.c (votes), bias_review.c (final reviews) and adjusted.c (with models) share. */
#ifndef SETS_BIAS_BIAS_PRIVATE_H
#define SETS_BIAS_BIAS_PRIVATE_H

#include "base/map.h"
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

/* Revision, images and reviews of "SET" or "SET/NUMBER"; db, t, ask, a and out were set. Closed in any case. */
enum err_code bias_work_open(struct bias_work *w, struct sv name, struct err *err);
void bias_work_close(struct bias_work *w);

struct bias_votes { /* votes as arrays; release them in any case */
    const struct bias_work *w;
    bool again;         /* only images of the set, and originals; people who met none before */
    const int64_t *met; /* sorted */
    size_t n_met;
    struct map_u64 people, left;
    struct bias_vote *votes; /* images by their place in the pool */
    size_t n, cap;
    uint64_t votes_met;
};
/* Those that chose the set; those of campaigns that measured it again (none: w->out->again.n_campaigns is 0). */
enum err_code bias_votes_first(struct bias_work *w, struct bias_votes *k, struct err *err);
enum err_code bias_votes_again(struct bias_work *w, struct bias_votes *k, struct err *err);
void bias_votes_release(struct bias_votes *k);

/* Marks in `images` what the final reviews said; what they removed is in the pool again. */
enum err_code set_bias_reviews(struct bias_work *w, struct err *err);

#endif
