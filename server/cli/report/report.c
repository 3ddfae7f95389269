/* report.c - `holdout report`: an analysis as a folder; options are the fields of an analysis (report/analysis.h), on top
 * of a plan when one is named. */
#include "report/report.h"

#include <string.h>

#include "cli/core/commands.h"
#include "report/plan.h"

static void show_progress(void *arg, const char *what, uint64_t done, uint64_t total)
{
    cli_progress(arg, what, done, total);
}

/* "gap_seed" as an option: "gap-seed". */
static const char *option_of(struct cli *cli, const struct analysis_field *f)
{
    char *name = arena_strdup(&cli->arena, f->name);
    for (char *p = name; *p; p++) {
        *p = *p == '_' ? '-' : *p;
    }
    return cli_opt(cli, name);
}

static enum err_code read_options(struct cli *cli, struct report_ask *ask)
{
    const char *plan = cli_opt(cli, "plan");
    enum err_code rc = OK;
    ask->analysis = analysis_usual;
    if (plan) {
        struct plan_row row;
        ask->plan = sv_of(plan);
        rc = plans_find(cli->db, ask->plan, &cli->arena, &row, &cli->err);
        rc = rc == OK ? plan_analysis(&row, &cli->arena, &ask->analysis, &cli->err) : rc;
    } else if (!cli_has(cli, "original") || !cli_has(cli, "new")) {
        return cli_usage(cli, "give --original and --new, or a --plan");
    }
    for (const struct analysis_field *f = analysis_fields; f->name && rc == OK; f++) {
        const char *given = f->of_plan ? NULL : option_of(cli, f);
        rc = given ? analysis_set(&ask->analysis, f, sv_of(given), &cli->arena, &cli->err) : rc;
    }
    return rc;
}

enum err_code cmd_report(struct cli *cli)
{
    struct report_ask ask = {.progress = show_progress, .arg = cli};
    struct report made;
    const char *target = cli->args[1];
    enum err_code rc = report_target(target, &cli->arena, &cli->err);
    rc = rc == OK ? read_options(cli, &ask) : rc;
    rc = rc == OK ? report_make(cli->db, &ask, &cli->arena, &made, &cli->err) : rc;
    rc = rc == OK ? report_write(&made, target, &cli->arena, &cli->err) : rc;
    cli_progress_end(cli);
    if (rc == OK) {
        cli_note(cli, "Wrote %s: %zu tables, %zu charts, %zu deviation%s from the plan. Open %s/%s.", target, made.n_tables, made.n_charts, made.deviations,
                 made.deviations == 1 ? "" : "s", target, REPORT_PAGE);
    }
    return rc;
}
