/* binned_rows.c - the tables of the fields. */
#include "measures/votes/binned_rows.h"

#include <math.h>
#include <stdlib.h>

#include "base/xalloc.h"

#define OF(member) RECORD_OF(struct binned_row, member)
RECORD(binned_row_record, struct binned_row, "accuracy_in_bin", "How a model does on the images of a set in one bin of selection frequency.",
       {"dataset", OF(dataset), .about = "The set."},
       {"model", OF(model), .about = "The model's name."},
       {"bin", OF(bin), .about = "The bin, from 0 (selected least) to 4."},
       {"from", OF(from), .face = RECORD_JSON, .about = "The least frequency in the bin."},
       {"to", OF(to), .face = RECORD_JSON, .about = "The frequency up to which it goes, in the last bin included."},
       {"n", OF(n), .about = "Images of the bin that the model has predicted."},
       {"top1_correct", OF(top1_correct), .about = "Of these, how many are right at top-1."},
       {"top5_correct", OF(top5_correct), RECORD_IF(struct binned_row, deep),
        .about = "How many are right at top-5; null: its predictions do not go so far."},
       {"top1", OF(top1.value), .maybe = true, .face = RECORD_JSON, .about = "Top-1 accuracy, from 0 to 1; null: no images."},
       {"top1_lo", OF(top1.lo), .maybe = true, .face = RECORD_JSON, .about = "Lower bound of its 95 % Clopper-Pearson interval."},
       {"top1_hi", OF(top1.hi), .maybe = true, .face = RECORD_JSON, .about = "Upper bound."},
       {"top5", OF(top5.value), .maybe = true, .face = RECORD_JSON, .about = "Top-5 accuracy; null: no images, or predictions do not go so far."},
       {"top5_lo", OF(top5.lo), .maybe = true, .face = RECORD_JSON, .about = "Lower bound of its interval."},
       {"top5_hi", OF(top5.hi), .maybe = true, .face = RECORD_JSON, .about = "Upper bound."});
#undef OF

#define OF(member) RECORD_OF(struct binned_mean_row, member)
RECORD(binned_mean_record, struct binned_mean_row, "mean_in_bin", "The mean over models of their accuracies on the images of one bin.",
       {"bin", OF(bin), .about = "The bin, from 0 (selected least) to 4."},
       {"from", OF(from), .about = "The least frequency in the bin."},
       {"to", OF(to), .about = "The frequency up to which it goes, in the last bin included."},
       {"images", OF(images), .about = "Images of the set in the bin."},
       {"n", OF(n), .about = "Of these, images that all models have predicted: what the mean is of."},
       {"top1", OF(top1.value), .maybe = true, .about = "Mean top-1 accuracy, from 0 to 1; null: no such images."},
       {"top1_lo", OF(top1.lo), .maybe = true, .about = "Lower bound of its 95 % interval over images."},
       {"top1_hi", OF(top1.hi), .maybe = true, .about = "Upper bound."},
       {"top5", OF(top5.value), .maybe = true, .about = "Mean top-5 accuracy; null: no such images, or a model's predictions do not go so far."},
       {"top5_lo", OF(top5.lo), .maybe = true, .about = "Lower bound of its interval."},
       {"top5_hi", OF(top5.hi), .maybe = true, .about = "Upper bound."});
#undef OF

#define OF(member) RECORD_OF(struct binned_set, member)
RECORD(binned_set_record, struct binned_set, "accuracy_by_frequency", "How models do on a set by selection frequency.",
       {"set", OF(set), .about = "The revision, SET/NUMBER."},
       {"images", OF(images), .about = "Its images that are in a bin."},
       {"unanswered", OF(unanswered), .about = "Images without counted answers, which are in no bin."},
       {"sealed", OF(sealed), .about = "Images that a sealed revision has, which are in no bin."},
       {"means", RECORD_ROWS(struct binned_set, means, n_means), .of = &binned_mean_record, .about = "The mean over the models, bin by bin."},
       {"models", RECORD_ROWS(struct binned_set, rows, n_rows), .of = &binned_row_record, .about = "Each model, bin by bin."});
#undef OF

static double edge(uint32_t bin)
{
    return (double)bin / HISTOGRAM_BINS;
}

static struct binned_row row_of(const struct binned_model *m, uint32_t bin, struct sv dataset, struct sv name)
{
    const struct binned_count *c = &m->bins[bin];
    bool deep = m->k >= 5;
    return (struct binned_row){.dataset = dataset,
                               .model = name,
                               .bin = bin,
                               .n = c->n,
                               .from = edge(bin),
                               .to = edge(bin + 1),
                               .top1_correct = c->top1,
                               .top5_correct = deep ? c->top5 : 0,
                               .deep = deep,
                               .top1 = binomial_proportion(c->top1, c->n),
                               .top5 = binomial_proportion(deep ? c->top5 : 0, deep ? c->n : 0)};
}

