/* view_data.c - a vote view in words and numbers. */
#include "web/parts/view_data.h"

#include <stdlib.h>

#include "base/map.h"
#include "base/xalloc.h"
#include "domain/votes/histogram.h"
#include "json/object.h"
#include "live/votes/stats.h"
#include "web/core/page_data.h"
#include "web/parts/people_data.h"

const char *const view_kinds[VIEW_KINDS] = {"pilot",          "main",     "top-up",    "potential",
                                            "re-measurement", "training", "evaluation"};

/* "a, b and c" of what "|" joins. */
static const char *listed(struct arena *a, struct sv joined)
{
    const char *text = "";
    for (struct sv rest = joined; rest.p && rest.n;) {
        struct sv word = sv_cut(&rest, '|');
        const char *glue = !*text ? "" : rest.p ? ", " : " and ";
        text = arena_printf(a, "%s%s" SV_FMT, text, glue, SV_ARG(word));
    }
    return text;
}

static const char *counts_text(struct arena *a, const struct vote_view *v)
{
    const char *kinds = v->kinds.n ? arena_printf(a, "%s campaigns", listed(a, v->kinds)) : "";
    const char *named = v->campaigns.n ? listed(a, v->campaigns) : "";
    return arena_printf(a, "%s%s%s", kinds, *kinds && *named ? "; also " : "", named);
}

static json_t *filters_json(struct arena *a, const struct view_rules *rules)
{
    json_t *list = json_array();
    for (size_t i = 0; i < rules->n; i++) {
        const struct view_filter *f = &rules->filters[i];
        object_add(list, field_text("text", view_filter_text(f, a)),
                   field_text("warning", view_rule_infos[f->rule].warning),
                   field_text("rule", view_rule_infos[f->rule].word));
    }
    return list;
}

json_t *view_data_view(struct arena *a, const struct vote_view *v)
{
    bool is_default = sv_is(v->name, "default");
    return object(
        field_sv("name", v->name),
        field_text("url", arena_printf(a, "/views/" SV_FMT, SV_ARG(v->name))),
        field_text("edit_url", arena_printf(a, "/views/" SV_FMT "/edit", SV_ARG(v->name))),
        field_sv("description", v->description), field_int("version", v->versions),
        field_int("id", v->id), field_text("at", people_minute(a, v->at)),
        field_json("by", v->account   ? data_text(v->login)
                         : is_default ? json_string("the program")
                                      : json_string("command line")),
        field_text("counts", counts_text(a, v)), field_json("filters", filters_json(a, &v->rules)),
        field_bool("any_filters", v->rules.n > 0),
        field_text("as_of", v->as_of ? data_count(a, v->as_of) : NULL),
        field_bool("is_default", is_default));
}

/* ---- effect ---- */

/* As data_clustered, in two short lines besides: seven columns of whole texts are wider than a page. */
static json_t *mean(struct arena *a, const struct view_mean *m, enum cell_role role)
{
    int64_t selected = (int64_t)m->selected[role], shown = (int64_t)m->shown[role];
    json_t *f = data_clustered(a, selected, shown, m->ci[role]);
    json_object_set_new(f, "value",
                        json_string(shown ? arena_printf(a, "%.3f",
                                                         (double)selected / (double)shown)
                                          : "\xe2\x80\x93"));
    json_object_set_new(f, "note",
                        json_string(shown ? arena_printf(a, "n %s, %.3f\xe2\x80\x93%.3f",
                                                         data_count(a, shown), m->ci[role].lo,
                                                         m->ci[role].hi)
                                          : "no votes"));
    return f;
}

static void add_row(struct arena *a, json_t *rows, const char *label, const char *kind,
                    const struct view_mean *m, const struct view_mean *all)
{
    object_add(rows, field_text("label", label), field_text("kind", kind),
               field_bool("every", strcmp(kind, "every") == 0),
               field_text("answers", data_count(a, (int64_t)m->answers)),
               field_text("people", data_count(a, (int64_t)m->people)),
               field_text("without_answers", data_count(a, (int64_t)(all->answers - m->answers))),
               field_text("without_people", data_count(a, (int64_t)(all->people - m->people))),
               field_json("originals", mean(a, m, CELL_POSITIVE)),
               field_json("candidates", mean(a, m, CELL_CANDIDATE)),
               field_json("negatives", mean(a, m, CELL_NEGATIVE)));
}

json_t *view_data_warnings(struct arena *a, const struct view_rules *rules)
{
    json_t *list = json_array();
    for (size_t i = 0; i < rules->n; i++) {
        const char *warning = view_filter_warning(&rules->filters[i], a);
        if (warning) {
            data_line(list, warning);
        }
    }
    return list;
}

