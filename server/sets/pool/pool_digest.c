/* pool_digest.c - a digest of each input of a pool, so that a replay can say which of them is not what it was.
 *
 * A digest is of what an input says here, not of the rows that say it: images by their place in the
 * order of names, so that it is the same on every machine, whatever numbers images have there. */
#include <stdlib.h>

#include "base/parallel.h"
#include "base/str.h"
#include "base/xalloc.h"
#include "domain/images/upload_limit.h"
#include "sets/pool/pool_private.h"

const char *const pool_inputs[POOL_INPUTS] = {"images",  "votes",  "blacklist", "near_duplicates",
                                              "reviews", "parent", "picks"};

static void add_u32(struct str *s, uint32_t x)
{
    const unsigned char bytes[4] = {(unsigned char)x, (unsigned char)(x >> 8),
                                    (unsigned char)(x >> 16), (unsigned char)(x >> 24)};
    str_add(s, bytes, sizeof bytes);
}

static void add_text(struct str *s, struct sv text)
{
    add_u32(s, (uint32_t)text.n);
    str_addsv(s, text);
}

static void add_classes(struct str *s, const struct pool *p)
{
    add_u32(s, p->n_classes);
    for (uint32_t k = 0; k < p->n_classes; k++) {
        add_text(s, p->classes[k].wnid);
    }
    for (uint32_t k = 0; k < p->n_keywords; k++) {
        add_text(s, p->keywords[k]);
    }
}

/* ---- images: most of the bytes, so in parts, over the cores there are ---- */

enum { PART = 16384 };

struct parts {
    const struct pool *p;
    const struct pool_ask *ask;
    const uint32_t *order; /* the n images by name */
    unsigned char (*digest)[CRYPTO_HASH];
};

/* What limits per uploader look at, when there are some. */
static void add_uploader(struct str *s, const struct parts *parts, uint32_t at)
{
    if (parts->ask->uploader_most || parts->ask->event_most) {
        add_text(s, parts->p->author[at]);
    }
    if (parts->ask->event_most) {
        add_text(s, upload_day(parts->p->taken_at[at]));
    }
}

static void digest_part(void *arg, unsigned worker, size_t part)
{
    const struct parts *parts = arg;
    const struct pool *p = parts->p;
    struct str s;
    (void)worker;
    str_init(&s, SIZE_MAX / 2);
    for (size_t k = part * PART; k < p->n && k < (part + 1) * PART; k++) {
        const struct sample_image *i = &p->sample[parts->order[k]];
        add_text(&s, p->name[parts->order[k]]);
        add_u32(&s, i->class_index);
        add_u32(&s, i->keyword);
        str_addc(&s, (char)(i->original | i->hidden << 1));
        add_uploader(&s, parts, parts->order[k]);
    }
    crypto_sha256(s.p, s.n, parts->digest[part]);
    str_release(&s);
}

/* Which images of the project have the same key, not which key: every one but the first of its
 * kind, and that one. An import that completes what nobody else has changes nothing. */
static void add_equal(struct str *s, const struct pool *p, const uint32_t *key)
{
    struct map_u64 first;
    uint32_t place = 0;
    map_u64_init(&first);
    for (size_t k = 0; k < p->n_near; k++) {
        uint32_t at = p->by_name[k];
        uint32_t other = key[at] ? map_u64_put(&first, key[at], place) : place;
        if (other != place) {
            add_u32(s, place);
            add_u32(s, other);
        }
        place += p->id[at] != 0; /* names that only pairs know may come later */
    }
    add_u32(s, place);
    map_u64_release(&first);
}

/* Equal bytes and equal photos make near-duplicates, and an import may complete either later. */
static void add_origins(struct str *s, const struct pool_loading *l)
{
    const struct pool *p = l->p;
    uint32_t *content = xcalloc(p->n_near + 1, sizeof *content);
    uint32_t *source = xcalloc(p->n_near + 1, sizeof *source);
    for (size_t i = 0; i < l->n_raw; i++) {
        content[l->raw[i].at] = l->raw[i].content;
        source[l->raw[i].at] = (uint32_t)l->raw[i].source;
    }
    add_equal(s, p, content);
    add_equal(s, p, source);
    free(content);
    free(source);
}

