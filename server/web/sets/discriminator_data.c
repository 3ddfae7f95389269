/* discriminator_data.c - which result is meant, and its scores as bars. */
#include "web/sets/discriminator_data.h"

#include "store/sets/sets.h"
#include "web/core/page_data.h"
#include "web/parts/set_data.h"
#include "web/sets/differences_data.h"

/* Scores are in units of their usual distance from 0: hardly any are beyond this. */
#define REACH 2.4

static const struct discriminator_name *find_name(const struct discriminator_asked *d, int64_t original, struct sv features)
{
    for (size_t i = 0; i < d->n_list; i++) {
        if ((original == 0 || d->list[i].original_id == original) && (features.n == 0 || sv_eq(d->list[i].features, features))) {
            return &d->list[i];
        }
    }
    return NULL;
}

static enum err_code choose(struct ctx *c, struct sv original, struct sv features, struct discriminator_asked *out)
{
    struct revision_row named = {.id = 0};
    enum err_code rc = original.n ? revisions_find(c->db, original, c->arena, &named, &c->err) : OK;
    const struct discriminator_name *name = rc == OK ? find_name(out, named.id, features) : NULL;
    out->features = features.n ? features : name ? name->features : SV(DISCRIMINATOR_STATISTICS);
    out->original = named;
    if (rc == OK && !named.id) {
        rc = name ? revisions_get(c->db, name->original_id, c->arena, &out->original, &c->err)
                  : differences_original(c, SV(""), &out->original);
    }
    return rc;
}

enum err_code discriminator_load(struct ctx *c, const struct revision_row *fresh, struct sv original, struct sv features,
                                 struct discriminator_asked *out)
{
    struct err none = {0};
    *out = (struct discriminator_asked){.fresh = *fresh};
    enum err_code rc = revision_may_be_scored(fresh, &c->err);
    rc = rc == OK ? discriminator_list(app_dir(c->app), fresh->id, c->arena, &out->list, &out->n_list, &c->err) : rc;
    rc = rc == OK ? choose(c, original, features, out) : rc;
    if (rc == OK && (!out->original.id || out->original.id == fresh->id)) {
        rc = err_rule(&c->err, ERR_INPUT, "discriminator-set",
                      "%s has no set of originals to be told apart from: name another one as original.", set_title(c->arena, fresh));
    }
    rc = rc == OK ? revision_may_be_scored(&out->original, &c->err) : rc;
    if (rc == OK) {
        out->found = discriminator_read(app_dir(c->app), fresh, &out->original, out->features, c->arena, &out->is, &none) == OK;
    }
    return rc;
}

/* ---- the chart ---- */

static struct chart *draw(struct ctx *c, const struct discriminator_asked *d)
{
    double fresh[DISCRIMINATOR_BARS], original[DISCRIMINATOR_BARS];
    const char *names[DISCRIMINATOR_BARS];
    discriminator_bars(&d->is, REACH, fresh, original);
    for (int i = 0; i < DISCRIMINATOR_BARS; i++) {
        double middle = REACH * (2 * (i + 0.5) / DISCRIMINATOR_BARS - 1);
        names[i] = data_minus(c->arena, arena_printf(c->arena, "%.2f", middle));
    }
    struct chart_options o = {
        .title = "Held-out scores",
        .description = "Images by the score of a model that was made without them and without other images of their uploaders and "
                       "sources. Right of the line images are said to be new, left of it to be originals.",
        .empty = d->found ? NULL : "Nothing has been computed yet.",
        .x = {.label = "Score", .names = names, .n_names = DISCRIMINATOR_BARS},
        .y = {.label = "Images", .form = CHART_COUNT},
    };
    struct chart *chart = chart_new(c->arena, &o);
    if (d->found) {
        chart_bars(chart, set_title(c->arena, &d->original), DISCRIMINATOR_BARS, original);
        chart_bars(chart, set_title(c->arena, &d->fresh), DISCRIMINATOR_BARS, fresh);
        chart_rule(chart, false, DISCRIMINATOR_BARS / 2 - 0.5, "undecided");
    }
    return chart;
}

enum err_code chart_set_discriminator(struct ctx *c, const struct chart_ask *ask, struct chart **out)
{
    struct revision_row fresh;
    struct discriminator_asked d;
    if (revisions_find(c->db, ask->set, c->arena, &fresh, &c->err) != OK ||
        discriminator_load(c, &fresh, ask->original, ask->model, &d) != OK) {
        return c->err.code;
    }
    *out = draw(c, &d);
    return OK;
}
