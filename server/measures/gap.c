/* gap.c - gaps and their intervals as JSON. */
#include "measures/gap.h"
#include "json/object.h"
#include "measures/score_csv.h"

json_t *gap_data_about(const struct model_gaps_found *gaps)
{
    const struct gap_classes *c = &gaps->classes;
    json_t *about = object(
        field_int("orig_classes", c->original), field_int("new_classes", c->fresh),
        field_int("common_classes", c->common), field_int("common_orig_n", c->original_images),
        field_int("common_new_n", c->fresh_images), field_int("shared_images", c->shared),
        field_bool("same_shares", c->same), field_bool("withheld", c->withheld),
        field_text("leads", c->same ? "gap" : "common_gap"),
        field_text("weights", "class shares of the originals"), field_text("method", gap_method),
        field_real("alpha", 0.05), field_int("resamples", gaps->resamples),
        field_count("seed", gaps->seed));
    BUG_IF(!about);
    return about;
}

void gap_data_add(json_t *line, const struct model_gaps_found *gaps, size_t at)
{
    const struct gap_record_row row = {gaps->lines[at], gap_told(&gaps->classes)};
    json_object_update_new(line, record_json(&gap_record, &row));
}
