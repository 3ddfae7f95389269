/* gap_parts.c - the parts of a gap in words, and the bound of one of them. */
#include "measures/scores/gap_parts.h"

#include <math.h>

#define LEVEL 0.95

static double bound_of(size_t images, size_t models)
{
    return sqrt(log(2 * (double)models / (1 - LEVEL)) / (2 * (double)images));
}

void gap_parts_of(size_t images, size_t models, struct gap_part out[GAP_PARTS])
{
    out[0] = (struct gap_part){
        .name = "Adaptivity gap",
        .is = "How much models were fitted to the originals themselves by being chosen on them.",
        .method = "Not identified: accuracy on fresh images of the originals' own distribution is not known."};
    out[1] = (struct gap_part){
        .name = "Distribution gap",
        .is = "How much harder the images are that the new way to collect them finds.",
        .method = "Not identified: it is mixed with the adaptivity gap in every pair of accuracies."};
    out[2] = (struct gap_part){
        .name = "Generalization gap",
        .is = "Which images chance put into the new set.",
        .identified = true,
        .bound = bound_of(images, 1),
        .all = bound_of(images, models),
        .method = "Hoeffding's bound from the number of new images, with probability 0.95; for all models at once with the "
                  "union bound. No model may have been chosen by the new set."};
}

#define OF(member) RECORD_OF(struct gap_part, member)
#define IF(member) RECORD_IF(struct gap_part, member)
RECORD(gap_part_record, struct gap_part, "gap_part", "A part that a gap is made of.",
       {"name", OF(name), .about = "Its name in Recht et al. 2019, section 2."},
       {"is", OF(is), .about = "What it is."},
       {"identified", OF(identified), .about = "Whether the data say anything of it."},
       {"bound", OF(bound), IF(identified), .about = "It is at most so large, either way, for one model; null: not identified."},
       {"bound_all_models", OF(all), IF(identified), .about = "For all models at once."},
       {"method", OF(method), .about = "Which bound, at what level; or why it is not identified."});
#undef OF
#undef IF
