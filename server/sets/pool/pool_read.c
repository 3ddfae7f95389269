/* pool_read.c - a pool's classes and images, and the order of their names. */
#include <stdlib.h>
#include <string.h>

#include "base/sorted.h"
#include "base/xalloc.h"
#include "sets/pool/pool_private.h"
#include "store/images/facts.h"
#include "store/sets/pool_images.h"

/* ---- classes ---- */

static int by_wnid(const void *a, const void *b)
{
    return sv_cmp(((const struct class_info *)a)->wnid, ((const struct class_info *)b)->wnid);
}

static int by_class_id(const void *a, const void *b, void *pool)
{
    const struct class_info *list = ((const struct pool *)pool)->classes;
    int64_t x = list[*(const uint32_t *)a].id, y = list[*(const uint32_t *)b].id;
    return x < y ? -1 : x > y;
}

/* Leaves out those that came after the one that was the newest. */
static size_t classes_until(struct pool *p, size_t n, int64_t newest)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        struct class_info k = p->classes[i];
        if (newest == 0 || k.id <= newest) {
            p->newest_class = k.id > p->newest_class ? k.id : p->newest_class;
            p->classes[kept++] = k;
        }
    }
    return kept;
}

enum err_code pool_read_classes(struct pool_loading *l, struct err *err)
{
    struct pool *p = l->p;
    size_t n = 0;
    enum err_code rc = classes_list(l->db, &p->arena, &p->classes, &n, err);
    if (rc != OK) {
        return rc;
    }
    n = classes_until(p, n, l->ask->newest_class);
    p->n_classes = (uint32_t)n;
    p->class_by_id = arena_alloc(&p->arena, (n + 1) * sizeof *p->class_by_id);
    if (n) {
        qsort(p->classes, n, sizeof *p->classes, by_wnid);
    }
    for (uint32_t i = 0; i < n; i++) {
        p->class_by_id[i] = i;
    }
    qsort_r(p->class_by_id, n, sizeof *p->class_by_id, by_class_id, p);
    return OK;
}

uint32_t pool_class(const struct pool *p, int64_t class_id)
{
    size_t lo = 0, hi = p->n_classes;
    if (hi && p->classes[p->class_by_id[hi - 1]].id - p->classes[p->class_by_id[0]].id ==
                  (int64_t)hi - 1) {
        int64_t at = class_id - p->classes[p->class_by_id[0]].id; /* no gaps: no search */
        return at >= 0 && at < (int64_t)hi ? p->class_by_id[at] : MAP_NONE;
    }
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (p->classes[p->class_by_id[mid]].id < class_id) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo < p->n_classes && p->classes[p->class_by_id[lo]].id == class_id ? p->class_by_id[lo]
                                                                              : MAP_NONE;
}

/* ---- images ---- */

static struct sv kept(struct pool *p, struct sv text)
{
    return text.n ? arena_sv(&p->arena, text) : SV("");
}

/* A number for each text, for now in the order in which they come. */
static uint32_t keyword_of(struct pool_loading *l, struct sv text)
{
    uint32_t number = map_sv_put(&l->keywords, text, l->p->n_keywords);
    if (number == l->p->n_keywords) {
        xgrow(&l->keyword_text, &l->cap_keywords, number + 1, sizeof *l->keyword_text);
        l->keyword_text[l->p->n_keywords++] = arena_sv(&l->p->arena, text);
    }
    return number;
}

static enum err_code add_filled(void *arg, int64_t image, unsigned fields, struct err *err)
{
    struct pool_loading *l = arg;
    (void)err;
    if (l->n_filled == 0 || l->filled[l->n_filled - 1].image != image) {
        xgrow(&l->filled, &l->cap_filled, l->n_filled + 1, sizeof *l->filled);
        l->filled[l->n_filled++] = (struct image_filled){.image = (uint32_t)image};
    }
    l->filled[l->n_filled - 1].fields |= fields;
    return OK;
}

