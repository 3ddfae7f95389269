/* set.c - `holdout set list|freeze|release|unseal`: which sets there are, and the state of a
 * revision. A set that is under construction is sealed: no model is scored on it (store/sets/sets.h). */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "cli/core/commands.h"
#include "cli/core/table.h"
#include "crypto/crypto.h"
#include "formats/csv.h"
#include "sets/revisions/seal_check.h"
#include "store/sets/sets.h"

#define OUT_MOST ((size_t)1 << 24)

static void add_row(struct str *out, const struct revision_row *r)
{
    char digest[2 * SET_DIGEST + 1], at[CLOCK_ISO_SIZE];
    crypto_hex(r->digest, SET_DIGEST, digest);
    csv_cell(out, r->set);
    str_printf(out, ",%" PRId64 "," SV_FMT ",%" PRId64 "," SV_FMT ",%s,%s,", r->number,
               SV_ARG(r->role), r->images, SV_ARG(r->strategy), revision_state_word(r->state),
               clock_iso(r->at, at));
    csv_cell(out, r->state_reason);
    str_printf(out, ",%s\n", digest);
}

enum err_code cmd_set_list(struct cli *cli)
{
    struct revision_row *list;
    struct str out;
    size_t n = 0;
    str_init(&out, OUT_MOST);
    enum err_code rc = revisions_list(cli->db, 0, &cli->arena, &list, &n, &cli->err);
    str_addz(&out, "set,revision,role,images,strategy,state,made_at,reason,digest\n");
    for (size_t i = 0; i < n && rc == OK; i++) {
        add_row(&out, &list[i]);
        rc = export_flush(&out, &cli->err);
    }
    rc = export_end(&out, rc, &cli->err);
    if (rc == OK && n == 0) {
        cli_note(cli, "The project has no image set yet: import one with `holdout import set`.");
    }
    return rc;
}

static enum err_code change_state(struct cli *cli, enum revision_state state)
{
    const char *reason = cli_opt(cli, "reason");
    struct revision_row r;
    struct seal *drafts = NULL;
    size_t n_drafts = 0;
    if (!reason || !*reason) {
        return cli_usage(cli, "--reason is missing: reports and manifests print it");
    }
    enum err_code rc = revisions_find(cli->db, sv_of(cli->args[1]), &cli->arena, &r, &cli->err);
    rc = rc == OK ? db_tx_begin(cli->db, &cli->err) : rc;
    if (rc != OK) {
        return rc;
    }
    rc = seals_drafts(cli->db, r.id, &cli->arena, &drafts, &n_drafts, &cli->err);
    rc = rc == OK ? seal_state_add(cli->db, r.id, state, sv_of(reason), 0, clock_wall_ms(), &cli->err) : rc;
    if (rc == OK && !cli->dry_run) {
        rc = db_tx_commit(cli->db, &cli->err);
    }
    db_tx_rollback(cli->db); /* does nothing after a commit */
    if (rc == OK) {
        cli_note(cli, SV_FMT "/%" PRId64 " is %s%s.", SV_ARG(r.set), r.number,
                 revision_state_word(state),
                 cli->dry_run ? " (dry run: it was not changed)" : " now");
    }
    for (size_t i = 0; i < n_drafts && rc == OK; i++) {
        cli_note(cli, SV_FMT ", which it was made from, %s unsealed with it.", SV_ARG(drafts[i].name),
                 cli->dry_run ? "would be" : "is");
    }
    return rc;
}

enum err_code cmd_set_freeze(struct cli *cli)
{
    return change_state(cli, REVISION_FROZEN);
}

enum err_code cmd_set_release(struct cli *cli)
{
    return change_state(cli, REVISION_RELEASED);
}

enum err_code cmd_set_unseal(struct cli *cli)
{
    return change_state(cli, REVISION_UNSEALED);
}
