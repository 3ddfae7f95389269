/* estimate.h - what a model costs, from its dimensions alone, before anything is calculated.
 *
 * All sums stop at UINT64_MAX instead of wrapping around: dimensions come from an unchecked file.
 * Private to infer/. */
#ifndef INFER_GRAPH_ESTIMATE_H
#define INFER_GRAPH_ESTIMATE_H

#include "infer/graph/graph.h"

struct estimate {
    uint64_t operations; /* multiply and add counted as two, see estimate.c for the rest */
    uint64_t largest;    /* bytes of the largest value that is computed */
    uint64_t steps;      /* at least as many as a plan has for its nodes */
};

/* Of a graph with dimensions, for its whole batch. */
struct estimate estimate_graph(const struct graph *g);
/* What convolutions and products of one node multiply and add. */
uint64_t estimate_products(const struct graph *g, const struct node *n);

#endif
