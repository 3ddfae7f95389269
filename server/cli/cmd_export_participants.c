/* cmd_export_participants.c - `holdout export participants` and `export pay`: who took part, and the
 * lists that a panel is given. */
#include <stdio.h>
#include <string.h>

#include "cli/cmd_worker.h"
#include "cli/export.h"
#include "store/campaigns.h"
#include "store/studies.h"
#include "web/participants_out.h"

enum { OUT_MOST = 1 << 26 };

static enum err_code to_stdout(void *arg, struct str *out, struct err *err)
{
    (void)arg;
    if (out->n && fwrite(out->p, 1, out->n, stdout) != out->n) {
        return err_set(err, ERR_IO, "cannot write the output");
    }
    str_clear(out);
    return OK;
}

enum err_code worker_campaign(struct cli *cli, struct campaign *out)
{
    const char *name = cli_opt(cli, "campaign");
    return name ? campaigns_find(cli->db, sv_of(name), &cli->arena, out, &cli->err)
                : cli_usage(cli, "say which campaign with --campaign NAME");
}

enum err_code cmd_export_participants(struct cli *cli)
{
    struct campaign k;
    struct study s = {0};
    struct str out;
    bool panel_ids;
    enum err_code rc = worker_campaign(cli, &k);
    if (rc == OK && !k.imported) {
        rc = studies_get(cli->db, k.id, &cli->arena, &s, &cli->err);
    }
    if (rc != OK) {
        return rc;
    }
    rc = export_panel_ids(cli, "participants", k.id, &panel_ids);
    if (rc != OK) {
        return rc;
    }
    str_init(&out, OUT_MOST);
    rc = participants_csv(cli->db, k.id, panel_ids, s.id_parameters, &out, to_stdout, NULL, &cli->err);
    str_release(&out);
    return rc;
}

static enum err_code list_option(struct cli *cli, enum pay_list *out)
{
    const char *name = cli_opt(cli, "list");
    for (unsigned i = 0; name && i < PAY_LISTS; i++) {
        if (strcmp(name, pay_list_name((enum pay_list)i)) == 0) {
            *out = (enum pay_list)i;
            return OK;
        }
    }
    return cli_usage(cli, "--list is approve, reject or bonus");
}

static void tell(const struct cli *cli, const struct campaign *k, enum pay_list list,
                 const struct pay_list_told *told)
{
    if (told->nameless) {
        cli_note(cli,
                 "%lld more %s not in the list: their panel id is not known, or they asked to be "
                 "forgotten. Decide about them at the panel itself.",
                 (long long)told->nameless, told->nameless == 1 ? "person is" : "people are");
    }
    if (told->rows) {
        cli_note(cli, "%lld in the list. What is decided later: --after %lld",
                 (long long)told->rows, (long long)told->newest);
    } else {
        cli_note(cli, "Nothing to %s in " SV_FMT "; `holdout worker pay` records decisions.",
                 list == PAY_LIST_BONUS ? "pay as a bonus" : pay_list_name(list),
                 SV_ARG(k->name));
    }
}

enum err_code cmd_export_pay(struct cli *cli)
{
    struct campaign k;
    enum pay_list list = PAY_LIST_APPROVE;
    struct pay_list_told told;
    struct str out;
    int64_t after;
    enum err_code rc = list_option(cli, &list);
    if (rc == OK) {
        rc = cli_opt_int(cli, "after", 0, INT64_MAX, 0, &after);
    }
    if (rc == OK) {
        rc = worker_campaign(cli, &k);
    }
    if (rc != OK) {
        return rc;
    }
    rc = export_records_ids(cli, pay_list_name(list), k.id);
    if (rc != OK) {
        return rc;
    }
    str_init(&out, OUT_MOST);
    rc = participants_pay_list(cli->db, k.id, list, after, &out, to_stdout, NULL, &told,
                               &cli->err);
    str_release(&out);
    if (rc == OK) {
        tell(cli, &k, list, &told);
    }
    return rc;
}
