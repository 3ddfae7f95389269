/* difficulty.c - the page of what explains the line through models (stats/difficulty.h): all solutions of the pair of sets, the
 * one that an assumed spread stands for, and a simulated world whose truth is known; the same for scripts and as charts.
 * Rows in routes.c; templates/measures/difficulty.mustache. */
#include <math.h>

#include "figures/figures.h"
#include "json/object.h"
#include "web/core/lists.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/records.h"
#include "web/core/reply.h"
#include "web/measures/charts.h"
#include "web/measures/fit_data.h"
#include "web/measures/parts.h"

#define PATH "/measures/difficulty"
enum { SIMULATED_MODELS = 60, IMAGES_LEAST = 100, IMAGES_MOST = 20000, SEED_MOST = 1000000 };

/* ---- what is asked for ---- */

struct difficulty_query {
    struct measures_query m;
    double spread;                                   /* assumed, of the originals */
    double true_spread, true_new_spread, true_shift; /* of the simulated world */
    int64_t images, seed;
};
#define AT(member) .at = offsetof(struct difficulty_query, member)
enum { ASSUMED, TRUE_SPREAD, TRUE_NEW_SPREAD, TRUE_SHIFT, IMAGES, SEED, OWN };
#define OWN_PARAMS                                                                                                     \
    [ASSUMED] = {"spread", LIST_REAL, AT(spread), .most = DIFFICULTY_SPREAD_MOST},                                     \
    [TRUE_SPREAD] = {"true_spread", LIST_REAL, AT(true_spread), .most = DIFFICULTY_SPREAD_MOST},                       \
    [TRUE_NEW_SPREAD] = {"true_new_spread", LIST_REAL, AT(true_new_spread), .most = DIFFICULTY_SPREAD_MOST},           \
    [TRUE_SHIFT] = {"true_shift", LIST_REAL, AT(true_shift), .least = -DIFFICULTY_SPREAD_MOST,                         \
                    .most = DIFFICULTY_SPREAD_MOST},                                                                   \
    [IMAGES] = {"images", LIST_NUMBER, AT(images), .least = IMAGES_LEAST, .most = IMAGES_MOST},                        \
    [SEED] = {"seed", LIST_NUMBER, AT(seed), .most = SEED_MOST}
static const struct list_param params[] = {OWN_PARAMS, MEASURES_PARAMS(struct difficulty_query, m), {"without", LIST_TEXT, AT(m.without)}, {0}};
static const struct list_table table = {params, sizeof(struct difficulty_query), NULL, NULL};
static const struct difficulty_query usual = {.m = {.top = 1, .scale = SHARE_PROBIT},
                                              .spread = 1,
                                              .true_spread = 1,
                                              .true_new_spread = 1,
                                              .true_shift = 0.3,
                                              .images = 10000};

/* Where a chart's address has each of them. */
static const size_t asked_at[OWN] = {[ASSUMED] = offsetof(struct chart_ask, spread),
                                     [TRUE_SPREAD] = offsetof(struct chart_ask, true_spread),
                                     [TRUE_NEW_SPREAD] = offsetof(struct chart_ask, true_new_spread),
                                     [TRUE_SHIFT] = offsetof(struct chart_ask, true_shift),
                                     [IMAGES] = offsetof(struct chart_ask, images),
                                     [SEED] = offsetof(struct chart_ask, seed)};

static void put(struct ctx *c, struct chart_ask *ask, const struct difficulty_query *q, int first, int last)
{
    for (int i = first; i <= last; i++) {
        *(struct sv *)(void *)((char *)ask + asked_at[i]) = list_value_text(c, &params[i], q);
    }
}

static enum err_code get(struct ctx *c, const struct chart_ask *ask, struct difficulty_query *q)
{
    enum err_code rc = OK;
    for (int i = 0; i < OWN && rc == OK; i++) {
        rc = list_value_read(c, &params[i], *(const struct sv *)(const void *)((const char *)ask + asked_at[i]), q);
    }
    return rc;
}

static struct chart_ask pair_ask(struct ctx *c, const struct difficulty_query *q)
{
    struct chart_ask ask = measures_fit_ask(&q->m);
    ask.scale = SV("");
    put(c, &ask, q, ASSUMED, ASSUMED);
    return ask;
}

static struct chart_ask world_ask(struct ctx *c, const struct difficulty_query *q)
{
    struct chart_ask ask = {0};
    put(c, &ask, q, TRUE_SPREAD, SEED);
    return ask;
}

