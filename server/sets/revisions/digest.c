/* digest.c - the digest of a set's content. */
#include "sets/revisions/digest.h"

#include <stdlib.h>

#include "base/str.h"
#include "base/xalloc.h"
#include "crypto/crypto.h"

/* As the whole lines compare: a name that ends where the other goes on has its comma there. */
static int by_line(const void *a, const void *b)
{
    const struct set_line *x = a, *y = b;
    size_t n = x->image.n < y->image.n ? x->image.n : y->image.n;
    int c = n ? memcmp(x->image.p, y->image.p, n) : 0;
    if (c == 0 && x->image.n != y->image.n) {
        unsigned char next_x = x->image.n > n ? (unsigned char)x->image.p[n] : ',';
        unsigned char next_y = y->image.n > n ? (unsigned char)y->image.p[n] : ',';
        c = next_x != next_y ? next_x - next_y : x->image.n > y->image.n ? 1 : -1;
    }
    return c ? c : sv_cmp(x->wnid, y->wnid);
}

void set_digest(struct set_line *lines, size_t n, unsigned char out[SET_DIGEST])
{
    struct str text;
    str_init(&text, SIZE_MAX / 2);
    if (n) {
        qsort(lines, n, sizeof *lines, by_line);
    }
    for (size_t i = 0; i < n; i++) {
        str_addz(&text, i ? "\n" : "");
        str_addsv(&text, lines[i].image);
        str_addc(&text, ',');
        str_addsv(&text, lines[i].wnid);
    }
    crypto_sha256(text.p, text.n, out);
    str_release(&text);
}
