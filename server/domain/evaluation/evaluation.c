/* evaluation.c - rules on plain numbers. */
#include "domain/evaluation/evaluation.h"

#include <stdlib.h>

static const char *const words[EVALUATION_WAYS] = {"class", "hardest"};

const char *evaluation_word(enum evaluation_by by)
{
    return words[by];
}

bool evaluation_word_of(struct sv word, enum evaluation_by *out)
{
    for (int i = 0; i < EVALUATION_WAYS; i++) {
        if (sv_is(word, words[i])) {
            *out = (enum evaluation_by)i;
            return true;
        }
    }
    return false;
}

void evaluation_spread(uint32_t images, uint32_t classes, struct rng *r, uint32_t *quota)
{
    uint32_t more = classes ? images % classes : 0;
    for (uint32_t k = 0; k < classes; k++) {
        quota[k] = images / classes + (k < more);
    }
    rng_shuffle_u32(r, quota, classes);
}

struct evaluation_cut evaluation_hardest(const uint32_t *models_right, uint32_t n, uint32_t wanted)
{
    struct evaluation_cut cut = {0, 0};
    for (uint32_t least = 0; cut.images < wanted && cut.images < n; least = cut.most_right + 1) {
        uint32_t next = UINT32_MAX; /* the least number of models that is not in yet */
        for (uint32_t i = 0; i < n; i++) {
            next = models_right[i] >= least && models_right[i] < next ? models_right[i] : next;
        }
        for (uint32_t i = 0; i < n; i++) {
            cut.images += models_right[i] == next;
        }
        cut.most_right = next;
    }
    return cut;
}

void evaluation_order(uint64_t seed, int64_t account, uint32_t n, uint32_t *order)
{
    struct rng r;
    rng_stream(&r, seed, (uint64_t)account);
    for (uint32_t i = 0; i < n; i++) {
        order[i] = i;
    }
    rng_shuffle_u32(&r, order, n);
}

static int by_time(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

bool evaluation_fast(int64_t *ms, size_t n)
{
    if (n < EVALUATION_FAST_PEOPLE) {
        return false;
    }
    qsort(ms, n, sizeof *ms, by_time);
    return ms[(n - 1) / 2] + ms[n / 2] < 2 * (int64_t)EVALUATION_FAST_MS;
}
