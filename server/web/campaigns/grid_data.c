/* grid_data.c - one grid as data. */
#include "web/campaigns/grid_data.h"

#include <math.h>

#include "base/clock.h"
#include "base/str.h"
#include "json/object.h"
#include "view/people_texts.h"
#include "web/core/page_data.h"
#include "web/core/records.h"

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

/* ---- cells ---- */

static const char *role_text(enum cell_role role)
{
    static const char *const names[] = {"candidate", "positive control", "negative control",
                                        "gold"};
    return names[role];
}

struct cell_face {
    struct grid_cell_seen cell;
    unsigned position;
    bool hidden;
    const char *role, *thumb, *view;
    json_t *frequency;
};

#define OF(member) RECORD_OF(struct cell_face, member)
static RECORD(cell_record, struct cell_face, "grid_cell", "A cell of a grid.",
              {"position", OF(position), .about = "Position as planned, from 0."},
              {"image_id", OF(cell.image), .about = "The image's number."},
              {"image", OF(cell.name), .about = "The image's name."},
              {"role", OF(role), .about = "candidate, positive control, negative control or gold; of a CLASSIFY task candidate or check."},
              {"hidden", OF(hidden), .about = "Whether the image is in quarantine or taken down."},
              {"thumb_url", OF(thumb), .maybe = true, .about = "The image as in a grid; null: it has no file."},
              {"view_url", OF(view), .maybe = true, .about = "The image in a larger size; null: it has no file."},
              {"frequency", OF(frequency), .maybe = true, .absent = true, .of = &frequency_record,
               .about = "How often the counted answers to this grid selected it."});
#undef OF

static json_t *cell_json(struct ctx *c, const struct grid_view *v, unsigned position, json_t *frequency)
{
    const struct grid_cell_seen *cell = &v->grid.cells[position];
    const char *base = arena_printf(c->arena, "/images/%lld", (long long)cell->image);
    const struct cell_face face = {
        .cell = *cell,
        .position = position,
        .hidden = app_image_hidden(c->app, cell->image),
        .role = v->campaign.classify && cell->role == CELL_GOLD ? "check" : role_text(cell->role),
        .thumb = cell->pixels ? arena_printf(c->arena, "%s/grid", base) : NULL,
        .view = cell->pixels ? arena_printf(c->arena, "%s/view", base) : NULL,
        .frequency = frequency};
    return record_json(&cell_record, &face);
}

json_t *grid_cell_json(struct ctx *c, const struct grid_view *v, unsigned position)
{
    return cell_json(c, v, position, NULL);
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
        bool contains = v->grid.n_options == 0;
        json_array_append_new(cells, cell_json(c, v, j, contains ? data_frequency(c->arena, selected, shown) : NULL));
    }
    return cells;
}

/* ---- options of a CLASSIFY task ---- */

struct option_face {
    struct sv wnid;
    const char *name;
    bool known;
    int64_t ticked, main;
};
#define OF(member) RECORD_OF(struct option_face, member)
static RECORD(task_option_record, struct option_face, "grid_option", "A label that people choose among, of a CLASSIFY task.",
              {"wnid", OF(wnid), .about = "The label's class."}, {"name", OF(name), .about = "As people read it."},
              {"known", OF(known), .about = "Whether its object is known to be there: of a check."},
              {"ticked", OF(ticked), .about = "Counted answers that ticked it."},
              {"main", OF(main), .about = "Counted answers that chose it as the main object's."});
#undef OF

const char *grid_option_name(struct ctx *c, const struct grid_view *v, size_t option)
{
    return data_synset(c->arena, v->grid.options[option].synset, " or ");
}

const char *grid_ticked(struct ctx *c, const struct grid_view *v, uint64_t mask)
{
    const char *text = NULL;
    for (size_t i = 0; i < v->grid.n_options; i++) {
        if (mask >> i & 1) {
            text = text ? arena_printf(c->arena, "%s, %s", text, grid_option_name(c, v, i)) : grid_option_name(c, v, i);
        }
    }
    return text ? text : "none of these";
}

const char *grid_main(struct ctx *c, const struct grid_view *v, const struct lent *l)
{
    return l->main >= 0 && (size_t)l->main < v->grid.n_options ? grid_option_name(c, v, (size_t)l->main) : NULL;
}

