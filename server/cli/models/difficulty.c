/* difficulty.c - `holdout difficulty`: every pair of spreads of difficulty, with its shift, that explains the probit line
 * through accuracies on two sets (Recht et al. 2019, section 5.3), of two sets of the project, of a file,
 * or of a simulated world whose truth is known. CSV on standard output. */
#include "cli/core/commands.h"
#include "cli/core/table.h"
#include "cli/models/fit_files.h"
#include "cli/models/fit_sets.h"
#include "measures/fits/difficulty_rows.h"

#define OUT_MOST ((size_t)1 << 20)

static void add_solution(struct str *out, const struct difficulty_row *row)
{
    record_csv_cells(&difficulty_row_record, row, out);
    str_addc(out, '\n');
}

/* The curve, then the solution that an assumed spread, or the simulated one, stands for. */
static enum err_code print(struct cli *cli, const struct line *l, bool marks, double marked, const char *mark)
{
    struct str out;
    struct difficulty_row rows[DIFFICULTY_ROWS];
    const struct difficulty_row last = difficulty_row_of(l, marked, mark);
    str_init(&out, OUT_MOST);
    record_csv_names(&difficulty_row_record, &out);
    str_addc(&out, '\n');
    difficulty_curve(l, rows);
    for (int i = 0; i < DIFFICULTY_ROWS; i++) {
        add_solution(&out, &rows[i]);
    }
    if (marks) {
        add_solution(&out, &last);
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
    rc = rc == OK ? cli_opt_real(cli, "new-spread", 0, DIFFICULTY_SPREAD_MOST, 1, &w.spread_new) : rc;
    rc = rc == OK ? cli_opt_real(cli, "shift", -DIFFICULTY_SPREAD_MOST, DIFFICULTY_SPREAD_MOST, 0.3, &w.shift) : rc;
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

static enum err_code of_file(struct cli *cli, struct fit_found *out)
{
    const struct fit_ask ask = {.scale = SHARE_PROBIT};
    struct fit_point *points = NULL;
    size_t n = 0;
    enum err_code rc = fit_files_points(cli, cli->args[0], "x", "y", &points, &n);
    return rc == OK ? fit_points(&ask, points, n, NULL, &cli->arena, out, &cli->err) : rc;
}

static enum err_code of_sets(struct cli *cli, struct fit_found *out)
{
    struct fit_sets f = {.ask = {.fit = {.scale = SHARE_PROBIT}}};
    enum err_code rc = project_open(cli);
    rc = rc == OK ? fit_sets_read(cli, &f) : rc;
    *out = f.found;
    return rc;
}

enum err_code cmd_difficulty(struct cli *cli)
{
    struct fit_found found;
    double spread = 1;
    bool sets = cli_has(cli, "original") || cli_has(cli, "new");
    enum err_code rc = cli_opt_real(cli, "spread", 0, DIFFICULTY_SPREAD_MOST, 1, &spread);
    if (rc != OK) {
        return rc;
    }
    if (cli->n_args == 0) {
        return sets ? cli_usage(cli, "sets are in a project: name its folder") : simulate(cli, spread);
    }
    rc = sets ? of_sets(cli, &found) : of_file(cli, &found);
    if (rc != OK) {
        return rc;
    }
    fit_note_left_out(cli, &found);
    return print(cli, &found.line, cli_has(cli, "spread"), spread, "assumed");
}
