/* scratch_test.c - pieces are apart, aligned and zeroed, small and large ones, and all of them go. */
#include "unit.h"

#include "base/scratch.h"

TEST(pieces_do_not_overlap)
{
    enum { PIECES = 300 };
    static const size_t sizes[] = {0, 1, 63, 64, 65, 5000, (3 << 20) + 7, 9 << 20};
    struct scratch s = {0};
    unsigned char *at[PIECES];
    for (unsigned i = 0; i < PIECES; i++) {
        size_t n = sizes[i % (i < 16 ? 8 : 6)];
        at[i] = scratch_alloc(&s, n, 1);
        assert_int_equal((uintptr_t)at[i] % 64, 0);
        for (size_t k = 0; k < n; k += 61) {
            assert_int_equal(at[i][k], 0);
        }
        memset(at[i], (int)(i & 0xff), n);
    }
    for (unsigned i = 0; i < PIECES; i++) {
        size_t n = sizes[i % (i < 16 ? 8 : 6)];
        for (size_t k = 0; k < n; k += 61) {
            assert_int_equal(at[i][k], i & 0xff);
        }
    }
    scratch_release(&s);
    assert_null(s.last);
}

TEST(it_may_be_used_again)
{
    struct scratch s = {0};
    scratch_release(&s);
    for (int round = 0; round < 3; round++) {
        uint64_t *p = scratch_alloc(&s, 100000, sizeof *p);
        assert_true(p[0] == 0 && p[99999] == 0);
        p[0] = p[99999] = 1;
        scratch_release(&s);
    }
}
