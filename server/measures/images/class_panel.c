/* class_panel.c - one pass over the images of a class, then one over the votes about them. */
#include "measures/images/class_panel.h"

#include <math.h>
#include <stdlib.h>

#include "base/list.h"
#include "base/map.h"
#include "base/rng.h"
#include "base/xalloc.h"
#include "measures/images/answers_pass.h"
#include "store/classes/classes.h"

struct panel_votes {
    double frequency;
    uint32_t asked;
};
struct making {
    const struct class_panel_ask *ask;
    struct arena *a;
    struct class_panel *out;
    uint16_t own;
    uint32_t *answers, *main;  /* by cid */
    struct panel_votes *votes; /* the same */
    struct list images;        /* struct panel_image */
    struct map_u64 at;         /* image -> place in images */
};

static void add_image(struct answers_pass *p, const struct image_said *w, void *arg)
{
    struct making *m = arg;
    const struct fold_labels *l = p->r->labels;
    struct panel_image image = {.image = p->r->image[w->position]};
    bool known = false;
    for (size_t i = 0; i < p->n_models; i++) {
        if (w->said[i] != PREDICTION_NONE) {
            image.predicted++;
            image.right += w->said[i] == m->own;
            m->answers[w->said[i]]++;
        }
    }
    for (uint32_t k = l ? l->first[w->position] : 0; l && !known && k < l->first[w->position + 1]; k++) {
        if (l->said[k] & SAID_MAIN) {
            m->main[l->cid[k]]++;
            known = true;
        }
    }
    m->out->main += known;
    m->out->answers += image.predicted;
    map_u64_put(&m->at, image.image, (uint32_t)m->images.n);
    *LIST_ADD(&m->images, m->a, struct panel_image) = image;
}

static enum err_code count_votes(struct making *m, struct db *db, struct err *err)
{
    const struct view_counts *v = m->ask->votes;
    struct panel_image *images = m->images.items;
    struct class_info *classes;
    struct map_u64 cids;
    size_t n;
    enum err_code rc = classes_list(db, m->a, &classes, &n, err);
    if (rc != OK) {
        return rc;
    }
    map_u64_init(&cids);
    for (size_t i = 0; i < n; i++) {
        map_u64_put(&cids, (uint64_t)classes[i].id, (uint32_t)classes[i].cid);
    }
    for (size_t i = 0; i < v->n; i++) {
        uint32_t at = v->shown[i] ? map_u64_get(&m->at, v->image[i]) : MAP_NONE, cid = at == MAP_NONE ? MAP_NONE : map_u64_get(&cids, v->class_id[i]);
        if (cid < PREDICTION_NONE) {
            m->votes[cid].asked++;
            m->votes[cid].frequency += v->selected[i] / (double)v->shown[i];
        }
        if (at != MAP_NONE && v->class_id[i] == m->ask->class_id) {
            images[at].selected = v->selected[i];
            images[at].shown = v->shown[i];
        }
    }
    map_u64_release(&cids);
    return OK;
}

/* ---- labels ---- */

static double weight(const struct class_panel *p, const struct panel_label *l)
{
    double answers = p->answers ? (double)l->answers / p->answers : 0, main = p->main ? (double)l->main / p->main : 0;
    return fmax(answers, main);
}

static void list_labels(struct making *m)
{
    struct class_panel *p = m->out;
    p->labels = arena_calloc(m->a, PANEL_LABELS + 1, sizeof *p->labels);
    for (uint32_t cid = 0; cid < PREDICTION_NONE; cid++) {
        const struct panel_votes *v = &m->votes[cid];
        struct panel_label l = {(uint16_t)cid, m->answers[cid], m->main[cid], v->asked, v->asked ? v->frequency / v->asked : (double)NAN};
        bool own = cid == m->own;
        if (!own && l.answers == 0 && l.main == 0) {
            continue;
        }
        size_t at = p->n_labels;
        while (at > 0 && (own || (p->labels[at - 1].cid != m->own && weight(p, &p->labels[at - 1]) < weight(p, &l)))) {
            p->labels[at] = p->labels[at - 1];
            at--;
        }
        p->labels[at] = l;
        p->n_labels += p->n_labels < PANEL_LABELS;
        p->n_said++;
    }
}

/* ---- images ---- */

static int by_frequency(const void *a, const void *b)
{
    const struct panel_image *x = a, *y = b;
    uint64_t p = (uint64_t)x->selected * y->shown, q = (uint64_t)y->selected * x->shown;
    return p != q ? (p < q) - (p > q) : (x->image > y->image) - (x->image < y->image);
}

static void choose_images(struct making *m)
{
    struct class_panel *p = m->out;
    const struct panel_image *images = m->images.items;
    uint32_t *of = arena_calloc(m->a, m->images.n + 1, sizeof *of);
    for (uint32_t bin = 0; bin < PANEL_BINS; bin++) {
        struct rng g;
        for (uint32_t i = 0; i < m->images.n; i++) {
            uint32_t its = images[i].shown ? histogram_bin(images[i].selected, images[i].shown) : HISTOGRAM_BINS;
            of[p->in_bin[bin]] = i;
            p->in_bin[bin] += its == bin;
        }
        rng_stream(&g, m->ask->seed, bin);
        rng_shuffle_u32(&g, of, p->in_bin[bin]);
        p->n_sample[bin] = p->in_bin[bin] < PANEL_SAMPLE ? p->in_bin[bin] : PANEL_SAMPLE;
        p->sample[bin] = arena_calloc(m->a, PANEL_SAMPLE, sizeof **p->sample);
        for (size_t i = 0; i < p->n_sample[bin]; i++) {
            p->sample[bin][i] = images[of[i]];
        }
        qsort(p->sample[bin], p->n_sample[bin], sizeof **p->sample, by_frequency);
    }
}

enum err_code class_panel_make(struct model_scores *s, struct db *db, const struct class_panel_ask *ask, struct arena *a,
                               struct class_panel *out, struct err *err)
{
    const struct image_answers_ask of = {.revision = ask->revision, .subset = ask->subset, .models = ask->models, .n_models = ask->n_models, .top = 1,
                                         .every = true};
    struct class_info own;
    struct making m = {.ask = ask, .a = a, .out = out};
    *out = (struct class_panel){.images = 0};
    enum err_code rc = classes_get(db, ask->class_id, a, &own, err);
    if (rc != OK) {
        return rc;
    }
    m.own = own.cid >= 0 && own.cid < PREDICTION_NONE ? (uint16_t)own.cid : PREDICTION_NONE;
    m.answers = xcalloc(ANSWER_CIDS, sizeof *m.answers);
    m.main = xcalloc(ANSWER_CIDS, sizeof *m.main);
    m.votes = xcalloc(ANSWER_CIDS, sizeof *m.votes);
    map_u64_init(&m.at);
    rc = answers_pass(s, db, &of, add_image, &m, &out->sealed, err);
    rc = rc == OK ? count_votes(&m, db, err) : rc;
    if (rc == OK) {
        out->images = (uint32_t)m.images.n;
        list_labels(&m);
        choose_images(&m);
    }
    map_u64_release(&m.at);
    free(m.answers);
    free(m.main);
    free(m.votes);
    return rc;
}
