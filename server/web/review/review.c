/* review.c - how far the final review of a revision is: its classes, its reviewers, the next
 * class for whoever looks, blind rounds and what they say; as a page and as JSON. Rows in routes.c;
 * templates/review/show. */
#include "json/object.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/records.h"
#include "web/core/reply.h"
#include "web/parts/set_data.h"
#include "web/review/data.h"

enum { CLASSES_A_PAGE = 100 };

/* ---- which classes ---- */

enum only { ONLY_ALL, ONLY_OPEN, ONLY_PROBLEMATIC, ONLY_BAD, ONLIES };
static const struct {
    const char *word, *label;
} onlies[ONLIES] = {{"", "All classes"},
                    {"open", "Not reviewed"},
                    {"problematic", "Problematic"},
                    {"bad", "With images that must go"}};

static bool is_listed(const struct review_class *k, enum only only)
{
    switch (only) {
    case ONLY_OPEN:
        return !k->reviewed;
    case ONLY_PROBLEMATIC:
        return k->problematic;
    case ONLY_BAD:
        return k->banned || k->paired;
    case ONLY_ALL:
    case ONLIES:
        break;
    }
    return true;
}

struct asked {
    enum only only;
    int64_t page; /* from 1 */
};

static enum err_code read_asked(struct ctx *c, struct asked *out)
{
    struct sv only = request_query(c->req, "only"), page = request_query(c->req, "page");
    *out = (struct asked){ONLIES, 1};
    for (int i = 0; i < ONLIES; i++) {
        out->only = sv_is(only, onlies[i].word) ? (enum only)i : out->only;
    }
    if (out->only == ONLIES ||
        (page.n && (!sv_i64(page, &out->page) || out->page < 1 || out->page > INT32_MAX))) {
        return err_rule(&c->err, ERR_INPUT, "list",
                        "only is one of open, problematic, bad; page is a number from 1 on.");
    }
    return OK;
}

static const char *list_url(struct ctx *c, const struct review_way *w, enum only only, int64_t page)
{
    const char *url = arena_printf(c->arena, "%s/review", set_url(c->arena, &w->revision));
    if (only != ONLY_ALL) {
        return page > 1 ? arena_printf(c->arena, "%s?only=%s&page=%lld", url, onlies[only].word,
                                       (long long)page)
                        : arena_printf(c->arena, "%s?only=%s", url, onlies[only].word);
    }
    return page > 1 ? arena_printf(c->arena, "%s?page=%lld", url, (long long)page) : url;
}

static json_t *filters_json(struct ctx *c, const struct review_way *w, const struct asked *q)
{
    json_t *list = json_array();
    for (int i = 0; i < ONLIES; i++) {
        size_t n = 0;
        for (size_t k = 0; k < w->n_classes; k++) {
            n += is_listed(&w->classes[k], (enum only)i);
        }
        object_add(list, field_text("label", onlies[i].label),
                   field_text("n", data_count(c->arena, (int64_t)n)),
                   field_text("url", list_url(c, w, (enum only)i, 1)),
                   field_bool("current", (enum only)i == q->only));
    }
    return list;
}

/* Appends {classes, previous_url, next_url, pages_text}. */
static void add_classes(struct ctx *c, json_t *page, const struct review_way *w,
                        const struct asked *q)
{
    json_t *rows = json_array();
    int64_t seen = 0, first = (q->page - 1) * CLASSES_A_PAGE;
    for (size_t i = 0; i < w->n_classes; i++) {
        if (is_listed(&w->classes[i], q->only)) {
            if (seen >= first && seen < first + CLASSES_A_PAGE) {
                json_array_append_new(rows, review_data_class(c, w, &w->classes[i]));
            }
            seen++;
        }
    }
    int64_t last = first + (int64_t)json_array_size(rows);
    json_object_set_new(page, "pages_text",
                        json_string(arena_printf(
                            c->arena, "%s to %s of %s", data_count(c->arena, last ? first + 1 : 0),
                            data_count(c->arena, last), data_count(c->arena, seen))));
    json_object_set_new(page, "previous_url",
                        q->page > 1 ? json_string(list_url(c, w, q->only, q->page - 1))
                                    : json_null());
    json_object_set_new(page, "following_url",
                        last < seen ? json_string(list_url(c, w, q->only, q->page + 1))
                                    : json_null());
    json_object_set_new(page, "any_classes", json_boolean(json_array_size(rows) > 0));
    json_object_set_new(page, "classes", rows);
}

/* ---- the page ---- */

static json_t *tiles_json(struct ctx *c, const struct review_way *w, const struct review_sum *s,
                          const json_t *frequencies)
{
    json_t *tiles = json_array();
    struct arena *a = c->arena;
    data_tile(tiles, "Classes reviewed", data_count(a, (int64_t)s->reviewed),
              arena_printf(a, "of %s; %s carried over from the parent",
                           data_count(a, (int64_t)s->classes), data_count(a, (int64_t)s->carried)));
    data_tile(tiles, "Problematic", data_count(a, (int64_t)s->problematic),
              "classes that need another look");
    data_tile(tiles, "With frequencies shown",
              data_count(a, json_integer_value(json_object_get(frequencies, "shown"))),
              arena_printf(a, "of %s reviewed classes", data_count(a, (int64_t)s->reviewed)));
    data_tile(tiles, "Images", data_count(a, w->revision.images), set_title(a, &w->revision));
    data_tile(tiles, "Blacklisted since", data_count(a, (int64_t)s->banned),
              "images of this revision that the next one replaces");
    data_tile(tiles, "In near-duplicate pairs", data_count(a, (int64_t)s->paired),
              "whose other image is in the revision too, or an original");
    return tiles;
}

