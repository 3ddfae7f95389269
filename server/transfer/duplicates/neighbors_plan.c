/* neighbors_plan.c - groups of queries by the searches that have them, then what each group lacks. */
#include "transfer/duplicates/neighbors_plan.h"

#include <string.h>

#include "base/sorted.h"

#define NO_GROUP UINT32_MAX

struct groups {
    uint32_t *of; /* of each image; NO_GROUP: no query */
    uint32_t n;   /* ascending by their first query */
};

static bool compared(const struct plan_search *s, const struct ranges *side, uint32_t image)
{
    return ranges_has(side, image) && !sorted_has_i64(s->unread, s->n_unread, image);
}

/* Each group becomes two: queries that the search has, and the others. */
static void split(const struct plan_input *in, const struct plan_search *s, struct arena *a, struct groups *g)
{
    uint32_t(*now)[2] = arena_alloc(a, (g->n + 1) * sizeof *now), n = 0;
    memset(now, 0xff, (g->n + 1) * sizeof *now); /* NO_GROUP */
    for (uint32_t i = 0; i < in->n; i++) {
        if (g->of[i] != NO_GROUP) {
            uint32_t *to = &now[g->of[i]][compared(s, &s->search->queries, in->images[i])];
            *to = *to == NO_GROUP ? n++ : *to;
            g->of[i] = *to;
        }
    }
    g->n = n;
}

static struct groups group(const struct plan_input *in, const bool *query, struct arena *a)
{
    struct groups g = {arena_alloc(a, (in->n + 1) * sizeof *g.of), 1};
    for (uint32_t i = 0; i < in->n; i++) {
        g.of[i] = query[i] ? 0 : NO_GROUP;
    }
    for (size_t s = 0; s < in->n_searches; s++) {
        split(in, &in->searches[s], a, &g);
    }
    return g;
}

/* Which images a query was not compared with. */
static void find_lacking(const struct plan_input *in, uint32_t query, bool *lacking)
{
    memset(lacking, true, in->n * sizeof *lacking);
    for (size_t k = 0; k < in->n_searches; k++) {
        const struct plan_search *s = &in->searches[k];
        for (uint32_t i = 0; compared(s, &s->search->queries, query) && i < in->n; i++) {
            lacking[i] = lacking[i] && !compared(s, &s->search->refs, in->images[i]);
        }
    }
}

static struct ranges ranges_of(const struct plan_input *in, const bool *wanted, struct arena *a)
{
    struct ranges_build b = {0};
    for (uint32_t i = 0; i < in->n; i++) {
        if (wanted[i]) {
            ranges_add(&b, a, in->images[i]);
        }
    }
    return b.ranges;
}

static uint32_t first_of(const struct plan_input *in, const struct groups *g, uint32_t k)
{
    uint32_t i = 0;
    while (i < in->n && g->of[i] != k) {
        i++;
    }
    return i;
}

void neighbors_plan(const struct plan_input *in, struct arena *a, struct plan_part **out, size_t *n)
{
    struct groups g = group(in, in->query, a);
    bool *chosen = arena_calloc(a, in->n + 1, sizeof *chosen);
    *out = arena_calloc(a, g.n + 1, sizeof **out);
    *n = 0;
    for (uint32_t k = 0; k < g.n; k++) {
        uint32_t first = first_of(in, &g, k);
        if (first == in->n) { /* without searches there is one group, maybe of nobody */
            continue;
        }
        find_lacking(in, in->images[first], chosen);
        struct ranges refs = ranges_of(in, chosen, a);
        for (uint32_t i = 0; i < in->n; i++) {
            chosen[i] = g.of[i] == k;
        }
        if (refs.numbers > 0) {
            (*out)[(*n)++] = (struct plan_part){ranges_of(in, chosen, a), refs};
        }
    }
}

bool neighbors_plan_lacks(const struct plan_input *in, const struct near_search *s, struct arena *a)
{
    bool *chosen = arena_calloc(a, in->n + 1, sizeof *chosen), lacks = false;
    for (uint32_t i = 0; i < in->n; i++) {
        chosen[i] = ranges_has(&s->queries, in->images[i]);
    }
    struct groups g = group(in, chosen, a);
    for (uint32_t k = 0; k < g.n && !lacks; k++) {
        uint32_t first = first_of(in, &g, k);
        if (first < in->n) {
            find_lacking(in, in->images[first], chosen);
        }
        for (uint32_t i = 0; first < in->n && i < in->n && !lacks; i++) {
            lacks = chosen[i] && ranges_has(&s->refs, in->images[i]);
        }
    }
    return lacks;
}
