/* discriminate_data.h - which images a discriminator is made of, what ties them to each other, and their features. */
#ifndef CLI_MODELS_DISCRIMINATE_DATA_H
#define CLI_MODELS_DISCRIMINATE_DATA_H

#include "cli/core/cli.h"
#include "domain/images/group_folds.h"
#include "infer/train/discriminator.h"
#include "measures/discriminator/discriminator.h"

enum { DISCRIMINATE_SOURCES = 4 };

struct discriminate_ask {
    struct revision_row fresh, original;
    struct sv sources[DISCRIMINATE_SOURCES]; /* names of models; DISCRIMINATOR_STATISTICS */
    size_t n_sources;
    size_t most;                             /* images of either set at most */
};
struct discriminate_image {
    int64_t image;
    uint32_t class_at;     /* below n_classes */
    bool fresh;
    struct group_ties ties;
    struct sv name, wnid;
};
struct discriminate_data {
    struct discriminate_image *images; /* as many new ones as originals in each class */
    size_t n, n_classes, width;
    float *rows;                       /* n x width, on the heap */
    uint32_t in_both, without_features, sealed, surplus, unknown;
};
/* Texts in the command's arena. ERR_DENIED (rule "set-sealed"), ERR_NOT_FOUND (rules "model", "features"), ERR_LIMIT (rule
 * "discriminator-width"), ERR_INPUT (rule "discriminator-small") when too few images are left. The seed says which images
 * of the larger set are taken. Release it whatever came out. */
enum err_code discriminate_data_read(struct cli *cli, const struct discriminate_ask *ask, uint64_t seed,
                                     struct discriminate_data *out);
void discriminate_data_release(struct discriminate_data *d);

#endif
