/* credential.c - making API tokens. Knows nothing of the database. */
#include "study/credential.h"

#include <stdio.h>

void credential_api_token(const unsigned char key[CRYPTO_HASH], char text[API_TOKEN_TEXT],
                          unsigned char hash[CRYPTO_HASH])
{
    unsigned char raw[CRYPTO_TOKEN];
    char random_part[CRYPTO_TOKEN_TEXT];
    crypto_token(raw, random_part);
    snprintf(text, API_TOKEN_TEXT, API_TOKEN_PREFIX "%s", random_part);
    crypto_keyed(key, sv_of(text), hash);
}
