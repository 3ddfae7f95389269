/* discovery_test.c - stats/discovery.h: tables of known chance, and the definition of q. */
#include "near.h"

#include "stats/discovery.h"

TEST(exact_tables)
{
    assert_near(fisher_exact(3, 4, 1, 4), 34.0 / 70, 1e-12); /* the lady tasting tea */
    assert_near(fisher_exact(1, 10, 11, 14), 0.002759456185220083, 1e-12); /* R: fisher.test(matrix(c(1, 9, 11, 3), 2)) */
    assert_near(fisher_exact(11, 14, 1, 10), 0.002759456185220083, 1e-12);
    assert_near(fisher_exact(5, 10, 25, 50), 1, 1e-9);
    assert_true(fisher_exact(0, 10, 0, 50) == 1 && fisher_exact(10, 10, 50, 50) == 1 && fisher_exact(0, 0, 3, 5) == 1);
    assert_near(fisher_exact(0, 2, 2, 2), 1.0 / 3, 1e-12);
}

TEST(shares_of_chance)
{
    static const double p[] = {0.03, (double)NAN, 0.01, 0.5, 0.02, 0.9};
    static const double want[] = {0.05, (double)NAN, 0.05, 0.625, 0.05, 0.9};
    struct sorted_key room[6];
    double q[6];
    false_discovery(p, 6, room, q);
    for (int i = 0; i < 6; i++) {
        if (isnan(want[i])) {
            assert_true(isnan(q[i]));
        } else {
            assert_near(q[i], want[i], 1e-12);
        }
    }
    false_discovery(p, 0, room, q);
}

