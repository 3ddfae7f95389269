/* score_revisions.c - reads the history of a set, counts what the models have predicted of each revision, prints it as
 * a table, or with --json as records. */
#include "cli/models/score_revisions.h"

#include <jansson.h>
#include <stdio.h>

#include "cli/core/table.h"
#include "cli/models/set_data.h"
#include "json/object.h"
#include "measures/votes/by_revision_rows.h"

#define OUT_MOST ((size_t)1 << 26)

struct revisions_run {
    struct cli *cli;
    int64_t set;
    struct subset subset;
    int64_t *models;
    struct sv *names;
    size_t n_models;
    struct revision_scores_list list;
};

/* Those that --model names; else all. */
static enum err_code choose_models(struct revisions_run *s)
{
    struct cli *cli = s->cli;
    const char *named = cli_opt(cli, "model");
    struct model_row *list;
    enum err_code rc = models_named(cli->db, sv_of(named ? named : ""), &cli->arena, &list, &s->n_models, &cli->err);
    if (rc != OK) {
        return rc;
    }
    s->models = arena_calloc(&cli->arena, s->n_models + 1, sizeof *s->models);
    s->names = arena_calloc(&cli->arena, s->n_models + 1, sizeof *s->names);
    for (size_t i = 0; i < s->n_models; i++) {
        s->models[i] = list[i].id;
        s->names[i] = list[i].name;
    }
    return OK;
}

static enum err_code count_all(struct revisions_run *s)
{
    struct cli *cli = s->cli;
    const struct revision_ask ask = {
        .set = s->set, .subset = &s->subset, .models = s->models, .n_models = s->n_models};
    struct revision_line *lines;
    size_t n = 0;
    struct by_revision *counts = by_revision_new();
    enum err_code rc = by_revision_make(counts, cli->db, &ask, &cli->arena, &lines, &n, &cli->err);
    by_revision_free(counts);
    if (rc == OK) {
        s->list = revision_score_rows(lines, n, s->names, s->n_models, &cli->arena);
    }
    return rc;
}

static enum err_code read_all(struct revisions_run *s, const char *set)
{
    struct cli *cli = s->cli;
    struct revision_row r;
    enum err_code rc = revisions_find(cli->db, sv_of(set), &cli->arena, &r, &cli->err);
    rc = rc == OK ? subset_option(cli, &s->subset) : rc;
    rc = rc == OK ? choose_models(s) : rc;
    s->set = rc == OK ? r.image_set : 0;
    return rc == OK ? count_all(s) : rc;
}

/* ---- what is said of it ---- */

static void note(const struct revisions_run *s)
{
    for (size_t i = 0; i < s->list.n_partial; i++) {
        const struct revision_score_row *r = &s->list.partial[i];
        cli_note(s->cli, "Left out: " SV_FMT " on " SV_FMT " (predictions about %u of %lld images).", SV_ARG(r->model),
                 SV_ARG(r->name), r->n, (long long)r->images);
    }
    if (s->list.n_sealed) {
        cli_note(s->cli, "%zu revision%s sealed: models are not scored there.", s->list.n_sealed,
                 s->list.n_sealed == 1 ? " is" : "s are");
    }
    if (s->list.n_rows == 0) {
        cli_note(s->cli, "No model has predictions about all images of a revision: make them with `holdout predict` or "
                         "import them with `holdout import predictions`.");
    }
}

static json_t *json_rows(const struct revision_score_row *rows, size_t n)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        json_array_append_new(list, record_json(&revision_score_record, &rows[i]));
    }
    return list;
}

static enum err_code print_json(const struct revisions_run *s)
{
    json_t *all = object(field_text("tool", "holdout " HOLDOUT_VERSION), field_sv("subset", s->subset.name), field_sv("labels", s->subset.labels.name),
                         field_text("interval", "Clopper-Pearson"), field_real("alpha", 0.05),
                         field_json("revisions", json_rows(s->list.rows, s->list.n_rows)),
                         field_json("left_out", json_rows(s->list.partial, s->list.n_partial)),
                         field_count("sealed", s->list.n_sealed));
    bool written = all && json_dumpf(all, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) == 0 && putchar('\n') != EOF;
    json_decref(all);
    return written ? OK : err_set(&s->cli->err, ERR_IO, "cannot write the output");
}

static enum err_code print_table(const struct revisions_run *s, enum record_table as)
{
    struct str out;
    str_init(&out, OUT_MOST);
    revision_scores_write(&s->list, as, &out);
    return export_end(&out, OK, &s->cli->err);
}

enum err_code score_revisions(struct cli *cli, const char *set, enum record_table as)
{
    struct revisions_run s = {.cli = cli};
    enum err_code rc = db_snapshot(cli->db, &cli->err);
    if (rc == OK) {
        rc = read_all(&s, set);
        db_snapshot_end(cli->db);
    }
    rc = rc == OK ? cli->json ? print_json(&s) : print_table(&s, as) : rc;
    if (rc == OK) {
        note(&s);
    }
    return rc;
}
