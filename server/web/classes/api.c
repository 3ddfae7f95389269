/* api.c - classes, frequencies and images for scripts, with the sorts and filters of the
 * pages. Lists go by cursor ("after") and "limit"; as_of and images of a reply, sent along, keep the
 * order while votes arrive: next_url has them all. Every page costs the same wherever it lies. */
#include <math.h>

#include "domain/grids/grid.h"
#include "web/classes/list.h"
#include "web/core/lists.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/records.h"
#include "web/core/reply.h"
#include "web/gallery/image_list.h"

enum { LIMIT_DEFAULT = 100, LIMIT_MOST = 1000 };

/* ---- classes ---- */

struct covered {
    uint32_t covered;
    int64_t target;
};
static RECORD(covered_record, struct covered, "class_coverage", "How many originals have enough answers.",
       {"covered", RECORD_OF(struct covered, covered), .about = "Originals with at least 10 answers."},
       {"target", RECORD_OF(struct covered, target), .about = "How many there should be."});

struct compared {
    double value, lo, hi; /* bounds NAN: the list has no intervals */
};
#define OF(member) RECORD_OF(struct compared, member)
static RECORD(compared_record, struct compared, "frequency_difference", "The originals' frequency minus the candidates'.",
       {"value", OF(value), .about = "The difference, from -1 to 1."},
       {"lo", OF(lo), .maybe = true, .about = "Lower bound of its interval, 95 %."},
       {"hi", OF(hi), .maybe = true, .about = "Upper bound."});
#undef OF

struct bins {
    json_t *originals, *candidates, *target;
};
#define OF(member) RECORD_OF(struct bins, member), RECORD_NUMBERS
static RECORD(bins_record, struct bins, "frequency_histogram", "Images with at least 10 answers by frequency: [0,.2), [.2,.4), [.4,.6), [.6,.8), [.8,1].",
       {"originals", OF(originals), .about = "Originals in each bin."},
       {"candidates", OF(candidates), .about = "Candidates in each bin."},
       {"target", OF(target), .about = "How many of 10 sampled images each bin gets."});
#undef OF

struct class_item {
    json_t *head, *candidates, *originals, *gold_right;
    int64_t images;
    uint64_t answers;
    struct compared difference;
    bool compared;
    struct covered coverage;
    struct bins histogram;
};
#define OF(member) RECORD_OF(struct class_item, member)
#define PART(member) RECORD_PART(struct class_item, member)
static RECORD(item_record, struct class_item, "class_frequencies", "A class and the frequencies of its images.",
              {NULL, OF(head), RECORD_BESIDE, .of = &class_record},
              {"images", OF(images), .about = "Images of the class in the project."},
              {"answers", OF(answers), .about = "Votes about images under the class."},
              {"candidates", OF(candidates), .of = &pooled_record, .about = "Selection frequency of its candidates."},
              {"originals", OF(originals), .of = &pooled_record, .about = "Selection frequency of its originals."},
              {"gold_right", OF(gold_right), .of = &pooled_record, .about = "Share of votes about gold images that are right."},
              {"difference", PART(difference), RECORD_IF(struct class_item, compared), .of = &compared_record,
               .about = "Of both; null while either has no votes."},
              {"coverage", PART(coverage), .of = &covered_record, .about = "How well its originals are measured."},
              {"histogram", PART(histogram), .of = &bins_record, .about = "Its images with at least 10 answers, by frequency."});
#undef OF
#undef PART

static json_t *bins_json(const uint32_t h[HISTOGRAM_BINS])
{
    json_t *list = json_array();
    for (int i = 0; i < HISTOGRAM_BINS; i++) {
        json_array_append_new(list, json_integer(h[i]));
    }
    return list;
}

static json_t *frequency_json(struct arena *a, const struct class_numbers *n, enum cell_role role)
{
    int64_t k = (int64_t)n->s.selected[role], shown = (int64_t)n->s.shown[role];
    return n->has_ci && shown ? data_clustered(a, k, shown, n->s.ci[role]) : data_pooled(a, k, shown);
}

