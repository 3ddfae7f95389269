/* sha256_ni.h - SHA-256's compression by the processor's own instructions, where it has them.
 * For crypto.c, which does everything else by libsodium: backups and imports hash gigabytes. */
#ifndef CRYPTO_SHA256_NI_H
#define CRYPTO_SHA256_NI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool sha256_ni_here(void);
/* Takes `blocks` pieces of 64 bytes into the state. Only where sha256_ni_here() says so. */
void sha256_ni_blocks(uint32_t state[8], const unsigned char *p, size_t blocks);

#endif
