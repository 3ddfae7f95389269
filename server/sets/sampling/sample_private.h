/* sample_private.h - what sample_write.c and sample_replay.c share. */
#ifndef SETS_SAMPLING_SAMPLE_PRIVATE_H
#define SETS_SAMPLING_SAMPLE_PRIVATE_H

#include "sets/sampling/sample.h"

/* The draw, and the same as images of a revision, in the set's order; in the arena. */
void sample_draw_images(const struct sample_job *job, struct arena *a, struct sample_pick **picks,
                        struct revision_image **images, size_t *n);

/* What the parent had that was not picked, and what differs from how it was sampled; in the arena. */
enum err_code sample_beside_parent(struct db *db, const struct sample_job *job,
                                   const struct sample_pick *picks, size_t n, struct arena *a,
                                   struct sample_against *out, struct err *err);

#endif
