/* model.c - one model: what it is, where its predictions come from, how it does on every set,
 * class by class, its surest mistakes; its note, and removing it. Rows in routes.c;
 * templates/models/show. */
#include "base/clock.h"
#include "json/object.h"
#include "measures/scores/model_scores.h"
#include "store/core/events.h"
#include "store/images/images.h"
#include "store/models/model_facts.h"
#include "store/models/models.h"
#include "store/sets/sets.h"
#include "web/core/app.h"
#include "web/core/charts.h"
#include "web/core/form_refused.h"
#include "web/core/lists.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/models/class_scores.h"
#include "web/models/texts.h"
#include "web/parts/people_data.h"
#include "web/parts/set_data.h"
#include "web/scoring/model_data.h"
#include "web/scoring/model_jobs.h"
#include "web/scoring/model_rows.h"

enum { CLASSES_A_PAGE = 50, NOTE_MOST = 2000, REASON_MOST = 500, MISTAKES_SHOWN = 24 };

/* ---- the surest mistakes ---- */

static json_t *short_class(struct ctx *c, const struct class_info *k)
{
    return k ? object(
                   field_text("synset", data_synset(c->arena, k->synset, ", ")),
                   field_text("url", arena_printf(c->arena, "/classes/" SV_FMT, SV_ARG(k->wnid))))
             : json_null();
}

static const struct class_info *by_id(const struct class_info *classes, size_t n, int64_t id)
{
    for (size_t i = 0; i < n; i++) {
        if (classes[i].id == id) {
            return &classes[i];
        }
    }
    return NULL;
}

static const struct class_info *by_cid(const struct class_info *classes, size_t n, int64_t cid)
{
    for (size_t i = 0; i < n; i++) {
        if (classes[i].cid == cid) {
            return &classes[i];
        }
    }
    return NULL;
}

static json_t *card(struct ctx *c, const struct confident_mistake *m, const struct image_row *image,
                    const struct class_info *label, const struct class_info *said)
{
    const char *url = arena_printf(c->arena, "/images/%u", m->image);
    const char *thumb = arena_printf(c->arena, "%s/grid", url);
    return object(field_sv("name", image->name), field_text("url", url),
                  field_text("thumb_url", image->source ? thumb : NULL),
                  field_bool("hidden", app_image_hidden(c->app, m->image)),
                  field_json("label", short_class(c, label)),
                  field_json("said", short_class(c, said)),
                  field_text("probability", arena_printf(c->arena, "%.3f", (double)m->score)));
}

/* Why some are not there; null when none was left out. */
static json_t *left_out_json(struct ctx *c, size_t sealed)
{
    return sealed == 0 ? json_null()
                       : json_string(arena_printf(
                             c->arena,
                             "%s of these images %s in a sealed revision too. What models say about "
                             "%s is not shown until that is frozen.",
                             data_count(c->arena, (int64_t)sealed), sealed == 1 ? "is" : "are",
                             sealed == 1 ? "it" : "them"));
}

/* [{name, url, thumb_url, hidden, label {synset, url}, said (null: a class that is not in the project),
 * probability "0.98"}], the surest first; class_id 0: of all classes. Empty without probabilities. *left_out: why
 * some are not there, or null. New references; NULL with c->err set, and *left_out as it was. */
static json_t *wrong_images_json(struct ctx *c, const struct revision_row *r, const struct model_row *m,
                                 int64_t class_id, json_t **left_out)
{
    struct confident_mistake *list;
    struct class_info *classes;
    size_t n, n_classes, sealed;
    if (model_scores_mistakes(app_model_scores(c->app), c->db, r, m->id, class_id, MISTAKES_SHOWN,
                              c->arena, &list, &n, &sealed, &c->err) != OK ||
        classes_list(c->db, c->arena, &classes, &n_classes, &c->err) != OK) {
        return NULL;
    }
    json_t *cards = json_array();
    for (size_t i = 0; i < n; i++) {
        int64_t id = list[i].image;
        struct image_row image;
        if (images_names(c->db, &id, 1, c->arena, &image, &c->err) != OK) {
            json_decref(cards);
            return NULL;
        }
        json_array_append_new(cards, card(c, &list[i], &image,
                                          by_id(classes, n_classes, list[i].class_id),
                                          by_cid(classes, n_classes, list[i].said)));
    }
    *left_out = left_out_json(c, sealed);
    return cards;
}

/* ---- what is asked for ---- */

struct query {
    struct sv set, wnid; /* wnid: of the class whose mistakes are shown */
    int top, sort;
    bool falling;
    int64_t page;
};

