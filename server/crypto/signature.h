/* signature.h - signatures that others make with a private key: whether one fits a public key. GnuTLS
 * does it; signature.c is the only file that includes it. Knows nothing of what is signed. */
#ifndef CRYPTO_SIGNATURE_H
#define CRYPTO_SIGNATURE_H

#include <stdbool.h>

#include "base/err.h"
#include "base/sv.h"

enum signature_kind {
    SIGNATURE_RS256, /* RSA PKCS #1 v1.5 with SHA-256, keys of 2048 bits and more */
    SIGNATURE_EDDSA  /* Ed25519 */
};

/* GnuTLS's version; the text is static. */
const char *signature_library_version(void);

/* `keys`: one public key in PEM, or a JSON Web Key Set (RFC 7517) with keys of that kind, none of
 * them private. ERR_INPUT
 * (rule "signing_key") for anything else. */
enum err_code signature_check_keys(enum signature_kind kind, struct sv keys, struct err *err);
/* Whether one of the keys of that kind made the signature. Of a set only the key with the id `kid`
 * is tried; all of them when kid is empty, and a set's only key when it has no id. A key in PEM
 * serves for every kid. */
bool signature_verify(enum signature_kind kind, struct sv keys, struct sv kid, struct sv text,
                      struct sv signature);

#endif
