/* ours.c - how long the bootstrap of a line takes, as one line of JSON.
 *
 *     fit_bench models MODELS RESAMPLES THREADS             draws models, once on each of three scales
 *     fit_bench images MODELS RESAMPLES THREADS IMAGES      draws the images of one set with so many, and of one of 100 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/rng.h"
#include "base/xalloc.h"
#include "stats/line_bootstrap.h"

static uint32_t number(const char *text)
{
    return (uint32_t)strtoul(text, NULL, 10);
}

/* Accuracies as those of 67 published models: 43 % to 83 %, with a gap of 8 to 16 points. */
static double draw_models(uint32_t n, const struct bootstrap_ask *ask, double *first)
{
    struct rng r;
    struct bootstrap_found found;
    double *share = xmalloc(2 * n * sizeof *share), *place = xmalloc(2 * n * sizeof *place), seconds = 0;
    rng_seed(&r, 1);
    for (uint32_t i = 0; i < n; i++) {
        share[i] = 0.43 + 0.4 * rng_unit(&r);
        share[n + i] = 1.11 * share[i] - 0.2 + 0.01 * rng_unit(&r);
    }
    for (int scale = SHARE_LINEAR; scale <= SHARE_LOGIT; scale++) {
        int64_t begun = clock_mono_ns();
        for (uint32_t i = 0; i < 2 * n; i++) {
            place[i] = share_scale_at((enum share_scale)scale, share[i]);
        }
        const struct bootstrap_points p = {.n = n, .x = place, .y = place + n};
        bootstrap_points(&p, ask, &found);
        double took = (double)(clock_mono_ns() - begun) / 1e9;
        *first = scale == SHARE_LINEAR ? took : *first;
        seconds += took;
    }
    free(share);
    free(place);
    return seconds;
}

static unsigned char *answers(struct rng *r, uint32_t models, uint32_t images)
{
    unsigned char *right = xmalloc((size_t)models * images);
    for (uint32_t m = 0; m < models; m++) {
        double accuracy = 0.43 + 0.4 * m / models;
        for (uint32_t i = 0; i < images; i++) {
            right[(size_t)m * images + i] = rng_unit(r) < accuracy;
        }
    }
    return right;
}

static double draw_images(uint32_t models, uint32_t images, const struct bootstrap_ask *ask)
{
    enum { FEW = 100 };
    struct rng r;
    struct bootstrap_found found;
    rng_seed(&r, 1);
    uint32_t *name = xmalloc(((size_t)images + FEW) * sizeof *name);
    for (uint32_t i = 0; i < images + FEW; i++) {
        name[i] = i;
    }
    unsigned char *x = answers(&r, models, FEW), *y = answers(&r, models, images);
    const struct bootstrap_images im = {.x = {FEW, name, x}, .y = {images, name + FEW, y}, .n_models = models};
    int64_t begun = clock_mono_ns();
    bootstrap_images(&im, ask, &found);
    double seconds = (double)(clock_mono_ns() - begun) / 1e9;
    free(name);
    free(x);
    free(y);
    return seconds;
}

int main(int argc, char **argv)
{
    if (argc < 5) {
        return 2;
    }
    const struct bootstrap_ask ask = {.resamples = number(argv[3]), .seed = 1, .threads = number(argv[4])};
    double first = 0, seconds;
    if (strcmp(argv[1], "models") == 0) {
        seconds = draw_models(number(argv[2]), &ask, &first);
    } else {
        first = seconds = draw_images(number(argv[2]), argc > 5 ? number(argv[5]) : 10000, &ask);
    }
    printf("{\"seconds\":%.6f,\"all_seconds\":%.6f}\n", first, seconds);
    return 0;
}
