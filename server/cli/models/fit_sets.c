/* fit_sets.c - two sets of the project, read in one snapshot, and the line through their models. */
#include "cli/models/fit_sets.h"

#include "base/list.h"
#include "cli/models/set_data.h"
#include "store/operate/health.h"

/* Names with commas between them. */
static void read_without(struct cli *cli, struct set_fit_ask *ask)
{
    const char *text = cli_opt(cli, "without");
    struct sv rest = sv_of(text ? text : "");
    struct list names = {0};
    while (rest.p) {
        struct sv name = sv_trim(sv_cut(&rest, ','));
        if (name.n) {
            *LIST_ADD(&names, &cli->arena, struct sv) = name;
        }
    }
    ask->without = names.items;
    ask->n_without = names.n;
}

static enum err_code read_set(struct cli *cli, struct model_scores *cache, const char *name, const struct subset *subset,
                              struct scored_set *out)
{
    enum err_code rc = scored_set_read(cache, cli->db, sv_of(name), subset, &cli->arena, out, &cli->err);
    if (rc == OK) {
        set_note_unsealed(cli, &out->r);
    }
    return rc;
}

static enum err_code read_all(struct cli *cli, struct fit_sets *f)
{
    int64_t schema = 0;
    struct model_scores *cache = model_scores_new();
    enum err_code rc = db_snapshot(cli->db, &cli->err);
    if (rc == OK) {
        rc = health_moment(cli->db, &f->event, &schema, &cli->err);
        rc = rc == OK ? subset_option(cli, &f->subset) : rc;
        rc = rc == OK ? subset_option_new(cli, &f->fresh_subset) : rc;
        rc = rc == OK ? read_set(cli, cache, cli_opt(cli, "original"), &f->subset, &f->original) : rc;
        rc = rc == OK ? read_set(cli, cache, cli_opt(cli, "new"), &f->fresh_subset, &f->fresh) : rc;
        rc = rc == OK ? set_fit(cache, cli->db, &f->ask, &cli->arena, &f->found, &cli->err) : rc;
        db_snapshot_end(cli->db);
    }
    model_scores_free(cache);
    return rc;
}

enum err_code fit_sets_read(struct cli *cli, struct fit_sets *out)
{
    if (!cli_opt(cli, "original") || !cli_opt(cli, "new")) {
        return cli_usage(cli, "give --original and --new");
    }
    out->ask.original = &out->original;
    out->ask.fresh = &out->fresh;
    out->ask.subset = &out->subset;
    out->ask.fresh_subset = &out->fresh_subset;
    read_without(cli, &out->ask);
    enum err_code rc = top_options(cli, &out->ask.top, &out->ask.fresh_top);
    return rc == OK ? read_all(cli, out) : rc;
}

void fit_note_left_out(const struct cli *cli, const struct fit_found *found)
{
    for (size_t i = 0; i < found->n_points; i++) {
        if (found->points[i].left_out) {
            cli_note(cli, "Left out: " SV_FMT " (%s).", SV_ARG(found->points[i].model), found->points[i].left_out);
        }
    }
}
