/* candidate_plan.c - `holdout candidates freeze`: the candidate labels of images of the project, by people's votes about
 * potential ones, as a plan that nothing counts again; `candidates list` and `show`, `export candidates`. */
#include <math.h>
#include <stdio.h>

#include "cli/core/commands.h"
#include "cli/core/job.h"
#include "cli/objects/label_plans.h"
#include "cli/objects/print_records.h"
#include "cli/objects/thresholds.h"
#include "sets/labels/freeze.h"
#include "sets/labels/potential_view.h"

struct freeze_run {
    struct cli *cli;
    struct freeze_ask ask;
    struct label_plan_row potential;
    struct vote_view view;
    struct freeze_made made;
};

static enum err_code read_ask(struct freeze_run *run)
{
    struct cli *cli = run->cli;
    const char *potential = cli_opt(cli, "potential"), *name = cli_opt(cli, "name");
    if (!potential || !name) {
        return cli_usage(cli, potential ? "name the plan with --name" : "name the plan of potential labels with --potential");
    }
    run->ask.name = sv_of(name);
    enum err_code rc = thresholds_read(cli, &run->ask.tau, &run->ask.least, &run->ask.most);
    rc = rc == OK ? cli_opt_int(cli, "as-of", 1, INT64_MAX, 0, &run->ask.as_of) : rc;
    rc = rc == OK ? label_plans_find(cli->db, LABEL_PLAN_POTENTIAL, sv_of(potential), &cli->arena, &run->potential, &cli->err) : rc;
    rc = rc == OK ? potential_view_find(cli->db, sv_of(cli_opt(cli, "view") ? cli_opt(cli, "view") : ""), cli->dry_run,
                                        &cli->arena, &run->view, &cli->err)
                  : rc;
    run->ask.potential = &run->potential;
    run->ask.view = &run->view;
    return rc;
}

static void note(const struct freeze_run *run, const char *became)
{
    const struct freeze_made *m = &run->made;
    const struct cli *cli = run->cli;
    for (int s = 0; s < CANDIDATE_STAGES; s++) {
        cli_note(cli, "%s: %zu images (%s).", candidate_stage_word((enum candidate_stage)s), m->images[s],
                 candidate_stage_about((enum candidate_stage)s));
    }
    if (m->open) {
        cli_warn(cli, "Fewer than %u people were asked about %zu of the %zu pairs of image and label, which do not count.",
                 run->ask.least, m->open, m->book.n_labels);
    }
    cli_note(cli, "View " SV_FMT " up to event %lld; %s.", SV_ARG(run->view.name), (long long)m->plan.row.as_of,
             became);
}

static enum err_code freeze(struct freeze_run *run)
{
    struct cli *cli = run->cli;
    const char *became = "";
    enum err_code rc = read_ask(run);
    if (rc == OK && (rc = db_snapshot(cli->db, &cli->err)) == OK) {
        rc = freeze_make(cli->db, &run->ask, &cli->arena, &run->made, &cli->err);
        db_snapshot_end(cli->db);
    }
    rc = rc == OK ? label_plan_keep(cli, &run->made.plan, &became) : rc;
    if (rc == OK) {
        note(run, became);
    }
    label_plan_release(&run->made.book);
    return rc;
}

enum err_code cmd_candidates_freeze(struct cli *cli)
{
    struct freeze_run run = {.cli = cli};
    struct cli_job job;
    enum err_code rc = cli_job_begin(cli, &job);
    run.ask.account = job.account;
    rc = rc == OK ? freeze(&run) : rc;
    cli_job_end(&job);
    return rc;
}

enum err_code cmd_candidates_list(struct cli *cli) { return label_plan_list_print(cli, LABEL_PLAN_CANDIDATES); }

enum err_code cmd_candidates_show(struct cli *cli) { return label_plan_show(cli, LABEL_PLAN_CANDIDATES); }

struct exporting {
    struct cli *cli;
    struct label_plan_row plan;
    struct label_plan_book book;
    struct plan_names names;
    struct printing out;
    struct contains_count counts[CANDIDATE_LABELS];
    struct candidates_found found;
};

static enum err_code print_image(struct exporting *x, size_t at, bool frequencies)
{
    struct candidates_ask ask;
    enum err_code rc = OK;
    plan_asked_of(&x->plan, &x->book, at, x->counts, &ask, &x->found);
    if (!frequencies) {
        struct candidate_row row = candidate_row(x->names.image[at], &ask, &x->found, x->names.wnid, &x->out.scratch);
        return printing_row(&x->out, &row);
    }
    for (size_t i = 0; i < ask.n && rc == OK; i++) {
        struct contains_frequency_row row = contains_frequency_row(x->names.image[at], &ask, &x->found, i, x->names.wnid);
        rc = printing_row(&x->out, &row);
    }
    return rc;
}

enum err_code cmd_export_candidates(struct cli *cli)
{
    struct exporting *x = arena_calloc(&cli->arena, 1, sizeof *x);
    bool frequencies = cli_has(cli, "frequencies");
    x->cli = cli;
    enum err_code rc = label_plans_find(cli->db, LABEL_PLAN_CANDIDATES, sv_of(cli->args[1]), &cli->arena, &x->plan, &cli->err);
    rc = rc == OK ? label_plan_read(cli->db, x->plan.list, &cli->arena, &x->book, &cli->err) : rc;
    rc = rc == OK ? plan_names_read(cli->db, &x->book, &cli->arena, &x->names, &cli->err) : rc;
    if (rc == OK) {
        printing_begin(&x->out, cli, frequencies ? &contains_frequency_record : &candidate_record);
        for (size_t i = 0; i < x->book.n && rc == OK; i++) {
            rc = print_image(x, i, frequencies);
        }
        rc = printing_end(&x->out, rc);
    }
    label_plan_release(&x->book);
    return rc;
}