static struct binned_mean_row mean_of(const struct binned *b, uint32_t k)
{
    return (struct binned_mean_row){.bin = k,
                                    .images = b->images[k],
                                    .n = b->mean_n[k],
                                    .from = edge(k),
                                    .to = edge(k + 1),
                                    .top1 = b->mean1[k],
                                    .top5 = b->mean5[k]};
}

struct binned_set binned_set(const struct binned *b, struct sv set, struct sv dataset, const struct sv *names,
                             struct arena *a)
{
    struct binned_set out = {.set = set, .unanswered = b->unanswered, .sealed = b->sealed, .n_means = HISTOGRAM_BINS};
    out.means = arena_calloc(a, HISTOGRAM_BINS, sizeof *out.means);
    out.rows = arena_calloc(a, b->n_models * HISTOGRAM_BINS + 1, sizeof *out.rows);
    for (uint32_t k = 0; k < HISTOGRAM_BINS; k++) {
        out.images += b->images[k];
        out.means[k] = mean_of(b, k);
    }
    for (size_t m = 0; m < b->n_models; m++) {
        for (uint32_t k = 0; k < HISTOGRAM_BINS && b->models[m].k; k++) {
            out.rows[out.n_rows++] = row_of(&b->models[m], k, dataset, names[m]);
        }
    }
    return out;
}

/* ---- as printed ---- */

struct printed_share { /* percent */
    double value, lo, hi;
    bool known;
};
struct printed_bin {
    struct sv model;
    const char *words;
    uint32_t n;
    struct printed_share top1, top5;
};
#define OF(member) RECORD_OF(struct printed_bin, member)
#define SHARE(member)                                                                                                        \
    OF(member.value), RECORD_ROUNDED, RECORD_IF(struct printed_bin, member.known),                                           \
        RECORD_RANGE(struct printed_bin, member)
static RECORD(printed_record, struct printed_bin, "printed_frequency_bin", "A bin's line as it is printed.",
              {"Model", OF(model)},
              {"Frequency", OF(words)},
              {"Images", OF(n)},
              {"Top-1", SHARE(top1)},
              {"Top-5", SHARE(top5)});
#undef OF
#undef SHARE

static struct printed_share printed_of(const struct proportion *p)
{
    return (struct printed_share){100 * p->value, 100 * p->lo, 100 * p->hi, isfinite(p->value) != 0};
}

static void add_caption(const struct binned_set *s, struct sv view, enum record_table as, struct str *out)
{
    struct str text;
    str_init(&text, out->max);
    str_printf(&text, "Accuracy in percent on " SV_FMT " by the frequency with which people select images, view " SV_FMT
                      ", with 95 %% intervals: Clopper and Pearson's of models, over images of their mean. %u images are in a bin",
               SV_ARG(s->set), SV_ARG(view), s->images);
    if (s->unanswered) {
        str_printf(&text, ", %u without answers are in none", s->unanswered);
    }
    if (s->sealed) {
        str_printf(&text, ", nor are %u that a sealed set has", s->sealed);
    }
    str_addc(&text, '.');
    record_table_caption(as, str_sv(&text), out);
    str_release(&text);
}

void binned_write(const struct binned_set *s, struct sv view, enum record_table as, struct str *out)
{
    if (as == RECORD_TABLE_CSV) {
        record_table(&binned_row_record, as, s->rows, s->n_rows, out);
        return;
    }
    struct printed_bin *rows = xcalloc(s->n_means + s->n_rows + 1, sizeof *rows);
    size_t n = 0;
    for (size_t i = 0; i < s->n_means && s->n_rows; i++) {
        const struct binned_mean_row *m = &s->means[i];
        rows[n++] = (struct printed_bin){SV("mean of models"), histogram_bin_words[m->bin], m->n, printed_of(&m->top1), printed_of(&m->top5)};
    }
    for (size_t i = 0; i < s->n_rows; i++) {
        const struct binned_row *m = &s->rows[i];
        rows[n++] = (struct printed_bin){m->model, histogram_bin_words[m->bin], m->n, printed_of(&m->top1), printed_of(&m->top5)};
    }
    record_table(&printed_record, as, rows, n, out);
    add_caption(s, view, as, out);
    free(rows);
}
