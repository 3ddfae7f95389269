/* class.c - the final review of one class: the images that the revision has of it, the
 * originals beside them, what was decided and by whom; frequencies once the reviewer asked for them. While a blind round runs and the reviewer is
 * not through with the class, nothing on the page says which image is which; turn.c
 * takes that form, class_decisions.c the other. Rows in routes.c; templates/review/. */
#include "base/clock.h"
#include "json/object.h"
#include "store/review/class_reviews.h"
#include "store/review/shown.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/parts/decided_data.h"
#include "web/parts/people_data.h"
#include "web/parts/set_data.h"
#include "web/review/cards.h"

enum { DECISIONS_SHOWN = 30, NEWS_SHOWN = 10 };

/* ---- ways on ---- */

static const char *plain_url(struct ctx *c, const struct review_class_asked *q)
{
    return arena_printf(c->arena, "%s/" SV_FMT, set_url(c->arena, &q->way.revision),
                        SV_ARG(q->k.wnid));
}

/* The one before, done or not. */
static size_t previous_of(const struct review_way *w, size_t at)
{
    return at > 0 ? at - 1 : w->n_turns - 1;
}

/* {next_url, any_next, previous_url, review_url, done, of, percent, cut, most} */
static void add_ways(struct ctx *c, json_t *page, const struct review_class_asked *q)
{
    const struct review_way *w = &q->way;
    size_t next = review_way_next(w, q->at), back = previous_of(w, q->at);
    json_object_update_new(page, object(field_text("next_url", review_way_url(c, w, next)),
                                        field_bool("any_next", next < w->n_turns),
                                        field_text("previous_url", review_way_url(c, w, back)),
                                        field_text("review_url", review_way_url(c, w, w->n_turns)),
                                        field_text("set_url", set_url(c->arena, &w->revision)),
                                        field_text("set", set_title(c->arena, &w->revision)),
                                        field_count("done", w->n_done), field_count("of", w->n_turns),
                                        field_bool("cut", q->cut),
                                        field_int("most", REVIEW_IMAGES_MOST)));
}

/* ---- news ---- */

/* What others decided since the version that the page was made from (?seen=). */
static json_t *news_json(struct ctx *c, int64_t class_id, int64_t seen)
{
    return decided_by_others_json(c, class_id, seen, NEWS_SHOWN);
}

static int64_t seen_of(struct ctx *c, int64_t version)
{
    int64_t seen = version;
    struct sv text = request_query(c->req, "seen");
    return text.n && sv_i64(text, &seen) && seen >= 0 && seen < version ? seen : version;
}

/* ---- the page with names ---- */

static const char *review_state(struct ctx *c, const struct class_review_row *r)
{
    if (!r->event) {
        return "Not reviewed yet";
    }
    const char *word = r->reviewed      ? r->problematic ? "Reviewed, problematic" : "Reviewed"
                       : r->problematic ? "Not reviewed, problematic"
                                        : "Not reviewed";
    return r->carried ? arena_printf(c->arena, "%s: carried over from the parent", word)
                      : arena_printf(c->arena, "%s since %s", word, people_minute(c->arena, r->at));
}

struct open_parts {
    struct class_review_row review;
    json_t *cards, *originals, *decisions, *news;
    int64_t version, seen, others;
};

static void drop_parts(const struct open_parts *p)
{
    json_decref(p->cards);
    json_decref(p->originals);
    json_decref(p->decisions);
    json_decref(p->news);
}

/* Everything that may fail; one snapshot, so that the version is that of what is shown. */
static enum err_code make_parts(struct ctx *c, struct review_class_asked *q, struct open_parts *p)
{
    if (class_version(c->db, q->k.id, &p->version, &c->err) != OK ||
        class_reviews_of(c->db, q->way.revision.id, q->k.id, &p->review, &c->err) != OK) {
        return c->err.code;
    }
    p->seen = seen_of(c, p->version);
    if ((p->cards = review_cards_json(c, q)) == NULL ||
        (p->originals = review_originals_json(c, q, p->others)) == NULL ||
        (p->decisions = decided_list_json(c, q->k.id, 0, DECISIONS_SHOWN)) == NULL ||
        (p->news = news_json(c, q->k.id, p->seen)) == NULL) {
        return c->err.code;
    }
    if (!q->shown) {
        decided_without_ways(p->decisions);
        decided_without_ways(p->news);
    }
    return OK;
}

