/* sha256_ni_test.c - the compression by the processor's instructions against the standard's vector.
 * Whole messages are in crypto_test.c. */
#include "unit.h"

#include "crypto/sha256_ni.h"

/* FIPS 180-2, appendix B.1: "abc" is one padded block; B.2's second block begins where the first
 * ended, so both together go in at once or one by one. */
static void blocks(void **state)
{
    (void)state;
    if (!sha256_ni_here()) {
        print_message("This processor has no SHA instructions: libsodium does it all.\n");
        return;
    }
    static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    static const uint32_t abc[8] = {0xba7816bf, 0x8f01cfea, 0x414140de, 0x5dae2223,
                                    0xb00361a3, 0x96177a9c, 0xb410ff61, 0xf20015ad};
    static const uint32_t two[8] = {0x248d6a61, 0xd20638b8, 0xe5c02693, 0x0c3e6039,
                                    0xa33ce459, 0x64ff2167, 0xf6ecedd4, 0x19db06c1};
    unsigned char one[64] = "abc\x80";
    one[63] = 24;
    uint32_t h[8];
    memcpy(h, start, sizeof h);
    sha256_ni_blocks(h, one, 1);
    assert_memory_equal(h, abc, sizeof h);

    unsigned char message[128] = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq\x80";
    message[126] = 448 >> 8;
    message[127] = 448 & 255;
    memcpy(h, start, sizeof h);
    sha256_ni_blocks(h, message, 2);
    assert_memory_equal(h, two, sizeof h);
    memcpy(h, start, sizeof h);
    sha256_ni_blocks(h, message, 1);
    sha256_ni_blocks(h, message + 64, 1);
    assert_memory_equal(h, two, sizeof h);
    sha256_ni_blocks(h, message, 0);
    assert_memory_equal(h, two, sizeof h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(blocks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