/* ---- the pair of sets ---- */

static enum err_code fit_pair(struct ctx *c, const struct measures_query *asked, struct measures_fit *f)
{
    struct measures_query q = *asked;
    q.scale = SHARE_PROBIT;
    return measures_alike(c) == OK ? measures_fit_make(c, &q, 0, f) : c->err.code;
}

static const char *slope_words(struct ctx *c, const struct line *l)
{
    return arena_printf(c->arena, "slope %s, offset %s, %zu models", data_number(c->arena, l->slope, 3), data_number(c->arena, l->offset, 3), l->n);
}

enum err_code chart_measures_difficulty(struct ctx *c, const struct chart_ask *ask, struct chart **out)
{
    struct difficulty_query q = usual;
    struct measures_fit f;
    struct difficulty_row rows[DIFFICULTY_ROWS], marked = {0};
    enum err_code rc = measures_query_of(c, ask, &q.m);
    rc = rc == OK ? get(c, ask, &q) : rc;
    rc = rc == OK ? fit_pair(c, &q.m, &f) : rc;
    if (rc != OK) {
        return rc;
    }
    const struct line *l = &f.found.line;
    const char *part = subset_title(&f.m.t.subset, &f.m.t.fresh_subset, c->arena);
    const struct figure_text text = {
        .title = f.any ? arena_printf(c->arena, "What explains the line of " SV_FMT " against " SV_FMT, SV_ARG(measures_title(c, &f.m, SIDE_NEW)),
                                      SV_ARG(measures_title(c, &f.m, SIDE_ORIGINAL)))
                       : "What explains the line",
        .description = f.any ? arena_printf(c->arena, "Every spread of the originals with the spread of the new set and the shift that give the same "
                                                      "probit line (%s%s), with 95 %% bands of the line's errors.",
                                            slope_words(c, l), part ? arena_printf(c->arena, "; %s", part) : "")
                             : "Spreads and shifts of difficulty that give the same line.",
        .empty = f.any ? NULL : f.why};
    if (f.any) {
        difficulty_curve(l, rows);
        marked = difficulty_row_of(l, q.spread, "Assumed");
    }
    *out = figure_difficulty(c->arena, &text, rows, f.any ? DIFFICULTY_ROWS : 0, &marked);
    return OK;
}

/* ---- the simulated world ---- */

static bool simulate(const struct difficulty_query *q, struct line *out)
{
    const struct difficulty_world w = {.models = SIMULATED_MODELS,
                                       .images = (size_t)q->images,
                                       .spread_original = q->true_spread,
                                       .spread_new = q->true_new_spread,
                                       .shift = q->true_shift,
                                       .seed = (uint64_t)q->seed};
    return difficulty_simulate(&w, out);
}

static const char too_few[] = "Too few models of this world have an accuracy between 0 and 1: choose a smaller shift or more images.";

enum err_code chart_measures_simulated(struct ctx *c, const struct chart_ask *ask, struct chart **out)
{
    struct difficulty_query q = usual;
    struct difficulty_row rows[DIFFICULTY_ROWS], marked = {0};
    struct line l;
    if (get(c, ask, &q) != OK) {
        return c->err.code;
    }
    bool any = simulate(&q, &l);
    const struct figure_text text = {
        .title = "What explains the line of the simulated world",
        .description = any ? arena_printf(c->arena, "Every solution of the line that %d simulated models have (%s), with 95 %% bands, and what it "
                                                    "says where the true spread of the originals is known.",
                                          SIMULATED_MODELS, slope_words(c, &l))
                           : "Solutions of a simulated line.",
        .empty = any ? NULL : too_few};
    if (any) {
        difficulty_curve(&l, rows);
        marked = difficulty_row_of(&l, q.true_spread, "True spread");
    }
    *out = figure_difficulty(c->arena, &text, rows, any ? DIFFICULTY_ROWS : 0, &marked);
    return OK;
}

/* ---- the page ---- */

static const char *range(struct ctx *c, double lo, double hi)
{
    return isfinite(lo) ? isfinite(hi) ? arena_printf(c->arena, "%s to %s", data_number(c->arena, lo, 2), data_number(c->arena, hi, 2))
                                       : arena_printf(c->arena, "%s or more", data_number(c->arena, lo, 2))
                        : "no solution";
}

