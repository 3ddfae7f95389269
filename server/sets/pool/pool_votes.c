/* pool_votes.c - a pool's votes: which version of the view, and what it counts of every image under its own class. */
#include "live/core/as_of.h"
#include "live/votes/view_ask.h"
#include "sets/pool/pool_private.h"

enum err_code pool_read_view(struct pool_loading *l, struct err *err)
{
    const struct pool_ask *ask = l->ask;
    struct arena *a = &l->p->arena;
    struct sv name = ask->view.n ? ask->view : SV("default");
    if (ask->view_version == 0) {
        return views_find(l->db, name, a, &l->p->view, err);
    }
    enum err_code rc = views_version(l->db, ask->view_version, name, a, &l->p->view, err);
    if (rc == ERR_NOT_FOUND) {
        err_clear(err);
        rc = err_rule(err, ERR_NOT_FOUND, "no-view",
                      "The vote view " SV_FMT " has no version of event %lld.", SV_ARG(name),
                      (long long)ask->view_version);
    }
    return rc;
}

static void set_votes(struct pool_loading *l, uint32_t image, int64_t class_id, uint32_t shown,
                      uint32_t selected)
{
    struct pool *p = l->p;
    uint32_t at = shown ? pool_index(l, image) : MAP_NONE;
    if (at == MAP_NONE || p->classes[p->near[at].class_index].id != class_id) {
        return;
    }
    p->near[at].shown = shown;
    p->near[at].selected = selected;
    if (at < p->n) {
        p->sample[at].shown = shown;
        p->sample[at].selected = selected;
    }
}

static void set_pairs(void *arg, const struct tally_pair *pairs, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        set_votes(arg, pairs[i].image, pairs[i].class, pairs[i].shown, pairs[i].selected);
    }
}

/* The default view is what the tally has counted anyway; false: that long ago it has not. */
static bool read_default(struct pool_loading *l, struct tally *t)
{
    struct pool *p = l->p;
    int64_t as_of = p->as_of;
    bool good = sv_is(p->view.name, "default") && as_of_pairs(t, &as_of, 0, set_pairs, l);
    for (size_t i = 0; i < p->n_near && !good; i++) {
        p->near[i].shown = p->near[i].selected = 0;
    }
    for (size_t i = 0; i < p->n && !good; i++) {
        p->sample[i].shown = p->sample[i].selected = 0;
    }
    return good;
}

enum err_code pool_read_votes(struct pool_loading *l, struct tally *t, struct err *err)
{
    struct arena a;
    struct view_counts v;
    const struct vote_view *view = &l->p->view;
    struct view_ask ask;
    if (read_default(l, t)) {
        return OK;
    }
    arena_init(&a, (size_t)1 << 30);
    enum err_code rc = view_ask_of(l->db, view, l->p->as_of, &a, &ask, err);
    rc = rc == OK ? view_count(t, &ask, &v, err) : rc;
    if (rc == OK) {
        for (size_t i = 0; i < v.n; i++) {
            set_votes(l, v.image[i], v.class_id[i], v.shown[i], v.selected[i]);
        }
        view_counts_release(&v);
    }
    arena_release(&a);
    return rc;
}
