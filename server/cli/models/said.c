/* said.c - `holdout said`: how often people find in images what models say is in them, as CSV; --json says what it was
 * made of, too. */
#include <jansson.h>
#include <stdio.h>

#include "base/parallel.h"
#include "cli/core/commands.h"
#include "cli/core/table.h"
#include "cli/models/set_data.h"
#include "json/object.h"
#include "live/votes/view_ask.h"
#include "measures/votes/said_frequency.h"
#include "sets/revisions/made_of.h"

#define OUT_MOST ((size_t)1 << 26)
enum { SEED_BITS = 53 /* JSON keeps these exactly */ };

struct said_run {
    struct cli *cli;
    struct revision_row r;
    struct vote_view view;
    struct subset subset;
    struct model_row *models; /* by name */
    size_t n_models;
    int64_t resamples, seed, event; /* event: up to which votes count */
    struct said_frequencies found;
};

static enum err_code read_ask(struct said_run *s)
{
    struct cli *cli = s->cli;
    struct arena *a = &cli->arena;
    const char *set = cli_opt(cli, "set"), *view = cli_opt(cli, "view"), *models = cli_opt(cli, "model");
    enum err_code rc = revisions_find(cli->db, sv_of(set), a, &s->r, &cli->err);
    rc = rc == OK ? views_find(cli->db, sv_of(view ? view : "default"), a, &s->view, &cli->err) : rc;
    rc = rc == OK ? subset_option(cli, &s->subset) : rc;
    return rc == OK ? models_named(cli->db, sv_of(models ? models : ""), a, &s->models, &s->n_models, &cli->err) : rc;
}

static enum err_code count(struct said_run *s, const struct view_counts *votes)
{
    struct cli *cli = s->cli;
    const struct said_ask ask = {.revision = &s->r,
                                 .subset = &s->subset,
                                 .votes = votes,
                                 .models = s->models,
                                 .n_models = s->n_models,
                                 .resamples = (uint32_t)s->resamples,
                                 .seed = (uint64_t)s->seed,
                                 .threads = parallel_cores()};
    struct model_scores *scores = model_scores_new();
    enum err_code rc = said_frequencies_make(scores, cli->db, &ask, &cli->arena, &s->found, &cli->err);
    model_scores_free(scores);
    s->event = votes->cursor;
    return rc;
}

static enum err_code read_votes(struct said_run *s)
{
    struct cli *cli = s->cli;
    struct view_counts votes;
    enum err_code rc = view_count_once(cli->db, &s->view, 0, &cli->arena, &votes, &cli->err);
    if (rc == OK) {
        rc = count(s, &votes);
        view_counts_release(&votes);
    }
    return rc;
}

static enum err_code read_all(struct said_run *s)
{
    enum err_code rc = db_snapshot(s->cli->db, &s->cli->err);
    if (rc == OK) {
        rc = read_ask(s);
        rc = rc == OK ? read_votes(s) : rc;
        db_snapshot_end(s->cli->db);
    }
    return rc;
}

static void note(const struct said_run *s)
{
    const struct said_frequencies *f = &s->found;
    for (size_t i = 0; i < f->n_lines; i++) {
        const struct said_line *l = &f->lines[i];
        if (l->asked < l->images) {
            cli_note(s->cli, "%s" SV_FMT ": nobody was asked about what is said of %u of %u images.", l->model.n ? "" : "The labels",
                     SV_ARG(l->model), l->images - l->asked, l->images);
        }
    }
    if (f->sealed) {
        cli_note(s->cli, "%u image%s that a sealed set has are left out.", f->sealed, f->sealed == 1 ? "" : "s");
    }
}

static enum err_code print_json(const struct said_run *s)
{
    json_t *lines = json_array();
    for (size_t i = 0; i < s->found.n_lines; i++) {
        json_array_append_new(lines, record_json(&said_line_record, &s->found.lines[i]));
    }
    json_t *all = object(field_text("tool", "holdout " HOLDOUT_VERSION), field_json("set", set_data(&s->r)),
                         field_int("as_of_event", s->event), field_sv("view", s->view.name), field_int("view_version", s->view.id),
                         field_sv("subset", s->subset.name), field_int("resamples", s->resamples), field_int("seed", s->seed),
                         field_int("sealed", s->found.sealed), field_json("lines", lines));
    bool written = all && json_dumpf(all, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) == 0 && putchar('\n') != EOF;
    json_decref(all);
    return written ? OK : err_set(&s->cli->err, ERR_IO, "cannot write the output");
}

static enum err_code print_csv(const struct said_run *s)
{
    struct str out;
    str_init(&out, OUT_MOST);
    record_table(&said_line_record, RECORD_TABLE_CSV, s->found.lines, s->found.n_lines, &out);
    return export_end(&out, OK, &s->cli->err);
}

enum err_code cmd_said(struct cli *cli)
{
    struct said_run s = {.cli = cli};
    if (!cli_opt(cli, "set")) {
        return cli_usage(cli, "give --set");
    }
    enum err_code rc = cli_opt_int(cli, "resamples", 1, SAID_RESAMPLES_MOST, SAID_RESAMPLES, &s.resamples);
    rc = rc == OK ? cli_opt_int(cli, "seed", 0, INT64_C(1) << SEED_BITS, SAID_SEED, &s.seed) : rc;
    rc = rc == OK ? read_all(&s) : rc;
    rc = rc == OK ? cli->json ? print_json(&s) : print_csv(&s) : rc;
    if (rc == OK) {
        note(&s);
    }
    return rc;
}
