/* parts.c - the form, the tabs and the words that pages of measures share. */
#include "web/measures/parts.h"

#include <math.h>

#include "json/object.h"
#include "web/core/page_data.h"
#include "web/parts/model_choice.h"
#include "web/parts/set_data.h"

json_t *measures_form(struct ctx *c, const struct measures *m, const char *action, json_t *tops, json_t *keep)
{
    json_t *form = object(field_text("action", action), field_json("original", model_choice_sets(c, &m->t, SIDE_ORIGINAL)),
                  field_json("new", model_choice_sets(c, &m->t, SIDE_NEW)), field_json("subsets", model_choice_subsets(&m->t)),
                  field_sv("models", m->query.models), field_json("tops", tops),
                  field_json("keep", keep ? keep : json_array()));
    model_choice_add_labels(&m->t, form);
    return form;
}

json_t *measures_tabs(struct ctx *c, const struct measures_query *q, const char *here)
{
    static const struct {
        const char *path, *label;
    } pages[] = {
        {"/measures", "Summary"},
        {"/measures/fit", "Line"},
        {"/measures/difficulty", "Difficulty"},
        {"/measures/classes", "Classes"},
        {"/measures/statistics", "Statistics"},
        {"/measures/images", "Images"},
        {"/measures/confusions", "Confusions"},
        {"/measures/adjusted", "Adjusted gap"},
    };
    json_t *list = json_array();
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        object_add(list, field_text("label", pages[i].label), field_text("url", measures_query_url(c, pages[i].path, q)),
                   field_bool("current", sv_is(sv_of(here), pages[i].path)));
    }
    return list;
}

const char *measures_number(struct ctx *c, double v, int digits)
{
    return isfinite(v) ? data_minus(c->arena, arena_printf(c->arena, "%.*f", digits, v)) : "\xe2\x80\x93";
}

struct sv measures_title(struct ctx *c, const struct measures *m, enum model_side side)
{
    return m->t.sets[side].r ? sv_of(set_title(c->arena, m->t.sets[side].r)) : SV("");
}

const char *measures_left_out(struct ctx *c, const struct measures *m)
{
    const char *names = "";
    for (size_t i = 0; i < m->n_left_out; i++) {
        names = arena_printf(c->arena, "%s%s" SV_FMT, names, i ? ", " : "", SV_ARG(m->left_out[i].name));
    }
    return m->n_left_out ? arena_printf(c->arena, "Left out, for want of predictions of all images: %s.", names) : NULL;
}

json_t *measures_names(const struct measures *m)
{
    json_t *names = json_array();
    for (size_t i = 0; i < m->n; i++) {
        json_array_append_new(names, data_text(m->names[i]));
    }
    return names;
}

const char *measures_models_words(struct ctx *c, const struct measures *m)
{
    return m->n == 1 ? arena_printf(c->arena, "Model " SV_FMT, SV_ARG(m->names[0]))
                     : arena_printf(c->arena, "Mean of %zu models", m->n);
}

static json_t *word_tabs(struct ctx *c, const struct measures_query *q, const char *path, const struct list_word *words, size_t member)
{
    json_t *list = json_array();
    for (const struct list_word *w = words; w->word; w++) {
        struct measures_query other = *q;
        int *value = (int *)(void *)((char *)&other + member);
        bool current = *value == w->value;
        *value = w->value;
        object_add(list, field_text("label", w->label), field_text("url", measures_query_url(c, path, &other)),
                   field_bool("current", current));
    }
    return list;
}

json_t *measures_tops_tabs(struct ctx *c, const struct measures_query *q, const char *path)
{
    return word_tabs(c, q, path, measures_tops, offsetof(struct measures_query, top));
}

json_t *measures_scales_tabs(struct ctx *c, const struct measures_query *q, const char *path)
{
    return word_tabs(c, q, path, measures_scales, offsetof(struct measures_query, scale));
}