/* The row as it was at the event. */
static struct pool_image_row as_it_was(const struct pool_loading *l, const struct pool_image_row *r)
{
    struct pool_image_row then = *r;
    size_t at = sorted_u32(l->filled, l->n_filled, sizeof *l->filled,
                           offsetof(struct image_filled, image), (uint32_t)r->id);
    unsigned fields =
        at < l->n_filled && l->filled[at].image == r->id ? l->filled[at].fields : 0;
    then.content = fields & IMAGE_SOURCE ? 0 : then.content;
    then.source_id = fields & IMAGE_SOURCE_ID ? SV("") : then.source_id;
    then.author = fields & IMAGE_AUTHOR ? SV("") : then.author;
    then.taken_at = fields & IMAGE_TAKEN_AT ? SV("") : then.taken_at;
    then.keyword = fields & IMAGE_KEYWORD ? SV("") : then.keyword;
    return then;
}

static enum err_code add_raw(void *arg, const struct pool_image_row *now, struct err *err)
{
    struct pool_loading *l = arg;
    const struct pool_image_row row = as_it_was(l, now), *r = &row;
    if (r->class_id > l->p->newest_class && l->ask->newest_class > 0) {
        return OK;
    }
    uint32_t class_index =
        l->n_raw && l->p->classes[l->raw[l->n_raw - 1].class_index].id == r->class_id
            ? l->raw[l->n_raw - 1].class_index
            : pool_class(l->p, r->class_id);
    if (r->id >= NEAR_NONE || r->content >= NEAR_NONE || class_index == MAP_NONE) {
        return err_set(err, ERR_LIMIT, "image %lld is beyond what a pool holds", (long long)r->id);
    }
    xgrow(&l->raw, &l->cap_raw, l->n_raw + 1, sizeof *l->raw);
    struct pool_raw *i = &l->raw[l->n_raw++];
    *i = (struct pool_raw){.id = (uint32_t)r->id,
                           .class_index = class_index,
                           .content = (uint32_t)r->content,
                           .keyword = SAMPLE_UNKNOWN,
                           .name = arena_sv(&l->p->arena, r->name),
                           .author = kept(l->p, r->author),
                           .taken_at = kept(l->p, r->taken_at),
                           .original = sv_is(r->role, "original"),
                           .candidate = sv_is(r->role, "candidate"),
                           .compared = image_role_is_compared(image_role_of(r->role))};
    if (r->source_id.n) {
        i->source = 1 + map_sv_put(&l->sources, r->source_id, (uint32_t)l->sources.n);
    }
    if (l->ask->keywords && r->keyword.n) {
        i->keyword = keyword_of(l, r->keyword);
    }
    l->p->n += i->original || i->candidate;
    return OK;
}

uint32_t pool_index(const struct pool_loading *l, uint32_t image)
{
    size_t n = l->n_raw, at = n;
    if (n && l->raw[n - 1].id - l->raw[0].id == n - 1) { /* no gaps: no search */
        at = image >= l->raw[0].id ? image - l->raw[0].id : n;
    } else if (n) {
        at = sorted_u32(l->raw, n, sizeof *l->raw, offsetof(struct pool_raw, id), image);
    }
    return at < n && l->raw[at].id == image ? l->raw[at].at : MAP_NONE;
}

/* Keywords are numbered in order of their texts, whichever image came first. */
static int by_text(const void *a, const void *b, void *texts)
{
    const struct sv *list = texts;
    return sv_cmp(list[*(const uint32_t *)a], list[*(const uint32_t *)b]);
}

static void number_keywords(struct pool_loading *l)
{
    struct pool *p = l->p;
    uint32_t n = p->n_keywords;
    uint32_t *order = arena_alloc(&p->arena, (n + 1) * sizeof *order);
    uint32_t *number = arena_alloc(&p->arena, (n + 1) * sizeof *number);
    struct sv *texts = arena_alloc(&p->arena, (n + 1) * sizeof *texts);
    for (uint32_t i = 0; i < n; i++) {
        order[i] = i;
    }
    qsort_r(order, n, sizeof *order, by_text, l->keyword_text);
    for (uint32_t i = 0; i < n; i++) {
        number[order[i]] = i;
        texts[i] = l->keyword_text[order[i]];
    }
    p->keywords = texts;
    for (size_t i = 0; i < l->n_raw; i++) {
        if (l->raw[i].keyword != SAMPLE_UNKNOWN) {
            l->raw[i].keyword = number[l->raw[i].keyword];
        }
    }
}

