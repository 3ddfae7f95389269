/* score_fold.c - for each model and source a byte per image of the revision, the place of the
 * image's label among the answers; and for each model which source's byte counts. */
#include "measures/scores/score_fold.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/sorted.h"
#include "base/xalloc.h"
#include "measures/core/label_books.h"
#include "store/classes/classes.h"

enum { SOURCES_MOST = 4096 }; /* of one model; those beyond count as its last */

void fold_labels_free(struct fold_labels *l)
{
    if (l) {
        free(l->there);
        free(l->counts);
        free(l->several);
        free(l->disagrees);
        free(l->first);
        free(l->cid);
        free(l->said);
        free(l->own);
        free(l);
    }
}

void score_fold_free(struct revision_scores *r)
{
    if (!r) {
        return;
    }
    for (size_t i = 0; i < r->n_models; i++) {
        struct model_ranks *m = &r->models[i];
        for (size_t k = 0; k < m->n_sources; k++) {
            free(m->sources[k].rank);
            free(m->sources[k].first);
        }
        free(m->rank);
        free(m->holder);
        free(m->sources);
    }
    arena_release(&r->arena);
    fold_labels_free(r->labels);
    free(r->models);
    free(r->image);
    free(r->class_id);
    free(r->cid);
    free(r->sealed);
    free(r);
}

size_t score_fold_bytes(const struct revision_scores *r)
{
    size_t bytes = sizeof *r + (size_t)r->n * (11 + 3 * r->n_models);
    for (size_t i = 0; i < r->n_models; i++) {
        bytes += (size_t)r->n * r->models[i].n_sources * 3;
    }
    return bytes + (r->labels ? (size_t)r->n * 8 + r->labels->n_labels * 4 : 0);
}

/* ---- positions ---- */

struct positions score_positions(const struct revision_scores *r)
{
    struct positions p = {UINT32_MAX, 0, NULL};
    for (uint32_t i = 0; i < r->n; i++) {
        p.first = r->image[i] < p.first ? r->image[i] : p.first;
        p.last = r->image[i] > p.last ? r->image[i] : p.last;
    }
    if (r->n) {
        size_t span = (size_t)(p.last - p.first) + 1;
        p.of = xmalloc(span * sizeof *p.of);
        for (size_t i = 0; i < span; i++) {
            p.of[i] = NO_POSITION;
        }
    }
    for (uint32_t i = 0; i < r->n; i++) {
        p.of[r->image[i] - p.first] = i;
    }
    return p;
}

uint32_t score_position(const struct positions *p, uint32_t image)
{
    return image < p->first || image > p->last ? NO_POSITION : p->of[image - p->first];
}

/* ---- the labels ---- */

static enum err_code cids_by_class(struct db *db, struct map_u64 *cids, struct err *err)
{
    struct arena a;
    struct class_info *list;
    size_t n = 0;
    arena_init(&a, (size_t)1 << 28);
    enum err_code rc = classes_list(db, &a, &list, &n, err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        bool named = list[i].cid >= 0 && list[i].cid < PREDICTION_NONE - 1;
        map_u64_put(cids, (uint64_t)list[i].id,
                    named ? (uint32_t)list[i].cid : PREDICTION_NONE - 1);
    }
    arena_release(&a);
    return rc;
}

static enum err_code read_labels(struct revision_scores *r, struct db *db, struct err *err)
{
    struct arena a;
    struct map_u64 cids;
    struct revision_image *images = NULL;
    size_t n = 0;
    arena_init(&a, (size_t)1 << 28);
    map_u64_init(&cids);
    enum err_code rc = revisions_images(db, r->revision, &a, &images, &n, err);
    rc = rc == OK ? cids_by_class(db, &cids, err) : rc;
    if (rc == OK) {
        r->n = (uint32_t)n;
        r->image = xcalloc(n + 1, sizeof *r->image);
        r->class_id = xcalloc(n + 1, sizeof *r->class_id);
        r->cid = xcalloc(n + 1, sizeof *r->cid);
        r->sealed = xcalloc(n + 1, sizeof *r->sealed);
        r->stamp = -1;
    }
    for (size_t i = 0; i < n && rc == OK; i++) {
        uint32_t cid = map_u64_get(&cids, images[i].class_id);
        r->image[i] = images[i].image;
        r->class_id[i] = images[i].class_id;
        r->cid[i] = cid == MAP_NONE ? PREDICTION_NONE - 1 : (uint16_t)cid;
    }
    map_u64_release(&cids);
    arena_release(&a);
    return rc;
}

