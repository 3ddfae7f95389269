/* people.c - people against models on a pair of sets: the page, its JSON and CSV. Rows in routes.c;
 * templates/measures/people. */
#include <math.h>

#include "json/object.h"
#include "measures/people/people_gap_rows.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/records.h"
#include "web/core/reply.h"
#include "web/measures/parts.h"

static const char path[] = "/measures/people";
enum { AGREEMENT_SEED = 1 };

struct shown {
    struct measures_query q;
    struct measures m;
    struct people_sides sides;
    struct people_gap gap;
    struct people_gap_list list; /* empty without people or models */
};

static enum err_code read_shown(struct ctx *c, struct shown *s)
{
    *s = (struct shown){.list.n_sets = 0};
    if (measures_query_read(c, &s->q) != OK) {
        return c->err.code;
    }
    s->q.top = 1; /* people give one answer */
    if (measures_make(c, &s->q, &s->m) != OK ||
        people_sides_of(c->db, s->m.models, s->m.names, s->m.n, c->arena, &s->sides, &c->err) != OK) {
        return c->err.code;
    }
    const struct measures *m = &s->m;
    const struct sv titles[PEOPLE_SETS] = {measures_title(c, m, SIDE_ORIGINAL), measures_title(c, m, SIDE_NEW)};
    const struct people_gap_ask ask = {{m->t.sets[SIDE_ORIGINAL].r, m->t.sets[SIDE_NEW].r}, {&m->t.subset, &m->t.fresh_subset},
                                       s->sides.people, s->sides.models, s->sides.n_people, s->sides.n_models};
    if (ask.n_people && ask.n_models && people_gap_make(app_model_scores(c->app), c->db, &ask, AGREEMENT_SEED, c->arena, &s->gap, &c->err) != OK) {
        return c->err.code;
    }
    if (ask.n_people && ask.n_models) {
        s->list = people_gap_rows(&s->gap, &s->sides, titles, c->arena);
    }
    return OK;
}

/* ---- the page ---- */

static const char *points(struct ctx *c, double share)
{
    return data_number(c->arena, 100 * share, 1);
}

static const char *range(struct ctx *c, const struct proportion *p)
{
    return arena_printf(c->arena, "%s to %s", points(c, p->lo), points(c, p->hi));
}

static json_t *side_json(struct ctx *c, const struct people_pair *p, bool means)
{
    if (isnan(p->difference.value)) {
        return json_null();
    }
    return object(field_text("value", points(c, p->difference.value)), field_text("note", range(c, &p->difference)),
                  field_text("alone", means ? NULL : arena_printf(c->arena, "%s / %s", data_count(c->arena, p->counts.first), data_count(c->arena, p->counts.second))),
                  field_text("p", means ? NULL : arena_printf(c->arena, p->p < 0.001 ? "%.1e" : "%.3f", p->p)));
}

/* The means, the majorities, and each with the majority of the other side. */
static json_t *rows_json(struct ctx *c, const struct shown *s)
{
    json_t *rows = json_array();
    size_t n = s->list.n_pairs ? 2 + s->sides.n_people + s->sides.n_models : 0;
    for (size_t i = 0; i < n; i++) {
        const struct people_gap_row *r = &s->list.pairs[i];
        object_add(rows, field_sv("person", r->person), field_sv("model", r->model), field_json("original", side_json(c, &r->original, r->means)),
                   field_json("fresh", side_json(c, &r->fresh, r->means)),
                   field_json("change", isnan(r->change.value) ? json_null() : object(field_text("value", points(c, r->change.value)),
                                                                                      field_text("note", range(c, &r->change)))));
    }
    return rows;
}

static const char *share_of(struct ctx *c, uint32_t k, const struct people_set *s)
{
    return s->images ? arena_printf(c->arena, "%.1f %% of %s images", 100.0 * k / s->images, data_count(c->arena, s->images)) : NULL;
}

static json_t *alpha_json(struct ctx *c, const struct raters_agreement *r)
{
    return isnan(r->at.value) ? json_null() : object(field_text("value", data_number(c->arena, r->at.value, 2)),
                                                     field_text("note", arena_printf(c->arena, "%s to %s", data_number(c->arena, r->at.lo, 2), data_number(c->arena, r->at.hi, 2))));
}

static json_t *sets_json(struct ctx *c, const struct shown *s)
{
    json_t *sets = json_array();
    for (size_t i = 0; i < s->list.n_sets; i++) {
        const struct people_set *of = &s->list.sets[i].of;
        object_add(sets, field_sv("set", s->list.sets[i].set), field_text("images", data_count(c->arena, of->images)),
                   field_text("sealed", of->sealed ? data_count(c->arena, of->sealed) : NULL),
                   field_text("people_missed", data_count(c->arena, of->people_missed)), field_text("people_share", share_of(c, of->people_missed, of)),
                   field_text("models_missed", data_count(c->arena, of->models_missed)), field_text("models_share", share_of(c, of->models_missed, of)),
                   field_text("all_missed", data_count(c->arena, of->all_missed)), field_text("all_share", share_of(c, of->all_missed, of)),
                   field_json("people_alpha", alpha_json(c, &of->people)), field_json("models_alpha", alpha_json(c, &of->models)));
    }
    return sets;
}

