/* neighbors.c - `holdout neighbors`: searches the candidates for near-duplicates by the project's metrics, as a whole,
 * as a job, or as parts for several machines; --print only prints neighbours by one metric. `holdout export neighbors`
 * prints what is stored. */
#include <string.h>

#include "base/parallel.h"
#include "cli/core/commands.h"
#include "cli/duplicates/calibrate.h"
#include "jobs/report.h"
#include "neighbors/ssim.h"
#include "store/duplicates/near_searches.h"
#include "store/operate/jobs.h"
#include "transfer/core/part_file.h"
#include "transfer/duplicates/neighbors_export.h"
#include "transfer/duplicates/neighbors_print.h"
#include "transfer/duplicates/neighbors_search.h"

enum { MEMORY_USUAL = 1024, MEMORY_MOST = 1 << 20, NEAREST_USUAL = 30, SIDE_USUAL = 256 };
#define WITHIN_MOST 1e15 /* farther than any two pictures are */
static const char *const kinds[] = {"l2", "feature", "dssim"}; /* as enum search_kind */

struct effort {
    int64_t k, threads, memory; /* memory in MB */
};

static enum err_code read_effort(struct cli *cli, struct effort *out)
{
    enum err_code rc = cli_opt_int(cli, "k", 1, NEAR_MOST, NEAREST_USUAL, &out->k);
    rc = rc == OK ? cli_opt_int(cli, "threads", 1, PARALLEL_THREADS, parallel_cores(), &out->threads) : rc;
    return rc == OK ? cli_opt_int(cli, "memory", 1, MEMORY_MOST, MEMORY_USUAL, &out->memory) : rc;
}

/* What would silently be of no effect is refused. */
static enum err_code refuse(struct cli *cli, const char *const *options, size_t n, const char *why)
{
    for (size_t i = 0; i < n; i++) {
        if (cli_has(cli, options[i])) {
            return cli_usage(cli, "--%s %s", options[i], why);
        }
    }
    return OK;
}

/* ------------------------------------------------------------------ printing */

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

static enum err_code print(struct cli *cli, const struct effort *effort)
{
    static const char *const others[] = {"all", "originals", "job", "shard", "output", "merge", "calibrate"};
    struct neighbors_print_ask ask = {.model = cli_opt(cli, "model"),
                                      .k = (uint32_t)effort->k,
                                      .threads = (unsigned)effort->threads,
                                      .memory = (size_t)effort->memory << 20,
                                      .max_pixels = (uint64_t)cli->config.max_megapixels * 1000000};
    enum err_code rc = refuse(cli, others, sizeof others / sizeof *others, "is of no use with --print: nothing is stored");
    rc = rc == OK ? read_metric(cli, &ask.metric) : rc;
    rc = rc == OK ? cli_opt_real(cli, "within", 0, WITHIN_MOST, WITHIN_MOST, &ask.within) : rc;
    return rc == OK ? neighbors_print(cli_transfer(cli), &ask) : rc;
}

enum err_code cmd_export_neighbors(struct cli *cli)
{
    double within;
    int64_t k;
    if (!cli_opt(cli, "metric")) {
        return cli_usage(cli, "--metric is missing: by which metric of the project");
    }
    enum err_code rc = cli_opt_int(cli, "k", 1, NEAR_MOST, NEAR_MOST, &k);
    rc = rc == OK ? cli_opt_real(cli, "within", 0, WITHIN_MOST, WITHIN_MOST, &within) : rc;
    return rc == OK ? neighbors_export(cli_transfer(cli), cli_opt(cli, "metric"), (uint32_t)k, within) : rc;
}

/* ------------------------------------------------------------------ searching */

static enum err_code progress(void *arg, uint64_t done, uint64_t total, const char *note, struct err *err)
{
    struct job_report *report = arg;
    enum err_code rc = job_report_progress(report, done, total, note, err);
    return rc == OK && job_report_stop(report) ? job_report_stopped(err) : rc;
}

static enum err_code search(struct cli *cli, const struct neighbors_ask *ask)
{
    const char *shard = cli_opt(cli, "shard"), *output = cli_opt(cli, "output");
    struct transfer *tr = cli_transfer(cli);
    uint32_t part, parts;
    if (cli_has(cli, "merge")) {
        return cli->n_args < 2 ? cli_usage(cli, "--merge needs the part files, all of them")
                               : neighbors_search_merge(tr, ask, &cli->args[1], (uint32_t)cli->n_args - 1);
    }
    if (cli->n_args > 1) {
        return cli_usage(cli, "part files are read with --merge");
    }
    if ((shard != NULL) != (output != NULL)) {
        return cli_usage(cli, "--shard and --output go together: which part, and the file it is written to");
    }
    if (!shard) {
        return neighbors_search(tr, ask);
    }
    return part_number(sv_of(shard), &part, &parts) ? neighbors_search_part(tr, ask, output, part, parts)
                                                    : cli_usage(cli, "--shard must be i/n, such as 1/8 to 8/8");
}

static enum err_code search_as_job(struct cli *cli, const struct effort *effort, int64_t job)
{
    struct job_report report;
    struct job_row row = {0};
    enum err_code rc = job_report_begin(&report, cli->db, job, &cli->err);
    if (rc != OK) {
        return rc;
    }
    rc = job ? jobs_get(cli->db, job, &cli->arena, &row, &cli->err) : OK;
    const struct neighbors_ask ask = {.metric = cli_opt(cli, "metric"),
                                      .all = cli_has(cli, "all"),
                                      .originals = cli_has(cli, "originals"),
                                      .k = (uint32_t)effort->k,
                                      .threads = (unsigned)effort->threads,
                                      .memory = (size_t)effort->memory << 20,
                                      .max_pixels = (uint64_t)cli->config.max_megapixels * 1000000,
                                      .flags_to_quarantine = cli->config.flags_to_quarantine,
                                      .pictures = cli_pictures(cli),
                                      .tiny = cli->config.tiny,
                                      .account = row.account,
                                      .progress = progress,
                                      .arg = &report};
    rc = rc == OK ? search(cli, &ask) : rc;
    job_report_end(&report);
    return rc;
}

static enum err_code calibrate_metrics(struct cli *cli, const struct effort *effort)
{
    static const char *const others[] = {"all", "originals", "job", "k", "memory", "shard", "output", "merge"};
    enum err_code rc = refuse(cli, others, sizeof others / sizeof *others, "is of no use with --calibrate: nothing is searched");
    return rc == OK ? calibrate(cli, (unsigned)effort->threads) : rc;
}

enum err_code cmd_neighbors(struct cli *cli)
{
    static const char *const others[] = {"size", "window", "model", "within"};
    static const char *const drawing[] = {"images", "seed"};
    struct effort effort;
    int64_t job;
    enum err_code rc = read_effort(cli, &effort);
    if (rc == OK && cli_has(cli, "print")) {
        return print(cli, &effort);
    }
    rc = rc == OK ? refuse(cli, others, sizeof others / sizeof *others,
                           "is for --print; what a stored search compares is set by `holdout near-metrics`")
                  : rc;
    if (rc == OK && cli_has(cli, "calibrate")) {
        return calibrate_metrics(cli, &effort);
    }
    rc = rc == OK ? refuse(cli, drawing, sizeof drawing / sizeof *drawing, "is for --calibrate") : rc;
    rc = rc == OK ? cli_opt_int(cli, "job", 1, INT64_MAX, 0, &job) : rc;
    return rc == OK ? search_as_job(cli, &effort, job) : rc;
}
