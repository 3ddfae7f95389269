/* position_facts.h - whether the position in the grid matters, block by block from single answers, for tests that
 * count again what live/ counts. */
#ifndef TESTS_POSITION_FACTS_H
#define TESTS_POSITION_FACTS_H

#include "numbers.h"
#include "stats/chi_square.h"

/* Of a campaign; how many answers were shuffled, and how many grids were seen in one order. */
struct chi_square position_test(const struct facts *all, int64_t campaign, uint32_t *shuffled,
                                uint32_t *in_order);

#endif
