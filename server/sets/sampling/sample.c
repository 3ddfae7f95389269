/* sample.c - from a request to a plan: the parent, the pool, limits per uploader, thresholds. What
 * is drawn from a plan is written by sample_write.c. */
#include "sets/sampling/sample.h"

#include <stdlib.h>

#include "base/map.h"
#include "domain/images/upload_limit.h"

/* ---- the parent ---- */

static enum err_code check_parent(const struct sample_job *job, struct err *err)
{
    const struct revision_row *p = &job->parent;
    return job->ask.set.n == 0 || sv_eq(p->set, job->ask.set)
               ? OK
               : err_rule(err, ERR_CONFLICT, "set-parent",
                          SV_FMT "/%lld is not a revision of the set " SV_FMT ". Name one that is. Nothing "
                                 "was sampled.",
                          SV_ARG(p->set), (long long)p->number, SV_ARG(job->ask.set));
}

static enum err_code find_parent(struct db *db, struct sample_job *job, struct err *err)
{
    struct sample_ask *ask = &job->ask;
    enum err_code rc = OK;
    if (ask->set.n) {
        rc = sets_take(db, ask->set, SV("new"), err);
    }
    if (rc == OK && ask->pool.parent) {
        rc = revisions_get(db, ask->pool.parent, &job->texts, &job->parent, err);
    } else if (rc == OK && ask->parent.n) {
        rc = revisions_find(db, ask->parent, &job->texts, &job->parent, err);
    }
    if (rc == OK && job->parent.id) {
        ask->pool.parent = job->parent.id;
        rc = check_parent(job, err);
    }
    return rc;
}

/* ---- the input ---- */

static uint32_t class_of(const struct pool *p, struct sv wnid)
{
    size_t lo = 0, hi = p->n_classes;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (sv_cmp(p->classes[mid].wnid, wnid) < 0) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo < p->n_classes && sv_eq(p->classes[lo].wnid, wnid) ? (uint32_t)lo : MAP_NONE;
}

static enum err_code make_thresholds(struct sample_job *job, struct err *err)
{
    const struct sample_ask *ask = &job->ask;
    struct pool *p = &job->pool;
    if (ask->n_own == 0) {
        return OK;
    }
    job->thresholds = arena_alloc(&job->texts, (p->n_classes + 1) * sizeof *job->thresholds);
    for (uint32_t k = 0; k < p->n_classes; k++) {
        job->thresholds[k] = -1;
    }
    for (size_t i = 0; i < ask->n_own; i++) {
        uint32_t k = class_of(p, ask->own[i].wnid);
        if (k == MAP_NONE) {
            return err_rule(err, ERR_NOT_FOUND, "no-class",
                            "A threshold is given for " SV_FMT ", but there is no such class. Nothing was "
                            "sampled.",
                            SV_ARG(ask->own[i].wnid));
        }
        job->thresholds[k] = ask->own[i].threshold;
    }
    return OK;
}

/* Where the best are wanted, they are what stays of an uploader too. */
static double claim_of(const struct sample_job *job, const struct sample_image *i)
{
    return job->ask.rules.strategy == SAMPLE_TOP && i->shown ? (double)i->selected / i->shown : 0;
}

static uint64_t cell_key(uint32_t class_index, uint32_t keyword)
{
    return (uint64_t)class_index << 32 | keyword;
}

/* Under `keyword` an image of a keyword that no cell is for can never be drawn, so it must not use
 * up a limit either. Which cells there are depends on originals alone. */
static enum err_code find_cells(const struct sample_job *job, struct arena *a,
                                struct map_u64 *cells, struct err *err)
{
    struct sample_plan plan;
    enum err_code rc = sample_plan(&job->input, &job->ask.rules, a, &plan, err);
    for (size_t i = 0; i < plan.n_cells && rc == OK; i++) {
        map_u64_put(cells, cell_key(plan.cells[i].class_index, plan.cells[i].bin), 0);
    }
    return rc;
}

static bool may_be_drawn(const struct sample_job *job, const struct sample_image *s,
                         const struct map_u64 *cells)
{
    double own = job->thresholds ? job->thresholds[s->class_index] : -1;
    return !s->original && sample_reason_of(&job->ask.rules, s, own) == SAMPLE_FINE &&
           (job->ask.rules.strategy != SAMPLE_KEYWORD ||
            map_u64_get(cells, cell_key(s->class_index, s->keyword)) != MAP_NONE);
}

static void limit(struct sample_job *job, const struct upload_rules *rules,
                  const struct map_u64 *cells, struct arena *a)
{
    struct pool *p = &job->pool;
    struct upload *list = arena_alloc(a, (p->n + 1) * sizeof *list);
    bool *out = arena_alloc(a, (p->n + 1) * sizeof *out);
    for (size_t i = 0; i < p->n; i++) {
        const struct sample_image *s = &p->sample[i];
        list[i] = (struct upload){.name = p->name[i],
                                  .author = p->author[i],
                                  .taken_at = p->taken_at[i],
                                  .class_index = s->class_index,
                                  .counts = may_be_drawn(job, s, cells),
                                  .in_parent = s->in_parent,
                                  .claim = claim_of(job, s)};
    }
    upload_limit(list, p->n, rules, a, out);
    for (size_t i = 0; i < p->n; i++) {
        p->sample[i].limited = out[i];
    }
}

/* Only what nothing else keeps out counts to a limit, so this comes when everything else is known.
 */
static enum err_code apply_limits(struct sample_job *job, struct err *err)
{
    const struct pool_ask *ask = &job->ask.pool;
    struct upload_rules rules = {ask->uploader_most, ask->event_most, job->ask.rules.seed};
    struct arena a;
    struct map_u64 cells;
    enum err_code rc = OK;
    if (rules.author_most == 0 && rules.event_most == 0) {
        return OK;
    }
    arena_init(&a, SIZE_MAX / 2);
    map_u64_init(&cells);
    if (job->ask.rules.strategy == SAMPLE_KEYWORD) {
        rc = find_cells(job, &a, &cells, err);
    }
    if (rc == OK) {
        limit(job, &rules, &cells, &a);
    }
    map_u64_release(&cells);
    arena_release(&a);
    return rc;
}

enum err_code sample_make_pool(struct db *db, struct tally *t, const struct sample_ask *ask,
                               struct sample_job *out, struct err *err)
{
    *out = (struct sample_job){.ask = *ask, .tally = t};
    arena_init(&out->texts, SIZE_MAX / 2);
    out->ask.pool.keywords = ask->rules.strategy == SAMPLE_KEYWORD;
    enum err_code rc = sample_rules_check(&ask->rules, err);
    rc = rc == OK ? find_parent(db, out, err) : rc;
    rc = rc == OK ? pool_load(db, t, &out->ask.pool, &out->pool, err) : rc;
    rc = rc == OK ? make_thresholds(out, err) : rc;
    if (rc != OK) {
        return rc;
    }
    out->input =
        (struct sample_input){out->pool.sample, out->pool.n, out->pool.n_classes, out->thresholds};
    return apply_limits(out, err);
}

enum err_code sample_make_plan(struct db *db, struct tally *t, const struct sample_ask *ask,
                               struct sample_job *out, struct err *err)
{
    enum err_code rc = sample_make_pool(db, t, ask, out, err);
    return rc == OK ? sample_plan(&out->input, &ask->rules, &out->pool.arena, &out->plan, err) : rc;
}

void sample_release(struct sample_job *job)
{
    pool_release(&job->pool);
    arena_release(&job->texts);
    *job = (struct sample_job){0};
}
