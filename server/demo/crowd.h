/* crowd.h - simulated people: how well each sees, how fast each works, and what they select. Pure
 * rules: the same seed, person and grid give the same selection, in whatever order they are asked. */
#ifndef DEMO_CROWD_H
#define DEMO_CROWD_H

#include "demo/truth.h"

enum crowd_habit {
    CROWD_CAREFUL,
    CROWD_HASTY,   /* misses much, ticks more that is wrong */
    CROWD_ALL,     /* a spammer: everything */
    CROWD_RANDOM   /* a spammer: a coin for every cell */
};
struct crowd_member {
    enum crowd_habit habit;
    double recall;      /* of what is plainly there */
    double false_ticks; /* of what is like it */
    double drawings;    /* that they take for photographs, against the rule */
    double grid_ms;     /* for a grid of 48, without the clicks */
};
/* Person number `index` of this seed's crowd. Among the first twelve are the two spammers and two
 * hasty ones; of the others one in twelve is hasty. */
struct crowd_member crowd_member(uint64_t seed, unsigned index);

enum { CROWD_NAME = 16 };
/* What the panel calls them: "sim-001". */
void crowd_name(unsigned index, char name[CROWD_NAME]);
/* The number again, -1 for another name. */
int crowd_index(struct sv name);

struct crowd_answer {
    uint64_t mask; /* by planned position */
    int64_t active_ms;
};
/* What they answer to grid number `grid`, which asks for a class; NULL images are unknown. */
struct crowd_answer crowd_answer(uint64_t seed, unsigned index, int64_t grid, unsigned class_index,
                                 const struct truth_image *const *images, unsigned n);

#endif
