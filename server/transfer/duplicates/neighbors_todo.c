/* neighbors_todo.c - the metrics that are asked for, the images that are compared, and per metric what is left. */
#include "transfer/duplicates/neighbors_todo.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "db/bulk.h"
#include "domain/votes/histogram.h"
#include "sets/pool/could_take.h"
#include "store/duplicates/near_metrics.h"
#include "store/duplicates/near_space.h"
#include "transfer/duplicates/neighbors_metric.h"
#include "transfer/duplicates/neighbors_plan.h"

/* ------------------------------------------------------------------ metrics */

/* Remembers what could not be read under the metric at hand. */
static void keep_unread(struct neighbors_todo *t)
{
    for (uint32_t i = 0; i < t->compared.n && t->compared.unread; i++) {
        t->unread[i] = t->unread[i] || t->compared.unread[i];
    }
}

enum err_code neighbors_todo_use(struct neighbors_todo *t, const struct review_metric *m, struct err *err)
{
    struct search_metric by = neighbors_metric(m);
    if (t->by == m) {
        return OK;
    }
    keep_unread(t);
    t->by = m;
    return compared_by(&t->compared, &by, m->model, err);
}

/* Others go on; what ends this one is the end of the command. */
static void fail_metric(struct neighbors_todo *t, const struct review_metric *m, const struct err *why)
{
    transfer_warn(t->tr, "%s: %s", m->name, why->msg);
    if (t->failed.code == OK) {
        t->failed = *why;
    }
}

enum err_code neighbors_todo_space(const struct neighbors_todo *t, const struct review_metric *m, struct sv *out,
                                   struct err *err)
{
    return t->ask->originals ? near_space_originals(t->tr->db, m, t->tr->arena, out, err)
                             : near_space(t->tr->db, m, 0, t->tr->arena, out, err);
}

bool neighbors_todo_wants(const struct neighbors_todo *t, const struct review_metric *m)
{
    return t->ask->metric ? strcmp(m->name, t->ask->metric) == 0 : m->enabled;
}

/* ------------------------------------------------------------------ images */

static enum err_code ask_pool(struct neighbors_todo *t)
{
    const struct pool_ask ask = {.flags_to_quarantine = t->ask->flags_to_quarantine};
    struct transfer *tr = t->tr;
    struct tally *tally = tally_new();
    struct pool pool = {0};
    enum err_code rc = tally_fold(tally, tr->db, tr->err);
    rc = rc == OK ? pool_load(tr->db, tally, &ask, &pool, tr->err) : rc;
    bool *could = xcalloc(pool.n + 1, sizeof *could);
    if (rc == OK) {
        pool_could_take(&pool, HISTOGRAM_SAMPLE, could);
    }
    for (uint32_t i = 0; i < t->compared.n && rc == OK; i++) {
        uint32_t at = pool_find(&pool, (uint32_t)t->compared.images[i].image);
        t->query[i] = t->query[i] && at != MAP_NONE && could[at];
    }
    free(could);
    pool_release(&pool);
    tally_free(tally);
    return rc;
}

static enum err_code find_images(struct neighbors_todo *t)
{
    enum err_code rc = compared_open(&t->compared, t->tr, COMPARED_BY_ID, t->ask->max_pixels);
    t->query = xcalloc(t->compared.n + 1, sizeof *t->query);
    t->unread = xcalloc(t->compared.n + 1, sizeof *t->unread);
    for (uint32_t i = 0; i < t->compared.n; i++) {
        const struct match_image *m = &t->compared.images[i];
        t->query[i] = t->ask->originals ? m->original && !m->training && !m->example : !m->original;
    }
    return rc == OK && !t->ask->all && !t->ask->originals ? ask_pool(t) : rc;
}

/* ------------------------------------------------------------------ what a metric needs */

struct planning {
    struct neighbors_todo *t;
    const struct review_metric *metric;
    struct sv space;
    double within;
    struct near_search *whole, *begun;
    size_t n_whole, n_begun;
    struct plan_search *counts; /* searches that count, or will when they are finished */
    size_t n_counts;
    uint32_t *images;           /* ids that can be compared */
    bool *query;                /* of each of these */
    uint32_t n_images;
    struct err *err;
};

