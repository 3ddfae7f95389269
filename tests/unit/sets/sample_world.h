/* sample_world.h - a small study for tests of sets/: classes, candidates and originals with a number of answers that
 * each test chooses. Knows nothing of what is sampled from it. */
#ifndef TESTS_SAMPLE_WORLD_H
#define TESTS_SAMPLE_WORLD_H

#include "live/core/tally.h"
#include "sets/pool/pool.h"
#include "temp_project.h"

struct sample_world {
    struct temp_project *t;
    struct tally *tally;
    int64_t campaign;
    unsigned images;        /* so far: the next is "image-NUMBER" */
};

/* A campaign and no class yet. */
void sample_world_open(struct sample_world *w, struct temp_project *t);
void sample_world_close(struct sample_world *w);
/* Fails the test unless the code is OK. */
void sample_world_need(struct sample_world *w, enum err_code rc);

/* A grid of n new images with the role; the j-th is selected in selected[j] of `answers` answers. */
void sample_world_images(struct sample_world *w, int64_t class_id, const char *role, const unsigned *selected,
                         unsigned n, unsigned answers, int64_t *ids);
/* An event for a decision. */
int64_t sample_world_event(struct sample_world *w);
struct sv sample_world_name(struct sample_world *w, int64_t image);
void sample_world_ban(struct sample_world *w, int64_t image);
void sample_world_pair(struct sample_world *w, struct sv a, struct sv b);
/* Folds what happened and loads. */
void sample_world_pool(struct sample_world *w, const struct pool_ask *ask, struct pool *out);

#endif
