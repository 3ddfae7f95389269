/* grid_data.c - one grid as data. */
#include "web/campaigns/grid_data.h"

#include "base/clock.h"
#include "base/str.h"
#include "json/object.h"
#include "view/people_texts.h"
#include "web/core/page_data.h"

enum { DEVICE_SHOWN = 16, DEVICE_NUMBERS = 4 };

enum err_code grid_view_load(struct ctx *c, int64_t grid, struct grid_view *out)
{
    if (agreement_grid(c->db, grid, c->arena, &out->grid, &c->err) != OK ||
        campaigns_get(c->db, out->grid.campaign, c->arena, &out->campaign, &c->err) != OK) {
        return c->err.code;
    }
    return agreement_lent(c->db, &out->grid, clock_wall_ms(), c->arena, &out->lent, &out->n_lent,
                       &c->err);
}

const char *grid_url(struct ctx *c, const struct campaign *k, int64_t grid)
{
    return arena_printf(c->arena, "/campaigns/" SV_FMT "/grids/%lld", SV_ARG(k->name),
                        (long long)grid);
}

static const char *assignment_url(struct ctx *c, const struct campaign *k, int64_t assignment)
{
    return arena_printf(c->arena, "/campaigns/" SV_FMT "/assignments/%lld", SV_ARG(k->name),
                        (long long)assignment);
}

const char *lent_state_name(enum lent_state s)
{
    static const char *const names[] = {"leased", "expired", "stored", "surplus", "out"};
    return names[s];
}

static const char *role_text(enum cell_role role)
{
    static const char *const names[] = {"candidate", "positive control", "negative control",
                                        "gold"};
    return names[role];
}

const char *agreement_controls_text(struct arena *a, const struct agreement *s)
{
    const char *gold = s->gold ? arena_printf(a, "%u/%u gold", s->gold_right, s->gold) : "";
    if (s->control < 0) {
        return s->gold ? gold : "no controls";
    }
    return arena_printf(a, "%.0f\xc2\xa0%% (%u/%u pos, %u/%u neg%s%s)", 100 * s->control,
                        s->pos_right, s->pos, s->neg_right, s->neg, s->gold ? ", " : "", gold);
}

json_t *grid_cell_json(struct ctx *c, const struct grid_view *v, unsigned position)
{
    const struct grid_cell_seen *cell = &v->grid.cells[position];
    const char *base = arena_printf(c->arena, "/images/%lld", (long long)cell->image);
    return object(
        field_int("position", position), field_int("image_id", cell->image),
        field_sv("image", cell->name), field_text("role", role_text(cell->role)),
        field_bool("hidden", app_image_hidden(c->app, cell->image)),
        field_text("thumb_url", cell->pixels ? arena_printf(c->arena, "%s/grid", base) : NULL),
        field_text("view_url", cell->pixels ? arena_printf(c->arena, "%s/view", base) : NULL));
}

json_t *grid_cells_json(struct ctx *c, const struct grid_view *v)
{
    json_t *cells = json_array();
    for (unsigned j = 0; j < v->grid.n; j++) {
        int64_t shown = 0, selected = 0;
        for (size_t i = 0; i < v->n_lent; i++) {
            bool counted = v->lent[i].state == LENT_STORED;
            shown += counted;
            selected += counted && (v->lent[i].mask >> j & 1);
        }
        json_t *cell = grid_cell_json(c, v, j);
        json_object_set_new(cell, "frequency", data_frequency(c->arena, selected, shown));
        json_array_append_new(cells, cell);
    }
    return cells;
}

static json_t *time_json(int64_t ms)
{
    char iso[CLOCK_ISO_SIZE];
    return ms ? json_string(clock_iso(ms, iso)) : json_null();
}

static json_t *seconds_json(int64_t ms)
{
    return ms >= 0 ? json_real((double)ms / 1000) : json_null();
}

static const char *seconds_text(struct arena *a, int64_t ms)
{
    return ms >= 0 ? arena_printf(a, "%.1f s", (double)ms / 1000) : "\xe2\x80\x93";
}

