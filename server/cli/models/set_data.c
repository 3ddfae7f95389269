/* set_data.c - options that name a part of a set, notes about its state. */
#include "cli/models/set_data.h"

enum err_code subset_option(struct cli *cli, struct subset *out)
{
    const char *part = cli_opt(cli, "subset"), *labels = cli_opt(cli, "labels");
    return subset_labelled(cli->db, NULL, sv_of(part), sv_of(labels), &cli->arena, out, &cli->err);
}

enum err_code subset_option_new(struct cli *cli, struct subset *out)
{
    const char *part = cli_opt(cli, "subset"), *labels = cli_opt(cli, "new-labels");
    labels = labels ? labels : cli_opt(cli, "labels");
    return subset_labelled(cli->db, NULL, sv_of(part), sv_of(labels), &cli->arena, out, &cli->err);
}

void set_note_unsealed(const struct cli *cli, const struct revision_row *r)
{
    if (r->state == REVISION_UNSEALED) {
        cli_note(cli, SV_FMT "/%lld was unsealed before it was final: " SV_FMT, SV_ARG(r->set), (long long)r->number,
                 SV_ARG(r->state_reason));
    }
}
