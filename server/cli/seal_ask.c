/* seal_ask.c - imports of lists that hold what is sealed. */
#include "cli/seal_ask.h"

struct sv seal_reason(const struct cli *cli)
{
    const char *reason = cli_opt(cli, "unseal");
    return sv_trim(sv_of(reason ? reason : ""));
}

enum err_code seal_ask_list(struct cli *cli, const struct revision_new *r, const uint32_t *ids, const char *what,
                            struct seal_asked *out)
{
    struct seal_check k = {0};
    int64_t there = 0;
    *out = (struct seal_asked){0};
    if (r->state == REVISION_SEALED && !sv_is(r->role, "original")) {
        return OK;
    }
    enum err_code rc = revisions_same(cli->db, r, &there, &cli->err);
    if (rc != OK || there) {
        return rc;
    }
    rc = seal_check_open(&k, cli->db, 0, &cli->arena, &cli->err);
    if (rc == OK) {
        seal_check_list(&k, ids, r->n, out);
        rc = seal_asked_check(out, what, r->n, seal_reason(cli), &cli->err);
    }
    seal_check_release(&k);
    return rc;
}

void seal_ask_note(struct cli *cli, const struct seal_asked *asked, const char *through)
{
    for (size_t i = 0; i < asked->n; i++) {
        cli_note(cli, SV_FMT " is unsealed early: %s has %lld of its images.", SV_ARG(asked->names[i]), through,
                 (long long)asked->opened[i].shared);
    }
}
