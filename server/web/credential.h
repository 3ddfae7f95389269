/* credential.h - the texts that stand for somebody: session cookies, API tokens, CSRF tokens.
 * Called by the gate, the account pages and the token command. The database keeps keyed hashes
 * only; `key` is the project's session_key. */
#ifndef WEB_CREDENTIAL_H
#define WEB_CREDENTIAL_H

#include "crypto/crypto.h"
#include "http/http.h"

#define SESSION_COOKIE "holdout_session"
#define API_TOKEN_PREFIX "hld_"
enum { API_TOKEN_TEXT = CRYPTO_TOKEN_TEXT + 4 };

/* A new API token and its hash. */
void credential_api_token(const unsigned char key[CRYPTO_HASH], char text[API_TOKEN_TEXT],
                          unsigned char hash[CRYPTO_HASH]);
/* The CSRF token of a session: nothing is stored, so it holds as long as the session. */
void credential_csrf(const unsigned char key[CRYPTO_HASH], struct sv session,
                     char out[CRYPTO_TOKEN_TEXT]);
/* In constant time. */
bool credential_csrf_is(const unsigned char key[CRYPTO_HASH], struct sv session, struct sv given);
/* The text behind "Authorization: Bearer" or "Token"; empty when there is none. */
struct sv credential_bearer(const struct request *req);

#endif
