/* signature_test.c - signatures by private keys against published examples: RFC 7515 (RS256, A.2) and RFC
 * 8037 (EdDSA, A.4), and HS256 beside them (RFC 7515, A.1), whose secret must never be a public key. */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "crypto/crypto.h"
#include "crypto/signature.h"

#define RS_TEXT                                                                                    \
    "eyJhbGciOiJSUzI1NiJ9."                                                                        \
    "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
#define RS_SIGNATURE                                                                               \
    "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5"  \
    "jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb"  \
    "1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QO"  \
    "YEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw"
#define RS_N                                                                                       \
    "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4"  \
    "d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5re"  \
    "xMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxX"  \
    "FvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ"
#define RS_MEMBERS "\"kty\":\"RSA\",\"n\":\"" RS_N "\",\"e\":\"AQAB\""
#define RS_PEM                                                                                     \
    "-----BEGIN PUBLIC KEY-----\n"                                                                 \
    "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAofgWCuLjybRlzo0tZWJj\n"                           \
    "NiuSfb4p4fAkd/wWJcyQoTbji9k0l8W26mPddxHmfHQp+Vaw+4qPCJrcS2mJPMEz\n"                           \
    "P1Pt0Bm4d4QlL+yRT+SFd2lZS+pCgNMsD1W/YpRPEwOWvG6b32690r2jZ47soMZo\n"                           \
    "9wGzjb/7OMg0LOL+bSf63kpaSHSXndS5z5rexMdbBYUsLA9e+KXBdQOS+UTo7WTB\n"                           \
    "EMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6/I5IhlJH7aGhyxX\n"                           \
    "FvUK+DWNmoudF8NAco9/h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXp\n"                           \
    "oQIDAQAB\n"                                                                                   \
    "-----END PUBLIC KEY-----\n"

#define ED_TEXT "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc"
#define ED_SIGNATURE                                                                               \
    "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg"
#define ED_MEMBERS "\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo\""
#define ED_PEM                                                                                     \
    "-----BEGIN PUBLIC KEY-----\n"                                                                 \
    "MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n"                               \
    "-----END PUBLIC KEY-----\n"

/* RSA of 1024 bits, and a key on P-256. */
#define WEAK_MEMBERS                                                                               \
    "\"kty\":\"RSA\",\"e\":\"AQAB\",\"n\":\"ttc7z_s5gRf5nx0Z5WEm438fDJGLdsPpCBNY04GDRCijaNXR39pJHqX8hGELIswT"   \
    "e5cq3ev2ECBAzPHDE1nuFqCbHBhuSEmX0bDOUD5o9KYVAAm3nOlhG23Lr1fO6r8rRwGZQIxPUNpKaV1BktXlZLdFOSin5KhpCrwdJGSExtk\""
#define P256_PEM                                                                                   \
    "-----BEGIN PUBLIC KEY-----\n"                                                                 \
    "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAERzuhupgrDn8ezTofriSKe8HR+2e/\n"                           \
    "7aBEA762pryyKNVURPilFbK8v9WwqfjWfxyjnVrDbhwdoffG1z8gNUSSIA==\n"                               \
    "-----END PUBLIC KEY-----\n"

#define SET(members) "{\"keys\":[{" members "}]}"

enum { RS_BYTES = 256, ED_BYTES = 64, MUCH = 1 << 20 };

struct signature {
    unsigned char bytes[RS_BYTES];
    size_t n;
};

static struct signature of(enum signature_kind kind)
{
    struct signature s = {.n = kind == SIGNATURE_RS256 ? RS_BYTES : ED_BYTES};
    struct sv text = kind == SIGNATURE_RS256 ? SV(RS_SIGNATURE) : SV(ED_SIGNATURE);
    assert_true(crypto_unbase64url(text, s.bytes, s.n));
    return s;
}

static struct sv text_of(enum signature_kind kind)
{
    return kind == SIGNATURE_RS256 ? SV(RS_TEXT) : SV(ED_TEXT);
}

static bool fits(enum signature_kind kind, const char *keys, const char *kid,
                 const struct signature *s)
{
    return signature_verify(kind, sv_of(keys), sv_of(kid), text_of(kind),
                            sv_make((const char *)s->bytes, s->n));
}

static bool is_key(enum signature_kind kind, const char *keys)
{
    struct err err = {0};
    enum err_code rc = signature_check_keys(kind, sv_of(keys), &err);
    if (rc != OK) {
        assert_int_equal(rc, ERR_INPUT);
        assert_string_equal(err.rule, "signing_key");
    }
    return rc == OK;
}

TEST(published_examples)
{
    struct signature rs = of(SIGNATURE_RS256), ed = of(SIGNATURE_EDDSA);
    assert_true(fits(SIGNATURE_RS256, RS_PEM, "", &rs));
    assert_true(fits(SIGNATURE_RS256, SET(RS_MEMBERS), "", &rs));
    assert_true(fits(SIGNATURE_RS256, " \n" SET(RS_MEMBERS), "", &rs));
    assert_true(fits(SIGNATURE_EDDSA, ED_PEM, "", &ed));
    assert_true(fits(SIGNATURE_EDDSA, SET(ED_MEMBERS), "", &ed));
}

