/* neighbors.c - `holdout neighbors`: the nearest images of every candidate, for finding near-duplicates. */
#include <string.h>

#include "base/parallel.h"
#include "cli/core/commands.h"
#include "neighbors/ssim.h"
#include "transfer/exports/neighbors_export.h"

enum { MEMORY_USUAL = 1024, MEMORY_MOST = 1 << 20, NEAREST_USUAL = 30, SIDE_USUAL = 256 };
#define WITHIN_MOST 1e15 /* farther than any two pictures are */
static const char *const kinds[] = {"l2", "feature", "dssim"}; /* as enum search_kind */

static enum err_code read_metric(struct cli *cli, struct search_metric *out)
{
    const char *name = cli_opt(cli, "metric");
    int64_t size, window;
    size_t kind = 0;
    enum err_code rc = cli_opt_int(cli, "size", 8, SSIM_SIDE_MOST, SIDE_USUAL, &size);
    rc = rc == OK ? cli_opt_int(cli, "window", 3, SSIM_WINDOW_MOST, SSIM_WINDOW, &window) : rc;
    if (rc != OK) {
        return rc;
    }
    while (name && kind < sizeof kinds / sizeof *kinds && strcmp(name, kinds[kind]) != 0) {
        kind++;
    }
    if (kind == sizeof kinds / sizeof *kinds) {
        return cli_usage(cli, "--metric must be l2, feature or dssim");
    }
    if (window % 2 == 0 || (kind == SEARCH_SSIM && window > size)) {
        return cli_usage(cli, "--window must be odd and at most --size");
    }
    if ((kind == SEARCH_FEATURES) != (cli_opt(cli, "model") != NULL)) {
        return cli_usage(cli,
                         "--model names the model whose features are compared: --metric feature needs it, others "
                         "do not take it");
    }
    *out = (struct search_metric){.kind = (enum search_kind)kind, .side = (uint32_t)size, .window = (uint32_t)window};
    return OK;
}

enum err_code cmd_neighbors(struct cli *cli)
{
    struct neighbors_ask ask = {.model = cli_opt(cli, "model"),
                                .max_pixels = (uint64_t)cli->config.max_megapixels * 1000000};
    int64_t k, threads, memory, cores = parallel_cores();
    enum err_code rc = read_metric(cli, &ask.metric);
    rc = rc == OK ? cli_opt_real(cli, "within", 0, WITHIN_MOST, WITHIN_MOST, &ask.within) : rc;
    rc = rc == OK ? cli_opt_int(cli, "k", 1, NEAREST_MOST - 1, NEAREST_USUAL, &k) : rc;
    rc = rc == OK ? cli_opt_int(cli, "threads", 1, PARALLEL_THREADS, cores, &threads) : rc;
    rc = rc == OK ? cli_opt_int(cli, "memory", 1, MEMORY_MOST, MEMORY_USUAL, &memory) : rc;
    if (rc != OK) {
        return rc;
    }
    ask.k = (uint32_t)k;
    ask.threads = (unsigned)threads;
    ask.memory = (size_t)memory << 20;
    return neighbors_export(cli_transfer(cli), &ask);
}
