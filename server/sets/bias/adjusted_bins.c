/* adjusted_bins.c - the rows, and their table as it is printed. */
#include "sets/bias/adjusted_bins.h"

#include <math.h>

const char adjusted_bins_assume[] =
    "Corrected bins assume that how right answers depend on true frequency has no jumps, and see a sharp end of the true "
    "frequencies as soft as the noise of the answers is.";

#define OF(member) RECORD_OF(struct adjusted_bin_row, member)
#define SHARE(member) RECORD_OF(struct adjusted_bin_row, member.value), RECORD_IF(struct adjusted_bin_row, member.known)
#define LO(member) RECORD_OF(struct adjusted_bin_row, member.lo), RECORD_IF(struct adjusted_bin_row, member.interval)
#define HI(member) RECORD_OF(struct adjusted_bin_row, member.hi), RECORD_IF(struct adjusted_bin_row, member.interval)
#define OLD side[ADJUSTED_ORIGINAL]
#define FRESH side[ADJUSTED_NEW]
RECORD(adjusted_bin_record, struct adjusted_bin_row, "adjusted_bin", "Accuracy in a bin of selection frequency on both sets, as seen and corrected for few answers.",
       {"model", OF(model), .about = "The model's name; empty: the mean over all models."},
       {"bin", OF(bin), .about = "The bin, from 0 (selected least) to 4."},
       {"from", OF(from), .about = "The least frequency in the bin."},
       {"to", OF(to), .about = "The frequency up to which it goes, in the last bin included."},
       {"original_images", OF(OLD.seen), .about = "Originals whose frequency is in the bin."},
       {"original_raw", OF(OLD.raw), .maybe = true, .about = "Accuracy on these, percent, classes weighted as in the originals; null: none."},
       {"original_expected", OF(OLD.expected), .about = "Originals whose true frequency is in the bin, as estimated."},
       {"original", SHARE(OLD.corrected), .about = "Accuracy at true frequencies in the bin; null: hardly any original has one."},
       {"original_lo", LO(OLD.corrected), .about = "Lower bound of its interval, 95 %; null: too few workers or images for one."},
       {"original_hi", HI(OLD.corrected), .about = "Upper bound."},
       {"new_images", OF(FRESH.seen), .about = "New images whose frequency is in the bin."},
       {"new_raw", OF(FRESH.raw), .maybe = true, .about = "Accuracy on these; null: none."},
       {"new_expected", OF(FRESH.expected), .about = "New images whose true frequency is in the bin, as estimated."},
       {"new", SHARE(FRESH.corrected), .about = "Accuracy at true frequencies in the bin; null: hardly any new image has one."},
       {"new_lo", LO(FRESH.corrected), .about = "Lower bound of its interval."},
       {"new_hi", HI(FRESH.corrected), .about = "Upper bound."},
       {"gap", SHARE(gap), .about = "Original minus new of the corrected accuracies, points; null: one of them is not known."},
       {"gap_lo", LO(gap), .about = "Lower bound of its interval."},
       {"gap_hi", HI(gap), .about = "Upper bound."});

#define BOUNDED(member)                                                                                                      \
    OF(member.value), RECORD_ROUNDED, RECORD_IF(struct adjusted_bin_row, member.known),                                      \
        RECORD_BOUNDS(struct adjusted_bin_row, member.lo, member.hi), .ranged = offsetof(struct adjusted_bin_row, member.interval) + 1
static RECORD(printed_record, struct adjusted_bin_row, "printed_bin", "A bin's line as it is printed.",
              {"Model", OF(model)},
              {"Frequency", OF(words)},
              {"Original images", OF(OLD.seen)},
              {"Original, raw", OF(OLD.raw), RECORD_ROUNDED, .maybe = true},
              {"Original, corrected", BOUNDED(OLD.corrected)},
              {"New images", OF(FRESH.seen)},
              {"New, raw", OF(FRESH.raw), RECORD_ROUNDED, .maybe = true},
              {"New, corrected", BOUNDED(FRESH.corrected)},
              {"Gap, corrected", BOUNDED(gap)});