static json_t *class_json(struct ctx *c, const struct class_line *l, int64_t coverage)
{
    const struct class_numbers *n = &l->now;
    const struct stats_class *s = &n->s;
    const double none = (double)NAN;
    struct class_item item = {
        .head = data_class(c->arena, l->info),
        .images = l->images,
        .answers = s->shown[0] + s->shown[1] + s->shown[2] + s->shown[3],
        .candidates = frequency_json(c->arena, n, CELL_CANDIDATE),
        .originals = frequency_json(c->arena, n, CELL_POSITIVE),
        .gold_right = frequency_json(c->arena, n, CELL_GOLD),
        .difference = {0, n->has_ci ? s->difference.lo : none, n->has_ci ? s->difference.hi : none},
        .coverage = {s->covered, coverage},
        .histogram = {bins_json(s->originals), bins_json(s->candidates), bins_json(l->target)},
    };
    item.compared = class_difference(s, &item.difference.value);
    return record_json(&item_record, &item);
}

struct class_page {
    json_t *items;
    size_t total;
    int64_t next, as_of;
    const char *next_url;
};
#define OF(member) RECORD_OF(struct class_page, member)
RECORD(classes_record, struct class_page, "classes", "Part of the list of classes.",
       {"items", OF(items), RECORD_LIST, .of = &item_record, .about = "The classes, in the order asked for."},
       {"total", OF(total), .about = "Classes in the whole list."},
       {"next", OF(next), .maybe = true, .about = "What `after` must be for the classes that follow; null: these are the last."},
       {"as_of", OF(as_of), .about = "The last event that the order counts."},
       {"next_url", OF(next_url), .maybe = true, .about = "Where the classes that follow are; null: these are the last."});
#undef OF

/* GET /api/v1/classes: q, sort, order, only, view, as_of, after, limit */
enum err_code api_classes(struct ctx *c)
{
    struct class_query q;
    struct class_list l;
    struct cursor at;
    if (class_query_read(c, &q) != OK ||
        cursor_read(c, "after", LIMIT_DEFAULT, LIMIT_MOST, &at) != OK) {
        return c->err.code;
    }
    q.skip = at.from;
    if (class_list_make(c, &q, at.limit, &l) != OK) {
        return c->err.code;
    }
    json_t *items = json_array();
    for (size_t i = 0; i < l.n; i++) {
        json_array_append_new(items, class_json(c, &l.lines[i], l.coverage));
    }
    struct class_page page = {.items = items, .total = l.total, .as_of = l.as_of};
    int64_t end = q.skip + (int64_t)l.n;
    if (l.n && (size_t)end < l.total) {
        page.next = end;
        page.next_url = arena_printf(c->arena, "%s&after=%lld&limit=%zu", class_list_url(c, "/api/v1/classes", &q, &l, 1),
                                     (long long)end, at.limit);
    }
    return reply_json(c, 200, record_json(&classes_record, &page));
}

/* ---- images ---- */

static enum err_code reply_images(struct ctx *c, const char *path, int64_t class_id,
                                  const struct image_query *usual)
{
    struct image_query q;
    struct image_list l = {0};
    struct cursor at;
    json_t *items = NULL;
    if (image_query_read(c, usual, &q) != OK ||
        cursor_read(c, "after", LIMIT_DEFAULT, LIMIT_MOST, &at) != OK) {
        return c->err.code;
    }
    q.skip = at.from;
    if (image_list_make(c, &q, class_id, at.limit, &l) == OK) {
        items = image_list_items(c, path, &q, at.limit, &l);
    }
    image_list_put(&l);
    return items ? reply_json(c, 200, items) : c->err.code;
}

/* GET /api/v1/classes/:wnid/frequencies: what image_list.h knows, after, limit */
enum err_code api_class_frequencies(struct ctx *c)
{
    struct class_info k;
    if (classes_find(c->db, c->req->params[0], c->arena, &k, &c->err) != OK) {
        return c->err.code;
    }
    return reply_images(c,
                        arena_printf(c->arena, "/api/v1/classes/" SV_FMT "/frequencies",
                                     SV_ARG(k.wnid)),
                        k.id, &image_usual_class);
}

/* GET /api/v1/images: what image_list.h knows, after, limit */
enum err_code api_images(struct ctx *c)
{
    return reply_images(c, "/api/v1/images", 0, &image_usual_all);
}
