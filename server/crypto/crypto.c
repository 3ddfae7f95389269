/* crypto.c - secrets by libsodium; the only file that includes its headers. Knows nothing of
 * accounts, requests or the database. */
#include "crypto/crypto.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
/* Not sodium.h: that declares a function named random, which base/banned.h forbids. */
#include <sodium/core.h>
#include <sodium/crypto_auth_hmacsha256.h>
#include <sodium/crypto_generichash.h>
#include <sodium/crypto_hash_sha256.h>
#include <sodium/crypto_pwhash_argon2id.h>
#include <sodium/utils.h>
#include <sodium/version.h>
#include <sys/random.h>
#include <unistd.h>

_Static_assert((int)CRYPTO_HASH == crypto_hash_sha256_BYTES, "SHA-256 has 32 bytes");
_Static_assert((int)CRYPTO_CONTENT == crypto_generichash_BYTES_MAX, "BLAKE2b has 64 bytes");
_Static_assert((int)CRYPTO_PASSWORD_TEXT >= crypto_pwhash_argon2id_STRBYTES, "room for the text");
enum { BASE64 = sodium_base64_VARIANT_URLSAFE_NO_PADDING };
_Static_assert((int)CRYPTO_TOKEN_TEXT == sodium_base64_ENCODED_LEN(CRYPTO_TOKEN, BASE64),
               "22 characters and a NUL");

/* OWASP's first choice: 19 MiB and two passes. */
#define ARGON_MEMORY ((size_t)19 << 20)
enum { ARGON_PASSES = 2 };

/* Argon2id text of random bytes that were thrown away, with the parameters above: what an unknown
 * login is verified against, so that it takes as long as a known one. */
static const char dummy_hash[] =
    "$argon2id$v=19$m=19456,t=2,p=1$HqzK85UXjduJG5VjN"
    "jpP3w$Pw3odplvsGkQfQ1TMoA+cvP/ZplDfCej+1R5b4JDRpk";

/* One password at a time: two would need 38 MiB and the server promises to stay below 64. */
static pthread_mutex_t argon = PTHREAD_MUTEX_INITIALIZER;

enum err_code crypto_init(struct err *err)
{
    return sodium_init() < 0 ? err_set(err, ERR_IO, "the system gives no random bytes") : OK;
}

const char *crypto_library_version(void)
{
    return sodium_version_string();
}

void crypto_random(void *p, size_t n)
{
    /* Pieces of at most 256 bytes are given whole and never interrupted (getrandom(2)). */
    for (unsigned char *at = p; n;) {
        size_t piece = n < 256 ? n : 256;
        BUG_IF(getrandom(at, piece, 0) != (ssize_t)piece);
        at += piece;
        n -= piece;
    }
}

void crypto_sha256(const void *p, size_t n, unsigned char out[CRYPTO_HASH])
{
    crypto_hash_sha256(out, p, n);
}

typedef int (*piece_add)(void *state, const unsigned char *p, size_t n);

/* Gives the open file to `add` in pieces, from where it is read; *bytes gets how many there were. */
static enum err_code each_piece_of(int fd, const char *path, piece_add add, void *state,
                                   size_t *bytes, struct err *err)
{
    unsigned char piece[65536];
    size_t total = 0;
    ssize_t n;
    while ((n = read(fd, piece, sizeof piece)) > 0) {
        int failed = add(state, piece, (size_t)n);
        BUG_IF(failed);
        total += (size_t)n;
    }
    if (n < 0) {
        return err_errno(err, errno, "cannot read %s", path);
    }
    if (bytes) {
        *bytes = total;
    }
    return OK;
}

static enum err_code each_piece(const char *path, piece_add add, void *state, size_t *bytes,
                                struct err *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return errno == ENOENT ? err_set(err, ERR_NOT_FOUND, "%s: no such file", path)
                               : err_errno(err, errno, "cannot open %s", path);
    }
    enum err_code rc = each_piece_of(fd, path, add, state, bytes, err);
    close(fd);
    return rc;
}

static int sha256_add(void *state, const unsigned char *p, size_t n)
{
    return crypto_hash_sha256_update(state, p, n);
}

enum err_code crypto_sha256_file(const char *path, unsigned char out[CRYPTO_HASH], struct err *err)
{
    crypto_hash_sha256_state state;
    crypto_hash_sha256_init(&state);
    enum err_code rc = each_piece(path, sha256_add, &state, NULL, err);
    if (rc == OK) {
        crypto_hash_sha256_final(&state, out);
    }
    return rc;
}

static int blake2b_add(void *state, const unsigned char *p, size_t n)
{
    return crypto_generichash_update(state, p, n);
}

enum err_code crypto_blake2b_files(const char *const *paths, size_t n, unsigned char out[CRYPTO_CONTENT],
                                   size_t *bytes, struct err *err)
{
    crypto_generichash_state state;
    crypto_generichash_init(&state, NULL, 0, CRYPTO_CONTENT);
    enum err_code rc = OK;
    size_t total = 0;
    for (size_t i = 0; i < n && rc == OK; i++) {
        size_t one = 0;
        rc = each_piece(paths[i], blake2b_add, &state, &one, err);
        total += one;
    }
    if (rc == OK) {
        crypto_generichash_final(&state, out, CRYPTO_CONTENT);
        if (bytes) {
            *bytes = total;
        }
    }
    return rc;
}

