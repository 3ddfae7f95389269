/* naive.h - what a graph means, by loops in doubles: for tests beside the engine. Knows the layers of
 * convolutional networks; anything else fails the test. */
#ifndef NAIVE_H
#define NAIVE_H

#include "unit.h"

#include "infer/graph/graph.h"

/* Values of a graph with shapes for one input of its batch; NULL where there is none. Freed by naive_free. */
double **naive_run(const struct graph *g, const float *in);
void naive_free(const struct graph *g, double **values);

/* Which element of `from` meets element `at` of `to`, both row-major, when it is broadcast; what they make of each other. */
int64_t naive_met(const struct value *from, const struct value *to, int64_t at);
double naive_binary(enum binary op, double a, double b);

#endif
