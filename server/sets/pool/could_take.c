/* could_take.c - the targets of each class's bins, from its measured originals; then each candidate by its bin. */
#include "sets/pool/could_take.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "domain/votes/histogram.h"

struct class_targets {
    uint32_t originals[HISTOGRAM_BINS], target[HISTOGRAM_BINS];
    uint32_t measured;
};

static void count_originals(const struct pool *p, struct class_targets *classes)
{
    for (size_t i = 0; i < p->n; i++) {
        const struct sample_image *s = &p->sample[i];
        if (s->original && s->shown >= SAMPLE_ANSWERS_LEAST) {
            classes[s->class_index].originals[histogram_bin(s->selected, s->shown)]++;
            classes[s->class_index].measured++;
        }
    }
}

void pool_could_take(const struct pool *p, uint32_t size, bool *out)
{
    struct class_targets *classes = xcalloc(p->n_classes + 1, sizeof *classes);
    count_originals(p, classes);
    for (uint32_t k = 0; k < p->n_classes; k++) {
        histogram_targets(classes[k].originals, size, classes[k].target);
    }
    for (size_t i = 0; i < p->n; i++) {
        const struct sample_image *s = &p->sample[i];
        const struct class_targets *k = &classes[s->class_index];
        uint32_t bin = s->shown ? histogram_bin(s->selected, s->shown) : 0;
        bool place = k->measured < SAMPLE_ORIGINALS_LEAST || k->target[bin] > 0;
        out[i] = !s->original && !s->blacklisted && !s->hidden && place;
    }
    free(classes);
}
