/* stats.c - the numbers of the live pages against SQL. */
#include "check/parts.h"
#include "live/votes/stats.h"
#include "live/votes/view_ask.h"
#include "store/votes/views.h"
#include "store/votes/votes.h"

struct people_check {
    struct check *c;
    const struct stats *stats;
    size_t people; /* who were compared */
};

static bool same_person(const struct vote_worker *w, const struct stats_person *p)
{
    return w->assignments == p->answers - p->excluded - p->classify && w->rejected == p->out - p->classify_out &&
           w->pos_correct == p->pos_right && w->pos_total == p->pos &&
           w->neg_correct == p->neg_right && w->neg_total == p->neg &&
           w->n_selected == (int64_t)p->selected;
}

static enum err_code compare_worker(void *arg, const struct vote_worker *w, struct err *err)
{
    (void)err;
    struct people_check *k = arg;
    const struct stats_person *p = stats_person(k->stats, w->person);
    k->people++;
    if (!p || !same_person(w, p)) {
        check_found(k->c, "counter: the scores of worker " SV_FMT " do not match the answers",
                    SV_ARG(w->worker));
    }
    return OK;
}

static enum err_code check_people(struct check *c, struct tally *t)
{
    struct stats_keeper *keeper = stats_keeper_new(t);
    struct people_check k = {.c = c, .stats = stats_get(keeper)};
    size_t measured = 0;
    enum err_code rc = votes_workers(c->db, false, compare_worker, &k, c->err);
    for (size_t i = 0; i < k.stats->n_people; i++) {
        measured += k.stats->people[i].answers > k.stats->people[i].excluded + k.stats->people[i].classify;
    }
    if (rc == OK && measured != k.people) {
        check_found(c, "counter: the counters have %zu people, but the answers come from %zu", measured,
                    k.people);
    }
    stats_put(keeper, k.stats);
    stats_keeper_free(keeper);
    return rc;
}

/* The way of the named views, taken with the view whose numbers the tally has. */
static enum err_code check_view(struct check *c, struct tally *t)
{
    struct vote_view view;
    struct view_ask ask;
    struct view_counts v;
    size_t n, wrong = 0;
    enum err_code rc = views_find(c->db, SV("default"), c->arena, &view, c->err);
    rc = rc == OK ? view_ask_of(c->db, &view, 0, c->arena, &ask, c->err) : rc;
    rc = rc == OK ? view_count(t, &ask, &v, c->err) : rc;
    if (rc != OK) {
        return rc;
    }
    const struct tally_pair *pairs = tally_pairs(t, &n);
    for (size_t i = 0; i < n && n == v.n; i++) {
        wrong += pairs[i].image != v.image[i] || pairs[i].class != v.class_id[i] ||
                 pairs[i].role != v.role[i] || pairs[i].shown != v.shown[i] ||
                 pairs[i].selected != v.selected[i];
    }
    if (wrong || n != v.n) {
        check_found(c, "counter: counted as a named view, the default view differs in %zu of %zu pairs",
                    n == v.n ? wrong : n, n);
    }
    view_counts_release(&v);
    return OK;
}

enum err_code check_stats(struct check *c, struct tally *t)
{
    enum err_code rc = check_people(c, t);
    return rc == OK ? check_view(c, t) : rc;
}
