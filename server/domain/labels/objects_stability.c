/* objects_stability.c - the same image with some of its responses. */
#include "domain/labels/objects.h"

#include "base/err.h"

struct leaving {
    const struct objects_ask *ask;
    uint32_t keep;
    struct objects_found whole;
    struct objects_stability *out;
    uint32_t at[OBJECTS_STABLE_MOST]; /* which responses are kept, ascending */
    struct object_response kept[OBJECTS_STABLE_MOST];
};

/* n choose k, or a number above `most` when it is more than that. */
static uint64_t subsets_of(uint32_t n, uint32_t k, uint64_t most)
{
    uint64_t all = 1;
    k = k < n - k ? k : n - k;
    for (uint32_t i = 1; i <= k; i++) {
        if (all > most || all > UINT64_MAX / n) {
            return UINT64_MAX;
        }
        all = all * (n - k + i) / i;
    }
    return all;
}

static void look(struct leaving *l)
{
    struct objects_found f;
    const struct objects_ask some = {l->ask->labels, l->ask->n_labels, l->kept, l->keep, 1};
    objects_find(&some, &f);
    l->out->subsets++;
    l->out->same_main += f.main == l->whole.main;
    l->out->same_n += f.n == l->whole.n;
    l->out->same += objects_same(&f, &l->whole);
}

/* The next subset in lexicographic order; false: that was the last one. */
static bool next_subset(struct leaving *l)
{
    uint32_t n = l->ask->n, i = l->keep;
    while (i > 0 && l->at[i - 1] == n - l->keep + i - 1) {
        i--;
    }
    if (i == 0) {
        return false;
    }
    for (uint32_t next = l->at[i - 1] + 1; i <= l->keep; i++, next++) {
        l->at[i - 1] = next;
    }
    return true;
}

static void look_at_all(struct leaving *l)
{
    for (uint32_t i = 0; i < l->keep; i++) {
        l->at[i] = i;
    }
    do {
        for (uint32_t i = 0; i < l->keep; i++) {
            l->kept[i] = l->ask->responses[l->at[i]];
        }
        look(l);
    } while (next_subset(l));
}

void object_responses_some(const struct object_response *all, uint32_t n, uint32_t keep, struct rng *r,
                           struct object_response *out)
{
    BUG_IF(keep > n || n > OBJECTS_STABLE_MOST);
    /* Each is taken with the probability that makes all subsets equally likely, so that they stay in their order. */
    for (uint32_t i = 0, taken = 0; taken < keep; i++) {
        if (!r || rng_below(r, n - i) < keep - taken) {
            out[taken++] = all[i];
        }
    }
}

void objects_stability(const struct objects_ask *ask, uint32_t keep, uint64_t draws, struct rng *r,
                       struct objects_stability *out)
{
    struct leaving l = {.ask = ask, .keep = keep, .out = out};
    *out = (struct objects_stability){0};
    objects_find(ask, &l.whole);
    if (l.whole.few) {
        return;
    }
    BUG_IF(keep == 0 || keep > ask->n || ask->n > OBJECTS_STABLE_MOST);
    out->all = subsets_of(ask->n, keep, draws) <= draws;
    if (out->all) {
        look_at_all(&l);
    }
    for (uint64_t i = 0; i < draws && !out->all; i++) {
        object_responses_some(ask->responses, ask->n, keep, r, l.kept);
        look(&l);
    }
}