/* Pairs of a search become close that a higher threshold may reach. */
struct widening {
    const struct near_search *search;
    double within;
    int64_t next;
};

static enum err_code widen_step(struct db *db, void *arg, bool *more, struct err *err)
{
    struct widening *w = arg;
    return near_searches_widen(db, w->search, w->within, &w->next, more, err);
}

static enum err_code widen(const struct planning *p)
{
    const struct transfer *tr = p->t->tr;
    enum err_code rc = OK;
    for (size_t i = 0; i < p->n_whole && rc == OK && !tr->dry_run; i++) {
        struct widening w = {&p->whole[i], p->within, 0};
        if (p->whole[i].within < p->within) {
            rc = bulk_write(tr->db, tr->alone, widen_step, &w, p->err);
        }
    }
    return rc;
}

/* Lists shorter than asked for do not count. */
static enum err_code add_count(struct planning *p, const struct near_search *s)
{
    struct plan_search *to = &p->counts[p->n_counts];
    int64_t *unread = NULL;
    if (s->k < p->t->ask->k) {
        return OK;
    }
    *to = (struct plan_search){.search = s};
    enum err_code rc =
        near_searches_unread_list(p->t->tr->db, s->id, p->t->tr->arena, &unread, &to->n_unread, p->err);
    to->unread = unread;
    p->n_counts++;
    return rc;
}

static enum err_code read_searches(struct planning *p)
{
    const struct transfer *tr = p->t->tr;
    enum err_code rc = near_searches_whole(tr->db, p->space, 0, tr->arena, &p->whole, &p->n_whole, p->err);
    rc = rc == OK ? near_searches_begun(tr->db, p->space, tr->arena, &p->begun, &p->n_begun, p->err) : rc;
    if (rc != OK) {
        return rc;
    }
    p->counts = arena_calloc(tr->arena, p->n_whole + p->n_begun + 1, sizeof *p->counts);
    for (size_t i = 0; i < p->n_whole && rc == OK; i++) {
        rc = add_count(p, &p->whole[i]);
    }
    return rc == OK ? widen(p) : rc;
}

/* What an earlier search could not read is left out as long as it cannot be read. */
static bool *still_unread(const struct planning *p)
{
    struct compared *c = &p->t->compared;
    bool *out = arena_calloc(p->t->tr->arena, c->n + 1, sizeof *out);
    unsigned char *row = xmalloc(search_row_size(&c->metric) + 1);
    for (size_t k = 0; k < p->n_counts; k++) {
        const struct plan_search *s = &p->counts[k];
        uint32_t at = 0;
        for (size_t i = 0; i < s->n_unread; i++) {
            while (at < c->n && c->images[at].image < s->unread[i]) {
                at++;
            }
            if (at < c->n && c->images[at].image == s->unread[i] && !out[at]) {
                bool there = false;
                compared_read(c, at, row, &there);
                out[at] = !there;
            }
        }
    }
    free(row);
    return out;
}

static void choose_images(struct planning *p)
{
    const struct compared *c = &p->t->compared;
    const bool *out = still_unread(p);
    p->images = arena_alloc(p->t->tr->arena, (c->n + 1) * sizeof *p->images);
    p->query = arena_alloc(p->t->tr->arena, (c->n + 1) * sizeof *p->query);
    for (uint32_t i = 0; i < c->n; i++) {
        if (!out[i] && !c->out[i] && (p->t->query[i] || !p->t->ask->originals || c->images[i].training)) {
            p->images[p->n_images] = (uint32_t)c->images[i].image;
            p->query[p->n_images++] = p->t->query[i];
        }
    }
}

static struct plan_input plan_input(const struct planning *p)
{
    return (struct plan_input){p->images, p->query, p->n_images, p->counts, p->n_counts};
}

static void add_planned(const struct planning *p, const struct near_search *s)
{
    struct neighbors_todo *t = p->t;
    xgrow(&t->planned, &t->cap, t->n + 1, sizeof *t->planned);
    t->planned[t->n++] = (struct planned){p->metric, *s};
}

