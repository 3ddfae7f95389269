/* features_import.c - `holdout import features`: images of which only a model's features are known. */
#include "cli/core/commands.h"
#include "cli/models/features_source.h"
#include "domain/images/image_role.h"
#include "transfer/imports/imports.h"

enum err_code cmd_import_features(struct cli *cli)
{
    struct model_use m = {0};
    struct feature_source source = {0};
    const char *role = cli_has(cli, "role") ? cli_opt(cli, "role") : image_role_words[IMAGE_TRAINING];
    enum image_role is = image_role_of(sv_of(role));
    if (is != IMAGE_TRAINING && is != IMAGE_REFERENCE) {
        return cli_usage(cli, "--role must be training or reference: others are looked at, and need pixels");
    }
    if (!cli_opt(cli, "model") || !cli_opt(cli, "names")) {
        return cli_usage(cli, "--%s is missing", cli_opt(cli, "model") ? "names" : "model");
    }
    enum err_code rc = features_source_model(cli, &m, &source);
    rc = rc == OK ? features_source_here(cli, &m, &source) : rc;
    if (rc == OK) {
        const struct features_ask ask = {.file = cli->args[1], .names = cli_opt(cli, "names"), .role = role,
                                         .model = m.row.name, .source = &source};
        rc = features_import(cli_transfer(cli), &ask);
    }
    model_use_close(&m);
    return rc;
}
