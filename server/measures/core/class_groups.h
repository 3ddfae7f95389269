/* class_groups.h - classes one by one or in groups, superclasses, by a word, as addresses and options have it:
 *
 *   (empty), classes     each class by itself
 *   level:N              by the hierarchy: N branchings below where it first branches (domain/classes/class_tree.h); 1 is
 *                        the coarsest that tells any two classes apart
 *   WNID+WNID...         these synsets, at least two: a class is in the nearest one above it, others are in none
 *   @NAME[/NUMBER]       superclasses under a name (store/classes/superclass_lists.h), its newest version unless one is named
 */
#ifndef MEASURES_CLASS_GROUPS_H
#define MEASURES_CLASS_GROUPS_H

#include "domain/classes/class_tree.h"
#include "store/classes/classes.h"

#define CLASS_GROUP_NONE UINT32_MAX
enum { CLASS_GROUPS_NAMED = 200 /* most that a word may name */, CLASS_CIDS = 1 << 16 };

/* The project's classes and what is above them. In the caller's arena. */
struct class_hierarchy {
    struct class_info *classes; /* by cid */
    size_t n_classes;
    struct synset_info *synsets; /* by wnid */
    uint32_t n_synsets;
    struct class_tree_edge *edges;
    size_t n_edges;
    uint32_t *node;             /* by class: its synset; CLASS_TREE_NONE: it is in no hierarchy */
    struct class_tree tree;
    uint32_t first;             /* level of the tree that is 1 in words */
    uint32_t *groups;           /* how many groups each of these levels has, up to the last with fewer than classes */
    uint32_t levels;
};
enum err_code class_hierarchy_read(struct db *db, struct arena *a, struct class_hierarchy *out, struct err *err);

struct class_group {
    struct sv wnid, synset; /* of the class or the synset; of superclasses under a name their own name, and nothing */
    uint32_t classes;       /* that are in it */
};
struct class_groups {
    struct sv word;         /* as above, with the version's number; empty: each class by itself */
    struct class_group *list; /* classes: by cid; else by wnid or name; named synsets: in the order of the word */
    uint32_t n;
    uint32_t *of;           /* by place in the hierarchy's classes: place in list, CLASS_GROUP_NONE */
    uint32_t *of_cid;       /* the same by class number, CLASS_CIDS of them: also CLASS_GROUP_NONE where there is no class */
    const struct class_hierarchy *hierarchy;
};
/* ERR_INPUT (rule "class-groups") for a word that is none; ERR_NOT_FOUND (rules "no-class", "no-superclasses") for a synset above no
 * class, or a name that there is not. */
enum err_code class_groups_find(struct db *db, const struct class_hierarchy *h, struct sv word, struct arena *a, struct class_groups *out,
                                struct err *err);
/* The group with that wnid; CLASS_GROUP_NONE. */
uint32_t class_groups_at(const struct class_groups *g, struct sv wnid);
uint64_t class_groups_hash(const struct class_groups *g);

#endif
