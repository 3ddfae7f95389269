/* gap_adjusted.c - `holdout gap-adjusted`: the gap of models on a pair of sets when new images count by their true
 * selection frequency, and what can be said of the parts that gaps are made of. A table for people on standard output, or
 * all of it as JSON. */
#include <jansson.h>
#include <stdio.h>

#include "base/parallel.h"
#include "cli/core/commands.h"
#include "cli/core/table.h"
#include "measures/scores/gap_parts.h"
#include "sets/bias/adjusted.h"

#define OUT_MOST ((size_t)1 << 24)
enum { GROUPS_LEAST = 2, SEED_BITS = 53 };

static enum err_code read_ask(struct cli *cli, struct set_adjusted_ask *out)
{
    int64_t groups = 0, seed = 0, resamples = 0, top = 1;
    enum err_code rc = cli_opt_int(cli, "top", 1, 5, 1, &top);
    if (rc == OK && top != 1 && top != 5) {
        return cli_usage(cli, "--top must be 1 or 5");
    }
    if (rc == OK && cli_has(cli, "groups")) {
        rc = cli_opt_int(cli, "groups", GROUPS_LEAST, WORKER_GROUPS_MOST, 0, &groups);
    }
    rc = rc == OK ? cli_opt_int(cli, "resamples", 2, ADJUSTED_RESAMPLES_MOST, ADJUSTED_RESAMPLES, &resamples) : rc;
    rc = rc == OK ? cli_opt_int(cli, "seed", 0, INT64_C(1) << SEED_BITS, 0, &seed) : rc;
    const char *models = cli_opt(cli, "models");
    *out = (struct set_adjusted_ask){.original = sv_of(cli_opt(cli, "original")),
                                     .fresh = sv_of(cli_opt(cli, "new")),
                                     .top = (int)top,
                                     .models = sv_of(models ? models : ""),
                                     .groups = (unsigned)groups,
                                     .resamples = (unsigned)resamples,
                                     .threads = parallel_cores(),
                                     .seed = (uint64_t)seed,
                                     .flags_to_quarantine = cli->config.flags_to_quarantine};
    return rc;
}

static void add_estimate(const struct adjusted_estimate *e, struct str *out)
{
    if (e->interval) {
        str_printf(out, " %7.1f %7.1f to %5.1f", 100 * e->value, 100 * e->lo, 100 * e->hi);
    } else {
        str_printf(out, " %7.1f %16s", 100 * e->value, "no interval");
    }
}

static void add_line(struct sv name, const struct adjusted_line *l, struct str *out)
{
    str_printf(out, "%-32.*s %8.1f %6.1f %8.1f", (int)name.n, name.p, 100 * l->original, 100 * l->fresh, 100 * l->adjusted);
    add_estimate(&l->raw, out);
    add_estimate(&l->gap, out);
    str_addz(out, "\n");
}

static void add_figure(const struct set_adjusted *s, const struct adjusted_gap *g, const char *how, struct str *out)
{
    if (g->silence != ADJUSTED_SPEAKS) {
        return;
    }
    str_printf(out, "%s: %zu images, %zu originals (%zu measured), %zu classes, %u workers\n", how, g->images, g->originals,
               g->measured, g->classes, g->workers);
    str_printf(out, "effective images %.0f, overlap of true frequencies %.2f; %u groups of workers, %u draws of images, seed %llu\n",
               g->effective, g->overlap, g->groups, g->resamples, (unsigned long long)s->seed);
    str_printf(out, "%-32s %8s %6s %8s %7s %16s %7s %16s\n", "percent", "original", "new", "adjusted", "raw gap", "95 %",
               "adj gap", "95 %");
    add_line(SV("mean of models"), &g->mean, out);
    for (size_t i = 0; i < s->n_models; i++) {
        add_line(s->models[i].name, &g->lines[i], out);
    }
    str_addz(out, "\n");
}

static void add_parts(const struct set_adjusted *s, struct str *out)
{
    struct gap_part parts[GAP_PARTS];
    gap_parts_of(set_adjusted_leading(s)->images, s->n_models, parts);
    for (int i = 0; i < GAP_PARTS; i++) {
        str_printf(out, "%s: ", parts[i].name);
        if (parts[i].identified) {
            str_printf(out, "at most %.2f points for one model, %.2f for all %zu at once. ", 100 * parts[i].bound,
                       100 * parts[i].all, s->n_models);
        }
        str_printf(out, "%s\n", parts[i].method);
    }
}

static enum err_code print(struct cli *cli, const struct set_adjusted *s)
{
    if (cli->json) {
        json_t *all = set_adjusted_json(s, &cli->arena);
        bool written = json_dumpf(all, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) == 0 && putchar('\n') != EOF;
        json_decref(all);
        return written ? OK : err_set(&cli->err, ERR_IO, "cannot write the output");
    }
    struct str out;
    str_init(&out, OUT_MOST);
    if (s->n_campaigns) {
        add_figure(s, &s->again, "Measured again", &out);
    }
    add_figure(s, &s->first, "By the votes that chose the set", &out);
    add_parts(s, &out);
    return export_end(&out, OK, &cli->err);
}

static void note(struct cli *cli, const struct set_adjusted *s)
{
    const struct adjusted_gap *g = set_adjusted_leading(s);
    const char *why = set_adjusted_why(s), *warning = adjusted_gap_warning(g);
    for (size_t i = 0; i < s->n_left_out; i++) {
        const struct set_adjusted_model *m = &s->models[s->n_models + i];
        cli_note(cli, "Left out: " SV_FMT " (%s).", SV_ARG(m->name), m->left_out);
    }
    cli_note(cli, "The figure to use: %.1f points, %s. %s", 100 * g->mean.gap.value, set_adjusted_how(s), adjusted_gap_assumes);
    if (why) {
        cli_note(cli, "%s", why);
    }
    if (warning) {
        cli_note(cli, "%s", warning);
    }
}

enum err_code cmd_gap_adjusted(struct cli *cli)
{
    struct set_adjusted_ask ask;
    struct set_adjusted s;
    if (!cli_opt(cli, "original") || !cli_opt(cli, "new")) {
        return cli_usage(cli, "give --original and --new");
    }
    enum err_code rc = read_ask(cli, &ask);
    struct tally *t = tally_new();
    struct model_scores *cache = model_scores_new();
    rc = rc == OK ? tally_fold(t, cli->db, &cli->err) : rc;
    rc = rc == OK ? set_adjusted_make(cli->db, t, cache, &ask, &cli->arena, &s, &cli->err) : rc;
    if (rc == OK && set_adjusted_leading(&s)->silence != ADJUSTED_SPEAKS && !cli->json) {
        rc = err_rule(&cli->err, ERR_INPUT, "gap-adjusted", "There is no adjusted gap. %s", set_adjusted_why(&s));
    }
    rc = rc == OK ? print(cli, &s) : rc;
    if (rc == OK && set_adjusted_leading(&s)->silence == ADJUSTED_SPEAKS) {
        note(cli, &s);
    }
    model_scores_free(cache);
    tally_free(t);
    return rc;
}
