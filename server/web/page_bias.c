/* page_bias.c - how much harder a set is than its originals because it was chosen by noisy
 * frequencies, and what other people said who measured it again. Rows in routes.c;
 * templates/sets/bias.mustache. */
#include "web/bias_data.h"
#include "web/page_data.h"
#include "web/pages.h"
#include "web/reply.h"
#include "web/set_data.h"

static void add_row(struct arena *a, json_t *rows, const char *label, const char *hint,
                    const struct bias_estimate *e)
{
    if (!e->known) {
        return;
    }
    const char *interval = bias_interval(a, e);
    json_array_append_new(rows, json_pack("{s:s, s:s, s:s, s:s, s:b}", "label", label, "hint", hint,
                                          "value", bias_value(a, e), "interval",
                                          interval[0] ? interval : "one worker: no interval",
                                          "apart", e->interval && (e->lo > 0 || e->hi < 0)));
}

/* The figures from the least to the most that they know. */
static json_t *rows_json(struct arena *a, const struct set_bias *b)
{
    const struct matching_bias *f = &b->first;
    json_t *rows = json_array();
    add_row(a, rows, "Raw averages",
            "The same answers chose the images and measure them: noise has made both sides alike.",
            &f->raw);
    for (size_t i = 0; i < f->n_at; i++) {
        add_row(a, rows, arena_printf(a, "Chosen by %u answers", f->at[i].n),
                arena_printf(a,
                             "Measured on %s held-out answers. The bias of a noisier design than "
                             "the set's own.",
                             data_count(a, (int64_t)f->at[i].held_out)),
                &f->at[i].bias);
    }
    add_row(
        a, rows, arena_printf(a, "Held out, extrapolated to %u", f->answers),
        "What these designs lose of their lead over the pool, for the set's own number of answers.",
        &f->held_out);
    add_row(a, rows, "Beta-binomial",
            "True frequencies of each class taken as beta distributed, in the pool and among the "
            "originals.",
            &f->corrected);
    add_row(a, rows, "Measured again", "By other people, after the set was frozen.",
            &b->again.now.raw);
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
    add_tile(a, tiles, "Raw averages", &b->first.raw);
    add_tile(a, tiles, "Held out, extrapolated", &b->first.held_out);
    add_tile(a, tiles, "Beta-binomial", &b->first.corrected);
    add_tile(a, tiles, "Measured again", &b->again.now.raw);
    return tiles;
}

static const char *share(struct arena *a, double x)
{
    return arena_printf(a, "%.3f", x);
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
        json_array_append_new(
            names, json_pack("{s:o, s:s}", "name", data_text(g->campaigns[i]), "url",
                             arena_printf(a, "/campaigns/" SV_FMT, SV_ARG(g->campaigns[i]))));
    }
    const char *left =
        g->people_met
            ? arena_printf(a,
                           "Left out: %s votes of %s who had been shown images of the first "
                           "campaigns.",
                           data_count(a, (int64_t)g->votes_met), people(a, (int64_t)g->people_met))
            : NULL;
    return json_pack("{s:o, s:b, s:s, s:s, s:s, s:s, s:s, s:s?}", "campaigns", names, "any",
                     g->now.raw.known, "set", share(a, g->now.raw_set), "original",
                     share(a, g->now.raw_original), "first_set", share(a, g->first_set),
                     "first_original", share(a, g->first_original), "text",
                     arena_printf(a, "%s images of the set, %s originals, %s votes of %s",
                                  data_count(a, (int64_t)g->now.images),
                                  data_count(a, (int64_t)g->now.originals),
                                  data_count(a, (int64_t)g->votes), people(a, g->now.workers)),
                     "left_out", left);
}

/* Why the designs are missing; NULL when they are there. */
static const char *no_designs(const struct set_bias *b)
{
    if (b->first.n_at) {
        return NULL;
    }
    if (b->strategy == SAMPLE_KEYWORD) {
        return "The set was chosen by keywords, not by frequencies: noise has not favoured its "
               "images, and the raw averages are what they seem.";
    }
    if (b->strategy == SAMPLE_STRATEGIES) {
        return "The revision does not say how it was sampled, so that it cannot be repeated with "
               "fewer answers. The beta-binomial holds only if these answers chose it.";
    }
    return "Images have one answer each: none can be held out.";
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
    json_t *page = json_pack(
        "{s:s, s:s, s:s, s:b, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:s?, s:b}", "name", title, "url",
        url, "json_url", arena_printf(a, "/api/v1%s/bias", url), "any",
        f->raw.known || b.again.now.raw.known, "text",
        arena_printf(a, "%s images, %s originals, %s candidates, %u answers each of %s",
                     data_count(a, (int64_t)f->images), data_count(a, (int64_t)f->originals),
                     data_count(a, (int64_t)f->pool), f->answers, people(a, f->workers)),
        "of",
        arena_printf(a, "View " SV_FMT " up to event %s; seed 0, %u groups of workers; holdout %s",
                     SV_ARG(b.view), data_count(a, b.as_of), f->groups, HOLDOUT_VERSION),
        "averages",
        arena_printf(a, "set %s, originals %s", share(a, f->raw_set), share(a, f->raw_original)),
        "tiles", tiles_json(a, &b), "rows", rows_json(a, &b), "chart", chart, "again",
        again_json(a, &b.again), "no_designs", no_designs(&b), "frozen", frozen);
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
