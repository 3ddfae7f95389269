/* review_make.c - labels are collected over the fold that scores models, so that what is asked about is what is scored. */
#include "experts/review_make.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/rng.h"
#include "base/sorted.h"
#include "base/xalloc.h"
#include "json/object.h"
#include "measures/core/label_books.h"
#include "measures/images/label_errors.h"
#include "measures/people/people_gap_rows.h"
#include "measures/scores/score_fold.h"
#include "store/classes/classes.h"
#include "store/labels/evaluation_people.h"
#include "store/labels/label_plans.h"
#include "store/labels/label_reviews.h"
#include "store/labels/training_answers.h"
#include "store/models/models.h"
#include "store/operate/health.h"
#include "store/sets/seals.h"

enum { SOURCES_MOST = 16, PLANS_MOST = 8 };
#define UNRANKED UINT32_MAX

struct source {
    struct label_book book;
    struct map_u64 at;    /* image -> index */
    unsigned char origin;
    const char *title;    /* NAME/NUMBER */
};
struct candidates {
    struct label_plan_book book;
    const char *title;
};
struct making {
    struct db *db;
    const struct review_ask *ask;
    struct arena *a;
    struct err *err;
    struct revision_row set;
    struct revision_scores *fold;
    const struct model_ranks **models; /* whose answers are asked about */
    struct sv *model_names;
    size_t n_models;
    const char *missing;           /* models without predictions of the set, in words; NULL: none */
    int64_t suggests;              /* a model; 0: none */
    const struct model_ranks *suggesting;
    uint32_t *class_of;            /* by cid; 0: there is none */
    struct source sources[SOURCES_MOST];
    size_t n_sources;
    struct candidates plans[PLANS_MOST];
    size_t n_plans;
    struct training_item *suggested; /* labels that people suggested in training, by image */
    size_t n_suggested;
    bool *is_person;               /* by the order of `models`: a person's answers */
    struct evaluation_row evaluation; /* whose images alone are asked about; id 0: all of the set */
    uint32_t *among, n;            /* positions of the set to choose from */
    struct label_review_ask *asks; /* of all images of the set, by position */
    size_t n_asks, cap_asks;
    size_t *first;                 /* by position, and the end */
    uint32_t *order;               /* positions, in the order of the queue */
    double p;                      /* of the random arm; 0: there is none */
    bool *drawn;                   /* by position: of the random arm */
    uint32_t *rank;                /* by position: place among likely label errors, UNRANKED; NULL: another order */
    double *confidence;            /* by position: as struct label_error */
};

/* ---- what is read ---- */

static enum err_code read_classes(struct making *m)
{
    struct class_info *list;
    size_t n = 0;
    enum err_code rc = classes_list(m->db, m->a, &list, &n, m->err);
    m->class_of = arena_calloc(m->a, PREDICTION_NONE + 1, sizeof *m->class_of);
    for (size_t i = 0; i < n && rc == OK; i++) {
        if (list[i].cid >= 0 && list[i].cid < PREDICTION_NONE) {
            m->class_of[list[i].cid] = (uint32_t)list[i].id;
        }
    }
    return rc;
}

/* Stored ones, what people answer to CLASSIFY tasks, other reviews. */
static enum err_code read_source(struct making *m, struct sv name)
{
    struct label_version_row v;
    if (m->n_sources == SOURCES_MOST) {
        return err_rule(m->err, ERR_INPUT, "label-review-sources", "Name at most %d label sources.", SOURCES_MOST);
    }
    enum err_code rc = label_source_find(m->db, name, m->a, &v, m->err);
    if (rc != OK) {
        return rc;
    }
    struct source *s = &m->sources[m->n_sources++];
    s->origin = v.view ? ORIGIN_CLASSIFY : ORIGIN_SOURCE;
    s->title = arena_printf(m->a, SV_FMT "/%lld", SV_ARG(v.name), (long long)v.number);
    map_u64_init(&s->at);
    rc = label_source_read(m->db, &v, &s->book, m->err);
    for (size_t i = 0; i < s->book.n && rc == OK; i++) {
        map_u64_put(&s->at, s->book.images[i].image, (uint32_t)i);
    }
    return rc;
}

