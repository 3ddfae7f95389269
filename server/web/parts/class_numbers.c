/* class_numbers.c - numbers of classes from the kept statistics, from a view's counts, or from the
 * counters as they were. */
#include "web/parts/class_numbers.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/xalloc.h"
#include "live/core/as_of.h"
#include "live/votes/view_classes.h"
#include "store/campaigns/campaigns.h"
#include "web/core/view_choice.h"

static int by_class(const void *a, const void *b)
{
    const struct class_numbers *x = a, *y = b;
    return (x->s.class_id > y->s.class_id) - (x->s.class_id < y->s.class_id);
}

static void take(struct ctx *c, const struct stats_class *list, size_t n, bool has_ci,
                 struct classes_counted *out)
{
    out->list = arena_calloc(c->arena, n + 1, sizeof *out->list);
    out->n = n;
    for (size_t i = 0; i < n; i++) {
        out->list[i] = (struct class_numbers){list[i], has_ci};
    }
}

/* ---- the default view as it was ---- */

struct summing {
    struct map_u64 at;
    struct stats_class *list;
    size_t n, cap;
    uint32_t last_class, last; /* pairs of a grid stand together */
};

static void add_pair(struct summing *s, const struct tally_pair *p)
{
    if (s->n == 0 || p->class != s->last_class) {
        s->last_class = p->class;
        s->last = map_u64_put(&s->at, p->class, (uint32_t)s->n);
        if (s->last == s->n) {
            xgrow(&s->list, &s->cap, s->n + 1, sizeof *s->list);
            s->list[s->n++] = (struct stats_class){.class_id = p->class};
        }
    }
    view_class_add(&s->list[s->last], p, p->shown, p->selected);
}

static void add_pairs(void *arg, const struct tally_pair *pairs, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        add_pair(arg, &pairs[i]);
    }
}

/* False: that is too far back. */
static bool sum_as_of(struct ctx *c, int64_t as_of, struct classes_counted *out)
{
    struct summing s = {.list = NULL};
    map_u64_init(&s.at);
    out->as_of = as_of;
    bool done = as_of_pairs(app_tally(c->app), &out->as_of, 0, add_pairs, &s);
    map_u64_release(&s.at);
    if (done) {
        take(c, s.list, s.n, false, out);
        qsort(out->list, out->n, sizeof *out->list, by_class);
    }
    free(s.list);
    return done;
}

/* ---- all ---- */

static enum err_code of_view(struct ctx *c, struct sv view, int64_t as_of, int64_t class_id,
                             struct classes_counted *out)
{
    const struct counted_view *v = NULL;
    struct stats_class *list;
    size_t n;
    if (view_choice_as_of(c, view, as_of, &v) != OK) {
        return c->err.code;
    }
    out->as_of = v->counts.cursor;
    view_classes(app_tally(c->app), &v->ask, &v->counts, class_id, &list, &n);
    view_choice_put(v);
    take(c, list, n, true, out);
    free(list);
    return OK;
}

enum err_code class_numbers_all(struct ctx *c, struct sv view, int64_t as_of,
                                struct classes_counted *out)
{
    *out = (struct classes_counted){0};
    if (!view_choice_is_default(view)) {
        return of_view(c, view, as_of, 0, out);
    }
    const struct stats *s = stats_get(app_stats(c->app));
    bool now = as_of <= 0 || as_of >= s->cursor;
    if (now) {
        out->as_of = s->cursor;
        take(c, s->classes, s->n_classes, true, out);
    }
    stats_put(app_stats(c->app), s);
    return now || sum_as_of(c, as_of, out) ? OK : of_view(c, view, as_of, 0, out);
}

struct class_numbers class_numbers_of(const struct classes_counted *all, int64_t class_id)
{
    struct class_numbers key = {.s.class_id = (uint32_t)class_id};
    const struct class_numbers *found =
        all->n ? bsearch(&key, all->list, all->n, sizeof *all->list, by_class) : NULL;
    return found ? *found : key;
}

enum err_code class_numbers_one(struct ctx *c, struct sv view, int64_t class_id,
                                struct class_numbers *out)
{
    struct classes_counted one = {0};
    enum err_code rc = view_choice_is_default(view) ? class_numbers_all(c, view, 0, &one)
                                                    : of_view(c, view, 0, class_id, &one);
    *out = class_numbers_of(&one, class_id);
    return rc;
}

int64_t class_target_of(const struct campaign *list, size_t n)
{
    struct campaign usual;
    for (size_t i = 0; i < n; i++) {
        if (list[i].coverage && (sv_is(list[i].kind, "main") || sv_is(list[i].kind, "top-up"))) {
            return list[i].coverage;
        }
    }
    campaign_defaults(&usual);
    return usual.coverage;
}

enum err_code class_coverage_target(struct ctx *c, int64_t *out)
{
    struct campaign *list;
    size_t n;
    if (campaigns_list(c->db, false, c->arena, &list, &n, &c->err) != OK) {
        return c->err.code;
    }
    *out = class_target_of(list, n);
    return OK;
}
