/* sources.c - which predictions score one model on one set, what its other sources say
 * about the same images, and choosing one of these. The rule is that of measures/scores/score_fold.h. Rows in
 * routes.c; templates/models/sources. */
#include "base/clock.h"
#include "base/map.h"
#include "store/sets/images.h"
#include "store/sets/score_pins.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/records.h"
#include "web/core/reply.h"
#include "web/parts/people_data.h"
#include "web/parts/set_data.h"
#include "web/scoring/model_data.h"

enum { DIFFERENCES_SHOWN = 100 };

struct compared {
    struct model_row model;
    struct revision_row r;
    struct source_score *sources;
    size_t n;
    struct prediction_source *made; /* all of the model, by id */
    size_t n_made;
    struct source_difference *differ;
    size_t n_differ;
    struct score_decision *decision; /* in force about the model; NULL */
};

static enum err_code asked(struct ctx *c, struct sv set, struct compared *out)
{
    *out = (struct compared){.n = 0};
    enum err_code rc = models_find(c->db, c->req->params[0], c->arena, &out->model, &c->err);
    return rc == OK ? set_to_score(c, set, &out->r) : rc;
}

static enum err_code read_decision(struct ctx *c, struct compared *s)
{
    struct score_decision *list;
    size_t n = 0;
    enum err_code rc = score_decisions(c->db, s->r.id, c->arena, &list, &n, &c->err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        s->decision = list[i].model == s->model.id ? &list[i] : s->decision;
    }
    return rc;
}

static enum err_code read_compared(struct ctx *c, struct compared *s)
{
    struct model_scores *scores = app_model_scores(c->app);
    enum err_code rc = asked(c, request_query(c->req, "set"), s);
    rc = rc == OK ? model_scores_sources(scores, c->db, &s->r, s->model.id, c->arena, &s->sources,
                                         &s->n, &c->err)
                  : rc;
    if (rc == OK && s->n > 1) {
        rc = model_scores_differences(scores, c->db, &s->r, s->model.id, 0, c->arena, &s->differ,
                                      &s->n_differ, &c->err);
    }
    rc = rc == OK ? predictions_sources(c->db, s->model.id, c->arena, &s->made, &s->n_made, &c->err)
                  : rc;
    return rc == OK ? read_decision(c, s) : rc;
}

/* ---- sources ---- */

static size_t differing(const struct compared *s, int64_t source)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n_differ; i++) {
        n += s->differ[i].source == source;
    }
    return n;
}

static const struct prediction_source *made_of(const struct compared *s, int64_t id)
{
    for (size_t i = 0; i < s->n_made; i++) {
        if (s->made[i].id == id) {
            return &s->made[i];
        }
    }
    return NULL;
}

struct source_face {
    struct source_score s;
    const char *about, *at, *images_text, *counted_text, *differs_text;
    size_t differs;
    bool is_import, counts;
    json_t *top1, *top5;
};
#define OF(member) RECORD_OF(struct source_face, member)
static RECORD(source_record, struct source_face, "source_on_set", "A source of a model's predictions on a revision.",
              {"source", OF(s.source), .about = "Its number."},
              {"made_by", OF(s.made_by), .about = "The file's name, or which run it is."},
              {"is_import", OF(is_import), .about = "Whether it is a file."},
              {"about", OF(about), .about = "What it was made for: this set, another set or any set."},
              {"at", OF(at), .about = "When it began, in UTC to the minute."},
              {"images", OF(s.predicted), .about = "Images of the revision that it has predictions about."},
              {"images_text", OF(images_text), .about = "The same for people."},
              {"counted", OF(s.counted), .about = "Images of the revision that it scores."},
              {"counted_text", OF(counted_text), .about = "The same for people."},
              {"top1", OF(top1), .of = &accuracy_record, .maybe = true, .about = "How often its first label is right; null: no images."},
              {"top5", OF(top5), .of = &accuracy_record, .maybe = true, .about = "How often one of its first five is; null: it has fewer."},
              {"differs", OF(differs), .about = "Images about which it says other labels than the source that counts."},
              {"differs_text", OF(differs_text), .about = "The same for people."},
              {"counts", OF(counts), .about = "Whether it scores any image."},
              {"chosen", OF(s.decided), .about = "Whether somebody chose it."});
#undef OF