static enum err_code read_plan(struct making *m, struct sv name)
{
    struct label_plan_row row;
    if (m->n_plans == PLANS_MOST) {
        return err_rule(m->err, ERR_INPUT, "label-review-candidates", "Name at most %d plans of candidate labels.", PLANS_MOST);
    }
    enum err_code rc = label_plans_find(m->db, LABEL_PLAN_CANDIDATES, name, m->a, &row, m->err);
    if (rc != OK) {
        return rc;
    }
    struct candidates *p = &m->plans[m->n_plans++];
    p->title = arena_printf(m->a, SV_FMT "/%lld", SV_ARG(row.name), (long long)row.version);
    return label_plan_read(m->db, row.list, m->a, &p->book, m->err);
}

/* Of names with commas between them. */
static enum err_code read_each(struct making *m, struct sv names, enum err_code (*read)(struct making *m, struct sv name))
{
    enum err_code rc = OK;
    while (names.n && rc == OK) {
        rc = read(m, sv_trim(sv_cut(&names, ',')));
    }
    return rc;
}

static enum err_code read_models(struct making *m)
{
    struct model_row *rows;
    size_t n = 0;
    enum err_code rc = models_named(m->db, m->ask->models, m->a, &rows, &n, m->err);
    m->models = arena_calloc(m->a, n + 1, sizeof *m->models);
    m->model_names = arena_calloc(m->a, n + 1, sizeof *m->model_names);
    for (size_t i = 0; i < n && rc == OK; i++) {
        const size_t before = m->n_models;
        for (size_t k = 0; k < m->fold->n_models; k++) {
            if (m->fold->models[k].model == rows[i].id && m->fold->models[k].n_sources) {
                m->models[m->n_models] = &m->fold->models[k];
                m->model_names[m->n_models++] = rows[i].name;
            }
        }
        if (before == m->n_models) {
            m->missing = arena_printf(m->a, "%s%s" SV_FMT, m->missing ? m->missing : "", m->missing ? ", " : "", SV_ARG(rows[i].name));
        }
    }
    return rc;
}

/* People who were evaluated, or whose answers were imported, are asked about as people. */
static enum err_code read_persons(struct making *m)
{
    struct people_sides sides;
    int64_t *ids = arena_alloc(m->a, (m->n_models + 1) * sizeof *ids);
    m->is_person = arena_calloc(m->a, m->n_models + 1, sizeof *m->is_person);
    for (size_t i = 0; i < m->n_models; i++) {
        ids[i] = m->models[i]->model;
    }
    enum err_code rc = people_sides_of(m->db, ids, m->model_names, m->n_models, m->a, &sides, m->err);
    for (size_t i = 0; i < m->n_models && rc == OK; i++) {
        for (size_t k = 0; k < sides.n_people; k++) {
            m->is_person[i] = m->is_person[i] || sides.people[k] == ids[i];
        }
    }
    return rc;
}

/* Blind: nobody is asked about an evaluation's images while somebody still classifies them. */
static enum err_code read_evaluation(struct making *m)
{
    struct evaluation_person_row *people;
    size_t n = 0, open = 0;
    if (m->ask->evaluation.n == 0) {
        return OK;
    }
    enum err_code rc = evaluations_find(m->db, m->ask->evaluation, m->a, &m->evaluation, m->err);
    rc = rc == OK ? evaluation_people(m->db, m->evaluation.id, m->a, &people, &n, m->err) : rc;
    for (size_t i = 0; i < n && rc == OK; i++) {
        open += people[i].active && !people[i].published;
    }
    return rc == OK && open && sv_is(m->evaluation.state, "open")
               ? err_rule(m->err, ERR_CONFLICT, "label-review-evaluation",
                          "%zu people are not through with the evaluation " SV_FMT ": its images can be reviewed once they are, or when it is "
                          "closed. Nothing was written.",
                          open, SV_ARG(m->evaluation.name))
               : rc;
}

/* Those of the evaluation that the set has; without one all. */
static enum err_code read_among(struct making *m)
{
    struct evaluation_image *images = NULL;
    struct map_u64 of;
    size_t n = 0;
    enum err_code rc = m->evaluation.id ? evaluation_images(m->db, m->evaluation.id, m->a, &images, &n, m->err) : OK;
    map_u64_init(&of);
    for (size_t i = 0; i < n && rc == OK; i++) {
        map_u64_put(&of, images[i].image, 1);
    }
    m->among = arena_alloc(m->a, ((size_t)m->fold->n + 1) * sizeof *m->among);
    for (uint32_t at = 0; at < m->fold->n && rc == OK; at++) {
        if (!m->evaluation.id || map_u64_get(&of, m->fold->image[at]) != MAP_NONE) {
            m->among[m->n++] = at;
        }
    }
    map_u64_release(&of);
    return rc == OK && m->n == 0 ? err_rule(m->err, ERR_INPUT, "label-review-evaluation",
                                            "The set " SV_FMT "/%lld has no image of the evaluation " SV_FMT ". Nothing was written.",
                                            SV_ARG(m->set.set), (long long)m->set.number, SV_ARG(m->evaluation.name))
                                 : rc;
}

