/* item.c - one image of an evaluation: what is it? Nothing on the page says what set it is from, what models or others say,
 * or whether an answer was right; the address has the image's place in the person's own order and nothing else of it.
 * Rows in routes.c; templates/evaluations/item.mustache. */
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "json/object.h"
#include "store/images/images.h"
#include "web/core/form_refused.h"
#include "web/core/image_bytes.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/core/shown_to.h"
#include "web/evaluations/evaluations.h"
#include "web/naming/class_picker.h"

static const char field[] = "wnid";

/* The classes of the list. */
static json_t *among_json(struct ctx *c, const struct evaluation_class *list, size_t n, struct sv chosen)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < n; i++) {
        const struct evaluation_class *k = &list[i];
        object_add(rows, field_sv("wnid", k->wnid), field_text("name", data_class_name(c->arena, k->synset, k->wnid)),
                   field_text("synset", data_synset(c->arena, k->synset, ", ")), field_sv("gloss", k->gloss),
                   field_bool("checked", sv_eq(k->wnid, chosen)),
                   field_text("key", i < 10 ? arena_printf(c->arena, "%zu", (i + 1) % 10) : NULL));
    }
    return rows;
}

/* What was typed, when another view of the choice was asked for; NULL: the page is opened. */
static enum err_code reply_place(struct ctx *c, const struct evaluation_row *r, const struct evaluation_place *p, const struct form *typed)
{
    struct evaluation_class *among;
    size_t n = 0;
    const struct class_picker_ask ask = typed ? class_picker_of_form(typed, field, "Your choice") : class_picker_of_address(c, field, "Your choice");
    enum err_code rc = evaluation_classes(c->db, r->id, c->arena, &among, &n, &c->err);
    json_t *choose = rc != OK ? NULL : n ? json_null() : class_picker_json(c, &ask);
    if (!choose) {
        return c->err.code;
    }
    const char *self = evaluation_place_url(c, r->name, p->place);
    json_t *page = object(field_sv("list", r->name), field_text("list_url", evaluation_url(c, r->name)),
                          field_text("number", data_count(c->arena, p->answered + 1)), field_text("images", data_count(c->arena, p->of)),
                          field_int("percent", 100 * p->answered / p->of), field_text("picture", arena_printf(c->arena, "%s/image", self)),
                          field_text("action", self), field_bool("few", n > 0), field_json("among", among_json(c, among, n, ask.chosen)),
                          field_json("choose", choose), field_sv("active_ms", typed ? form_get(typed, "active_ms") : SV("")));
    response_header(c->res, "Cache-Control", "no-store");
    return reply_page(c, 200, "evaluations/item", arena_printf(c->arena, SV_FMT ", image %lld", SV_ARG(r->name), (long long)p->answered + 1), page);
}

/* Where they are on an open list: *at is the place that is theirs to answer, -1 when they are through or it is closed. */
static enum err_code find_place(struct ctx *c, struct evaluation_row *r, struct evaluation_place *at)
{
    struct evaluation_turn turn;
    enum err_code rc = evaluation_open_theirs(c, r, &turn);
    c->onward = rc == OK ? arena_printf(c->arena, "%s/next", evaluation_url(c, r->name)) : NULL;
    rc = rc == OK ? evaluation_next(c->db, &turn, -1, c->arena, at, &c->err) : rc;
    at->place = rc == OK && sv_is(r->state, "open") ? at->place : -1;
    return rc;
}

static const char *next_url(struct ctx *c, const struct evaluation_row *r, const struct evaluation_place *at)
{
    return at->place < 0 ? evaluation_url(c, r->name) : evaluation_place_url(c, r->name, at->place);
}

/* GET /evaluations/:evaluation/next */
enum err_code page_evaluation_next(struct ctx *c)
{
    struct evaluation_row r;
    struct evaluation_place at;
    response_header(c->res, "Cache-Control", "no-store");
    return find_place(c, &r, &at) == OK ? reply_redirect(c, next_url(c, &r, &at)) : c->err.code;
}

/* GET /evaluations/:evaluation/:position: another place than theirs leads on to that. */
enum err_code page_evaluation_item(struct ctx *c)
{
    struct evaluation_row r;
    struct evaluation_place at;
    int64_t place;
    enum err_code rc = find_place(c, &r, &at);
    rc = rc == OK ? evaluation_place_asked(c, &place) : rc;
    if (rc == OK && place != at.place) {
        return reply_redirect(c, next_url(c, &r, &at));
    }
    return rc == OK ? reply_place(c, &r, &at, NULL) : rc;
}

/* As long as the image and a number of bytes that only the server knows, so that no length tells an image. */
static unsigned padding(const struct evaluation_row *r, const struct ctx *c, int64_t place)
{
    return (unsigned)(hash_u64(hash_u64((uint64_t)r->seed) ^ (uint64_t)c->user.account << 32 ^ (uint64_t)place) % (GRID_TAIL + 1));
}

/* GET /evaluations/:evaluation/:position/image: of their place alone. */
enum err_code page_evaluation_image(struct ctx *c)
{
    struct evaluation_row r;
    struct evaluation_place at;
    struct image_source source;
    int64_t place;
    enum err_code rc = find_place(c, &r, &at);
    rc = rc == OK ? evaluation_place_asked(c, &place) : rc;
    if (rc == OK && (place != at.place || place < 0)) {
        return err_rule(&c->err, ERR_NOT_FOUND, "evaluation-item", "This is not your next image.");
    }
    rc = rc == OK ? sources_of_image(c->db, at.image, &source, &c->err) : rc;
    if (rc != OK) {
        return rc;
    }
    shown_note(c, at.image, SAW_EVALUATION);
    struct image_sent sent = image_sent_of(&source, RENDITION_VIEW);
    sent.padding = padding(&r, c, place);
    return reply_image(c, &sent, false);
}

