/* export_scores.c - `holdout export scores`: every model on every revision, for other programs. */
#include <string.h>

#include "cli/core/commands.h"
#include "cli/core/table.h"
#include "cli/models/set_data.h"
#include "measures/scores/score_grid.h"

#define OUT_MOST ((size_t)1 << 28)

static enum err_code read_grid(struct cli *cli, struct subset *subset, struct score_grid *out)
{
    struct model_scores *scores = model_scores_new();
    enum err_code rc = db_snapshot(cli->db, &cli->err);
    if (rc == OK) {
        rc = subset_option(cli, subset);
        rc = rc == OK ? score_grid_read(scores, cli->db, subset, &cli->arena, out, &cli->err) : rc;
        db_snapshot_end(cli->db);
    }
    model_scores_free(scores);
    return rc;
}

enum err_code cmd_export_scores(struct cli *cli)
{
    const char *format = cli_opt(cli, "format"), *word = cli_opt(cli, "level");
    const struct score_level *level = score_level_named(sv_of(word ? word : ""));
    bool testbed = format && strcmp(format, "testbed") == 0;
    struct subset subset;
    struct score_grid grid;
    struct str out;
    int64_t top;
    if (format && !testbed && strcmp(format, "long") != 0) {
        return cli_usage(cli, "--format must be long or testbed");
    }
    if (!level) {
        return cli_usage(cli, "--level must be 0.95 or 0.995");
    }
    if (testbed ? cli_has(cli, "level") : cli_has(cli, "top")) {
        return cli_usage(cli, "--top is for --format testbed, which has no intervals; --level is for the long table, which has both tops");
    }
    enum err_code rc = cli_opt_int(cli, "top", 1, 5, 1, &top);
    if (rc != OK || (top != 1 && top != 5)) {
        return rc == OK ? cli_usage(cli, "--top must be 1 or 5") : rc;
    }
    rc = read_grid(cli, &subset, &grid);
    if (rc != OK) {
        return rc;
    }
    if (grid.sealed) {
        cli_note(cli, "%zu sealed revision%s left out.", grid.sealed, grid.sealed == 1 ? " is" : "s are");
    }
    if (grid.unlabelled) {
        cli_note(cli, "%zu revision%s without an image that the label source counts %s left out.", grid.unlabelled,
                 grid.unlabelled == 1 ? "" : "s", grid.unlabelled == 1 ? "is" : "are");
    }
    str_init(&out, OUT_MOST);
    if (testbed) {
        score_grid_testbed(&grid, (int)top, &cli->arena, &out);
    } else {
        score_grid_long(&grid, level, &out);
    }
    return export_end(&out, OK, &cli->err);
}
