/* seal_ask.c - imports of lists that hold what is sealed. */
#include "transfer/sets/seal_ask.h"

enum err_code seal_ask_list(struct transfer *tr, const struct revision_new *r, const uint32_t *ids, const char *what,
                            struct sv reason, struct seal_asked *out)
{
    struct seal_check k = {0};
    int64_t there = 0;
    *out = (struct seal_asked){0};
    if (r->state == REVISION_SEALED && !sv_is(r->role, "original")) {
        return OK;
    }
    enum err_code rc = revisions_same(tr->db, r, &there, tr->err);
    if (rc != OK || there) {
        return rc;
    }
    rc = seal_check_open(&k, tr->db, 0, tr->arena, tr->err);
    if (rc == OK) {
        seal_check_list(&k, ids, r->n, out);
        rc = seal_asked_check(out, what, r->n, reason, tr->err);
    }
    seal_check_release(&k);
    return rc;
}

void seal_ask_note(struct transfer *tr, const struct seal_asked *asked, const char *through)
{
    for (size_t i = 0; i < asked->n; i++) {
        transfer_note(tr, SV_FMT " is unsealed early: %s has %lld of its images.", SV_ARG(asked->names[i]), through,
                 (long long)asked->opened[i].shared);
    }
}
