/* check_stats.c - the numbers of the live pages against SQL. Called by cmd_check.c. */
#include "cli/check_stats.h"

#include <stdio.h>

#include "live/stats.h"
#include "live/view_ask.h"
#include "store/views.h"
#include "store/votes.h"

enum { SENTENCE = 400 };

struct check {
    const struct stats *stats;
    size_t people; /* who were compared */
    void (*found)(void *arg, const char *text);
    void *arg;
};

static bool same_person(const struct vote_worker *w, const struct stats_person *p)
{
    return w->assignments == p->answers - p->excluded && w->rejected == p->out &&
           w->pos_correct == p->pos_right && w->pos_total == p->pos &&
           w->neg_correct == p->neg_right && w->neg_total == p->neg &&
           w->n_selected == (int64_t)p->selected;
}

static enum err_code compare_worker(void *arg, const struct vote_worker *w, struct err *err)
{
    (void)err;
    struct check *c = arg;
    const struct stats_person *p = stats_person(c->stats, w->person);
    char text[SENTENCE];
    c->people++;
    if (!p || !same_person(w, p)) {
        snprintf(text, sizeof text,
                 "counter: the scores of worker " SV_FMT " are not those of the answers",
                 SV_ARG(w->worker));
        c->found(c->arg, text);
    }
    return OK;
}

static enum err_code check_people(struct cli *cli, struct tally *t, struct check *c)
{
    struct stats_keeper *keeper = stats_keeper_new(t);
    size_t measured = 0;
    c->stats = stats_get(keeper);
    enum err_code rc = votes_workers(cli->db, false, compare_worker, c, &cli->err);
    for (size_t i = 0; i < c->stats->n_people; i++) {
        measured += c->stats->people[i].answers > c->stats->people[i].excluded;
    }
    if (rc == OK && measured != c->people) {
        char text[SENTENCE];
        snprintf(text, sizeof text, "counter: the counters know %zu people, the answers %zu",
                 measured, c->people);
        c->found(c->arg, text);
    }
    stats_put(keeper, c->stats);
    stats_keeper_free(keeper);
    return rc;
}

/* The way of the named views, taken with the view whose numbers the tally has. */
static enum err_code check_view(struct cli *cli, struct tally *t, struct check *c)
{
    struct vote_view view;
    struct view_ask ask;
    struct view_counts v;
    size_t n, wrong = 0;
    enum err_code rc = views_find(cli->db, SV("default"), &cli->arena, &view, &cli->err);
    if (rc == OK) {
        rc = view_ask_of(cli->db, &view, 0, &cli->arena, &ask, &cli->err);
    }
    if (rc == OK) {
        rc = view_count(t, &ask, &v, &cli->err);
    }
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
        char text[SENTENCE];
        snprintf(text, sizeof text,
                 "counter: counted as a named view, the default view differs in %zu of %zu pairs",
                 n == v.n ? wrong : n, n);
        c->found(c->arg, text);
    }
    view_counts_release(&v);
    return OK;
}

enum err_code check_stats(struct cli *cli, struct tally *t,
                          void (*found)(void *arg, const char *text), void *arg)
{
    struct check c = {.found = found, .arg = arg};
    enum err_code rc = check_people(cli, t, &c);
    return rc == OK ? check_view(cli, t, &c) : rc;
}
