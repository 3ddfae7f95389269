/* crypto_test.c - hashes against published vectors, tokens, passwords. */
#include "unit_crypto.h"

#include <time.h>

#include "crypto/crypto.h"

TESTS_SHARE(unit_crypto, NULL)

static void expect_hex(const void *p, size_t n, const char *want)
{
    char text[256];
    assert_true(2 * n < sizeof text);
    crypto_hex(p, n, text);
    assert_string_equal(text, want);
}

/* FIPS 180-2, appendix B. */
TEST(sha256_vectors)
{
    unsigned char out[CRYPTO_HASH];
    crypto_sha256("abc", 3, out);
    expect_hex(out, 32, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    crypto_sha256("", 0, out);
    expect_hex(out, 32, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

#define BLAKE2B_OF_IT \
    "329bf0b5f91c805683ba41940e0121d6552a7c544f6d69cf5c179030057411f4" \
    "47c7f7d3cc12ae19016a44170e39371367951f812efe215d13f58ebba8ef1610"
#define BLAKE2B_OF_NOTHING \
    "786a02f742015903c6c6fd852552d272912f4740e15847618a86e217f71f5419" \
    "d25e1031afee585313896444934eb04b903a685b1448b755d56f701afe9be2ce"

TEST(hashes_of_a_file_in_pieces)
{
    char *dir = unit_folder(), path[256];
    snprintf(path, sizeof path, "%s/data", dir);
    enum { N = 200001 }; /* not a multiple of the piece */
    static unsigned char data[N];
    for (size_t i = 0; i < N; i++) {
        data[i] = (unsigned char)(i * 7);
    }
    unit_write(dir, "data", data, N);
    unsigned char want[CRYPTO_HASH], got[CRYPTO_HASH], blake2b[CRYPTO_CONTENT];
    size_t bytes = 0;
    struct err err = {0};
    crypto_sha256(data, N, want);
    assert_int_equal(crypto_sha256_file(path, got, &err), OK);
    assert_memory_equal(got, want, CRYPTO_HASH);
    assert_int_equal(crypto_blake2b_file(path, blake2b, &bytes, &err), OK);
    assert_int_equal(bytes, N);
    expect_hex(blake2b, sizeof blake2b, BLAKE2B_OF_IT); /* by b2sum */
    assert_int_equal(crypto_blake2b_file(path, blake2b, NULL, &err), OK);
    unit_write(dir, "data", "", 0);
    assert_int_equal(crypto_blake2b_file(path, blake2b, &bytes, &err), OK);
    assert_int_equal(bytes, 0);
    expect_hex(blake2b, sizeof blake2b, BLAKE2B_OF_NOTHING);
    unit_remove(dir);
    assert_int_equal(crypto_sha256_file(path, got, &err), ERR_NOT_FOUND);
    assert_non_null(strstr(err.msg, path));
    err_clear(&err);
    assert_int_equal(crypto_sha256_file(".", got, &err), ERR_IO);
    err_clear(&err);
    assert_int_equal(crypto_blake2b_file(".", blake2b, NULL, &err), ERR_IO);
}

/* BLAKE2b-256 with a key: computed with Python's hashlib.blake2b. */
TEST(keyed_vectors)
{
    unsigned char key[CRYPTO_HASH], out[CRYPTO_HASH];
    for (size_t i = 0; i < sizeof key; i++) {
        key[i] = (unsigned char)i;
    }
    crypto_keyed(key, SV("csrf:abc"), out);
    expect_hex(out, 32, "4e43b0002876c36edf52d28fee1ee23360eea2d3f6410b6f0f5a2e40f1b6de32");
    crypto_keyed(key, (struct sv){NULL, 0}, out);
    expect_hex(out, 32, "4e51e7a913fc80137da52880fecca175bf81e117d5c68126dc2774033517ea0d");
}

/* RFC 4231, cases 2 and 6: a short key, and one that is longer than a block. */
TEST(hmac_vectors)
{
    unsigned char out[CRYPTO_HASH], key[131];
    memset(key, 0xaa, sizeof key);
    crypto_hmac_sha256(SV("Jefe"), SV("what do ya want for nothing?"), out);
    expect_hex(out, 32, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    crypto_hmac_sha256(sv_make((const char *)key, sizeof key),
                       SV("Test Using Larger Than Block-Size Key - Hash Key First"), out);
    expect_hex(out, 32, "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

TEST(base64url_round_trip)
{
    char text[64];
    crypto_base64url("\xfb\xff\xfe", 3, text);
    assert_string_equal(text, "-__-");
    crypto_base64url("a", 1, text);
    assert_string_equal(text, "YQ");
    crypto_base64url("", 0, text);
    assert_string_equal(text, "");
    for (size_t n = 1; n <= 40; n++) {
        unsigned char in[40], out[40];
        crypto_random(in, n);
        crypto_base64url(in, n, text);
        assert_int_equal(strlen(text), (n * 4 + 2) / 3);
        assert_true(crypto_unbase64url(sv_of(text), out, n));
        assert_memory_equal(in, out, n);
        assert_false(crypto_unbase64url(sv_of(text), out, n - 1));
        assert_false(crypto_unbase64url(sv_make(text, strlen(text) - 1), out, n));
    }
}

TEST(base64url_refuses)
{
    unsigned char out[CRYPTO_TOKEN];
    const char *const bad[] = {
        "",
        "AAAAAAAAAAAAAAAAAAAAA",    /* short */
        "AAAAAAAAAAAAAAAAAAAAAAA",  /* long */
        "AAAAAAAAAAAAAAAAAAAAAA==", /* padded */
        "AAAAAAAAAAAAAAAAAAAA+A",   /* the other alphabet */
        "AAAAAAAAAAAAAAAAAAAAA ",
        "AAAAAAAAAAAAAAAAAAAAAB",   /* bits that no encoder sets: two texts for one token */
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(crypto_unbase64url(sv_of(bad[i]), out, sizeof out));
    }
    assert_false(crypto_unbase64url((struct sv){NULL, 0}, out, sizeof out));
    assert_true(crypto_unbase64url(SV("AAAAAAAAAAAAAAAAAAAAAA"), out, sizeof out));
}

TEST(hex_round_trip)
{
    unsigned char out[4];
    expect_hex("\x00\x7f\xff\x0a", 4, "007fff0a");
    assert_true(crypto_unhex(SV("007fff0a"), out, 4));
    assert_memory_equal(out, "\x00\x7f\xff\x0a", 4);
    assert_false(crypto_unhex(SV("007fff0"), out, 4));
    assert_false(crypto_unhex(SV("007fff0a00"), out, 4));
    assert_false(crypto_unhex(SV("007fff0g"), out, 4));
    assert_false(crypto_unhex((struct sv){NULL, 0}, out, 4));
}

TEST(tokens_differ)
{
    unsigned char a[CRYPTO_TOKEN], b[CRYPTO_TOKEN], back[CRYPTO_TOKEN];
    char ta[CRYPTO_TOKEN_TEXT], tb[CRYPTO_TOKEN_TEXT];
    crypto_token(a, ta);
    crypto_token(b, tb);
    assert_int_equal(strlen(ta), CRYPTO_TOKEN_TEXT - 1);
    assert_false(crypto_equal(a, b, CRYPTO_TOKEN));
    assert_string_not_equal(ta, tb);
    assert_true(crypto_unbase64url(sv_of(ta), back, CRYPTO_TOKEN));
    assert_true(crypto_equal(a, back, CRYPTO_TOKEN));
}

TEST(random_fills_every_byte)
{
    enum { N = 1000 };
    unsigned char seen[N] = {0}, p[N];
    for (int round = 0; round < 8; round++) {
        crypto_random(p, N);
        for (size_t i = 0; i < N; i++) {
            seen[i] |= p[i];
        }
    }
    for (size_t i = 0; i < N; i++) {
        assert_int_not_equal(seen[i], 0); /* by chance once in 10^16 */
    }
}

TEST(password_round_trip)
{
    char hash[CRYPTO_PASSWORD_TEXT], again[CRYPTO_PASSWORD_TEXT];
    struct err err = {0};
    struct sv password = SV("correct horse battery");
    assert_int_equal(crypto_password_hash(password, hash, &err), OK);
    assert_int_equal(crypto_password_hash(password, again, &err), OK);
    assert_string_not_equal(hash, again);
    assert_non_null(strstr(hash, "$argon2id$v=19$m=19456,t=2,p=1$"));
    assert_true(crypto_password_verify(password, hash));
    assert_true(crypto_password_verify(password, again));
    assert_false(crypto_password_verify(SV("correct horse batterx"), hash));
    assert_false(crypto_password_verify((struct sv){NULL, 0}, hash));
    assert_false(crypto_password_verify(password, "not a hash"));
    assert_false(crypto_password_verify(password, ""));
}

TEST(password_lengths)
{
    char hash[CRYPTO_PASSWORD_TEXT], text[5000];
    memset(text, 'x', sizeof text);
    struct err err = {0};
    assert_int_equal(crypto_password_hash(sv_make(text, 11), hash, &err), ERR_INPUT);
    assert_string_equal(err.rule, "password-short");
    err_clear(&err);
    assert_int_equal(crypto_password_hash(sv_make(text, 1025), hash, &err), ERR_INPUT);
    assert_string_equal(err.rule, "password-long");
    err_clear(&err);
    assert_int_equal(crypto_password_hash(sv_make(text, 12), hash, &err), OK);
    assert_int_equal(crypto_password_hash(sv_make(text, 1024), hash, &err), OK);
    /* Twelve bytes but six characters. */
    assert_int_equal(
        crypto_password_hash(SV("\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4"), hash, NULL),
        ERR_INPUT);
    memset(text, 0x80, sizeof text); /* no character starts here: bytes are capped too */
    assert_int_equal(crypto_password_hash(sv_make(text, sizeof text), hash, NULL), ERR_INPUT);
    assert_false(crypto_password_verify(sv_make(text, sizeof text), hash));
}

/* What this thread computed: however busy the machine is. */
static int64_t cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int64_t verify_ns(const char *hash)
{
    int64_t best = INT64_MAX;
    for (int i = 0; i < 5; i++) {
        int64_t t = cpu_ns();
        assert_false(crypto_password_verify(SV("some wrong password"), hash));
        t = cpu_ns() - t;
        best = t < best ? t : best;
    }
    return best;
}

/* The unknown login must not answer quickly: half the time would be visible from outside. */
TEST(unknown_login_costs_the_same)
{
    char hash[CRYPTO_PASSWORD_TEXT];
    assert_int_equal(crypto_password_hash(SV("correct horse battery"), hash, NULL), OK);
    int64_t known = verify_ns(hash), unknown = verify_ns(NULL);
    assert_true(unknown > known / 2 && unknown < known * 2);
}
