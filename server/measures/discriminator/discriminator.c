/* discriminator.c - counting held-out scores. */
#include "measures/discriminator/discriminator.h"

#include <math.h>
#include <stdlib.h>

#include "base/map.h"

static int by_score(const void *a, const void *b)
{
    const struct discriminator_image *x = a, *y = b;
    return x->score != y->score ? (x->score < y->score) - (x->score > y->score) : (x->image > y->image) - (x->image < y->image);
}

static size_t count_groups(const struct separation_image *images, size_t n)
{
    struct map_u64 seen;
    map_u64_init(&seen);
    for (size_t i = 0; i < n; i++) {
        map_u64_put(&seen, images[i].group, (uint32_t)i);
    }
    size_t groups = seen.n;
    map_u64_release(&seen);
    return groups;
}

static struct five_numbers five_of(const struct separation_image *images, size_t n, bool fresh, struct arena *a)
{
    double *v = arena_calloc(a, n + 1, sizeof *v);
    size_t some = 0;
    for (size_t i = 0; i < n; i++) {
        if (images[i].fresh == fresh) {
            v[some++] = images[i].score;
        }
    }
    const double none = (double)NAN;
    return some ? five_numbers_of(v, some) : (struct five_numbers){none, none, none, none, none};
}

static struct discriminator_fold fold_of(const struct discriminator *d, uint32_t fold, struct arena *a)
{
    struct separation_image *images = arena_calloc(a, d->n + 1, sizeof *images);
    size_t n = 0;
    for (size_t i = 0; i < d->n; i++) {
        const struct discriminator_image *from = &d->images[i];
        if (from->fold == fold) {
            images[n++] = (struct separation_image){from->score, from->group, from->fold, from->fresh};
        }
    }
    struct discriminator_fold out = {.fold = fold + 1, .images = (uint32_t)n, .lambda = d->lambdas[fold],
                                     .accuracy = (double)NAN, .auc = (double)NAN};
    if (n) {
        struct separation s = separation_of(images, n, d->n_groups, 0.05, 0, 0);
        out.right = (uint32_t)s.right;
        out.accuracy = s.accuracy;
        out.auc = s.auc;
    }
    out.groups = count_groups(images, n);
    out.original = five_of(images, n, false, a);
    out.fresh = five_of(images, n, true, a);
    return out;
}

void discriminator_count(struct discriminator *d, uint32_t resamples, struct arena *a)
{
    struct separation_image *images = arena_calloc(a, d->n + 1, sizeof *images);
    qsort(d->images, d->n, sizeof *d->images, by_score);
    for (size_t i = 0; i < d->n; i++) {
        const struct discriminator_image *from = &d->images[i];
        images[i] = (struct separation_image){from->score, from->group, from->fold, from->fresh};
    }
    struct interval before = d->all.of_auc;
    d->all = separation_of(images, d->n, d->n_groups, 0.05, resamples, (uint64_t)d->seed);
    d->all.of_auc = resamples ? d->all.of_auc : before;
    d->by_fold = arena_calloc(a, d->folds, sizeof *d->by_fold);
    for (uint32_t fold = 0; fold < d->folds; fold++) {
        d->by_fold[fold] = fold_of(d, fold, a);
    }
}

void discriminator_bars(const struct discriminator *d, double reach, double fresh[DISCRIMINATOR_BARS],
                        double original[DISCRIMINATOR_BARS])
{
    for (size_t i = 0; i < DISCRIMINATOR_BARS; i++) {
        fresh[i] = original[i] = 0;
    }
    for (size_t i = 0; i < d->n; i++) {
        double at = floor((d->images[i].score / reach + 1) / 2 * DISCRIMINATOR_BARS);
        size_t bar = (size_t)fmin(fmax(at, 0), DISCRIMINATOR_BARS - 1);
        *(d->images[i].fresh ? &fresh[bar] : &original[bar]) += 1;
    }
}

/* ---- as records ---- */

#define OF(member) RECORD_OF(struct five_numbers, member)
static RECORD(five_record, struct five_numbers, "five_numbers", "Five numbers that say how scores are spread.",
              {"least", OF(least), .maybe = true, .about = "The least score; null: no images."},
              {"lower", OF(lower), .maybe = true, .about = "The lower quartile."},
              {"median", OF(median), .maybe = true, .about = "The median."},
              {"upper", OF(upper), .maybe = true, .about = "The upper quartile."},
              {"most", OF(most), .maybe = true, .about = "The greatest score."});