/* The model that suggests is one of those that are asked about: else its label would be no row. */
static enum err_code read_suggesting(struct making *m)
{
    if (m->ask->suggest.n == 0) {
        return OK;
    }
    for (size_t i = 0; i < m->n_models; i++) {
        if (sv_eq(m->model_names[i], m->ask->suggest)) {
            m->suggesting = m->models[i];
            m->suggests = m->models[i]->model;
        }
    }
    return m->suggesting ? revision_may_be_scored(&m->set, m->err)
                         : err_rule(m->err, ERR_INPUT, "label-review-suggest",
                                    "The model " SV_FMT " is not asked about, or has predicted nothing of this set: choose one that has.",
                                    SV_ARG(m->ask->suggest));
}

/* Where each image is among likely label errors. Refused on a set on which models may not be scored: its order would tell
 * how they do there. */
static enum err_code read_errors(struct making *m)
{
    const struct revision_scores *f = m->fold;
    struct label_errors found;
    struct map_u64 at;
    int64_t *ids = arena_alloc(m->a, (m->n_models + 1) * sizeof *ids);
    struct model_scores *scores = model_scores_new();
    for (size_t i = 0; i < m->n_models; i++) {
        ids[i] = m->models[i]->model;
    }
    const struct label_errors_ask ask = {.revision = &m->set, .models = ids, .n_models = m->n_models};
    enum err_code rc = label_errors_make(scores, m->db, &ask, m->a, &found, m->err);
    model_scores_free(scores);
    if (rc == OK && found.n == 0) {
        return err_rule(m->err, ERR_INPUT, "label-review-errors",
                        "No model has predicted all images of the set " SV_FMT "/%lld, so nothing says which labels are doubtful. Import "
                        "predictions, or choose another order.",
                        SV_ARG(m->set.set), (long long)m->set.number);
    }
    map_u64_init(&at);
    m->rank = arena_alloc(m->a, ((size_t)f->n + 1) * sizeof *m->rank);
    m->confidence = arena_calloc(m->a, (size_t)f->n + 1, sizeof *m->confidence);
    for (size_t i = 0; i < found.n && rc == OK; i++) {
        map_u64_put(&at, found.list[i].image, (uint32_t)i);
    }
    for (uint32_t i = 0; i < f->n; i++) {
        m->rank[i] = map_u64_get(&at, f->image[i]); /* MAP_NONE is UNRANKED */
        m->confidence[i] = m->rank[i] == UNRANKED ? (double)NAN : found.list[m->rank[i]].confidence;
    }
    map_u64_release(&at);
    return rc;
}

static enum err_code read_all(struct making *m)
{
    enum err_code rc = m->ask->plan ? OK : label_review_name_free(m->db, m->ask->name, m->err);
    rc = rc == OK ? revisions_find(m->db, m->ask->set, m->a, &m->set, m->err) : rc;
    rc = rc == OK ? score_fold_new(m->db, &m->set, NULL, &m->fold, m->err) : rc;
    rc = rc == OK ? score_fold_more(m->fold, m->db, m->err) : rc;
    rc = rc == OK ? read_models(m) : rc;
    rc = rc == OK ? read_persons(m) : rc;
    rc = rc == OK ? read_evaluation(m) : rc;
    rc = rc == OK ? read_among(m) : rc;
    rc = rc == OK ? read_suggesting(m) : rc;
    rc = rc == OK ? read_classes(m) : rc;
    rc = rc == OK ? training_suggested_labels(m->db, m->a, &m->suggested, &m->n_suggested, m->err) : rc;
    rc = rc == OK && m->ask->queue == QUEUE_ERRORS ? read_errors(m) : rc;
    rc = rc == OK ? read_each(m, m->ask->sources, read_source) : rc;
    return rc == OK ? read_each(m, m->ask->candidates, read_plan) : rc;
}

