/* pool_digest.c - a digest of each input of a pool, so that a replay can say which of them is not
 * what it was. Called by pool.c.
 *
 * A digest is of what an input says here, not of the rows that say it: images by their place in the
 * order of names, so that it is the same on every machine, whatever numbers images have there. */
#include "base/str.h"
#include "sets/pool_private.h"

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

/* What one of the n images says; `place` is its place in the order of their names. */
static void add_image(struct str out[POOL_INPUTS], const struct pool *p, uint32_t at,
                      uint32_t place)
{
    const struct sample_image *i = &p->sample[at];
    add_text(&out[POOL_IMAGES], p->name[at]);
    add_u32(&out[POOL_IMAGES], i->class_index);
    add_u32(&out[POOL_IMAGES], i->keyword);
    str_addc(&out[POOL_IMAGES], (char)(i->original | i->hidden << 1));
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

enum err_code pool_digests(struct pool_loading *l, struct err *err)
{
    struct pool *p = l->p;
    struct str out[POOL_INPUTS];
    uint32_t place = 0;
    enum err_code rc = OK;
    for (int k = 0; k < POOL_INPUTS; k++) {
        str_init(&out[k], SIZE_MAX / 2);
    }
    add_classes(&out[POOL_IMAGES], p);
    for (size_t k = 0; k < p->n_near; k++) {
        if (p->by_name[k] < p->n) {
            add_image(out, p, p->by_name[k], place++);
        }
    }
    add_components(&out[POOL_NEAR_DUPLICATES], p);
    str_add(&out[POOL_REVIEWS], p->targets, sizeof p->targets);
    for (int k = 0; k < POOL_INPUTS; k++) {
        rc = rc == OK ? str_check(&out[k], "the input of a digest", err) : rc;
        crypto_sha256(out[k].p ? out[k].p : "", out[k].n, p->digest[k]);
        str_release(&out[k]);
    }
    return rc;
}
