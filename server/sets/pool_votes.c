/* pool_votes.c - a pool's votes: which version of the view, and what it counts of every image under
 * its own class. Called by pool.c. */
#include "live/view_count.h"
#include "sets/pool_private.h"

static enum err_code no_version(const struct pool_ask *ask, struct err *err)
{
    return err_rule(err, ERR_NOT_FOUND, "no-view",
                    "The vote view " SV_FMT " has no version of event %lld.", SV_ARG(ask->view),
                    (long long)ask->view_version);
}

enum err_code pool_read_view(struct pool_loading *l, struct err *err)
{
    const struct pool_ask *ask = l->ask;
    struct arena *a = &l->p->arena;
    struct sv name = ask->view.n ? ask->view : SV("default");
    struct vote_view *versions;
    size_t n;
    if (ask->view_version == 0) {
        return views_find(l->db, name, a, &l->p->view, err);
    }
    enum err_code rc = views_versions(l->db, name, a, &versions, &n, err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        if (versions[i].id == ask->view_version) {
            l->p->view = versions[i];
            return OK;
        }
    }
    return rc == OK ? no_version(ask, err) : rc;
}

static void add_votes(struct pool_loading *l, const struct view_counts *v)
{
    struct pool *p = l->p;
    for (size_t i = 0; i < v->n; i++) {
        uint32_t at = v->shown[i] ? pool_index(l, v->image[i]) : MAP_NONE;
        if (at == MAP_NONE || p->classes[p->near[at].class_index].id != v->class_id[i]) {
            continue;
        }
        p->near[at].shown = v->shown[i];
        p->near[at].selected = v->selected[i];
        if (at < p->n) {
            p->sample[at].shown = v->shown[i];
            p->sample[at].selected = v->selected[i];
        }
    }
}

enum err_code pool_read_votes(struct pool_loading *l, struct tally *t, struct err *err)
{
    struct arena a;
    struct view_counts v;
    const struct vote_view *view = &l->p->view;
    struct view_ask ask = {.rules = view->rules, .as_of = l->p->as_of};
    int64_t *campaigns, *blocked;
    if (view->as_of > 0 && view->as_of < ask.as_of) {
        ask.as_of = view->as_of;
    }
    arena_init(&a, (size_t)1 << 30);
    enum err_code rc = views_campaigns(l->db, view, &a, &campaigns, &ask.n_campaigns, err);
    rc = rc == OK ? views_blocked(l->db, &a, &blocked, &ask.n_blocked, err) : rc;
    if (rc == OK) {
        ask.campaigns = campaigns;
        ask.blocked = blocked;
        rc = view_count(t, &ask, &v, err);
    }
    if (rc == OK) {
        add_votes(l, &v);
        view_counts_release(&v);
    }
    arena_release(&a);
    return rc;
}
