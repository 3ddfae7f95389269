/* pool_decisions.c - what people said about the images of a pool: pairs, blacklist, review
 * distances, picks, flags; and which images the parent has. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "sets/pool/pool_private.h"
#include "store/duplicates/near_metrics.h"
#include "store/duplicates/near_pairs.h"
#include "store/duplicates/review_distances.h"
#include "store/review/blacklist.h"
#include "store/sets/picks.h"
#include "store/work/flags.h"

enum { FLAGS_USUAL = 3 };

/* ---- pairs ---- */

/* The index of a name that the project has not. Training images stand in no list of the project,
 * but they are originals whoever has them; a candidate that was never kept says nothing. */
static uint32_t outsider(struct pool_loading *l, struct sv name)
{
    struct pool *p = l->p;
    if (!near_name_of_imagenet(name)) {
        return NEAR_NONE;
    }
    uint32_t at = map_sv_put(&l->outsiders, name, (uint32_t)p->n_near);
    if (at == p->n_near) {
        size_t cap[4] = {l->cap_near, l->cap_near, l->cap_near, l->cap_near};
        xgrow(&p->id, &cap[0], at + 1, sizeof *p->id);
        xgrow(&p->name, &cap[1], at + 1, sizeof *p->name);
        xgrow(&p->author, &cap[2], at + 1, sizeof *p->author);
        xgrow(&p->taken_at, &cap[3], at + 1, sizeof *p->taken_at);
        xgrow(&p->near, &l->cap_near, at + 1, sizeof *p->near);
        p->id[at] = 0;
        p->name[at] = arena_sv(&p->arena, name);
        p->author[at] = p->taken_at[at] = SV("");
        p->near[at] = (struct near_image){.original = true};
        p->n_near++;
    }
    return at;
}

static void add_edge(struct pool_loading *l, uint32_t a, uint32_t b)
{
    struct pool *p = l->p;
    xgrow(&p->edges, &l->cap_edges, p->n_edges + 1, sizeof *p->edges);
    p->edges[p->n_edges++] = (struct near_edge){a, b};
}

/* Names are looked up among the project's own: outsiders are not in order yet. */
static uint32_t end_of(struct pool_loading *l, struct sv name)
{
    struct pool own = *l->p;
    own.n_near = l->n_project;
    uint32_t at = pool_name(&own, name);
    return at != MAP_NONE ? at : outsider(l, name);
}

static enum err_code add_pair(void *arg, const struct near_pair *pair, struct err *err)
{
    struct pool_loading *l = arg;
    (void)err;
    uint32_t a = end_of(l, pair->a);
    add_edge(l, a, end_of(l, pair->b));
    return OK;
}

/* Equal bytes under two names are one photo, whoever said so or not. */
static void add_equal_contents(struct pool_loading *l)
{
    struct map_u64 first;
    map_u64_init(&first);
    for (size_t i = 0; i < l->n_raw; i++) {
        const struct pool_raw *r = &l->raw[i];
        uint32_t other = r->content ? map_u64_put(&first, r->content, r->at) : r->at;
        if (other != r->at) {
            add_edge(l, other, r->at);
        }
    }
    map_u64_release(&first);
}

enum err_code pool_read_pairs(struct pool_loading *l, struct err *err)
{
    enum err_code rc = near_pairs_each(l->db, l->p->as_of, add_pair, l, err);
    add_equal_contents(l);
    return rc;
}

/* ---- decisions about single images ---- */

static enum err_code ban(void *arg, const struct blacklist_entry *e, struct err *err)
{
    struct pool_loading *l = arg;
    uint32_t at = pool_name(l->p, e->name);
    (void)err;
    if (at != MAP_NONE) {
        l->p->near[at].blacklisted = true;
    }
    if (at < l->p->n) {
        l->p->sample[at].blacklisted = true;
    }
    return OK;
}

static enum err_code keep(void *arg, struct sv name, struct err *err)
{
    struct pool_loading *l = arg;
    uint32_t at = pool_name(l->p, name);
    (void)err;
    if (at != MAP_NONE) {
        l->p->near[at].keep = true;
    }
    return OK;
}

/* One enabled metric that fails keeps the image out (domain/review/review_gate.h). Of what the project has searched itself, what
 * imports said does not count any more. */
static enum err_code judge_distance(void *arg, const struct review_distance_row *r, struct err *err)
{
    struct pool_loading *l = arg;
    uint32_t at = pool_name(l->p, r->name);
    (void)err;
    if (at >= l->p->n) {
        return OK;
    }
    const struct review_gate *gate = &l->p->gate;
    size_t m = review_gate_find(gate, r->metric);
    if (m < gate->n && gate->metric[m].enabled && !ranges_has(&l->covered[m].queries, l->p->id[at])) {
        l->known[at] |= (uint8_t)(1U << m);
        l->p->sample[at].unreviewed |= !review_passes(r->searched ? r->distance : REVIEW_NEVER, gate->metric[m].threshold);
    }
    return OK;
}

/* ---- the project's own searches ---- */

