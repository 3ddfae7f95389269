/* bias.c - how much harder a set is than its originals because it was chosen by noisy
 * frequencies, and what other people said who measured it again. Rows in routes.c;
 * templates/sets/bias.mustache. */
#include "json/object.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/parts/bias_data.h"
#include "web/parts/set_data.h"

static const char *share(struct arena *a, double x)
{
    return arena_printf(a, "%.3f", x);
}

/* A line of the table. Means below 0 are not known. */
struct row {
    const char *label, *kind, *n;
    double chosen, others,
        original; /* set over the answers that chose it, over others; originals */
    const struct bias_estimate *difference;
};
#define NONE "\u2013"

static const char *mean(struct arena *a, double x)
{
    return x < 0 ? NONE : share(a, x);
}

static void add_row(struct arena *a, json_t *rows, const struct row *r)
{
    const struct bias_estimate *e = r->difference;
    if (!e->known) {
        return;
    }
    const char *interval = bias_interval(a, e);
    object_add(rows, field_text("label", r->label), field_text("kind", r->kind),
               field_text("n", r->n), field_text("chosen", mean(a, r->chosen)),
               field_text("others", mean(a, r->others)),
               field_text("original", mean(a, r->original)), field_text("value", bias_value(a, e)),
               field_text("interval", interval[0] ? interval : "too few workers for one"),
               field_bool("apart", e->interval && (e->lo > 0 || e->hi < 0)));
}

static void add_designs(struct arena *a, json_t *rows, const struct matching_bias *f)
{
    for (size_t i = 0; i < f->n_at; i++) {
        const struct bias_at *d = &f->at[i];
        const struct row r = {arena_printf(a, "Chosen by %u answers", d->n),
                              "measured",
                              data_count(a, (int64_t)d->held_out),
                              d->kept,
                              d->held,
                              d->original,
                              &d->bias};
        add_row(a, rows, &r);
    }
}

/* What needs least to be believed first. */
static json_t *rows_json(struct arena *a, const struct set_bias *b)
{
    const struct matching_bias *f = &b->first;
    const struct set_bias_again *g = &b->again;
    const struct row again = {"Measured again", "measured",     data_count(a, (int64_t)g->votes),
                              g->first_set,     g->now.raw_set, g->now.raw_original,
                              &g->now.raw};
    const struct row all = {arena_printf(a, "Chosen by all %u", f->answers),
                            "estimated",
                            NONE,
                            f->raw_set,
                            -1,
                            f->raw_original,
                            &f->estimated};
    const struct row raw = {"Raw averages",  "not corrected", NONE, f->raw_set, -1,
                            f->raw_original, &f->raw};
    json_t *rows = json_array();
    add_row(a, rows, &again);
    add_row(a, rows, &all);
    add_designs(a, rows, f);
    add_row(a, rows, &raw);
    return rows;
}

static void add_tile(struct arena *a, json_t *tiles, const char *label,
                     const struct bias_estimate *e)
{
    if (e->known) {
        const char *interval = bias_interval(a, e);
        data_tile(tiles, label, bias_value(a, e), interval[0] ? interval : "no interval");
    }
}

static json_t *tiles_json(struct arena *a, const struct set_bias *b)
{
    json_t *tiles = json_array();
    add_tile(a, tiles, "Measured again", &b->again.now.raw);
    add_tile(a, tiles,
             b->first.kept + b->first.removed ? "Estimated from votes and review"
                                              : "Estimated from votes",
             &b->first.estimated);
    add_tile(a, tiles, "Raw averages", &b->first.raw);
    return tiles;
}

static const char *people(struct arena *a, int64_t n)
{
    return n == 1 ? "1 person" : arena_printf(a, "%s people", data_count(a, n));
}

