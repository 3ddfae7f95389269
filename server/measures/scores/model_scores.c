/* model_scores.c - what folds of predictions (measures/scores/score_fold.h) say, kept for a few revisions at
 * once: those looked at last, within CACHE_BYTES. A look costs what came since the last one; a
 * revision that was frozen since, or about which somebody decided, is folded again.
 *
 * One lock over all: a first look at 60,000 images and 67 models takes some tenths of a second,
 * every later one next to nothing. */
#include "measures/scores/model_scores_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/xalloc.h"
#include "stats/chance.h"
#include "store/sets/seals.h"

#define CACHE_BYTES ((size_t)96 << 20)

struct model_scores *model_scores_new(void)
{
    struct model_scores *s = xcalloc(1, sizeof *s);
    BUG_IF(pthread_mutex_init(&s->lock, NULL) != 0);
    return s;
}

void model_scores_free(struct model_scores *s)
{
    if (!s) {
        return;
    }
    for (size_t i = 0; i < s->n; i++) {
        score_fold_free(s->revisions[i]);
    }
    pthread_mutex_destroy(&s->lock);
    free(s);
}

/* ---- what is sealed ---- */

struct sealing {
    struct positions at;
    bool *sealed;
};

static void seal_image(void *arg, int64_t image, int64_t sealed)
{
    (void)sealed;
    const struct sealing *s = arg;
    uint32_t at = score_position(&s->at, (uint32_t)image);
    if (at != NO_POSITION) {
        s->sealed[at] = true;
    }
}

enum err_code model_scores_seal(struct revision_scores *r, struct db *db, bool *changed, struct err *err)
{
    int64_t stamp = 0;
    enum err_code rc = seals_stamp(db, &stamp, err);
    if (rc != OK || stamp == r->stamp) {
        return rc;
    }
    struct sealing s = {score_positions(r), r->sealed};
    memset(r->sealed, 0, r->n * sizeof *r->sealed);
    *changed = true;
    rc = seals_each_image(db, 0, seal_image, &s, err);
    r->n_sealed = 0;
    for (uint32_t at = 0; at < r->n; at++) {
        r->n_sealed += r->sealed[at];
    }
    r->stamp = rc == OK ? stamp : -1;
    free(s.at.of);
    return rc;
}

/* ---- the cache ---- */

static void drop(struct model_scores *s, size_t i)
{
    score_fold_free(s->revisions[i]);
    s->revisions[i] = s->revisions[--s->n];
}

/* Lets go of what was looked at longest ago until there is room; what is asked for now stays. */
static void make_room(struct model_scores *s)
{
    for (;;) {
        size_t bytes = 0, oldest = 0;
        for (size_t i = 0; i < s->n; i++) {
            bytes += score_fold_bytes(s->revisions[i]);
            oldest = s->revisions[i]->looked < s->revisions[oldest]->looked ? i : oldest;
        }
        if (s->n <= 1 || (bytes <= CACHE_BYTES && s->n < REVISIONS_MOST)) {
            return;
        }
        drop(s, oldest);
    }
}

static bool same_pin(const struct score_pin *a, const struct score_pin *b)
{
    return a->frozen == b->frozen && a->block == b->block && a->decision == b->decision;
}

static bool same_labels(const struct fold_labels *l, const struct label_pick *p)
{
    bool set = label_pick_is_set(p);
    return l ? !set && l->list == p->version.list && l->view == p->version.view && l->kind == p->version.kind && l->rule == p->rule : set;
}

const struct label_pick *model_scores_labels(const struct subset *subset)
{
    return subset ? &subset->labels : NULL;
}

/* The fold that is kept of the revision, unless it was frozen or decided about since; NULL. */
static struct revision_scores *find_kept(struct model_scores *s, int64_t revision, const struct label_pick *labels,
                                         const struct score_pin *pin)
{
    for (size_t i = 0; i < s->n; i++) {
        if (s->revisions[i]->revision == revision && same_labels(s->revisions[i]->labels, labels)) {
            if (same_pin(&s->revisions[i]->pin, pin)) {
                return s->revisions[i];
            }
            drop(s, i);
            return NULL;
        }
    }
    return NULL;
}

