/* gaps_private.h - what gaps.c and gap_bootstrap.c share. */
#ifndef DOMAIN_GAPS_PRIVATE_H
#define DOMAIN_GAPS_PRIVATE_H

#include "base/map.h"
#include "domain/scores/gaps.h"

enum gap_side { GAP_ORIGINAL, GAP_FRESH, GAP_SIDES };

struct gap_class {
    uint32_t n[GAP_SIDES]; /* images */
};
struct gap_table { /* classes in the order in which images name them, the originals first */
    struct gap_class *classes;
    uint32_t n;
    uint32_t *class_at[GAP_SIDES]; /* by image of the side: index into classes */
};
void gap_table_make(const struct gap_ask *ask, struct gap_table *t);
void gap_table_release(struct gap_table *t);

static inline bool gap_is_common(const struct gap_class *g)
{
    return g->n[GAP_ORIGINAL] && g->n[GAP_FRESH];
}

#endif
