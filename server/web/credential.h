/* credential.h - making the text of an API token. Called by the admin page, the API and the token
 * command. The database keeps keyed hashes only; `key` is the project's session_key. */
#ifndef WEB_CREDENTIAL_H
#define WEB_CREDENTIAL_H

#include "crypto/crypto.h"

#define API_TOKEN_PREFIX "hld_"
enum { API_TOKEN_TEXT = CRYPTO_TOKEN_TEXT + 4 };

/* A new API token and its hash. */
void credential_api_token(const unsigned char key[CRYPTO_HASH], char text[API_TOKEN_TEXT],
                          unsigned char hash[CRYPTO_HASH]);

#endif
