/* images.c - the images of a label review by class and by how far they are: the page, its JSON and CSV. It says which label an
 * image's set gives it, so leads alone see it. Rows in routes.c; templates/experts/images.mustache. */
#include "experts/review_images.h"

#include "json/object.h"
#include "web/core/lists.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/records.h"
#include "web/core/reply.h"
#include "web/experts/review.h"

enum { ROWS_A_PAGE = 50, ITEMS_MOST = 10000 };

/* ---- what is asked ---- */

struct query {
    struct sv wnid;
    int rows, state, sort;
    bool falling;
    int64_t page;
};
enum { ROWS_IMAGES, ROWS_CLASSES };
enum { SORT_LIST, SORT_CLASS };
static const struct list_word rows_words[] = {{"images", "Images", ROWS_IMAGES}, {"classes", "Classes", ROWS_CLASSES}, {0}};
static const struct list_word states[] = {
    {"all", "All", REVIEW_IMAGE_STATES}, {"open", "Open", REVIEW_IMAGE_OPEN}, {"dispute", "In dispute", REVIEW_IMAGE_DISPUTED},
    {"problematic", "Problematic", REVIEW_IMAGE_PROBLEMATIC}, {"done", "Done", REVIEW_IMAGE_DONE}, {0},
};
static const struct list_word sorts[] = {{"list", "Order of the list", SORT_LIST}, {"class", "Class", SORT_CLASS}, {0}};

static bool falls(int sort)
{
    (void)sort;
    return false;
}

#define AT(member) .at = offsetof(struct query, member)
enum { SORT_PARAM = 3 };
#define ROWS_PARAM {"rows", LIST_WORD, AT(rows), .words = rows_words, .chips = "List"}
static const struct list_param params[] = {
    ROWS_PARAM,
    {"state", LIST_WORD, AT(state), .words = states, .chips = "State"},
    {"class", LIST_TEXT, AT(wnid)},
    [SORT_PARAM] = {"sort", LIST_WORD, AT(sort), .words = sorts, .chips = "Order"},
    {"order", LIST_ORDER, AT(falling)},
    {"page", LIST_NUMBER, AT(page), .least = 1, .most = INT32_MAX, .moment = true},
    {0},
};
static const struct list_param rows_params[] = {ROWS_PARAM, {0}};
#undef AT
static const struct list_table table = {params, sizeof(struct query), &params[SORT_PARAM], falls};
/* Of classes nothing else is chosen. */
static const struct list_table classes_table = {rows_params, sizeof(struct query), NULL, NULL};
static const struct query usual = {.state = REVIEW_IMAGE_STATES, .page = 1};

static enum err_code read_images(struct ctx *c, struct query *q, struct label_review_row *r, struct review_images *out)
{
    enum err_code rc = list_read(c, &table, &usual, q);
    if (q->rows == ROWS_CLASSES) { /* they are of all images, whatever was chosen of these before */
        struct query whole = usual;
        whole.rows = q->rows;
        whole.page = q->page;
        *q = whole;
    }
    rc = rc == OK ? label_reviews_find(c->db, c->req->params[0], c->arena, r, &c->err) : rc;
    const struct review_images_ask ask = {q->wnid, (enum review_image_state)q->state, q->sort == SORT_CLASS, q->falling};
    return rc == OK ? review_images_read(c->db, r, &ask, c->arena, out, &c->err) : rc;
}

/* ---- the page ---- */

static const char *self_url(struct ctx *c, const struct label_review_row *r)
{
    return arena_printf(c->arena, "%s/images", review_url(c, r->name));
}

/* The images of one class. */
static const char *class_url(struct ctx *c, const struct label_review_row *r, const struct query *q, struct sv wnid)
{
    struct query of = *q;
    of.rows = ROWS_IMAGES;
    of.wnid = wnid;
    return list_url(c, &table, self_url(c, r), &usual, &of, false);
}

