/* image_list.c - makes the page of a list of images that is due. */
#include "web/gallery/image_list.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "live/core/as_of.h"
#include "store/images/facts.h"
#include "store/images/images.h"
#include "store/review/blacklist.h"
#include "store/work/flags.h"
#include "web/core/catalogues.h"
#include "web/core/view_choice.h"

/* A class with more images is listed from the catalogue of all, which is kept. */
enum { CLASS_ALONE = 5000 };

/* ---- votes ---- */

struct voting {
    const struct catalogue *c;
    struct listing_vote *votes; /* of each image: under which class, the rest to be filled in */
    int64_t class_id;           /* 0: every image under the class it was collected for */
};

static struct voting voting_new(const struct catalogue *c, int64_t class_id)
{
    struct voting v = {c, xmalloc((c->n + 1) * sizeof *v.votes), class_id};
    for (size_t i = 0; i < c->n; i++) {
        uint32_t under = class_id ? (uint32_t)class_id : c->images[i].class_id;
        v.votes[i] = (struct listing_vote){.class_id = under};
    }
    return v;
}

static void place_vote(const struct voting *v, uint32_t image, uint32_t class_id, uint32_t shown,
                       uint32_t selected)
{
    uint32_t at = catalogue_find(v->c, image);
    if (at != CATALOGUE_UNKNOWN && v->votes[at].class_id == class_id) {
        v->votes[at].shown = shown;
        v->votes[at].selected = selected;
    }
}

static void place_pairs(void *arg, const struct tally_pair *p, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        place_vote(arg, p[i].image, p[i].class, p[i].shown, p[i].selected);
    }
}

static enum err_code place_view(struct ctx *c, const struct image_query *q, struct voting *v,
                                struct image_list *l)
{
    const struct counted_view *view = NULL;
    enum err_code rc = view_choice_as_of(c, q->view, q->as_of ? l->as_of : 0, &view);
    if (rc != OK) {
        return rc;
    }
    const struct view_counts *n = &view->counts;
    l->fixed = view->view.as_of && view->view.as_of <= l->as_of;
    if (!q->as_of && !l->fixed) {
        l->as_of = n->cursor; /* votes may have come while they were counted */
    }
    for (size_t i = 0; i < n->n; i++) {
        if (!v->class_id || n->class_id[i] == v->class_id) {
            place_vote(v, n->image[i], n->class_id[i], n->shown[i], n->selected[i]);
        }
    }
    view_choice_put(view);
    return OK;
}

/* The images that stand on a class's grids. */
struct image_ids {
    uint32_t *ids;
    size_t n, cap;
};

static void take_ids(void *arg, const struct tally_pair *p, size_t n)
{
    struct image_ids *to = arg;
    for (size_t i = 0; i < n; i++) {
        if (tally_of_class(&p[i], p[i].shown)) {
            xgrow(&to->ids, &to->cap, to->n + 1, sizeof *to->ids);
            to->ids[to->n++] = p[i].image;
        }
    }
}

/* ---- blacklist and near-duplicates ---- */

/* What a class's list is filtered by, under its view, and what its page says of sampling. */
static enum err_code load_facts(struct ctx *c, struct sv view, int64_t class_id,
                                struct image_list *l)
{
    const struct counted_view *counted = NULL;
    enum err_code rc = view_choice_is_default(view) ? OK : view_choice_get(c, view, &counted);
    if (rc == OK) {
        struct class_facts_ask ask = {class_id, counted ? &counted->counts : NULL,
                                      c->config->flags_to_quarantine};
        rc = class_facts_make(c->db, app_tally(c->app), &ask, c->arena, &l->facts, &c->err);
    }
    view_choice_put(counted);
    if (rc == OK) {
        class_facts_bins(&l->facts, HISTOGRAM_SAMPLE, &l->bins);
    }
    return rc;
}

struct marking {
    const struct catalogue *c;
    uint8_t *marks;
};

static void mark(const struct marking *m, int64_t image, uint8_t marks)
{
    uint32_t at = catalogue_find(m->c, (uint32_t)image);
    if (at != CATALOGUE_UNKNOWN) {
        m->marks[at] = marks;
    }
}

static enum err_code mark_banned(void *arg, int64_t image, struct err *err)
{
    (void)err;
    mark(arg, image, LISTING_BLACKLISTED);
    return OK;
}

/* Marks of the catalogue's images, from malloc. Near-duplicates are known of a class alone: which
 * of a photo stays depends on the votes of all its classes. */
static enum err_code make_marks(struct ctx *c, int64_t class_id, const struct image_list *l,
                                uint8_t **out)
{
    struct marking m = {l->catalogue, xcalloc(l->catalogue->n + 1, 1)};
    *out = m.marks;
    for (size_t i = 0; i < l->facts.n; i++) {
        const struct class_fact *f = &l->facts.images[i];
        mark(&m, f->image,
             (uint8_t)((f->blacklisted ? LISTING_BLACKLISTED : 0) |
                       (f->near_duplicate ? LISTING_NEAR_DUPLICATE : 0)));
    }
    return class_id ? OK : blacklist_images(c->db, mark_banned, &m, &c->err);
}