/* Of the counted answers to it; *n: how many these are. */
static struct option_face option_face(struct ctx *c, const struct grid_view *v, size_t option, int64_t *n)
{
    struct option_face o = {v->grid.options[option].wnid, grid_option_name(c, v, option), v->grid.known >> option & 1, 0, 0};
    *n = 0;
    for (size_t k = 0; k < v->n_lent; k++) {
        const struct lent *l = &v->lent[k];
        bool counted = l->state == LENT_STORED;
        *n += counted;
        o.ticked += counted && (l->mask >> option & 1);
        o.main += counted && l->main == (int64_t)option;
    }
    return o;
}

json_t *grid_options_json(struct ctx *c, const struct grid_view *v)
{
    json_t *options = json_array();
    for (size_t i = 0; i < v->grid.n_options; i++) {
        int64_t n;
        const struct option_face o = option_face(c, v, i, &n);
        object_add(options, field_text("name", o.name),
                   field_text("url", arena_printf(c->arena, "/classes/" SV_FMT, SV_ARG(o.wnid))),
                   field_bool("known", o.known),
                   field_text("ticked", n ? arena_printf(c->arena, "%lld of %lld", (long long)o.ticked, (long long)n) : NULL),
                   field_int("main", o.main));
    }
    return options;
}

/* wnids of what was ticked, in candidate order. */
static json_t *ticked_json(const struct grid_view *v, uint64_t mask)
{
    json_t *list = json_array();
    for (size_t i = 0; i < v->grid.n_options; i++) {
        if (mask >> i & 1) {
            json_array_append_new(list, json_stringn(v->grid.options[i].wnid.p, v->grid.options[i].wnid.n));
        }
    }
    return list;
}

/* ---- whom it was lent to ---- */

static const char *controls_text(struct arena *a, const struct agreement *s)
{
    const char *gold = s->gold ? arena_printf(a, "%u/%u gold", s->gold_right, s->gold) : "";
    if (s->control < 0) {
        return s->gold ? gold : "no controls";
    }
    return arena_printf(a, "%.0f\xc2\xa0%% (%u/%u pos, %u/%u neg%s%s)", 100 * s->control,
                        s->pos_right, s->pos, s->neg_right, s->neg, s->gold ? ", " : "", gold);
}

const char *grid_controls_text(struct arena *a, const struct grid_view *v, const struct lent *l)
{
    return !v->campaign.classify         ? controls_text(a, &l->agreement)
           : l->agreement.gold == 0      ? "no check"
           : l->agreement.gold_right > 0 ? "right"
                                         : "wrong";
}

static const char *seconds_text(struct arena *a, double seconds)
{
    return isnan(seconds) ? "\xe2\x80\x93" : arena_printf(a, "%.1f s", seconds);
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

struct device_fact {
    const char *key, *value;
};

static RECORD(device_record, struct device_fact, "device_fact", "Something that the browser said of itself.",
              {"key", RECORD_OF(struct device_fact, key), .about = "What it is called."},
              {"value", RECORD_OF(struct device_fact, value), .about = "Its value, as text."});

/* What the browser told about itself. */
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
            const struct device_fact fact = {key, text};
            json_array_append_new(list, record_json(&device_record, &fact));
        }
    }
    json_decref(object);
    return list;
}

struct lent_face {
    struct lent l;
    const char *url, *who_url, *state;
    bool answered;
    double seconds, active; /* NAN: not known */
    json_t *device, *ticked; /* ticked: NULL of CONTAINS, and before an answer */
    struct sv main;
    struct lent_controls {
        const char *text;
        double accuracy;
    } controls;
    struct lent_texts {
        const char *seconds, *active, *agreement;
    } texts;
};

static RECORD(controls_record, struct lent_controls, "answer_controls", "How an answer fits the grid's controls and gold.",
              {"text", RECORD_OF(struct lent_controls, text), .about = "The counts for people."},
              {"accuracy", RECORD_OF(struct lent_controls, accuracy), .maybe = true,
               .about = "Controls answered right, from 0 to 1; null: the grid has none."});
#define OF(member) RECORD_OF(struct lent_texts, member)
static RECORD(texts_record, struct lent_texts, "answer_texts", "Numbers of an answer for people.",
              {"seconds", OF(seconds), .about = "`seconds`."},
              {"active", OF(active), .about = "`active_seconds`."},
              {"agreement", OF(agreement), .about = "`agreement` and `relative`."});
