/* discriminator.h - whether a linear model can tell images of a new set from originals (Recht et al. 2019, B.2.8, C.3.3):
 * held-out scores of images, what they add up to, and the file in which a result is kept.
 *
 * DIR/discriminators/NEW-ORIGINAL-FEATURES.json, with the numbers of the two revisions. It can be made again from what
 * the project has and the seed that it names, so that backups leave it out. Sealed like scores: reading one is refused
 * as scoring is, ERR_DENIED (rule "set-sealed"). Knows nothing of how scores are made. */
#ifndef MEASURES_DISCRIMINATOR_H
#define MEASURES_DISCRIMINATOR_H

#include "record/record.h"
#include "stats/separation.h"
#include "store/sets/sets.h"

enum {
    DISCRIMINATOR_FOLDS_LEAST = 3,
    DISCRIMINATOR_FOLDS_MOST = 20,
    DISCRIMINATOR_FEATURES = 200,   /* bytes of what it looked at: names of models with "+" between them */
    DISCRIMINATOR_RESAMPLES = 2000, /* for the interval of the area */
    DISCRIMINATOR_BARS = 16
};
#define DISCRIMINATOR_STATISTICS "statistics" /* image statistics, in place of a model's name */

struct discriminator_image {
    int64_t image;
    uint32_t group;
    uint8_t fold;
    bool fresh;
    double score;             /* held out; above 0: looks new; 1 is a usual distance from undecided */
};
struct discriminator_fold {
    uint32_t fold, images, right; /* fold: from 1 */
    size_t groups;
    double lambda, accuracy, auc; /* auc: NAN when it has one set only */
    struct five_numbers original, fresh; /* of its scores; NAN without images */
};
struct discriminator {
    struct sv set, original, features; /* SET/NUMBER; features as in its file's name */
    int64_t set_id, original_id, at, seed;
    size_t folds;
    uint32_t resamples;
    /* Images of the two revisions that had no part: in both, without features, of a sealed revision, beyond what the
     * other set has in that class (or beyond the most that was asked for). */
    uint32_t in_both, without_features, sealed, surplus;
    uint32_t unknown;         /* images that had a part of which neither uploader nor source is known */
    size_t n_groups;
    double lambdas[DISCRIMINATOR_FOLDS_MOST];
    struct discriminator_image *images; /* half of them new; the most new-looking first */
    size_t n;
    struct separation all;
    struct discriminator_fold *by_fold; /* `folds` */
};
extern const struct record discriminator_record, discriminator_fold_record;

/* Sorts the images and fills `all` and `by_fold`, in the arena; with resamples 0 `all.of_auc` stays. */
void discriminator_count(struct discriminator *d, uint32_t resamples, struct arena *a);
/* How many new images (and originals) have a score in each of DISCRIMINATOR_BARS equal bars from -reach to reach; what
 * lies beyond is in the outer ones. */
void discriminator_bars(const struct discriminator *d, double reach, double fresh[DISCRIMINATOR_BARS],
                        double original[DISCRIMINATOR_BARS]);

/* One that is there is replaced. */
enum err_code discriminator_write(const struct discriminator *d, const char *dir, struct arena *a, struct err *err);
/* ERR_NOT_FOUND (rule "discriminator") when there is none, or one that cannot be read. */
enum err_code discriminator_read(const char *dir, const struct revision_row *fresh, const struct revision_row *original,
                                 struct sv features, struct arena *a, struct discriminator *out, struct err *err);
/* Which ones there are of a revision, by name. */
struct discriminator_name {
    int64_t original_id;
    struct sv features;
};
enum err_code discriminator_list(const char *dir, int64_t set_id, struct arena *a, struct discriminator_name **out, size_t *n,
                                 struct err *err);

#endif
