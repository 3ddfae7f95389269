/* gap.c - gaps and their intervals as JSON. */
#include "measures/scores/gap.h"

#include <math.h>

#include "measures/scores/score_csv.h"

struct about {
    struct model_gaps_found found;
    const char *leads, *weights, *method;
    struct score_level level;
    bool told; /* the mean on common classes is */
    double common;
};
#define OF(member) RECORD_OF(struct about, member)
RECORD(gaps_record, struct about, "gaps", "How gaps on common classes and their intervals were made.",
       {"orig_classes", OF(found.classes.original), .about = "Classes of the originals."},
       {"new_classes", OF(found.classes.fresh), .about = "Classes of the new set."},
       {"common_classes", OF(found.classes.common), .about = "Classes that both have."},
       {"common_orig_n", OF(found.classes.original_images), .about = "Originals of these classes."},
       {"common_new_n", OF(found.classes.fresh_images), .about = "Images of the new set of these classes."},
       {"shared_images", OF(found.classes.shared), .about = "Images that are in both sets."},
       {"same_shares", OF(found.classes.same), .about = "Whether both have the same classes with the same shares."},
       {"withheld", OF(found.classes.withheld), .about = "Whether the gap on common classes is held back because of a sealed revision."},
       {"leads", OF(leads), .about = "The gap to use: gap or common_gap."},
       {"weights", OF(weights), .about = "How classes are weighted in it."},
       {"mean_common_gap", OF(common), RECORD_IF(struct about, told), .about = "The mean over models of common_gap; null: there is none."},
       {"mean_common_gap_lo", OF(found.mean.common.lo), RECORD_IF(struct about, found.mean.common.known), .about = "Lower bound of it: images vary, models do not; null: no interval yet."},
       {"mean_common_gap_hi", OF(found.mean.common.hi), RECORD_IF(struct about, found.mean.common.known), .about = "Upper bound."},
       {"mean_gap_lo", OF(found.mean.raw.lo), RECORD_IF(struct about, found.mean.raw.known), .about = "Lower bound of the mean over models of gap."},
       {"mean_gap_hi", OF(found.mean.raw.hi), RECORD_IF(struct about, found.mean.raw.known), .about = "Upper bound."},
       {"method", OF(method), .about = "How intervals were made."},
       {"alpha", OF(level.alpha), .about = "One minus their level."},
       {"resamples", OF(level.resamples), .about = "How many resamples were drawn."},
       {"seed", OF(found.seed), .about = "The seed of the draws."});
#undef OF

double gap_mean_common(const struct model_gaps_found *gaps)
{
    double sum = 0;
    for (size_t i = 0; i < gaps->n; i++) {
        sum += gaps->lines[i].gap;
    }
    return gaps->n && gap_told(&gaps->classes) ? sum / (double)gaps->n : (double)NAN;
}

json_t *gap_data_about(const struct model_gaps_found *gaps)
{
    struct about about = {.found = *gaps,
                          .leads = gaps->classes.same ? "gap" : "common_gap",
                          .weights = "class shares of the originals",
                          .method = gap_method,
                          .level = *gaps->level,
                          .common = gap_mean_common(gaps)};
    about.told = !isnan(about.common);
    json_t *made = record_json(&gaps_record, &about);
    BUG_IF(!made);
    return made;
}

void gap_data_add(json_t *line, const struct model_gaps_found *gaps, size_t at)
{
    const struct gap_record_row row = {gaps->lines[at], gap_told(&gaps->classes)};
    json_object_update_new(line, record_json(&gap_record, &row));
}
