/* image_objects.c - labels as the task CONTAINS finds them beside what people choose among them, and every answer. Row in
 * routes.c; part of templates/images/show. */
#include "web/images/image_objects.h"

#include <math.h>

#include "json/object.h"
#include "measures/objects/seen_image.h"
#include "view/people_texts.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/records.h"
#include "web/core/reply.h"

bool image_pair_of(struct ctx *c, const struct counted_view *view, int64_t image, int64_t class_id, struct tally_pair *out)
{
    if (!view) {
        tally_read_lock(app_tally(c->app));
        const struct tally_pair *p = tally_find(app_tally(c->app), image, class_id);
        *out = p ? *p : (struct tally_pair){0};
        tally_read_unlock(app_tally(c->app));
        return p;
    }
    const struct view_counts *n = &view->counts;
    for (size_t i = 0; i < n->n; i++) {
        if (n->image[i] == image && n->class_id[i] == class_id) {
            *out = (struct tally_pair){.shown = n->shown[i], .selected = n->selected[i],
                                       .role = (unsigned)n->role[i] & 3};
            return true;
        }
    }
    return false;
}

/* What CONTAINS says of the same labels, under the same view. */
static enum err_code add_contains(struct ctx *c, struct sv view, int64_t image, struct seen_facts *f)
{
    const struct counted_view *counted = NULL;
    struct tally_pair p;
    enum err_code rc = view_choice_is_default(view) || !f->there ? OK : view_choice_get(c, view, &counted);
    for (size_t i = 0; i < f->n_labels && rc == OK; i++) {
        struct seen_label *l = &f->labels[i];
        l->asked = image_pair_of(c, counted, image, l->class_id, &p) && p.shown;
        l->found = l->asked ? p.selected : 0;
        l->shown = l->asked ? p.shown : 0;
        l->frequency = l->asked ? (double)p.selected / p.shown : 0;
    }
    view_choice_put(counted);
    return rc;
}

static enum err_code make(struct ctx *c, int64_t image, struct sv view, struct seen_facts *f)
{
    struct vote_view v;
    enum err_code rc = views_find(c->db, view, c->arena, &v, &c->err);
    rc = rc == OK ? seen_facts_make(c->db, &v, image, true, c->arena, f, &c->err) : rc;
    return rc == OK ? add_contains(c, view, image, f) : rc;
}

/* ---- the page ---- */

static const char *percent(struct ctx *c, double share)
{
    return isnan(share) ? NULL : arena_printf(c->arena, "%.0f %%", 100 * share);
}

static const char *count_of(struct ctx *c, uint32_t k, uint32_t n) { return arena_printf(c->arena, "%u of %u", k, n); }

static json_t *label_json(struct ctx *c, const struct seen_facts *f, const struct seen_label *l)
{
    return object(field_text("url", arena_printf(c->arena, "/classes/" SV_FMT, SV_ARG(l->wnid))), field_sv("name", l->name),
                  field_sv("wnid", l->wnid), field_bool("set_label", l->set_label),
                  field_bool("is_main", f->enough && sv_eq(l->name, f->main_label)),
                  field_text("main", l->main ? count_of(c, l->main, f->responses) : NULL),
                  field_text("selected", f->responses ? count_of(c, l->selected, f->responses) : NULL),
                  field_text("share", percent(c, l->share)),
                  field_text("object", l->in_object ? arena_printf(c->arena, "%u", l->object) : NULL),
                  field_bool("names_object", l->names_object), field_text("of_object", percent(c, l->of_object)),
                  field_text("found", l->asked ? count_of(c, l->found, l->shown) : NULL),
                  field_text("frequency", l->asked ? arena_printf(c->arena, "%.2f", l->frequency) : NULL));
}

static const char *joined(struct ctx *c, const json_t *texts)
{
    const char *text = "";
    size_t i;
    json_t *t;
    json_array_foreach(texts, i, t)
    {
        text = arena_printf(c->arena, "%s%s%s", text, i ? ", " : "", json_string_value(t));
    }
    return text;
}