struct next_face {
    const char *url, *done, *of;
    bool blind, left;
};
#define OF(member) RECORD_OF(struct next_face, member)
static RECORD(continue_record, struct next_face, "review_next", "Where this reviewer continues.",
              {"url", OF(url), .maybe = true, .about = "The next class; null: nothing is left."},
              {"blind", OF(blind), .about = "Whether there is a blind round."},
              {"done", OF(done), .about = "Turns that are done, for people."},
              {"of", OF(of), .about = "Of how many, for people."},
              {"left", OF(left), .about = "Whether something is left."});
#undef OF

static json_t *next_json(struct ctx *c, const struct review_way *w)
{
    size_t next = review_way_next(w, w->n_turns);
    bool left = next < w->n_turns;
    const struct next_face face = {left ? review_way_url(c, w, next) : NULL, data_count(c->arena, (int64_t)w->n_done),
                                   data_count(c->arena, (int64_t)w->n_turns), w->round.id != 0, left};
    return record_json(&continue_record, &face);
}

/* What the page and the JSON both say. */
struct reviewed {
    struct review_way way;
    struct review_sum sum;
    json_t *people, *round, *frequencies; /* references */
};

static enum err_code read_reviewed(struct ctx *c, struct reviewed *out)
{
    struct review_way *w = &out->way;
    if (review_way_make(c, true, w) != OK) {
        return c->err.code;
    }
    out->sum = review_sum_of(w);
    out->people = review_data_people(c, w);
    out->round = out->people ? review_data_round(c, w) : NULL;
    out->frequencies = out->round ? review_data_frequencies(c, w) : NULL;
    if (!out->frequencies) {
        json_decref(out->people);
        json_decref(out->round);
        return c->err.code;
    }
    return OK;
}

/* GET /sets/:set/:revision/review?only=&page= */
enum err_code page_review(struct ctx *c)
{
    struct reviewed r;
    struct asked q;
    if (read_asked(c, &q) != OK || read_reviewed(c, &r) != OK) {
        return c->err.code;
    }
    const struct review_way *w = &r.way;
    json_t *page = object(
        field_json("live", data_live("review,models", list_url(c, w, q.only, q.page))),
        field_text("set", set_title(c->arena, &w->revision)),
        field_text("set_url", set_url(c->arena, &w->revision)),
        field_json("tiles", tiles_json(c, w, &r.sum, r.frequencies)),
        field_json("next", next_json(c, w)), field_json("people", r.people),
        field_json("round", r.round), field_json("filters", filters_json(c, w, &q)),
        field_bool("any_people", json_array_size(r.people) > 0),
        field_count("reviewed", r.sum.reviewed), field_count("of", r.sum.classes),
        field_text("action", arena_printf(c->arena, "%s/rounds", set_url(c->arena, &w->revision))),
        field_int("most", REVIEW_ROUND_MOST),
        field_bool("final",
                   w->revision.state == REVISION_FROZEN || w->revision.state == REVISION_RELEASED));
    json_object_set_new(page, "frequencies", r.frequencies);
    add_classes(c, page, w, &q);
    return reply_page(c, 200, "review/show",
                      arena_printf(c->arena, "Final review of %s", set_title(c->arena, &w->revision)),
                      page);
}

struct review_reply {
    const char *revision;
    struct review_sum s;
    json_t *next, *people, *round, *frequencies, *classes;
};
#define OF(member) RECORD_OF(struct review_reply, member)
RECORD(review_record, struct review_reply, "review", "How far the final review of a revision is.",
       {"revision", OF(revision), .about = "The revision, SET/NUMBER."},
       {"n_classes", OF(s.classes), .about = "Its classes."},
       {"reviewed", OF(s.reviewed), .about = "Classes that are reviewed."},
       {"problematic", OF(s.problematic), .about = "Classes that somebody has to look at again."},
       {"carried", OF(s.carried), .about = "Classes whose review was carried over from the parent."},
       {"next", OF(next), .of = &continue_record, .about = "Where whoever asks continues."},
       {"people", OF(people), RECORD_LIST, .of = &review_person_record, .about = "Who decided, whoever decided last first."},
       {"round", OF(round), .maybe = true, .of = &review_round_record, .about = "The blind round; null: there is none."},
       {"frequencies", OF(frequencies), .of = &review_frequencies_record, .about = "What was reviewed with frequencies shown."},
       {"classes", OF(classes), RECORD_LIST, .of = &review_class_record, .about = "The classes, by wnid."});
#undef OF

/* GET /api/v1/sets/:set/:revision/review */
enum err_code api_review(struct ctx *c)
{
    struct reviewed r;
    if (read_reviewed(c, &r) != OK) {
        return c->err.code;
    }
    const struct review_way *w = &r.way;
    const struct review_reply reply = {set_title(c->arena, &w->revision), r.sum,     next_json(c, w), r.people, r.round,
                                       r.frequencies,                     json_array()};
    for (size_t i = 0; i < w->n_classes; i++) {
        json_array_append_new(reply.classes, review_data_class(c, w, &w->classes[i]));
    }
    return reply_json(c, 200, record_json(&review_record, &reply));
}
