/* bias_review.c - which images final reviews saw, and what they said. */
#include "base/map.h"
#include "sets/bias/bias_private.h"
#include "store/review/blacklist.h"
#include "store/review/class_reviews.h"

struct reading {
    struct bias_work *w;
    bool *banned; /* by place in the pool */
    bool *class_reviewed;
};

static enum err_code ban(void *arg, int64_t image, struct err *err)
{
    struct reading *g = arg;
    uint32_t at = pool_find(&g->w->pool, (uint32_t)image);
    (void)err;
    if (at != MAP_NONE) {
        g->banned[at] = true;
    }
    return OK;
}

/* The candidates of a revision, as places in the pool. */
static enum err_code list_candidates(const struct reading *g, int64_t revision, uint32_t **out,
                                     size_t *n, struct err *err)
{
    struct bias_work *w = g->w;
    struct revision_image *images = NULL;
    size_t all = 0;
    enum err_code rc = revisions_images(w->db, revision, &w->own, &images, &all, err);
    *out = arena_alloc(&w->own, (all + 1) * sizeof **out);
    *n = 0;
    for (size_t i = 0; i < all; i++) {
        uint32_t at = pool_find(&w->pool, images[i].image);
        if (at != MAP_NONE && !w->images[at].original &&
            w->images[at].class_index == pool_class(&w->pool, images[i].class_id)) {
            (*out)[(*n)++] = at;
        }
    }
    return rc;
}

static void mark(const struct reading *g, uint32_t at, bool seen)
{
    struct bias_image *image = &g->w->images[at];
    if (g->banned[at]) {
        const struct sample_image *s = &g->w->pool.sample[at];
        image->review = SPREAD_REMOVED;
        g->w->out_of_pool[at] = !image->in_set && (s->near_duplicate || s->hidden);
    } else if (seen) {
        image->review = SPREAD_KEPT;
    }
}

static enum err_code read_classes(const struct reading *g, int64_t revision, struct err *err)
{
    struct bias_work *w = g->w;
    struct class_review_row *rows = NULL;
    size_t n = 0;
    enum err_code rc = class_reviews_list(w->db, revision, 0, &w->own, &rows, &n, err);
    for (uint32_t c = 0; c < w->pool.n_classes; c++) {
        g->class_reviewed[c] = false;
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t c = pool_class(&w->pool, rows[i].class_id);
        if (c != MAP_NONE && rows[i].reviewed) {
            g->class_reviewed[c] = w->out->review.recorded = true;
        }
    }
    return rc;
}

/* `all`: every image was looked at, whatever is recorded. Gives whether images were removed. */
static enum err_code read_revision(const struct reading *g, const struct revision_row *r, bool all,
                                   bool *removed, struct err *err)
{
    uint32_t *at = NULL;
    size_t n = 0;
    enum err_code rc = read_classes(g, r->id, err);
    rc = rc == OK ? list_candidates(g, r->id, &at, &n, err) : rc;
    *removed = false;
    for (size_t i = 0; i < n && rc == OK; i++) {
        *removed |= g->banned[at[i]];
    }
    for (size_t i = 0; i < n && rc == OK; i++) {
        mark(g, at[i], all || g->class_reviewed[g->w->images[at[i]].class_index]);
    }
    return rc;
}

/* From the revision to the first of its tree. With `assume` those are looked through of which the
 * header says so. */
static enum err_code read_tree(const struct reading *g, bool assume, bool *any_removed,
                               struct err *err)
{
    struct set_bias *out = g->w->out;
    struct revision_row r = out->revision;
    enum err_code rc = OK;
    *any_removed = false;
    out->review.revisions = 0;
    for (bool more = true; more && rc == OK;) {
        bool own = r.id == out->revision.id, removed = false;
        bool fixed = r.state == REVISION_FROZEN || r.state == REVISION_RELEASED;
        rc = read_revision(g, &r, assume && (!own || fixed), &removed, err);
        if (rc == OK && assume && removed && own && !fixed) {
            rc = read_revision(g, &r, true, &removed, err);
        }
        *any_removed |= removed;
        out->review.revisions++;
        more = r.parent != 0;
        if (more && rc == OK) {
            rc = revisions_get(g->w->db, r.parent, &g->w->own, &r, err);
        }
    }
    return rc;
}

enum err_code set_bias_reviews(struct bias_work *w, struct err *err)
{
    struct reading g = {
        .w = w,
        .banned = arena_calloc(&w->own, w->pool.n + 1, sizeof(bool)),
        .class_reviewed = arena_calloc(&w->own, (size_t)w->pool.n_classes + 1, sizeof(bool)),
    };
    bool removed;
    enum err_code rc = blacklist_images(w->db, ban, &g, err);
    rc = rc == OK ? read_tree(&g, false, &removed, err) : rc;
    if (rc == OK && removed && !w->out->review.recorded) {
        w->out->review.assumed = true;
        rc = read_tree(&g, true, &removed, err);
    }
    return rc;
}
