/* label_plans.c - plans of labels that images could have, against their digests. */
#include <string.h>

#include "check/parts.h"
#include "sets/labels/digest.h"

static enum err_code check_plan(struct check *c, const struct label_plan_list *l)
{
    struct label_plan_book book;
    struct arena a;
    unsigned char digest[LABEL_PLAN_DIGEST];
    arena_init(&a, 1 << 30);
    enum err_code rc = label_plan_read(c->db, l->id, &a, &book, c->err);
    if (rc == OK) {
        label_plan_digest(&book, digest);
        if (memcmp(digest, l->digest, LABEL_PLAN_DIGEST) != 0) {
            check_found(c, "plans of labels: one of %lld images does not match its digest; restore a backup", (long long)l->images);
        }
    }
    label_plan_release(&book);
    arena_release(&a);
    return rc;
}

enum err_code check_label_plans(struct check *c)
{
    struct label_plan_list *list;
    size_t n = 0;
    enum err_code rc = label_plan_lists(c->db, c->arena, &list, &n, c->err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        const struct label_plan_list *l = &list[i];
        check_progress(c, "checking plans of labels", i, n);
        if (l->plan == 0) {
            check_found(c, "plans of labels: one of %lld images was cut off after %lld; run the same command again to complete it",
                        (long long)l->images, (long long)l->rows);
        } else if (l->rows != l->images || l->label_rows != l->labels) {
            check_found(c, "plans of labels: one has %lld images with %lld labels instead of %lld with %lld", (long long)l->rows,
                        (long long)l->label_rows, (long long)l->images, (long long)l->labels);
        } else {
            rc = check_plan(c, l);
        }
    }
    return rc;
}
