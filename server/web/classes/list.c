/* list.c - reads what the list of classes asks for, sorts it and takes the page that is due. */
#include "web/classes/list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/map.h"
#include "domain/grids/grid.h"
#include "live/core/as_of.h"
#include "store/images/images.h"
#include "web/core/view_choice.h"

const struct list_word class_sorts[] = {
    {"cid", "Number", CLASS_CID},
    {"wnid", "wnid", CLASS_WNID},
    {"name", "Name", CLASS_NAME},
    {"images", "Images", CLASS_IMAGES},
    {"answers", "Votes", CLASS_ANSWERS},
    {"originals", "Frequency of originals", CLASS_ORIGINALS},
    {"candidates", "Frequency of candidates", CLASS_CANDIDATES},
    {"coverage", "Coverage", CLASS_COVERAGE},
    {"difference", "Difference", CLASS_DIFFERENCE},
    {0},
};
const struct list_word class_onlys[] = {
    {"all", "All classes", CLASS_ALL},
    {"below", "Coverage below the target", CLASS_BELOW},
    {"no-originals", "No originals", CLASS_NO_ORIGINALS},
    {"short-top", "Too few candidates in the top bin", CLASS_SHORT_TOP},
    {"short", "Too few candidates in some bin", CLASS_SHORT},
    {0},
};

/* ---- what is asked for ---- */

static bool falls(int sort)
{
    return sort >= CLASS_IMAGES && sort != CLASS_COVERAGE;
}

#define AT(member) .at = offsetof(struct class_query, member)
static const struct list_param params[] = {
    {"q", LIST_TEXT, AT(q)},
    {"sort", LIST_WORD, AT(sort), .words = class_sorts},
    {"order", LIST_ORDER, AT(falling)},
    {"only", LIST_WORD, AT(only), .words = class_onlys},
    {"view", LIST_TEXT, AT(view)},
    {"page", LIST_NUMBER, AT(page), .least = 1, .most = INT32_MAX, .moment = true},
    {"as_of", LIST_NUMBER, AT(as_of), .most = INT64_MAX, .moment = true},
    {0},
};
const struct list_table class_table = {params, sizeof(struct class_query), &params[1], falls};
const struct class_query class_usual = {.view = {"default", 7}, .page = 1, .skip = -1};

enum err_code class_query_read(struct ctx *c, struct class_query *q)
{
    return list_read(c, &class_table, &class_usual, q);
}

/* ---- filters ---- */

/* Case-insensitive, in wnid, words or gloss. */
static bool fits(struct arena *a, const struct class_info *k, struct sv query)
{
    return query.n == 0 || sv_eq_nocase(query, arena_cstr(a, k->wnid)) ||
           memmem(k->synset.p, k->synset.n, query.p, query.n) ||
           strcasestr(k->synset.p, arena_cstr(a, query)) ||
           strcasestr(k->gloss.p, arena_cstr(a, query));
}

static bool is_short(const struct class_line *l, const struct stats_class *s, int from)
{
    bool few = false;
    for (int i = from; i < HISTOGRAM_BINS; i++) {
        few = few || s->candidates[i] < l->target[i];
    }
    return few;
}

static bool passes(const struct class_line *l, const struct stats_class *s, enum class_only only,
                   int64_t coverage)
{
    switch (only) {
    case CLASS_BELOW: return s->covered < coverage;
    case CLASS_NO_ORIGINALS: return l->originals == 0;
    case CLASS_SHORT_TOP: return is_short(l, s, HISTOGRAM_BINS - 1);
    case CLASS_SHORT: return is_short(l, s, 0);
    case CLASS_ALL: break;
    }
    return true;
}

/* ---- order ---- */

bool class_difference(const struct stats_class *s, double *out)
{
    if (!s->shown[CELL_POSITIVE] || !s->shown[CELL_CANDIDATE]) {
        return false;
    }
    *out = (double)s->selected[CELL_POSITIVE] / (double)s->shown[CELL_POSITIVE] -
           (double)s->selected[CELL_CANDIDATE] / (double)s->shown[CELL_CANDIDATE];
    return true;
}

static double share_or_last(const struct stats_class *s, int role)
{
    return s->shown[role] ? (double)s->selected[role] / (double)s->shown[role] : INFINITY;
}

/* Falling orders turn the sign; what is not known is last in both. */
static double key_of(const struct class_line *l, const struct stats_class *s,
                     const struct class_query *q)
{
    double key = 0;
    switch (q->sort) {
    case CLASS_IMAGES: key = (double)l->images; break;
    case CLASS_ANSWERS:
        key = (double)(s->shown[0] + s->shown[1] + s->shown[2] + s->shown[3]);
        break;
    case CLASS_ORIGINALS: key = share_or_last(s, CELL_POSITIVE); break;
    case CLASS_CANDIDATES: key = share_or_last(s, CELL_CANDIDATE); break;
    case CLASS_COVERAGE: key = s->covered; break;
    case CLASS_DIFFERENCE: key = class_difference(s, &key) ? key : INFINITY; break;
    case CLASS_CID:
    case CLASS_WNID:
    case CLASS_NAME: break;
    }
    return q->falling && isfinite(key) ? -key : key;
}

