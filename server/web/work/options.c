/* options.c - labels of a CLASSIFY task. */
#include "web/work/options.h"

#include "domain/grids/grid.h"
#include "store/work/grids.h"
#include "web/core/grid_images.h"
#include "web/core/page_data.h"

#define OF(member) RECORD_OF(struct work_option, member)
RECORD(option_record, struct work_option, "option", "A label that a CLASSIFY task offers.",
       {"position", OF(position), .about = "Where it is shown; answers name it by this."},
       {"wnid", OF(class_info.wnid), .about = "The class's WordNet id."},
       {"synset", OF(called), .about = "What it is called."},
       {"gloss", OF(class_info.gloss), .about = "What it means."},
       {"examples", OF(examples), .about = "How many example pictures there are."});
#undef OF

enum err_code work_options(struct ctx *c, int64_t grid, uint64_t seed, bool seeded, struct work_options *out)
{
    struct grid_options o;
    uint8_t order[GRID_CELLS];
    enum err_code rc = grids_options(c->db, grid, &o, &c->err);
    *out = (struct work_options){.n = rc == OK ? o.n : 0};
    if (out->n == 0) {
        return rc;
    }
    grid_order(seed, seeded, o.n, order);
    out->list = arena_calloc(c->arena, o.n, sizeof *out->list);
    for (unsigned i = 0; i < o.n && rc == OK; i++) {
        struct work_option *at = &out->list[i];
        unsigned there = 0;
        *at = (struct work_option){.position = i, .room = grid_images_room(o.n)};
        rc = classes_get(c->db, o.class_id[order[i]], c->arena, &at->class_info, &c->err);
        rc = rc == OK ? grid_images_examples(c->db, o.class_id[order[i]], &there, &c->err) : rc;
        if (rc == OK) {
            at->examples = there < at->room ? there : at->room;
            at->called = data_synset(c->arena, at->class_info.synset, " or ");
        }
    }
    return rc;
}

enum err_code work_options_of(struct ctx *c, const struct assignment *as, struct work_options *out)
{
    *out = (struct work_options){0};
    return as->classify ? work_options(c, as->grid, as->seed, as->has_seed, out) : OK;
}
