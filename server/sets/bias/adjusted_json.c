/* adjusted_json.c - adjusted gaps as JSON: accuracies in percent, gaps in percentage points. */
#include <math.h>

#include "measures/scores/gap_parts.h"
#include "sets/bias/adjusted_bins.h"

struct points { /* an estimate in points */
    double value, lo, hi, by_workers, by_images;
    bool interval;
};
#define OF(member) RECORD_OF(struct points, member)
#define IF(member) RECORD_IF(struct points, member)
static RECORD(points_record, struct points, "adjusted_estimate", "A gap in percentage points: originals minus new set.",
              {"value", OF(value), .about = "Above 0: models do worse on the new set."},
              {"lo", OF(lo), IF(interval), .about = "Lower bound of its interval, 95 %; null: too few workers or images for one."},
              {"hi", OF(hi), IF(interval), .about = "Upper bound."},
              {"sd_workers", OF(by_workers), .about = "Standard deviation by the jackknife over groups of workers."},
              {"sd_images", OF(by_images), .about = "By the bootstrap over images; the interval is of the sum of both squares."});
#undef OF
#undef IF

struct line {
    struct sv model;
    double original, fresh, adjusted;
    struct points raw, gap;
};
#define OF(member) RECORD_OF(struct line, member)
#define PART(member) RECORD_PART(struct line, member), .of = &points_record
static RECORD(line_record, struct line, "adjusted_line", "A model, or the mean over all.",
              {"model", OF(model), .about = "Its name; empty: the mean over all models."},
              {"original", OF(original), .about = "Accuracy on the originals that count, percent."},
              {"new", OF(fresh), .about = "Accuracy on the new images that count, percent, classes weighted as in the originals."},
              {"new_adjusted", OF(adjusted), .about = "The same with images weighted by their true frequency."},
              {"raw", PART(raw), .about = "The gap without weights."},
              {"gap", PART(gap), .about = "The adjusted gap."});
#undef OF
#undef PART

struct figure {
    const char *warning, *assumes;
    struct adjusted_gap copy;
    struct line mean, *lines;
    size_t n_lines;
};
#define OF(member) RECORD_OF(struct figure, member)
static RECORD(figure_record, struct figure, "adjusted_figure", "Adjusted gaps by one body of votes.",
              {"classes", OF(copy.classes), .about = "Classes with votes about images of both sets."},
              {"images", OF(copy.images), .about = "New images that count."},
              {"unanswered", OF(copy.unanswered), .about = "New images of these classes without votes, which do not."},
              {"originals", OF(copy.originals), .about = "Originals of these classes."},
              {"measured", OF(copy.measured), .about = "Those with votes."},
              {"workers", OF(copy.workers), .about = "People who voted."},
              {"groups", OF(copy.groups), .about = "Groups of people; each was left out once."},
              {"resamples", OF(copy.resamples), .about = "Times that images were drawn."},
              {"effective_images", OF(copy.effective), .about = "So many equally weighted images say as much as the weighted ones."},
              {"overlap", OF(copy.overlap), .about = "Common area of both densities of true frequencies, 0 to 1."},
              {"uncovered", OF(copy.uncovered), .about = "Share of the originals whose true frequencies almost no new image has."},
              {"warning", OF(warning), .maybe = true, .about = "What is wrong with the weights; null: nothing."},
              {"assumes", OF(assumes), .about = "What the figure takes for granted."},
              {"mean", RECORD_PART(struct figure, mean), .of = &line_record, .about = "Over all models."},
              {"models", RECORD_ROWS(struct figure, lines, n_lines), .of = &line_record, .about = "Each model."});
#undef OF

#define OF(member) RECORD_OF(struct set_adjusted_model, member)
static RECORD(left_out_record, struct set_adjusted_model, "adjusted_left_out", "A model that does not count.",
              {"model", OF(name), .about = "Its name."}, {"why", OF(left_out), .about = "What it lacks."});
#undef OF

