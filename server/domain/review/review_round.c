/* review_round.c - the order of a blind round of review and what it mixes in. */
#include "domain/review/review_round.h"

#include "base/rng.h"

/* One stream for each purpose, so that what one draws says nothing of another. */
enum purpose { FOR_ORDER = 1, FOR_CHOICE, FOR_PLACES };

static void seed_for(struct rng *r, uint64_t seed, enum purpose purpose, uint64_t who, bool again)
{
    struct rng mix;
    rng_seed(&mix, seed);
    rng_seed(&mix, rng_u64(&mix) ^ ((uint64_t)purpose << 1 | again));
    rng_seed(r, rng_u64(&mix) ^ who);
}

static uint32_t *counting(struct arena *a, size_t n)
{
    uint32_t *list = arena_alloc(a, (n + 1) * sizeof *list);
    for (size_t i = 0; i < n; i++) {
        list[i] = (uint32_t)i;
    }
    return list;
}

/* Rounded up, so that a few classes have a repeat too. The last class of the order has none:
 * nothing would stand between. */
static uint32_t count_repeats(uint32_t n_classes, unsigned percent)
{
    uint64_t wanted = ((uint64_t)n_classes * percent + 99) / 100;
    return n_classes < 2 ? 0 : wanted < n_classes ? (uint32_t)wanted : n_classes - 1;
}

void round_order(uint64_t seed, int64_t account, uint32_t n_classes, unsigned percent,
                 struct arena *a, struct round_turn **out, size_t *n)
{
    struct rng r;
    uint32_t repeats = count_repeats(n_classes, percent);
    seed_for(&r, seed, FOR_ORDER, (uint64_t)account, false);
    uint32_t *order = counting(a, n_classes), *chosen = counting(a, n_classes ? n_classes - 1 : 0);
    rng_shuffle_u32(&r, order, n_classes);
    rng_shuffle_u32(&r, chosen, n_classes ? n_classes - 1 : 0);
    /* The class at place chosen[i] comes again behind place[i], which is a later one. */
    uint32_t *first = arena_calloc(a, n_classes + 1, sizeof *first);
    uint32_t *next = arena_calloc(a, repeats + 1, sizeof *next);
    for (uint32_t i = 0; i < repeats; i++) {
        uint32_t behind = chosen[i] + 1 + (uint32_t)rng_below(&r, n_classes - 1 - chosen[i]);
        next[i] = first[behind]; /* lists of indices + 1; 0 ends one */
        first[behind] = i + 1;
    }
    struct round_turn *turns = arena_alloc(a, (n_classes + repeats + 1) * sizeof *turns);
    *n = 0;
    for (uint32_t i = 0; i < n_classes; i++) {
        turns[(*n)++] = (struct round_turn){order[i], false};
        for (uint32_t k = first[i]; k; k = next[k - 1]) {
            turns[(*n)++] = (struct round_turn){order[chosen[k - 1]], true};
        }
    }
    *out = turns;
}

/* As many that they are `percent` of all, to the nearest. */
static uint32_t count_originals(uint32_t n, uint32_t n_originals, unsigned percent)
{
    if (percent == 0 || percent >= 100 || n == 0) {
        return 0;
    }
    uint64_t rest = 100 - percent;
    uint64_t wanted = ((uint64_t)n * percent + rest / 2) / rest;
    wanted = wanted ? wanted : 1;
    return wanted < n_originals ? (uint32_t)wanted : n_originals;
}

void round_mix(uint64_t seed, uint32_t class_index, bool again, uint32_t n, uint32_t n_originals,
               unsigned percent, struct arena *a, uint32_t **places, size_t *n_places)
{
    struct rng r;
    uint32_t mixed = count_originals(n, n_originals, percent);
    uint32_t *originals = counting(a, n_originals);
    seed_for(&r, seed, FOR_CHOICE, class_index, false);
    rng_shuffle_u32(&r, originals, n_originals);
    *n_places = (size_t)n + mixed;
    *places = counting(a, *n_places);
    for (uint32_t i = 0; i < mixed; i++) {
        (*places)[n + i] = n + originals[i];
    }
    seed_for(&r, seed, FOR_PLACES, class_index, again);
    rng_shuffle_u32(&r, *places, *n_places);
}