static void digest_images(struct pool_loading *l, const uint32_t *order)
{
    struct pool *p = l->p;
    struct arena a;
    struct str s;
    size_t n = (p->n + PART - 1) / PART;
    arena_init(&a, SIZE_MAX / 2);
    struct parts parts = {p, l->ask, order, arena_alloc(&a, (n + 1) * sizeof *parts.digest)};
    parallel_for(parallel_cores(), n, digest_part, &parts);
    str_init(&s, SIZE_MAX / 2);
    add_classes(&s, p);
    add_origins(&s, l);
    str_add(&s, parts.digest, n * sizeof *parts.digest);
    crypto_sha256(s.p, s.n, p->digest[POOL_IMAGES]);
    str_release(&s);
    arena_release(&a);
}

/* ---- what is said about them ---- */

/* About one of the n images; `place` is its place in the order of their names. */
static void add_image(struct str out[POOL_INPUTS], const struct sample_image *i, uint32_t place)
{
    if (i->shown) {
        add_u32(&out[POOL_VOTES], place);
        add_u32(&out[POOL_VOTES], i->shown);
        add_u32(&out[POOL_VOTES], i->selected);
    }
    if (i->blacklisted) {
        add_u32(&out[POOL_BLACKLIST], place);
    }
    if (i->unreviewed) {
        add_u32(&out[POOL_REVIEWS], place);
    }
    if (i->in_parent) {
        add_u32(&out[POOL_PARENT], place);
    }
    if (i->not_picked) {
        add_u32(&out[POOL_PICKS], place);
    }
}

/* Members of components: which one, and whether somebody decided that it stays. */
static void add_components(struct str *s, const struct pool *p)
{
    for (size_t k = 0; k < p->n_near; k++) {
        uint32_t at = p->by_name[k];
        if (p->duplicates.component[at] != NEAR_NONE) {
            add_text(s, p->name[at]);
            add_u32(s, p->duplicates.component[at]);
            str_addc(s, p->near[at].keep ? 'k' : '-');
        }
    }
}

/* Behind everything that was there before metrics were enabled: without such an image nothing changes. */
static void add_unsearched(struct str *s, const struct pool *p, const uint32_t *order)
{
    for (uint32_t k = 0; k < p->n; k++) {
        if (p->sample[order[k]].unsearched) {
            str_addc(s, 'u');
            add_u32(s, k);
        }
    }
}

/* As revisions of projects that know the published metrics alone have it; others follow with their names. */
static void add_thresholds(struct str *s, const struct pool *p)
{
    for (size_t m = 0; m < p->gate.n; m++) {
        const struct review_metric *metric = &p->gate.metric[m];
        if (m >= REVIEW_METRICS) {
            add_text(s, sv_of(metric->name));
        }
        str_add(s, &metric->threshold, sizeof metric->threshold);
    }
}

void pool_digests(struct pool_loading *l)
{
    struct pool *p = l->p;
    struct str out[POOL_INPUTS];
    uint32_t n = 0, *order = arena_alloc(&p->arena, (p->n + 1) * sizeof *order);
    for (int k = 0; k < POOL_INPUTS; k++) {
        str_init(&out[k], SIZE_MAX / 2);
    }
    for (size_t k = 0; k < p->n_near; k++) {
        uint32_t at = p->by_name[k];
        if (at < p->n) {
            add_image(out, &p->sample[at], n);
            order[n++] = at;
        }
    }
    add_components(&out[POOL_NEAR_DUPLICATES], p);
    add_thresholds(&out[POOL_REVIEWS], p);
    add_unsearched(&out[POOL_REVIEWS], p, order);
    for (int k = 0; k < POOL_INPUTS; k++) {
        BUG_IF(out[k].over);
        crypto_sha256(out[k].p ? out[k].p : "", out[k].n, p->digest[k]);
        str_release(&out[k]);
    }
    digest_images(l, order);
}
