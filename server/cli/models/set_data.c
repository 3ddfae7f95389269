/* set_data.c - a set's name, digest and state. */
#include "cli/models/set_data.h"

#include "crypto/crypto.h"
#include "json/object.h"

json_t *set_data(const struct revision_row *r)
{
    char digest[2 * SET_DIGEST + 1];
    crypto_hex(r->digest, SET_DIGEST, digest);
    return object(field_sv("set", r->set), field_int("revision", r->number), field_sv("role", r->role),
                  field_int("images", r->images), field_text("digest", digest),
                  field_text("state", revision_state_word(r->state)), field_sv("state_reason", r->state_reason));
}

enum err_code subset_option(struct cli *cli, struct subset *out)
{
    const char *part = cli_opt(cli, "subset"), *labels = cli_opt(cli, "labels");
    return subset_labelled(cli->db, sv_of(part), sv_of(labels), &cli->arena, out, &cli->err);
}

enum err_code subset_option_new(struct cli *cli, struct subset *out)
{
    const char *part = cli_opt(cli, "subset"), *labels = cli_opt(cli, "new-labels");
    labels = labels ? labels : cli_opt(cli, "labels");
    return subset_labelled(cli->db, sv_of(part), sv_of(labels), &cli->arena, out, &cli->err);
}

void set_note_unsealed(const struct cli *cli, const struct revision_row *r)
{
    if (r->state == REVISION_UNSEALED) {
        cli_note(cli, SV_FMT "/%lld was unsealed before it was final: " SV_FMT, SV_ARG(r->set), (long long)r->number,
                 SV_ARG(r->state_reason));
    }
}
