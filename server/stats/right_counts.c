/* right_counts.c - counters whose binary digits lie in planes, one bit for each model: a full adder of whole rows takes
 * five operations for 128 models (Harley and Seal's trees; Warren, Hacker's Delight, 5-1). */
#include "stats/right_counts.h"

#include "base/err.h"

/* Thirteen digits count RIGHT_DRAWS; the first four are the tree's. */
enum { DIGITS = 13, TREE = 4 };

/* a + b + sum = 2 * carry + sum, in every bit; gives the carry. */
static inline right_row add(right_row *sum, right_row a, right_row b)
{
    right_row half = a ^ b, carry = (a & b) | (half & *sum);
    *sum ^= half;
    return carry;
}

/* Four rows onto the first two digits; the carry counts fours. */
static inline right_row add_four(right_row digit[TREE], const right_row *rows, const uint32_t *drawn)
{
    right_row twos = add(&digit[0], rows[drawn[0]], rows[drawn[1]]);
    return add(&digit[1], twos, add(&digit[0], rows[drawn[2]], rows[drawn[3]]));
}

static inline right_row add_eight(right_row digit[TREE], const right_row *rows, const uint32_t *drawn)
{
    right_row fours = add_four(digit, rows, drawn);
    return add(&digit[2], fours, add_four(digit, rows, drawn + 4));
}

static inline right_row add_sixteen(right_row digit[TREE], const right_row *rows, const uint32_t *drawn)
{
    right_row eights = add_eight(digit, rows, drawn);
    return add(&digit[3], eights, add_eight(digit, rows, drawn + 8));
}

void right_counts_add(const right_row *rows, const uint32_t *drawn, size_t n, size_t models, uint32_t *counts)
{
    right_row digit[DIGITS] = {{0}};
    BUG_IF(n % RIGHT_STEP || n > RIGHT_DRAWS || models > RIGHT_MODELS);
    for (size_t i = 0; i < n; i += RIGHT_STEP) {
        right_row carry = add_sixteen(digit, rows, drawn + i);
        for (int d = TREE; d < DIGITS; d++) {
            right_row both = digit[d] & carry;
            digit[d] ^= carry;
            carry = both;
        }
    }
    for (size_t m = 0; m < models; m++) {
        uint64_t sum = 0;
        for (int d = 0; d < DIGITS; d++) {
            sum += (digit[d][m / 64] >> m % 64 & 1) << d;
        }
        counts[m] += (uint32_t)sum;
    }
}