/* How sure one of the other two is, where the spread of the originals is as said. */
static void solution_tile(struct ctx *c, json_t *tiles, const char *label, double value, double lo, double hi, const char *truth)
{
    data_tile(tiles, label, data_number(c->arena, value, 2),
              arena_printf(c->arena, "%s%s%s", truth, range(c, lo, hi), isfinite(lo) ? ", 95 %" : ""));
}

static void solution_tiles(struct ctx *c, json_t *tiles, const struct line *l, const char *original, const struct difficulty_row *r,
                           const char *true_spread, const char *true_shift)
{
    data_tile(tiles, "Line, probit", data_number(c->arena, l->slope, 3),
              arena_printf(c->arena, "slope; offset %s, n %zu models", data_number(c->arena, l->offset, 2), l->n));
    data_tile(tiles, "Spread of the originals", data_number(c->arena, r->spread_original, 2), original);
    solution_tile(c, tiles, "Spread of the new set", r->spread_new, r->spread_new_lo, r->spread_new_hi, true_spread);
    solution_tile(c, tiles, "Shift", r->shift, r->shift_lo, r->shift_hi, true_shift);
}

static json_t *pair_tiles(struct ctx *c, const struct difficulty_query *q, const struct line *l)
{
    json_t *tiles = json_array();
    const struct difficulty_row assumed = difficulty_row_of(l, q->spread, "");
    solution_tiles(c, tiles, l, "assumed", &assumed, "if so: ", "if so: ");
    return tiles;
}

static json_t *world_tiles(struct ctx *c, const struct difficulty_query *q, const struct line *l)
{
    json_t *tiles = json_array();
    const struct difficulty_row found = difficulty_row_of(l, q->true_spread, "");
    solution_tiles(c, tiles, l, "known", &found, arena_printf(c->arena, "true %s; ", data_number(c->arena, q->true_new_spread, 2)),
                   arena_printf(c->arena, "true %s; ", data_number(c->arena, q->true_shift, 2)));
    return tiles;
}

/* What a form carries along: everything but its own parameters, `first` to `last` of the own ones, or those of the pair. */
static json_t *keep_json(struct ctx *c, const struct difficulty_query *q, int first, int last)
{
    json_t *keep = json_array();
    for (int i = 0; params[i].name; i++) {
        bool pair = i >= OWN, own = i >= first && i <= last, stays = first == OWN ? !pair || sv_is(sv_of(params[i].name), "top") : !own;
        struct sv text = stays ? list_value_text(c, &params[i], q) : SV("");
        if (text.n && sv_cmp(text, list_value_text(c, &params[i], &usual)) != 0) {
            object_add(keep, field_text("name", params[i].name), field_sv("value", text));
        }
    }
    return keep;
}

static json_t *rows_json(struct ctx *c, const struct line *l, double assumed)
{
    static const double some[] = {0, 0.5, 1, 1.5, 2, 3, 4};
    json_t *rows = json_array();
    bool marked = false;
    for (size_t i = 0; i < sizeof some / sizeof *some || !marked;) {
        bool rest = i == sizeof some / sizeof *some, here = !marked && (rest || assumed <= some[i]);
        double at = here ? assumed : some[i];
        i += here && (rest || assumed < some[i]) ? 0 : 1;
        marked = marked || here;
        const struct difficulty_row r = difficulty_row_of(l, at, "");
        bool any = isfinite(r.spread_new);
        object_add(rows, field_text("original", data_number(c->arena, at, 2)), field_text("fresh", data_number(c->arena, r.spread_new, 2)),
                   field_text("fresh_range", any ? range(c, r.spread_new_lo, r.spread_new_hi) : NULL),
                   field_text("shift", data_number(c->arena, r.shift, 2)), field_text("shift_range", any ? range(c, r.shift_lo, r.shift_hi) : NULL),
                   field_bool("assumed", here));
    }
    return rows;
}

static json_t *own_values(struct ctx *c, const struct difficulty_query *q)
{
    json_t *values = json_object();
    for (int i = 0; i < OWN; i++) {
        json_object_set_new(values, params[i].name, data_text(list_value_text(c, &params[i], q)));
    }
    return values;
}

static enum err_code make_charts(struct ctx *c, const struct difficulty_query *q, json_t **pair, json_t **world)
{
    const struct chart_ask of_pair = pair_ask(c, q), of_world = world_ask(c, q);
    *world = NULL;
    *pair = charts_data(c, "measures-difficulty", &of_pair);
    *world = *pair ? charts_data(c, "measures-simulated", &of_world) : NULL;
    if (!*world) {
        json_decref(*pair);
        return c->err.code;
    }
    return OK;
}