struct reply {
    struct set_adjusted s;
    const char *tool, *original, *fresh, *leading, *why, *bins_assume;
    json_t *again, *first;
    struct set_adjusted_model *left_out;
    struct gap_part *parts;
    size_t n_parts;
    struct adjusted_bin_row *bins;
    size_t n_bins;
    json_t *campaigns;
};
#define OF(member) RECORD_OF(struct reply, member)
RECORD(adjusted_record, struct reply, "adjusted_gaps", "Gaps when new images count by their true selection frequency, and what gaps are made of.",
       {"tool", OF(tool), .about = "The program and its version."},
       {"original", OF(original), .about = "The originals, SET/NUMBER."},
       {"new", OF(fresh), .about = "The new set, SET/NUMBER."},
       {"top", OF(s.top), .about = "A prediction is right when the label is among its first so many."},
       {"subset", OF(s.subset), .about = "Of the images of both, as in addresses; empty: all."},
       {"labels", OF(s.labels), .about = "By which label source and rule answers on the originals are right, SOURCE/NUMBER:RULE; empty: the set's own labels."},
       {"new_labels", OF(s.new_labels), .about = "The same of the new set."},
       {"view", OF(s.view), .about = "The vote view that counts."},
       {"view_version", OF(s.view_version), .about = "The event that made its version."},
       {"as_of", OF(s.as_of), .about = "The last event that was counted."},
       {"seed", OF(s.seed), .about = "Of the groups of people and the draws of images."},
       {"sealed", OF(s.sealed), .about = "Images that a sealed revision has: none of them counts."},
       {"leading", OF(leading), .about = "Which figure to use: measured_again, first or none."},
       {"why", OF(why), .maybe = true, .about = "Why there is none, or what it does not know; null: neither."},
       {"first", OF(first), .maybe = true, .of = &figure_record, .about = "By the votes that chose the set; null: they do not tell."},
       {"measured_again", OF(again), .maybe = true, .of = &figure_record, .about = "By those of other people; null: none."},
       {"campaigns", OF(campaigns), RECORD_TEXTS, .about = "The campaigns that measured the set again."},
       {"bins", RECORD_ROWS(struct reply, bins, n_bins), .of = &adjusted_bin_record, .about = "Accuracy by selection frequency by the leading votes, as seen and corrected: the mean over models, then each model; none without a figure."},
       {"bins_assume", OF(bins_assume), .about = "What corrected bins take for granted."},
       {"left_out", RECORD_ROWS(struct reply, left_out, s.n_left_out), .of = &left_out_record, .about = "Models that do not count."},
       {"parts", RECORD_ROWS(struct reply, parts, n_parts), .of = &gap_part_record, .about = "What a gap is made of; none without models."});
#undef OF

static struct points points_of(const struct adjusted_estimate *e)
{
    return (struct points){100 * e->value, 100 * e->lo, 100 * e->hi, 100 * sqrt(e->by_workers), 100 * sqrt(e->by_images), e->interval};
}

static struct line line_of(struct sv model, const struct adjusted_line *l)
{
    return (struct line){model, 100 * l->original, 100 * l->fresh, 100 * l->adjusted, points_of(&l->raw), points_of(&l->gap)};
}

static json_t *figure_json(const struct set_adjusted *s, const struct adjusted_gap *g, struct arena *a)
{
    if (g->silence != ADJUSTED_SPEAKS) {
        return NULL;
    }
    struct figure *f = arena_calloc(a, 1, sizeof *f);
    f->copy = *g;
    f->warning = adjusted_gap_warning(g);
    f->assumes = adjusted_gap_assumes;
    f->mean = line_of(SV(""), &g->mean);
    f->n_lines = s->n_models;
    f->lines = arena_calloc(a, s->n_models + 1, sizeof *f->lines);
    for (size_t i = 0; i < s->n_models; i++) {
        f->lines[i] = line_of(s->models[i].name, &g->lines[i]);
    }
    return record_json(&figure_record, f);
}

static const char *title_of(const struct revision_row *r, struct arena *a)
{
    return arena_printf(a, SV_FMT "/%lld", SV_ARG(r->set), (long long)r->number);
}

json_t *set_adjusted_json(const struct set_adjusted *s, struct arena *a)
{
    struct gap_part parts[GAP_PARTS];
    const struct adjusted_gap *lead = set_adjusted_leading(s);
    struct reply *r = arena_calloc(a, 1, sizeof *r);
    r->s = *s;
    r->tool = "holdout " HOLDOUT_VERSION;
    r->original = title_of(&s->original, a);
    r->fresh = title_of(&s->fresh, a);
    r->leading = lead->silence != ADJUSTED_SPEAKS ? "none" : lead == &s->again ? "measured_again" : "first";
    r->why = set_adjusted_why(s);
    r->first = figure_json(s, &s->first, a);
    r->again = figure_json(s, &s->again, a);
    r->n_bins = adjusted_bin_rows(s, a, &r->bins);
    r->bins_assume = adjusted_bins_assume;
    r->left_out = s->models + s->n_models;
    r->campaigns = json_array();
    for (size_t i = 0; i < s->n_campaigns; i++) {
        json_array_append_new(r->campaigns, json_stringn(s->campaigns[i].p, s->campaigns[i].n));
    }
    if (lead->silence == ADJUSTED_SPEAKS) {
        gap_parts_of(lead->images, s->n_models, parts);
        r->parts = parts;
        r->n_parts = GAP_PARTS;
    }
    return record_json(&adjusted_record, r);
}
