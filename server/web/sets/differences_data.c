/* differences_data.c - differences as people and scripts read them. */
#include "web/sets/differences_data.h"

#include <math.h>

#include "json/object.h"
#include "web/core/page_data.h"
#include "web/parts/set_data.h"

enum err_code differences_original(struct ctx *c, struct sv original, struct revision_row *out)
{
    struct set_row *sets;
    size_t n;
    *out = (struct revision_row){.id = 0};
    if (sv_is(original, "all")) {
        return OK;
    }
    if (original.n) {
        return revisions_find(c->db, original, c->arena, out, &c->err);
    }
    enum err_code rc = sets_list(c->db, c->arena, &sets, &n, &c->err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        if (sv_is(sets[i].role, "original") && sets[i].newest) {
            return revisions_get(c->db, sets[i].newest, c->arena, out, &c->err);
        }
    }
    return rc;
}

const char *differences_mean(struct arena *a, enum difference_stat stat, const struct moments *m)
{
    double x = difference_natural(stat, m->mean);
    return stat == DIFFERENCE_PIXELS ? data_count(a, (int64_t)llround(x))
           : stat == DIFFERENCE_YEAR ? arena_printf(a, "%.1f", x)
           : x >= 100                ? arena_printf(a, "%.0f", x)
                                     : arena_printf(a, "%.2f", x);
}

static json_t *side_json(enum difference_stat stat, const struct moments *m)
{
    return object(
        field_json("mean", m->n ? json_real(difference_natural(stat, m->mean)) : json_null()),
        field_count("n", m->n));
}

static json_t *known(const struct standardised *s, double value)
{
    return s->known ? json_real(value) : json_null();
}

/* Rounded first, so that none is "-0.00". */
static const char *two_digits(struct arena *a, double x)
{
    return data_minus(a, arena_printf(a, "%.2f", round(x * 100) / 100 + 0.0));
}

json_t *differences_json(struct arena *a, enum difference_stat stat, const struct difference *d)
{
    const struct standardised *s = &d->d;
    const char *text = s->known ? arena_printf(a, "%s (%s to %s)", two_digits(a, s->d),
                                               two_digits(a, s->lo), two_digits(a, s->hi))
                                : "";
    return object(field_json("original", side_json(stat, &d->original)),
                  field_json("new", side_json(stat, &d->fresh)), field_json("d", known(s, s->d)),
                  field_json("lo", known(s, s->lo)), field_json("hi", known(s, s->hi)),
                  field_text("text", text));
}

/* ---- the chart ---- */

/* But for the year, which stands last: new sets are younger by so much that nothing else would be
 * seen. */
enum { DRAWN = DIFFERENCE_YEAR };

static struct chart *draw(struct ctx *c, const struct differences_asked *d)
{
    double x[DRAWN], y[DRAWN], lo[DRAWN], hi[DRAWN];
    const char *names[DRAWN];
    bool any = false;
    for (int i = 0; i < DRAWN; i++) {
        const struct standardised *s = &d->is.overall[i].d;
        names[i] = difference_words[i].label;
        x[i] = i;
        y[i] = s->known ? s->d : NAN;
        lo[i] = s->known ? s->lo : NAN;
        hi[i] = s->known ? s->hi : NAN;
        any = any || s->known;
    }
    struct chart_options o = {
        .title = "Standardised differences",
        .description = "The new set against the originals, in standard deviations, with 95 % "
                       "intervals. Above 0: more in the new set. Dates are only in the table.",
        .empty = any ? NULL
                     : "Nothing can be compared yet: neither side has two images with statistics.",
        .x = {.label = "Statistic", .names = names, .n_names = DRAWN},
        .y = {.label = "Standard deviations", .form = CHART_NUMBER},
    };
    struct chart *chart = chart_new(c->arena, &o);
    if (any) {
        chart_points(chart, set_title(c->arena, &d->fresh), DRAWN, x, y, names);
        chart_intervals(chart, DRAWN, lo, hi);
        chart_rule(chart, true, 0, "no difference");
    }
    return chart;
}

enum err_code chart_set_differences(struct ctx *c, const struct chart_ask *ask, struct chart **out)
{
    struct differences_asked d;
    if (revisions_find(c->db, ask->set, c->arena, &d.fresh, &c->err) != OK ||
        differences_original(c, ask->original, &d.original) != OK ||
        differences_make(c->db, &d.fresh, &d.original, c->arena, &d.is, &c->err) != OK) {
        return c->err.code;
    }
    *out = draw(c, &d);
    return OK;
}
