/* measures.c - the page of measures: what the new set changes, over models, by selection frequency and by revision. Row in
 * routes.c; templates/measures/index.mustache. */
#include "json/object.h"
#include "web/core/lists.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/core/view_choice.h"
#include "web/measures/bins.h"
#include "web/measures/changes.h"
#include "web/measures/parts.h"
#include "web/parts/set_data.h"
#include "web/scoring/model_choice.h"
#include "web/scoring/model_rows.h"

/* ---- the form ---- */

static json_t *query_json(struct ctx *c, const struct measures *m)
{
    json_t *views = measures_views(c, m->view);
    return views ? object(field_json("original", model_choice_sets(c, &m->t, SIDE_ORIGINAL)),
                          field_json("new", model_choice_sets(c, &m->t, SIDE_NEW)),
                          field_json("subsets", model_choice_subsets(c, m->t.query.subset, &m->t.subset, false)), field_json("views", views),
                          field_sv("models", m->query.models), field_text("top", m->query.top == 5 ? "5" : "1"),
                          field_text("bins", m->query.bins == MEASURES_BINS_CORRECTED ? "corrected" : NULL))
                 : NULL;
}

/* ---- the change ---- */

static const char *points(struct ctx *c, double v)
{
    return data_minus(c->arena, arena_printf(c->arena, "%.1f", v));
}

static const char *range_words(struct ctx *c, const struct set_change *s, const char *classes)
{
    return s->models == 1 ? arena_printf(c->arena, "1 model%s", classes)
                          : arena_printf(c->arena, "%s models from %s to %s%s", data_count(c->arena, (int64_t)s->models),
                                         points(c, s->least), points(c, s->most), classes);
}

/* The interval of the mean over images, when all models count that the gaps are of; a change is the gap turned round. */
static const char *interval_words(struct ctx *c, const struct measures *m, const struct gap_range *gap)
{
    return gap->known && m->n == m->t.n_ranked ? arena_printf(c->arena, "%s to %s (95 %%); ", points(c, 0 - gap->hi), points(c, 0 - gap->lo))
                                               : "";
}

static const char *classes_words(struct ctx *c, const struct measures *m)
{
    const struct gap_classes *k = &m->t.gaps.classes;
    return !m->t.has_gaps ? ""
           : k->same      ? arena_printf(c->arena, ", same %s classes", data_count(c->arena, k->common))
                          : arena_printf(c->arena, ", %s common classes", data_count(c->arena, k->common));
}

static void change_tile(struct ctx *c, json_t *tiles, const char *label, const struct set_change *s, const char *interval,
                        const char *classes)
{
    if (s->models) {
        data_tile(tiles, label, points(c, s->mean), arena_printf(c->arena, "%s%s", interval, range_words(c, s, classes)));
        data_tile_unit(tiles, json_string("points"));
    }
}

/* The change on common classes leads; where the sets differ in them, that over all images stands beside it. */
static json_t *tiles_json(struct ctx *c, const struct measures *m)
{
    json_t *tiles = json_array();
    const struct set_change common = measures_common_change(m), raw = measures_raw_change(m, m->query.top);
    change_tile(c, tiles, arena_printf(c->arena, "Mean change, top-%d", m->query.top), &common,
                interval_words(c, m, &m->t.gaps.mean.common), classes_words(c, m));
    if (m->t.has_gaps && !m->t.gaps.classes.same) {
        change_tile(c, tiles, "Raw change, all images", &raw, interval_words(c, m, &m->t.gaps.mean.raw), "");
    }
    for (int side = 0; side < SIDES && m->n; side++) {
        const struct model_set *s = &m->t.sets[side];
        double sum = 0;
        for (size_t i = 0; i < m->n && s->r; i++) {
            const struct model_score *on = m->lines[i]->on[side];
            sum += 100 * ((double)model_score_right(on, m->query.top) / on->predicted);
        }
        if (s->r) {
            data_tile(tiles, arena_printf(c->arena, "Mean accuracy on %s", set_title(c->arena, s->r)),
                      arena_printf(c->arena, "%.1f", sum / (double)m->n),
                      arena_printf(c->arena, "n %s images", data_count(c->arena, s->images)));
            data_tile_unit(tiles, json_string("%"));
        }
    }
    return tiles;
}

/* ---- the page ---- */

static json_t *side_json(struct ctx *c, const struct measures *m, enum model_side side)
{
    return model_rows_set(c, &m->t.sets[side]);
}

/* GET /measures?original=&new=&top=&subset=&labels=&new_labels=&view=&models=&bins= */
enum err_code page_measures(struct ctx *c)
{
    static const char *const revision_charts[][2] = {{"scores", "measures-revisions"}, {"changes", "measures-changes"}};
    struct measures_query q;
    struct measures m;
    if (measures_query_read(c, &q) != OK || measures_make(c, &q, &m) != OK) {
        return c->err.code;
    }
    const struct chart_ask ask = measures_chart_ask(&q);
    json_t *query = query_json(c, &m);
    json_t *bins = query ? measures_bins_section(c, &m) : NULL;
    json_t *revisions = bins ? charts_group(c, revision_charts, 2, &ask) : NULL;
    json_t *changes = revisions ? measures_changes_json(c, &m.t) : NULL, *none = changes ? measures_none(c, &m) : NULL;
    if (!none) {
        json_decref(changes);
        json_decref(query);
        json_decref(bins);
        json_decref(revisions);
        return c->err.code;
    }
    model_choice_add_labels(&m.t, query);
    json_t *page = object(
        field_json("sections", measures_tabs(c, &q, "/measures")), field_json("query", query), field_json("tops", measures_tops_tabs(c, &q, "/measures")), field_bool("any", m.n > 0),
        field_bool("any_sets", m.t.n_revisions > 0),
        field_json("originals", side_json(c, &m, SIDE_ORIGINAL)), field_json("news", side_json(c, &m, SIDE_NEW)),
        field_json("tiles", tiles_json(c, &m)), field_text("mixture", model_rows_mixture(c, &m.t)),
        field_text("left_out", measures_left_out(c, &m)), field_text("part", subset_title(&m.t.subset, &m.t.fresh_subset, c->arena)),
        field_sv("view", m.view), field_json("bins", bins), field_json("revisions", revisions), field_json("none", none), field_json("changes", changes),
        field_text("models_url", "/models"), field_text("json_url", measures_query_url(c, "/api/v1/measures", &q)),
        field_json("live", data_live("jobs,models", measures_query_url(c, "/measures", &q))));
    return reply_page(c, 200, "measures/index", "Measures", page);
}