static json_t *tiles_json(struct ctx *c, const struct shown *s)
{
    json_t *tiles = json_array();
    if (s->list.n_pairs) {
        const struct people_gap_row *mean = &s->list.pairs[0];
        const struct people_pair *sides[] = {&mean->original, &mean->fresh};
        for (int i = 0; i < PEOPLE_SETS; i++) {
            if (!isnan(sides[i]->difference.value)) {
                struct sv set = measures_title(c, &s->m, (enum model_side)i);
                data_tile(tiles, arena_printf(c->arena, "People are ahead on " SV_FMT, SV_ARG(set)), points(c, sides[i]->difference.value),
                          range(c, &sides[i]->difference));
                data_tile_unit(tiles, json_string("points"));
            }
        }
        if (!isnan(mean->change.value)) {
            data_tile(tiles, "Models lose more than people", points(c, mean->change.value), range(c, &mean->change));
            data_tile_unit(tiles, json_string("points"));
        }
    }
    return tiles;
}

/* What to do when one side is missing. */
static json_t *nobody(struct ctx *c, const struct shown *s)
{
    json_t *none = measures_none(c, &s->m), *commands = json_array();
    bool people = s->sides.n_people == 0;
    if (!json_is_null(none) || (s->sides.n_people && s->sides.n_models)) {
        json_decref(commands);
        return none;
    }
    json_decref(none);
    json_array_append_new(commands, json_string("holdout import predictions DIR FILE --model NAME"));
    if (people) {
        json_array_append_new(commands, json_string("holdout import model-facts DIR FACTS.csv"));
    }
    return object(field_text("title", people ? "No people yet" : "No models yet"),
                  field_text("text", people ? "Nobody has said what all of these images show. Once people are through an evaluation, choose its images. "
                                              "Or import what each person answered as predictions under one name, and give these names the "
                                              "group \xe2\x80\x9cpeople\xe2\x80\x9d."
                                            : "Only people have predicted all of the images."),
                  field_json("link", people ? object(field_text("url", "/evaluations"), field_text("label", "Evaluations")) : json_null()),
                  field_json("commands", commands));
}

/* GET /measures/people?original=&new=&subset=&labels=&new_labels=&models= */
enum err_code page_measures_people(struct ctx *c)
{
    struct shown s;
    json_t *none = NULL;
    if (read_shown(c, &s) != OK || !(none = nobody(c, &s))) {
        return c->err.code;
    }
    return reply_page(c, 200, "measures/people", "People against models",
                      object(field_json("sections", measures_tabs(c, &s.q, path)), field_json("form", measures_form(c, &s.m, path, json_array(), NULL)),
                             field_json("none", none), field_text("left_out", measures_left_out(c, &s.m)),
                             field_text("part", subset_title(&s.m.t.subset, &s.m.t.fresh_subset, c->arena)), field_bool("pair", s.list.n_sets == PEOPLE_SETS),
                             field_bool("original", s.list.n_sets && s.m.t.sets[SIDE_ORIGINAL].r), field_bool("fresh", s.list.n_sets && s.m.t.sets[SIDE_NEW].r),
                             field_json("tiles", tiles_json(c, &s)), field_json("rows", rows_json(c, &s)), field_json("sets", sets_json(c, &s)),
                             field_text("json_url", measures_query_url(c, "/api/v1/measures/people", &s.q)),
                             field_text("csv_url", measures_query_url(c, "/api/v1/measures/people.csv", &s.q))));
}

/* ---- for scripts ---- */

struct people_reply {
    struct sv subset, labels, new_labels;
    json_t *models;
    struct people_gap_list list;
};
#define OF(member) RECORD_OF(struct people_reply, member)
RECORD(measures_people_record, struct people_reply, "measures_of_people", "People against models on the same images of a pair of sets.",
       {"subset", OF(subset), .about = "Of the images of both, as in addresses; empty: all."},
       {"labels", OF(labels), .about = "By which label source and rule answers on the originals are right, SOURCE/NUMBER:RULE; empty: the set's own labels."},
       {"new_labels", OF(new_labels), .about = "The same of the new set."},
       {"models", OF(models), RECORD_TEXTS, .about = "Everybody who has predicted all of the images: people and models."},
       {"", RECORD_PART(struct people_reply, list), .kind = RECORD_BESIDE, .of = &people_gap_list_record});
#undef OF

/* GET /api/v1/measures/people */
enum err_code api_measures_people(struct ctx *c)
{
    struct shown s;
    if (read_shown(c, &s) != OK) {
        return c->err.code;
    }
    const struct people_reply r = {s.m.t.subset.name, s.m.t.subset.labels.name, s.m.t.fresh_subset.labels.name, measures_names(&s.m), s.list};
    return reply_json(c, 200, record_json(&measures_people_record, &r));
}

/* GET /api/v1/measures/people.csv */
enum err_code api_measures_people_csv(struct ctx *c)
{
    struct shown s;
    if (read_shown(c, &s) != OK) {
        return c->err.code;
    }
    return reply_csv(c, "people.csv", &people_gap_record, s.list.pairs, s.list.n_pairs);
}
