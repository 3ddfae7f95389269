/* multilabel.c - `holdout multilabel`: all that a label source says of how models do on a set, or the same from files
 * without a project. CSV on standard output is the table and nothing else; --json says beside it what it was made of. */
#include <jansson.h>
#include <stdio.h>

#include "cli/core/commands.h"
#include "cli/core/table.h"
#include "cli/models/set_data.h"
#include "cli/objects/review_files.h"
#include "crypto/crypto.h"
#include "json/object.h"
#include "measures/scores/label_rows.h"
#include "sets/revisions/made_of.h"
#include "store/operate/health.h"

#define OUT_MOST ((size_t)1 << 26)
#define ALPHA 0.05

struct multilabel_run {
    struct cli *cli;
    struct subset subset;
    struct revision_row r;
    int64_t event;
    struct multilabel_table table;
    struct label_group_row *groups; /* with --groups */
    size_t n_groups;
    double alpha;
};

static enum err_code read_groups(struct multilabel_run *m, struct model_scores *cache, const char *word)
{
    struct cli *cli = m->cli;
    struct class_hierarchy h;
    struct class_groups groups;
    enum err_code rc = class_hierarchy_read(cli->db, &cli->arena, &h, &cli->err);
    rc = rc == OK ? class_groups_find(cli->db, &h, sv_of(word), &cli->arena, &groups, &cli->err) : rc;
    return rc == OK ? multilabel_groups_make(cache, cli->db, &m->r, &m->subset, &m->table, &groups, &cli->arena, &m->groups, &m->n_groups, &cli->err)
                    : rc;
}

static enum err_code read_all(struct multilabel_run *m, struct model_scores *cache)
{
    struct cli *cli = m->cli;
    int64_t schema = 0;
    enum err_code rc = health_moment(cli->db, &m->event, &schema, &cli->err);
    rc = rc == OK ? subset_option(cli, &m->subset) : rc;
    if (rc == OK && label_pick_is_set(&m->subset.labels)) {
        return cli_usage(cli, "name a label source with --labels; `holdout score` compares with the set's own labels");
    }
    rc = rc == OK ? revisions_find(cli->db, sv_of(cli_opt(cli, "set")), &cli->arena, &m->r, &cli->err) : rc;
    rc = rc == OK ? multilabel_table_make(cache, cli->db, &m->r, &m->subset, &cli->arena, &m->table, &cli->err) : rc;
    if (rc == OK) {
        multilabel_intervals(&m->table, m->alpha);
    }
    return rc == OK && cli_opt(cli, "groups") ? read_groups(m, cache, cli_opt(cli, "groups")) : rc;
}

static void note_coverage(const struct multilabel_run *m)
{
    const struct label_coverage *c = &m->table.coverage;
    set_note_unsealed(m->cli, &m->r);
    for (size_t i = 0; i < m->table.n_left_out; i++) {
        const struct multilabel_left_out *l = &m->table.left_out[i];
        cli_note(m->cli, "Left out: " SV_FMT " (predictions about %u of %u images).", SV_ARG(l->model), l->answers, c->counted);
    }
    cli_note(m->cli, SV_FMT " has %u of %u images of " SV_FMT "/%lld; %u of them count.", SV_ARG(m->subset.labels.name), c->there,
             c->images, SV_ARG(m->r.set), (long long)m->r.number, c->counted);
}

static enum err_code print_json(const struct multilabel_run *m)
{
    const struct label_version_row *v = &m->subset.labels.version;
    const struct label_coverage *c = &m->table.coverage;
    const struct record *record = multilabel_record(v->kind);
    char digest[2 * LABEL_DIGEST + 1];
    json_t *models = json_array(), *groups = json_array(), *numbers = json_array();
    for (size_t i = 0; i < m->table.n; i++) {
        json_array_append_new(models, record_json(record, &m->table.rows[i]));
    }
    for (size_t i = 0; i < m->n_groups; i++) {
        json_array_append_new(groups, record_json(&label_group_record, &m->groups[i]));
    }
    for (int i = 0; i <= LABEL_NUMBERS; i++) {
        if (c->right[i]) {
            object_add(numbers, field_int("n", i), field_int("images", c->right[i]));
        }
    }
    crypto_hex(v->digest, LABEL_DIGEST, digest);
    json_t *source = object(field_sv("name", v->name), field_int("version", v->number), field_text("kind", label_kind_word(v->kind)),
                            field_text("digest", digest));
    json_t *all = object(field_text("tool", "holdout " HOLDOUT_VERSION), field_int("as_of_event", m->event),
                         field_json("set", set_data(&m->r)), field_sv("subset", m->subset.name), field_json("labels", source),
                         field_int("images", c->images), field_int("labelled", c->there), field_int("counted", c->counted),
                         field_json("images_by_labels", numbers), field_json("groups", groups),
                         field_text("interval", "Clopper-Pearson"), field_real("alpha", m->alpha), field_json("models", models));
    bool written = json_dumpf(all, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) == 0 && putchar('\n') != EOF;
    json_decref(all);
    return written ? OK : err_set(&m->cli->err, ERR_IO, "cannot write the output");
}

static enum err_code print(const struct multilabel_run *m)
{
    struct str out;
    note_coverage(m);
    if (m->cli->json) {
        return print_json(m);
    }
    str_init(&out, OUT_MOST);
    if (cli_opt(m->cli, "groups")) {
        record_table(&label_group_record, RECORD_TABLE_CSV, m->groups, m->n_groups, &out);
        return export_end(&out, OK, &m->cli->err);
    }
    multilabel_csv(m->subset.labels.version.kind, m->table.rows, m->table.n, &out);
    return export_end(&out, OK, &m->cli->err);
}

static enum err_code from_project(struct cli *cli)
{
    struct multilabel_run m = {.cli = cli};
    enum err_code rc = cli_opt_real(cli, "alpha", 1e-6, 0.5, ALPHA, &m.alpha);
    rc = rc == OK ? project_open(cli) : rc;
    if (rc != OK) {
        return rc;
    }
    struct model_scores *cache = model_scores_new();
    rc = db_snapshot(cli->db, &cli->err);
    if (rc == OK) {
        rc = read_all(&m, cache);
        db_snapshot_end(cli->db);
    }
    model_scores_free(cache);
    return rc == OK ? print(&m) : rc;
}

enum err_code cmd_multilabel(struct cli *cli)
{
    static const char *const files[] = {"images", "reviews", "predictions"};
    int given = 0;
    for (int i = 0; i < 3; i++) {
        given += cli_has(cli, files[i]);
    }
    bool tables = cli_has(cli, "queue") || cli_has(cli, "summary");
    if (cli_opt(cli, "groups") && cli->n_args != 1) {
        return cli_usage(cli, "--groups is for a set of a project: name its folder");
    }
    if (cli->n_args == 1) {
        return given || tables                              ? cli_usage(cli, "files are for the command without a project")
               : cli_opt(cli, "set") && cli_opt(cli, "labels") ? from_project(cli)
                                                            : cli_usage(cli, "name the set with --set, and a label source with --labels");
    }
    return given == 3 ? review_files_print(cli) : cli_usage(cli, "name a project, or all of --images, --reviews and --predictions");
}