#undef OF
#undef SHARE
#undef LO
#undef HI
#undef BOUNDED
#undef OLD
#undef FRESH

/* ---- rows ---- */

static struct adjusted_bin_share share_of(const struct adjusted_estimate *e, bool known)
{
    return (struct adjusted_bin_share){100 * e->value, 100 * e->lo, 100 * e->hi, known, known && e->interval};
}

static struct adjusted_bin_row row_of(const struct adjusted_gap *g, const struct adjusted_line *l, struct sv model, uint32_t b)
{
    const struct adjusted_bin *bin = &g->bins[b];
    const struct adjusted_bin_line *at = &l->bins[b];
    struct adjusted_bin_row row = {.model = model,
                                   .bin = b,
                                   .from = (double)b / HISTOGRAM_BINS,
                                   .to = (b + 1.0) / HISTOGRAM_BINS,
                                   .words = histogram_bin_words[b]};
    for (int side = 0; side < ADJUSTED_SIDES; side++) {
        row.side[side] = (struct adjusted_bin_side){bin->seen[side], bin->expected[side], 100 * at->seen[side],
                                                    share_of(&at->at[side], bin->known[side])};
    }
    row.gap = share_of(&at->gap, bin->known[ADJUSTED_ORIGINAL] && bin->known[ADJUSTED_NEW]);
    return row;
}

size_t adjusted_bin_rows(const struct set_adjusted *s, struct arena *a, struct adjusted_bin_row **out)
{
    const struct adjusted_gap *g = set_adjusted_leading(s);
    size_t n = 0;
    *out = arena_calloc(a, (s->n_models + 1) * HISTOGRAM_BINS, sizeof **out);
    if (g->silence != ADJUSTED_SPEAKS) {
        return 0;
    }
    for (uint32_t b = 0; b < HISTOGRAM_BINS; b++) {
        (*out)[n++] = row_of(g, &g->mean, SV(""), b);
    }
    for (size_t m = 0; m < s->n_models; m++) {
        for (uint32_t b = 0; b < HISTOGRAM_BINS; b++) {
            (*out)[n++] = row_of(g, &g->lines[m], s->models[m].name, b);
        }
    }
    return n;
}

/* ---- as table ---- */

static void add_caption(const struct set_adjusted *s, enum record_table as, struct str *out)
{
    const struct adjusted_gap *g = set_adjusted_leading(s);
    const char *why = set_adjusted_why(s), *warning = adjusted_gap_warning(g);
    struct str text;
    str_init(&text, out->max);
    str_printf(&text, "Top-%d accuracy in percent by selection frequency on " SV_FMT "/%lld (%zu originals with votes) and " SV_FMT
                      "/%lld (%zu images), %s",
               s->top, SV_ARG(s->original.set), (long long)s->original.number, g->measured, SV_ARG(s->fresh.set),
               (long long)s->fresh.number, g->images, set_adjusted_how(s));
    str_printf(&text, ": raw in bins of the frequencies that %u people gave, corrected at true frequencies, with 95 %% intervals (%u groups of "
                      "workers left out, %u draws of images, seed %llu). Gap: original minus new, in points. %s",
               g->workers, g->groups, g->resamples, (unsigned long long)s->seed, adjusted_bins_assume);
    str_printf(&text, "%s%s%s%s", why ? " " : "", why ? why : "", warning ? " " : "", warning ? warning : "");
    record_table_caption(as, str_sv(&text), out);
    str_release(&text);
}

void adjusted_bins_write(const struct set_adjusted *s, enum record_table as, struct arena *a, struct str *out)
{
    struct adjusted_bin_row *rows;
    size_t n = adjusted_bin_rows(s, a, &rows);
    bool csv = as == RECORD_TABLE_CSV;
    for (size_t i = 0; i < HISTOGRAM_BINS && i < n && !csv; i++) {
        rows[i].model = SV("mean of models");
    }
    record_table(csv ? &adjusted_bin_record : &printed_record, as, rows, n, out);
    if (!csv && n) {
        add_caption(s, as, out);
    }
}
