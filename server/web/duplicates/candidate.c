/* candidate.c - the duplicate review of one candidate: its neighbours that nobody has judged, one beside the other, without
 * anything that says which are originals; what was judged is named, and what has no picture. Neighbours are known by their places in the list of
 * sets/duplicates/near_work.h, also in the addresses of their pictures. Rows in routes.c. */
#include "base/clock.h"
#include "json/object.h"
#include "sets/duplicates/near_beyond.h"
#include "sets/duplicates/near_originals.h"
#include "sets/duplicates/near_work.h"
#include "store/classes/classes.h"
#include "store/duplicates/near_verdicts.h"
#include "store/images/images.h"
#include "web/core/form_refused.h"
#include "web/core/image_bytes.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/core/shown_to.h"
#include "web/parts/near_queue.h"

struct asked {
    struct near_work work;
    struct image_row image;
    struct near_work_pair *pairs;
    size_t n;
    int64_t again; /* the look that is shown once more: its pairs are the open ones; 0: none */
    bool beyond;   /* its pairs are those that were drawn beyond a threshold (sets/duplicates/near_beyond.h) */
};

static const char *url_of(struct ctx *c, int64_t image)
{
    return arena_printf(c->arena, "/duplicates/%lld", (long long)image);
}

/* Pairs of a look that is shown once more are open, whatever was said of them, and no others. */
static enum err_code open_again(struct ctx *c, struct asked *q)
{
    struct sv name, *neighbors;
    size_t n = 0;
    enum err_code rc = near_verdicts_look(c->db, q->again, c->arena, &name, &neighbors, &n, &c->err);
    if (rc == OK && !sv_eq(name, q->image.name)) {
        return err_rule(&c->err, ERR_NOT_FOUND, "near-look", "Nothing was saved under that number.");
    }
    for (size_t i = 0; i < q->n && rc == OK; i++) {
        struct image_row row;
        rc = images_get(c->db, q->pairs[i].reference, c->arena, &row, &c->err);
        q->pairs[i].open = false;
        for (size_t k = 0; k < n && rc == OK && !q->pairs[i].open; k++) {
            q->pairs[i].open = sv_eq(row.name, neighbors[k]);
        }
    }
    return rc;
}

static enum err_code read_again(struct ctx *c, struct sv given, struct asked *q)
{
    if (given.n && (!sv_i64(given, &q->again) || q->again <= 0)) {
        return err_rule(&c->err, ERR_NOT_FOUND, "near-look", "Nothing was saved under that number.");
    }
    return q->again ? open_again(c, q) : OK;
}

/* By the searches of what the image is. */
static enum err_code read_pairs(struct ctx *c, struct asked *q)
{
    bool original = sv_is(q->image.role, "original");
    if (!original && !sv_is(q->image.role, "candidate")) {
        return err_rule(&c->err, ERR_NOT_FOUND, "no-candidate",
                        "Only candidates and originals have neighbours to review, and this image is neither.");
    }
    enum err_code rc = original ? near_work_open_originals(c->db, c->arena, &q->work, &c->err)
                                : near_work_open(c->db, c->arena, &q->work, &c->err);
    if (rc != OK) {
        return rc;
    }
    return q->beyond ? near_beyond_pairs(c->db, &q->work, q->image.id, c->arena, &q->pairs, &q->n, &c->err)
                     : near_work_pairs(c->db, &q->work, q->image.id, c->arena, &q->pairs, &q->n, &c->err);
}

/* `again`, `beyond`: as they were sent; empty: not. */
static enum err_code read_asked(struct ctx *c, struct sv again, struct sv beyond, struct asked *out)
{
    int64_t id;
    *out = (struct asked){.beyond = sv_is(beyond, "1")};
    if (!sv_i64(c->req->params[0], &id) || id <= 0) {
        return err_rule(&c->err, ERR_NOT_FOUND, "no-image", "There is no such image.");
    }
    enum err_code rc = images_get(c->db, id, c->arena, &out->image, &c->err);
    rc = rc == OK ? read_pairs(c, out) : rc;
    return rc == OK ? read_again(c, again, out) : rc;
}

static enum err_code read_query(struct ctx *c, struct asked *out)
{
    return read_asked(c, request_query(c->req, "again"), request_query(c->req, "beyond"), out);
}

/* ---- the page ---- */