/* ---- what is asked about ---- */

/* Notes a label of the image whose labels begin at `from`. */
static void ask_about(struct making *m, size_t from, uint32_t class_id, unsigned char origin)
{
    size_t i = from;
    while (i < m->n_asks && m->asks[i].class_id != class_id) {
        i++;
    }
    if (i == m->n_asks) {
        xgrow(&m->asks, &m->cap_asks, m->n_asks + 1, sizeof *m->asks);
        m->asks[m->n_asks++] = (struct label_review_ask){class_id, 0, 0};
    }
    m->asks[i].origins |= origin;
    m->asks[i].models += origin == ORIGIN_MODEL;
}

static void ask_sources(struct making *m, size_t from, uint32_t image)
{
    for (size_t s = 0; s < m->n_sources; s++) {
        uint32_t at = map_u64_get(&m->sources[s].at, image);
        const struct label_image *i = at == MAP_NONE ? NULL : &m->sources[s].book.images[at];
        for (uint32_t k = 0; i && !i->inferred && k < i->n; k++) { /* inferred: nobody said so, and it is the set's label */
            ask_about(m, from, m->sources[s].book.labels[i->first + k].class_id, m->sources[s].origin);
        }
    }
}

/* The candidates of an image; where it has none, because nobody found the set's label in it or too few were asked, every label
 * that anybody found: it is there that the set's label is in doubt. */
static bool was_found(const struct planned_image *i, const struct planned_label *l)
{
    const bool staged = i->stage == CANDIDATES_EASY || i->stage == CANDIDATES_FU;
    return staged ? l->rank != LABEL_PLAN_NO_RANK : l->selected > 0;
}

static void ask_candidates(struct making *m, size_t from, uint32_t image)
{
    for (size_t p = 0; p < m->n_plans; p++) {
        const struct label_plan_book *b = &m->plans[p].book;
        const size_t at = label_plan_find(b, image);
        for (uint32_t k = 0; at < b->n && k < b->images[at].n; k++) {
            const struct planned_label *l = &b->labels[b->images[at].first + k];
            if (was_found(&b->images[at], l)) {
                ask_about(m, from, l->class_id, ORIGIN_CONTAINS);
            }
        }
    }
}

static void ask_suggested(struct making *m, size_t from, uint32_t image)
{
    size_t i = sorted_u32(m->suggested, m->n_suggested, sizeof *m->suggested, offsetof(struct training_item, image), image);
    for (; i < m->n_suggested && m->suggested[i].image == image; i++) {
        ask_about(m, from, m->suggested[i].class_id, ORIGIN_SUGGESTED);
    }
}

static int by_class(const void *a, const void *b)
{
    uint32_t x = ((const struct label_review_ask *)a)->class_id, y = ((const struct label_review_ask *)b)->class_id;
    return (x > y) - (x < y);
}

static void ask_all(struct making *m)
{
    const struct revision_scores *f = m->fold;
    m->first = arena_calloc(m->a, (size_t)f->n + 1, sizeof *m->first);
    for (uint32_t at = 0; at < f->n; at++) {
        const size_t from = m->first[at] = m->n_asks;
        ask_about(m, from, f->class_id[at], ORIGIN_SET);
        for (size_t i = 0; i < m->n_models; i++) {
            uint16_t cid = score_fold_first(m->models[i], at);
            if (cid != PREDICTION_NONE && m->class_of[cid]) {
                ask_about(m, from, m->class_of[cid], m->is_person[i] ? ORIGIN_PERSON : ORIGIN_MODEL);
            }
        }
        ask_sources(m, from, f->image[at]);
        ask_candidates(m, from, f->image[at]);
        ask_suggested(m, from, f->image[at]);
        qsort(m->asks + from, m->n_asks - from, sizeof *m->asks, by_class);
    }
    m->first[f->n] = m->n_asks;
}

/* ---- which images, in which order ---- */

static double disagreement(const struct making *m, uint32_t at)
{
    size_t n = m->first[at + 1] - m->first[at];
    uint32_t *models = arena_alloc(m->a, (n + 1) * sizeof *models);
    for (size_t i = 0; i < n; i++) {
        models[i] = m->asks[m->first[at] + i].models;
    }
    return label_disagreement(models, n);
}