static const struct list_word tops[] = {{"1", "Top-1", 1}, {"5", "Top-5", 5}, {0}};
static const struct list_word sorts[] = {
    {"accuracy", "Accuracy", CLASS_SCORE_ACCURACY},
    {"wrong", "Wrong at top-1", CLASS_SCORE_WRONG},
    {"name", "Class", CLASS_SCORE_NAME},
    {"wnid", "wnid", CLASS_SCORE_WNID},
    {0},
};

/* The worst comes first. */
static bool falls(int sort)
{
    return sort == CLASS_SCORE_WRONG;
}

#define AT(member) .at = offsetof(struct query, member)
static const struct list_param params[] = {
    {"set", LIST_TEXT, AT(set)},
    {"top", LIST_WORD, AT(top), .words = tops},
    {"sort", LIST_WORD, AT(sort), .words = sorts},
    {"order", LIST_ORDER, AT(falling)},
    {"class", LIST_TEXT, AT(wnid)},
    {"page", LIST_NUMBER, AT(page), .least = 1, .most = INT32_MAX, .moment = true},
    {0},
};
static const struct list_table table = {params, sizeof(struct query), &params[2], falls};
static const struct query usual = {.top = 1, .page = 1};

struct shown {
    struct model_row model;
    struct model_on *on; /* every set that it has predicted */
    size_t n;
    const struct model_on *chosen; /* whose classes and mistakes are shown; NULL: none */
    struct revision_row asked;     /* the set asked for, when it has no predictions: asked.id */
    struct query q;                /* its set: the chosen one */
    struct class_info k;           /* whose mistakes; id 0: all */
};

/* The set asked for, else the newest new one that it has predicted, else any. */
static enum err_code choose(struct ctx *c, struct shown *s)
{
    struct sv asked = s->q.set;
    if (asked.n && (revisions_find(c->db, asked, c->arena, &s->asked, &c->err) != OK ||
                    revision_may_be_scored(&s->asked, &c->err) != OK)) {
        return c->err.code;
    }
    for (size_t i = 0; i < s->n; i++) {
        const struct revision_row *r = s->on[i].r;
        bool newer = !s->chosen || (sv_is(r->role, "new") && !sv_is(s->chosen->r->role, "new")) ||
                     (sv_eq(r->role, s->chosen->r->role) && r->id > s->chosen->r->id);
        if (asked.n ? r->id == s->asked.id : newer) {
            s->chosen = &s->on[i];
        }
    }
    s->q.set = s->chosen ? sv_of(set_title(c->arena, s->chosen->r)) : asked;
    return OK;
}

static enum err_code read_shown(struct ctx *c, struct shown *s)
{
    *s = (struct shown){.n = 0};
    if (models_find(c->db, c->req->params[0], c->arena, &s->model, &c->err) != OK ||
        list_read(c, &table, &usual, &s->q) != OK ||
        (s->q.wnid.n && classes_find(c->db, s->q.wnid, c->arena, &s->k, &c->err) != OK) ||
        model_data_on(c, &s->model, &s->on, &s->n) != OK) {
        return c->err.code;
    }
    return choose(c, s);
}

/* ---- addresses ---- */

static const char *model_url(struct arena *a, const struct model_row *m)
{
    return arena_printf(a, "/models/" SV_FMT, SV_ARG(m->name));
}

/* `q` may be a changed copy of what is shown. */
static const char *shown_url(struct ctx *c, const struct shown *s, const struct query *q, bool moment)
{
    return list_url(c, &table, model_url(c->arena, &s->model), &usual, q, moment);
}

/* ---- scores on every set ---- */

const char *model_sources_url(struct arena *a, struct sv model, const struct revision_row *r)
{
    return arena_printf(a, "/models/" SV_FMT "/sources?set=%s", SV_ARG(model), set_title(a, r));
}

static json_t *scores_json(struct ctx *c, const struct shown *s)
{
    json_t *list = json_array();
    for (size_t i = 0; i < s->n; i++) {
        const struct model_score *m = &s->on[i].score;
        const struct revision_row *r = s->on[i].r;
        struct query here = s->q;
        here.set = sv_of(set_title(c->arena, r));
        json_t *top5 = model_score_knows(m, 5)
                           ? set_data_cell(c->arena, m->topk, m->predicted, m->images)
                           : json_null();
        object_add(
            list, field_text("set", set_title(c->arena, r)),
            field_text("url", set_url(c->arena, r)),
            field_text("here_url", shown_url(c, s, &here, false)),
            field_sv("role", r->role),
            field_json("top1", set_data_cell(c->arena, m->top1, m->predicted, m->images)),
            field_json("top5", top5), field_bool("mixed", m->sources > 1),
            field_sv("made_by", m->made_by),
            field_text("sources_url", model_sources_url(c->arena, s->model.name, r)),
            field_text("others", m->others == 1
                                     ? "1 other does not count"
                                     : arena_printf(c->arena, "%u others do not count", m->others)),
            field_bool("any_others", m->others > 0), field_bool("at_chance", s->on[i].at_chance),
            field_bool("current", s->chosen == &s->on[i]));
    }
    return list;
}

