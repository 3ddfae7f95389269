/* signature.c - public keys and signatures, by GnuTLS. */
#include "crypto/signature.h"

#include <stdlib.h>
#include <string.h>

#include <gnutls/abstract.h>
#include <gnutls/gnutls.h>
#include <jansson.h>

#include "base/xalloc.h"
#include "crypto/crypto.h"

enum { RSA_LEAST_BITS = 2048, NUMBER_MOST = 1024, KEYS_MOST = 16 };

static gnutls_datum_t datum(struct sv text)
{
    gnutls_datum_t d = {NULL, (unsigned)text.n};
    memcpy(&d.data, &text.p, sizeof d.data); /* GnuTLS only reads it */
    return d;
}

static bool fits(gnutls_pubkey_t key, enum signature_kind kind)
{
    unsigned bits = 0;
    int algorithm = gnutls_pubkey_get_pk_algorithm(key, &bits);
    return kind == SIGNATURE_RS256 ? algorithm == GNUTLS_PK_RSA && bits >= RSA_LEAST_BITS
                                   : algorithm == GNUTLS_PK_EDDSA_ED25519;
}

/* A member of a key that holds a number in base64url. */
static bool number(const json_t *jwk, const char *name, unsigned char out[NUMBER_MOST],
                   gnutls_datum_t *d)
{
    const char *text = json_string_value(json_object_get(jwk, name));
    size_t n = text ? strlen(text) * 3 / 4 : 0;
    *d = (gnutls_datum_t){out, (unsigned)n};
    return n && n <= NUMBER_MOST && crypto_unbase64url(sv_of(text), out, n);
}

static bool is_text(const json_t *jwk, const char *name, const char *wanted)
{
    const char *text = json_string_value(json_object_get(jwk, name));
    return text && strcmp(text, wanted) == 0;
}

/* A key that says what it is for is for nothing else (RFC 7517, 4.2 and 4.4). */
static bool is_for(const json_t *jwk, enum signature_kind kind)
{
    const char *alg = kind == SIGNATURE_RS256 ? "RS256" : "EdDSA";
    return (!json_object_get(jwk, "use") || is_text(jwk, "use", "sig")) &&
           (!json_object_get(jwk, "alg") || is_text(jwk, "alg", alg) ||
            (kind == SIGNATURE_EDDSA && is_text(jwk, "alg", "Ed25519")));
}

static bool import_jwk(gnutls_pubkey_t key, enum signature_kind kind, const json_t *jwk)
{
    unsigned char a[NUMBER_MOST], b[NUMBER_MOST];
    gnutls_datum_t x, y;
    if (!is_for(jwk, kind)) {
        return false;
    }
    if (kind == SIGNATURE_RS256) {
        return is_text(jwk, "kty", "RSA") && number(jwk, "n", a, &x) && number(jwk, "e", b, &y) &&
               gnutls_pubkey_import_rsa_raw(key, &x, &y) == 0;
    }
    return is_text(jwk, "kty", "OKP") && is_text(jwk, "crv", "Ed25519") &&
           number(jwk, "x", a, &x) &&
           gnutls_pubkey_import_ecc_raw(key, GNUTLS_ECC_CURVE_ED25519, &x, NULL) == 0;
}

struct check {
    enum signature_kind kind;
    struct sv text, signature;
    bool verify; /* else only whether the key is one */
};

static bool passes(gnutls_pubkey_t key, const struct check *k)
{
    gnutls_datum_t text = datum(k->text), signature = datum(k->signature);
    gnutls_sign_algorithm_t how =
        k->kind == SIGNATURE_RS256 ? GNUTLS_SIGN_RSA_SHA256 : GNUTLS_SIGN_EDDSA_ED25519;
    return fits(key, k->kind) &&
           (!k->verify || gnutls_pubkey_verify_data2(key, how, 0, &text, &signature) >= 0);
}

static bool with_jwk(const json_t *jwk, const struct check *k)
{
    gnutls_pubkey_t key;
    if (gnutls_pubkey_init(&key) != 0) {
        return false;
    }
    bool good = import_jwk(key, k->kind, jwk) && passes(key, k);
    gnutls_pubkey_deinit(key);
    return good;
}

/* A key that is alone in its set needs no name to be the one that a token names (RFC 7517, 4.5: kid is
 * optional); among several, only the name says which was meant. */
static bool is_named(const json_t *keys, const json_t *jwk, struct sv kid)
{
    const json_t *id = json_object_get(jwk, "kid");
    if (kid.n == 0 || (!id && json_array_size(keys) == 1)) {
        return true;
    }
    return json_is_string(id) && sv_is(kid, json_string_value(id));
}

/* One key that passes is enough. */
static bool with_set(const json_t *set, struct sv kid, const struct check *k)
{
    const json_t *keys = json_object_get(set, "keys"), *jwk;
    size_t i;
    bool good = false;
    json_array_foreach(keys, i, jwk) {
        if (!k->verify && json_object_get(jwk, "d")) {
            return false; /* a private key, which is not to be stored */
        }
        good = good || (i < KEYS_MOST && is_named(keys, jwk, kid) && with_jwk(jwk, k));
    }
    return good;
}

static bool with_pem(struct sv pem, const struct check *k)
{
    gnutls_pubkey_t key;
    gnutls_datum_t d = datum(pem);
    if (gnutls_pubkey_init(&key) != 0) {
        return false;
    }
    bool good = gnutls_pubkey_import(key, &d, GNUTLS_X509_FMT_PEM) == 0 && passes(key, k);
    gnutls_pubkey_deinit(key);
    return good;
}

static bool with_keys(struct sv keys, struct sv kid, const struct check *k)
{
    if (!sv_starts(sv_trim(keys), "{")) {
        return with_pem(keys, k);
    }
    json_t *set = json_loadb(keys.p, keys.n, 0, NULL);
    bool good = set && with_set(set, kid, k);
    json_decref(set);
    return good;
}

enum err_code signature_check_keys(enum signature_kind kind, struct sv keys, struct err *err)
{
    struct check k = {.kind = kind};
    return with_keys(keys, SV(""), &k)
               ? OK
               : err_rule(err, ERR_INPUT, "signing_key",
                          kind == SIGNATURE_RS256
                              ? "Give a public RSA key of at least 2048 bits in PEM, or a JSON key set "
                                "(JWKS) that contains one."
                              : "Give a public Ed25519 key in PEM, or a JSON key set (JWKS) that contains "
                                "one.");
}

bool signature_verify(enum signature_kind kind, struct sv keys, struct sv kid, struct sv text,
                      struct sv signature)
{
    struct check k = {.kind = kind, .text = text, .signature = signature, .verify = true};
    return with_keys(keys, kid, &k);
}

const char *signature_library_version(void)
{
    return gnutls_check_version(NULL);
}