static json_t *source_row(struct ctx *c, const struct compared *s, const struct source_score *u)
{
    struct arena *a = c->arena;
    const struct prediction_source *p = made_of(s, u->source);
    bool set_own = p && p->list.n == SET_DIGEST && memcmp(p->list.p, s->r.digest, SET_DIGEST) == 0;
    size_t differs = differing(s, u->source);
    const struct source_face face = {
        .s = *u,
        .about = !p || !p->list.n ? "any set" : set_own ? "this set" : "another set",
        .at = people_minute(a, p ? p->at : 0),
        .images_text = data_count(a, u->predicted),
        .counted_text = data_count(a, u->counted),
        .differs_text = u->counted == s->r.images ? "\xe2\x80\x93" : data_count(a, (int64_t)differs),
        .differs = differs,
        .is_import = p && sv_is(p->kind, "import"),
        .counts = u->counted > 0,
        .top1 = set_data_score(a, u->top1, u->predicted),
        .top5 = u->k >= 5 ? set_data_score(a, u->topk, u->predicted) : NULL};
    return record_json(&source_record, &face);
}

static json_t *sources_json(struct ctx *c, const struct compared *s)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < s->n; i++) {
        json_t *row = source_row(c, s, &s->sources[i]);
        BUG_IF(!row);
        json_array_append_new(rows, row);
    }
    return rows;
}

/* ---- differences ---- */

static const char *label_text(struct ctx *c, const struct class_info *classes, const struct map_u64 *by_cid,
                              uint16_t cid)
{
    uint32_t at = map_u64_get(by_cid, cid);
    if (cid == PREDICTION_NONE) {
        return "no class";
    }
    return at == MAP_NONE ? "not in this project" : data_synset(c->arena, classes[at].synset, ", ");
}

struct difference_face {
    struct source_difference d;
    struct sv image, label;
    const char *url, *said, *other_said;
};
#define OF(member) RECORD_OF(struct difference_face, member)
static RECORD(disagreement_record, struct difference_face, "source_difference", "An image about which two sources say different labels.",
              {"image", OF(image), .about = "Its name."},
              {"url", OF(url), .about = "The address of its page."},
              {"label", OF(label), .about = "The class that it has in the set."},
              {"said", OF(said), .about = "The first label of the source that counts, for people."},
              {"source", OF(d.counts.source), .about = "That source's number."},
              {"other_said", OF(other_said), .about = "The first label of the other source."},
              {"other_source", OF(d.source), .about = "That one's number."});
#undef OF

/* The first of them; NULL with c->err set. */
static json_t *differences_json(struct ctx *c, const struct compared *s)
{
    struct class_info *classes;
    struct set_image *image;
    struct map_u64 by_cid;
    size_t n_classes = 0, found;
    json_t *rows = json_array();
    enum err_code rc = classes_list(c->db, c->arena, &classes, &n_classes, &c->err);
    map_u64_init(&by_cid);
    for (size_t i = 0; i < n_classes; i++) {
        map_u64_put(&by_cid, (uint64_t)classes[i].cid, (uint32_t)i);
    }
    for (size_t i = 0; i < s->n_differ && i < DIFFERENCES_SHOWN && rc == OK; i++) {
        const struct source_difference *d = &s->differ[i];
        rc = set_images_list(c->db, s->r.list, 0, d->position, 1, c->arena, &image, &found, &c->err);
        if (rc != OK || found == 0) {
            continue;
        }
        const struct difference_face face = {*d, image->name, image->wnid, arena_printf(c->arena, "/images/%u", d->image),
                                             label_text(c, classes, &by_cid, d->counts.p.labels[0]),
                                             label_text(c, classes, &by_cid, d->other.labels[0])};
        json_array_append_new(rows, record_json(&disagreement_record, &face));
    }
    map_u64_release(&by_cid);
    if (rc != OK) {
        json_decref(rows);
        return NULL;
    }
    return rows;
}

/* ---- the page ---- */

struct decision_face {
    struct score_decision d;
    const char *at;
};
#define OF(member) RECORD_OF(struct decision_face, member)
static RECORD(decision_record, struct decision_face, "source_choice", "Somebody's choice of a source.",
              {"source", OF(d.source), .about = "The source's number."},
              {"reason", OF(d.reason), .about = "Why it was chosen."},
              {"at", OF(at), .about = "When, in UTC to the minute."});
#undef OF

struct compared_face {
    struct compared s;
    const char *url, *set, *set_url, *differing_text;
    bool frozen, any_differences, more, any_choice, decided;
    struct decision_face decision;
    json_t *sources, *differences;
};
#define OF(member) RECORD_OF(struct compared_face, member)
RECORD(sources_record, struct compared_face, "sources_on_set", "Which predictions score a model on a revision.",
       {"name", OF(s.model.name), .about = "The model's name."},
       {"url", OF(url), .about = "The address of its page."},
       {"set", OF(set), .about = "The revision, SET/NUMBER."},
       {"set_url", OF(set_url), .about = "The address of its page."},
       {"frozen", OF(frozen), .about = "Whether it is frozen or released."},
       {"sources", OF(sources), RECORD_LIST, .of = &source_record, .about = "The model's sources with predictions about it."},
       {"decision", RECORD_PART(struct compared_face, decision), RECORD_IF(struct compared_face, decided),
        .of = &decision_record, .about = "The choice in force; null: nobody chose."},
       {"differences", OF(differences), RECORD_LIST, .of = &disagreement_record,
        .about = "The first images about which another source says other labels."},
       {"differing", OF(s.n_differ), .about = "How many such differences there are."},
       {"differing_text", OF(differing_text), .about = "The same for people."},
       {"any_differences", OF(any_differences), .about = "Whether there are any."},
       {"more", OF(more), .about = "Whether there are more than are listed."},
       {"any_choice", OF(any_choice), .about = "Whether there is more than one source."});
