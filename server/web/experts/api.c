/* api.c - label reviews for programs: what the pages say and do, under the same rules. Rows in routes.c. */
#include "base/clock.h"
#include "experts/review_facts.h"
#include "json/object.h"
#include "store/labels/label_seen.h"
#include "web/core/pages.h"
#include "web/core/records.h"
#include "web/core/reply.h"
#include "web/core/shown_to.h"
#include "web/experts/review.h"

struct lists {
    struct review_facts *items;
    size_t n;
};
RECORD(label_reviews_record, struct lists, "label_reviews", "Label reviews.",
       {"items", RECORD_ROWS(struct lists, items, n), .of = &review_summary_record, .about = "By name."});

/* GET /api/v1/label-reviews */
enum err_code api_label_reviews(struct ctx *c)
{
    struct label_review_row *rows;
    struct lists l = {.n = 0};
    enum err_code rc = label_reviews_list(c->db, c->user.role >= ROLE_LEAD ? 0 : c->user.account, c->arena, &rows, &l.n, &c->err);
    l.items = arena_calloc(c->arena, l.n + 1, sizeof *l.items);
    for (size_t i = 0; i < l.n && rc == OK; i++) {
        rc = review_summary_read(c->db, &rows[i], c->arena, &l.items[i], &c->err);
    }
    return rc == OK ? reply_json(c, 200, record_json(&label_reviews_record, &l)) : rc;
}

/* GET /api/v1/label-reviews/:list */
enum err_code api_label_review(struct ctx *c)
{
    struct label_review_row r;
    struct review_facts f;
    enum err_code rc = review_open(c, &r);
    if (rc == OK) {
        rc = c->user.role >= ROLE_LEAD ? review_facts_read(c->db, app_model_scores(c->app), &r, c->arena, &f, &c->err)
                                       : review_summary_read(c->db, &r, c->arena, &f, &c->err);
    }
    return rc == OK ? reply_json(c, 200, record_json(&review_facts_record, &f)) : rc;
}

/* POST /api/v1/label-reviews/:list/change: do, login */
enum err_code api_label_review_change(struct ctx *c)
{
    struct label_review_row r;
    struct review_facts f;
    const char *did;
    enum err_code rc = gate_need_json(c);
    rc = rc == OK ? label_reviews_find(c->db, c->req->params[0], c->arena, &r, &c->err) : rc;
    rc = rc == OK ? review_change(c, &r, object_text(c->json, "do"), object_text(c->json, "login"), &did) : rc;
    rc = rc == OK ? label_reviews_find(c->db, c->req->params[0], c->arena, &r, &c->err) : rc;
    rc = rc == OK ? review_summary_read(c->db, &r, c->arena, &f, &c->err) : rc;
    return rc == OK ? reply_json(c, 200, record_json(&review_summary_record, &f)) : rc;
}

/* ---- one image ---- */

struct label_face {
    struct sv wnid, synset, gloss, verdict; /* verdict empty: none */
    int64_t cid, models;
    bool added, suggested, shown; /* shown: models may be */
};
#define OF(member) RECORD_OF(struct label_face, member)
static RECORD(label_record, struct label_face, "label_review_label", "A label that is asked about.",
              {"wnid", OF(wnid), .about = "Its class."}, {"class", OF(cid), .about = "Its number."},
              {"synset", OF(synset), .about = "Its words, joined by |."}, {"gloss", OF(gloss), .about = "What it means."},
              {"verdict", OF(verdict), .maybe = true, .about = "What one said last; null: nothing."},
              {"added", OF(added), .about = "A person added it."},
              {"suggested", OF(suggested), .about = "It is shown that a model suggests it."},
              {"models", OF(models), RECORD_IF(struct label_face, shown), .about = "How many models say it; null until one has saved, and of sealed images."});
#undef OF

struct look_face {
    int64_t id, at;
    bool own;
    struct sv part, problematic, comment;
    json_t *verdicts;
};
#define OF(member) RECORD_OF(struct look_face, member)
static RECORD(look_record, struct look_face, "label_review_look", "What somebody said of an image at one time.",
              {"look", OF(id), .about = "Its number, to agree with it."}, {"own", OF(own), .about = "It was oneself."}, {"at", OF(at), RECORD_MOMENT, .about = "When."},
              {"part", OF(part), .about = "review, repeat or adjudication."},
              {"verdicts", OF(verdicts), .about = "Verdicts by wnid."},
              {"problematic", OF(problematic), .maybe = true, .about = "Why no label can be right; null: it is not problematic."},
              {"comment", OF(comment), .about = "What they wrote."});
#undef OF

