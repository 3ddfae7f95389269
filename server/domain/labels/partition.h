/* partition.h - a few labels into exactly k objects, so that labels which people selected together are in different
 * objects as far as that can be: the maximum k-cut of Tsipras et al. 2020, section 3.2, by exhaustive search. Pure. */
#ifndef DOMAIN_PARTITION_H
#define DOMAIN_PARTITION_H

#include <stdint.h>

enum { PARTITION_LABELS = 12 };

struct partition_ask {
    uint32_t n, k; /* labels and objects, 1 <= k <= n <= PARTITION_LABELS */
    /* How many people selected both; only [a][b] with a < b is read. The order of the labels decides ties. */
    uint32_t together[PARTITION_LABELS][PARTITION_LABELS];
};
struct partition_found {
    unsigned char object[PARTITION_LABELS]; /* of each label; numbered in the order of their first labels, from 0 */
    uint64_t cost;                          /* sum of `together` over pairs in one object: the least that there is */
    uint32_t n_optimal;                     /* partitions that cost as little; 1: no other */
};
/* Of those that cost least, the one whose `object` is the smallest in lexicographic order. At most 1,379,400
 * partitions are looked at (12 labels, 5 objects), in some 10 ms; 350 of 7 labels. */
void partition_find(const struct partition_ask *ask, struct partition_found *out);

#endif