static json_t *rows_json(struct ctx *c, const struct label_review_row *r, const struct query *q, const struct review_image *rows, size_t n)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        const struct review_image *row = &rows[i];
        const bool dispute = row->state == REVIEW_IMAGE_DISPUTED;
        object_add(list, field_text("number", data_count(c->arena, row->position + 1)), field_text("url", review_item_url(c, r->name, row->position)),
                   field_sv("image", row->image), field_text("name", data_class_name(c->arena, row->synset, row->wnid)),
                   field_text("class_url", class_url(c, r, q, row->wnid)), field_text("state", states[row->state + 1].label),
                   field_bool("open", row->state == REVIEW_IMAGE_OPEN), field_int("people", row->people),
                   field_text("disputed", dispute && row->disputed ? data_count(c->arena, row->disputed) : NULL),
                   field_text("adjudicate_url", dispute ? arena_printf(c->arena, "%s/adjudicate/%lld", review_url(c, r->name), (long long)row->position) : NULL));
    }
    return list;
}

static json_t *classes_json(struct ctx *c, const struct label_review_row *r, const struct query *q, const struct review_image_class *rows, size_t n)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        const struct review_image_class *k = &rows[i];
        object_add(list, field_text("name", data_class_name(c->arena, k->synset, k->wnid)), field_text("url", class_url(c, r, q, k->wnid)),
                   field_text("images", data_count(c->arena, k->images)), field_text("open", data_count(c->arena, k->states[REVIEW_IMAGE_OPEN])),
                   field_text("dispute", data_count(c->arena, k->states[REVIEW_IMAGE_DISPUTED])),
                   field_text("problematic", data_count(c->arena, k->states[REVIEW_IMAGE_PROBLEMATIC])),
                   field_text("done", data_count(c->arena, k->states[REVIEW_IMAGE_DONE])));
    }
    return list;
}

static json_t *tiles_json(struct ctx *c, const struct review_images *l)
{
    static const char *const about[REVIEW_IMAGE_STATES] = {"not reviewed by enough people yet", "reviewers disagree", "no label can be right",
                                                           "reviewed, and agreed on or adjudicated"};
    json_t *tiles = json_array();
    for (int s = 0; s < REVIEW_IMAGE_STATES; s++) {
        data_tile(tiles, states[s + 1].label, data_count(c->arena, l->states[s]), about[s]);
    }
    return tiles;
}

/* GET /labels/:list/images?rows=&state=&class=&sort=&order=&page= */
enum err_code page_label_images(struct ctx *c)
{
    struct query q;
    struct label_review_row r;
    struct review_images l;
    if (read_images(c, &q, &r, &l) != OK) {
        return c->err.code;
    }
    const bool classes = q.rows == ROWS_CLASSES;
    const size_t all = classes ? l.n_classes : l.n;
    const struct list_page part = list_page_of((int64_t)all, ROWS_A_PAGE, q.page);
    const size_t n = part.skip < all ? (all - part.skip < part.most ? all - part.skip : part.most) : 0;
    if (!classes && review_images_name(c->db, l.rows + part.skip, n, c->arena, &c->err) != OK) {
        return c->err.code;
    }
    const char *self = self_url(c, &r);
    struct query whole = q;
    whole.wnid = SV("");
    json_t *page = object(field_sv("list", r.name), field_text("list_url", review_url(c, r.name)), field_int("reviewers", r.reviewers),
                          field_json("tiles", tiles_json(c, &l)), field_json("chips", list_chips(c, classes ? &classes_table : &table, self, &q)),
                          field_text("only", q.wnid.n ? data_class_called(c, q.wnid) : NULL),
                          field_text("all_url", list_url(c, &table, self, &usual, &whole, false)),
                          field_text("count", data_count(c->arena, (int64_t)all)), field_bool("by_class", classes),
                          field_json("rows", classes ? json_array() : rows_json(c, &r, &q, l.rows + part.skip, n)),
                          field_json("classes", classes ? classes_json(c, &r, &q, l.classes + part.skip, n) : json_array()),
                          field_json("pages", list_page_links(c, &part, list_url(c, &table, self, &usual, &q, false), "#images")),
                          field_text("pages_label", classes ? "Pages of classes" : "Pages of images"),
                          field_text("json_url", list_url(c, &table, arena_printf(c->arena, "/api/v1/label-reviews/" SV_FMT "/images", SV_ARG(r.name)), &usual, &q, false)),
                          field_text("csv_url", list_url(c, &table, arena_printf(c->arena, "/api/v1/label-reviews/" SV_FMT "/images.csv", SV_ARG(r.name)), &usual, &q, false)));
    return reply_page(c, 200, "experts/images", arena_printf(c->arena, "Images: " SV_FMT, SV_ARG(r.name)), page);
}