struct item_face {
    struct sv list;
    int64_t position, images, look;
    const char *image_url;
    bool again, reviewed;
    struct label_face *labels;
    struct look_face *looks;
    size_t n, n_looks;
};
#define OF(member) RECORD_OF(struct item_face, member)
RECORD(label_review_item_record, struct item_face, "label_review_item", "One image of a label review, as one sees it.",
       {"list", OF(list), .about = "The list."}, {"position", OF(position), .about = "Its place, from 0."},
       {"images", OF(images), .about = "Images of the list."}, {"image_url", OF(image_url), .about = "Its picture."},
       {"again", OF(again), .about = "It is shown once more: say what you see, not what you said."},
       {"reviewed", OF(reviewed), .about = "One has reviewed it."},
       {"look", OF(look), .maybe = true, .about = "What one saved last, for undo; null: nothing."},
       {"labels", RECORD_ROWS(struct item_face, labels, n), .of = &label_record, .about = "In one's own order."},
       {"looks", RECORD_ROWS(struct item_face, looks, n_looks), .of = &look_record, .about = "What everybody said; empty until one has saved, and of sealed images."});
#undef OF

static json_t *verdicts_json(const struct review_item *item, int64_t look, struct arena *a)
{
    json_t *all = json_object();
    for (size_t i = 0; i < item->n_said; i++) {
        const struct label_asked *asked = review_item_said(item, i, look);
        if (asked) {
            json_object_set_new(all, arena_cstr(a, asked->wnid), json_string(label_verdict_word(item->said[i].verdict)));
        }
    }
    return all;
}

static enum err_code reply_item(struct ctx *c, const struct review_item *item, bool again, int status)
{
    const bool shows = item->shows && !again;
    struct item_face f = {.list = item->review.name, .position = item->position, .images = item->review.images, .look = item->look,
                          .image_url = arena_printf(c->arena, "%s/image", review_item_url(c, item->review.name, item->position)),
                          .again = again, .reviewed = item->saved, .n = item->n, .n_looks = shows ? item->n_looks : 0};
    f.labels = arena_calloc(c->arena, item->n + 1, sizeof *f.labels);
    f.looks = arena_calloc(c->arena, item->n_looks + 1, sizeof *f.looks);
    for (size_t i = 0; i < item->n; i++) {
        const struct review_label *l = &item->labels[i];
        struct sv verdict = l->own == LABEL_UNREVIEWED ? SV("") : sv_of(label_verdict_word((enum label_verdict)l->own));
        f.labels[i] = (struct label_face){l->asked.wnid, l->asked.synset, l->asked.gloss, verdict, l->asked.cid, l->asked.models, l->added, l->suggested, shows};
    }
    for (size_t i = 0; i < f.n_looks; i++) {
        const struct label_look_row *k = &item->looks[i];
        f.looks[i] = (struct look_face){k->id, k->at, k->account == c->user.account, k->part, k->problematic, k->comment,
                                        verdicts_json(item, k->id, c->arena)};
    }
    return reply_json(c, status, record_json(&label_review_item_record, &f));
}

/* GET /api/v1/label-reviews/:list/items/:position?again= */
enum err_code api_label_review_item(struct ctx *c)
{
    struct label_review_row r;
    struct review_item item;
    int64_t position;
    bool again = false, theirs = false;
    enum err_code rc = review_open_item(c, &r, &position);
    if (rc == OK && sv_is(request_query(c->req, "again"), "1")) {
        rc = review_item_repeats(c->db, &r, position, c->user.account, &again, &c->err);
    }
    rc = rc == OK ? label_reviewer_is(c->db, r.id, c->user.account, &theirs, &c->err) : rc;
    rc = rc == OK && theirs && c->user.role < ROLE_LEAD ? label_seen_check(c->db, &r, position, c->user.account, &c->err) : rc;
    rc = rc == OK ? review_item_read(c->db, &r, position, c->user.account, again, c->arena, &item, &c->err) : rc;
    if (rc == OK && !theirs) { /* a lead looks */
        item.shows = !item.sealed;
        shown_note(c, item.image, SAW_PAGE);
    }
    return rc == OK ? reply_item(c, &item, again, 200) : rc;
}

struct next_face {
    int64_t position;
    bool any, again, back;
    const char *url;
};
#define OF(member) RECORD_OF(struct next_face, member)
RECORD(label_review_next_record, struct next_face, "label_review_next", "Which image one looks at next.",
       {"position", OF(position), RECORD_IF(struct next_face, any), .about = "Its place in the list; null: nothing is left."},
       {"again", OF(again), .about = "It is one that one has reviewed, shown once more."},
       {"back", OF(back), .about = "One has reviewed it, and somebody added a label since."},
       {"url", OF(url), .maybe = true, .about = "Where it is; null: nothing is left."});
