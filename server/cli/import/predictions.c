/* predictions.c - `holdout import predictions`, `texts`, `model-facts`: what models said about images, and what people say of models. */
#include "cli/core/commands.h"
#include "transfer/imports/imports.h"

enum err_code cmd_import_predictions(struct cli *cli)
{
    struct predictions_ask ask = {.files = cli->args + 1,
                                  .n_files = (size_t)cli->n_args - 1,
                                  .set = cli_opt(cli, "set"),
                                  .images = cli_opt(cli, "images"),
                                  .model = cli_opt(cli, "model"),
                                  .reversed = cli_has(cli, "reversed")};
    return predictions_import(cli_transfer(cli), &ask);
}

enum err_code cmd_import_model_facts(struct cli *cli)
{
    return model_facts_import(cli_transfer(cli), cli->args[1]);
}

enum err_code cmd_import_texts(struct cli *cli)
{
    const struct texts_ask ask = {.path = cli->args[1], .model = cli_opt(cli, "model"), .set = cli_opt(cli, "set"), .recipe = cli_opt(cli, "recipe")};
    return ask.model ? texts_import(cli_transfer(cli), &ask) : cli_usage(cli, "--model NAME is needed: whose texts these are");
}
