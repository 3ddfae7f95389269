/* sample_world.c - see sample_world.h. */
#include "unit.h"

#include "sample_world.h"
#include "store/core/events.h"
#include "store/duplicates/near_pairs.h"
#include "store/images/images.h"
#include "store/review/blacklist.h"
#include "world.h"

void sample_world_need(struct sample_world *w, enum err_code rc)
{
    if (rc != OK) {
        fail_msg("%s: %s", w->t->err.rule, w->t->err.msg);
    }
}

void sample_world_open(struct sample_world *w, struct temp_project *t)
{
    struct campaign terms = world_terms("study");
    *w = (struct sample_world){.t = t, .tally = tally_new()};
    w->campaign = world_campaign(t->db, &terms);
}

void sample_world_close(struct sample_world *w)
{
    tally_free(w->tally);
}

void sample_world_images(struct sample_world *w, int64_t class_id, const char *role,
                         const unsigned *selected, unsigned n, unsigned answers, int64_t *ids)
{
    for (unsigned i = 0; i < n; i++) {
        ids[i] = world_image(w->t->db, w->images++, class_id, role);
    }
    int64_t grid = answers ? world_grid(w->t->db, w->campaign, class_id, ids, n) : 0;
    for (unsigned a = 0; a < answers; a++) {
        uint64_t mask = 0;
        for (unsigned i = 0; i < n; i++) {
            mask |= (uint64_t)(a < selected[i]) << i;
        }
        world_vote(w->t->db, w->campaign, grid, mask, false);
    }
}

int64_t sample_world_event(struct sample_world *w)
{
    return world_event(w->t->db, "test");
}

struct sv sample_world_name(struct sample_world *w, int64_t image)
{
    struct image_row i = {0};
    sample_world_need(w, images_get(w->t->db, image, &w->t->arena, &i, &w->t->err));
    return i.name;
}

void sample_world_ban(struct sample_world *w, int64_t image)
{
    bool added = false;
    sample_world_need(w, blacklist_put(w->t->db, sample_world_event(w), sample_world_name(w, image),
                                       true, SV("drawing"), SV(""), &added, &w->t->err));
    assert_true(added);
}

void sample_world_pair(struct sample_world *w, struct sv a, struct sv b)
{
    bool added = false;
    sample_world_need(
        w, near_pairs_put(w->t->db, sample_world_event(w), a, b, true, &added, &w->t->err));
    assert_true(added);
}

void sample_world_pool(struct sample_world *w, const struct pool_ask *ask, struct pool *out)
{
    sample_world_need(w, tally_fold(w->tally, w->t->db, &w->t->err));
    sample_world_need(w, pool_load(w->t->db, w->tally, ask, out, &w->t->err));
}