static double key_of(const struct making *m, uint32_t at)
{
    switch (m->ask->queue) {
    case QUEUE_CLASS:
        return m->fold->cid[at];
    case QUEUE_ERRORS:
        return m->rank[at] == UNRANKED ? (double)NAN : m->rank[at];
    case QUEUE_DISAGREEMENT:
    case QUEUE_RANDOM:
    case REVIEW_QUEUES:
        break;
    }
    return disagreement(m, at);
}

/* Those of one class together, in the set's order; where models disagree most first; the most doubtful labels first; or as it
 * comes. Images that are alike keep the set's order. */
static void sort_queue(struct making *m, struct rng *r)
{
    struct sorted_key *keys = xcalloc((size_t)m->n + 1, sizeof *keys);
    m->order = arena_calloc(m->a, (size_t)m->n + 1, sizeof *m->order);
    for (uint32_t i = 0; i < m->n; i++) {
        m->order[i] = m->among[i];
        keys[i] = (struct sorted_key){key_of(m, m->among[i]), m->among[i]};
    }
    if (m->ask->queue == QUEUE_RANDOM) {
        rng_shuffle_u32(r, m->order, m->n);
    } else {
        sorted_keys(keys, m->n, m->ask->queue == QUEUE_DISAGREEMENT);
        for (uint32_t i = 0; i < m->n; i++) {
            m->order[i] = (uint32_t)keys[i].at;
        }
    }
    free(keys);
}

/* The random arm: every image of the set has the same chance of being in it. An evaluation's images are no such draw. */
static enum err_code draw(struct making *m, struct rng *r)
{
    const uint32_t n = m->n;
    uint32_t *all = arena_alloc(m->a, ((size_t)n + 1) * sizeof *all);
    m->drawn = arena_calloc(m->a, (size_t)m->fold->n + 1, sizeof *m->drawn);
    int64_t images = m->ask->images ? m->ask->images : n;
    bool arm = m->ask->queue == QUEUE_RANDOM || images == n;
    int64_t drawn = m->evaluation.id ? 0 : arm ? images : m->ask->beside;
    if (images > n || drawn > n) {
        return err_rule(m->err, ERR_INPUT, "label-review-size", "The set " SV_FMT "/%lld has %u images: ask for no more of them.",
                        SV_ARG(m->set.set), (long long)m->set.number, n);
    }
    for (uint32_t i = 0; i < n; i++) {
        all[i] = m->ask->queue == QUEUE_RANDOM ? m->order[i] : m->among[i];
    }
    if (m->ask->queue != QUEUE_RANDOM) {
        rng_shuffle_u32(r, all, n);
    }
    for (int64_t i = 0; i < drawn; i++) {
        m->drawn[all[i]] = true;
    }
    m->p = n ? (double)drawn / n : 0;
    return OK;
}

static void add_item(const struct making *m, struct label_review_item *items, size_t *n, uint32_t at, bool chosen)
{
    const bool ranked = chosen && m->rank && m->rank[at] != UNRANKED;
    items[(*n)++] = (struct label_review_item){.image = m->fold->image[at], .p = m->drawn[at] ? m->p : 0, .first = m->first[at],
                                               .n = m->first[at + 1] - m->first[at], .ranked = ranked,
                                               .rank = ranked ? (int64_t)m->rank[at] : 0, .confidence = ranked ? m->confidence[at] : 0};
}

/* Chosen images in the queue's order; further ones of the random arm are spread evenly among them, so that neither is left
 * for the end. */
static size_t choose(const struct making *m, struct label_review_item *items, struct rng *r)
{
    const uint32_t n = m->n;
    const size_t images = m->ask->images ? (size_t)m->ask->images : n;
    uint32_t *others = arena_alloc(m->a, ((size_t)n + 1) * sizeof *others);
    size_t n_others = 0, done = 0, out = 0;
    for (size_t i = images; i < n; i++) {
        if (m->drawn[m->order[i]]) {
            others[n_others++] = m->order[i];
        }
    }
    if (m->ask->queue != QUEUE_CLASS) {
        rng_shuffle_u32(r, others, n_others);
    }
    for (size_t i = 0; i < images && i < n; i++) {
        add_item(m, items, &out, m->order[i], true);
        for (; done < n_others && (done + 1) * images <= (i + 1) * n_others; done++) {
            add_item(m, items, &out, others[done], false);
        }
    }
    return out;
}

/* ---- all of it ---- */

