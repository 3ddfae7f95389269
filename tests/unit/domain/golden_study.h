/* golden_study.h - the study of the golden folder as the arrays that rules of domain/ read: images,
 * classes, votes that count, blacklist, near-duplicates, review distances, in both rounds
 * (votes_synth in the golden folder's README). */
#ifndef TESTS_GOLDEN_STUDY_H
#define TESTS_GOLDEN_STUDY_H

#include "base/map.h"
#include "domain/images/near_duplicates.h"
#include "domain/sampling/sampling.h"

enum { STUDY_CLASSES = 1000, STUDY_IMAGES = 245054, STUDY_CANDIDATES = 195054, STUDY_ROUNDS = 2 };

struct golden_study {
    const char *golden;
    struct arena arena;
    struct sv wnid[STUDY_CLASSES];
    struct map_sv classes, images;       /* wnid -> index, name -> index */
    struct sv *name;                     /* the study's images, then ImageNet's that edges name */
    struct near_image *near;             /* as many, for the round */
    size_t n_names, names_cap, near_cap;
    struct near_edge *edges;
    size_t n_edges[STUDY_ROUNDS], edges_cap; /* those of round 1 contain those of round 0 */
    bool *unreviewed;
    struct sample_image *sample;         /* the study's images, for the round; nothing is in a parent */
    struct near_result near_result;
};

void study_open(struct golden_study *s, const char *golden);
void study_close(struct golden_study *s);
/* Blacklist, near-duplicates and images to sample as they were in the round. */
void study_round(struct golden_study *s, int round);
/* Marks the images of votes_synth/round0_dataset_NAME.csv as the parent's, and no others. */
void study_parent(struct golden_study *s, const char *name);
uint32_t study_class(const struct golden_study *s, struct sv wnid);

/* Whether a name is one of ImageNet's, not a candidate's. */
bool study_imagenet(struct sv name);
/* Sets rank by name. */
void study_rank(const struct sv *names, struct near_image *images, size_t n);

#endif