static void place(struct pool_loading *l, uint32_t at, struct pool_raw *i)
{
    struct pool *p = l->p;
    i->at = at;
    p->id[at] = i->id;
    p->name[at] = i->name;
    p->author[at] = i->author;
    p->taken_at[at] = i->taken_at;
    p->near[at] = (struct near_image){
        .class_index = i->class_index, .source = i->source, .original = !i->candidate};
    if (at < p->n) {
        p->sample[at] = (struct sample_image){.image = i->id,
                                              .class_index = i->class_index,
                                              .keyword = i->keyword,
                                              .original = i->original};
    }
}

/* Those that are sampled or measured first, by id, then the others, by id. */
static void place_all(struct pool_loading *l)
{
    struct pool *p = l->p;
    size_t n = l->n_raw + 1;
    uint32_t first = 0, other = (uint32_t)p->n;
    l->cap_near = n;
    p->id = xcalloc(n, sizeof *p->id);
    p->name = xcalloc(n, sizeof *p->name);
    p->author = xcalloc(n, sizeof *p->author);
    p->taken_at = xcalloc(n, sizeof *p->taken_at);
    p->near = xcalloc(n, sizeof *p->near);
    p->by_name = xcalloc(n, sizeof *p->by_name);
    p->sample = xcalloc(p->n + 1, sizeof *p->sample);
    for (size_t i = 0; i < l->n_raw; i++) {
        struct pool_raw *r = &l->raw[i];
        place(l, r->original || r->candidate ? first++ : other++, r);
    }
    p->n_near = l->n_project = l->n_raw;
}

struct naming {
    struct pool_loading *l;
    uint32_t n;
};

static enum err_code add_name(void *arg, int64_t id, struct err *err)
{
    struct naming *to = arg;
    uint32_t at = id < NEAR_NONE ? pool_index(to->l, (uint32_t)id) : MAP_NONE;
    (void)err;
    if (at != MAP_NONE) { /* newer ones are of no interest */
        to->l->p->by_name[to->n++] = at;
    }
    return OK;
}

enum err_code pool_read_images(struct pool_loading *l, struct err *err)
{
    struct naming to = {l, 0};
    bool all = l->ask->keywords || l->ask->uploader_most || l->ask->event_most;
    enum err_code rc = pool_images_filled(l->db, l->p->as_of, add_filled, l, err);
    rc = rc == OK ? pool_images_each(l->db, l->p->newest_image, all, add_raw, l, err) : rc;
    if (rc != OK) {
        return rc;
    }
    number_keywords(l);
    place_all(l);
    return image_facts_by_name(l->db, add_name, &to, err);
}

/* ---- names ---- */

uint32_t pool_find(const struct pool *p, uint32_t image)
{
    size_t at = sorted_u32(p->id, p->n, sizeof *p->id, 0, image);
    return at < p->n && p->id[at] == image ? (uint32_t)at : MAP_NONE;
}

uint32_t pool_name(const struct pool *p, struct sv name)
{
    size_t lo = 0, hi = p->n_near;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (sv_cmp(p->name[p->by_name[mid]], name) < 0) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo < p->n_near && sv_eq(p->name[p->by_name[lo]], name) ? p->by_name[lo] : MAP_NONE;
}

static int by_name(const void *a, const void *b, void *names)
{
    const struct sv *list = names;
    return sv_cmp(list[*(const uint32_t *)a], list[*(const uint32_t *)b]);
}

/* The project's images are in order; those that only pairs name, a few, are put among them. */
void pool_rank(struct pool_loading *l)
{
    struct pool *p = l->p;
    size_t n = l->n_project, further = p->n_near - n;
    uint32_t *own = p->by_name, *merged = xcalloc(p->n_near + 1, sizeof *merged);
    uint32_t *late = xcalloc(further + 1, sizeof *late);
    for (size_t i = 0; i < further; i++) {
        late[i] = (uint32_t)(n + i);
    }
    qsort_r(late, further, sizeof *late, by_name, p->name);
    for (size_t i = 0, j = 0; i + j < p->n_near;) {
        bool take_own = j == further || (i < n && sv_cmp(p->name[own[i]], p->name[late[j]]) < 0);
        uint32_t at = take_own ? own[i] : late[j];
        p->near[at].rank = (uint32_t)(i + j);
        if (at < p->n) {
            p->sample[at].rank = (uint32_t)(i + j);
        }
        merged[i + j] = at;
        i += take_own;
        j += !take_own;
    }
    free(late);
    free(own);
    p->by_name = merged;
}