static void add_answer(struct ctx *c, json_t *row, const struct lent *l)
{
    const struct agreement *s = &l->agreement;
    int64_t took = l->at - l->leased_at;
    json_object_set_new(row, "selected", json_integer(s->selected));
    json_object_set_new(
        row, "controls",
        object(field_text("text", agreement_controls_text(c->arena, s)),
               field_json("accuracy", s->control < 0 ? json_null() : json_real(s->control))));
    json_object_set_new(row, "agreement", s->compared ? json_real(s->agreement) : json_null());
    json_object_set_new(row, "relative", s->compared ? json_real(s->relative) : json_null());
    json_object_set_new(row, "seconds", seconds_json(took));
    json_object_set_new(row, "active_seconds", seconds_json(l->active_ms));
    json_object_set_new(
        row, "texts",
        object(field_text("seconds", seconds_text(c->arena, took)),
               field_text("active", seconds_text(c->arena, l->active_ms)),
               field_text("agreement", s->compared
                                           ? arena_printf(c->arena, "%.2f (%s)", s->agreement,
                                                          people_relative(c->arena, s->relative))
                                           : "\xe2\x80\x93")));
}

/* "150 x 150"; NULL for anything but a few whole numbers. */
static const char *numbers_text(struct arena *a, const json_t *list)
{
    const char *text = NULL;
    size_t i;
    json_t *n;
    json_array_foreach(list, i, n) {
        if (!json_is_integer(n) || i >= DEVICE_NUMBERS) {
            return NULL;
        }
        const char *one = arena_printf(a, "%lld", (long long)json_integer_value(n));
        text = text ? arena_printf(a, "%s x %s", text, one) : one;
    }
    return text;
}

/* [{key, value}] of what the browser told about itself. */
static json_t *device_json(struct arena *a, struct sv device)
{
    json_t *list = json_array();
    json_t *object = device.n ? json_loadb(device.p, device.n, 0, NULL) : NULL;
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value) {
        const char *text = json_is_string(value)    ? json_string_value(value)
                           : json_is_integer(value) ? arena_printf(a, "%lld", (long long)
                                                                   json_integer_value(value))
                           : json_is_real(value)    ? arena_printf(a, "%g", json_real_value(value))
                           : json_is_true(value)    ? "yes"
                           : json_is_false(value)   ? "no"
                           : json_is_array(value)   ? numbers_text(a, value)
                                                    : NULL;
        if (text && json_array_size(list) < DEVICE_SHOWN) {
            object_add(list, field_text("key", key), field_text("value", text));
        }
    }
    json_decref(object);
    return list;
}

json_t *grid_lent_json(struct ctx *c, const struct grid_view *v, const struct lent *l)
{
    static const char *const none[] = {"selected", "controls", "agreement", "relative", "seconds",
                                       "active_seconds", "texts"};
    json_t *row = object(
        field_int("id", l->id), field_text("url", assignment_url(c, &v->campaign, l->id)),
        field_sv("who", l->pseudonym),
        field_text("who_url", arena_printf(c->arena, "/workers/" SV_FMT, SV_ARG(l->pseudonym))),
        field_text("state", lent_state_name(l->state)),
        field_json("rule", l->rule.n ? data_text(l->rule) : json_null()),
        field_json("pay", l->answer ? data_text(l->pay) : json_null()),
        field_json("leased_at", time_json(l->leased_at)),
        field_json("submitted_at", time_json(l->at)),
        field_json("device", device_json(c->arena, l->device)),
        field_bool("answered", l->answer != 0));
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        json_object_set_new(row, none[i], json_null());
    }
    if (l->answer) {
        add_answer(c, row, l);
    }
    return row;
}

