/* class_tree.h - a hierarchy with several parents to a node as one tree, without the nodes at which nothing branches: what
 * superclasses at a level are. Pure rules on arrays.
 *
 * Of a node's parents the one counts that is farthest from the roots (by the longest way), of several the lower index: a
 * dog is a carnivore rather than a domestic animal. A node branches when two or more nodes are directly below it. */
#ifndef DOMAIN_CLASS_TREE_H
#define DOMAIN_CLASS_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

#define CLASS_TREE_NONE UINT32_MAX

struct class_tree_edge {
    uint32_t child, parent; /* nodes */
};
struct class_tree {
    uint32_t n;
    uint32_t *parent; /* the next node above that branches or is a class; CLASS_TREE_NONE: there is none */
    uint32_t *level;  /* how many such nodes are above it */
    uint32_t levels;  /* the greatest level of a class, plus one */
};
/* Of n nodes, all of which are classes or above one. Ways round in circles lead nowhere. In the arena. */
struct class_tree class_tree_make(const bool *is_class, uint32_t n, const struct class_tree_edge *edges, size_t n_edges, struct arena *a);
/* The node at the level on the way from `node` upwards; itself where its own level is not as high. */
uint32_t class_tree_at(const struct class_tree *t, uint32_t node, uint32_t level);

#endif