#undef OF

/* GET /api/v1/label-reviews/:list/next */
enum err_code api_label_review_next(struct ctx *c)
{
    struct label_review_row r;
    struct label_next next;
    enum err_code rc = review_open_work(c, &r);
    rc = rc == OK ? review_next(c->db, &r, c->user.account, &next, &c->err) : rc;
    if (rc != OK) {
        return rc;
    }
    const struct next_face f = {next.position, next.position >= 0, next.repeat, next.back,
                                next.position < 0 ? NULL : arena_printf(c->arena, "/api/v1/label-reviews/" SV_FMT "/items/%lld%s", SV_ARG(r.name),
                                                                        (long long)next.position, next.repeat ? "?again=1" : "")};
    return reply_json(c, 200, record_json(&label_review_next_record, &f));
}

/* ---- saving ---- */

/* First step of both: the body is JSON, and the list theirs. */
enum err_code api_label_review_check(struct ctx *c)
{
    struct label_review_row r;
    return gate_need_json(c) == OK ? review_open(c, &r) : c->err.code;
}

struct saved_face {
    int64_t look, position;
};
RECORD(label_review_saved_record, struct saved_face, "label_review_saved", "What was stored.",
       {"look", RECORD_OF(struct saved_face, look), .about = "Its number, for undo; 0: nothing was said of labels."},
       {"position", RECORD_OF(struct saved_face, position), .about = "The image's place in the list."});

/* POST /api/v1/label-reviews/:list/items/:position */
enum err_code api_label_review_save(struct ctx *c)
{
    json_t *verdicts = json_object_get(c->json, "verdicts"), *verdict;
    struct saved_face f;
    const char *wnid;
    struct review_said *said = arena_calloc(c->arena, json_object_size(verdicts) + 1, sizeof *said);
    struct review_saving s = {.review = c->req->params[0], .account = c->user.account, .said = said,
                              .again = json_is_true(json_object_get(c->json, "again")),
                              .problematic = object_text(c->json, "problematic"), .comment = object_text(c->json, "comment"),
                              .searched = json_is_true(json_object_get(c->json, "searched")),
                              .active_ms = json_integer_value(json_object_get(c->json, "active_ms"))};
    if (!sv_i64(c->req->params[1], &s.position) || s.position < 0) {
        return err_rule(&c->err, ERR_NOT_FOUND, "label-review-item", "This label review has no such image.");
    }
    json_object_foreach(verdicts, wnid, verdict) {
        if (!json_is_string(verdict)) {
            return err_rule(&c->err, ERR_INPUT, "label-look", "verdicts is {wnid: correct, wrong, unclear or dontknow}. Nothing was saved.");
        }
        said[s.n++] = (struct review_said){sv_of(wnid), sv_of(json_string_value(verdict))};
    }
    f.position = s.position;
    enum err_code rc = review_save(c->db, &s, clock_wall_ms(), c->arena, &f.look, &c->err);
    return rc == OK ? reply_json(c, 201, record_json(&label_review_saved_record, &f)) : rc;
}

/* POST /api/v1/label-reviews/:list/items/:position/stand: stand, look */
enum err_code api_label_review_stand(struct ctx *c)
{
    struct review_standing s = {.review = c->req->params[0], .account = c->user.account,
                                .look = json_integer_value(json_object_get(c->json, "look"))};
    struct saved_face f = {.look = 0};
    if (!sv_i64(c->req->params[1], &s.position) || s.position < 0 || !label_stand_of(object_text(c->json, "stand"), &s.stand)) {
        return err_rule(&c->err, ERR_INPUT, "label-review-stand", "stand is agree, keep or discuss. Nothing was changed.");
    }
    f.position = s.position;
    enum err_code rc = review_stand(c->db, &s, clock_wall_ms(), c->arena, &f.look, &c->err);
    return rc == OK ? reply_json(c, 201, record_json(&label_review_saved_record, &f)) : rc;
}

/* POST /api/v1/label-reviews/:list/undo: look */
enum err_code api_label_review_undo(struct ctx *c)
{
    struct saved_face f = {.look = json_integer_value(json_object_get(c->json, "look"))};
    enum err_code rc = review_undo(c->db, c->req->params[0], f.look, c->user.account, clock_wall_ms(), c->arena, &f.position, &c->err);
    return rc == OK ? reply_json(c, 200, record_json(&label_review_saved_record, &f)) : rc;
}