json_t *grid_summary_json(struct ctx *c, const struct grid_view *v)
{
    double *took = arena_calloc(c->arena, v->n_lent + 1, sizeof *took);
    double control = 0, agreement = 0;
    size_t n = 0;
    bool controls = true;
    for (size_t i = 0; i < v->n_lent; i++) {
        const struct lent *l = &v->lent[i];
        if (l->state == LENT_STORED) {
            took[n++] = (double)(l->at - l->leased_at) / 1000;
            control += l->agreement.control;
            agreement += l->agreement.agreement;
            controls = controls && l->agreement.control >= 0;
        }
    }
    if (n == 0) {
        return json_null();
    }
    struct agreement_spread s = agreement_spread(took, n);
    return object(
        field_count("answers", n),
        field_json("seconds", object(field_real("least", s.least), field_real("most", s.most),
                                     field_real("mean", s.mean), field_real("median", s.median))),
        field_json("control", controls ? json_real(control / (double)n) : json_null()),
        field_json("agreement", n > 1 ? json_real(agreement / (double)n) : json_null()));
}

struct grid_entry *grid_entries(struct ctx *c, int64_t campaign, int64_t after, size_t most,
                                size_t *n, int64_t *next)
{
    struct grid_entry *out = arena_calloc(c->arena, most, sizeof *out);
    struct tally *t = app_tally(c->app);
    *n = 0;
    *next = 0;
    tally_read_lock(t);
    size_t count;
    const struct tally_grid *g = tally_grids(t, &count);
    for (size_t i = 0; i < count; i++) {
        if (g[i].campaign != campaign || g[i].id <= after) {
            continue;
        }
        if (*n == most) {
            *next = out[*n - 1].id;
            break;
        }
        out[(*n)++] = (struct grid_entry){g[i].id, g[i].class, g[i].answers, g[i].n};
    }
    tally_read_unlock(t);
    return out;
}

/* ---- a page of a campaign's grids ---- */

enum { ANSWERS_MOST = 1000 }; /* per grid: a campaign's own most */

static bool is_listed(const struct tally_grid *g, const struct campaign *k, enum grid_filter filter)
{
    bool complete = g->answers >= k->answers_per_grid;
    return g->campaign == k->id && (filter == GRIDS_ALL || complete == (filter == GRIDS_COMPLETE));
}

/* Grids of a lower one come first. */
static size_t bucket_of(const struct tally_grid *g, const struct grids_ask *ask)
{
    size_t answers = g->answers < ANSWERS_MOST ? g->answers : ANSWERS_MOST;
    return ask->sort == GRIDS_BY_NUMBER ? 0 : ask->falling ? ANSWERS_MOST - answers : answers;
}

/* Sorted by counting, so that a page of a million grids costs two looks at each. */
struct grid_entry *grid_page(struct ctx *c, const struct campaign *k, const struct grids_ask *ask,
                             struct list_page *part, size_t *n)
{
    struct tally *t = app_tally(c->app);
    struct grid_entry *out = arena_calloc(c->arena, ask->most, sizeof *out);
    size_t count, all = 0, place[ANSWERS_MOST + 2] = {0}; /* where the next grid of a bucket stands */
    bool backwards = ask->sort == GRIDS_BY_NUMBER && ask->falling;
    *n = 0;
    tally_read_lock(t);
    const struct tally_grid *g = tally_grids(t, &count);
    for (size_t i = 0; i < count; i++) {
        if (is_listed(&g[i], k, ask->filter)) {
            place[bucket_of(&g[i], ask) + 1]++;
            all++;
        }
    }
    for (size_t b = 1; b < sizeof place / sizeof *place; b++) {
        place[b] += place[b - 1];
    }
    *part = list_page_of((int64_t)all, ask->most, ask->page);
    for (size_t i = 0; i < count; i++) {
        if (is_listed(&g[i], k, ask->filter)) {
            size_t at = place[bucket_of(&g[i], ask)]++;
            at = backwards ? all - 1 - at : at;
            if (at >= part->skip && at < part->skip + part->most) {
                out[at - part->skip] = (struct grid_entry){g[i].id, g[i].class, g[i].answers, g[i].n};
                ++*n;
            }
        }
    }
    tally_read_unlock(t);
    return out;
}
