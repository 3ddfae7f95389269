/* score_sheet.c - the columns of printed tables, the caption below them, and which lines are wanted. */
#include "measures/scores/score_sheet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "measures/scores/gap.h"
#include "measures/scores/score_csv.h"
#include "stats/binomial.h"
#include "stats/rank.h"

enum { SUMMARY_ROWS = 3 };

const struct score_format score_formats[] = {
    {"csv", "csv", "text/csv; charset=utf-8", RECORD_TABLE_CSV},
    {"markdown", "md", "text/markdown; charset=utf-8", RECORD_TABLE_MARKDOWN},
    {"latex", "tex", "application/x-tex", RECORD_TABLE_LATEX},
    {0},
};

const struct score_format *score_format_named(const char *word)
{
    const struct score_format *f = score_formats;
    while (word && f->word && strcmp(f->word, word) != 0) {
        f++;
    }
    return f->word ? f : NULL;
}

static void interval_of(uint32_t k, uint32_t n, double alpha, double *lo, double *hi)
{
    struct interval ci = binomial_clopper_pearson(k, n, alpha);
    *lo = ci.lo;
    *hi = ci.hi;
}

void score_sheet_lines(const struct score_counts *counts, size_t n, const struct score_level *level, struct score_line *lines)
{
    score_table(counts, n, interval_of, level->alpha, lines);
}

/* ---- what the lines add up to ---- */

static size_t median_of(size_t n)
{
    return (n - 1) / 2;
}

struct score_summary score_summarise(const struct score_line *lines, size_t n)
{
    struct score_summary s = {.models = n, .mean_gap = (double)NAN, .kendall = (double)NAN, .spearman = (double)NAN};
    if (n == 0) {
        return s;
    }
    double *both = xcalloc(2 * n, sizeof *both), sum = 0;
    for (size_t i = 0; i < n; i++) {
        both[i] = lines[i].counts.orig_correct;
        both[n + i] = lines[i].counts.new_correct;
        sum += lines[i].gap;
    }
    s.best = lines[0].counts.model;
    s.median = lines[median_of(n)].counts.model;
    s.worst = lines[n - 1].counts.model;
    s.mean_gap = sum / (double)n;
    s.kendall = rank_kendall(both, both + n, n);
    s.spearman = rank_spearman(both, both + n, n);
    free(both);
    return s;
}

#define OF(member) RECORD_OF(struct score_summary, member)
RECORD(score_summary_record, struct score_summary, "score_summary", "What the lines of a table of scores add up to.",
       {"models", OF(models), .about = "How many lines there are."},
       {"best", OF(best), .maybe = true, .about = "The first model by rank on the originals; null here and below: there is none."},
       {"median", OF(median), .maybe = true, .about = "The middle one; of an even number the better of both."},
       {"worst", OF(worst), .maybe = true, .about = "The last one."},
       {"mean_gap", OF(mean_gap), .maybe = true, .about = "The mean of gap over models, in points."},
       {"kendall", OF(kendall), .maybe = true, .about = "Kendall's tau-b of right answers on both sets; null: fewer than two models, or all alike."},
       {"spearman", OF(spearman), .maybe = true, .about = "Spearman's rho of them."});
#undef OF

/* ---- columns ---- */

#define OF(member) RECORD_OF(struct score_gap_row, member)
#define BOUNDS(low, high) RECORD_ROUNDED, RECORD_BOUNDS(struct score_gap_row, low, high)
#define RANGE(member) RECORD_RANGE(struct score_gap_row, gap.line.member)
#define TOLD RECORD_IF(struct score_gap_row, gap.told)
#define ACCURACIES                                                                                                       \
    {"Orig. accuracy", OF(line.orig_acc), BOUNDS(line.orig_lo, line.orig_hi)},                                            \
    {"New accuracy", OF(line.new_acc), BOUNDS(line.new_lo, line.new_hi)}
#define DELTA "\xce\x94 rank"

/* As published: Recht et al., tables 15 to 20. */
static RECORD(published_record, struct score_gap_row, "printed_score", "A model's line as it is printed.",
              {"Orig. rank", OF(line.orig_rank)},
              {"Model", OF(line.counts.model)},
              ACCURACIES,
              {"Gap", OF(line.gap), RECORD_ROUNDED},
              {"New rank", OF(line.new_rank)},
              {DELTA, OF(line.delta_rank)});
/* With intervals, of sets that have the same classes in the same shares. */
static RECORD(ranges_record, struct score_gap_row, "printed_score_ranges", "The same with intervals of gaps and ranks.",
              {"Orig. rank", OF(line.orig_rank), RANGE(original_rank)},
              {"Model", OF(line.counts.model)},
              ACCURACIES,
              {"Gap", OF(line.gap), RECORD_ROUNDED, RANGE(raw)},
              {"New rank", OF(line.new_rank), RANGE(fresh_rank)},
              {DELTA, OF(line.delta_rank), RANGE(change)});
/* Of other sets: the gap that compares like with like leads. */
static RECORD(common_record, struct score_gap_row, "printed_score_common", "The same with the gap on common classes.",
              {"Orig. rank", OF(line.orig_rank), RANGE(original_rank)},
              {"Model", OF(line.counts.model)},
              ACCURACIES,
              {"Gap, common classes", OF(gap.line.gap), RECORD_ROUNDED, RANGE(common), TOLD},
              {"Raw gap", OF(line.gap), RECORD_ROUNDED, RANGE(raw)},
              {"New rank", OF(line.new_rank), RANGE(fresh_rank)},
              {DELTA, OF(line.delta_rank), RANGE(change)});