enum err_code model_scores_look(struct model_scores *s, struct db *db, const struct revision_row *r,
                                const struct label_pick *labels, struct revision_scores **out, struct err *err)
{
    struct score_pin pin;
    enum err_code rc = revision_may_be_scored(r, err);
    rc = rc == OK ? score_pin_get(db, r->id, &pin, err) : rc;
    if (rc != OK) {
        return rc;
    }
    *out = find_kept(s, r->id, labels, &pin);
    if (!*out) {
        make_room(s);
        rc = score_fold_new(db, r, labels, out, err);
        if (rc != OK) {
            return rc;
        }
        (*out)->version = ++s->versions;
        s->revisions[s->n++] = *out;
    }
    (*out)->looked = ++s->looks;
    int64_t before = (*out)->after;
    rc = score_fold_more(*out, db, err);
    bool changed = (*out)->after != before;
    rc = rc == OK ? model_scores_seal(*out, db, &changed, err) : rc;
    (*out)->version = changed ? ++s->versions : (*out)->version;
    make_room(s);
    return rc;
}

/* ---- answers ---- */

bool model_scores_with_sealed(const struct revision_scores *r, const unsigned char *rank)
{
    uint32_t open = 0, sealed = 0;
    for (uint32_t at = 0; at < r->n && r->n_sealed && (open == 0 || sealed < 2); at++) {
        open += rank[at] != NO_RECORD && !r->sealed[at];
        sealed += rank[at] != NO_RECORD && r->sealed[at];
    }
    return sealed > 1 && (open > 0 || sealed == r->n);
}

/* Counts over the whole revision; ranks of sealed images only where they may be in them. */
static void count_ranks(const struct revision_scores *r, const struct model_ranks *m, struct model_score *c)
{
    uint32_t of_rank[PREDICTION_K + 1];
    memcpy(of_rank, m->of_rank, sizeof of_rank);
    bool all = r->n_sealed == 0 || model_scores_with_sealed(r, m->rank);
    for (uint32_t at = 0; at < r->n && !all; at++) {
        if (r->sealed[at] && m->rank[at] != NO_RECORD) {
            of_rank[m->rank[at]]--;
        }
    }
    c->top1 = of_rank[1];
    for (int i = 1; i <= PREDICTION_K; i++) {
        c->topk += of_rank[i];
    }
    c->predicted = c->topk + of_rank[0];
}

int model_scores_depth(const struct model_ranks *m)
{
    int k = 0;
    for (size_t i = 0; i < m->n_sources; i++) {
        const struct score_source *u = &m->sources[i];
        k = u->held && (k == 0 || u->k < k) ? u->k : k;
    }
    return k;
}

static struct model_score count_model(const struct revision_scores *r, const struct model_ranks *m,
                                      struct arena *a)
{
    struct model_score c = {
        .model = m->model, .images = r->n, .decided = m->decided != 0, .k = model_scores_depth(m)};
    uint32_t most = 0;
    count_ranks(r, m, &c);
    for (size_t i = 0; i < m->n_sources; i++) {
        const struct score_source *u = &m->sources[i];
        c.others += u->held == 0 && u->covered > 0;
        if (u->held) {
            c.scored = c.scored || u->scored;
            c.sources++;
            c.source = u->held > most ? u->id : c.source;
            c.made_by = u->held > most ? u->name : c.made_by;
            most = u->held > most ? u->held : most;
        }
    }
    c.made_by = a ? arena_sv(a, c.made_by) : SV("");
    return c;
}

/* Places of the images that a subset has; those of sealed ones are none of them. NULL: all have one. */
static struct places {
    uint32_t *at, n;
} places_of(const struct revision_scores *r, const struct subset *subset, struct arena *a)
{
    struct places p = {.n = 0};
    if (!subset_is_all(subset)) {
        p.at = arena_alloc(a, ((size_t)r->n + 1) * sizeof *p.at);
        for (uint32_t i = 0; i < r->n; i++) {
            p.at[p.n] = i;
            p.n += score_fold_counts(r, subset, i);
        }
    }
    return p;
}

/* Counts over some places in place of those over the whole revision. */
static void count_subset(const struct model_ranks *m, const struct places *p, struct model_score *c)
{
    c->images = p->n;
    c->predicted = c->top1 = c->topk = 0;
    for (uint32_t i = 0; i < p->n; i++) {
        unsigned char rank = m->rank[p->at[i]];
        c->predicted += rank != NO_RECORD;
        c->top1 += rank == 1;
        c->topk += rank >= 1 && rank <= PREDICTION_K;
    }
}

