/* right_counts.c - counters whose binary digits lie in planes, one bit for each model: a full adder of whole rows takes
 * five operations (Harley and Seal's trees; Warren, Hacker's Delight, 5-1). Two rows stand side by side, so that one
 * operation of AVX2, or two of any processor, is about 256 bits. */
#include "stats/right_counts.h"

#include "base/err.h"

/* Twelve digits count the RIGHT_DRAWS / 2 draws of either side; the first four are the tree's. */
enum { DIGITS = 12, TREE = 4 };

typedef uint64_t rows2 __attribute__((vector_size(32)));

#define INLINE static inline __attribute__((always_inline))

/* a + b + sum = 2 * carry + sum, in every bit. */
INLINE void add(rows2 *sum, const rows2 *a, const rows2 *b, rows2 *carry)
{
    rows2 half = *a ^ *b;
    *carry = (*a & *b) | (half & *sum);
    *sum ^= half;
}

/* Adds two rows on either side to the first digit. */
INLINE void add_rows(rows2 *digit, const right_row *rows, const uint32_t *drawn, rows2 *carry)
{
    const rows2 a = __builtin_shufflevector(rows[drawn[0]], rows[drawn[1]], 0, 1, 2, 3);
    const rows2 b = __builtin_shufflevector(rows[drawn[2]], rows[drawn[3]], 0, 1, 2, 3);
    add(digit, &a, &b, carry);
}

INLINE void add_four(rows2 digit[TREE], const right_row *rows, const uint32_t *drawn, rows2 *carry)
{
    rows2 twos[2];
    add_rows(&digit[0], rows, drawn, &twos[0]);
    add_rows(&digit[0], rows, drawn + 4, &twos[1]);
    add(&digit[1], &twos[0], &twos[1], carry);
}

/* Sixteen rows of either side onto the first four digits; the carry counts sixteens. */
INLINE void add_sixteen(rows2 digit[TREE], const right_row *rows, const uint32_t *drawn, rows2 *carry)
{
    rows2 fours[2], eights[2];
    for (int i = 0; i < 2; i++) {
        add_four(digit, rows, drawn + 16 * i, &fours[0]);
        add_four(digit, rows, drawn + 16 * i + 8, &fours[1]);
        add(&digit[2], &fours[0], &fours[1], &eights[i]);
    }
    add(&digit[3], &eights[0], &eights[1], carry);
}

INLINE void count(const right_row *rows, const uint32_t *drawn, size_t n, rows2 digit[DIGITS])
{
    for (size_t i = 0; i < n; i += RIGHT_STEP) {
        rows2 carry;
        add_sixteen(digit, rows, drawn + i, &carry);
        for (int d = TREE; d < DIGITS; d++) {
            rows2 both = digit[d] & carry;
            digit[d] ^= carry;
            carry = both;
        }
    }
}

static void count_plain(const right_row *rows, const uint32_t *drawn, size_t n, rows2 digit[DIGITS])
{
    count(rows, drawn, n, digit);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void count_avx2(const right_row *rows, const uint32_t *drawn, size_t n,
                                                       rows2 digit[DIGITS])
{
    count(rows, drawn, n, digit);
}
#define COUNT (__builtin_cpu_supports("avx2") ? count_avx2 : count_plain)
#else
#define COUNT count_plain
#endif

void right_counts_add(const right_row *rows, const uint32_t *drawn, size_t n, size_t models, uint32_t *counts)
{
    rows2 digit[DIGITS] = {{0}};
    BUG_IF(n % RIGHT_STEP || n > RIGHT_DRAWS || models > RIGHT_MODELS);
    COUNT(rows, drawn, n, digit);
    for (size_t m = 0; m < models; m++) {
        uint64_t sum = 0;
        for (int d = 0; d < DIGITS; d++) {
            sum += ((digit[d][m / 64] >> m % 64 & 1) + (digit[d][2 + m / 64] >> m % 64 & 1)) << d;
        }
        counts[m] += (uint32_t)sum;
    }
}