#undef OF
#define OF(member) RECORD_OF(struct lent_face, member)
#define ANSWERED RECORD_IF(struct lent_face, answered)
#define COMPARED RECORD_IF(struct lent_face, l.agreement.compared)
static RECORD(lent_record, struct lent_face, "grid_assignment", "Somebody a grid was lent to, with the answer.",
              {"id", OF(l.id), .about = "The assignment's number."},
              {"url", OF(url), .about = "The address of its page."},
              {"who", OF(l.pseudonym), .about = "The person's pseudonym."},
              {"who_url", OF(who_url), .about = "The address of the person's page."},
              {"state", OF(state), .about = "leased, expired, stored, surplus or out."},
              {"rule", OF(l.rule), .maybe = true, .about = "The reason of the newest decision about the analysis; null: there is none."},
              {"pay", OF(l.pay), ANSWERED, .about = "pending, approved, rejected or bonus; null: no answer."},
              {"leased_at", OF(l.leased_at), RECORD_MOMENT, .maybe = true, .about = "When it was lent."},
              {"submitted_at", OF(l.at), RECORD_MOMENT, .maybe = true, .about = "When it was answered; null: not yet."},
              {"device", OF(device), RECORD_LIST, .of = &device_record, .about = "What the browser said of itself."},
              {"answered", OF(answered), .about = "Whether it was answered."},
              {"selected", OF(l.agreement.selected), ANSWERED, .about = "How many cells were selected; of a CLASSIFY task, labels ticked."},
              {"ticked", OF(ticked), RECORD_TEXTS, .maybe = true,
               .about = "wnids of the labels that were ticked, in candidate order; none: none of these; null: CONTAINS, or no answer."},
              {"main", OF(main), .maybe = true, .about = "wnid of the main object's label; null: none."},
              {"controls", RECORD_PART(struct lent_face, controls), ANSWERED, .of = &controls_record, .about = "Controls answered right."},
              {"agreement", OF(l.agreement.agreement), COMPARED,
               .about = "The chance that somebody else says the same of a cell; null: nobody to compare with."},
              {"relative", OF(l.agreement.relative), COMPARED, .about = "Agreement minus the mean of the grid's counted answers."},
              {"seconds", OF(seconds), .maybe = true, .about = "Seconds from lending to submission."},
              {"active_seconds", OF(active), .maybe = true, .about = "Active seconds; null: not measured."},
              {"texts", RECORD_PART(struct lent_face, texts), ANSWERED, .of = &texts_record, .about = "The same for people."});
#undef OF
#undef ANSWERED
#undef COMPARED

json_t *grid_lent_json(struct ctx *c, const struct grid_view *v, const struct lent *l)
{
    struct arena *a = c->arena;
    const struct agreement *s = &l->agreement;
    bool answered = l->answer != 0;
    struct lent_face face = {
        .l = *l,
        .url = assignment_url(c, &v->campaign, l->id),
        .who_url = people_url(a, l->pseudonym),
        .state = lent_state_name(l->state),
        .answered = answered,
        .seconds = answered && l->at >= l->leased_at ? (double)(l->at - l->leased_at) / 1000 : (double)NAN,
        .active = answered && l->active_ms >= 0 ? (double)l->active_ms / 1000 : (double)NAN,
        .device = device_json(a, l->device),
        .ticked = answered && v->campaign.classify ? ticked_json(v, l->mask) : NULL,
        .main = answered && l->main >= 0 && (size_t)l->main < v->grid.n_options ? v->grid.options[l->main].wnid : SV(""),
        .controls = {grid_controls_text(a, v, l), s->control < 0 ? (double)NAN : s->control}};
    face.texts = (struct lent_texts){
        seconds_text(a, face.seconds), seconds_text(a, face.active),
        s->compared ? arena_printf(a, "%.2f (%s)", s->agreement, people_relative(a, s->relative)) : "\xe2\x80\x93"};
    return record_json(&lent_record, &face);
}

/* ---- all of it ---- */

struct summary_face {
    size_t answers;
    struct agreement_spread seconds;
    double control, agreement; /* NAN: not known */
};

#define OF(member) RECORD_OF(struct agreement_spread, member)
static RECORD(spread_record, struct agreement_spread, "spread", "How values are spread.",
              {"least", OF(least), .about = "The least."},
              {"most", OF(most), .about = "The most."},
              {"mean", OF(mean), .about = "The mean."},
              {"median", OF(median), .about = "The median."});
