/* bias_data.c - figures about a set, kept while nothing happens, and their chart. */
#include "web/parts/bias_data.h"

#include <math.h>

#include "base/hash.h"
#include "web/core/page_data.h"
#include "web/parts/set_data.h"

enum { KEPT_MOST = 4, TEXTS_MOST = 1 << 20, VOTES_AT_ONCE = 100000 };

struct kept_results *bias_kept_new(void)
{
    return kept_new(sizeof(struct set_bias), KEPT_MOST, TEXTS_MOST);
}

struct asked {
    struct ctx *c;
    const struct revision_row *r;
    struct set_bias *out;
};

static enum err_code make(void *arg, struct arena *a, void *result)
{
    const struct asked *of = arg;
    struct ctx *c = of->c;
    const struct set_bias_ask ask = {.flags_to_quarantine = c->config->flags_to_quarantine};
    return set_bias_make(c->db, app_tally(c->app), sv_of(set_title(c->arena, of->r)), &ask, a, result,
                         &c->err);
}

/* The revision is the request's own. */
static void copy(void *arg, const void *result)
{
    const struct asked *of = arg;
    const struct set_bias *from = result;
    struct set_bias *out = of->out;
    struct arena *a = of->c->arena;
    *out = *from;
    out->revision = *of->r;
    out->view = arena_sv(a, from->view);
    out->again.campaigns = arena_calloc(a, out->again.n_campaigns + 1, sizeof(struct sv));
    for (size_t i = 0; i < out->again.n_campaigns; i++) {
        out->again.campaigns[i] = arena_sv(a, from->again.campaigns[i]);
    }
}

enum err_code bias_get(struct ctx *c, const struct revision_row *r, struct set_bias *out)
{
    static const struct kept_ways ways = {make, copy};
    struct asked of = {c, r, out};
    const uint64_t key[] = {(uint64_t)r->id, (uint64_t)app_totals(c->app).cursor};
    return kept_get(app_bias_kept(c->app), hash_bytes(key, sizeof key), &ways, &of);
}

/* ---- what is at hand ---- */

struct newest { /* that is kept of a revision */
    int64_t revision, event; /* 0: none */
    struct bias_leading *out;
};

static void look(void *arg, const void *result)
{
    struct newest *n = arg;
    const struct set_bias *b = result;
    if (b->revision.id == n->revision && (n->event == 0 || b->as_of > n->event)) {
        n->event = b->as_of;
        *n->out = set_bias_leading(b);
    }
}

bool bias_at_hand(struct ctx *c, const struct revision_row *r, bool make_it, struct bias_leading *out)
{
    struct set_bias made;
    struct newest newest = {r->id, 0, out};
    if (make_it && app_totals(c->app).votes <= VOTES_AT_ONCE && bias_get(c, r, &made) == OK) {
        *out = set_bias_leading(&made);
        return true;
    }
    err_clear(&c->err);
    kept_look(app_bias_kept(c->app), look, &newest);
    return newest.event != 0;
}

/* ---- words ---- */

const char *bias_leading_text(struct arena *a, const struct bias_leading *l)
{
    const char *interval = bias_interval(a, &l->estimate);
    return l->estimate.known ? arena_printf(a, "%s %s%s%s", l->words, bias_value(a, &l->estimate),
                                            *interval ? ", " : "", interval)
                             : "";
}

static const char *figure(struct arena *a, double x)
{
    return data_minus(a, arena_printf(a, "%+.3f", round(x * 1000) / 1000 + 0.0));
}

const char *bias_value(struct arena *a, const struct bias_estimate *e)
{
    return e->known ? figure(a, e->value) : "";
}

const char *bias_interval(struct arena *a, const struct bias_estimate *e)
{
    return e->known && e->interval
               ? arena_printf(a, "%s to %s", figure(a, e->lo), figure(a, e->hi))
               : "";
}

/* ---- the chart ---- */

enum { BARS_MOST = BIAS_DESIGNS_MOST + 4 };

/* Figures side by side, each by its name, in series that tell kinds apart. */
struct bias_chart {
    const char *names[BARS_MOST];
    const struct bias_estimate *of[BARS_MOST];
    size_t n, designs;
};

static void add_figure(struct bias_chart *b, const char *name, const struct bias_estimate *e)
{
    if (e->known) {
        b->names[b->n] = name;
        b->of[b->n++] = e;
    }
}

static void collect(struct arena *a, const struct set_bias *from, struct bias_chart *out)
{
    const struct matching_bias *f = &from->first;
    *out = (struct bias_chart){.n = 0};
    for (size_t i = 0; i < f->n_at; i++) {
        add_figure(out, arena_printf(a, "%u", f->at[i].n), &f->at[i].bias);
    }
    out->designs = out->n;
    add_figure(out, arena_printf(a, "all %u, estimated", f->answers), &f->estimated);
    add_figure(out, "measured again", &from->again.now.raw);
    add_figure(out, "raw averages", &f->raw);
}

static void add_series(struct chart *chart, const char *name, const struct bias_chart *b,
                       size_t from, size_t n)
{
    double x[BARS_MOST], y[BARS_MOST], lo[BARS_MOST], hi[BARS_MOST];
    for (size_t i = 0; i < n; i++) {
        const struct bias_estimate *e = b->of[from + i];
        x[i] = (double)(from + i);
        y[i] = e->value;
        lo[i] = e->interval ? e->lo : NAN;
        hi[i] = e->interval ? e->hi : NAN;
    }
    if (n) {
        chart_points(chart, name, n, x, y, b->names + from);
        chart_intervals(chart, n, lo, hi);
    }
}

enum err_code chart_set_bias(struct ctx *c, const struct chart_ask *ask, struct chart **out)
{
    struct revision_row r;
    struct set_bias b;
    struct bias_chart figures;
    if (revisions_find(c->db, ask->set, c->arena, &r, &c->err) != OK || bias_get(c, &r, &b) != OK) {
        return c->err.code;
    }
    collect(c->arena, &b, &figures);
    struct chart_options o = {
        .title = "Bias by the number of answers that chose the images",
        .description = "Mean frequency of the set minus that of the originals, with 95 % intervals. "
                       "Below 0 the set is harder. Numbers are how many answers chose; the others measured. The "
                       "figure for the set itself, chosen by all of them, is estimated.",
        .empty = figures.n ? NULL : "No class has answers about both sides.",
        .x = {.label = "Answers that chose an image",
              .names = figures.names,
              .n_names = figures.n},
        .y = {.label = "Set minus originals", .form = CHART_NUMBER},
    };
    *out = chart_new(c->arena, &o);
    if (figures.n) {
        add_series(*out, "measured", &figures, 0, figures.designs);
        add_series(*out, "this set", &figures, figures.designs, figures.n - figures.designs);
        chart_rule(*out, true, 0, "as hard as the originals");
    }
    return OK;
}