static struct sv models_json(const struct making *m)
{
    json_t *list = json_array();
    for (size_t i = 0; i < m->n_models; i++) {
        object_add(list, field_sv("model", m->model_names[i]), field_sv("source", m->models[i]->sources[0].name),
                   field_int("predicted", m->models[i]->seen));
    }
    return json_compact(list, 0, m->a);
}

/* Which versions the labels of people and lists are of. */
static const char *from_json(const struct making *m)
{
    json_t *sources = json_array(), *plans = json_array();
    for (size_t i = 0; i < m->n_sources; i++) {
        json_array_append_new(sources, json_string(m->sources[i].title));
    }
    for (size_t i = 0; i < m->n_plans; i++) {
        json_array_append_new(plans, json_string(m->plans[i].title));
    }
    return json_compact(object(field_json("sources", sources), field_json("candidates", plans)), 0, m->a).p;
}

/* Half of the images that the model has predicted, whichever, get its answer shown. Of images of a sealed revision nothing is
 * suggested: it would tell what the model says. */
static enum err_code suggest(const struct making *m, struct label_review_item *items, size_t n, struct rng *r)
{
    uint32_t *open = arena_alloc(m->a, (n + 1) * sizeof *open), *at = arena_alloc(m->a, (n + 1) * sizeof *at);
    size_t n_open = n, n_at = 0;
    struct map_u64 of; /* image -> position of the set */
    for (size_t i = 0; i < n; i++) {
        open[i] = items[i].image;
    }
    enum err_code rc = m->suggesting ? seals_leave_out(m->db, open, &n_open, m->err) : OK;
    map_u64_init(&of);
    for (uint32_t i = 0; i < m->fold->n && m->suggesting && rc == OK; i++) {
        map_u64_put(&of, m->fold->image[i], i);
    }
    for (size_t i = 0, k = 0; i < n && m->suggesting && rc == OK; i++) {
        if (k < n_open && open[k] == items[i].image) {
            uint16_t cid = score_fold_first(m->suggesting, map_u64_get(&of, items[i].image));
            items[i].suggested = cid == PREDICTION_NONE ? 0 : m->class_of[cid];
            at[n_at] = (uint32_t)i;
            n_at += items[i].suggested > 0;
            k++;
        }
    }
    rng_shuffle_u32(r, at, n_at);
    for (size_t i = 0; i < n_at / 2; i++) {
        items[at[i]].shown = true;
    }
    map_u64_release(&of);
    return rc;
}

/* ---- what is said of it ---- */

static void sum_up(const struct making *m, const struct label_review_item *items, size_t n, struct review_made *out)
{
    uint32_t *list = arena_alloc(m->a, (n + 1) * sizeof *list);
    out->images = (int64_t)n;
    for (size_t i = 0; i < n; i++) {
        const struct label_review_item *item = &items[i];
        list[i] = item->image;
        out->labels += (int64_t)item->n;
        out->most = (int64_t)item->n > out->most ? (int64_t)item->n : out->most;
        out->drawn += item->p > 0;
        out->suggested += item->suggested > 0;
        out->shown += item->shown;
        for (size_t k = item->first; k < item->first + item->n; k++) {
            out->of_set += (m->asks[k].origins & ORIGIN_SET) != 0;
            out->of_models += (m->asks[k].origins & ORIGIN_MODEL) != 0;
            out->of_sources += (m->asks[k].origins & ORIGIN_SOURCE) != 0;
            out->of_contains += (m->asks[k].origins & ORIGIN_CONTAINS) != 0;
            out->of_classify += (m->asks[k].origins & ORIGIN_CLASSIFY) != 0;
        }
    }
    out->list = list;
    out->models = (int64_t)m->n_models;
    out->set = arena_printf(m->a, SV_FMT "/%lld", SV_ARG(m->set.set), (long long)m->set.number);
    out->model_names = "";
    for (size_t i = 0; i < m->n_models; i++) {
        out->model_names = arena_printf(m->a, "%s%s" SV_FMT, out->model_names, i ? ", " : "", SV_ARG(m->model_names[i]));
    }
    out->missing = m->missing;
}