static int compare(const void *a, const void *b, void *arg)
{
    const struct class_line *x = a, *y = b;
    const struct class_query *q = arg;
    int by = (x->key > y->key) - (x->key < y->key);
    if (q->sort == CLASS_WNID) {
        by = sv_cmp(x->info->wnid, y->info->wnid);
    } else if (q->sort == CLASS_NAME) {
        by = strcasecmp(x->info->synset.p, y->info->synset.p);
    } else if (q->sort == CLASS_CID) {
        by = (x->info->cid > y->info->cid) - (x->info->cid < y->info->cid);
    }
    if (q->sort <= CLASS_NAME && q->falling) {
        by = -by;
    }
    return by ? by : (x->info->cid > y->info->cid) - (x->info->cid < y->info->cid);
}

/* ---- the list ---- */

struct sources {
    struct class_info *list;
    struct class_count *counts;
    size_t n, n_counts;
    struct classes_counted now, then; /* then: as the order has it */
    struct map_u64 at;                /* class -> counts */
};

static void fill(struct class_line *l, const struct sources *s, const struct class_info *k)
{
    uint32_t at = map_u64_get(&s->at, (uint64_t)k->id);
    *l = (struct class_line){.info = k, .now = class_numbers_of(&s->now, k->id)};
    for (int r = 0; at != MAP_NONE && r < IMAGE_ROLES; r++) {
        l->images += s->counts[at].of_role[r];
    }
    l->originals = at == MAP_NONE ? 0 : s->counts[at].of_role[IMAGE_ORIGINAL];
}

static size_t collect(struct ctx *c, const struct class_query *q, struct sources *s,
                      int64_t coverage, struct class_line *lines)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++) {
        struct class_line *l = &lines[n];
        if (!fits(c->arena, &s->list[i], q->q)) {
            continue;
        }
        fill(l, s, &s->list[i]);
        struct class_numbers then = class_numbers_of(&s->then, s->list[i].id);
        histogram_targets(then.s.originals, HISTOGRAM_SAMPLE, l->target);
        if (passes(l, &then.s, q->only, coverage)) {
            l->key = key_of(l, &then.s, q);
            histogram_targets(l->now.s.originals, HISTOGRAM_SAMPLE, l->target);
            n++;
        }
    }
    return n;
}

static enum err_code load(struct ctx *c, const struct class_query *q, struct sources *s,
                          int64_t *coverage)
{
    if (classes_list(c->db, c->arena, &s->list, &s->n, &c->err) != OK ||
        images_by_class(c->db, c->arena, &s->counts, &s->n_counts, &c->err) != OK ||
        class_coverage_target(c, coverage) != OK ||
        class_numbers_all(c, q->view, 0, &s->now) != OK) {
        return c->err.code;
    }
    s->then = s->now;
    bool earlier = q->as_of && q->as_of < s->now.as_of;
    return earlier ? class_numbers_all(c, q->view, q->as_of, &s->then) : OK;
}

enum err_code class_list_make(struct ctx *c, const struct class_query *q, size_t most,
                              struct class_list *out)
{
    struct sources s = {.list = NULL};
    struct class_query asked = *q;
    *out = (struct class_list){0};
    if (load(c, q, &s, &out->coverage) != OK) {
        return c->err.code;
    }
    map_u64_init(&s.at);
    for (size_t i = 0; i < s.n_counts; i++) {
        map_u64_put(&s.at, (uint64_t)s.counts[i].class_id, (uint32_t)i);
    }
    struct class_line *lines = arena_calloc(c->arena, s.n + 1, sizeof *lines);
    out->total = collect(c, q, &s, out->coverage, lines);
    map_u64_release(&s.at);
    qsort_r(lines, out->total, sizeof *lines, compare, &asked);
    out->pages = out->total ? (int64_t)((out->total + most - 1) / most) : 1;
    out->page = q->page < out->pages ? q->page : out->pages;
    size_t from = q->skip >= 0 ? (size_t)q->skip : (size_t)(out->page - 1) * most;
    from = from < out->total ? from : out->total;
    out->lines = lines + from;
    out->n = out->total - from < most ? out->total - from : most;
    out->as_of = s.then.as_of;
    out->newer = s.then.as_of < s.now.as_of && as_of_news(app_tally(c->app), s.then.as_of);
    return OK;
}

/* ---- addresses ---- */

const char *class_query_url(struct ctx *c, const char *path, const struct class_query *q)
{
    return list_url(c, &class_table, path, &class_usual, q, false);
}

const char *class_list_url(struct ctx *c, const char *path, const struct class_query *q,
                           const struct class_list *l, int64_t page)
{
    struct class_query shown = *q;
    shown.page = page;
    shown.as_of = l->as_of;
    return list_url(c, &class_table, path, &class_usual, &shown, true);
}
