/* difficulty.h - why accuracies on two sets may lie on a line (Recht et al. 2019, section 5.3): images have a difficulty,
 * normal with mean m and standard deviation d in each set, models a skill s, and a model is right with the chance
 * Phi(s - difficulty). On the probit scale its accuracies then lie on a line with
 *   slope = sqrt((d_original^2 + 1) / (d_new^2 + 1)),  offset = (m_original - m_new) / sqrt(d_new^2 + 1).
 * Two equations, three unknowns (both spreads and the shift m_new - m_original): for every spread of the originals there
 * is a solution, and the data prefer none. Pure functions. */
#ifndef STATS_DIFFICULTY_H
#define STATS_DIFFICULTY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stats/line.h"

struct difficulty_solution { /* in units of the chance's own spread, which is 1 */
    double spread_original, spread_new, shift;
    struct interval spread_range, shift_range; /* 95 %, of what the line's errors leave open (delta method, Student's t) */
};
/* The solution with that spread of the originals, at least 0, of a line on the probit scale through three models or more.
 * False: there is none, the slope is not above 0 or above what the spread allows. */
bool difficulty_solve(const struct line *l, double spread_original, struct difficulty_solution *out);

struct difficulty_world {
    size_t models, images; /* of each set */
    double spread_original, spread_new, shift;
    uint64_t seed; /* of difficulties, and of who is right about what */
};
/* Accuracies of models with skills from 0 to 2, evenly apart, on two sets of such images, and the line through those that
 * have a place on the scale. False: too few have. */
bool difficulty_simulate(const struct difficulty_world *w, struct line *out);

#endif
