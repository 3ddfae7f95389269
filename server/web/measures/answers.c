/* answers.c - reads what is asked, chooses the models that count. */
#include "web/measures/answers.h"

#include "json/object.h"
#include "measures/core/label_books.h"
#include "web/core/page_data.h"
#include "web/core/reply.h"
#include "web/measures/parts.h"
#include "web/parts/set_data.h"
#include "web/scoring/model_choice.h"

static enum err_code choose_models(struct ctx *c, struct answers *s)
{
    struct model_row *list;
    size_t n;
    if (models_named(c->db, s->q.models, c->arena, &list, &n, &c->err) != OK || model_set_of(c, &s->r, &s->subset, &s->set) != OK) {
        return c->err.code;
    }
    struct model_row *left_out = arena_calloc(c->arena, n + 1, sizeof *left_out);
    s->models = arena_calloc(c->arena, n + 1, sizeof *s->models);
    s->ids = arena_calloc(c->arena, n + 1, sizeof *s->ids);
    for (size_t i = 0; i < n; i++) {
        if (model_score_complete(set_score_of(s->set.scores, s->set.n, list[i].id), s->q.top)) {
            s->ids[s->n] = list[i].id;
            s->models[s->n++] = list[i];
        } else if (s->q.models.n) {
            left_out[s->n_left_out++] = list[i];
        }
    }
    for (size_t i = 0; i < s->n_left_out; i++) {
        s->models[s->n + i] = left_out[i];
    }
    return OK;
}

enum err_code answers_find(struct ctx *c, const struct answers_query *q, struct answers *out)
{
    *out = (struct answers){.q = *q};
    if (set_to_score(c, q->set, &out->r) != OK) {
        return c->err.code;
    }
    struct sv part = q->subset;
    if (q->wnid.n) {
        part = sv_of(arena_printf(c->arena, SV_FMT "%sclass:" SV_FMT, SV_ARG(part), part.n ? "," : "", SV_ARG(q->wnid)));
    }
    if (set_part_asked(c, part, q->labels, &out->subset) != OK) {
        return c->err.code;
    }
    const char *title = subset_title(&out->subset, NULL, c->arena);
    out->part = title ? arena_printf(c->arena, ", %s", title) : "";
    return choose_models(c, out);
}

enum err_code answers_voted(struct ctx *c, const struct answers_query *q, struct sv asked, struct answers *out, struct sv *view,
                            const struct counted_view **v)
{
    enum err_code rc = answers_find(c, q, out);
    *view = asked.n ? asked : SV("default");
    return rc == OK ? view_choice_get(c, *view, v) : rc;
}

enum err_code answers_usual_labels(struct ctx *c, struct sv set, unsigned kinds, struct sv *out)
{
    struct label_version_row *list;
    struct revision_row r;
    size_t n = 0;
    bool objects = false;
    enum err_code rc = set_to_score(c, set, &r);
    rc = rc == OK ? label_source_newest(c->db, c->arena, &list, &n, &c->err) : rc;
    for (size_t i = 0; i < n && rc == OK; i++) {
        bool better = out->n == 0 || (list[i].kind == LABEL_KIND_OBJECTS && !objects);
        int64_t has = 0, counts = 0;
        if ((kinds >> list[i].kind & 1) && better) {
            rc = label_source_covers(c->db, &list[i], r.id, &has, &counts, &c->err);
        }
        if (counts > 0) {
            *out = list[i].name;
            objects = list[i].kind == LABEL_KIND_OBJECTS;
        }
    }
    return rc;
}

static json_t *names_of(const struct model_row *list, size_t n)
{
    json_t *names = json_array();
    for (size_t i = 0; i < n; i++) {
        json_array_append_new(names, data_text(list[i].name));
    }
    return names;
}

json_t *answers_names(const struct answers *s) { return names_of(s->models, s->n); }
json_t *answers_left_out(const struct answers *s) { return names_of(s->models + s->n, s->n_left_out); }

const char *answers_counted(struct ctx *c, const struct answers *s)
{
    return arena_printf(c->arena, "%zu model%s", s->n, s->n == 1 ? "" : "s");
}