static json_t *answer_json(struct ctx *c, const struct seen_answer *w)
{
    return object(field_int("event", w->event), field_sv("who", w->person),
                  field_text("who_url", arena_printf(c->arena, "/workers/" SV_FMT, SV_ARG(w->person))),
                  field_text("at", people_minute(c->arena, w->at)),
                  field_text("seconds", isnan(w->seconds) ? NULL : arena_printf(c->arena, "%.0f s", w->seconds)),
                  field_text("order", joined(c, w->order)), field_text("ticked", joined(c, w->ticked)), field_sv("main", w->main),
                  field_bool("none", w->main.n == 0));
}

/* Sentences about how sure all that is. */
static json_t *terms_json(struct ctx *c, const struct seen_facts *f)
{
    json_t *terms = json_array();
    data_term(terms, "Answers", arena_printf(c->arena, "%u%s", f->responses,
                                             f->none ? arena_printf(c->arena, ", and %u with none of these", f->none) : ""));
    if (!f->enough) {
        return terms;
    }
    data_term(terms, "Objects", arena_printf(c->arena, "%u%s", f->n, f->n_tied ? " (another number is as frequent)" : ""));
    data_term(terms, "Main label", arena_printf(c->arena, SV_FMT ", by %s of the answers%s", SV_ARG(f->main_label),
                                                percent(c, f->main_agreement), f->main_tied ? " (another is as frequent)" : ""));
    data_term(terms, "Set\xe2\x80\x99s label", f->label_objects == 0 ? "of no object"
                                               : f->label_objects == 1 ? "of the main object"
                                                                       : "of another object than the main one");
    data_term(terms, "Labels ticked together in one object", arena_printf(c->arena, "%lld times", (long long)f->within_cost));
    data_term(terms, "Other ways to part them as well", arena_printf(c->arena, "%lld", (long long)f->n_optimal - 1));
    if (f->stable) {
        data_term(terms, arena_printf(c->arena, "Without %u of the people", f->responses - f->kept),
                  arena_printf(c->arena, "same objects in %s, as many in %s, same main label in %s of %lld subsets", percent(c, f->same),
                               percent(c, f->same_n), percent(c, f->same_main), (long long)f->subsets));
    }
    return terms;
}

static json_t *facts_json(struct ctx *c, int64_t image, struct sv view, const struct seen_facts *f)
{
    json_t *labels = json_array(), *list = json_array();
    for (size_t i = 0; i < f->n_labels; i++) {
        json_array_append_new(labels, label_json(c, f, &f->labels[i]));
    }
    for (size_t i = 0; i < f->n_list; i++) {
        json_array_append_new(list, answer_json(c, &f->list[i]));
    }
    return object(field_bool("any", f->there), field_bool("enough", f->enough), field_json("terms", f->there ? terms_json(c, f) : json_array()),
                  field_json("labels", labels), field_json("list", list), field_sv("source", f->source),
                  field_text("source_url", arena_printf(c->arena, "/label-sources/classify@" SV_FMT, SV_ARG(view))),
                  field_text("json_url", arena_printf(c->arena, "/api/v1/images/%lld/objects%s", (long long)image,
                                                      view_choice_query(c->arena, view, true))));
}

json_t *image_objects_json(struct ctx *c, int64_t image, struct sv view)
{
    struct seen_facts f = {.n_list = 0};
    json_t *all = make(c, image, view, &f) == OK ? facts_json(c, image, view, &f) : NULL;
    seen_facts_release(&f);
    return all;
}

/* ---- for scripts ---- */

/* GET /api/v1/images/:image/objects?view= */
enum err_code api_image_objects(struct ctx *c)
{
    struct seen_facts f = {.n_list = 0};
    int64_t image;
    struct image_row row;
    if (!sv_i64(c->req->params[0], &image)) {
        return err_rule(&c->err, ERR_NOT_FOUND, "no-image", "There is no such image.");
    }
    if (images_get(c->db, image, c->arena, &row, &c->err) != OK) {
        return c->err.code;
    }
    if (make(c, image, view_choice_asked(c), &f) != OK) {
        seen_facts_release(&f);
        return c->err.code;
    }
    return reply_json(c, 200, record_json(&seen_facts_record, &f));
}