/* GET /measures/difficulty */
enum err_code page_measures_difficulty(struct ctx *c)
{
    struct difficulty_query q;
    struct measures_fit f;
    struct line world;
    json_t *pair_chart, *world_chart;
    enum err_code rc = list_read(c, &table, &usual, &q);
    rc = rc == OK ? fit_pair(c, &q.m, &f) : rc;
    rc = rc == OK ? make_charts(c, &q, &pair_chart, &world_chart) : rc;
    if (rc != OK) {
        return rc;
    }
    struct measures_query line = q.m;
    const struct line *l = &f.found.line;
    bool simulated = simulate(&q, &world);
    json_t *page = object(
        field_json("sections", measures_tabs(c, &line, PATH)),
        field_json("form", measures_form(c, &f.m, PATH, measures_tops_tabs(c, &q.m, PATH), keep_json(c, &q, OWN, OWN))),
        field_bool("any", f.any), field_text("why", f.why), field_sv("old_set", measures_title(c, &f.m, SIDE_ORIGINAL)),
        field_sv("new_set", measures_title(c, &f.m, SIDE_NEW)), field_text("left_out", measures_left_out(c, &f.m)),
        field_text("part", subset_title(&f.m.t.subset, &f.m.t.fresh_subset, c->arena)),
        field_json("values", own_values(c, &q)), field_json("assumed_keep", keep_json(c, &q, ASSUMED, ASSUMED)),
        field_json("world_keep", keep_json(c, &q, TRUE_SPREAD, SEED)),
        field_json("pair", object(field_json("tiles", f.any ? pair_tiles(c, &q, l) : json_array()), field_json("chart", pair_chart),
                                  field_json("rows", f.any ? rows_json(c, l, q.spread) : json_array()))),
        field_json("world", object(field_json("tiles", simulated ? world_tiles(c, &q, &world) : json_array()),
                                   field_bool("simulated", simulated), field_json("chart", world_chart))),
        field_text("fit_url", measures_query_url(c, "/measures/fit", &line)),
        field_text("json_url", list_url(c, &table, "/api/v1" PATH, &usual, &q, false)),
        field_text("csv_url", list_url(c, &table, "/api/v1" PATH ".csv", &usual, &q, false)),
        field_json("live", data_live("jobs,models", list_url(c, &table, PATH, &usual, &q, false))));
    return reply_page(c, 200, "measures/difficulty", "Difficulty", page);
}

/* ---- for scripts ---- */

struct simulated_reply {
    int models;
    int64_t images, seed;
    double spread_original, spread_new, shift, slope, offset;
    bool any;
    struct difficulty_row found;
};
#define OF(member) RECORD_OF(struct simulated_reply, member)
static RECORD(simulated_record, struct simulated_reply, "difficulty_simulated", "A simulated world whose truth is known, and what its line says of it.",
              {"models", OF(models), .about = "Simulated models."},
              {"images", OF(images), .about = "Simulated images of each set."},
              {"seed", OF(seed), .about = "Seed of the draws."},
              {"spread_original", OF(spread_original), .about = "The true spread of the originals."},
              {"spread_new", OF(spread_new), .about = "The true spread of the new set."},
              {"shift", OF(shift), .about = "The true shift."},
              {"slope", OF(slope), .maybe = true, .about = "Slope of the probit line through the simulated models; null: too few have an accuracy between 0 and 1."},
              {"offset", OF(offset), .maybe = true, .about = "Its offset."},
              {"found", RECORD_PART(struct simulated_reply, found), RECORD_IF(struct simulated_reply, any), .maybe = true, .of = &difficulty_row_record,
               .about = "What the line says when the spread of the originals is known."});
#undef OF