static bool needs_marks(const struct image_query *q)
{
    return q->blacklist != MARK_ANY || q->near != MARK_ANY;
}

static void ask_marks(const struct image_query *q, struct listing_ask *ask)
{
    const struct {
        enum image_mark choice;
        uint8_t mark;
    } all[] = {{q->blacklist, LISTING_BLACKLISTED}, {q->near, LISTING_NEAR_DUPLICATE}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        ask->with |= all[i].choice == MARK_ONLY ? all[i].mark : 0;
        ask->without |= all[i].choice == MARK_WITHOUT ? all[i].mark : 0;
    }
}

/* The bins of which a sample takes images; none at all, and no image fits. */
static unsigned target_bins(const struct class_bins *b)
{
    unsigned bins = 0;
    for (int i = 0; i < HISTOGRAM_BINS; i++) {
        bins |= b->bin[i].target ? 1u << i : 0;
    }
    return bins ? bins : 1u << (LISTING_UNANSWERED + 1);
}

/* ---- the list ---- */

struct flagged_ids {
    uint32_t *ids;
    size_t n, cap;
    bool hidden_only;
};

static enum err_code take_flagged(void *arg, int64_t image, bool hidden, struct err *err)
{
    struct flagged_ids *f = arg;
    (void)err;
    if (hidden || !f->hidden_only) {
        xgrow(&f->ids, &f->cap, f->n + 1, sizeof *f->ids);
        f->ids[f->n++] = (uint32_t)image;
    }
    return OK;
}

static enum err_code load_catalogue(struct ctx *c, int64_t class_id, struct image_list *l)
{
    struct image_ids more = {0};
    int64_t n = 0, now = 0;
    if (class_id) {
        as_of_pairs(app_tally(c->app), &now, class_id, take_ids, &more);
    }
    enum err_code rc = class_id ? image_facts_count(c->db, class_id, &n, &c->err) : OK;
    l->shared = !class_id || n + (int64_t)more.n > 2 * CLASS_ALONE;
    if (rc == OK && l->shared) {
        rc = catalogues_get(c, &l->catalogue);
    } else if (rc == OK) {
        l->catalogue = &l->own;
        rc = catalogue_load_class(c->db, class_id, more.ids, more.n, &l->own, &c->err);
    }
    free(more.ids);
    return rc;
}

/* Whether the list would be another one now. */
static void note_newer(struct ctx *c, struct image_list *l, int64_t newest)
{
    l->newer = newest > l->images || (!l->fixed && as_of_news(app_tally(c->app), l->as_of));
}

/* The rows from the page's first on, and the page itself. */
static void cut_page(const struct image_query *q, const struct listing_ask *ask, size_t most,
                     const struct listing_vote *votes, struct image_list *l)
{
    size_t from = q->skip >= 0 ? (size_t)q->skip : (size_t)(q->page - 1) * most;
    l->page = q->page;
    listing_make(l->catalogue, votes, ask, from, most, &l->listing);
    l->pages = l->listing.total ? (int64_t)((l->listing.total + most - 1) / most) : 1;
    if (q->skip < 0 && l->page > l->pages) {
        l->page = l->pages;
        listing_release(&l->listing);
        listing_make(l->catalogue, votes, ask, (size_t)(l->page - 1) * most, most, &l->listing);
    }
}

static enum err_code make_page(struct ctx *c, const struct image_query *q, int64_t class_id,
                               size_t most, const struct listing_vote *votes, struct image_list *l)
{
    struct listing_ask ask = q->ask;
    struct flagged_ids f = {.hidden_only = q->state == STATE_HIDDEN};
    uint8_t *marks = NULL;
    enum err_code rc = OK;
    ask.class_id = class_id;
    ask.newest = (uint32_t)l->images;
    ask.bins |= q->targets ? target_bins(&l->bins) : 0;
    if (q->state != STATE_ANY) {
        rc = flags_as_of(c->db, c->config->flags_to_quarantine, l->as_of, take_flagged, &f,
                         &c->err);
        xgrow(&f.ids, &f.cap, 1, sizeof *f.ids);
        ask.only = f.ids;
        ask.n_only = f.n;
    }
    if (rc == OK && needs_marks(q)) {
        rc = make_marks(c, class_id, l, &marks);
        ask.marks = marks;
        ask_marks(q, &ask);
    }
    if (rc == OK) {
        cut_page(q, &ask, most, votes, l);
    }
    free(marks);
    free(f.ids);
    return rc;
}

/* All images as they were imported, without a filter: the page's images can be read by their ids
 * alone. Ids have no gaps, as images are never deleted; should there be some, this is not used. */
static bool is_plain(const struct image_query *q)
{
    const struct listing_ask *a = &q->ask;
    return a->sort == LISTING_ID && a->role == LISTING_ALL && a->gray == LISTING_ALL &&
           a->from == LISTING_NO_DATE && a->to == LISTING_NO_DATE && q->state == STATE_ANY &&
           !needs_marks(q);
}