/* ---- the form ---- */

static struct measures_query pair_of(const struct answers_query *q)
{
    return (struct measures_query){.top = q->top, .subset = q->subset, .labels = q->labels, .models = q->models};
}

/* [{value, label, current}] of the sets that may be chosen. NULL with c->err set. */
static json_t *sets_json(struct ctx *c, const struct answers *s)
{
    struct revision_row *list;
    size_t n;
    if (revisions_list(c->db, 0, c->arena, &list, &n, &c->err) != OK) {
        return NULL;
    }
    json_t *sets = json_array();
    for (size_t i = 0; i < n; i++) {
        const char *name = set_title(c->arena, &list[i]);
        if (set_scoreable(&list[i])) {
            object_add(sets, field_text("value", name), field_text("label", name), field_bool("current", list[i].id == s->r.id));
        }
    }
    return sets;
}

json_t *answers_form(struct ctx *c, const struct answers *s, const char *path, uint32_t sealed, json_t *keep)
{
    const struct measures_query pair = pair_of(&s->q);
    struct label_choice *labels;
    size_t n_labels;
    struct subset asked;
    json_t *sets = label_pick_choices(c->db, c->arena, &labels, &n_labels, &c->err) == OK &&
                           set_part_asked(c, s->q.subset, SV(""), &asked) == OK
                       ? sets_json(c, s)
                       : NULL;
    if (!sets) {
        json_decref(keep);
        return NULL;
    }
    const struct sv title = sv_of(set_title(c->arena, &s->r));
    return object(field_json("sections", measures_tabs_of(c, &pair, title, path)), field_text("action", path), field_json("none", json_null()),
                  field_json("sets", sets), field_json("subsets", model_choice_subsets(c, s->q.subset, &asked, false)), field_bool("any_labels", n_labels > 1), field_text("labels_called", "Right by"), field_bool("any_groups", false), field_bool("any_views", false), field_bool("asks_models", true), field_bool("asks_class", true),
                  field_json("labels", model_choice_labels(labels, n_labels, s->q.labels, &s->subset.labels, false)),
                  field_sv("models", s->q.models), field_sv("class", s->q.wnid), field_bool("top5", s->q.top == 5),
                  field_json("keep", keep ? keep : json_array()), field_sv("set", title), field_text("set_url", set_url(c->arena, &s->r)),
                  field_bool("any", s->n > 0), field_text("counted", answers_counted(c, s)), field_text("part", *s->part ? s->part : NULL),
                  field_json("left_out", answers_left_out(s)), field_bool("any_left_out", s->n_left_out > 0),
                  field_text("sealed", sealed ? data_count(c->arena, sealed) : NULL));
}

/* ---- nothing to show ---- */

enum err_code answers_none(struct ctx *c, const struct answers_query *q, const char *path, const char *template, const char *title)
{
    if (q->set.n || !sv_is(sv_of(c->err.rule), "set")) {
        return c->err.code;
    }
    err_clear(&c->err);
    const struct measures_query pair = pair_of(q);
    json_t *none = measures_none_sets(c);
    return none ? reply_page(c, 200, template, title,
                             object(field_json("sections", measures_tabs_of(c, &pair, SV(""), path)), field_json("none", none)))
                : c->err.code;
}

/* ---- classes ---- */

json_t *class_json(struct ctx *c, struct sv wnid)
{
    return wnid.n ? object(field_text("name", data_class_called(c, wnid)), field_sv("wnid", wnid),
                           field_text("url", arena_printf(c->arena, "/classes/" SV_FMT, SV_ARG(wnid))))
                  : json_null();
}

json_t *class_named_json(struct ctx *c, struct sv wnid, struct sv synset, bool is_class)
{
    return wnid.n ? object(field_text("name", data_class_name(c->arena, synset, wnid)), field_sv("wnid", wnid),
                           field_text("url", is_class ? arena_printf(c->arena, "/classes/" SV_FMT, SV_ARG(wnid)) : NULL))
                  : json_null();
}