/* Each bit counts, and so does the length. */
TEST(changed_signatures)
{
    for (enum signature_kind kind = SIGNATURE_RS256; kind <= SIGNATURE_EDDSA; kind++) {
        const char *keys = kind == SIGNATURE_RS256 ? RS_PEM : ED_PEM;
        struct signature good = of(kind), s;
        for (size_t i = 0; i < good.n; i += 7) {
            s = good;
            s.bytes[i] ^= (unsigned char)(1u << (i % 8));
            assert_false(fits(kind, keys, "", &s));
        }
        for (size_t n = 0; n < good.n; n++) {
            s = good;
            s.n = n;
            assert_false(fits(kind, keys, "", &s));
        }
        struct sv text = text_of(kind);
        assert_false(signature_verify(kind, sv_of(keys), SV(""), sv_make(text.p, text.n - 1),
                                      sv_make((const char *)good.bytes, good.n)));
        assert_false(signature_verify(kind, sv_of(keys), SV(""), SV(""),
                                      sv_make((const char *)good.bytes, good.n)));
    }
}

TEST(huge)
{
    char *much = calloc(1, MUCH);
    assert_non_null(much);
    for (enum signature_kind kind = SIGNATURE_RS256; kind <= SIGNATURE_EDDSA; kind++) {
        struct signature good = of(kind);
        struct sv keys = kind == SIGNATURE_RS256 ? SV(RS_PEM) : SV(ED_PEM);
        memcpy(much, good.bytes, good.n);
        assert_false(signature_verify(kind, keys, SV(""), text_of(kind), sv_make(much, MUCH)));
        assert_false(signature_verify(kind, keys, SV(""), sv_make(much, MUCH),
                                      sv_make((const char *)good.bytes, good.n)));
        assert_false(signature_verify(kind, sv_make(much, MUCH), SV(""), text_of(kind),
                                      sv_make((const char *)good.bytes, good.n)));
    }
    /* A number of a key that is longer than any key has. */
    char text[8192];
    memset(much, 'A', 6000);
    much[6000] = '\0';
    snprintf(text, sizeof text, "{\"keys\":[{\"kty\":\"RSA\",\"n\":\"%s\",\"e\":\"AQAB\"}]}", much);
    assert_false(is_key(SIGNATURE_RS256, text));
    snprintf(text, sizeof text, "{\"keys\":[{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"%s\"}]}", much);
    assert_false(is_key(SIGNATURE_EDDSA, text));
    free(much);
}

TEST(keys_of_another_kind)
{
    struct signature rs = of(SIGNATURE_RS256), ed = of(SIGNATURE_EDDSA);
    const char *for_rs[] = {ED_PEM, P256_PEM, SET(ED_MEMBERS), SET(WEAK_MEMBERS)};
    const char *for_ed[] = {RS_PEM, P256_PEM, SET(RS_MEMBERS),
                            SET("\"kty\":\"OKP\",\"crv\":\"X25519\",\"x\":\"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo\"")};
    for (size_t i = 0; i < sizeof for_rs / sizeof for_rs[0]; i++) {
        assert_false(is_key(SIGNATURE_RS256, for_rs[i]));
        assert_false(fits(SIGNATURE_RS256, for_rs[i], "", &rs));
        assert_false(is_key(SIGNATURE_EDDSA, for_ed[i]));
        assert_false(fits(SIGNATURE_EDDSA, for_ed[i], "", &ed));
    }
    /* The right key, asked in the other way of signing. */
    assert_false(signature_verify(SIGNATURE_EDDSA, SV(RS_PEM), SV(""), SV(RS_TEXT),
                                  sv_make((const char *)rs.bytes, rs.n)));
    assert_false(signature_verify(SIGNATURE_RS256, SV(ED_PEM), SV(""), SV(ED_TEXT),
                                  sv_make((const char *)ed.bytes, ed.n)));
}

TEST(no_keys)
{
    struct signature rs = of(SIGNATURE_RS256);
    const char *none[] = {
        "", " ", "a secret of 32 characters or more!", "{", "{}", "{\"keys\":[]}", "{\"keys\":7}",
        "{\"keys\":[7,null,\"x\",[]]}", SET("\"kty\":\"RSA\""), SET("\"kty\":\"RSA\",\"n\":7,\"e\":\"AQAB\""),
        SET("\"kty\":\"RSA\",\"n\":\"\",\"e\":\"\""), SET("\"kty\":\"RSA\",\"n\":\"***\",\"e\":\"AQAB\""),
        SET("\"kty\":\"oct\",\"k\":\"AAAA\""), "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n",
        "-----BEGIN PUBLIC KEY-----\n"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        assert_false(is_key(SIGNATURE_RS256, none[i]));
        assert_false(is_key(SIGNATURE_EDDSA, none[i]));
        assert_false(fits(SIGNATURE_RS256, none[i], "", &rs));
    }
    /* Every beginning of a key is none. */
    for (size_t n = 0; n + 27 < strlen(RS_PEM); n++) {
        struct err err = {0};
        assert_int_equal(signature_check_keys(SIGNATURE_RS256, sv_make(RS_PEM, n), &err), ERR_INPUT);
    }
}

