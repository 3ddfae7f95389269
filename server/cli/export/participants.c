/* participants.c - `holdout export participants` and `export pay`: who took part, and the
 * lists that a panel is given. */
#include <string.h>

#include "cli/core/workers.h"
#include "store/campaigns/campaigns.h"
#include "transfer/exports/exports.h"

enum err_code worker_campaign(struct cli *cli, struct campaign *out)
{
    const char *name = cli_opt(cli, "campaign");
    return name ? campaigns_find(cli->db, sv_of(name), &cli->arena, out, &cli->err)
                : cli_usage(cli, "name the campaign with --campaign NAME");
}

enum err_code cmd_export_participants(struct cli *cli)
{
    struct campaign k;
    enum err_code rc = worker_campaign(cli, &k);
    return rc == OK ? participants_export(cli_transfer(cli), &k, cli_has(cli, "panel-ids")) : rc;
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
    return cli_usage(cli, "--list must be approve, reject or bonus");
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
        cli_note(cli, "%lld in the list. For what is decided later, use --after %lld",
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
    int64_t after;
    enum err_code rc = list_option(cli, &list);
    rc = rc == OK ? cli_opt_int(cli, "after", 0, INT64_MAX, 0, &after) : rc;
    rc = rc == OK ? worker_campaign(cli, &k) : rc;
    rc = rc == OK ? pay_list_export(cli_transfer(cli), &k, list, after, &told) : rc;
    if (rc == OK) {
        tell(cli, &k, list, &told);
    }
    return rc;
}