/* The gap on the set shown, if it is a new one, else on the newest, against the newest originals; null without a pair
 * that the model has predicted. NULL with c->err set. */
static json_t *gap_json(struct ctx *c, const struct shown *s)
{
    struct model_query q = {.top = s->q.top, .sort = MODEL_RANK};
    struct model_table t;
    if (!s->chosen || s->model.removed) {
        return json_null();
    }
    if (sv_is(s->chosen->r->role, "new")) {
        q.sets[SIDE_NEW] = sv_of(set_title(c->arena, s->chosen->r));
    }
    return model_table_make(c, &q, &t) == OK && model_table_gaps(c, &t, false) == OK
               ? model_rows_one(c, &t, s->model.id)
               : NULL;
}

/* The sets on which it is right no more often than chance; null for none. */
static json_t *chance_text(struct ctx *c, const struct shown *s)
{
    const char *names = "";
    for (size_t i = 0; i < s->n; i++) {
        if (s->on[i].at_chance) {
            names = arena_printf(c->arena, "%s%s%s", names, names[0] ? ", " : "",
                                 set_title(c->arena, s->on[i].r));
        }
    }
    return names[0] ? json_string(names) : json_null();
}

/* ---- class by class ---- */

static json_t *class_row(struct ctx *c, const struct shown *s, const struct class_score_line *l)
{
    uint32_t right = s->q.top == 1 ? l->score.top1 : l->score.topk;
    struct query own = s->q;
    own.wnid = l->info->wnid;
    return object(
        field_text("synset", data_synset(c->arena, l->info->synset, ", ")),
        field_text("url", arena_printf(c->arena, "/classes/" SV_FMT, SV_ARG(l->info->wnid))),
        field_sv("wnid", l->info->wnid),
        field_json("score", set_data_cell(c->arena, right, l->score.predicted, l->score.images)),
        field_text("wrong", data_count(c->arena, l->score.predicted - l->score.top1)),
        field_text("mistakes_url", arena_printf(c->arena, "%s#mistakes-head", shown_url(c, s, &own, own.page > 1))),
        field_bool("any_wrong", l->score.predicted > l->score.top1));
}

static json_t *tops_json(struct ctx *c, const struct shown *s)
{
    json_t *list = json_array();
    for (const struct list_word *w = tops; w->word; w++) {
        struct query other = s->q;
        other.top = w->value;
        object_add(list, field_text("label", w->label), field_text("url", shown_url(c, s, &other, false)),
                   field_bool("current", w->value == s->q.top));
    }
    return list;
}

/* null without predictions; NULL with c->err set. */
static json_t *classes_json(struct ctx *c, const struct shown *s)
{
    const struct query *q = &s->q;
    struct class_scores all;
    if (!s->chosen) {
        return json_null();
    }
    const struct chart_ask ask = {.model = s->model.name, .top = q->top == 5 ? SV("5") : SV(""), .set = q->set};
    if (class_scores_make(c, s->chosen->r, s->model.id, q->top, q->sort, q->falling, &all) != OK) {
        return NULL;
    }
    json_t *chart = charts_data(c, "model-classes", &ask);
    if (!chart) {
        return NULL;
    }
    const struct list_page part = list_page_of((int64_t)all.n, CLASSES_A_PAGE, q->page);
    json_t *rows = json_array();
    for (size_t i = part.skip; i < all.n && i < part.skip + part.most; i++) {
        json_array_append_new(rows, class_row(c, s, &all.lines[i]));
    }
    return object(
        field_json("chart", chart), field_json("rows", rows), field_json("tops", tops_json(c, s)),
        field_json("heads", list_heads(c, &table, model_url(c->arena, &s->model), &usual, q)),
        field_json("pages", list_page_links(c, &part, shown_url(c, s, q, false), "#classes-head")),
        field_text("pages_label", "Pages of classes"));
}

/* ---- the page ---- */