#undef OF

#define OF(member) RECORD_OF(struct discriminator_fold, member)
#define CSV(name, member, text) {name, OF(member), .maybe = true, .face = RECORD_CSV, .about = text}
RECORD(discriminator_fold_record, struct discriminator_fold, "discriminator_fold",
       "One fold of a discriminator: images scored by a model that was made without them.",
       {"fold", OF(fold), .about = "Its number, from 1."},
       {"images", OF(images), .about = "Images in it."},
       {"groups", OF(groups), .about = "Groups of images of one uploader or source."},
       {"right", OF(right), .about = "Images whose set the score names."},
       {"accuracy", OF(accuracy), .maybe = true, .about = "Their share; null: no images."},
       {"auc", OF(auc), .maybe = true, .about = "Area under the ROC curve; null: images of one set only."},
       {"lambda", OF(lambda), .about = "Strength of the shrinkage, chosen in the other folds."},
       {"original", RECORD_PART(struct discriminator_fold, original), .of = &five_record, .face = RECORD_JSON,
        .about = "Scores of the originals."},
       {"new", RECORD_PART(struct discriminator_fold, fresh), .of = &five_record, .face = RECORD_JSON,
        .about = "Scores of the new images."},
       CSV("original_least", original.least, "Least score of an original."),
       CSV("original_lower", original.lower, "Lower quartile of the originals' scores."),
       CSV("original_median", original.median, "Their median."),
       CSV("original_upper", original.upper, "Their upper quartile."),
       CSV("original_most", original.most, "Their greatest."),
       CSV("new_least", fresh.least, "Least score of a new image."),
       CSV("new_lower", fresh.lower, "Lower quartile of the new images' scores."),
       CSV("new_median", fresh.median, "Their median."),
       CSV("new_upper", fresh.upper, "Their upper quartile."),
       CSV("new_most", fresh.most, "Their greatest."));
#undef CSV
#undef OF

static int64_t images_of(const void *row)
{
    return (int64_t)((const struct discriminator *)row)->n;
}

static int64_t right_of(const void *row)
{
    return (int64_t)((const struct discriminator *)row)->all.right;
}

#define OF(member) RECORD_OF(struct discriminator, member)
RECORD(discriminator_record, struct discriminator, "discriminator",
       "Whether a linear model can tell the images of a new set from originals of the same classes.",
       {"set", OF(set), .about = "The new revision, SET/NUMBER."},
       {"original", OF(original), .about = "The revision of originals, SET/NUMBER."},
       {"features", OF(features), .about = "What it looked at: models whose features were used, or statistics."},
       {"made_at", OF(at), RECORD_MOMENT, .about = "When it was computed."},
       {"seed", OF(seed), .about = "Seed of everything random."},
       {"folds", OF(folds), .about = "Folds of the cross-validation."},
       {"images", .number = images_of, .about = "Images that had a part, half of them new, as many of either set in each class."},
       {"groups", OF(n_groups), .about = "Groups of images that share an uploader, a source or their bytes; none is in two folds."},
       {"unknown", OF(unknown), .about = "Images of which neither uploader nor source is known."},
       {"in_both", OF(in_both), .about = "Images left out because they are in both sets."},
       {"without_features", OF(without_features), .about = "Images left out because they have no such features."},
       {"sealed", OF(sealed), .about = "Images left out because a sealed revision has them."},
       {"surplus", OF(surplus), .about = "Images left out so that both sets have as many in each class."},
       {"right", .number = right_of, .about = "Images whose set their held-out score names."},
       {"accuracy", OF(all.accuracy), .about = "Their share, from 0 to 1; one half is chance."},
       {"accuracy_lo", OF(all.of_accuracy.lo), .about = "Lower bound of its 95 % interval over groups."},
       {"accuracy_hi", OF(all.of_accuracy.hi), .about = "Upper bound."},
       {"auc", OF(all.auc), .maybe = true, .about = "Area under the ROC curve, from pairs within folds; null: no fold has both sets."},
       {"auc_lo", OF(all.of_auc.lo), .about = "Lower bound of its 95 % interval, a bootstrap over groups."},
       {"auc_hi", OF(all.of_auc.hi), .about = "Upper bound."},
       {"resamples", OF(resamples), .about = "Resamples of that bootstrap."},
       {"by_fold", RECORD_ROWS(struct discriminator, by_fold, folds), .of = &discriminator_fold_record, .about = "Fold by fold."});
#undef OF
