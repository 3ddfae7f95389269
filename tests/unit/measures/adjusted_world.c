/* adjusted_world.c - right answers by true frequency. */
#include "measures/adjusted_world.h"

#include <math.h>

/* Models that are right the more often, the more people select an image. */
double adjusted_world_chance(size_t model, double s)
{
    static const double least[WORLD_MODELS] = {0.1, 0.15, 0.25}, power[WORLD_MODELS] = {2.5, 1.5, 1};
    return least[model] + (0.9 - least[model]) * pow(s, power[model]);
}

/* The gap to find: how much less often on new images, whatever people say. */
double adjusted_world_left(double s)
{
    return 0.03 + 0.03 * (1 - s);
}

void adjusted_world_answer(const struct bias_made *m, struct rng *r, unsigned char *right)
{
    for (size_t model = 0; model < WORLD_MODELS; model++) {
        for (size_t i = 0; i < m->in.n_images; i++) {
            double s = m->truth[i], chance = adjusted_world_chance(model, s) - (m->images[i].original ? 0 : adjusted_world_left(s));
            right[model * m->in.n_images + i] = rng_unit(r) < chance;
        }
    }
}

/* As many fresh votes of each original and image of the set; no others, and no review to account for. */
void adjusted_world_again(struct bias_made *m, const struct bias_world *w, struct rng *r)
{
    m->in.n_votes = 0;
    for (uint32_t i = 0; i < m->in.n_images; i++) {
        m->images[i].review = SPREAD_UNSEEN;
        for (uint32_t v = 0; v < w->answers && (m->images[i].original || m->images[i].in_set); v++) {
            m->votes[m->in.n_votes++] =
                (struct bias_vote){i, (uint32_t)rng_below(r, w->workers), rng_unit(r) < m->truth[i]};
        }
    }
}

struct adjusted_input adjusted_world_input(const struct bias_made *m, const unsigned char *right, uint64_t seed)
{
    return (struct adjusted_input){.images = m->images,
                                   .n_images = m->in.n_images,
                                   .votes = m->votes,
                                   .n_votes = m->in.n_votes,
                                   .n_classes = m->in.n_classes,
                                   .n_workers = m->in.n_workers,
                                   .right = right,
                                   .n_models = WORLD_MODELS,
                                   .groups = WORLD_GROUPS,
                                   .resamples = WORLD_RESAMPLES,
                                   .seed = seed};
}