#undef OF
#define OF(member) RECORD_OF(struct summary_face, member)
static RECORD(summary_record, struct summary_face, "grid_summary", "The counted answers to a grid.",
              {"answers", OF(answers), .about = "Counted answers."},
              {"seconds", RECORD_PART(struct summary_face, seconds), .of = &spread_record, .about = "Seconds from lending to submission."},
              {"control", OF(control), .maybe = true, .about = "Controls answered right, mean from 0 to 1; null: no controls."},
              {"agreement", OF(agreement), .maybe = true, .about = "Mean agreement, from 0 to 1; null: one answer alone."});
#undef OF

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
    const struct summary_face face = {n, agreement_spread(took, n), controls ? control / (double)n : (double)NAN,
                                      n > 1 ? agreement / (double)n : (double)NAN};
    return record_json(&summary_record, &face);
}

struct grid_face {
    struct grid_view v;
    const char *task;
    struct option_face *options;
    json_t *cells, *lent, *summary;
};

#define OF(member) RECORD_OF(struct grid_face, member)
RECORD(grid_record, struct grid_face, "grid", "A grid, its cells and whom it was lent to.",
       {"id", OF(v.grid.id), .about = "The grid's number."},
       {"name", OF(v.grid.name), .about = "Its name in files; empty: none."},
       {"campaign", OF(v.campaign.name), .about = "The campaign's name."},
       {"task", OF(task), .about = "contains: which cells contain the class? classify: which objects does the one image show?"},
       {"class", OF(v.grid.class_id), .about = "The number of the class that it asks for; of a CLASSIFY task, of its set's label."},
       {"options", RECORD_ROWS(struct grid_face, options, v.grid.n_options), .of = &task_option_record,
        .about = "Of a CLASSIFY task: its labels in candidate order."},
       {"special", OF(v.grid.special), .about = "Whether it was planned so that its class has enough answered originals."},
       {"excluded", OF(v.grid.excluded), .maybe = true, .about = "Why no vote view counts it; null: it counts."},
       {"cells", OF(cells), RECORD_LIST, .of = &cell_record, .about = "Its cells as planned."},
       {"assignments", OF(lent), RECORD_LIST, .of = &lent_record, .about = "Everybody it was lent to, by time."},
       {"summary", OF(summary), .maybe = true, .of = &summary_record, .about = "Its counted answers; null: there are none."});
#undef OF

json_t *grid_json(struct ctx *c, const struct grid_view *v)
{
    json_t *lent = json_array();
    for (size_t i = 0; i < v->n_lent; i++) {
        json_array_append_new(lent, grid_lent_json(c, v, &v->lent[i]));
    }
    struct option_face *options = arena_calloc(c->arena, v->grid.n_options + 1, sizeof *options);
    for (size_t i = 0; i < v->grid.n_options; i++) {
        int64_t n;
        options[i] = option_face(c, v, i, &n);
    }
    const struct grid_face face = {*v, v->campaign.classify ? "classify" : "contains", options, grid_cells_json(c, v), lent, grid_summary_json(c, v)};
    return record_json(&grid_record, &face);
}

/* ---- lists ---- */

#define OF(member) RECORD_OF(struct grid_entry, member)
RECORD(grid_item_record, struct grid_entry, "grid_item", "A grid and how many answers it has.",
       {"id", OF(id), .about = "The grid's number."},
       {"class", OF(class_id), .about = "The number of the class that it asks for."},
       {"cells", OF(cells), .about = "How many images it shows; 0 of a CLASSIFY task, which shows one."},
       {"check", OF(check), .about = "Whether it is a CLASSIFY task whose objects are known."},
       {"answers", OF(answers), .about = "Counted answers."},
       {"wanted", OF(wanted), .about = "Answers wanted by the campaign's terms."});
#undef OF

struct grid_entry *grid_entries(struct ctx *c, const struct campaign *k, int64_t after, size_t most,
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
        if (g[i].campaign != k->id || g[i].id <= after) {
            continue;
        }
        if (*n == most) {
            *next = out[*n - 1].id;
            break;
        }
        out[(*n)++] = (struct grid_entry){g[i].id, g[i].class, k->answers_per_grid, g[i].answers, g[i].n, g[i].known != 0};
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
                out[at - part->skip] = (struct grid_entry){g[i].id, g[i].class, k->answers_per_grid, g[i].answers, g[i].n, g[i].known != 0};
                ++*n;
            }
        }
    }
    tally_read_unlock(t);
    return out;
}