static json_t *metrics_json(struct ctx *c, const struct near_work *w, const struct near_work_pair *p)
{
    json_t *list = json_array();
    for (size_t m = 0; m < w->gate.n; m++) {
        const struct review_metric *metric = &w->gate.metric[m];
        if (p->within[m]) {
            double share = 100 * p->distance[m] / metric->threshold;
            object_add(list, field_text("metric", metric->name),
                       field_text("distance", arena_printf(c->arena, "%.4g", p->distance[m])),
                       field_text("threshold", arena_printf(c->arena, "%.4g", metric->threshold)),
                       field_text("share", arena_printf(c->arena, "%.0f", share)));
        }
    }
    return list;
}

/* Open ones, the nearest first: their places, in order. */
static size_t in_order(const struct asked *q, struct arena *a, size_t **out)
{
    size_t n = 0;
    *out = arena_alloc(a, (q->n + 1) * sizeof **out);
    for (size_t i = 0; i < q->n; i++) {
        if (q->pairs[i].open) {
            size_t k = n++;
            for (; k > 0 && q->pairs[i].nearest < q->pairs[(*out)[k - 1]].nearest; k--) {
                (*out)[k] = (*out)[k - 1];
            }
            (*out)[k] = i;
        }
    }
    return n;
}

/* Where the picture of a neighbour is. */
static const char *picture_url(struct ctx *c, const struct asked *q, size_t place)
{
    return arena_printf(c->arena, "%s/shown/%zu?searches=%lld%s", url_of(c, q->image.id), place, (long long)q->work.searches,
                        q->beyond ? "&beyond=1" : "");
}

/* One without a picture is named, with its class: there is nothing else to judge by. */
static enum err_code add_neighbor(struct ctx *c, const struct asked *q, size_t place, size_t number, json_t *list)
{
    struct image_row row;
    struct class_info k;
    if (images_get(c->db, q->pairs[place].reference, c->arena, &row, &c->err) != OK ||
        classes_get(c->db, row.class_id, c->arena, &k, &c->err) != OK) {
        return c->err.code;
    }
    bool named = row.source == 0;
    object_add(list, field_int("place", (int64_t)place), field_count("number", number),
               field_text("picture", named ? NULL : picture_url(c, q, place)),
               field_json("named", named ? object(field_sv("name", row.name), field_json("class", data_class(c->arena, &k)))
                                         : json_null()),
               field_json("metrics", metrics_json(c, &q->work, &q->pairs[place])));
    return OK;
}

