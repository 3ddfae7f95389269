/* bias_data.c - figures about a set, kept while nothing happens, and their chart. */
#include "web/bias_data.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "web/set_data.h"

enum { KEPT_MOST = 4, TEXTS_MOST = 1 << 20 };

struct kept {
    int64_t revision, event; /* of which, as of when; 0: nothing */
    struct set_bias bias;    /* texts in the arena */
    struct arena arena;
};
struct bias_kept {
    pthread_mutex_t lock; /* held while figures are made: who waited finds them */
    struct kept slots[KEPT_MOST];
    unsigned next; /* the oldest */
};

struct bias_kept *bias_kept_new(void)
{
    struct bias_kept *k = xcalloc(1, sizeof *k);
    pthread_mutex_init(&k->lock, NULL);
    for (int i = 0; i < KEPT_MOST; i++) {
        arena_init(&k->slots[i].arena, TEXTS_MOST);
    }
    return k;
}

void bias_kept_free(struct bias_kept *k)
{
    for (int i = 0; k && i < KEPT_MOST; i++) {
        arena_release(&k->slots[i].arena);
    }
    if (k) {
        pthread_mutex_destroy(&k->lock);
    }
    free(k);
}

/* What pages show lives as long as the request. The revision is the request's own. */
static void copy(const struct kept *from, const struct revision_row *r, struct arena *a,
                 struct set_bias *out)
{
    *out = from->bias;
    out->revision = *r;
    out->view = arena_sv(a, from->bias.view);
    out->again.campaigns = arena_calloc(a, out->again.n_campaigns + 1, sizeof(struct sv));
    for (size_t i = 0; i < out->again.n_campaigns; i++) {
        out->again.campaigns[i] = arena_sv(a, from->bias.again.campaigns[i]);
    }
}

static enum err_code make(struct ctx *c, const struct revision_row *r, int64_t event,
                          struct kept *slot)
{
    const struct set_bias_ask ask = {.hide = c->config->flags_to_quarantine};
    arena_clear(&slot->arena);
    slot->revision = 0;
    enum err_code rc = set_bias_make(c->db, app_tally(c->app), sv_of(set_title(c->arena, r)), &ask,
                                     &slot->arena, &slot->bias, &c->err);
    if (rc == OK) {
        slot->revision = r->id;
        slot->event = event;
    }
    return rc;
}

enum err_code bias_get(struct ctx *c, const struct revision_row *r, struct set_bias *out)
{
    struct bias_kept *k = app_bias_kept(c->app);
    struct tally_totals totals;
    enum err_code rc = OK;
    int i = 0;
    tally_read_lock(app_tally(c->app));
    tally_totals(app_tally(c->app), &totals);
    tally_read_unlock(app_tally(c->app));
    pthread_mutex_lock(&k->lock);
    while (i < KEPT_MOST && (k->slots[i].revision != r->id || k->slots[i].event != totals.cursor)) {
        i++;
    }
    if (i == KEPT_MOST) {
        i = (int)(k->next++ % KEPT_MOST);
        rc = make(c, r, totals.cursor, &k->slots[i]);
    }
    if (rc == OK) {
        copy(&k->slots[i], r, c->arena, out);
    }
    pthread_mutex_unlock(&k->lock);
    return rc;
}

/* ---- words ---- */

static double rounded(double x)
{
    return round(x * 1000) / 1000 + 0.0;
}

const char *bias_value(struct arena *a, const struct bias_estimate *e)
{
    return e->known ? arena_printf(a, "%+.3f", rounded(e->value)) : "";
}

const char *bias_interval(struct arena *a, const struct bias_estimate *e)
{
    return e->known && e->interval
               ? arena_printf(a, "%+.3f to %+.3f", rounded(e->lo), rounded(e->hi))
               : "";
}

/* ---- the chart ---- */

/* One series of one figure, beside the others at the same number of answers. */
static void add_point(struct chart *chart, const char *name, double x,
                      const struct bias_estimate *e)
{
    if (!e->known) {
        return;
    }
    double lo = e->interval ? e->lo : NAN, hi = e->interval ? e->hi : NAN;
    chart_points(chart, name, 1, &x, &e->value, NULL);
    chart_intervals(chart, 1, &lo, &hi);
}

static void add_designs(struct chart *chart, const struct matching_bias *f)
{
    double x[BIAS_DESIGNS_MOST], y[BIAS_DESIGNS_MOST], lo[BIAS_DESIGNS_MOST], hi[BIAS_DESIGNS_MOST];
    for (size_t i = 0; i < f->n_at; i++) {
        const struct bias_estimate *e = &f->at[i].bias;
        x[i] = f->at[i].n;
        y[i] = e->value;
        lo[i] = e->interval ? e->lo : NAN;
        hi[i] = e->interval ? e->hi : NAN;
    }
    if (f->n_at) {
        chart_points(chart, "held out", f->n_at, x, y, NULL);
        chart_intervals(chart, f->n_at, lo, hi);
    }
}

enum err_code chart_set_bias(struct ctx *c, const struct chart_ask *ask, struct chart **out)
{
    struct revision_row r;
    struct set_bias b;
    if (revisions_find(c->db, ask->set, c->arena, &r, &c->err) != OK || bias_get(c, &r, &b) != OK) {
        return c->err.code;
    }
    const struct matching_bias *f = &b.first;
    double n = f->answers, least = f->n_at ? f->at[0].n : n;
    struct chart_options o = {
        .title = "Bias by the number of answers that chose the images",
        .description =
            "Mean frequency of the set less that of the originals, as answers say that "
            "had no part in the choice, with 95 % intervals. Below 0: the set is harder.",
        .empty = f->raw.known ? NULL : "No class has answers about both sides.",
        .x = {.label = "Answers an image was chosen by",
              .form = CHART_NUMBER,
              .lo = least - 0.5,
              .hi = n + 1},
        .y = {.label = "Set less originals", .form = CHART_NUMBER},
    };
    *out = chart_new(c->arena, &o);
    if (f->raw.known) {
        add_designs(*out, f);
        add_point(*out, "extrapolated", n, &f->held_out);
        add_point(*out, "beta-binomial", n + 0.15, &f->corrected);
        add_point(*out, "raw averages", n + 0.3, &f->raw);
        add_point(*out, "measured again", n + 0.45, &b.again.now.raw);
        chart_rule(*out, true, 0, "as hard as the originals");
    }
    return OK;
}