static int by_model(const void *a, const void *b)
{
    int64_t x = ((const struct model_score *)a)->model, y = ((const struct model_score *)b)->model;
    return (x > y) - (x < y);
}

void model_scores_count(const struct revision_scores *r, const struct subset *subset, struct arena *a,
                        struct model_score **out, size_t *n)
{
    struct places places = places_of(r, subset, a);
    *n = 0;
    *out = arena_calloc(a, r->n_models + 1, sizeof **out);
    for (size_t i = 0; i < r->n_models; i++) {
        (*out)[*n] = count_model(r, &r->models[i], a);
        if (places.at) {
            count_subset(&r->models[i], &places, &(*out)[*n]);
        }
        *n += (*out)[*n].predicted > 0;
    }
    if (*n) {
        qsort(*out, *n, sizeof **out, by_model);
    }
}

enum err_code model_scores_of(struct model_scores *s, struct db *db, const struct revision_row *r,
                              const struct subset *subset, struct arena *a, struct model_score **out, size_t *n,
                              struct err *err)
{
    struct revision_scores *rs;
    *n = 0;
    pthread_mutex_lock(&s->lock);
    enum err_code rc = model_scores_look(s, db, r, model_scores_labels(subset), &rs, err);
    if (rc == OK) {
        model_scores_count(rs, subset, a, out, n);
    }
    pthread_mutex_unlock(&s->lock);
    return rc;
}

static int by_class(const void *a, const void *b)
{
    uint32_t x = ((const struct class_score *)a)->class_id,
             y = ((const struct class_score *)b)->class_id;
    return (x > y) - (x < y);
}

/* A model's answers about sealed images, by class. */
struct sealed_classes {
    struct map_u64 at;          /* class -> place in the lists */
    uint32_t *class_id, *answers;
    size_t n, cap[2];
    size_t also;                /* place of a class whose answers stay out with those of a lone one; n: of none */
};

static void add_sealed(struct sealed_classes *s, uint32_t class_id)
{
    uint32_t at = map_u64_put(&s->at, class_id, (uint32_t)s->n);
    if (at == s->n) {
        xgrow(&s->class_id, &s->cap[0], s->n + 1, sizeof *s->class_id);
        xgrow(&s->answers, &s->cap[1], s->n + 1, sizeof *s->answers);
        s->class_id[s->n] = class_id;
        s->answers[s->n++] = 0;
    }
    s->answers[at]++;
}

/* Where one class alone has an answer that stays out, what a whole set has and its other classes have not is that
 * answer. So those of another class, the one with the fewest, stay out with it. */
static void choose_also(struct sealed_classes *s)
{
    size_t lone = 0;
    s->also = s->n;
    for (size_t i = 0; i < s->n; i++) {
        bool fewer = s->also == s->n || s->answers[i] < s->answers[s->also] ||
                     (s->answers[i] == s->answers[s->also] && s->class_id[i] < s->class_id[s->also]);
        lone += s->answers[i] == 1;
        s->also = s->answers[i] > 1 && fewer ? i : s->also;
    }
    s->also = lone == 1 ? s->also : s->n;
}

static void sealed_classes_of(const struct revision_scores *r, const struct model_ranks *m,
                              struct sealed_classes *out)
{
    *out = (struct sealed_classes){.n = 0};
    map_u64_init(&out->at);
    for (uint32_t i = 0; i < r->n && m && r->n_sealed; i++) {
        if (r->sealed[i] && m->rank[i] != NO_RECORD) {
            add_sealed(out, r->class_id[i]);
        }
    }
    choose_also(out);
}

static void sealed_classes_release(struct sealed_classes *s)
{
    map_u64_release(&s->at);
    free(s->class_id);
    free(s->answers);
}

/* The rank that counts of the class may have. */
static unsigned char rank_told(const struct revision_scores *r, const struct model_ranks *m,
                               const struct sealed_classes *s, uint32_t i)
{
    uint32_t at = r->sealed[i] ? map_u64_get(&s->at, r->class_id[i]) : MAP_NONE;
    bool out = at != MAP_NONE && (s->answers[at] == 1 || at == s->also);
    return m && !out ? m->rank[i] : NO_RECORD;
}

