/* credential.h - making the text of an API token. The database keeps keyed hashes only; `key` is the
 * project's session_key. */
#ifndef STUDY_CREDENTIAL_H
#define STUDY_CREDENTIAL_H

#include "crypto/crypto.h"

#define API_TOKEN_PREFIX "hld_"
enum { API_TOKEN_TEXT = CRYPTO_TOKEN_TEXT + 4 };

/* A new API token and its hash. */
void credential_api_token(const unsigned char key[CRYPTO_HASH], char text[API_TOKEN_TEXT],
                          unsigned char hash[CRYPTO_HASH]);

#endif