static void add_about(struct ctx *c, json_t *page, const struct shown *s)
{
    const struct model_row *m = &s->model;
    bool import = sv_is(m->kind, "import");
    const char *here = shown_url(c, s, &s->q, s->q.page > 1);
    json_object_set_new(page, "name", data_text(m->name));
    json_object_set_new(page, "url", json_string(model_url(c->arena, m)));
    json_object_set_new(page, "is_import", json_boolean(import));
    json_object_set_new(page, "removed", json_boolean(m->removed));
    json_object_set_new(page, "note", data_text(m->note));
    json_object_set_new(page, "paragraphs", data_paragraphs(m->note));
    json_object_set_new(page, "facts", model_data_facts(c, m));
    json_object_set_new(page, "recipe", model_data_recipe(c, m->recipe));
    json_object_set_new(page, "any_recipe", json_boolean(m->recipe.n > 2));
    json_object_set_new(page, "scores", scores_json(c, s));
    json_object_set_new(page, "any_scores", json_boolean(s->n > 0));
    json_object_set_new(page, "at_chance", chance_text(c, s));
    json_object_set_new(page, "set",
                        s->chosen ? json_string(set_title(c->arena, s->chosen->r)) : json_null());
    json_object_set_new(page, "nothing_on",
                        s->asked.id && !s->chosen ? json_string(set_title(c->arena, &s->asked))
                                                  : json_null());
    json_object_set_new(page, "can_run",
                        json_boolean(!import && !m->removed && c->user.role >= ROLE_LEAD));
    json_object_set_new(page, "class", s->k.id ? data_class(c->arena, &s->k) : json_null());
    json_object_set_new(page, "class_wnid", data_text(s->k.id ? s->k.wnid : SV("")));
    json_object_set_new(page, "keep", list_keep(c, &table, "class"));
    json_object_set_new(page, "live", data_live("jobs,models", here));
}

/* [{name, label, hint, value, number}]: the form's fields. NULL with c->err set. */
static json_t *said_json(struct ctx *c, const struct model_row *m)
{
    struct model_facts facts;
    json_t *list = json_array();
    if (model_facts_of(c->db, m->id, c->arena, &facts, &c->err) != OK) {
        json_decref(list);
        return NULL;
    }
    for (size_t i = 0; i < MODEL_FACTS; i++) {
        const struct model_fact *fact = &model_fact_list[i];
        object_add(list, field_text("name", fact->name), field_text("label", fact->label), field_text("hint", fact->hint),
                   field_sv("value", model_facts_get(&facts, fact, c->arena)), field_bool("number", fact->number));
    }
    return list;
}

/* What may fail; false with c->err set. */
static bool add_parts(struct ctx *c, json_t *page, const struct shown *s)
{
    struct model_jobs jobs;
    struct revision_row *revisions;
    size_t n;
    json_t *sources = model_data_sources(c, &s->model);
    json_object_set_new(page, "sources", sources);
    json_t *features = model_data_features(c, &s->model);
    json_object_set_new(page, "features", features);
    json_t *said = said_json(c, &s->model);
    json_object_set_new(page, "said", said);
    if (!sources || !features || !said || model_jobs_open(c, &jobs) != OK ||
        revisions_list(c->db, 0, c->arena, &revisions, &n, &c->err) != OK) {
        return false;
    }
    json_object_update_new(page, object(field_text("mixed", model_data_mixed(c, sources))));
    json_object_set_new(page, "any_sources", json_boolean(json_array_size(sources) > 0));
    json_object_set_new(page, "any_features", json_boolean(json_array_size(features) > 0));
    json_object_set_new(page, "job", model_jobs_json(c, &jobs, s->model.name));
    json_object_set_new(page, "runs", model_rows_runs(c, revisions, n));
    json_t *gap = gap_json(c, s);
    json_object_set_new(page, "gap", gap);
    json_t *texts = gap ? model_texts_json(c, &s->model, s->chosen ? s->chosen->r : NULL, s->q.set) : NULL;
    json_object_set_new(page, "texts", texts);
    json_t *classes = texts ? classes_json(c, s) : NULL;
    json_object_set_new(page, "classes", classes);
    json_t *left_out = NULL;
    json_t *mistakes = !classes    ? NULL
                       : s->chosen ? wrong_images_json(c, s->chosen->r, &s->model, s->k.id, &left_out)
                                   : json_null();
    json_object_set_new(page, "mistakes", mistakes);
    json_object_set_new(page, "left_out", left_out ? left_out : json_null());
    return mistakes != NULL;
}