static void count_classes(const struct revision_scores *r, const struct model_ranks *m,
                          struct arena *a, struct class_score **out, size_t *n)
{
    struct map_u64 index;
    struct class_score *list = NULL;
    struct sealed_classes sealed;
    size_t cap = 0;
    sealed_classes_of(r, m, &sealed);
    map_u64_init(&index);
    for (uint32_t i = 0; i < r->n; i++) {
        uint32_t at = map_u64_put(&index, r->class_id[i], (uint32_t)*n);
        if (at == *n) {
            xgrow(&list, &cap, *n + 1, sizeof *list);
            list[(*n)++] = (struct class_score){.class_id = r->class_id[i]};
        }
        unsigned char rank = rank_told(r, m, &sealed, i);
        list[at].images++;
        list[at].predicted += rank != NO_RECORD;
        list[at].top1 += rank == 1;
        list[at].topk += rank >= 1 && rank <= PREDICTION_K;
    }
    map_u64_release(&index);
    sealed_classes_release(&sealed);
    *out = arena_calloc(a, *n + 1, sizeof **out);
    if (*n) {
        qsort(list, *n, sizeof *list, by_class);
        memcpy(*out, list, *n * sizeof *list);
    }
    free(list);
}

/* Of the images of one class, whose places are `at`. */
static struct model_score count_places(const struct revision_scores *r, const struct model_ranks *m, const uint32_t *at,
                                       uint32_t n)
{
    struct model_score c = {.model = m->model, .images = n};
    struct sealed_classes sealed;
    sealed_classes_of(r, m, &sealed);
    for (uint32_t i = 0; i < n; i++) {
        unsigned char rank = rank_told(r, m, &sealed, at[i]);
        c.predicted += rank != NO_RECORD;
        c.top1 += rank == 1;
        c.topk += rank >= 1 && rank <= PREDICTION_K;
    }
    sealed_classes_release(&sealed);
    return c;
}

enum err_code model_scores_on_class(struct model_scores *s, struct db *db,
                                    const struct revision_row *r, int64_t class_id, struct arena *a,
                                    struct model_score **out, size_t *n, struct err *err)
{
    struct revision_scores *rs;
    *n = 0;
    pthread_mutex_lock(&s->lock);
    enum err_code rc = model_scores_look(s, db, r, NULL, &rs, err);
    if (rc == OK) {
        uint32_t *at = arena_alloc(a, ((size_t)rs->n + 1) * sizeof *at), places = 0;
        for (uint32_t i = 0; i < rs->n; i++) {
            at[places] = i;
            places += rs->class_id[i] == class_id;
        }
        *out = arena_calloc(a, rs->n_models + 1, sizeof **out);
        for (size_t i = 0; i < rs->n_models; i++) {
            (*out)[*n] = count_places(rs, &rs->models[i], at, places);
            *n += (*out)[*n].predicted > 0;
        }
    }
    if (*n) {
        qsort(*out, *n, sizeof **out, by_model);
    }
    pthread_mutex_unlock(&s->lock);
    return rc;
}

const struct model_ranks *model_scores_find(const struct revision_scores *r, int64_t model)
{
    for (size_t i = 0; i < r->n_models; i++) {
        if (r->models[i].model == model) {
            return &r->models[i];
        }
    }
    return NULL;
}

enum err_code model_scores_classes(struct model_scores *s, struct db *db,
                                   const struct revision_row *r, int64_t model, struct arena *a,
                                   struct class_score **out, size_t *n, struct err *err)
{
    struct revision_scores *rs;
    *n = 0;
    pthread_mutex_lock(&s->lock);
    enum err_code rc = model_scores_look(s, db, r, NULL, &rs, err);
    if (rc == OK) {
        count_classes(rs, model_scores_find(rs, model), a, out, n);
    }
    pthread_mutex_unlock(&s->lock);
    return rc;
}

/* ---- no better than chance ---- */

/* How often the most frequent label occurs in the revision. */
static uint32_t most_frequent(const struct revision_scores *r, uint32_t *of)
{
    uint32_t most = 0;
    memset(of, 0, (PREDICTION_NONE + 1) * sizeof *of);
    for (uint32_t i = 0; i < r->n; i++) {
        uint32_t n = ++of[r->cid[i]];
        most = n > most ? n : most;
    }
    return most;
}