/* What the book says of the image at the position. */
static void take_image(const struct revision_scores *r, struct fold_labels *l, uint32_t at, const struct label_image *image,
                       const struct label *labels)
{
    struct label_objects o = labels_objects(image, labels, r->cid[at]);
    l->there[at] = true;
    l->counts[at] = label_image_counts(l->kind, image);
    l->several[at] = o.objects > 1;
    l->disagrees[at] = o.objects > 1 && o.of_label >= 0 && o.main_object >= 0 && o.of_label != o.main_object;
    labels_said(labels + image->first, image->n, l->said + l->n_labels);
    for (uint32_t k = 0; k < image->n; k++) {
        const struct label *label = &labels[image->first + k];
        l->own[l->n_labels] = label->object >= 0 && label->object == o.of_label;
        l->cid[l->n_labels++] = label->cid;
    }
}

static void take_book(const struct revision_scores *r, struct fold_labels *l, const struct label_book *b)
{
    struct positions at = score_positions(r);
    const struct label_image **of = xcalloc((size_t)r->n + 1, sizeof *of); /* by position; NULL: not in the book */
    for (size_t i = 0; i < b->n; i++) {
        uint32_t position = score_position(&at, b->images[i].image);
        if (position != NO_POSITION) {
            of[position] = &b->images[i];
        }
    }
    for (uint32_t i = 0; i < r->n; i++) {
        l->first[i] = (uint32_t)l->n_labels;
        if (of[i]) {
            take_image(r, l, i, of[i], b->labels);
        }
    }
    l->first[r->n] = (uint32_t)l->n_labels;
    free(of);
    free(at.of);
}

enum err_code fold_labels_read(const struct revision_scores *r, struct db *db, const struct label_pick *p,
                               struct fold_labels **out, struct err *err)
{
    struct label_book book;
    *out = NULL;
    enum err_code rc = label_source_read(db, &p->version, &book, err);
    if (rc == OK) {
        struct fold_labels *l = *out = xcalloc(1, sizeof *l);
        const size_t n = (size_t)r->n + 1;
        *l = (struct fold_labels){.list = p->version.list, .view = p->version.view, .kind = p->version.kind, .rule = p->rule};
        l->there = xcalloc(n, sizeof *l->there);
        l->counts = xcalloc(n, sizeof *l->counts);
        l->several = xcalloc(n, sizeof *l->several);
        l->disagrees = xcalloc(n, sizeof *l->disagrees);
        l->first = xcalloc(n, sizeof *l->first);
        l->cid = xcalloc(book.n_labels + 1, sizeof *l->cid);
        l->said = xcalloc(book.n_labels + 1, 1);
        l->own = xcalloc(book.n_labels + 1, sizeof *l->own);
        take_book(r, l, &book);
    }
    label_book_release(&book);
    return rc;
}

bool score_fold_means(const struct revision_scores *r, const struct subset *subset, uint32_t at)
{
    return (!r->labels || r->labels->counts[at]) && subset_has(subset, r->image[at], r->class_id[at]);
}

bool score_fold_counts(const struct revision_scores *r, const struct subset *subset, uint32_t at)
{
    return subset_is_all(subset) || (!r->sealed[at] && score_fold_means(r, subset, at));
}

enum err_code score_fold_new(struct db *db, const struct revision_row *row, const struct label_pick *labels,
                             struct revision_scores **out, struct err *err)
{
    struct revision_scores *r = xcalloc(1, sizeof *r);
    arena_init(&r->arena, (size_t)1 << 24);
    r->revision = row->id;
    memcpy(r->digest, row->digest, sizeof r->digest);
    enum err_code rc = score_pin_get(db, row->id, &r->pin, err);
    if (rc == OK) {
        rc = score_decisions(db, row->id, &r->arena, &r->decisions, &r->n_decisions, err);
    }
    rc = rc == OK ? read_labels(r, db, err) : rc;
    rc = rc == OK && !label_pick_is_set(labels) ? fold_labels_read(r, db, labels, &r->labels, err) : rc;
    if (rc != OK) {
        score_fold_free(r);
        r = NULL;
    }
    *out = r;
    return rc;
}

