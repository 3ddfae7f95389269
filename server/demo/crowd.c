/* crowd.c - how simulated people see and decide. */
#include "demo/crowd.h"

#include <stdio.h>

#include "base/hash.h"
#include "base/rng.h"

static struct rng rng_of(uint64_t seed, uint64_t a, uint64_t b)
{
    struct rng r;
    rng_seed(&r, hash_u64(seed + 1) ^ hash_u64(a * 2654435761u + 17) ^ hash_u64(b + 40503));
    return r;
}

static enum crowd_habit habit_of(unsigned index)
{
    switch (index) {
    case 4: return CROWD_ALL;
    case 9: return CROWD_RANDOM;
    case 2: return CROWD_HASTY;
    default: return index % 12 == 7 ? CROWD_HASTY : CROWD_CAREFUL;
    }
}

static double between(struct rng *r, double least, double most)
{
    return least + (most - least) * rng_unit(r);
}

struct crowd_member crowd_member(uint64_t seed, unsigned index)
{
    struct rng r = rng_of(seed, index, UINT64_C(1) << 40);
    struct crowd_member m = {.habit = habit_of(index)};
    bool hasty = m.habit == CROWD_HASTY;
    m.recall = hasty ? between(&r, 0.55, 0.7) : between(&r, 0.9, 0.995);
    m.false_ticks = hasty ? between(&r, 0.12, 0.25) : between(&r, 0.01, 0.07);
    m.drawings = hasty ? between(&r, 0.5, 0.8) : between(&r, 0.03, 0.4);
    m.grid_ms = m.habit == CROWD_CAREFUL ? between(&r, 26000, 75000) : between(&r, 6000, 16000);
    return m;
}

void crowd_name(unsigned index, char name[CROWD_NAME])
{
    snprintf(name, CROWD_NAME, "sim-%03u", index + 1);
}

int crowd_index(struct sv name)
{
    int64_t n = 0;
    bool good = sv_starts(name, "sim-") && sv_i64(sv_make(name.p + 4, name.n - 4), &n);
    return good && n > 0 && n < 100000000 ? (int)n - 1 : -1;
}

/* The plainest thing in the image that is easily taken for the class. */
static float likeness(const struct truth_image *im, unsigned class_index)
{
    float most = 0;
    for (unsigned i = world_next(class_index, false); i != class_index; i = world_next(i, false)) {
        most = im->shown[i] > most ? im->shown[i] : most;
    }
    return most;
}

static double tick_chance(const struct crowd_member *m, const struct truth_image *im,
                          unsigned class_index)
{
    if (m->habit == CROWD_ALL || m->habit == CROWD_RANDOM) {
        return m->habit == CROWD_ALL ? 1 : 0.5;
    }
    double there = im ? (double)im->shown[class_index] : 0;
    if (there > 0) {
        return (im->drawing ? m->drawings : m->recall) * (0.45 + 0.55 * there);
    }
    double like = im ? (double)likeness(im, class_index) : 0;
    return m->false_ticks * (0.15 + 1.6 * like) * (im && im->drawing ? 0.5 : 1);
}

struct crowd_answer crowd_answer(uint64_t seed, unsigned index, int64_t grid, unsigned class_index,
                                 const struct truth_image *const *images, unsigned n)
{
    struct crowd_member m = crowd_member(seed, index);
    struct rng r = rng_of(seed, index, (uint64_t)grid);
    struct crowd_answer a = {0, 0};
    double ms = m.grid_ms * n / 48 * between(&r, 0.7, 1.4);
    for (unsigned i = 0; i < n; i++) {
        if (rng_unit(&r) < tick_chance(&m, images[i], class_index)) {
            a.mask |= (uint64_t)1 << i;
            ms += 350;
        }
    }
    a.active_ms = (int64_t)ms;
    return a;
}
