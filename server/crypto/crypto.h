/* crypto.h - secrets: random tokens, keyed and plain hashes, passwords. crypto.c is the only file
 * that includes sodium.h. Knows nothing of accounts or requests. */
#ifndef CRYPTO_CRYPTO_H
#define CRYPTO_CRYPTO_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/sv.h"

enum {
    CRYPTO_HASH = 32,         /* bytes of SHA-256 and of keyed hashes */
    CRYPTO_CONTENT = 64,      /* bytes of the BLAKE2b that backups write */
    CRYPTO_TOKEN = 16,        /* bytes of a capability: 128 random bits */
    CRYPTO_TOKEN_TEXT = 23,   /* its base64url text with NUL: 22 characters, no padding */
    CRYPTO_PASSWORD_TEXT = 128, /* an Argon2id string with NUL */
    CRYPTO_PASSWORD_LEAST = 12, /* fewest characters of a password */
    CRYPTO_PASSWORD_MOST = 1024
};

/* Once per process, before anything else here. */
enum err_code crypto_init(struct err *err);
const char *crypto_library_version(void);

void crypto_random(void *p, size_t n);
void crypto_sha256(const void *p, size_t n, unsigned char out[CRYPTO_HASH]);
/* Of a file read in pieces. What an original is named by. */
enum err_code crypto_sha256_file(const char *path, unsigned char out[CRYPTO_HASH], struct err *err);
/* BLAKE2b-512 as b2sum prints it, much faster than SHA-256; *bytes gets the size (may be NULL). */
enum err_code crypto_blake2b_file(const char *path, unsigned char out[CRYPTO_CONTENT],
                                  size_t *bytes, struct err *err);
/* The same of an open file, from where it is read; it stays open. `path` is for messages. */
enum err_code crypto_blake2b_fd(int fd, const char *path, unsigned char out[CRYPTO_CONTENT],
                                size_t *bytes, struct err *err);
/* The same for several files, one after the other. */
enum err_code crypto_blake2b_files(const char *const *paths, size_t n, unsigned char out[CRYPTO_CONTENT],
                                   size_t *bytes, struct err *err);
/* BLAKE2b-256 of the text under a 32-byte key: session and token hashes, worker ids in logs. */
void crypto_keyed(const unsigned char key[CRYPTO_HASH], struct sv text,
                  unsigned char out[CRYPTO_HASH]);
/* HMAC-SHA-256 (RFC 2104) of the text; any length of key. For what others sign. */
void crypto_hmac_sha256(struct sv key, struct sv text, unsigned char out[CRYPTO_HASH]);
bool crypto_equal(const void *a, const void *b, size_t n); /* constant time */

/* base64url without padding. `out` holds 4*ceil(n/3)+1 bytes. */
void crypto_base64url(const void *p, size_t n, char *out);
/* Decodes exactly n bytes; false for anything else. */
bool crypto_unbase64url(struct sv text, void *out, size_t n);
void crypto_hex(const void *p, size_t n, char *out); /* lower case, 2n+1 bytes */
bool crypto_unhex(struct sv text, void *out, size_t n);

/* A new random capability: raw bytes and their text. */
void crypto_token(unsigned char raw[CRYPTO_TOKEN], char text[CRYPTO_TOKEN_TEXT]);

/* Argon2id, 19 MiB, 2 passes (OWASP's first choice); about 30 ms: slow handlers and CLI only.
 * One runs at a time in a process: each takes much memory. */
enum err_code crypto_password_hash(struct sv password, char out[CRYPTO_PASSWORD_TEXT],
                                   struct err *err);
/* False takes as long as true. `hash` NULL stands for an unknown login: the password is verified
 * against a fixed hash, so that the time says nothing, and the answer is false. */
bool crypto_password_verify(struct sv password, const char *hash);

#endif