/* null when nobody was asked again. `any`: there are answers. */
static json_t *again_json(struct arena *a, const struct set_bias_again *g)
{
    if (g->n_campaigns == 0) {
        return json_null();
    }
    json_t *names = json_array();
    for (size_t i = 0; i < g->n_campaigns; i++) {
        object_add(
            names, field_sv("name", g->campaigns[i]),
            field_text("url", arena_printf(a, "/campaigns/" SV_FMT, SV_ARG(g->campaigns[i]))));
    }
    const char *left =
        g->people_met
            ? arena_printf(a,
                           "Left out: %s votes of %s who had been shown images of the first "
                           "campaigns.",
                           data_count(a, (int64_t)g->votes_met), people(a, (int64_t)g->people_met))
            : NULL;
    return object(
        field_json("campaigns", names), field_bool("any", g->now.raw.known),
        field_text("set", share(a, g->now.raw_set)),
        field_text("original", share(a, g->now.raw_original)),
        field_text("first_set", share(a, g->first_set)),
        field_text("first_original", share(a, g->first_original)),
        field_text("text",
                   arena_printf(a, "%s images of the set, %s originals, %s votes of %s",
                                data_count(a, (int64_t)g->now.images),
                                data_count(a, (int64_t)g->now.originals),
                                data_count(a, (int64_t)g->votes), people(a, g->now.workers))),
        field_text("left_out", left));
}

/* Which figure to use, and what it does not know. */
static json_t *leading_json(struct arena *a, const struct set_bias *b)
{
    const struct bias_leading l = set_bias_leading(b);
    const char *text = l.method == BIAS_NONE ? "There is no figure to use."
                                             : arena_printf(a, "The figure to use: %s, %s.",
                                                            bias_value(a, &l.estimate), l.words);
    return object(field_text("text", text), field_text("why_not", l.why_not));
}

/* What is known of the final review; NULL: there was none. */
static const char *review_text(struct arena *a, const struct set_bias *b)
{
    const struct matching_bias *f = &b->first;
    if (f->kept + f->removed == 0) {
        return NULL;
    }
    return arena_printf(
        a,
        "The reviewers saw the images, so they knew more than the answers say: %s removed, %s of "
        "the set kept, %s not reviewed. %s%s",
        data_count(a, (int64_t)f->removed), data_count(a, (int64_t)f->kept),
        data_count(a, (int64_t)f->unseen),
        b->review.assumed
            ? "No class is recorded as reviewed: all images of earlier revisions count "
              "as looked at. "
            : "",
        "The estimate treats the chance of being removed as a curve of the true frequency, which is the same in all "
        "classes. Measuring again makes no such assumption.");
}

/* GET /sets/:set/:revision/bias */
enum err_code page_bias(struct ctx *c)
{
    struct revision_row r;
    struct set_bias b;
    struct arena *a = c->arena;
    if (set_asked(c, &r) != OK || bias_get(c, &r, &b) != OK) {
        return c->err.code;
    }
    const char *title = set_title(a, &r), *url = set_url(a, &r);
    const struct matching_bias *f = &b.first;
    const struct chart_ask ask = {.set = sv_of(title)};
    json_t *chart = charts_data(c, "set-bias", &ask);
    if (!chart) {
        return c->err.code;
    }
    bool frozen = r.state == REVISION_FROZEN || r.state == REVISION_RELEASED;
    json_t *page = object(
        field_text("name", title), field_text("url", url),
        field_text("json_url", arena_printf(a, "/api/v1%s/bias", url)),
        field_bool("any", f->raw.known || b.again.now.raw.known),
        field_text(
            "text",
            arena_printf(a, "%s images, %s originals, %s candidates, %u answers each of %s",
                         data_count(a, (int64_t)f->images), data_count(a, (int64_t)f->originals),
                         data_count(a, (int64_t)f->pool), f->answers, people(a, f->workers))),
        field_text("of",
                   arena_printf(a,
                                "View " SV_FMT
                                " up to event %s; %u groups of workers, seed %llu; holdout %s",
                                SV_ARG(b.view), data_count(a, b.as_of), f->groups,
                                (unsigned long long)b.seed, HOLDOUT_VERSION)),
        field_json("leading", leading_json(a, &b)), field_json("tiles", tiles_json(a, &b)),
        field_json("rows", rows_json(a, &b)), field_json("chart", chart),
        field_json("again", again_json(a, &b.again)),
        field_text("no_designs", set_bias_no_designs(&b)), field_text("review", review_text(a, &b)),
        field_bool("frozen", frozen));
    return reply_page(c, 200, "sets/bias", arena_printf(a, "Matching bias: %s", title), page);
}

/* GET /api/v1/sets/:set/:revision/bias */
enum err_code api_bias(struct ctx *c)
{
    struct revision_row r;
    struct set_bias b;
    if (set_asked(c, &r) != OK || bias_get(c, &r, &b) != OK) {
        return c->err.code;
    }
    return reply_json(c, 200, set_bias_json(&b));
}