static enum err_code open_page(struct ctx *c, struct review_class_asked *q, struct open_parts *p)
{
    const char *here = plain_url(c, q);
    json_t *page =
        object(field_json("live", data_live("review", arena_printf(c->arena, "%s?seen=%lld", here,
                                                                   (long long)p->seen))),
               field_json("class", data_class(c->arena, &q->k)), field_json("cards", p->cards),
               field_json("originals", p->originals), field_json("decisions", p->decisions),
               field_json("news", p->news), field_bool("any_news", json_array_size(p->news) > 0),
               field_bool("any_decisions", json_array_size(p->decisions) > 0),
               field_int("seen", p->version), field_text("state", review_state(c, &p->review)),
               field_bool("reviewed", p->review.reviewed),
               field_bool("problematic", p->review.problematic),
               field_text("action", arena_printf(c->arena, "/classes/" SV_FMT "/decisions",
                                                 SV_ARG(q->k.wnid))),
               field_text("here", here),
               field_text("others_url",
                          arena_printf(c->arena, "%s?others=%lld", here, (long long)p->others + 1)),
               field_int("note_max", BLACKLIST_NOTE_MOST), field_bool("shown", q->shown),
               field_text("frequencies_url", arena_printf(c->arena, "%s/frequencies", here)));
    add_ways(c, page, q);
    return reply_page(
        c, 200, "review/class",
        arena_printf(c->arena, "Final review of %s", data_synset(c->arena, q->k.synset, ", ")), page);
}

/* ---- the blind page ---- */

static enum err_code blind_page(struct ctx *c, struct review_class_asked *q, int64_t others)
{
    json_t *originals = review_originals_json(c, q, others);
    json_t *cards = originals ? review_blind_json(c, q) : NULL;
    if (!cards) {
        json_decref(originals);
        return c->err.code;
    }
    const char *here = review_way_url(c, &q->way, q->at);
    json_t *page =
        object(field_json("class", data_class(c->arena, &q->k)), field_json("cards", cards),
               field_json("originals", originals), field_bool("again", q->again),
               field_int("round", q->way.round.id), field_int("mixed_from", q->mix.drawn_from),
               field_text("action", arena_printf(c->arena, "%s/turns", plain_url(c, q))),
               field_text("others_url", arena_printf(c->arena, "%s%sothers=%lld", here,
                                                     q->again ? "&" : "?", (long long)others + 1)),
               field_int("note_max", BLACKLIST_NOTE_MOST));
    add_ways(c, page, q);
    return reply_page(
        c, 200, "review/blind",
        arena_printf(c->arena, "Blind review of %s", data_synset(c->arena, q->k.synset, ", ")),
        page);
}

/* GET /sets/:set/:revision/:wnid?again=&others=&seen= */
enum err_code page_review_class(struct ctx *c)
{
    struct review_class_asked q;
    struct open_parts p = {.others = 0};
    struct sv others = request_query(c->req, "others");
    if (others.n && (!sv_i64(others, &p.others) || p.others < 0 || p.others > INT32_MAX)) {
        return err_rule(&c->err, ERR_INPUT, "others", "others must be a number, 0 or more.");
    }
    if (db_snapshot(c->db, &c->err) != OK) {
        return c->err.code;
    }
    enum err_code rc = review_class_asked(c, sv_is(request_query(c->req, "again"), "1"), &q);
    if (rc == OK && q.blind) {
        rc = blind_page(c, &q, p.others);
    } else if (rc == OK) {
        rc = make_parts(c, &q, &p);
        if (rc == OK) {
            rc = open_page(c, &q, &p);
        } else {
            drop_parts(&p);
        }
    }
    db_snapshot_end(c->db);
    return rc;
}

/* ---- frequencies ---- */

/* POST /sets/:set/:revision/:wnid/frequencies */
enum err_code page_review_frequencies(struct ctx *c)
{
    struct review_class_asked q;
    int64_t event;
    if (review_class_asked(c, false, &q) != OK) {
        return c->err.code;
    }
    if (q.blind) {
        return err_rule(&c->err, ERR_CONFLICT, "review-blind",
                        "You are in a blind round and have not finished this class. Nothing was "
                        "recorded; finish the class first, then ask for its frequencies.");
    }
    enum err_code rc = review_shown_add(c->db, q.way.revision.id, q.k.id, c->user.account,
                                        clock_wall_ms(), &event, &c->err);
    return rc == OK ? reply_did(c, plain_url(c, &q), NULL,
                                "Frequencies are shown. That you asked is recorded.")
                    : rc;
}
