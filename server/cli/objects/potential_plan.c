/* potential_plan.c - `holdout potential freeze`: the labels that images of the project could have, by models, their set and
 * a file, as a plan; `potential list` and `show`, `export potential`. */
#include <stdio.h>
#include <string.h>

#include "cli/core/commands.h"
#include "cli/core/job.h"
#include "cli/objects/label_plans.h"
#include "cli/objects/print_records.h"
#include "jobs/report.h"
#include "transfer/labels/potential_file.h"

enum { TOP = 5 };

struct potential_run {
    struct cli *cli;
    struct potential_ask ask;
    struct revision_row revision;
    struct potential_made made;
};

static enum err_code read_images(struct potential_run *run)
{
    struct cli *cli = run->cli;
    const char *set = cli_opt(cli, "set");
    struct potential_image *images = NULL;
    if (!set == !cli_has(cli, "candidates")) {
        return cli_usage(cli, "name the images with --set, or take every candidate with --candidates");
    }
    enum err_code rc = set ? revisions_find(cli->db, sv_of(set), &cli->arena, &run->revision, &cli->err) : OK;
    run->ask.revision = set ? &run->revision : NULL;
    rc = rc == OK ? potential_images(cli->db, run->ask.revision, cli->config.flags_to_quarantine, &cli->arena, &images,
                                     &run->ask.n_images, &cli->err)
                  : rc;
    run->ask.images = images;
    return rc;
}

static enum err_code read_ask(struct potential_run *run)
{
    struct cli *cli = run->cli;
    struct potential_ask *ask = &run->ask;
    const char *models = cli_opt(cli, "models"), *file = cli_opt(cli, "labels"), *slash = file ? strrchr(file, '/') : NULL;
    struct potential_named *named = NULL;
    int64_t top;
    enum err_code rc = cli_opt_int(cli, "top", 1, PREDICTION_K, TOP, &top);
    ask->top = (uint32_t)top;
    ask->name = sv_of(cli_opt(cli, "name") ? cli_opt(cli, "name") : "");
    if (rc == OK && !cli_opt(cli, "name")) {
        return cli_usage(cli, "name the plan with --name");
    }
    if (rc == OK && !models && !file) {
        return cli_usage(cli, "say who names labels: --models, or a file with --labels");
    }
    rc = rc == OK ? read_images(run) : rc;
    rc = rc == OK && models ? models_named(cli->db, sv_of(models), &cli->arena, &ask->models, &ask->n_models, &cli->err) : rc;
    rc = rc == OK && file
             ? potential_file_read(cli_transfer(cli), file, ask->images, ask->n_images, &named, &ask->n_named)
             : rc;
    ask->named = named;
    ask->file = sv_of(!file ? "" : slash ? slash + 1 : file);
    return rc;
}

static void note(const struct potential_run *run, const char *became)
{
    const struct potential_made *m = &run->made;
    const struct cli *cli = run->cli;
    cli_note(cli, "%zu images with %zu potential labels, %.2f on average; %s.", m->book.n, m->book.n_labels,
             (double)m->book.n_labels / (double)m->book.n,
             became);
    for (size_t i = 0; i < run->ask.n_models; i++) {
        if (m->answered[i] < m->book.n) {
            cli_warn(cli, SV_FMT " says nothing about %zu of the images.", SV_ARG(run->ask.models[i].name),
                     m->book.n - m->answered[i]);
        }
    }
    if (m->unsaid) {
        cli_warn(cli, "No model says anything about %zu of the images.", m->unsaid);
    }
    if (m->sealed) {
        cli_note(cli, "%zu of the images are in a sealed set: who named a label is not kept.", m->sealed);
    }
}

static enum err_code make(struct potential_run *run)
{
    struct cli *cli = run->cli;
    const char *became = "";
    enum err_code rc = read_ask(run);
    rc = rc == OK ? potential_make(cli->db, &run->ask, &cli->arena, &run->made, &cli->err) : rc;
    rc = rc == OK ? label_plan_keep(cli, &run->made.plan, &became) : rc;
    if (rc == OK) {
        note(run, became);
    }
    label_plan_release(&run->made.book);
    return rc;
}

enum err_code cmd_potential_freeze(struct cli *cli)
{
    struct potential_run run = {.cli = cli};
    struct cli_job job;
    enum err_code rc = cli_job_begin(cli, &job);
    run.ask.account = job.account;
    rc = rc == OK ? make(&run) : rc;
    cli_job_end(&job);
    return rc;
}

enum err_code cmd_potential_list(struct cli *cli) { return label_plan_list_print(cli, LABEL_PLAN_POTENTIAL); }

enum err_code cmd_potential_show(struct cli *cli) { return label_plan_show(cli, LABEL_PLAN_POTENTIAL); }

static enum err_code print_labels(struct printing *out, const struct label_plan_book *b, const struct plan_names *names)
{
    enum err_code rc = OK;
    for (size_t i = 0; i < b->n && rc == OK; i++) {
        for (uint32_t k = 0; k < b->images[i].n && rc == OK; k++) {
            const struct planned_label *l = &b->labels[b->images[i].first + k];
            const struct potential_line line = {names->image[i], names->wnid[l->class_id], potential_source(l)};
            rc = printing_row(out, &line);
        }
    }
    return rc;
}

enum err_code cmd_export_potential(struct cli *cli)
{
    struct label_plan_row p;
    struct label_plan_book book = {0};
    struct plan_names names;
    struct printing out;
    enum err_code rc = label_plans_find(cli->db, LABEL_PLAN_POTENTIAL, sv_of(cli->args[1]), &cli->arena, &p, &cli->err);
    rc = rc == OK ? label_plan_read(cli->db, p.list, &cli->arena, &book, &cli->err) : rc;
    rc = rc == OK ? plan_names_read(cli->db, &book, &cli->arena, &names, &cli->err) : rc;
    if (rc == OK) {
        printing_begin(&out, cli, &potential_line_record);
        rc = printing_end(&out, print_labels(&out, &book, &names));
    }
    label_plan_release(&book);
    return rc;
}
