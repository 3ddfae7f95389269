/* model_points.c - points sorted into groups, in their order. */
#include "figures/model_points.h"

struct series {
    size_t n;
    double *x, *y, *lo, *hi;
    const char **names;
};

static struct series series_new(struct arena *a, size_t n)
{
    return (struct series){.x = arena_calloc(a, n + 1, sizeof(double)), .y = arena_calloc(a, n + 1, sizeof(double)),
                           .lo = arena_calloc(a, n + 1, sizeof(double)), .hi = arena_calloc(a, n + 1, sizeof(double)),
                           .names = arena_calloc(a, n + 1, sizeof(const char *))};
}

/* NULL: of all groups. */
static void add_series(struct arena *a, struct chart *chart, const char *name, const struct model_point *p, size_t n,
                       const struct sv *group)
{
    struct series s = series_new(a, n);
    for (size_t i = 0; i < n; i++) {
        if (!group || sv_cmp(p[i].group, *group) == 0) {
            s.x[s.n] = p[i].x;
            s.y[s.n] = p[i].y;
            s.lo[s.n] = p[i].lo;
            s.hi[s.n] = p[i].hi;
            s.names[s.n++] = p[i].name;
        }
    }
    chart_points(chart, name, s.n, s.x, s.y, s.names);
    chart_intervals(chart, s.n, s.lo, s.hi);
}

void model_points_one(struct arena *a, struct chart *chart, const char *name, const struct model_point *p, size_t n)
{
    add_series(a, chart, name, p, n, NULL);
}

void model_points_add(struct arena *a, struct chart *chart, const struct model_point *p, size_t n, size_t most,
                      const char *nameless)
{
    struct sv *found = arena_calloc(a, most + 1, sizeof *found);
    size_t groups = 0;
    for (size_t i = 0; i < n && groups <= most; i++) {
        size_t at = 0;
        while (at < groups && sv_cmp(found[at], p[i].group) != 0) {
            at++;
        }
        if (at == groups) {
            found[groups++] = p[i].group;
        }
    }
    if (groups < 2 || groups > most) {
        add_series(a, chart, "Models", p, n, NULL);
        return;
    }
    for (size_t i = 0; i < groups; i++) {
        add_series(a, chart, found[i].n ? arena_cstr(a, found[i]) : nameless, p, n, &found[i]);
    }
}