static enum err_code count_chance(const struct revision_scores *r, struct db *db, int64_t model,
                                  bool *out, struct err *err)
{
    const struct model_ranks *m = model_scores_find(r, model);
    struct model_score c = m ? count_model(r, m, NULL) : (struct model_score){.model = model};
    uint32_t *labels = xcalloc(2 * (PREDICTION_NONE + 1), sizeof *labels);
    uint32_t *said = labels + PREDICTION_NONE + 1;
    enum err_code rc = OK;
    *out = false;
    /* Chance is at most the share of the most frequent label. */
    if (c.predicted && chance_cannot_be(c.top1, c.predicted, (double)most_frequent(r, labels) / r->n)) {
        c.predicted = 0;
    }
    if (c.predicted) {
        struct model_answer *list = xcalloc((size_t)r->n + 1, sizeof *list);
        memset(labels, 0, (PREDICTION_NONE + 1) * sizeof *labels);
        bool all = model_scores_with_sealed(r, m->rank);
        rc = model_scores_read(r, db, model, list, err);
        for (uint32_t i = 0; i < r->n && rc == OK; i++) {
            if (list[i].source && (all || !r->sealed[i])) {
                labels[r->cid[i]]++;
                said[list[i].p.labels[0]]++;
            }
        }
        *out = rc == OK && chance_level(c.top1, c.predicted,
                                        chance_agreement(labels, said, PREDICTION_NONE, c.predicted));
        free(list);
    }
    free(labels);
    return rc;
}

enum err_code model_scores_chance(struct model_scores *s, struct db *db,
                                  const struct revision_row *r, int64_t model, bool *out,
                                  struct err *err)
{
    struct revision_scores *rs;
    *out = false;
    pthread_mutex_lock(&s->lock);
    enum err_code rc = model_scores_look(s, db, r, NULL, &rs, err);
    rc = rc == OK ? count_chance(rs, db, model, out, err) : rc;
    pthread_mutex_unlock(&s->lock);
    return rc;
}

/* ---- confident mistakes ---- */

static int surest_first(const void *a, const void *b)
{
    const struct confident_mistake *x = a, *y = b;
    return x->score != y->score ? (x->score < y->score) - (x->score > y->score)
                                : (x->image > y->image) - (x->image < y->image);
}

static void pick_mistakes(const struct revision_scores *r, const struct model_answer *said,
                          int64_t class_id, size_t most, struct arena *a,
                          struct confident_mistake **out, size_t *n, size_t *sealed)
{
    struct confident_mistake *list = xcalloc((size_t)r->n + 1, sizeof *list);
    size_t found = 0;
    *sealed = 0;
    for (uint32_t i = 0; i < r->n; i++) {
        uint16_t label = said[i].p.labels[0];
        bool asked = class_id == 0 || r->class_id[i] == class_id;
        *sealed += asked && r->sealed[i];
        if (asked && !r->sealed[i] && said[i].source && said[i].scored && label != r->cid[i] &&
            label != PREDICTION_NONE) {
            list[found++] = (struct confident_mistake){.image = r->image[i],
                                                       .class_id = r->class_id[i],
                                                       .said = label,
                                                       .score = said[i].p.scores[0]};
        }
    }
    qsort(list, found, sizeof *list, surest_first);
    *n = found < most ? found : most;
    *out = arena_calloc(a, *n + 1, sizeof **out);
    memcpy(*out, list, *n * sizeof *list);
    free(list);
}

enum err_code model_scores_mistakes(struct model_scores *s, struct db *db,
                                    const struct revision_row *r, int64_t model, int64_t class_id,
                                    size_t most, struct arena *a, struct confident_mistake **out,
                                    size_t *n, size_t *sealed, struct err *err)
{
    struct revision_scores *rs;
    *n = *sealed = 0;
    pthread_mutex_lock(&s->lock);
    enum err_code rc = model_scores_look(s, db, r, NULL, &rs, err);
    if (rc == OK) {
        struct model_answer *list = xcalloc((size_t)rs->n + 1, sizeof *list);
        rc = model_scores_read(rs, db, model, list, err);
        if (rc == OK) {
            pick_mistakes(rs, list, class_id, most, a, out, n, sealed);
        }
        free(list);
    }
    pthread_mutex_unlock(&s->lock);
    return rc;
}