/* The votes of the rows alone. False: that is too far back. */
static bool place_rows(struct ctx *c, struct image_list *l)
{
    size_t n = l->listing.n;
    struct tally_pair *pairs = arena_calloc(c->arena, n + 1, sizeof *pairs);
    for (size_t i = 0; i < n; i++) {
        const struct catalogue_image *image = &l->catalogue->images[l->listing.rows[i].at];
        pairs[i].image = image->image;
        pairs[i].class = image->class_id & TALLY_CLASS_MOST;
    }
    bool good = as_of_find(app_tally(c->app), &l->as_of, pairs, n);
    for (size_t i = 0; i < n && good; i++) {
        l->listing.rows[i].shown = pairs[i].shown;
        l->listing.rows[i].selected = pairs[i].selected;
    }
    return good;
}

/* *done false: the moment is too far back for this. */
static enum err_code make_plain(struct ctx *c, const struct image_query *q, size_t most,
                                struct image_list *l, bool *done)
{
    struct listing_ask ask = q->ask;
    size_t total = (size_t)l->images;
    l->pages = total ? (int64_t)((total + most - 1) / most) : 1;
    l->page = q->page < l->pages ? q->page : l->pages;
    size_t from = q->skip >= 0 ? (size_t)q->skip : (size_t)(l->page - 1) * most;
    from = from < total ? from : total;
    size_t to = total - from < most ? total : from + most;
    int64_t first = (int64_t)(ask.falling ? total - to : from) + 1;
    enum err_code rc =
        catalogue_load_between(c->db, first, first + (int64_t)(to - from) - 1, &l->own, &c->err);
    l->catalogue = &l->own;
    if (rc == OK) {
        ask.newest = UINT32_MAX;
        listing_make(&l->own, NULL, &ask, 0, most, &l->listing);
        l->listing.total = total;
        *done = place_rows(c, l);
    }
    return rc;
}

/* The page that is due when no image is chosen by its votes; *done as above. */
static enum err_code make_unvoted(struct ctx *c, const struct image_query *q, size_t most,
                                  struct image_list *l, bool *done)
{
    enum err_code rc = load_catalogue(c, 0, l);
    rc = rc == OK ? make_page(c, q, 0, most, NULL, l) : rc;
    *done = rc == OK && place_rows(c, l);
    return rc;
}

static enum err_code make_voted(struct ctx *c, const struct image_query *q, int64_t class_id,
                                size_t most, struct image_list *l)
{
    enum err_code rc = load_catalogue(c, class_id, l);
    if (rc != OK) {
        return rc;
    }
    bool whole = !class_id && view_choice_is_default(q->view);
    const struct listing_vote *kept = whole ? catalogues_votes(c, l->catalogue, l->as_of) : NULL;
    if (kept) {
        rc = make_page(c, q, 0, most, kept, l);
        catalogues_votes_put(c, kept);
        return rc;
    }
    struct voting v = voting_new(l->catalogue, class_id);
    /* Other views, and moments long ago, are counted again. */
    if (!view_choice_is_default(q->view) ||
        !as_of_pairs(app_tally(c->app), &l->as_of, class_id, place_pairs, &v)) {
        rc = place_view(c, q, &v, l);
    }
    rc = rc == OK ? make_page(c, q, class_id, most, v.votes, l) : rc;
    if (rc == OK && whole) {
        catalogues_votes_put(c, catalogues_votes_keep(c, l->catalogue, l->as_of, v.votes));
    } else {
        free(v.votes);
    }
    return rc;
}

enum err_code image_list_make(struct ctx *c, const struct image_query *q, int64_t class_id,
                              size_t most, struct image_list *l)
{
    int64_t newest = 0, n = 0;
    bool done = false;
    *l = (struct image_list){.as_of = q->as_of};
    if (!class_id && (q->near != MARK_ANY || q->targets)) {
        return err_rule(
            &c->err, ERR_INPUT, "list",
            "Near-duplicates and targets belong to a class: choose a class first.");
    }
    if (class_id && load_facts(c, q->view, class_id, l) != OK) {
        return c->err.code;
    }
    if (image_facts_newest(c->db, &newest, &c->err) != OK ||
        images_count(c->db, &n, &c->err) != OK) {
        return c->err.code;
    }
    as_of_find(app_tally(c->app), &l->as_of, NULL, 0); /* now becomes an event's number */
    l->images = q->images && q->images < newest ? q->images : newest;
    enum err_code rc = OK;
    bool fast = !class_id && view_choice_is_default(q->view) && !listing_needs_votes(&q->ask);
    if (fast) {
        rc = is_plain(q) && n == newest ? make_plain(c, q, most, l, &done)
                                        : make_unvoted(c, q, most, l, &done);
    }
    if (rc == OK && !done) {
        image_list_put(l);
        rc = make_voted(c, q, class_id, most, l);
    }
    if (rc == OK) {
        note_newer(c, l, newest);
    }
    return rc;
}

void image_list_put(struct image_list *l)
{
    listing_release(&l->listing);
    if (l->shared) {
        catalogues_put(l->catalogue);
    }
    catalogue_release(&l->own);
    l->catalogue = NULL;
    l->shared = false;
}