/* Other open lists with the same images: whoever reviewed one of them there does not do so here. */
static enum err_code find_common(const struct making *m, struct review_made *out)
{
    struct label_review_row *rows;
    struct map_u64 of;
    size_t n = 0;
    enum err_code rc = label_reviews_list(m->db, 0, m->a, &rows, &n, m->err);
    out->common = arena_calloc(m->a, n + 1, sizeof *out->common);
    map_u64_init(&of);
    for (int64_t i = 0; i < out->images; i++) {
        map_u64_put(&of, out->list[i], 1);
    }
    for (size_t i = 0; i < n && rc == OK; i++) {
        uint32_t *images;
        size_t n_images = 0;
        int64_t both = 0;
        if (!sv_is(rows[i].state, "open")) {
            continue;
        }
        rc = label_review_images(m->db, rows[i].id, m->a, &images, &n_images, m->err);
        for (size_t k = 0; k < n_images && rc == OK; k++) {
            both += map_u64_get(&of, images[k]) != MAP_NONE;
        }
        if (both) {
            out->common[out->n_common++] = (struct review_common){rows[i].name, both};
        }
    }
    map_u64_release(&of);
    return rc;
}

static enum err_code tell_plan(struct making *m, struct review_made *out)
{
    enum err_code rc = label_review_name_free(m->db, m->ask->name, m->err);
    if (rc == ERR_CONFLICT) {
        out->taken = arena_strdup(m->a, m->err->msg);
        err_clear(m->err);
        rc = OK;
    }
    struct err why = {OK, "", ""};
    if (revision_may_be_scored(&m->set, &why) != OK) {
        out->sealed_by = m->set.sealed_by.n ? m->set.sealed_by : sv_of(out->set);
    }
    return rc == OK ? find_common(m, out) : rc;
}

static enum err_code write_list(struct making *m, bool alone, int64_t as_of, int64_t now, struct review_made *out)
{
    struct rng r;
    struct label_review_item *items = arena_calloc(m->a, (size_t)m->fold->n + 1, sizeof *items);
    rng_seed(&r, (uint64_t)m->ask->seed);
    sort_queue(m, &r);
    enum err_code rc = draw(m, &r);
    size_t n = rc == OK ? choose(m, items, &r) : 0;
    rc = rc == OK ? suggest(m, items, n, &r) : rc;
    const struct label_review_new v = {.name = m->ask->name, .models = models_json(m), .from = m->n_sources + m->n_plans ? from_json(m) : NULL, .revision = m->set.id,
                                       .as_of = as_of, .account = m->ask->account, .seed = m->ask->seed, .queue = m->ask->queue,
                                       .reviewers = m->ask->reviewers, .repeats = m->ask->repeats, .again = m->ask->again || m->evaluation.id, .evaluation = m->evaluation.id,
                                       .suggests = m->suggests, .items = items, .n = n, .asks = m->asks};
    *out = (struct review_made){.id = 0};
    sum_up(m, items, n, out);
    if (rc == OK && m->ask->plan) {
        return tell_plan(m, out);
    }
    return rc == OK ? label_review_add(m->db, alone, &v, now, &out->id, m->err) : rc;
}

static enum err_code check(const struct review_ask *ask, struct err *err)
{
    bool fits = ask->reviewers >= 1 && ask->reviewers <= LABEL_REVIEWERS && ask->repeats >= 0 &&
                ask->repeats <= LABEL_REPEATS_MOST && ask->images >= 0 && ask->beside >= 0;
    return fits ? OK
                : err_rule(err, ERR_INPUT, "label-review-size", "A label review has 1 to %d reviewers of an image and 0 to %d percent "
                           "of repeats.", LABEL_REVIEWERS, LABEL_REPEATS_MOST);
}

enum err_code review_make(struct db *db, bool alone, const struct review_ask *ask, int64_t now, struct arena *a,
                          struct review_made *out, struct err *err)
{
    struct making m = {.db = db, .ask = ask, .a = a, .err = err};
    int64_t as_of = 0, schema;
    enum err_code rc = check(ask, err);
    rc = rc == OK ? db_snapshot(db, err) : rc;
    if (rc == OK) {
        rc = health_moment(db, &as_of, &schema, err);
        rc = rc == OK ? read_all(&m) : rc;
        db_snapshot_end(db);
    }
    if (rc == OK) {
        ask_all(&m);
        rc = write_list(&m, alone, as_of, now, out);
    }
    for (size_t i = 0; i < m.n_sources; i++) {
        label_book_release(&m.sources[i].book);
        map_u64_release(&m.sources[i].at);
    }
    for (size_t i = 0; i < m.n_plans; i++) {
        label_plan_release(&m.plans[i].book);
    }
    score_fold_free(m.fold);
    free(m.asks);
    return rc;
}