#undef OF
#undef BOUNDS
#undef RANGE
#undef TOLD

static const struct record *columns_of(const struct score_sheet *s)
{
    return !s->gaps ? &published_record : s->gaps->classes.same ? &ranges_record : &common_record;
}

/* ---- the caption ---- */

const char *score_right_words(int top, int fresh_top, struct arena *a)
{
    return fresh_top && fresh_top != top ? arena_printf(a, "top-%d, on the new set top-%d", top, fresh_top) : arena_printf(a, "top-%d", top);
}

static void say_gaps(const struct score_sheet *s, struct str *text)
{
    const struct gap_classes *k = &s->gaps->classes;
    if (gap_told(k) && !k->same) {
        str_printf(text, " The first gap is over the %u classes that both sets have (of %u and %u), weighted by the originals' class shares.",
                   k->common, k->original, k->fresh);
    } else if (!k->same) {
        str_addz(text, k->common ? " The gap on common classes is held back because of a sealed revision."
                                 : " The sets have no class in common.");
    }
    str_printf(text, " Intervals of gaps and ranks (%s): %s, %u resamples, seed %llu.", s->level->label, gap_method,
               s->gaps->level->resamples, (unsigned long long)s->gaps->seed);
}

/* The mean over models; it leads with the gap that compares like with like. */
static void say_mean(const struct score_sheet *s, const struct score_summary *sum, struct str *text)
{
    const struct gap_range none = {.known = false};
    const struct model_gaps_found *g = s->gaps;
    bool common = g && !g->classes.same && gap_told(&g->classes);
    const struct gap_range *r = !g ? &none : common ? &g->mean.common : &g->mean.raw;
    if (sum->models) {
        str_printf(text, " Mean gap over %zu model%s%s: %.1f", sum->models, sum->models == 1 ? "" : "s", common ? ", on common classes" : "",
                   common ? gap_mean_common(g) : sum->mean_gap);
        if (r->known) {
            str_printf(text, " (%.1f to %.1f)", r->lo, r->hi);
        }
        str_addc(text, '.');
    }
}

static void say_ranks(const struct score_summary *sum, struct str *text)
{
    if (!isnan(sum->kendall)) {
        str_printf(text, " Ranks of %zu models on both sets: Kendall's tau-b %.3f, Spearman's rho %.3f.", sum->models, sum->kendall,
                   sum->spearman);
    }
}

static void say_all(const struct score_sheet *s, const struct score_summary *sum, struct str *text)
{
    const struct score_counts *c = s->n ? &s->lines[0].counts : NULL;
    if (s->summary && sum->models > SUMMARY_ROWS) {
        str_printf(text, "The best, the median and the worst of %zu models by original accuracy. ", sum->models);
    }
    str_printf(text, "Accuracy (%s) in percent on %s", s->right, s->original);
    if (c) {
        str_printf(text, " (%u images)", c->orig_n);
    }
    str_printf(text, " and %s", s->fresh);
    if (c) {
        str_printf(text, " (%u images)", c->new_n);
    }
    if (s->part) {
        str_printf(text, ", %s", s->part);
    }
    str_printf(text, ", with %s Clopper-Pearson intervals. Gap: original minus new accuracy, in points; "
                     "\xce\x94 rank: original minus new rank.",
               s->level->label);
    if (s->gaps) {
        say_gaps(s, text);
    }
    say_mean(s, sum, text);
    say_ranks(sum, text);
}

static void add_caption(const struct score_sheet *s, enum record_table as, struct str *out)
{
    struct str text;
    const struct score_summary sum = score_summarise(s->lines, s->n);
    str_init(&text, out->max);
    say_all(s, &sum, &text);
    record_table_caption(as, str_sv(&text), out);
    str_release(&text);
}

/* ---- all ---- */

/* Which lines: positions, in the caller's room for three, each once. */
static size_t summary_rows(size_t n, size_t at[SUMMARY_ROWS])
{
    size_t rows = 0;
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || i == median_of(n) || i == n - 1) {
            at[rows++] = i;
        }
    }
    return rows;
}

static void add_printed(const struct score_sheet *s, const size_t *at, size_t n, enum record_table as, struct str *out)
{
    struct score_gap_row *rows = xcalloc(n + 1, sizeof *rows);
    for (size_t i = 0; i < n; i++) {
        size_t line = at ? at[i] : i;
        rows[i] = s->gaps ? score_gap_row(&s->lines[line], s->gaps, line) : (struct score_gap_row){.line = s->lines[line]};
    }
    record_table(columns_of(s), as, rows, n, out);
    add_caption(s, as, out);
    free(rows);
}

void score_sheet_write(const struct score_sheet *s, enum record_table as, struct str *out)
{
    size_t at[SUMMARY_ROWS], n = s->summary ? summary_rows(s->n, at) : s->n;
    if (as == RECORD_TABLE_CSV) {
        score_csv(s->lines, s->gaps, s->summary ? at : NULL, n, out);
    } else {
        add_printed(s, s->summary ? at : NULL, n, as, out);
    }
}