/* Keys say what they are for; a private one is not stored, though it was known before that was asked. */
TEST(what_keys_are_for)
{
    struct signature rs = of(SIGNATURE_RS256);
    const char *good[] = {SET(RS_MEMBERS ",\"use\":\"sig\""), SET(RS_MEMBERS ",\"alg\":\"RS256\"")};
    const char *none[] = {SET(RS_MEMBERS ",\"use\":\"enc\""), SET(RS_MEMBERS ",\"alg\":\"RS512\""),
                          SET(RS_MEMBERS ",\"alg\":\"PS256\""), SET(RS_MEMBERS ",\"use\":7")};
    const char *private = SET(RS_MEMBERS ",\"d\":\"AQAB\"");
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_true(is_key(SIGNATURE_RS256, good[i]));
        assert_true(fits(SIGNATURE_RS256, good[i], "", &rs));
    }
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        assert_false(is_key(SIGNATURE_RS256, none[i]));
        assert_false(fits(SIGNATURE_RS256, none[i], "", &rs));
    }
    assert_false(is_key(SIGNATURE_RS256, private));
    assert_true(fits(SIGNATURE_RS256, private, "", &rs));
    assert_true(is_key(SIGNATURE_EDDSA, SET(ED_MEMBERS ",\"use\":\"sig\",\"alg\":\"EdDSA\"")));
    assert_false(is_key(SIGNATURE_EDDSA, SET(ED_MEMBERS ",\"alg\":\"RS256\"")));
}

/* Of a set, the key that the token names; a set's only key needs no name. */
TEST(names_of_keys)
{
    struct signature rs = of(SIGNATURE_RS256);
    const char *set = "{\"keys\":[{" ED_MEMBERS ",\"kid\":\"ed\"},{" RS_MEMBERS ",\"kid\":\"new\"}]}";
    assert_true(fits(SIGNATURE_RS256, set, "new", &rs));
    assert_true(fits(SIGNATURE_RS256, set, "", &rs));
    assert_false(fits(SIGNATURE_RS256, set, "ed", &rs));
    assert_false(fits(SIGNATURE_RS256, set, "ne", &rs));
    assert_false(fits(SIGNATURE_RS256, set, "newer", &rs));
    assert_true(fits(SIGNATURE_RS256, SET(RS_MEMBERS), "any", &rs));
    assert_true(fits(SIGNATURE_RS256, RS_PEM, "any", &rs));
    assert_false(fits(SIGNATURE_RS256, SET(RS_MEMBERS ",\"kid\":7"), "7", &rs));
    const char *nameless = "{\"keys\":[{" ED_MEMBERS ",\"kid\":\"ed\"},{" RS_MEMBERS "}]}";
    assert_false(fits(SIGNATURE_RS256, nameless, "any", &rs));
    assert_true(fits(SIGNATURE_RS256, nameless, "", &rs));
}

/* A set of a thousand keys is no way to keep the server busy. */
TEST(a_long_set)
{
    struct signature rs = of(SIGNATURE_RS256);
    struct str set;
    str_init(&set, MUCH);
    str_addz(&set, "{\"keys\":[");
    for (int i = 0; i < 16; i++) {
        str_addz(&set, "{" ED_MEMBERS "},");
    }
    str_addz(&set, "{" RS_MEMBERS "}]}");
    assert_false(signature_verify(SIGNATURE_RS256, str_sv(&set), SV(""), SV(RS_TEXT),
                                  sv_make((const char *)rs.bytes, rs.n)));
    str_release(&set);
}

/* A public key is known to everybody: as a shared secret it would let everybody sign. */
TEST(a_shared_secret)
{
    unsigned char key[64], mac[CRYPTO_HASH];
    char text[64];
    assert_true(crypto_unbase64url(SV("AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0i"
                                      "PS4hcgUuTwjAzZr1Z9CAow"),
                                   key, sizeof key));
    crypto_hmac_sha256(sv_make((const char *)key, sizeof key),
                       SV("eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9."
                          "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNv"
                          "bS9pc19yb290Ijp0cnVlfQ"),
                       mac);
    crypto_base64url(mac, sizeof mac, text);
    assert_string_equal(text, "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk");
    crypto_hmac_sha256(SV(RS_PEM), SV(RS_TEXT), mac);
    assert_false(signature_verify(SIGNATURE_RS256, SV(RS_PEM), SV(""), SV(RS_TEXT),
                                  sv_make((const char *)mac, sizeof mac)));
}