/* NULL with c->err set. */
static json_t *neighbors_json(struct ctx *c, const struct asked *q)
{
    size_t *order, n = in_order(q, c->arena, &order);
    json_t *list = json_array();
    for (size_t k = 0; k < n; k++) {
        if (add_neighbor(c, q, order[k], k + 1, list) != OK) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

/* Judged ones, which may be named; none when pairs are shown once more. NULL with c->err set. */
static json_t *judged_json(struct ctx *c, const struct asked *q)
{
    json_t *list = json_array();
    for (size_t i = 0; i < q->n && !q->again; i++) {
        struct image_row row;
        struct class_info k;
        if (q->pairs[i].open) {
            continue;
        }
        if (images_get(c->db, q->pairs[i].reference, c->arena, &row, &c->err) != OK ||
            classes_get(c->db, row.class_id, c->arena, &k, &c->err) != OK) {
            json_decref(list);
            return NULL;
        }
        object_add(list, field_sv("name", row.name), field_sv("role", row.role), field_json("class", data_class(c->arena, &k)),
                   field_sv("taken_at", row.taken_at), field_sv("author", row.author),
                   field_text("url", arena_printf(c->arena, "/images/%lld", (long long)row.id)));
    }
    return list;
}

/* GET /duplicates/:image?again=&beyond= */
enum err_code page_duplicate(struct ctx *c)
{
    struct asked q;
    int64_t version;
    struct class_info k;
    if (read_query(c, &q) != OK || near_verdicts_version(c->db, q.image.name, &version, &c->err) != OK ||
        classes_get(c->db, q.image.class_id, c->arena, &k, &c->err) != OK) {
        return c->err.code;
    }
    json_t *judged = judged_json(c, &q);
    if (!judged) {
        return c->err.code;
    }
    json_t *neighbors = neighbors_json(c, &q);
    if (!neighbors) {
        json_decref(judged);
        return c->err.code;
    }
    json_t *page = object(
        field_sv("what", q.image.role), field_sv("name", q.image.name), field_json("class", data_class(c->arena, &k)),
        field_sv("taken_at", q.image.taken_at), field_sv("author", q.image.author),
        field_text("picture", arena_printf(c->arena, "/images/%lld/view", (long long)q.image.id)),
        field_text("action", url_of(c, q.image.id)), field_int("seen", version), field_bool("beyond", q.beyond), field_bool("any_again", q.again > 0), field_int("again", q.again),
        field_int("searches", q.work.searches), field_count("open", json_array_size(neighbors)),
        field_bool("any", json_array_size(neighbors) > 0), field_json("neighbors", neighbors),
        field_bool("any_judged", json_array_size(judged) > 0), field_json("judged", judged));
    return reply_page(c, 200, "duplicates/show", "Duplicates", page);
}

/* ---- the next one ---- */

/* Whether any pair of a look can be shown once more: it is within a threshold as of now. */
static enum err_code can_show(struct ctx *c, const struct near_due *due, int64_t *image, bool *any)
{
    struct asked q = {.again = due->look};
    enum err_code rc = images_find(c->db, due->name, image, &c->err);
    rc = rc == OK ? images_get(c->db, *image, c->arena, &q.image, &c->err) : rc;
    rc = rc == OK ? read_pairs(c, &q) : rc;
    rc = rc == OK ? open_again(c, &q) : rc;
    *any = false;
    for (size_t i = 0; i < q.n && rc == OK; i++) {
        *any = *any || q.pairs[i].open;
    }
    return rc;
}

/* Where a look is shown once more that is due; NULL: none is, or c->err is set. */
static const char *due_url(struct ctx *c)
{
    struct near_due *due;
    size_t n = 0;
    int64_t image = 0;
    bool any = false;
    enum err_code rc = near_verdicts_due(c->db, c->user.account, c->arena, &due, &n, &c->err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        rc = can_show(c, &due[i], &image, &any);
        if (any) {
            return arena_printf(c->arena, "%s?again=%lld", url_of(c, image), (long long)due[i].look);
        }
    }
    return NULL;
}

/* GET /duplicates/next: now and then one that was judged before; else the next of those that wait. */
enum err_code page_duplicates_next(struct ctx *c)
{
    int64_t image = 0;
    const char *due = due_url(c);
    if (c->err.code != OK || (!due && near_queue_next(c, &image) != OK)) {
        return c->err.code;
    }
    return reply_redirect(c, due ? due : image ? url_of(c, image) : "/duplicates");
}

/* GET /duplicates/originals: the next original with a neighbour that nobody has judged. */
enum err_code page_duplicates_originals(struct ctx *c)
{
    struct near_originals o;
    if (near_originals_get(c->db, c->arena, &o, &c->err) != OK) {
        return c->err.code;
    }
    return reply_redirect(c, o.next ? url_of(c, o.next) : "/duplicates/quality");
}

/* GET /duplicates/beyond: the next candidate with a pair that was drawn beyond a threshold. */
enum err_code page_duplicates_beyond(struct ctx *c)
{
    struct near_work w;
    struct near_beyond *list;
    size_t n;
    int64_t next;
    if (near_work_open(c->db, c->arena, &w, &c->err) != OK ||
        near_beyond_list(c->db, &w, c->arena, &list, &n, &next, &c->err) != OK) {
        return c->err.code;
    }
    return reply_redirect(c, next ? arena_printf(c->arena, "%s?beyond=1", url_of(c, next)) : "/duplicates");
}

/* ---- pictures ---- */

static enum err_code changed_searches(struct ctx *c)
{
    return err_rule(&c->err, ERR_CONFLICT, "near-searches",
                    "Another search ended meanwhile, so the list of neighbours is another one. Nothing was saved; look at "
                    "it and save again.");
}

static bool same_searches(const struct asked *q, struct sv given)
{
    int64_t searches;
    return sv_i64(given, &searches) && searches == q->work.searches;
}

/* GET /duplicates/:image/shown/:place?searches=&beyond= */
enum err_code page_duplicate_shown(struct ctx *c)
{
    struct asked q;
    struct image_source source;
    int64_t place;
    if (read_query(c, &q) != OK) {
        return c->err.code;
    }
    if (!same_searches(&q, request_query(c->req, "searches"))) {
        return changed_searches(c);
    }
    if (!sv_i64(c->req->params[1], &place) || place < 0 || (size_t)place >= q.n) {
        return err_rule(&c->err, ERR_NOT_FOUND, "no-neighbor", "This candidate has no such neighbour.");
    }
    int64_t image = q.pairs[place].reference;
    if (app_image_hidden(c->app, image)) {
        return page_send_veil(c);
    }
    if (sources_of_image(c->db, image, &source, &c->err) != OK) {
        return c->err.code;
    }
    shown_note(c, image, SAW_PAGE);
    const struct image_sent at = image_sent_of(&source, RENDITION_VIEW);
    return reply_image(c, &at, false);
}

/* ---- verdicts ---- */

/* What the form says of open neighbours, and what it showed. */
static enum err_code read_verdicts(struct ctx *c, const struct asked *q, struct near_look *out)
{
    struct near_said *said = arena_alloc(c->arena, (q->n + 1) * sizeof *said);
    json_t *shown = json_array();
    *out = (struct near_look){.name = q->image.name, .said = said, .repeats = q->again};
    for (size_t i = 0; i < q->n && c->err.code == OK; i++) {
        struct sv word = form_get(&c->form, arena_printf(c->arena, "say-%zu", i));
        struct image_row row;
        enum near_say say = near_say_of(word);
        if (!q->pairs[i].open || images_get(c->db, q->pairs[i].reference, c->arena, &row, &c->err) != OK) {
            continue;
        }
        json_array_append_new(shown, data_text(row.name));
        if (say < NEAR_SAY_OPEN) {
            said[out->n++] = (struct near_said){row.name, say};
        } else if (word.n) {
            form_wrong(c, arena_printf(c->arena, "say-%zu", i), "A verdict is duplicate, not or unsure.");
        }
    }
    out->shown = json_compact(shown, 0, c->arena);
    return c->err.code;
}

/* What is saved, and where the reviewer goes then. */
struct saving {
    struct near_look look;
    const char *next;
};

/* POST /duplicates/:image: seen, searches, again, beyond, say-PLACE. Slow step. */
enum err_code page_duplicate_check(struct ctx *c)
{
    struct asked q;
    struct saving *saving = arena_calloc(c->arena, 1, sizeof *saving);
    struct near_look *look = &saving->look;
    c->state = saving;
    if (read_asked(c, form_get(&c->form, "again"), form_get(&c->form, "beyond"), &q) != OK) {
        return c->err.code;
    }
    saving->next = q.beyond                              ? "/duplicates/beyond"
                   : sv_is(q.image.role, "original") ? "/duplicates/originals"
                                                     : "/duplicates/next";
    if (!same_searches(&q, form_get(&c->form, "searches"))) {
        return changed_searches(c);
    }
    if (read_verdicts(c, &q, look) == OK && !sv_i64(form_get(&c->form, "seen"), &look->seen)) {
        return err_rule(&c->err, ERR_INPUT, "near-verdict", "The form lacks the version that it showed; open the page again.");
    }
    return c->err.code;
}

static const char *pairs_text(struct ctx *c, size_t n)
{
    return arena_printf(c->arena, "%zu neighbour%s", n, n == 1 ? "" : "s");
}

enum err_code page_duplicate_save(struct ctx *c)
{
    const struct saving *saving = c->state;
    const struct near_look *look = &saving->look;
    int64_t id;
    if (near_verdicts_write(c->db, look, c->user.account, clock_wall_ms(), &id, &c->err) != OK) {
        return c->err.code;
    }
    size_t same = 0;
    for (size_t i = 0; i < look->n; i++) {
        same += look->said[i].say == NEAR_SAY_DUPLICATE;
    }
    const struct undo undo = {.action = "/duplicates/undo",
                              .fields = {{"look", arena_printf(c->arena, "%lld", (long long)id)}}};
    return reply_did(c, saving->next, look->repeats ? NULL : &undo, "Saved: %s judged, %zu of them duplicate%s.", pairs_text(c, look->n), same,
                     same == 1 ? "" : "s");
}

/* POST /duplicates/undo: look */
enum err_code page_duplicate_undo(struct ctx *c)
{
    struct sv name;
    int64_t look, image = 0;
    if (!sv_i64(form_get(&c->form, "look"), &look)) {
        return err_rule(&c->err, ERR_INPUT, "near-look", "Say which verdicts to take back.");
    }
    if (near_verdicts_undo(c->db, look, c->user.account, clock_wall_ms(), c->arena, &name, &c->err) != OK ||
        images_find(c->db, name, &image, &c->err) != OK) {
        return c->err.code;
    }
    return reply_did(c, url_of(c, image), NULL, "Taken back: these neighbours are as they were before.");
}