/* ---- answers ---- */

/* POST, first step: shows the page again with what a search found, or another level of the tree. */
enum err_code page_evaluation_check(struct ctx *c)
{
    struct evaluation_row r;
    struct evaluation_place at;
    int64_t place;
    enum err_code rc = find_place(c, &r, &at);
    rc = rc == OK ? evaluation_place_asked(c, &place) : rc;
    if (rc != OK || !class_picker_turns(&c->form)) {
        return rc;
    }
    return place == at.place ? reply_place(c, &r, &at, &c->form) : reply_redirect(c, next_url(c, &r, &at));
}

static enum err_code save(struct ctx *c, struct sv wnid, int64_t active_ms, struct evaluation_row *r, int64_t *place, bool *through)
{
    struct evaluation_saving s = {.wnid = wnid, .active_ms = active_ms};
    enum err_code rc = evaluation_open_theirs(c, r, &s.turn);
    rc = rc == OK ? evaluation_place_asked(c, &s.place) : rc;
    rc = rc == OK ? evaluation_save(c->db, &s, clock_wall_ms(), c->arena, through, &c->err) : rc;
    *place = s.place;
    return rc;
}

/* POST /evaluations/:evaluation/:position: wnid, active_ms; do, class_query and class_under as of the picker. */
enum err_code page_evaluation_save(struct ctx *c)
{
    struct evaluation_row r;
    int64_t place, ms = 0;
    bool through;
    sv_i64(form_get(&c->form, "active_ms"), &ms);
    enum err_code rc = save(c, form_get(&c->form, field), ms, &r, &place, &through);
    if (rc != OK) {
        return rc == ERR_INPUT ? form_wrong_field(c, field) : rc;
    }
    return reply_redirect(c, through ? evaluation_url(c, r.name) : arena_printf(c->arena, "%s/next", evaluation_url(c, r.name)));
}

/* ---- for programs ---- */

struct next_face {
    struct sv list;
    int64_t position, answered, images;
    bool any;
    const char *image_url;
    struct evaluation_class *classes;
    size_t n;
};
#define CLASS(member) RECORD_OF(struct evaluation_class, member)
RECORD(evaluation_class_record, struct evaluation_class, "evaluation_class", "A class to choose.", {"wnid", CLASS(wnid), .about = "Its name."},
       {"class", CLASS(cid), .about = "Its number."}, {"synset", CLASS(synset), .about = "Its words, joined by |."},
       {"gloss", CLASS(gloss), .about = "What it means."});
#undef CLASS
#define OF(member) RECORD_OF(struct next_face, member)
RECORD(evaluation_next_record, struct next_face, "evaluation_next", "The image of an evaluation that one classifies next.",
       {"evaluation", OF(list), .about = "The list."},
       {"position", OF(position), RECORD_IF(struct next_face, any), .about = "Its place in one's own order; null: nothing is left."},
       {"image_url", OF(image_url), .maybe = true, .about = "Its picture; null: nothing is left."},
       {"answered", OF(answered), .about = "Images that one has answered."}, {"images", OF(images), .about = "Images of the list."},
       {"classes", RECORD_ROWS(struct next_face, classes, n), .of = &evaluation_class_record, .about = "What to choose among; empty: all classes of the project."});
#undef OF

/* GET /api/v1/evaluations/:evaluation/next */
enum err_code api_evaluation_next(struct ctx *c)
{
    struct evaluation_row r;
    struct evaluation_place at;
    struct next_face f = {.n = 0};
    enum err_code rc = find_place(c, &r, &at);
    rc = rc == OK ? evaluation_classes(c->db, r.id, c->arena, &f.classes, &f.n, &c->err) : rc;
    if (rc != OK) {
        return rc;
    }
    f.list = r.name;
    f.position = at.place;
    f.answered = at.answered;
    f.images = at.of;
    f.any = at.place >= 0;
    f.image_url = f.any ? arena_printf(c->arena, "%s/image", evaluation_place_url(c, r.name, at.place)) : NULL;
    return reply_json(c, 200, record_json(&evaluation_next_record, &f));
}

/* First step of the next: the body is JSON. */
enum err_code api_evaluation_check(struct ctx *c)
{
    return gate_need_json(c);
}

struct saved_face {
    int64_t position;
    bool through;
};
RECORD(evaluation_saved_record, struct saved_face, "evaluation_saved", "What was stored.",
       {"position", RECORD_OF(struct saved_face, position), .about = "The image's place in one's own order."},
       {"through", RECORD_OF(struct saved_face, through), .about = "Nothing is left: one's answers are predictions now."});

/* POST /api/v1/evaluations/:evaluation/items/:position: wnid, active_ms */
enum err_code api_evaluation_save(struct ctx *c)
{
    struct evaluation_row r;
    struct saved_face f;
    enum err_code rc = save(c, object_text(c->json, "wnid"), json_integer_value(json_object_get(c->json, "active_ms")), &r, &f.position, &f.through);
    return rc == OK ? reply_json(c, 201, record_json(&evaluation_saved_record, &f)) : rc;
}
