/* difficulty.c - `holdout difficulty`: every pair of spreads of difficulty, with its shift, that explains the probit line
 * through accuracies on two sets (Recht et al. 2019, section 5.3), from a file or from a simulated world whose truth is
 * known. CSV on standard output. */
#include "cli/core/commands.h"
#include "cli/core/table.h"
#include "cli/models/fit_files.h"
#include "stats/difficulty.h"

#define OUT_MOST ((size_t)1 << 20)
#define SPREAD_MOST 4.0
enum { STEPS = 40 };

static void add_solution(struct str *out, const struct line *l, double spread, const char *mark)
{
    struct difficulty_solution s;
    if (difficulty_solve(l, spread, &s)) {
        str_printf(out, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%s\n", s.spread_original, s.spread_new, s.spread_range.lo,
                   s.spread_range.hi, s.shift, s.shift_range.lo, s.shift_range.hi, mark);
    } else {
        str_printf(out, "%.17g,,,,,,,%s\n", spread, mark);
    }
}

/* The curve, then the solution that an assumed spread, or the simulated one, stands for. */
static enum err_code print(struct cli *cli, const struct line *l, bool marks, double marked, const char *mark)
{
    struct str out;
    str_init(&out, OUT_MOST);
    str_addz(&out, "spread_original,spread_new,spread_new_lo,spread_new_hi,shift,shift_lo,shift_hi,mark\n");
    for (int i = 0; i <= STEPS; i++) {
        add_solution(&out, l, SPREAD_MOST * i / STEPS, "");
    }
    if (marks) {
        add_solution(&out, l, marked, mark);
    }
    cli_note(cli, "The line on the probit scale: slope %.4f, offset %.4f, %zu models. Two equations, three unknowns: every row "
                  "explains it equally well, and the data prefer none.", l->slope, l->offset, l->n);
    return export_end(&out, OK, &cli->err);
}

static enum err_code simulate(struct cli *cli, double assumed)
{
    struct difficulty_world w = {.spread_original = assumed};
    struct line l;
    int64_t models = 0, images = 0, seed = 0;
    enum err_code rc = cli_opt_int(cli, "models", 3, 200, 60, &models);
    rc = rc == OK ? cli_opt_int(cli, "images", 100, 100000, 10000, &images) : rc;
    rc = rc == OK ? cli_opt_int(cli, "seed", 0, INT64_C(1) << 53, 0, &seed) : rc;
    rc = rc == OK ? cli_opt_real(cli, "new-spread", 0, SPREAD_MOST, 1, &w.spread_new) : rc;
    rc = rc == OK ? cli_opt_real(cli, "shift", -SPREAD_MOST, SPREAD_MOST, 0.3, &w.shift) : rc;
    if (rc != OK) {
        return rc;
    }
    w.models = (size_t)models;
    w.images = (size_t)images;
    w.seed = (uint64_t)seed;
    if (!difficulty_simulate(&w, &l)) {
        return err_rule(&cli->err, ERR_INPUT, "difficulty", "Too few models of that world have an accuracy between 0 and 1.");
    }
    cli_note(cli, "Simulated: spreads %.3g and %.3g, shift %.3g, seed %llu. The last row is what the equations recover when the "
                  "spread of the originals is known.", w.spread_original, w.spread_new, w.shift, (unsigned long long)w.seed);
    return print(cli, &l, true, assumed, "truth");
}

enum err_code cmd_difficulty(struct cli *cli)
{
    const struct fit_ask ask = {.scale = SHARE_PROBIT};
    struct fit_point *points = NULL;
    struct fit_found found;
    double spread = 1;
    size_t n = 0;
    enum err_code rc = cli_opt_real(cli, "spread", 0, SPREAD_MOST, 1, &spread);
    if (rc != OK || cli->n_args == 0) {
        return rc == OK ? simulate(cli, spread) : rc;
    }
    rc = fit_files_points(cli, cli->args[0], "x", "y", &points, &n);
    rc = rc == OK ? fit_points(&ask, points, n, NULL, &cli->arena, &found, &cli->err) : rc;
    return rc == OK ? print(cli, &found.line, cli_has(cli, "spread"), spread, "assumed") : rc;
}
