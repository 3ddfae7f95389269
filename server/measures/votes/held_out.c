/* held_out.c - thinned answers, and what each strategy chooses by them. */
#include "measures/votes/held_out.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

/* One bin of what an image may look like after thinning. */
struct bin {
    double share;      /* chance to be in it */
    double kept, held; /* that times the frequency over the kept and over the other answers */
    double answers;    /* that times the number of the others */
};
struct held_out {
    struct held_out_rules rules;
    unsigned n_bins;
    double log_factorial[SPREAD_SHOWN_MOST + 1];
    struct bin
        *of[SPREAD_SHOWN_MOST + 1];    /* by answers: [selected][design][bin], made when needed */
    bool *made[SPREAD_SHOWN_MOST + 1]; /* [selected] */
};

struct held_out *held_out_new(const struct held_out_rules *r)
{
    struct held_out *h = xcalloc(1, sizeof *h);
    h->rules = *r;
    h->n_bins = r->strategy == SAMPLE_MATCHED ? HISTOGRAM_BINS : HELD_OUT_BINS;
    for (unsigned i = 1; i <= SPREAD_SHOWN_MOST; i++) {
        h->log_factorial[i] = h->log_factorial[i - 1] + log(i);
    }
    return h;
}

void held_out_free(struct held_out *h)
{
    for (unsigned i = 0; h && i <= SPREAD_SHOWN_MOST; i++) {
        free(h->of[i]);
        free(h->made[i]);
    }
    free(h);
}

static double log_choose(const struct held_out *h, uint32_t n, uint32_t k)
{
    return h->log_factorial[n] - h->log_factorial[k] - h->log_factorial[n - k];
}

static unsigned bin_of(const struct held_out *h, uint32_t selected, uint32_t shown)
{
    return h->rules.strategy == SAMPLE_MATCHED ? histogram_bin(selected, shown)
                                               : selected * (HELD_OUT_BINS - 1) / shown;
}

/* All ways to keep some of `shown` answers, `selected` of them ticks. At least one is kept, one
 * held. */
static void thin(const struct held_out *h, uint32_t shown, uint32_t selected, double share,
                 struct bin *out)
{
    uint32_t keep = (uint32_t)lround(share * shown);
    keep = keep < 1 ? 1 : keep > shown - 1 ? shown - 1 : keep;
    uint32_t hold = shown - keep, blanks = shown - selected;
    uint32_t least = keep > blanks ? keep - blanks : 0, most = keep < selected ? keep : selected;
    for (uint32_t k = least; k <= most; k++) {
        double p = exp(log_choose(h, selected, k) + log_choose(h, blanks, keep - k) -
                       log_choose(h, shown, keep));
        struct bin *b = &out[bin_of(h, k, keep)];
        b->share += p;
        b->kept += p * k / keep;
        b->held += p * (selected - k) / hold;
        b->answers += p * hold;
    }
}

/* [design][bin] */
static const struct bin *bins_of(struct held_out *h, uint32_t shown, uint32_t selected)
{
    size_t row = (size_t)h->rules.n * h->n_bins;
    if (!h->of[shown]) {
        h->of[shown] = xcalloc((shown + 1) * row, sizeof **h->of);
        h->made[shown] = xcalloc(shown + 1, sizeof **h->made);
    }
    struct bin *out = h->of[shown] + selected * row;
    if (!h->made[shown][selected]) {
        for (unsigned d = 0; d < h->rules.n; d++) {
            thin(h, shown, selected, h->rules.kept[d], out + d * h->n_bins);
        }
        h->made[shown][selected] = true;
    }
    return out;
}

/* Expected contents of every bin under every design. */
static void fill(struct held_out *h, const struct spread_cell *cells, size_t n,
                 struct bin out[HELD_OUT_DESIGNS][HELD_OUT_BINS])
{
    for (unsigned d = 0; d < h->rules.n; d++) {
        memset(out[d], 0, h->n_bins * sizeof *out[d]);
    }
    for (size_t i = 0; i < n; i++) {
        if (cells[i].shown < 2) {
            continue;
        }
        const struct bin *from = bins_of(h, cells[i].shown, cells[i].selected);
        double count = cells[i].count;
        for (unsigned d = 0; d < h->rules.n; d++) {
            for (unsigned b = 0; b < h->n_bins; b++, from++) {
                out[d][b].share += count * from->share;
                out[d][b].kept += count * from->kept;
                out[d][b].held += count * from->held;
                out[d][b].answers += count * from->answers;
            }
        }
    }
}

/* As many of each bin as the originals have, of `size`; what a bin lacks comes from higher ones if
 * the set's rules say so. */
static void take_matched(const struct held_out_rules *r, const struct bin *pool,
                         const struct bin *originals, double *take)
{
    double all = 0, lacking = 0;
    for (unsigned b = 0; b < HISTOGRAM_BINS; b++) {
        all += originals[b].share;
    }
    for (unsigned b = 0; b < HISTOGRAM_BINS; b++) {
        double want = all > 0 ? r->size * originals[b].share / all : 0;
        take[b] = fmin(want, pool[b].share);
        if (r->upward) {
            double more = fmin(lacking, pool[b].share - take[b]);
            take[b] += more;
            lacking += want - (take[b] - more) - more;
        }
    }
}

static void take_threshold(const struct held_out_rules *r, const struct bin *pool, double threshold,
                           double *take)
{
    unsigned from = (unsigned)fmin(HELD_OUT_BINS, ceil(threshold * (HELD_OUT_BINS - 1) - 1e-9));
    double all = 0;
    for (unsigned b = from; b < HELD_OUT_BINS; b++) {
        all += pool[b].share;
    }
    for (unsigned b = 0; b < HELD_OUT_BINS; b++) {
        take[b] = b < from || all <= 0 ? 0 : pool[b].share * fmin(1, r->size / all);
    }
}

static void take_top(const struct held_out_rules *r, const struct bin *pool, double *take)
{
    double left = r->size;
    for (unsigned b = HELD_OUT_BINS; b-- > 0;) {
        take[b] = fmin(left, pool[b].share);
        left -= take[b];
    }
}

static void add_bin(const struct held_out_class *c, const struct bin *b, double taken,
                    struct held_out_sums *s)
{
    double share = taken / b->share, kept = b->kept / b->share, held = b->held / b->share;
    s->chosen += taken;
    s->kept += taken * kept;
    s->held += taken * held;
    s->answers += share * b->answers;
    s->original += taken * c->original_mean;
}

void held_out_add(struct held_out *h, const struct held_out_class *c, struct held_out_sums *sums)
{
    struct bin pool[HELD_OUT_DESIGNS][HELD_OUT_BINS], originals[HELD_OUT_DESIGNS][HELD_OUT_BINS];
    double take[HELD_OUT_BINS];
    fill(h, c->pool, c->n_pool, pool);
    if (h->rules.strategy == SAMPLE_MATCHED) {
        fill(h, c->originals, c->n_originals, originals);
    }
    for (unsigned d = 0; d < h->rules.n; d++) {
        if (h->rules.strategy == SAMPLE_MATCHED) {
            take_matched(&h->rules, pool[d], originals[d], take);
        } else if (h->rules.strategy == SAMPLE_THRESHOLD) {
            take_threshold(&h->rules, pool[d], c->threshold, take);
        } else {
            take_top(&h->rules, pool[d], take);
        }
        for (unsigned b = 0; b < h->n_bins; b++) {
            if (take[b] > 0) {
                add_bin(c, &pool[d][b], take[b], &sums[d]);
            }
        }
    }
}
