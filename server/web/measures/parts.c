/* parts.c - the form, the tabs and the words that pages of measures share. */
#include "web/measures/parts.h"

#include <string.h>

#include "json/object.h"
#include "store/votes/views.h"
#include "web/core/page_data.h"
#include "web/measures/answers.h"
#include "web/parts/set_data.h"
#include "web/scoring/model_choice.h"

json_t *measures_form(struct ctx *c, const struct measures *m, const char *action, json_t *tops, json_t *keep)
{
    json_t *form = object(field_text("action", action), field_json("original", model_choice_sets(c, &m->t, SIDE_ORIGINAL)),
                  field_json("new", model_choice_sets(c, &m->t, SIDE_NEW)), field_json("subsets", model_choice_subsets(c, m->t.query.subset, &m->t.subset, false)),
                  field_sv("models", m->query.models), field_bool("any_tops", json_array_size(tops) > 0), field_json("tops", tops),
                  field_json("keep", keep ? keep : json_array()));
    model_choice_add_labels(&m->t, form);
    return form;
}

/* The address of a page about one set. */
struct one_set {
    struct answers_query of;
};
static const struct list_param one_set_params[] = {ANSWERS_PARAMS(struct one_set, of), {0}};

/* The page itself, or one below it. */
static bool is_here(const char *here, const char *path)
{
    size_t n = strlen(path);
    return strncmp(here, path, n) == 0 && (here[n] == 0 || (here[n] == '/' && strchr(path + 1, '/')));
}

json_t *measures_tabs_of(struct ctx *c, const struct measures_query *q, struct sv set, const char *here)
{
    static const struct {
        const char *path, *label;
        bool one_set;
    } pages[] = {
        {"/measures", "Summary", false},
        {"/measures/fit", "Line", false},
        {"/measures/difficulty", "Difficulty", false},
        {"/measures/classes", "Classes", false},
        {"/measures/statistics", "Statistics", false},
        {"/measures/images", "Images", true},
        {"/measures/label-errors", "Label errors", true},
        {"/measures/confusions", "Confusions", true},
        {"/measures/cooccurrence", "Co-occurrence", true},
        {"/measures/pairs", "Confusing pairs", true},
        {"/measures/said", "Predictions", true},
        {"/measures/valid", "Valid labels", true},
        {"/measures/adjusted", "Adjusted gap", false},
        {"/measures/people", "People", false},
    };
    static const struct one_set usual = {.of.top = 1};
    static const struct list_table table = {one_set_params, sizeof usual, NULL, NULL};
    const struct one_set one = {.of = {.set = set, .top = q->top, .subset = q->subset, .labels = q->new_labels.n ? q->new_labels : q->labels,
                                       .models = q->models}};
    json_t *list = json_array();
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        object_add(list, field_text("label", pages[i].label),
                   field_text("url", pages[i].one_set ? list_url(c, &table, pages[i].path, &usual, &one, false) : measures_query_url(c, pages[i].path, q)),
                   field_bool("current", is_here(here, pages[i].path)));
    }
    return list;
}

json_t *measures_tabs(struct ctx *c, const struct measures_query *q, const char *here)
{
    return measures_tabs_of(c, q, SV(""), here);
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

json_t *measures_bins_tabs(struct ctx *c, const struct measures_query *q, const char *path)
{
    return word_tabs(c, q, path, measures_bins_words, offsetof(struct measures_query, bins));
}

json_t *measures_scales_tabs(struct ctx *c, const struct measures_query *q, const char *path)
{
    return word_tabs(c, q, path, measures_scales, offsetof(struct measures_query, scale));
}

json_t *measures_views(struct ctx *c, struct sv view)
{
    struct vote_view *list;
    size_t n;
    if (views_list(c->db, c->arena, &list, &n, &c->err) != OK) {
        return NULL;
    }
    json_t *views = json_array();
    for (size_t i = 0; i < n; i++) {
        object_add(views, field_sv("value", list[i].name), field_bool("current", sv_eq(list[i].name, view)));
    }
    return views;
}

/* ---- nothing to show ---- */

static json_t *none_json(const char *title, const char *text, const char *url, const char *label, const char *first, const char *second)
{
    json_t *commands = json_array();
    for (int i = 0; i < 2; i++) {
        const char *command = i ? second : first;
        if (command) {
            json_array_append_new(commands, json_string(command));
        }
    }
    return object(field_text("title", title), field_text("text", text),
                  field_json("link", object(field_text("url", url), field_text("label", label))), field_json("commands", commands));
}

json_t *measures_none_sets(struct ctx *c)
{
    struct revision_row *list;
    size_t n;
    if (revisions_list(c->db, 0, c->arena, &list, &n, &c->err) != OK) {
        return NULL;
    }
    return n ? none_json("Every set is sealed", "Models are not scored on a sealed set. Freeze a revision, or import another set:", "/sets",
                         "Sets", "holdout import set DIR NAME FILE", NULL)
             : none_json("No sets yet", "Import the originals, then sample a new set or import one:", "/sets", "Sets",
                         "holdout import set DIR originals FILE --role original", "holdout import set DIR NAME FILE");
}

json_t *measures_none_models(struct ctx *c, const struct revision_row *r)
{
    return none_json("No model has predicted all images", "Let one predict, or import predictions that were made elsewhere:", "/models", "Models",
                     arena_printf(c->arena, "holdout import predictions DIR FILE --set %s --model NAME", r ? set_title(c->arena, r) : "SET"), NULL);
}

json_t *measures_none_votes(const char *text)
{
    return none_json("Nobody was asked about these images", text, "/campaigns", "Campaigns", "holdout import votes DIR FILE", NULL);
}

json_t *measures_none_labels(const char *title, const char *text)
{
    return none_json(title, text, "/label-sources", "Label sources", "holdout import labels DIR FILE --name NAME", NULL);
}

json_t *measures_none(struct ctx *c, const struct measures *m)
{
    const struct revision_row *original = m->t.sets[SIDE_ORIGINAL].r, *fresh = m->t.sets[SIDE_NEW].r;
    return !original && !fresh ? measures_none_sets(c) : m->n == 0 ? measures_none_models(c, fresh ? fresh : original) : json_null();
}
