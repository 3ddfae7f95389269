/* options.c - labels of a CLASSIFY task. */
#include "web/work/options.h"

#include "domain/grids/grid.h"
#include "web/core/grid_images.h"
#include "web/core/page_data.h"

#define OF(member) RECORD_OF(struct work_option, member)
RECORD(option_record, struct work_option, "option", "A label that a CLASSIFY task offers.",
       {"position", OF(position), .about = "Where it is shown; answers name it by this."},
       {"wnid", OF(label.wnid), .about = "The class's WordNet id."},
       {"synset", OF(called), .about = "What it is called."},
       {"gloss", OF(label.gloss), .about = "What it means."});
#undef OF

enum err_code work_options(struct ctx *c, int64_t grid, uint64_t seed, bool seeded, struct work_options *out)
{
    struct grid_option *labels;
    uint8_t order[GRID_CELLS];
    size_t n;
    *out = (struct work_options){0};
    if (grids_option_list(c->db, grid, c->arena, &labels, &n, &c->err) != OK || n == 0) {
        return c->err.code;
    }
    grid_order(seed, seeded, (unsigned)n, order);
    *out = (struct work_options){arena_calloc(c->arena, n, sizeof *out->list), n};
    for (size_t i = 0; i < n; i++) {
        const struct grid_option *label = &labels[order[i]];
        out->list[i] = (struct work_option){.label = *label,
                                            .called = data_synset(c->arena, label->synset, " or "),
                                            .position = (int64_t)i,
                                            .room = grid_images_room((unsigned)n)};
    }
    return OK;
}

enum err_code work_options_of(struct ctx *c, const struct assignment *as, struct work_options *out)
{
    *out = (struct work_options){0};
    return as->classify ? work_options(c, as->grid, as->seed, as->has_seed, out) : OK;
}

enum err_code work_option_examples(struct ctx *c, const struct work_options *o)
{
    enum err_code rc = OK;
    for (size_t i = 0; i < o->n && rc == OK; i++) {
        unsigned there = 0;
        rc = grid_images_examples(c->db, o->list[i].label.class_id, &there, &c->err);
        o->list[i].examples = there < o->list[i].room ? there : o->list[i].room;
    }
    return rc;
}
