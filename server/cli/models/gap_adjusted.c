/* gap_adjusted.c - `holdout gap-adjusted`: the gap of models on a pair of sets when new images count by their true
 * selection frequency, and what can be said of the parts that gaps are made of. A table for people on standard output, or
 * all of it as JSON. */
#include "cli/core/commands.h"
#include "cli/core/table.h"
#include "cli/models/adjusted_run.h"
#include "measures/scores/gap_parts.h"

#define OUT_MOST ((size_t)1 << 24)

static void add_estimate(const struct adjusted_estimate *e, struct str *out)
{
    if (e->interval) {
        str_printf(out, " %7.1f %7.1f to %5.1f", 100 * e->value, 100 * e->lo, 100 * e->hi);
    } else {
        str_printf(out, " %7.1f %16s", 100 * e->value, "no interval");
    }
}

static void add_line(struct sv name, const struct adjusted_line *l, struct str *out)
{
    str_printf(out, "%-32.*s %8.1f %6.1f %8.1f", (int)name.n, name.p, 100 * l->original, 100 * l->fresh, 100 * l->adjusted);
    add_estimate(&l->raw, out);
    add_estimate(&l->gap, out);
    str_addz(out, "\n");
}

static void add_figure(const struct set_adjusted *s, const struct adjusted_gap *g, const char *how, struct str *out)
{
    if (g->silence != ADJUSTED_SPEAKS) {
        return;
    }
    str_printf(out, "%s: %zu images, %zu originals (%zu measured), %zu classes, %u workers\n", how, g->images, g->originals,
               g->measured, g->classes, g->workers);
    str_printf(out, "effective images %.0f, overlap of true frequencies %.2f; %u groups of workers, %u draws of images, seed %llu\n",
               g->effective, g->overlap, g->groups, g->resamples, (unsigned long long)s->seed);
    str_printf(out, "%-32s %8s %6s %8s %7s %16s %7s %16s\n", "percent", "original", "new", "adjusted", "raw gap", "95 %",
               "adj gap", "95 %");
    add_line(SV("mean of models"), &g->mean, out);
    for (size_t i = 0; i < s->n_models; i++) {
        add_line(s->models[i].name, &g->lines[i], out);
    }
    str_addz(out, "\n");
}

static void add_parts(const struct set_adjusted *s, struct str *out)
{
    struct gap_part parts[GAP_PARTS];
    gap_parts_of(set_adjusted_leading(s)->images, s->n_models, parts);
    for (int i = 0; i < GAP_PARTS; i++) {
        str_printf(out, "%s: ", parts[i].name);
        if (parts[i].identified) {
            str_printf(out, "at most %.2f points for one model, %.2f for all %zu at once. ", 100 * parts[i].bound,
                       100 * parts[i].all, s->n_models);
        }
        str_printf(out, "%s\n", parts[i].method);
    }
}

static enum err_code print(struct cli *cli, const struct set_adjusted *s)
{
    if (cli->json) {
        return adjusted_run_json(cli, s);
    }
    struct str out;
    str_init(&out, OUT_MOST);
    if (s->n_campaigns) {
        add_figure(s, &s->again, "Measured again", &out);
    }
    add_figure(s, &s->first, "By the votes that chose the set", &out);
    add_parts(s, &out);
    return export_end(&out, OK, &cli->err);
}

enum err_code cmd_gap_adjusted(struct cli *cli)
{
    struct set_adjusted s;
    enum err_code rc = adjusted_run(cli, "is no adjusted gap", &s);
    rc = rc == OK ? print(cli, &s) : rc;
    if (rc == OK && set_adjusted_leading(&s)->silence == ADJUSTED_SPEAKS) {
        cli_note(cli, "The figure to use: %.1f points, %s. %s", 100 * set_adjusted_leading(&s)->mean.gap.value,
                 set_adjusted_how(&s), adjusted_gap_assumes);
        adjusted_run_note(cli, &s);
    }
    return rc;
}
