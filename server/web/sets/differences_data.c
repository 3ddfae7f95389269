/* differences_data.c - differences as people and scripts read them. */
#include "web/sets/differences_data.h"

#include <math.h>

#include "web/core/page_data.h"
#include "web/core/records.h"
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

struct side {
    double mean;
    size_t n;
};
static RECORD(side_record, struct side, "statistic_mean", "The mean of a statistic.",
              {"mean", RECORD_OF(struct side, mean), .maybe = true, .about = "In the statistic's unit; null: no images."},
              {"n", RECORD_OF(struct side, n), .about = "Images of which it is known."});

struct difference_face {
    struct side original, fresh;
    struct standardised d;
    const char *text;
};
#define OF(member) RECORD_OF(struct difference_face, member)
#define PART(member) RECORD_PART(struct difference_face, member)
#define IF_KNOWN RECORD_IF(struct difference_face, d.known)
RECORD(difference_record, struct difference_face, "difference", "How a statistic of the new set differs from that of the originals.",
       {"original", PART(original), .of = &side_record, .about = "The originals."},
       {"new", PART(fresh), .of = &side_record, .about = "The new set."},
       {"d", OF(d.d), IF_KNOWN, .about = "New set minus originals in standard deviations; null: not known."},
       {"lo", OF(d.lo), IF_KNOWN, .about = "Lower bound of its interval, 95 %."},
       {"hi", OF(d.hi), IF_KNOWN, .about = "Upper bound."},
       {"text", OF(text), .about = "The same for people; empty: not known."});
#undef OF
#undef PART
#undef IF_KNOWN

static struct side side_of(enum difference_stat stat, const struct moments *m)
{
    return (struct side){m->n ? difference_natural(stat, m->mean) : (double)NAN, m->n};
}

/* Rounded first, so that none is "-0.00". */
static const char *two_digits(struct arena *a, double x)
{
    return data_minus(a, arena_printf(a, "%.2f", round(x * 100) / 100 + 0.0));
}

json_t *differences_json(struct arena *a, enum difference_stat stat, const struct difference *d)
{
    const struct standardised *s = &d->d;
    const struct difference_face face = {side_of(stat, &d->original), side_of(stat, &d->fresh), *s,
                                         s->known ? arena_printf(a, "%s (%s to %s)", two_digits(a, s->d),
                                                                 two_digits(a, s->lo), two_digits(a, s->hi))
                                                  : ""};
    return record_json(&difference_record, &face);
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
