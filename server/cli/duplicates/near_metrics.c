/* near_metrics.c - `holdout near-metrics`: by which metrics the project looks for near-duplicates, and how far it has. With
 * a name: defines or changes one. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "cli/core/commands.h"
#include "cli/core/table.h"
#include "neighbors/ssim.h"
#include "sets/duplicates/near_work.h"
#include "store/duplicates/near_metrics.h"
#include "store/models/models.h"

_Static_assert((int)NEAR_SIDE_MOST == (int)SSIM_SIDE_MOST && (int)NEAR_WINDOW_MOST == (int)SSIM_WINDOW_MOST,
               "what a metric may be is what can be searched");

enum { OUT_MOST = 1 << 16 };

/* ---- the list ---- */

static enum err_code print_metrics(struct cli *cli)
{
    struct near_work w = {0};
    struct str out;
    enum err_code rc = db_snapshot(cli->db, &cli->err);
    if (rc != OK) {
        return rc;
    }
    rc = near_work_list(cli->db, &cli->arena, &w, &cli->err);
    db_snapshot_end(cli->db);
    str_init(&out, OUT_MOST);
    record_csv_names(&near_metric_record, &out);
    str_addc(&out, '\n');
    for (size_t m = 0; m < w.gate.n && rc == OK; m++) {
        record_csv_cells(&near_metric_record, &w.metric[m], &out);
        str_addc(&out, '\n');
    }
    return export_end(&out, rc, &cli->err);
}

/* ---- one metric ---- */

static enum err_code read_kind(struct cli *cli, struct review_metric *m)
{
    const char *word = cli_opt(cli, "kind");
    int kind = 0;
    while (word && kind < NEAR_KINDS && strcmp(word, near_kinds[kind]) != 0) {
        kind++;
    }
    if (kind == NEAR_KINDS) {
        return cli_usage(cli, "--kind must be l2, feature or dssim");
    }
    if (word && (!m->name[0] || (int)m->kind != kind)) {
        *m = review_metric_usual((enum near_kind)kind);
    } else if (!m->name[0]) {
        return cli_usage(cli, "the project has no metric of that name; --kind l2, feature or dssim defines one");
    }
    return OK;
}

static enum err_code read_model(struct cli *cli, struct review_metric *m)
{
    const char *name = cli_opt(cli, "model");
    struct model_row row;
    if (!name) {
        return OK;
    }
    snprintf(m->model, sizeof m->model, "%s", name);
    return models_find(cli->db, sv_of(name), &cli->arena, &row, &cli->err);
}

/* Tiny images are compared as they are, with a window that fits them. */
static enum err_code read_sizes(struct cli *cli, struct review_metric *m)
{
    int64_t side, window;
    enum err_code rc = cli_opt_int(cli, "size", NEAR_SIDE_LEAST, NEAR_SIDE_MOST, m->side, &side);
    int64_t fits = m->window && m->window > side ? (side - 1) | 1 : m->window;
    rc = rc == OK ? cli_opt_int(cli, "window", 3, NEAR_WINDOW_MOST, fits, &window) : rc;
    rc = rc == OK ? cli_opt_real(cli, "threshold", 0, REVIEW_CLEAR, m->threshold, &m->threshold) : rc;
    if (rc == OK) {
        m->side = (uint32_t)side;
        m->window = (uint32_t)window;
    }
    return rc;
}

static enum err_code put_metric(struct cli *cli)
{
    struct review_gate gate;
    bool changed = false;
    enum err_code rc = near_metrics_get(cli->db, 0, &gate, &cli->err);
    size_t at = rc == OK ? review_gate_find(&gate, sv_of(cli->args[1])) : 0;
    struct review_metric m = rc == OK && at < gate.n ? gate.metric[at] : (struct review_metric){0};
    rc = rc == OK ? read_kind(cli, &m) : rc;
    rc = rc == OK ? read_model(cli, &m) : rc;
    rc = rc == OK ? read_sizes(cli, &m) : rc;
    if (rc != OK) {
        return rc;
    }
    if (strlen(cli->args[1]) > REVIEW_NAME) {
        return cli_usage(cli, "the name of a metric has at most 32 characters");
    }
    snprintf(m.name, sizeof m.name, "%s", cli->args[1]);
    m.enabled = !cli_opt(cli, "off");
    rc = near_metrics_put(cli->db, &m, 0, clock_wall_ms(), &changed, &cli->err);
    if (rc == OK) {
        cli_note(cli, changed ? "%s is %s. Next: holdout neighbors %s" : "%s is %s already. Next: holdout neighbors %s",
                 m.name, m.enabled ? "on" : "off", cli->dir);
    }
    return rc;
}

enum err_code cmd_near_metrics(struct cli *cli)
{
    return cli->n_args > 1 ? put_metric(cli) : print_metrics(cli);
}
