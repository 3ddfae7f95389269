/* review.c - how far the final review of a revision is: its classes, its reviewers, the next
 * class for whoever looks, blind rounds and what they say; as a page and as JSON. Rows in routes.c;
 * templates/review/show. */
#include <math.h>

#include "base/sorted.h"
#include "json/object.h"
#include "web/core/lists.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/records.h"
#include "web/core/reply.h"
#include "web/parts/set_data.h"
#include "web/review/data.h"

enum { CLASSES_A_PAGE = 100 };

/* ---- which classes ---- */

enum only { ONLY_ALL, ONLY_OPEN, ONLY_PROBLEMATIC, ONLY_BAD };
enum sort { BY_STATE, BY_CLASS, BY_TIME, BY_IMAGES, BY_BANNED, BY_PAIRED };
struct query {
    int only, sort;
    bool falling;
    int64_t page;
};

static const struct list_word onlies[] = {
    {"all", "All", ONLY_ALL},
    {"open", "Not reviewed", ONLY_OPEN},
    {"problematic", "Problematic", ONLY_PROBLEMATIC},
    {"bad", "With images that must go", ONLY_BAD},
    {0},
};
static const struct list_word sorts[] = {
    {"state", "State", BY_STATE},
    {"class", "Class", BY_CLASS},
    {"since", "Since", BY_TIME},
    {"images", "Images", BY_IMAGES},
    {"banned", "Blacklisted", BY_BANNED},
    {"paired", "Near-duplicates", BY_PAIRED},
    {0},
};

/* What is least far comes first. */
static bool falls(int sort)
{
    return sort != BY_STATE && sort != BY_CLASS;
}

#define AT(member) .at = offsetof(struct query, member)
static const struct list_param params[] = {
    {"only", LIST_WORD, AT(only), .words = onlies, .chips = "Which classes"},
    {"sort", LIST_WORD, AT(sort), .words = sorts},
    {"order", LIST_ORDER, AT(falling)},
    {"page", LIST_NUMBER, AT(page), .least = 1, .most = INT32_MAX, .moment = true},
    {0},
};
static const struct list_table table = {params, sizeof(struct query), &params[1], falls};
static const struct query usual = {.page = 1};

static const char *list_path(struct ctx *c, const struct review_way *w)
{
    return arena_printf(c->arena, "%s/review", set_url(c->arena, &w->revision));
}

static bool is_listed(const struct review_class *k, enum only only)
{
    switch (only) {
    case ONLY_OPEN: return !k->reviewed;
    case ONLY_PROBLEMATIC: return k->problematic;
    case ONLY_BAD: return k->banned || k->paired;
    case ONLY_ALL: break;
    }
    return true;
}

static double key_of(const struct review_class *k, enum sort sort)
{
    switch (sort) {
    case BY_STATE: return !k->reviewed ? 0 : k->problematic ? 1 : 2;
    case BY_TIME: return k->at ? (double)k->at : (double)NAN;
    case BY_IMAGES: return (double)k->images;
    case BY_BANNED: return (double)k->banned;
    case BY_PAIRED: return (double)k->paired;
    case BY_CLASS: break;
    }
    return 0;
}

/* Adds {chips, heads, classes, any_classes, pages, pages_label}. */
static void add_classes(struct ctx *c, json_t *page, const struct review_way *w, const struct query *q)
{
    struct sorted_key *fit = arena_calloc(c->arena, w->n_classes + 1, sizeof *fit);
    const char *path = list_path(c, w), *base = list_url(c, &table, path, &usual, q, false);
    json_t *rows = json_array();
    size_t n = 0;
    for (size_t i = 0; i < w->n_classes; i++) {
        if (is_listed(&w->classes[i], q->only)) {
            double key = q->sort == BY_CLASS ? (double)i : key_of(&w->classes[i], q->sort);
            fit[n++] = (struct sorted_key){key, i};
        }
    }
    sorted_keys(fit, n, q->falling);
    const struct list_page part = list_page_of((int64_t)n, CLASSES_A_PAGE, q->page);
    for (size_t i = part.skip; i < n && i < part.skip + part.most; i++) {
        json_array_append_new(rows, review_data_class(c, w, &w->classes[fit[i].at]));
    }
    json_object_set_new(page, "chips", list_chips(c, &table, path, q));
    json_object_set_new(page, "heads", list_heads(c, &table, path, &usual, q));
    json_object_set_new(page, "classes", rows);
    json_object_set_new(page, "any_classes", json_boolean(n > 0));
    json_object_set_new(page, "pages", list_page_links(c, &part, base, "#classes-head"));
    json_object_set_new(page, "pages_label", json_string("Pages of classes"));
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

/* GET /sets/:set/:revision/review?only=&sort=&order=&page= */
enum err_code page_review(struct ctx *c)
{
    struct reviewed r;
    struct query q;
    if (list_read(c, &table, &usual, &q) != OK || read_reviewed(c, &r) != OK) {
        return c->err.code;
    }
    const struct review_way *w = &r.way;
    const char *here = list_url(c, &table, list_path(c, w), &usual, &q, q.page > 1);
    json_t *page = object(
        field_json("live", data_live("review,models", here)),
        field_text("set", set_title(c->arena, &w->revision)),
        field_text("set_url", set_url(c->arena, &w->revision)),
        field_json("tiles", tiles_json(c, w, &r.sum, r.frequencies)),
        field_json("next", next_json(c, w)), field_json("people", r.people),
        field_json("round", r.round),
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
