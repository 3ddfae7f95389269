/* bias.c - `holdout bias`: how much harder a set is than its originals because it was chosen by
 * noisy frequencies. A table for people on standard output, or all of it as JSON. */
#include <jansson.h>
#include <stdio.h>

#include "base/parallel.h"
#include "cli/core/commands.h"
#include "cli/core/table.h"
#include "sets/bias/bias.h"

enum { OUT_MOST = 1 << 16, GROUPS_LEAST = 2, GROUPS_MOST = 1000 };

static enum err_code read_ask(struct cli *cli, struct set_bias_ask *out)
{
    int64_t groups = 0, seed = 0;
    enum err_code rc = OK;
    if (cli_has(cli, "groups")) {
        rc = cli_opt_int(cli, "groups", GROUPS_LEAST, GROUPS_MOST, 0, &groups);
    }
    rc = rc == OK ? cli_opt_int(cli, "seed", 0, INT64_C(1) << 53, 0, &seed) : rc;
    *out = (struct set_bias_ask){.groups = (unsigned)groups,
                                 .seed = (uint64_t)seed,
                                 .threads = parallel_cores(),
                                 .flags_to_quarantine = cli->config.flags_to_quarantine};
    return rc;
}

static void line(struct str *out, const char *name, const struct bias_estimate *e)
{
    if (e->known && e->interval) {
        str_printf(out, "%-52s %+.4f   %+.4f to %+.4f\n", name, e->value, e->lo, e->hi);
    } else if (e->known) {
        str_printf(out, "%-52s %+.4f   (too few workers for an interval)\n", name, e->value);
    }
}

static void add_designs(const struct matching_bias *f, struct str *out)
{
    for (size_t i = 0; i < f->n_at; i++) {
        const struct bias_at *d = &f->at[i];
        char name[80];
        snprintf(name, sizeof name, "measured: chosen by %u answers, on the others", d->n);
        line(out, name, &d->bias);
        str_printf(out,
                   "  set %.4f by the answers that chose, %.4f by %llu others; originals %.4f\n",
                   d->kept, d->held, (unsigned long long)d->held_out, d->original);
    }
}

static void add_again(const struct set_bias_again *g, struct str *out)
{
    if (g->n_campaigns == 0) {
        return;
    }
    line(out, "measured again by others", &g->now.raw);
    if (g->now.raw.known) {
        str_printf(out, "  set %.4f, at first %.4f; originals %.4f, at first %.4f\n",
                   g->now.raw_set, g->first_set, g->now.raw_original, g->first_original);
        str_printf(out, "  %zu images of the set, %zu originals, %llu votes of %u workers\n",
                   g->now.images, g->now.originals, (unsigned long long)g->votes, g->now.workers);
    } else {
        str_addz(out, "measured again by others: no answers yet\n");
    }
}

static void add_table(const struct set_bias *b, struct str *out)
{
    const struct matching_bias *f = &b->first;
    str_printf(out,
               SV_FMT "/%lld against the originals of its classes, view " SV_FMT
                      " up to event %lld\n",
               SV_ARG(b->revision.set), (long long)b->revision.number, SV_ARG(b->view),
               (long long)b->as_of);
    str_printf(out,
               "%zu images, %zu originals, %zu candidates; %u answers each, of %u workers\n"
               "intervals by leaving out each of %u groups of workers, seed %llu\n\n",
               f->images, f->originals, f->pool, f->answers, f->workers, f->groups,
               (unsigned long long)b->seed);
    str_printf(out, "%-52s %-9s %s\n", "difference of mean frequencies, set - originals", "value",
               "95 % interval");
    add_again(&b->again, out);
    char name[80];
    snprintf(name, sizeof name, "estimated: chosen by all %u answers", f->answers);
    line(out, name, &f->estimated);
    if (f->kept + f->removed) {
        str_printf(out, "  final review: %zu removed, %zu of the set kept, %zu not reviewed\n",
                   f->removed, f->kept, f->unseen);
    }
    add_designs(f, out);
    snprintf(name, sizeof name, "raw averages (set %.4f, originals %.4f)", f->raw_set,
             f->raw_original);
    line(out, name, &f->raw);
}

/* The figure to use, and what it does not know. */
static void note_leading(struct cli *cli, const struct set_bias *b)
{
    const struct bias_leading l = set_bias_leading(b);
    if (l.method != BIAS_NONE) {
        cli_note(cli, "The figure to use: %+.4f, %s.", l.estimate.value, l.words);
    }
    if (l.why_not) {
        cli_note(cli, "%s", l.why_not);
    }
    if (b->review.assumed) {
        cli_note(cli, "No class is recorded as reviewed, but images were removed: all images of earlier "
                      "revisions count as reviewed.");
    }
    if (b->first.kept + b->first.removed && l.method != BIAS_MEASURED_AGAIN) {
        cli_note(cli, "The reviewers saw the images, so they knew more than the answers say. The estimate "
                      "treats the chance of being removed as a curve of the true frequency; measuring again "
                      "makes no such assumption.");
    }
}

static void note_gaps(struct cli *cli, const struct set_bias *b)
{
    const struct set_bias_again *g = &b->again;
    const char *why = set_bias_no_designs(b);
    if (why) {
        cli_note(cli, "%s", why);
    }
    if (g->n_campaigns == 0) {
        cli_note(
            cli,
            "No one has measured it again: holdout grids DIR --kind re-measurement --set " SV_FMT
            "/%lld.",
            SV_ARG(b->revision.set), (long long)b->revision.number);
    }
    if (g->people_met) {
        cli_note(cli,
                 "Left out: %llu votes of %zu people who had been shown images of the first "
                 "campaigns.",
                 (unsigned long long)g->votes_met, g->people_met);
    }
}

static enum err_code print(struct cli *cli, const struct set_bias *b)
{
    if (cli->json) {
        json_t *all = set_bias_json(b);
        bool written = json_dumpf(all, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) == 0 &&
                       putchar('\n') != EOF;
        json_decref(all);
        return written ? OK : err_set(&cli->err, ERR_IO, "cannot write the output");
    }
    struct str out;
    str_init(&out, OUT_MOST);
    add_table(b, &out);
    return export_end(&out, OK, &cli->err);
}

static enum err_code no_votes(struct cli *cli, const struct set_bias *b)
{
    return err_rule(&cli->err, ERR_INPUT, "bias-votes",
                    "No class has answers about images of " SV_FMT "/%lld and about originals "
                    "under the view " SV_FMT ": there is nothing to compare.",
                    SV_ARG(b->revision.set), (long long)b->revision.number, SV_ARG(b->view));
}

enum err_code cmd_bias(struct cli *cli)
{
    struct set_bias_ask ask;
    struct set_bias b;
    enum err_code rc = read_ask(cli, &ask);
    struct tally *t = tally_new();
    rc = rc == OK ? tally_fold(t, cli->db, &cli->err) : rc;
    if (rc == OK) {
        rc = set_bias_make(cli->db, t, sv_of(cli->args[1]), &ask, &cli->arena, &b, &cli->err);
    }
    if (rc == OK && !b.first.raw.known && !b.again.now.raw.known) {
        rc = no_votes(cli, &b);
    }
    if (rc == OK) {
        rc = print(cli, &b);
        note_leading(cli, &b);
        note_gaps(cli, &b);
    }
    tally_free(t);
    return rc;
}