enum err_code score_fold_some(struct db *db, const struct revision_row *row, const struct label_pick *labels,
                              const int64_t *models, size_t n, struct revision_scores **out, struct err *err)
{
    enum err_code rc = score_fold_new(db, row, labels, out, err);
    if (rc == OK) {
        int64_t *only = arena_alloc(&(*out)->arena, n * sizeof *only);
        memcpy(only, models, n * sizeof *only);
        (*out)->only = only;
        (*out)->n_only = n;
    }
    return rc;
}

/* ---- what counts ---- */

static void let_go(struct model_ranks *m, uint32_t at)
{
    if (m->rank[at] != NO_RECORD) {
        m->sources[m->holder[at]].held--;
        m->of_rank[m->rank[at]]--;
        m->rank[at] = NO_RECORD;
    }
}

static void hold(struct model_ranks *m, uint32_t at, size_t slot)
{
    let_go(m, at);
    m->rank[at] = m->sources[slot].rank[at];
    m->holder[at] = (uint16_t)slot;
    m->of_rank[m->rank[at]]++;
    m->sources[slot].held++;
}

static uint32_t held(const struct model_ranks *m)
{
    uint32_t n = 0;
    for (size_t i = 0; i < m->n_sources; i++) {
        n += m->sources[i].held;
    }
    return n;
}

static void hold_nothing(const struct revision_scores *r, struct model_ranks *m)
{
    for (uint32_t at = 0; at < r->n; at++) {
        let_go(m, at);
    }
    for (size_t i = 0; i < m->n_sources; i++) {
        m->sources[i].chain = false;
    }
}

/* Where the source has a record and nothing counts yet. */
static void hold_missing(const struct revision_scores *r, struct model_ranks *m, size_t slot)
{
    const unsigned char *rank = m->sources[slot].rank;
    m->sources[slot].chain = true;
    for (uint32_t at = 0; at < r->n; at++) {
        if (rank[at] != NO_RECORD && m->rank[at] == NO_RECORD) {
            hold(m, at, slot);
        }
    }
}

/* The order of the rule in the header. Of equal ranks: which has more, or is newer. */
static bool better(const struct score_source *a, const struct score_source *b, uint32_t n)
{
    bool whole = a->covered == n;
    if (whole != (b->covered == n)) {
        return whole;
    }
    if (a->made_for != b->made_for) {
        return a->made_for > b->made_for;
    }
    return a->covered != b->covered ? a->covered > b->covered : a->id > b->id;
}

/* The best source that nothing counts of yet and that may go with `first` (none: any); none: SOURCES_MOST. */
static size_t best_left(const struct revision_scores *r, const struct model_ranks *m, size_t first)
{
    size_t best = SOURCES_MOST;
    for (size_t i = 0; i < m->n_sources; i++) {
        const struct score_source *s = &m->sources[i];
        const struct score_source *f = first == SOURCES_MOST ? s : &m->sources[first];
        bool fits = s == f || (s->import && f->import && s->made_for == f->made_for);
        if (s->covered && !s->chain && fits &&
            (best == SOURCES_MOST || better(s, &m->sources[best], r->n))) {
            best = i;
        }
    }
    return best;
}

/* Holds what the best source has; files that lack images are completed by those that rank alike. */
static void choose(const struct revision_scores *r, struct model_ranks *m)
{
    hold_nothing(r, m);
    m->dirty = false;
    size_t first = best_left(r, m, SOURCES_MOST), next = first;
    while (next != SOURCES_MOST && held(m) < r->n) {
        hold_missing(r, m, next);
        next = best_left(r, m, first);
    }
    /* Files of other lists, each without all images, may have all of them together. Something of an
     * image only is not about this revision. */
    if (first != SOURCES_MOST && m->sources[first].made_for == SCORE_FOR_OTHER &&
        held(m) < r->n) {
        hold_nothing(r, m);
    }
}

/* ---- the fold ---- */

struct fold {
    struct revision_scores *r;
    struct positions at;
    const struct prediction_source *source; /* of the last record, and where its counts are */
    size_t model, slot;
};

static int64_t decided_for(const struct revision_scores *r, int64_t model)
{
    size_t at = sorted_i64(r->decisions, r->n_decisions, sizeof *r->decisions,
                           offsetof(struct score_decision, model), model);
    return at < r->n_decisions && r->decisions[at].model == model ? r->decisions[at].source : 0;
}