struct difficulty_reply {
    struct sv original, fresh, subset, labels, new_labels;
    const char *why;
    int64_t n_models;
    double slope, offset;
    bool any;
    struct difficulty_row assumed, *rows;
    size_t n_rows;
    struct simulated_reply simulated;
};
#define OF(member) RECORD_OF(struct difficulty_reply, member)
RECORD(measures_difficulty_record, struct difficulty_reply, "measures_difficulty",
       "All solutions that explain the probit line through models on a pair of sets, of which the data prefer none, and a simulated world.",
       {"original", OF(original), .maybe = true, .about = "The originals, SET/NUMBER; null: there are none."},
       {"new", OF(fresh), .maybe = true, .about = "The new set, SET/NUMBER; null: there is none."},
       {"subset", OF(subset), .about = "Of the images of both, as in addresses; empty: all."},
       {"labels", OF(labels), .about = "By which label source and rule answers on the originals are right, SOURCE/NUMBER:RULE; empty: the set's own labels."},
       {"new_labels", OF(new_labels), .about = "The same of the new set."},
       {"why", OF(why), .maybe = true, .about = "What a line wants when there is none."},
       {"n_models", OF(n_models), .about = "Models of the line."},
       {"slope", OF(slope), .maybe = true, .about = "Slope of the probit line; null: there is none."},
       {"offset", OF(offset), .maybe = true, .about = "Its offset."},
       {"assumed", RECORD_PART(struct difficulty_reply, assumed), RECORD_IF(struct difficulty_reply, any), .maybe = true, .of = &difficulty_row_record,
        .about = "The solution of the assumed spread."},
       {"solutions", RECORD_ROWS(struct difficulty_reply, rows, n_rows), .of = &difficulty_row_record, .about = "The curve of solutions; none without a line."},
       {"simulated", RECORD_PART(struct difficulty_reply, simulated), .of = &simulated_record, .about = "The simulated world."});
#undef OF

static struct simulated_reply simulated_of(const struct difficulty_query *q)
{
    struct line l = {.slope = (double)NAN, .offset = (double)NAN};
    bool any = simulate(q, &l);
    return (struct simulated_reply){.models = SIMULATED_MODELS,
                                    .images = q->images,
                                    .seed = q->seed,
                                    .spread_original = q->true_spread,
                                    .spread_new = q->true_new_spread,
                                    .shift = q->true_shift,
                                    .slope = any ? l.slope : (double)NAN,
                                    .offset = any ? l.offset : (double)NAN,
                                    .any = any,
                                    .found = any ? difficulty_row_of(&l, q->true_spread, "truth") : (struct difficulty_row){0}};
}

static enum err_code read_asked(struct ctx *c, struct difficulty_query *q, struct measures_fit *f)
{
    enum err_code rc = list_read(c, &table, &usual, q);
    return rc == OK ? fit_pair(c, &q->m, f) : rc;
}

/* GET /api/v1/measures/difficulty */
enum err_code api_measures_difficulty(struct ctx *c)
{
    struct difficulty_query q;
    struct measures_fit f;
    struct difficulty_row rows[DIFFICULTY_ROWS];
    if (read_asked(c, &q, &f) != OK) {
        return c->err.code;
    }
    const struct line *l = &f.found.line;
    struct difficulty_reply r = {.original = measures_title(c, &f.m, SIDE_ORIGINAL),
                                 .fresh = measures_title(c, &f.m, SIDE_NEW),
                                 .subset = f.m.t.subset.name,
                                 .labels = f.m.t.subset.labels.name,
                                 .new_labels = f.m.t.fresh_subset.labels.name,
                                 .why = f.why,
                                 .slope = (double)NAN,
                                 .offset = (double)NAN,
                                 .any = f.any,
                                 .rows = rows,
                                 .simulated = simulated_of(&q)};
    if (f.any) {
        r.n_models = (int64_t)l->n;
        r.slope = l->slope;
        r.offset = l->offset;
        r.assumed = difficulty_row_of(l, q.spread, "assumed");
        difficulty_curve(l, rows);
        r.n_rows = DIFFICULTY_ROWS;
    }
    return reply_json(c, 200, record_json(&measures_difficulty_record, &r));
}

/* GET /api/v1/measures/difficulty.csv, as `holdout difficulty` prints it */
enum err_code api_measures_difficulty_csv(struct ctx *c)
{
    struct difficulty_query q;
    struct measures_fit f;
    struct difficulty_row rows[DIFFICULTY_ROWS + 1];
    if (read_asked(c, &q, &f) != OK) {
        return c->err.code;
    }
    if (f.any) {
        difficulty_curve(&f.found.line, rows);
        rows[DIFFICULTY_ROWS] = difficulty_row_of(&f.found.line, q.spread, "assumed");
    }
    return reply_csv(c, "difficulty.csv", &difficulty_row_record, rows, f.any ? DIFFICULTY_ROWS + 1 : 0);
}
