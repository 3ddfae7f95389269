/* gap.c - gaps and their intervals as JSON. */
#include "measures/gap.h"
#include "json/object.h"

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

static void add_number(json_t *line, const char *name, bool known, double v)
{
    json_object_set_new(line, name, known ? json_real(v) : json_null());
}

static void add_rank(json_t *line, const char *name, bool known, double v)
{
    json_object_set_new(line, name, known ? json_integer((json_int_t)v) : json_null());
}

void gap_data_add(json_t *line, const struct model_gaps_found *gaps, size_t at)
{
    const struct gap_line *g = &gaps->lines[at];
    bool any = gap_told(&gaps->classes);
    add_number(line, "common_orig_acc", any, g->original_acc);
    add_number(line, "common_new_acc", any, g->fresh_acc);
    add_number(line, "common_gap", any, g->gap);
    add_number(line, "common_gap_lo", g->common.known, g->common.lo);
    add_number(line, "common_gap_hi", g->common.known, g->common.hi);
    add_number(line, "gap_lo", g->raw.known, g->raw.lo);
    add_number(line, "gap_hi", g->raw.known, g->raw.hi);
    add_rank(line, "orig_rank_lo", g->original_rank.known, g->original_rank.lo);
    add_rank(line, "orig_rank_hi", g->original_rank.known, g->original_rank.hi);
    add_rank(line, "new_rank_lo", g->fresh_rank.known, g->fresh_rank.lo);
    add_rank(line, "new_rank_hi", g->fresh_rank.known, g->fresh_rank.hi);
    add_rank(line, "delta_rank_lo", g->change.known, g->change.lo);
    add_rank(line, "delta_rank_hi", g->change.known, g->change.hi);
}
