/* gap.c - gaps and their intervals as JSON. */
#include "measures/gap.h"

json_t *gap_data_about(const struct model_gaps_found *gaps)
{
    const struct gap_classes *c = &gaps->classes;
    json_t *about = json_pack(
        "{s:I, s:I, s:I, s:I, s:I, s:I, s:b, s:b, s:s, s:s, s:s, s:f, s:I, s:I}", "orig_classes",
        (json_int_t)c->original, "new_classes", (json_int_t)c->fresh, "common_classes",
        (json_int_t)c->common, "common_orig_n", (json_int_t)c->original_images, "common_new_n",
        (json_int_t)c->fresh_images, "shared_images", (json_int_t)c->shared, "same_shares", c->same,
        "withheld", c->withheld, "leads", c->same ? "gap" : "common_gap", "weights", "class shares of the originals",
        "method", gap_method, "alpha", 0.05, "resamples", (json_int_t)gaps->resamples, "seed",
        (json_int_t)gaps->seed);
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