/* ---- for scripts ---- */

struct images_face {
    struct label_review_row r;
    struct review_images l;
    struct sv wnid;
    const char *state;
    int64_t images;
    size_t n; /* items */
};
#define OF(member) RECORD_OF(struct images_face, member)
RECORD(label_review_images_record, struct images_face, "label_review_images", "Images of a label review by class and state.",
       {"list", OF(r.name), .about = "The list."}, {"class", OF(wnid), .maybe = true, .about = "Of this class alone; null: of all."},
       {"state", OF(state), .maybe = true, .about = "In this state alone; null: in any."}, {"images", OF(images), .about = "Images that were asked for."},
       {"open", OF(l.states[REVIEW_IMAGE_OPEN]), .about = "Of the class, images that fewer people than should have reviewed."},
       {"dispute", OF(l.states[REVIEW_IMAGE_DISPUTED]), .about = "Those about which reviewers disagree."},
       {"problematic", OF(l.states[REVIEW_IMAGE_PROBLEMATIC]), .about = "Those of which no label can be right."},
       {"done", OF(l.states[REVIEW_IMAGE_DONE]), .about = "Those that are reviewed."},
       {"items", RECORD_ROWS(struct images_face, l.rows, n), .of = &review_image_record, .about = "The first 10,000 of them, in the order asked for."},
       {"classes", RECORD_ROWS(struct images_face, l.classes, l.n_classes), .of = &review_image_class_record, .about = "All classes of the list, by number."});
#undef OF

/* GET /api/v1/label-reviews/:list/images?state=&class=&sort=&order= */
enum err_code api_label_images(struct ctx *c)
{
    struct query q;
    struct images_face f;
    enum err_code rc = read_images(c, &q, &f.r, &f.l);
    f.n = rc == OK && f.l.n > ITEMS_MOST ? ITEMS_MOST : f.l.n;
    rc = rc == OK ? review_images_name(c->db, f.l.rows, f.n, c->arena, &c->err) : rc;
    if (rc != OK) {
        return rc;
    }
    f.wnid = q.wnid;
    f.state = q.state == REVIEW_IMAGE_STATES ? NULL : review_image_state_word((enum review_image_state)q.state);
    f.images = (int64_t)f.l.n;
    return reply_json(c, 200, record_json(&label_review_images_record, &f));
}

/* GET /api/v1/label-reviews/:list/images.csv?rows=&state=&class=&sort=&order= */
enum err_code api_label_images_csv(struct ctx *c)
{
    struct query q;
    struct label_review_row r;
    struct review_images l;
    enum err_code rc = read_images(c, &q, &r, &l);
    if (rc == OK && q.rows == ROWS_CLASSES) {
        return reply_csv(c, arena_printf(c->arena, SV_FMT "-classes.csv", SV_ARG(r.name)), &review_image_class_record, l.classes, l.n_classes);
    }
    rc = rc == OK ? review_images_name(c->db, l.rows, l.n, c->arena, &c->err) : rc;
    return rc == OK ? reply_csv(c, arena_printf(c->arena, SV_FMT "-images.csv", SV_ARG(r.name)), &review_image_record, l.rows, l.n) : rc;
}
