/* model_choice.c - options of forms about a pair of sets. */
#include "web/scoring/model_choice.h"

#include <string.h>

#include "json/object.h"
#include "web/parts/set_data.h"

json_t *model_choice_sets(struct ctx *c, const struct model_table *t, enum model_side side)
{
    static const char *const roles[SIDES] = {"original", "new"};
    json_t *list = json_array();
    if (!t->sets[side].r) {
        object_add(list, field_text("value", ""), field_text("label", "none yet"),
                   field_bool("current", true), field_bool("off", false));
    }
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < t->n_revisions; i++) {
            const struct revision_row *r = &t->revisions[i];
            bool off = !set_scoreable(r);
            const char *name = set_title(c->arena, r);
            if (sv_is(r->role, roles[side]) == (pass == 0)) {
                object_add(
                    list, field_text("value", name),
                    field_text("label", off ? arena_printf(c->arena, "%s (sealed)", name) : name),
                    field_bool("current", t->sets[side].r && t->sets[side].r->id == r->id),
                    field_bool("off", off));
            }
        }
    }
    return list;
}

json_t *model_choice_subsets(struct ctx *c, struct sv asked, const struct subset *chosen, bool same)
{
    struct subset_row *named;
    size_t n = 0;
    bool usual = false;
    if (subsets_list(c->db, SV(""), c->arena, &named, &n, &c->err) != OK) {
        return NULL;
    }
    json_t *list = json_array();
    if (same) {
        usual = asked.n == 0;
        object_add(list, field_text("value", ""), field_text("label", "the same"), field_bool("current", usual));
    }
    for (const struct subset_choice *s = subset_choices; s->name; s++) {
        const char *value = same && !*s->name ? "all" : s->name;
        bool current = sv_is(asked, value);
        usual = usual || current;
        object_add(list, field_text("value", value), field_text("label", s->label), field_bool("current", current));
    }
    for (size_t i = 0; i < n; i++) { /* with its number, so that an address that is passed on keeps its meaning */
        const char *word = arena_printf(c->arena, "@" SV_FMT "/%lld", SV_ARG(named[i].name), (long long)named[i].number);
        bool current = !usual && sv_is(chosen->name, word);
        usual = usual || current;
        object_add(list, field_text("value", word), field_text("label", word), field_bool("current", current));
    }
    if (!usual) {
        object_add(list, field_sv("value", asked), field_text("label", chosen->label), field_bool("current", true));
    }
    return list;
}

json_t *model_choice_labels(const struct label_choice *choices, size_t n, struct sv asked, const struct label_pick *found, bool same)
{
    json_t *list = json_array();
    bool usual = asked.n == 0;
    if (same) {
        object_add(list, field_text("value", ""), field_text("label", "the same"), field_bool("current", usual));
    }
    for (size_t i = 0; i < n; i++) {
        const char *value = same && !*choices[i].word ? "set" : choices[i].word;
        bool current = sv_is(asked, value);
        usual = usual || current;
        object_add(list, field_text("value", value), field_text("label", choices[i].label), field_bool("current", current));
    }
    if (!usual) {
        object_add(list, field_sv("value", asked), field_text("label", found->label), field_bool("current", true));
    }
    return list;
}

void model_choice_add_labels(const struct model_table *t, json_t *query)
{
    json_object_set_new(query, "any_labels", json_boolean(t->n_labels > 1));
    json_object_set_new(query, "labels", model_choice_labels(t->labels, t->n_labels, t->query.labels, &t->subset.labels, false));
    json_object_set_new(query, "new_labels",
                        model_choice_labels(t->labels, t->n_labels, t->query.new_labels, &t->fresh_subset.labels, true));
}

enum err_code model_choice_add_new(struct ctx *c, const struct model_table *t, json_t *query)
{
    json_t *subsets = model_choice_subsets(c, t->query.new_subset, &t->fresh_subset, true);
    if (!subsets) {
        return c->err.code;
    }
    json_object_set_new(query, "new_subsets", subsets);
    json_object_set_new(query, "new_tops", list_options(model_new_tops, t->query.new_top));
    return OK;
}

json_t *model_choice_facts(struct ctx *c, const struct model_table *t, size_t which)
{
    struct sv asked = which == MODEL_GROUP ? t->query.group : t->query.family;
    struct sv *values = arena_calloc(c->arena, t->n_facts + 2, sizeof *values);
    size_t n = 0;
    for (size_t i = 0; i <= t->n_facts; i++) {
        struct sv value = i < t->n_facts ? model_facts_get(&t->facts[i].facts, &model_fact_list[which], c->arena) : asked;
        size_t at = 0;
        while (at < n && sv_cmp(values[at], value) < 0) {
            at++;
        }
        if (value.n && (at == n || sv_cmp(values[at], value) != 0)) {
            memmove(values + at + 1, values + at, (n++ - at) * sizeof *values);
            values[at] = value;
        }
    }
    json_t *list = json_array();
    for (size_t i = 0; i <= n && n > 0; i++) {
        struct sv value = i ? values[i - 1] : SV("");
        const char *all = which == MODEL_GROUP ? "all groups" : "all families";
        object_add(list, field_sv("value", value), field_sv("label", i ? value : sv_of(all)),
                   field_bool("current", sv_cmp(value, asked) == 0));
    }
    return list;
}
