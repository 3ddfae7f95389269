/* pool.c - `holdout export pool`, `histograms`, `near-duplicates`, `blacklist`, `predictions` and `holdout
 * exact-matches`: what sampling looks at, what keeps images out of it, and what models say about a set. */
#include "cli/core/commands.h"
#include "domain/votes/histogram.h"
#include "transfer/exports/exports.h"

static struct pool_ask pool_of(const struct cli *cli)
{
    return (struct pool_ask){.view = sv_of(cli_opt(cli, "view")),
                             .flags_to_quarantine = cli->config.flags_to_quarantine};
}

enum err_code cmd_export_pool(struct cli *cli)
{
    struct pool_ask ask = pool_of(cli);
    return pool_export(cli_transfer(cli), &ask);
}

enum err_code cmd_export_histograms(struct cli *cli)
{
    struct pool_ask ask = pool_of(cli);
    int64_t size = 0;
    enum err_code rc = cli_opt_int(cli, "size", 1, SAMPLE_SIZE_MOST, HISTOGRAM_SAMPLE, &size);
    return rc == OK ? histograms_export(cli_transfer(cli), &ask, (uint32_t)size) : rc;
}

enum err_code cmd_export_near_duplicates(struct cli *cli)
{
    return cli_has(cli, "images") ? near_images_export(cli_transfer(cli), cli->config.flags_to_quarantine)
                                  : near_components_export(cli_transfer(cli));
}

enum err_code cmd_export_blacklist(struct cli *cli)
{
    return blacklist_export(cli_transfer(cli));
}

enum err_code cmd_export_labels(struct cli *cli)
{
    const char *format = cli_opt(cli, "format");
    enum labels_shape shape = LABELS_TABLE;
    if (format && !labels_shape_of(sv_of(format), &shape)) {
        return cli_usage(cli, "--format must be table, jsonl, objects, real, tfds or annotations");
    }
    const struct labels_export_ask ask = {.source = cli->args[1], .set = cli_opt(cli, "set"), .shape = shape,
                                          .numbers = cli_has(cli, "numbers")};
    return ask.set && (ask.shape == LABELS_TABLE || ask.shape == LABELS_JSONL)
               ? cli_usage(cli, "--set goes with --format objects, real, tfds or annotations")
               : labels_export(cli_transfer(cli), &ask);
}

enum err_code cmd_export_predictions(struct cli *cli)
{
    const char *set = cli_opt(cli, "set");
    return set ? predictions_export(cli_transfer(cli), set, cli_opt(cli, "model"))
               : cli_usage(cli, "--set is missing: name the set whose images to export");
}

enum err_code cmd_exact_matches(struct cli *cli)
{
    struct matches_ask ask = {.bytes_only = cli_has(cli, "bytes-only"),
                              .keywords = cli_has(cli, "keywords"),
                              .near_duplicates = cli_has(cli, "near-duplicates"),
                              .max_pixels = (uint64_t)cli->config.max_megapixels * 1000000};
    return exact_matches(cli_transfer(cli), &ask);
}
