/* label_ways.c - feasibility of a plan of potential labels as data. */
#include "web/parts/label_ways.h"

#include "json/object.h"
#include "view/data.h"

const char *plan_title(struct arena *a, const struct label_plan_row *p)
{
    return arena_printf(a, SV_FMT "/%lld", SV_ARG(p->name), (long long)p->version);
}

enum err_code label_ways_find(struct ctx *c, const struct label_plan_row *plan, const struct label_plan_book *book,
                              const struct feasible_terms *terms, struct label_ways *out)
{
    struct potential_depth depths[PREDICTION_K];
    size_t n = potential_depths(plan, depths);
    uint32_t *seen = arena_calloc(c->arena, book->n + 1, sizeof *seen);
    if (feasible_seen(c->db, book, seen, &c->err) != OK) {
        return c->err.code;
    }
    const struct feasible_most most = feasible_most(book, NULL, seen, terms->terms.answers_per_grid);
    out->seen = most.seen;
    out->way = feasible_at(terms, &depths[n ? n - 1 : 0], terms->terms.answers_per_grid, 0);
    feasible_put(terms, &most, &out->way);
    out->n_instead = feasible_instead(terms, depths, n, most.seen, out->instead);
    return OK;
}

const char *label_ways_money(struct arena *a, int64_t cents)
{
    return arena_printf(a, "%s.%02lld", data_count(a, cents / 100), (long long)(cents % 100));
}

static json_t *way_json(struct ctx *c, const struct feasible_way *w, bool itself)
{
    struct arena *a = c->arena;
    return object(field_int("top", w->top), field_int("answers", w->answers), field_text("labels", data_count(a, (int64_t)w->labels)),
                  field_int("most", w->most), field_text("grids", data_count(a, (int64_t)w->grids)),
                  field_text("people_image", data_count(a, w->people_image)), field_text("people", data_count(a, w->people)),
                  field_text("work_places", data_count(a, w->cost.places)), field_text("pay", label_ways_money(a, w->cost.pay_cents)),
                  field_text("hours", arena_printf(a, "%.0f", w->cost.hours)), field_text("days", arena_printf(a, "%.0f", w->days)),
                  field_bool("possible", w->possible), field_bool("itself", itself));
}

json_t *label_ways_json(struct ctx *c, const struct label_ways *w, const struct feasible_terms *terms)
{
    json_t *rows = json_array();
    json_array_append_new(rows, way_json(c, &w->way, true));
    for (size_t i = 0; i < w->n_instead; i++) {
        json_array_append_new(rows, way_json(c, &w->instead[i], false));
    }
    return object(field_json("ways", rows), field_bool("possible", w->way.possible), field_bool("limited", terms->people > 0),
                  field_bool("none_instead", !w->way.possible && w->n_instead == 0),
                  field_text("seen", w->seen ? data_count(c->arena, w->seen) : NULL));
}