json_t *view_data_effect(struct arena *a, const struct view_rules *rules,
                         const struct view_counts *n)
{
    json_t *rows = json_array(), *warnings = view_data_warnings(a, rules);
    add_row(a, rows, "No filter", "none", &n->all, &n->all);
    for (size_t i = 0; i < rules->n; i++) {
        const struct view_filter *f = &rules->filters[i];
        const char *text = view_filter_text(f, a);
        add_row(a, rows, arena_printf(a, "Only: %s", text), "alone", &n->alone[i], &n->all);
    }
    for (size_t i = 0; i < rules->n && rules->n > 1; i++) {
        add_row(a, rows,
                arena_printf(a, "All but: %s", view_filter_text(&rules->filters[i], a)), "without",
                &n->without[i], &n->all);
    }
    if (rules->n > 0) {
        add_row(a, rows, "Every filter", "every", &n->with, &n->all);
    }
    return object(field_json("rows", rows), field_json("warnings", warnings),
                  field_bool("any_warnings", json_array_size(warnings) > 0));
}

/* ---- images ---- */

/* What the default view says of a pair. */
struct counted {
    uint32_t shown, selected;
};

/* Copied, so that nobody waits for the comparison. Pairs are only ever appended. */
static struct counted *default_counts(struct tally *t, size_t most, size_t *n)
{
    struct counted *copy = xcalloc(most + 1, sizeof *copy);
    tally_read_lock(t);
    const struct tally_pair *pairs = tally_pairs(t, n);
    *n = *n < most ? *n : most;
    for (size_t i = 0; i < *n; i++) {
        copy[i] = (struct counted){pairs[i].shown, pairs[i].selected};
    }
    tally_read_unlock(t);
    return copy;
}

static void compare(struct view_moves *m, struct counted now, struct counted was)
{
    if (now.shown == 0 && was.shown == 0) {
        return;
    }
    m->images++;
    if (now.shown == 0 || was.shown == 0) {
        m->gone += now.shown == 0;
        m->fresh += was.shown == 0;
        return;
    }
    unsigned a = histogram_bin(now.selected, now.shown), b = histogram_bin(was.selected, was.shown);
    m->same += a == b;
    m->higher += a > b;
    m->lower += a < b;
}

void view_data_moves(struct tally *t, const struct view_counts *v, struct view_moves out[4])
{
    size_t n;
    struct counted *was = default_counts(t, v->n, &n);
    memset(out, 0, 4 * sizeof *out);
    for (size_t i = 0; i < n; i++) {
        compare(&out[v->role[i]], (struct counted){v->shown[i], v->selected[i]}, was[i]);
    }
    free(was);
}

/* ---- people ---- */

/* Who gave each answer that is left out. Both lists rise, so one pass over the ledger is enough. */
static uint32_t *givers(struct tally *t, const struct view_counts *v)
{
    uint32_t *person = xcalloc(v->n_dropped + 1, sizeof *person);
    tally_read_lock(t);
    const struct ledger *l = tally_ledger(t);
    for (size_t i = 0, k = 0; i < v->n_dropped && k < l->n; k++) {
        if (l->answers[k].id == v->dropped[i]) {
            person[i++] = l->answers[k].person;
        }
    }
    tally_read_unlock(t);
    return person;
}

static int by_answers(const void *x, const void *y)
{
    const struct view_left *a = x, *b = y;
    if (a->answers != b->answers) {
        return a->answers < b->answers ? 1 : -1;
    }
    return (a->person > b->person) - (a->person < b->person);
}

struct view_left *view_data_left(struct tally *t, const struct view_counts *v, struct arena *a,
                                 size_t *n)
{
    struct map_u64 at;
    struct view_left *list = NULL;
    size_t cap = 0;
    uint32_t *person = givers(t, v);
    *n = 0;
    map_u64_init(&at);
    for (size_t i = 0; i < v->n_dropped; i++) {
        uint32_t k = map_u64_put(&at, person[i], (uint32_t)*n);
        if (k == *n) {
            xgrow(&list, &cap, *n + 1, sizeof *list);
            list[(*n)++] = (struct view_left){.person = person[i]};
        }
        list[k].answers++;
        list[k].by[v->dropped_by[i]]++;
    }
    map_u64_release(&at);
    free(person);
    struct view_left *out = arena_calloc(a, *n + 1, sizeof *out);
    if (*n) {
        qsort(list, *n, sizeof *list, by_answers);
        memcpy(out, list, *n * sizeof *out);
    }
    free(list);
    return out;
}
