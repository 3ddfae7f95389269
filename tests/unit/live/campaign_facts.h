/* campaign_facts.h - what is said of a campaign, from single answers, for tests that count again what live/ counts:
 * controls answered right, whether the position in the grid matters. */
#ifndef TESTS_CAMPAIGN_FACTS_H
#define TESTS_CAMPAIGN_FACTS_H

#include "numbers.h"
#include "stats/binomial.h"
#include "stats/chi_square.h"

/* Of the share of controls of a role that are answered right, clustered by worker. */
struct interval controls_interval(const struct numbers *w, const struct facts *all,
                                  int64_t campaign, enum cell_role role);
/* Of a campaign; how many answers were shuffled, and how many grids were seen in one order. */
struct chi_square position_test(const struct facts *all, int64_t campaign, uint32_t *shuffled,
                                uint32_t *in_order);

#endif
