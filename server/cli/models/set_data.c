/* set_data.c - options that name a part of a set, notes about its state. */
#include "cli/models/set_data.h"

enum err_code subset_option(struct cli *cli, struct subset *out)
{
    const char *part = cli_opt(cli, "subset"), *labels = cli_opt(cli, "labels");
    return subset_labelled(cli->db, NULL, sv_of(part), sv_of(labels), &cli->arena, out, &cli->err);
}

enum err_code subset_option_new(struct cli *cli, struct subset *out)
{
    const char *part = cli_opt(cli, "new-subset"), *labels = cli_opt(cli, "new-labels");
    part = part ? part : cli_opt(cli, "subset");
    labels = labels ? labels : cli_opt(cli, "labels");
    return subset_labelled(cli->db, NULL, sv_of(part), sv_of(labels), &cli->arena, out, &cli->err);
}

enum err_code top_options(struct cli *cli, int *top, int *fresh_top)
{
    int64_t k = 1, fresh = 1;
    enum err_code rc = cli_opt_int(cli, "top", 1, 5, 1, &k);
    rc = rc == OK ? cli_opt_int(cli, "new-top", 1, 5, k, &fresh) : rc;
    if (rc == OK && ((k != 1 && k != 5) || (fresh != 1 && fresh != 5))) {
        return cli_usage(cli, "--top must be 1 or 5, and so must --new-top");
    }
    *top = (int)k;
    *fresh_top = (int)fresh;
    return rc;
}

void set_note_unsealed(const struct cli *cli, const struct revision_row *r)
{
    if (r->state == REVISION_UNSEALED) {
        cli_note(cli, SV_FMT "/%lld was unsealed before it was final: " SV_FMT, SV_ARG(r->set), (long long)r->number,
                 SV_ARG(r->state_reason));
    }
}
