/* credential.c - making and reading tokens. Called by the gate, the account pages and the token
 * command; knows nothing of the database. */
#include "web/credential.h"

#include <stdio.h>
#include <string.h>

void credential_api_token(const unsigned char key[CRYPTO_HASH], char text[API_TOKEN_TEXT],
                          unsigned char hash[CRYPTO_HASH])
{
    unsigned char raw[CRYPTO_TOKEN];
    char random_part[CRYPTO_TOKEN_TEXT];
    crypto_token(raw, random_part);
    snprintf(text, API_TOKEN_TEXT, API_TOKEN_PREFIX "%s", random_part);
    crypto_keyed(key, sv_of(text), hash);
}

void credential_csrf(const unsigned char key[CRYPTO_HASH], struct sv session,
                     char out[CRYPTO_TOKEN_TEXT])
{
    /* Cookies are 22 characters; a longer one is somebody's joke and gets a token nobody needs. */
    char text[64] = "csrf:";
    size_t n = session.n < sizeof text - 5 ? session.n : sizeof text - 5;
    if (n) {
        memcpy(text + 5, session.p, n);
    }
    unsigned char hash[CRYPTO_HASH];
    crypto_keyed(key, sv_make(text, 5 + n), hash);
    crypto_base64url(hash, CRYPTO_TOKEN, out);
}

bool credential_csrf_is(const unsigned char key[CRYPTO_HASH], struct sv session, struct sv given)
{
    char want[CRYPTO_TOKEN_TEXT];
    credential_csrf(key, session, want);
    return given.n == CRYPTO_TOKEN_TEXT - 1 && crypto_equal(given.p, want, given.n);
}

struct sv credential_bearer(const struct request *req)
{
    struct sv rest = request_header(req, "Authorization");
    struct sv scheme = sv_cut(&rest, ' ');
    bool known = sv_eq_nocase(scheme, "Bearer") || sv_eq_nocase(scheme, "Token");
    return known ? sv_trim(rest) : (struct sv){NULL, 0};
}
