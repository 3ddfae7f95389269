/* gap.c - gaps and their intervals as JSON. */
#include "measures/gap.h"
#include "measures/score_csv.h"

struct about {
    struct model_gaps_found found;
    const char *leads, *weights, *method;
    struct score_level level;
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
       {"method", OF(method), .about = "How intervals were made."},
       {"alpha", OF(level.alpha), .about = "One minus their level."},
       {"resamples", OF(level.resamples), .about = "How many resamples were drawn."},
       {"seed", OF(found.seed), .about = "The seed of the draws."});
#undef OF

json_t *gap_data_about(const struct model_gaps_found *gaps)
{
    const struct about about = {*gaps, gaps->classes.same ? "gap" : "common_gap", "class shares of the originals", gap_method,
                                *gaps->level};
    json_t *made = record_json(&gaps_record, &about);
    BUG_IF(!made);
    return made;
}

void gap_data_add(json_t *line, const struct model_gaps_found *gaps, size_t at)
{
    const struct gap_record_row row = {gaps->lines[at], gap_told(&gaps->classes)};
    json_object_update_new(line, record_json(&gap_record, &row));
}
