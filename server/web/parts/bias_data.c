/* bias_data.c - figures about a set, kept while nothing happens, and their chart. */
#include "web/parts/bias_data.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "web/core/page_data.h"
#include "web/parts/set_data.h"

enum { KEPT_MOST = 4, TEXTS_MOST = 1 << 20, VOTES_AT_ONCE = 100000 };

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
    const struct set_bias_ask ask = {.flags_to_quarantine = c->config->flags_to_quarantine};
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

/* What is kept of the revision; NULL. */
static const struct kept *find_kept(const struct bias_kept *k, int64_t revision)
{
    const struct kept *found = NULL;
    for (int i = 0; i < KEPT_MOST; i++) {
        const struct kept *s = &k->slots[i];
        if (s->revision == revision && (!found || s->event > found->event)) {
            found = s;
        }
    }
    return found;
}

bool bias_at_hand(struct ctx *c, const struct revision_row *r, bool make, struct bias_leading *out)
{
    struct bias_kept *k = app_bias_kept(c->app);
    struct tally_totals totals;
    struct set_bias made;
    tally_read_lock(app_tally(c->app));
    tally_totals(app_tally(c->app), &totals);
    tally_read_unlock(app_tally(c->app));
    if (make && totals.votes <= VOTES_AT_ONCE && bias_get(c, r, &made) == OK) {
        *out = set_bias_leading(&made);
        return true;
    }
    err_clear(&c->err);
    pthread_mutex_lock(&k->lock);
    const struct kept *s = find_kept(k, r->id);
    if (s) {
        *out = set_bias_leading(&s->bias);
    }
    pthread_mutex_unlock(&k->lock);
    return s != NULL;
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