enum err_code crypto_blake2b_file(const char *path, unsigned char out[CRYPTO_CONTENT],
                                  size_t *bytes, struct err *err)
{
    return crypto_blake2b_files(&path, 1, out, bytes, err);
}

enum err_code crypto_blake2b_fd(int fd, const char *path, unsigned char out[CRYPTO_CONTENT],
                                size_t *bytes, struct err *err)
{
    crypto_generichash_state state;
    crypto_generichash_init(&state, NULL, 0, CRYPTO_CONTENT);
    enum err_code rc = each_piece_of(fd, path, blake2b_add, &state, bytes, err);
    if (rc == OK) {
        crypto_generichash_final(&state, out, CRYPTO_CONTENT);
    }
    return rc;
}

void crypto_hmac_sha256(struct sv key, struct sv text, unsigned char out[CRYPTO_HASH])
{
    crypto_auth_hmacsha256_state state;
    crypto_auth_hmacsha256_init(&state, (const unsigned char *)key.p, key.n);
    crypto_auth_hmacsha256_update(&state, (const unsigned char *)text.p, text.n);
    crypto_auth_hmacsha256_final(&state, out);
    sodium_memzero(&state, sizeof state);
}

void crypto_keyed(const unsigned char key[CRYPTO_HASH], struct sv text,
                  unsigned char out[CRYPTO_HASH])
{
    int failed = crypto_generichash(out, CRYPTO_HASH, (const unsigned char *)text.p, text.n, key,
                                    CRYPTO_HASH);
    BUG_IF(failed);
}

bool crypto_equal(const void *a, const void *b, size_t n)
{
    return sodium_memcmp(a, b, n) == 0;
}

void crypto_base64url(const void *p, size_t n, char *out)
{
    sodium_bin2base64(out, sodium_base64_encoded_len(n, BASE64), p, n, BASE64);
}

bool crypto_unbase64url(struct sv text, void *out, size_t n)
{
    size_t have = 0;
    return text.p && text.n == (n * 4 + 2) / 3 &&
           sodium_base642bin(out, n, text.p, text.n, NULL, &have, NULL, BASE64) == 0 && have == n;
}

void crypto_hex(const void *p, size_t n, char *out)
{
    sodium_bin2hex(out, 2 * n + 1, p, n);
}

bool crypto_unhex(struct sv text, void *out, size_t n)
{
    size_t have = 0;
    return text.p && text.n == 2 * n &&
           sodium_hex2bin(out, n, text.p, text.n, NULL, &have, NULL) == 0 && have == n;
}

void crypto_token(unsigned char raw[CRYPTO_TOKEN], char text[CRYPTO_TOKEN_TEXT])
{
    crypto_random(raw, CRYPTO_TOKEN);
    crypto_base64url(raw, CRYPTO_TOKEN, text);
}

/* Characters of UTF-8 text: every byte that does not continue one. */
static size_t characters(struct sv text)
{
    size_t n = 0;
    for (size_t i = 0; i < text.n; i++) {
        n += ((unsigned char)text.p[i] & 0xC0) != 0x80;
    }
    return n;
}

/* Bytes are capped too, for text that is not UTF-8. */
static bool too_long(struct sv password)
{
    return password.n > 4 * (size_t)CRYPTO_PASSWORD_MOST ||
           characters(password) > CRYPTO_PASSWORD_MOST;
}

static enum err_code check_password(struct sv password, struct err *err)
{
    if (too_long(password)) {
        return err_rule(err, ERR_INPUT, "password-long",
                        "The password is longer than %d characters.", CRYPTO_PASSWORD_MOST);
    }
    if (characters(password) < CRYPTO_PASSWORD_LEAST) {
        return err_rule(err, ERR_INPUT, "password-short",
                        "The password must have at least %d characters.", CRYPTO_PASSWORD_LEAST);
    }
    return OK;
}

enum err_code crypto_password_hash(struct sv password, char out[CRYPTO_PASSWORD_TEXT],
                                   struct err *err)
{
    enum err_code rc = check_password(password, err);
    if (rc != OK) {
        return rc;
    }
    pthread_mutex_lock(&argon);
    int failed =
        crypto_pwhash_argon2id_str(out, password.p, password.n, ARGON_PASSES, ARGON_MEMORY);
    pthread_mutex_unlock(&argon);
    return failed ? err_set(err, ERR_BUSY, "no memory to hash a password; try again") : OK;
}

bool crypto_password_verify(struct sv password, const char *hash)
{
    bool real = hash && !too_long(password);
    pthread_mutex_lock(&argon);
    int differs = crypto_pwhash_argon2id_str_verify(real ? hash : dummy_hash,
                                                    real && password.n ? password.p : "",
                                                    real ? password.n : 0);
    pthread_mutex_unlock(&argon);
    return real && !differs;
}
