/* adjusted_run.c - options, numbers and notes of commands about true frequencies. */
#include "cli/models/adjusted_run.h"

#include <jansson.h>
#include <stdio.h>

#include "base/parallel.h"
#include "cli/models/set_data.h"

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

enum err_code adjusted_run(struct cli *cli, const char *what, struct set_adjusted *out)
{
    struct set_adjusted_ask ask;
    struct subset part, fresh_part;
    if (!cli_opt(cli, "original") || !cli_opt(cli, "new")) {
        return cli_usage(cli, "give --original and --new");
    }
    enum err_code rc = read_ask(cli, &ask);
    rc = rc == OK ? subset_option(cli, &part) : rc;
    rc = rc == OK ? subset_option_new(cli, &fresh_part) : rc;
    ask.part = &part;
    ask.fresh_part = &fresh_part;
    struct tally *t = tally_new();
    struct model_scores *cache = model_scores_new();
    rc = rc == OK ? tally_fold(t, cli->db, &cli->err) : rc;
    rc = rc == OK ? set_adjusted_make(cli->db, t, cache, &ask, &cli->arena, out, &cli->err) : rc;
    if (rc == OK && set_adjusted_leading(out)->silence != ADJUSTED_SPEAKS && !cli->json) {
        rc = err_rule(&cli->err, ERR_INPUT, "gap-adjusted", "There %s. %s", what, set_adjusted_why(out));
    }
    model_scores_free(cache);
    tally_free(t);
    return rc;
}

enum err_code adjusted_run_json(struct cli *cli, const struct set_adjusted *s)
{
    json_t *all = set_adjusted_json(s, &cli->arena);
    bool written = json_dumpf(all, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) == 0 && putchar('\n') != EOF;
    json_decref(all);
    return written ? OK : err_set(&cli->err, ERR_IO, "cannot write the output");
}

void adjusted_run_note(struct cli *cli, const struct set_adjusted *s)
{
    const struct adjusted_gap *g = set_adjusted_leading(s);
    const char *why = set_adjusted_why(s), *warning = adjusted_gap_warning(g);
    for (size_t i = 0; i < s->n_left_out; i++) {
        const struct set_adjusted_model *m = &s->models[s->n_models + i];
        cli_note(cli, "Left out: " SV_FMT " (%s).", SV_ARG(m->name), m->left_out);
    }
    if (why) {
        cli_note(cli, "%s", why);
    }
    if (warning) {
        cli_note(cli, "%s", warning);
    }
}