static size_t model_index(struct revision_scores *r, int64_t model)
{
    for (size_t i = 0; i < r->n_models; i++) {
        if (r->models[i].model == model) {
            return i;
        }
    }
    xgrow(&r->models, &r->cap_models, r->n_models + 1, sizeof *r->models);
    struct model_ranks *m = &r->models[r->n_models];
    *m = (struct model_ranks){.model = model,
                              .rank = xmalloc((size_t)r->n + 1),
                              .holder = xcalloc((size_t)r->n + 1, sizeof *m->holder),
                              .decided = decided_for(r, model)};
    memset(m->rank, NO_RECORD, (size_t)r->n + 1);
    m->fixed = m->decided != 0;
    return r->n_models++;
}

static enum score_for made_for(const struct revision_scores *r, const struct prediction_source *s)
{
    bool this = s->list.n == SET_DIGEST && memcmp(s->list.p, r->digest, SET_DIGEST) == 0;
    return s->list.n == 0 ? SCORE_FOR_ANY : this ? SCORE_FOR_THIS : SCORE_FOR_OTHER;
}

/* Whether a source's records fill in what lacks an answer, beside what holds already. */
static bool joins(const struct model_ranks *m, const struct score_source *s)
{
    if (m->decided) {
        return s->id == m->decided;
    }
    for (size_t i = 0; i < m->n_sources && s->import; i++) {
        const struct score_source *c = &m->sources[i];
        if (c->chain && c->import && c->made_for == s->made_for) {
            return true;
        }
    }
    return false;
}

static size_t source_slot(struct revision_scores *r, struct model_ranks *m,
                          const struct prediction_source *s)
{
    for (size_t i = 0; i < m->n_sources; i++) {
        if (m->sources[i].id == s->id || i == SOURCES_MOST - 1) {
            return i;
        }
    }
    xgrow(&m->sources, &m->cap_sources, m->n_sources + 1, sizeof *m->sources);
    struct score_source *new = &m->sources[m->n_sources];
    bool import = sv_is(s->kind, "import");
    *new = (struct score_source){.id = s->id,
                                 .made_for = made_for(r, s),
                                 .import = import,
                                 .name = import ? arena_sv(&r->arena, s->engine)
                                                : sv_of(arena_printf(&r->arena, "run %lld",
                                                                     (long long)s->id)),
                                 .scored = s->scored,
                                 .k = s->k,
                                 .rank = xmalloc((size_t)r->n + 1),
                                 .first = xmalloc(((size_t)r->n + 1) * sizeof *new->first)};
    memset(new->rank, NO_RECORD, (size_t)r->n + 1);
    memset(new->first, 0xff, ((size_t)r->n + 1) * sizeof *new->first); /* PREDICTION_NONE */
    new->chain = m->fixed && joins(m, new);
    return m->n_sources++;
}

static unsigned char rank_of(const struct prediction *p, int k, uint16_t cid)
{
    for (int i = 0; i < k; i++) {
        if (p->labels[i] == cid) {
            return (unsigned char)(i + 1);
        }
    }
    return 0;
}

/* The place of the first answer that is right by the source's rule. */
static unsigned char rank_by_source(const struct revision_scores *r, uint32_t at, const struct prediction *p, int k)
{
    const unsigned char bits = label_rule_bits(r->labels->rule);
    for (int i = 0; i < k; i++) {
        if (fold_labels_said(r, r->labels, at, p->labels[i]) & bits) {
            return (unsigned char)(i + 1);
        }
    }
    return 0;
}

/* On a frozen revision, of a model that nothing holds for yet: the first that comes does. */
static void come_first(const struct revision_scores *r, struct model_ranks *m,
                       struct score_source *s)
{
    if (s->made_for != SCORE_FOR_OTHER) {
        m->fixed = s->chain = true;
    } else if (m->seen == r->n) {
        choose(r, m);
        m->fixed = m->borrowed = held(m) > 0;
    }
}

/* The source that scores most images; 0: none does. */
static int64_t most_held(const struct model_ranks *m)
{
    const struct score_source *most = NULL;
    for (size_t i = 0; i < m->n_sources; i++) {
        const struct score_source *s = &m->sources[i];
        most = s->held > (most ? most->held : 0) ? s : most;
    }
    return most ? most->id : 0;
}

