/* fit.c - `holdout fit`: the line through models' accuracies on a new set against those on the originals, and
 * `holdout fit-points`: the same of accuracies in a file. JSON on standard output says the line, how sure it is and how
 * that was found; with --residuals a table (CSV, Markdown, LaTeX) says
 * what the line says of each model. */
#include <jansson.h>
#include <stdio.h>

#include "base/parallel.h"
#include "cli/core/commands.h"
#include "cli/core/table.h"
#include "cli/models/fit_files.h"
#include "cli/models/fit_sets.h"
#include "cli/models/set_data.h"
#include "measures/scores/score_sheet.h"
#include "sets/revisions/made_of.h"

#define OUT_MOST ((size_t)1 << 26)
enum { SEED_BITS = 53, /* JSON keeps these exactly */ RESAMPLES_MOST = 1000000 };

static void show_progress(void *arg, uint64_t done, uint64_t total)
{
    cli_progress(arg, "resamples", done, total);
}

/* ---- options ---- */

/* What --format says; without --residuals there is one way. */
static enum err_code read_format(struct cli *cli)
{
    const char *format = cli_opt(cli, "format");
    return !score_format_named(format)                 ? cli_usage(cli, "--format must be csv, markdown or latex")
           : format && !cli_has(cli, "residuals") ? cli_usage(cli, "--format goes with --residuals")
                                                       : OK;
}

static enum err_code read_ways(struct cli *cli, struct fit_ask *out)
{
    const char *scale = cli_opt(cli, "scale"), *over = cli_opt(cli, "over");
    int64_t resamples, seed;
    if (scale && !share_scale_read(sv_of(scale), &out->scale)) {
        return cli_usage(cli, "--scale must be linear, probit or logit");
    }
    if (over && !fit_over_read(sv_of(over), &out->over)) {
        return cli_usage(cli, "--over must be models, images, both or families");
    }
    if (cli_has(cli, "pivot")) {
        out->pivot = sv_of(cli_opt(cli, "pivot"));
    }
    enum err_code rc = read_format(cli);
    rc = rc == OK ? cli_opt_int(cli, "resamples", 1, RESAMPLES_MOST, FIT_RESAMPLES, &resamples) : rc;
    rc = rc == OK ? cli_opt_int(cli, "seed", 0, INT64_C(1) << SEED_BITS, FIT_SEED, &seed) : rc;
    if (rc == OK) {
        out->bootstrap = (struct bootstrap_ask){.resamples = (uint32_t)resamples,
                                                .seed = (uint64_t)seed,
                                                .threads = parallel_cores(),
                                                .progress = show_progress,
                                                .arg = cli};
    }
    return rc;
}

/* ---- output ---- */

static enum err_code print_residuals(struct cli *cli, const struct fit_found *found)
{
    struct str out;
    str_init(&out, OUT_MOST);
    fit_residuals_write(found, score_format_named(cli_opt(cli, "format"))->as, &cli->arena, &out);
    return export_end(&out, OK, &cli->err);
}

static void note_left_out(const struct cli *cli, const struct fit_found *found)
{
    fit_note_left_out(cli, found);
    if (found->range.left_out) {
        cli_note(cli, "%u of %u resamples have no line and were left out.", found->range.left_out, found->resamples);
    }
}

/* Takes the object. */
static enum err_code print_json(struct cli *cli, json_t *all)
{
    BUG_IF(!all);
    bool written = json_dumpf(all, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) == 0 && putchar('\n') != EOF;
    json_decref(all);
    return written ? OK : err_set(&cli->err, ERR_IO, "cannot write the output");
}

/* ---- two sets ---- */

static enum err_code print_fit(struct cli *cli, struct fit_sets *f)
{
    note_left_out(cli, &f->found);
    if (cli_has(cli, "residuals")) {
        return print_residuals(cli, &f->found);
    }
    const char *without = cli_opt(cli, "without");
    const struct fit_record_row row = {
        .dataset = arena_cstr(&cli->arena, f->fresh.r.set),
        .top = f->ask.top,
        .models = f->ask.n_without ? arena_printf(&cli->arena, "all but %s", without) : "all",
        .found = &f->found};
    json_t *all = fit_json(&row, &cli->arena);
    json_object_set_new(all, "original", set_data(&f->original.r));
    json_object_set_new(all, "new", set_data(&f->fresh.r));
    json_object_set_new(all, "subset", json_string(arena_cstr(&cli->arena, f->subset.name)));
    json_object_set_new(all, "new_subset", json_string(arena_cstr(&cli->arena, f->fresh_subset.name)));
    json_object_set_new(all, "new_top", json_integer(f->ask.fresh_top));
    json_object_set_new(all, "labels", json_string(arena_cstr(&cli->arena, f->subset.labels.name)));
    json_object_set_new(all, "new_labels", json_string(arena_cstr(&cli->arena, f->fresh_subset.labels.name)));
    json_object_set_new(all, "as_of_event", json_integer(f->event));
    json_object_set_new(all, "tool", json_string("holdout " HOLDOUT_VERSION));
    return print_json(cli, all);
}

enum err_code cmd_fit(struct cli *cli)
{
    struct fit_sets f = {.event = 0};
    const char *families = cli_opt(cli, "families");
    struct set_fit_family *list = NULL;
    enum err_code rc = read_ways(cli, &f.ask.fit);
    if (rc == OK && families && f.ask.fit.over != FIT_FAMILIES) {
        return cli_usage(cli, "--families goes with --over families");
    }
    rc = rc == OK && families ? fit_files_families(cli, families, &list, &f.ask.n_families) : rc;
    f.ask.families = list;
    rc = rc == OK ? fit_sets_read(cli, &f) : rc;
    return rc == OK ? print_fit(cli, &f) : rc;
}

/* ---- a file ---- */

enum err_code cmd_fit_points(struct cli *cli)
{
    struct fit_ask ask = {0};
    struct fit_point *points = NULL;
    struct fit_found found;
    size_t n = 0;
    enum err_code rc = read_ways(cli, &ask);
    if (rc == OK && (ask.over == FIT_IMAGES || ask.over == FIT_BOTH)) {
        return cli_usage(cli, "--over must be models or families: a file of accuracies has no images");
    }
    const char *x = cli_opt(cli, "x"), *y = cli_opt(cli, "y");
    rc = rc == OK ? fit_files_points(cli, cli->args[0], x ? x : "x", y ? y : "y", &points, &n) : rc;
    rc = rc == OK ? fit_points(&ask, points, n, NULL, &cli->arena, &found, &cli->err) : rc;
    if (rc != OK) {
        return rc;
    }
    note_left_out(cli, &found);
    if (cli_has(cli, "residuals")) {
        return print_residuals(cli, &found);
    }
    const struct fit_record_row row = {.dataset = y ? y : "", .models = "all", .found = &found};
    return print_json(cli, fit_json(&row, &cli->arena));
}
