/* decisions.c - `holdout import blacklist`, `near-duplicates`, `override`, `review-thresholds`, `nn-reviews`,
 * `reviews`: what was decided about images and classes elsewhere. */
#include "cli/core/commands.h"
#include "transfer/imports/imports.h"

enum err_code cmd_import_blacklist(struct cli *cli)
{
    return blacklist_import(cli_transfer(cli), cli->args[1], cli_opt(cli, "reasons"));
}

enum err_code cmd_import_near_duplicates(struct cli *cli)
{
    return near_duplicates_import(cli_transfer(cli), cli->args[1]);
}

enum err_code cmd_import_override(struct cli *cli)
{
    return override_import(cli_transfer(cli), cli->args[1]);
}

enum err_code cmd_import_review_thresholds(struct cli *cli)
{
    return review_thresholds_import(cli_transfer(cli), cli->args[1], cli_has(cli, "listed-only"));
}

enum err_code cmd_import_nn_reviews(struct cli *cli)
{
    return nn_reviews_import(cli_transfer(cli), cli->args[1]);
}

enum err_code cmd_import_reviews(struct cli *cli)
{
    return reviews_import(cli_transfer(cli), cli->args + 1, (size_t)cli->n_args - 1, cli_opt(cli, "set"));
}