/* Files for other lists give way to the first for this one, once it has all images. */
static void come_home(const struct revision_scores *r, struct model_ranks *m, size_t slot)
{
    const struct score_source *s = &m->sources[slot];
    if (s->made_for == SCORE_FOR_THIS && s->covered == r->n) {
        m->gave_way = most_held(m);
        hold_nothing(r, m);
        hold_missing(r, m, slot);
        m->borrowed = false;
    }
}

/* What a record of `slot` about the image at `at` changes. */
static void take(struct fold *f, struct model_ranks *m, uint32_t at)
{
    const struct revision_scores *r = f->r;
    struct score_source *s = &m->sources[f->slot];
    if (r->pin.newest && !r->pinned && !m->decided) {
        s->chain = m->fixed = true;
        hold(m, at, f->slot);
        return;
    }
    if (r->pinned && !m->fixed) {
        come_first(r, m, s);
    }
    if (m->borrowed && s->import) {
        come_home(r, m, f->slot);
    }
    if (m->fixed && s->chain && m->rank[at] == NO_RECORD) {
        hold(m, at, f->slot);
    }
    m->dirty = !m->fixed;
}

static bool has_record(const struct model_ranks *m, uint32_t at)
{
    for (size_t i = 0; i < m->n_sources; i++) {
        if (m->sources[i].rank[at] != NO_RECORD) {
            return true;
        }
    }
    return false;
}

static void fold_one(void *arg, const struct prediction_source *s, const struct prediction *p)
{
    struct fold *f = arg;
    uint32_t at = score_position(&f->at, p->image);
    if (at == NO_POSITION) {
        return;
    }
    if (s != f->source) {
        f->source = s;
        f->model = model_index(f->r, s->model);
        f->slot = source_slot(f->r, &f->r->models[f->model], s);
    }
    struct model_ranks *m = &f->r->models[f->model];
    struct score_source *source = &m->sources[f->slot];
    source->covered += source->rank[at] == NO_RECORD;
    m->seen += !has_record(m, at);
    source->first[at] = p->labels[0];
    source->rank[at] = f->r->labels ? rank_by_source(f->r, at, p, s->k) : rank_of(p, s->k, f->r->cid[at]);
    take(f, m, at);
}

/* At the pin: what scores the revision now stays. */
static void pin(struct revision_scores *r)
{
    for (size_t i = 0; i < r->n_models; i++) {
        struct model_ranks *m = &r->models[i];
        if (!m->fixed) {
            choose(r, m);
            m->fixed = held(m) > 0;
        }
        for (size_t k = 0; k < m->n_sources && !m->decided && !r->pin.newest; k++) {
            m->borrowed |= m->sources[k].chain && m->sources[k].made_for == SCORE_FOR_OTHER;
        }
    }
    r->pinned = true;
}

static enum err_code fold_until(struct revision_scores *r, struct db *db, int64_t until,
                                struct err *err)
{
    int64_t newest = r->after, last = 0;
    struct fold f = {.r = r, .at = score_positions(r)};
    enum err_code rc = OK;
    for (size_t i = 0; i < (r->n_only ? r->n_only : 1) && rc == OK; i++) {
        f.source = NULL; /* sources live as long as one call */
        rc = predictions_between(db, r->n_only ? r->only[i] : 0, r->after, until, &last, fold_one, &f, err);
        newest = last > newest ? last : newest;
    }
    r->after = rc == OK ? newest : r->after;
    free(f.at.of);
    return rc;
}

enum err_code score_fold_more(struct revision_scores *r, struct db *db, struct err *err)
{
    int64_t newest = 0;
    enum err_code rc = predictions_newest(db, &newest, err);
    if (rc == OK && r->pin.frozen && !r->pinned) {
        rc = r->pin.block > r->after ? fold_until(r, db, r->pin.block, err) : OK;
        if (rc == OK) {
            pin(r);
        }
    }
    if (rc == OK && newest > r->after) {
        rc = fold_until(r, db, INT64_MAX, err);
    }
    for (size_t i = 0; i < r->n_models && rc == OK; i++) {
        struct model_ranks *m = &r->models[i];
        if (m->dirty && !r->pin.frozen) {
            choose(r, m);
        }
    }
    return rc;
}
