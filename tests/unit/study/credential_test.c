/* credential_test.c - the text of API tokens. */
#include "unit_crypto.h"

#include "study/credential.h"

TESTS_SHARE(unit_crypto, NULL)

TEST(tokens)
{
    const unsigned char key[CRYPTO_HASH] = {7};
    char a[API_TOKEN_TEXT], b[API_TOKEN_TEXT];
    unsigned char ha[CRYPTO_HASH], hb[CRYPTO_HASH], again[CRYPTO_HASH], raw[CRYPTO_TOKEN];
    credential_api_token(key, a, ha);
    credential_api_token(key, b, hb);
    assert_int_equal(strlen(a), 26);
    assert_int_equal(strncmp(a, "hld_", 4), 0);
    assert_true(crypto_unbase64url(sv_of(a + 4), raw, sizeof raw));
    assert_string_not_equal(a, b);
    crypto_keyed(key, sv_of(a), again); /* what the gate does with the header */
    assert_true(crypto_equal(ha, again, CRYPTO_HASH));
    assert_false(crypto_equal(ha, hb, CRYPTO_HASH));
}
