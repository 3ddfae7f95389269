/* hash_test.c - the stable hash against published values; the seeded one spreads. */
#include "unit.h"

#include "base/hash.h"

TEST(fnv_known_values)
{
    assert_true(hash_stable("", 0) == 0xcbf29ce484222325u);
    assert_true(hash_stable("a", 1) == 0xaf63dc4c8601ec8cu);
    assert_true(hash_stable("foobar", 6) == 0x85944171f73967e8u);
}

TEST(every_byte_and_the_length_count)
{
    unsigned char text[32] = {0};
    for (size_t n = 0; n <= sizeof text; n++) {
        uint64_t h = hash_bytes(text, n);
        assert_true(h == hash_bytes(text, n));
        for (size_t m = 0; m < n; m++) {
            assert_true(h != hash_bytes(text, m)); /* zeros of another length */
            text[m] ^= 0x80;
            assert_true(h != hash_bytes(text, n));
            text[m] ^= 0x80;
        }
    }
    assert_true(hash_bytes(NULL, 0) == hash_bytes("", 0));
}

TEST(one_bit_changes_half)
{
    int bits = 0;
    for (unsigned i = 0; i < 64; i++) {
        bits += __builtin_popcountll(hash_u64(12345) ^ hash_u64(12345 ^ (uint64_t)1 << i));
    }
    assert_in_range(bits, 64 * 28, 64 * 36);
}
