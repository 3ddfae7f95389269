/* digest.c - the hash of a book's bytes. */
#include "sets/labels/digest.h"

#include "crypto/crypto.h"

void label_plan_digest(const struct label_plan_book *b, unsigned char out[LABEL_PLAN_DIGEST])
{
    struct str bytes;
    str_init(&bytes, LABEL_PLAN_PACKED_MOST);
    label_plan_pack(b, &bytes);
    crypto_sha256(str_sv(&bytes).p, str_sv(&bytes).n, out);
    str_release(&bytes);
}
