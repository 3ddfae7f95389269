/* unit_crypto.h - for tests of what draws tokens or hashes: TESTS_SHARE(unit_crypto, NULL). */
#ifndef UNIT_CRYPTO_H
#define UNIT_CRYPTO_H

#include "unit.h"

#include "crypto/crypto.h"

static inline int unit_crypto(void **state)
{
    (void)state;
    struct err err = {0};
    return crypto_init(&err) == OK ? 0 : -1;
}

#endif