/* Images with pixels that no candidate may look like, as of the event: what searches must have compared candidates with. */
static uint32_t *originals_of(const struct pool_loading *l, size_t *n)
{
    uint32_t *out = arena_alloc(&l->p->arena, (l->n_raw + 1) * sizeof *out);
    *n = 0;
    for (size_t i = 0; i < l->n_raw; i++) {
        if (l->raw[i].compared && l->raw[i].content) {
            out[(*n)++] = l->raw[i].id;
        }
    }
    return out;
}

static enum err_code judge_pair(void *arg, const struct near_open_pair *pair, struct err *err)
{
    struct pool_loading *l = arg;
    uint32_t at = pool_index(l, (uint32_t)pair->query);
    (void)err;
    if (at < l->p->n) {
        l->p->sample[at].unreviewed = true;
    }
    return OK;
}

static enum err_code judge_searches(struct pool_loading *l, struct err *err)
{
    struct pool *p = l->p;
    enum err_code rc = OK;
    for (size_t m = 0; m < p->gate.n && rc == OK; m++) {
        const struct near_covered *c = &l->covered[m];
        if (!p->gate.metric[m].enabled || !c->any) {
            continue;
        }
        for (size_t i = 0; i < p->n; i++) {
            l->known[i] |= (uint8_t)(ranges_has(&c->queries, p->id[i]) ? 1U << m : 0);
        }
        const struct near_open_ask ask = {.metric = &p->gate.metric[m], .space = c->space, .as_of = p->as_of};
        rc = near_open_each(l->db, &ask, judge_pair, l, err);
    }
    return rc;
}

static void set_targets(struct pool_loading *l)
{
    for (size_t i = 0; i < l->ask->n_targets; i++) {
        const struct review_target *t = &l->ask->targets[i];
        size_t m = review_gate_find(&l->p->gate, sv_of(t->metric));
        if (m < l->p->gate.n) {
            l->p->gate.metric[m].threshold = t->threshold;
        }
    }
}

static enum err_code read_distances(struct pool_loading *l, struct err *err)
{
    struct pool *p = l->p;
    l->known = xcalloc(p->n + 1, sizeof *l->known);
    enum err_code rc = near_metrics_get(l->db, p->as_of, &p->gate, err);
    set_targets(l);
    size_t n = 0;
    const uint32_t *originals = originals_of(l, &n);
    rc = rc == OK ? near_review_covered(l->db, &p->gate, p->as_of, originals, n, &p->arena, l->covered, err) : rc;
    rc = rc == OK ? judge_searches(l, err) : rc;
    rc = rc == OK ? review_distances_each(l->db, p->as_of, judge_distance, l, err) : rc;
    for (size_t i = 0; i < p->n && rc == OK; i++) {
        struct sample_image *s = &p->sample[i];
        s->unsearched = !s->original && review_unsearched(&p->gate, l->known[i], s->image);
    }
    return rc;
}

static enum err_code hide(void *arg, int64_t image, bool hidden, struct err *err)
{
    struct pool_loading *l = arg;
    uint32_t at = pool_index(l, (uint32_t)image);
    (void)err;
    if (at < l->p->n) {
        l->p->sample[at].hidden = hidden;
    }
    return OK;
}

static enum err_code pick(void *arg, const struct pick_row *r, struct err *err)
{
    struct pool_loading *l = arg;
    uint32_t at = pool_name(l->p, r->name);
    (void)err;
    if (at < l->p->n && r->stage == PICK_PICKED) {
        l->p->sample[at].not_picked = false;
    }
    return OK;
}

static enum err_code read_picks(struct pool_loading *l, struct err *err)
{
    struct pool *p = l->p;
    for (size_t i = 0; i < p->n && l->ask->picked_only; i++) {
        p->sample[i].not_picked = !p->sample[i].original;
    }
    return l->ask->picked_only ? picks_each(l->db, p->as_of, pick, l, err) : OK;
}

static enum err_code read_parent(struct pool_loading *l, struct err *err)
{
    struct pool *p = l->p;
    struct revision_row parent;
    struct revision_image *images;
    size_t n = 0;
    if (l->ask->parent == 0) {
        return OK;
    }
    enum err_code rc = revisions_get(l->db, l->ask->parent, &p->arena, &parent, err);
    rc = rc == OK ? revisions_images(l->db, parent.id, &p->arena, &images, &n, err) : rc;
    for (size_t i = 0; i < n && rc == OK; i++) {
        uint32_t at = pool_index(l, images[i].image);
        if (at < p->n && p->classes[p->sample[at].class_index].id == images[i].class_id) {
            p->sample[at].in_parent = true;
        }
    }
    return rc;
}

enum err_code pool_read_decisions(struct pool_loading *l, struct err *err)
{
    struct pool *p = l->p;
    int64_t people = l->ask->flags_to_quarantine ? l->ask->flags_to_quarantine : FLAGS_USUAL;
    enum err_code rc = blacklist_each(l->db, p->as_of, ban, l, err);
    rc = rc == OK ? near_keeps_each(l->db, p->as_of, keep, l, err) : rc;
    rc = rc == OK ? read_distances(l, err) : rc;
    rc = rc == OK ? flags_as_of(l->db, people, p->as_of, hide, l, err) : rc;
    rc = rc == OK ? read_picks(l, err) : rc;
    return rc == OK ? read_parent(l, err) : rc;
}
