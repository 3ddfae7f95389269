/* bins.c - `holdout bins`: accuracy of every model by selection frequency, of a set as seen, of a pair of sets also
 * corrected for few answers. A table (CSV, Markdown, LaTeX) on standard output and nothing else; --json has intervals and
 * the mean over models too, and says what it was made of. */
#include <jansson.h>
#include <stdio.h>

#include "cli/core/commands.h"
#include "cli/core/table.h"
#include "cli/models/adjusted_run.h"
#include "cli/models/set_data.h"
#include "json/object.h"
#include "live/votes/view_ask.h"
#include "measures/scores/score_sheet.h"
#include "measures/votes/binned_rows.h"
#include "sets/bias/adjusted_bins.h"

#define OUT_MOST ((size_t)1 << 26)

struct bins_run {
    struct cli *cli;
    struct sv asked; /* the set, as it was written */
    struct revision_row r;
    struct vote_view view;
    struct subset subset;
    struct model_row *models; /* by name */
    size_t n_models;
    int64_t event;            /* up to which votes count */
    struct binned_set set;
};

/* ---- what it is about ---- */

static enum err_code read_ask(struct bins_run *b)
{
    struct cli *cli = b->cli;
    const char *view = cli_opt(cli, "view");
    struct arena *a = &cli->arena;
    enum err_code rc = revisions_find(cli->db, b->asked, a, &b->r, &cli->err);
    rc = rc == OK ? views_find(cli->db, sv_of(view ? view : "default"), a, &b->view, &cli->err) : rc;
    rc = rc == OK ? subset_option(cli, &b->subset) : rc;
    return rc == OK ? models_list(cli->db, false, a, &b->models, &b->n_models, &cli->err) : rc;
}

static enum err_code count_bins(struct bins_run *b, const struct view_counts *votes)
{
    struct cli *cli = b->cli;
    struct arena *a = &cli->arena;
    int64_t *models = arena_calloc(a, b->n_models + 1, sizeof *models);
    struct sv *names = arena_calloc(a, b->n_models + 1, sizeof *names);
    for (size_t i = 0; i < b->n_models; i++) {
        models[i] = b->models[i].id;
        names[i] = b->models[i].name;
    }
    const struct binned_ask ask = {
        .revision = &b->r, .subset = &b->subset, .votes = votes, .models = models, .n_models = b->n_models};
    struct binned found;
    struct model_scores *scores = model_scores_new();
    enum err_code rc = binned_make(scores, cli->db, &ask, a, &found, &cli->err);
    model_scores_free(scores);
    if (rc == OK) {
        const char *title = arena_printf(a, SV_FMT "/%lld", SV_ARG(b->r.set), (long long)b->r.number);
        b->set = binned_set(&found, sv_of(title), b->asked, names, a);
        b->event = votes->cursor;
    }
    return rc;
}

static enum err_code read_votes(struct bins_run *b)
{
    struct cli *cli = b->cli;
    struct view_counts votes;
    enum err_code rc = view_count_once(cli->db, &b->view, 0, &cli->arena, &votes, &cli->err);
    if (rc == OK) {
        rc = count_bins(b, &votes);
        view_counts_release(&votes);
    }
    return rc;
}

static enum err_code read_all(struct bins_run *b)
{
    enum err_code rc = db_snapshot(b->cli->db, &b->cli->err);
    if (rc == OK) {
        rc = read_ask(b);
        rc = rc == OK ? read_votes(b) : rc;
        db_snapshot_end(b->cli->db);
    }
    return rc;
}

/* ---- what is said of it ---- */

static void note(const struct bins_run *b)
{
    const struct binned_set *s = &b->set;
    if (s->unanswered) {
        cli_note(b->cli, "%u image%s of " SV_FMT " without answers under the view " SV_FMT " are in no bin.", s->unanswered,
                 s->unanswered == 1 ? "" : "s", SV_ARG(s->set), SV_ARG(b->view.name));
    }
    if (s->sealed) {
        cli_note(b->cli, "%u image%s that a sealed set has are in no bin.", s->sealed, s->sealed == 1 ? "" : "s");
    }
    if (s->n_rows == 0) {
        cli_note(b->cli, "No model has predictions about the set: make them with `holdout predict` or import them with "
                         "`holdout import predictions`.");
    }
}

static enum err_code print_json(const struct bins_run *b)
{
    json_t *all = object(field_text("tool", "holdout " HOLDOUT_VERSION), field_int("as_of_event", b->event),
                         field_sv("view", b->view.name), field_int("view_version", b->view.id),
                         field_sv("subset", b->subset.name), field_sv("labels", b->subset.labels.name),
                         field_text("interval", "Clopper-Pearson"),
                         field_real("alpha", 0.05), field_json("bins", record_json(&binned_set_record, &b->set)));
    bool written = all && json_dumpf(all, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) == 0 && putchar('\n') != EOF;
    json_decref(all);
    return written ? OK : err_set(&b->cli->err, ERR_IO, "cannot write the output");
}

static enum err_code print_table(const struct bins_run *b, enum record_table as)
{
    struct str out;
    str_init(&out, OUT_MOST);
    binned_write(&b->set, b->view.name, as, &out);
    return export_end(&out, OK, &b->cli->err);
}

/* ---- a pair of sets ---- */

static enum err_code print_pair(struct cli *cli, const struct set_adjusted *s, enum record_table as)
{
    struct str out;
    if (cli->json) {
        return adjusted_run_json(cli, s);
    }
    str_init(&out, OUT_MOST);
    adjusted_bins_write(s, as, &cli->arena, &out);
    return export_end(&out, OK, &cli->err);
}

static enum err_code pair_bins(struct cli *cli, enum record_table as)
{
    struct set_adjusted s;
    if (cli_opt(cli, "view")) {
        return cli_usage(cli, "--view goes with --set: a pair is measured by the view that its new set was sampled by");
    }
    enum err_code rc = adjusted_run(cli, "are no corrected bins", &s);
    rc = rc == OK ? print_pair(cli, &s, as) : rc;
    if (rc == OK && set_adjusted_leading(&s)->silence == ADJUSTED_SPEAKS) {
        cli_note(cli, "By the votes of: %s. %s", set_adjusted_how(&s), adjusted_bins_assume);
        adjusted_run_note(cli, &s);
    }
    return rc;
}

/* ---- all ---- */

static enum err_code set_bins(struct cli *cli, const char *set, enum record_table as)
{
    struct bins_run b = {.cli = cli, .asked = sv_of(set)};
    enum err_code rc = read_all(&b);
    rc = rc == OK ? cli->json ? print_json(&b) : print_table(&b, as) : rc;
    if (rc == OK) {
        note(&b);
    }
    return rc;
}

enum err_code cmd_bins(struct cli *cli)
{
    const char *set = cli_opt(cli, "set");
    const struct score_format *as = score_format_named(cli_opt(cli, "format"));
    bool pair = cli_opt(cli, "original") || cli_opt(cli, "new");
    if (!set == !pair) {
        return cli_usage(cli, "give --set, or --original and --new");
    }
    if (!as) {
        return cli_usage(cli, "--format must be csv, markdown or latex");
    }
    return pair ? pair_bins(cli, as->as) : set_bins(cli, set, as->as);
}