/* GET /models/:model?set=&top=&sort=&order=&class=&page= */
enum err_code page_model(struct ctx *c)
{
    struct shown s;
    if (read_shown(c, &s) != OK) {
        return c->err.code;
    }
    json_t *page = json_object();
    add_about(c, page, &s);
    if (!add_parts(c, page, &s)) {
        json_decref(page);
        return c->err.code;
    }
    return reply_page(c, 200, "models/show", arena_cstr(c->arena, s.model.name), page);
}

/* ---- writes ---- */

/* What the form says, each wrong field with its message. */
static enum err_code read_facts(struct ctx *c, struct model_facts *out)
{
    *out = (struct model_facts){.year = 0};
    for (size_t i = 0; i < MODEL_FACTS; i++) {
        const struct model_fact *fact = &model_fact_list[i];
        struct err why = {OK, "", ""};
        if (model_facts_set(out, fact, form_get(&c->form, fact->name), &why) != OK) {
            form_wrong(c, fact->name, "%s", why.msg);
        }
    }
    return c->err.code;
}

/* POST /models/:model/facts: the fields of domain/scores/model_facts.h; an empty one is not said. */
enum err_code page_model_facts(struct ctx *c)
{
    struct model_row m;
    struct model_facts was, now;
    int64_t event;
    if (models_find(c->db, c->req->params[0], c->arena, &m, &c->err) != OK || read_facts(c, &now) != OK ||
        model_facts_of(c->db, m.id, c->arena, &was, &c->err) != OK) {
        return c->err.code;
    }
    const char *url = model_url(c->arena, &m);
    struct undo undo = {.action = arena_printf(c->arena, "%s/facts", url)};
    for (size_t i = 0; i < MODEL_FACTS; i++) {
        undo.fields[i].name = model_fact_list[i].name;
        undo.fields[i].value = arena_cstr(c->arena, model_facts_get(&was, &model_fact_list[i], c->arena));
    }
    enum err_code rc = events_add(c->db, clock_wall_ms(), c->user.account, "model.facts", m.id, NULL, &event, &c->err);
    rc = rc == OK ? model_facts_put(c->db, event, m.id, &now, &c->err) : rc;
    return rc == OK ? reply_did(c, url, &undo, "What " SV_FMT " is has been saved.", SV_ARG(m.name)) : rc;
}

/* POST /models/:model/note: note */
enum err_code page_model_note(struct ctx *c)
{
    struct model_row m;
    struct sv note = sv_trim(form_get(&c->form, "note"));
    if (models_find(c->db, c->req->params[0], c->arena, &m, &c->err) != OK) {
        return c->err.code;
    }
    if (note.n > NOTE_MOST) {
        return err_rule(&c->err, ERR_INPUT, "model-note",
                        "A note can be at most %d bytes long. The old one was kept.", NOTE_MOST);
    }
    enum err_code rc = models_note(c->db, m.id, note, c->user.account, clock_wall_ms(), &c->err);
    const char *url = model_url(c->arena, &m);
    const struct undo undo = {.action = arena_printf(c->arena, "%s/note", url),
                              .fields = {{"note", arena_cstr(c->arena, m.note)}}};
    return rc == OK ? reply_did(c, url, &undo, "The note is saved.") : rc;
}

/* POST /models/:model/remove: reason. Its predictions stay, and it comes back when its file is
 * added again. */
enum err_code page_model_remove(struct ctx *c)
{
    struct model_row m;
    struct model_jobs jobs;
    struct sv reason = sv_trim(form_get(&c->form, "reason"));
    if (models_find(c->db, c->req->params[0], c->arena, &m, &c->err) != OK ||
        model_jobs_open(c, &jobs) != OK) {
        return c->err.code;
    }
    json_t *job = model_jobs_json(c, &jobs, m.name);
    bool busy = json_is_object(job);
    json_decref(job);
    if (busy) {
        return err_rule(&c->err, ERR_CONFLICT, "model-busy",
                        "A job is using this model. The model was kept; cancel the job first.");
    }
    if (reason.n > REASON_MOST) {
        return err_rule(&c->err, ERR_INPUT, "model-reason",
                        "A reason can be at most %d bytes long. The model was kept.", REASON_MOST);
    }
    enum err_code rc =
        models_remove(c->db, m.id, reason, c->user.account, clock_wall_ms(), &c->err);
    return rc == OK ? reply_did(c, "/models", NULL, SV_FMT " is removed. Its predictions are kept.",
                                SV_ARG(m.name))
                    : rc;
}