#undef OF

static json_t *compared_json(struct ctx *c, const struct compared *s)
{
    json_t *differences = differences_json(c, s);
    if (!differences) {
        return NULL;
    }
    struct compared_face face = {.s = *s,
                                 .url = arena_printf(c->arena, "/models/" SV_FMT, SV_ARG(s->model.name)),
                                 .set = set_title(c->arena, &s->r),
                                 .set_url = set_url(c->arena, &s->r),
                                 .differing_text = data_count(c->arena, (int64_t)s->n_differ),
                                 .frozen = s->r.state >= REVISION_FROZEN,
                                 .any_differences = s->n_differ > 0,
                                 .more = s->n_differ > DIFFERENCES_SHOWN,
                                 .any_choice = s->n > 1,
                                 .decided = s->decision != NULL,
                                 .sources = sources_json(c, s),
                                 .differences = differences};
    if (s->decision) {
        face.decision = (struct decision_face){*s->decision, people_minute(c->arena, s->decision->at)};
    }
    return record_json(&sources_record, &face);
}

/* GET /models/:model/sources?set= */
enum err_code page_model_sources(struct ctx *c)
{
    struct compared s;
    if (read_compared(c, &s) != OK) {
        return c->err.code;
    }
    json_t *page = compared_json(c, &s);
    return page ? reply_page(c, 200, "models/sources",
                             arena_printf(c->arena, "Predictions of " SV_FMT, SV_ARG(s.model.name)),
                             page)
                : c->err.code;
}

/* GET /api/v1/models/:model/sources?set= */
enum err_code api_model_sources(struct ctx *c)
{
    struct compared s;
    if (read_compared(c, &s) != OK) {
        return c->err.code;
    }
    json_t *body = compared_json(c, &s);
    return body ? reply_json(c, 200, body) : c->err.code;
}

/* ---- choosing ---- */

struct choice {
    struct compared s; /* model and revision */
    bool undo;
    int64_t source;    /* 0: none was named, or it is no number */
};

static enum err_code read_choice(struct ctx *c, struct choice *out)
{
    struct sv set = form_get(&c->form, "set");
    *out = (struct choice){.undo = form_get(&c->form, "undo").n > 0};
    sv_i64(form_get(&c->form, "source"), &out->source);
    return set.n ? asked(c, set, &out->s)
                 : err_rule(&c->err, ERR_INPUT, "set", "The form names no set. Nothing was changed.");
}

/* Before the writer: whether the source has predictions about the set, which it never loses. Reads them all when
 * nobody has asked for a while. */
enum err_code page_model_sources_check(struct ctx *c)
{
    struct choice it;
    struct source_score *list;
    size_t n = 0, at = 0;
    enum err_code rc = read_choice(c, &it);
    if (rc != OK || it.undo) {
        return rc;
    }
    rc = model_scores_sources(app_model_scores(c->app), c->db, &it.s.r, it.s.model.id, c->arena, &list, &n,
                              &c->err);
    while (rc == OK && at < n && list[at].source != it.source) {
        at++;
    }
    return rc != OK || at < n ? rc
                              : err_rule(&c->err, ERR_NOT_FOUND, "score-source",
                                         "The model has no such source of predictions about this set. "
                                         "Nothing was changed.");
}

/* POST /models/:model/sources: set, reason, and source or undo */
enum err_code page_model_sources_choose(struct ctx *c)
{
    struct sv reason = sv_trim(form_get(&c->form, "reason"));
    struct choice it;
    enum err_code rc = read_choice(c, &it);
    const struct compared *s = &it.s;
    if (rc == OK) {
        int64_t now = clock_wall_ms();
        rc = it.undo ? score_decision_undo(c->db, s->r.id, s->model.id, reason, c->user.account, now,
                                           &c->err)
                     : score_decision_add(c->db, s->r.id, s->model.id, it.source, reason, c->user.account,
                                          now, &c->err);
    }
    return rc == OK ? reply_did(c, model_sources_url(c->arena, s->model.name, &s->r), NULL,
                                it.undo ? "The choice is undone." : "The source is chosen.")
                    : rc;
}
