/* labels.c - lists of labels against their digests. */
#include <string.h>

#include "check/parts.h"
#include "crypto/crypto.h"
#include "store/labels/labels.h"

static enum err_code check_list(struct check *c, const struct label_list_state *l)
{
    struct label_book book;
    struct str bytes;
    unsigned char digest[CRYPTO_HASH];
    enum err_code rc = label_list_read(c->db, l->id, &book, c->err);
    if (rc == OK) {
        str_init(&bytes, LABEL_PACKED_MOST);
        label_book_pack(&book, &bytes);
        struct sv all = str_sv(&bytes);
        crypto_sha256(all.p, all.n, digest);
        str_release(&bytes);
        if (memcmp(digest, l->digest, LABEL_DIGEST) != 0) {
            check_found(c, "labels: a list of %lld images does not match its digest; restore a backup", (long long)l->images);
        }
    }
    label_book_release(&book);
    return rc;
}

enum err_code check_labels(struct check *c)
{
    struct label_list_state *list;
    size_t n = 0;
    enum err_code rc = label_lists_check(c->db, c->arena, &list, &n, c->err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        const struct label_list_state *l = &list[i];
        check_progress(c, "checking labels", i, n);
        if (l->version == 0) {
            check_found(c, "labels: a list of %lld images belongs to no version: the import of labels was cut off after %lld; "
                           "run the same import again to complete it",
                        (long long)l->images, (long long)l->rows);
        } else if (l->rows != l->images || l->label_rows != l->labels) {
            check_found(c, "labels: a list has %lld images with %lld labels instead of %lld with %lld", (long long)l->rows,
                        (long long)l->label_rows, (long long)l->images, (long long)l->labels);
        } else {
            rc = check_list(c, l);
        }
    }
    return rc;
}