/* A search that was begun is finished if it still has pairs that nobody compared. */
static enum err_code plan_begun(struct planning *p)
{
    struct arena *a = p->t->tr->arena;
    enum err_code rc = OK;
    for (size_t i = 0; i < p->n_begun && rc == OK && p->t->resumes; i++) {
        const struct near_search *s = &p->begun[i];
        struct plan_input in = plan_input(p);
        if (s->k >= p->t->ask->k && sv_is(s->metric, p->metric->name) && neighbors_plan_lacks(&in, s, a)) {
            add_planned(p, s);
            rc = add_count(p, s);
        }
    }
    return rc;
}

static void plan_new(const struct planning *p)
{
    struct plan_input in = plan_input(p);
    struct plan_part *parts;
    size_t n;
    neighbors_plan(&in, p->t->tr->arena, &parts, &n);
    for (size_t i = 0; i < n; i++) {
        struct near_search s = {.k = p->t->ask->k, .within = p->within, .metric = sv_of(p->metric->name),
                                .space = p->space, .engine = SV(NEAR_ENGINE), .queries = parts[i].queries,
                                .refs = parts[i].refs};
        add_planned(p, &s);
    }
}

static enum err_code plan_metric(struct neighbors_todo *t, const struct review_metric *m, struct err *err)
{
    struct planning p = {.t = t, .metric = m, .within = review_reach(m->threshold), .err = err};
    enum err_code rc = neighbors_todo_use(t, m, err);
    rc = rc == OK ? neighbors_todo_space(t, m, &p.space, err) : rc;
    rc = rc == OK ? read_searches(&p) : rc;
    if (rc != OK) {
        return rc;
    }
    if (!m->enabled) {
        transfer_note(t->tr, "%s is off: sampling does not ask for it until `holdout near-metrics %s %s` turns it on.", m->name,
                      t->tr->dir, m->name);
    }
    choose_images(&p);
    rc = plan_begun(&p);
    if (rc == OK) {
        plan_new(&p);
    }
    return rc;
}

/* ------------------------------------------------------------------ all metrics */

/* Distances of a metric without a model are imported: there is nothing to search by. */
static enum err_code check_searched_here(const struct neighbors_todo *t, const struct review_metric *m, struct err *err)
{
    return m->kind != NEAR_FEATURE || m->model[0]
               ? OK
               : err_rule(err, ERR_CONFLICT, "near-metric-imported",
                          "distances by %s are imported; `holdout near-metrics %s %s --model NAME` says whose features are "
                          "compared here",
                          m->name, t->tr->dir, m->name);
}

static enum err_code plan_wanted(struct neighbors_todo *t)
{
    const struct review_metric *named;
    enum err_code rc = t->ask->metric ? neighbors_metric_find(&t->gate, t->ask->metric, t->tr, &named) : OK;
    for (size_t i = 0; i < t->gate.n && rc == OK; i++) {
        const struct review_metric *m = &t->gate.metric[i];
        struct err why = {0};
        if (!neighbors_todo_wants(t, m)) {
            continue;
        }
        if (check_searched_here(t, m, &why) == OK && plan_metric(t, m, &why) == OK) {
            continue;
        }
        if (!t->ask->metric && strcmp(why.rule, "near-metric-imported") == 0) {
            transfer_note(t->tr, "%s: %s.", m->name, why.msg);
        } else {
            fail_metric(t, m, &why);
        }
    }
    return rc;
}

enum err_code neighbors_todo_make(struct neighbors_todo *t, struct transfer *tr, const struct neighbors_ask *ask,
                                  bool resumes)
{
    *t = (struct neighbors_todo){.tr = tr, .ask = ask, .resumes = resumes};
    enum err_code rc = near_metrics_get(tr->db, 0, &t->gate, tr->err);
    rc = rc == OK ? find_images(t) : rc;
    return rc == OK ? plan_wanted(t) : rc;
}

void neighbors_todo_release(struct neighbors_todo *t)
{
    compared_close(&t->compared);
    free(t->query);
    free(t->unread);
    free(t->planned);
}

enum err_code neighbors_todo_end(const struct neighbors_todo *t)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->compared.n; i++) {
        n += t->unread[i] || t->compared.unread[i];
    }
    return t->failed.code == OK ? compared_tell(n, t->tr->err)
                                : err_rule(t->tr->err, t->failed.code, t->failed.rule, "%s", t->failed.msg);
}
