/* label_errors.c - `holdout label-errors`: labels of a set that are probably wrong, as CSV. */
#include "cli/core/commands.h"
#include "cli/core/table.h"
#include "measures/images/label_errors_rows.h"
#include "measures/scores/model_pair.h"
#include "transfer/exports/exports.h"

#define OUT_MOST ((size_t)1 << 28)

static enum err_code find(struct cli *cli, struct label_errors *out)
{
    struct revision_row set;
    struct subset subset;
    struct model_row *models;
    size_t n = 0;
    enum err_code rc = revisions_find(cli->db, cli_text(cli, "set"), &cli->arena, &set, &cli->err);
    rc = rc == OK ? subset_labelled(cli->db, NULL, cli_text(cli, "subset"), SV(""), &cli->arena, &subset, &cli->err) : rc;
    rc = rc == OK ? models_named(cli->db, cli_text(cli, "models"), &cli->arena, &models, &n, &cli->err) : rc;
    if (rc != OK) {
        return rc;
    }
    int64_t *ids = arena_alloc(&cli->arena, (n + 1) * sizeof *ids);
    for (size_t i = 0; i < n; i++) {
        ids[i] = models[i].id;
    }
    struct model_scores *scores = model_scores_new();
    const struct label_errors_ask ask = {.revision = &set, .subset = &subset, .models = ids, .n_models = n};
    rc = label_errors_make(scores, cli->db, &ask, &cli->arena, out, &cli->err);
    model_scores_free(scores);
    return rc;
}

enum err_code cmd_label_errors(struct cli *cli)
{
    struct label_errors found;
    struct label_error_row *rows;
    struct str out;
    int64_t most;
    if (!cli_has(cli, "set")) {
        return cli_usage(cli, "name the set with --set");
    }
    enum err_code rc = cli_opt_int(cli, "most", 1, INT32_MAX, INT32_MAX, &most);
    rc = rc == OK ? find(cli, &found) : rc;
    size_t n = rc == OK && (int64_t)found.n > most ? (size_t)most : found.n;
    rc = rc == OK ? label_error_rows(cli->db, &found, 0, n, &cli->arena, &rows, &cli->err) : rc;
    str_init(&out, OUT_MOST);
    if (rc == OK) {
        record_table(&label_error_record, RECORD_TABLE_CSV, rows, n, &out);
        cli_note(cli, "%u labels are likely wrong, by %u models that have predicted all images, %u of them with probabilities.%s", found.likely,
                 found.models, found.scored, found.sealed ? " Images that a sealed revision has are left out." : "");
    }
    return export_end(&out, rc, &cli->err);
}
