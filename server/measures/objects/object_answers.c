/* object_answers.c - a source's labels laid over the fold of a set, image by image. */
#include "measures/objects/object_answers.h"

#include "measures/scores/model_scores_private.h"

struct reading {
    const struct revision_scores *r;
    const struct fold_labels *l;
    const struct object_answers_ask *ask;
    struct arena *a;
    struct object_answers *out;
    struct image_labels *images;
};

/* False: the source gives it no main label. */
static bool read_labels(const struct reading *g, uint32_t at, struct image_labels *out)
{
    const struct fold_labels *l = g->l;
    uint32_t from = l->first[at], n = l->first[at + 1] - from;
    uint32_t *names = arena_calloc(g->a, (size_t)n + 1, sizeof *names);
    *out = (struct image_labels){.label = g->r->cid[at], .main = LABEL_NONE, .names = names, .label_object = -1};
    for (uint32_t i = from; i < from + n; i++) {
        if (l->said[i] & SAID_MAIN) {
            out->main = l->cid[i];
        }
        if (l->said[i] & SAID_NAMES) {
            out->label_object = l->own[i] || l->cid[i] == out->label ? (int)out->n : out->label_object;
            names[out->n++] = l->cid[i];
        }
    }
    if (out->n == 0 && out->main != LABEL_NONE) {
        names[out->n++] = out->main;
        out->label_object = out->main == out->label ? 0 : -1;
    }
    for (uint32_t i = 0; i < out->n; i++) {
        out->main_object = names[i] == out->main ? (int)i : out->main_object;
    }
    return out->main != LABEL_NONE;
}

static void read_all(struct reading *g)
{
    const struct revision_scores *r = g->r;
    struct object_answers *o = g->out;
    const size_t n_models = g->ask->n_models;
    const struct model_ranks **ranks = arena_calloc(g->a, n_models + 1, sizeof *ranks);
    o->n_models = n_models;
    o->labels = arena_calloc(g->a, (size_t)r->n + 1, sizeof *o->labels);
    o->at = arena_calloc(g->a, (size_t)r->n + 1, sizeof *o->at);
    o->answers = arena_calloc(g->a, n_models + 1, sizeof *o->answers);
    g->images = arena_calloc(g->a, (size_t)r->n + 1, sizeof *g->images);
    o->counted.at = g->images;
    for (size_t m = 0; m < n_models; m++) {
        ranks[m] = model_scores_find(r, g->ask->models[m].id);
        o->answers[m] = arena_calloc(g->a, (size_t)r->n + 1, sizeof *o->answers[m]);
    }
    for (uint32_t i = 0; i < r->n; i++) {
        if (!subset_has(g->ask->subset, r->image[i], r->class_id[i])) {
            continue;
        }
        o->sealed += r->sealed[i];
        if (r->sealed[i]) {
            continue;
        }
        if (g->l->counts[i] && read_labels(g, i, &g->images[o->counted.n])) {
            o->at[o->counted.n++] = (uint32_t)o->n;
        }
        for (size_t m = 0; m < n_models; m++) {
            uint16_t said = ranks[m] ? score_fold_first(ranks[m], i) : PREDICTION_NONE;
            o->answers[m][o->n] = said == PREDICTION_NONE ? LABEL_NONE : said;
        }
        o->labels[o->n++] = r->cid[i];
    }
}

enum err_code object_answers_make(struct model_scores *s, struct db *db, const struct object_answers_ask *ask, struct arena *a,
                                  struct object_answers *out, struct err *err)
{
    const struct label_pick *labels = &ask->subset->labels;
    struct revision_scores *r;
    struct fold_labels *l = NULL;
    *out = (struct object_answers){.n = 0};
    if (label_pick_is_set(labels) || (labels->version.kind != LABEL_KIND_OBJECTS && labels->version.kind != LABEL_KIND_MAIN)) {
        return err_rule(err, ERR_INPUT, "labels-no-main",
                        "%s gives images no main label. Choose a label source of objects or main labels: `labels=NAME`, of those under "
                        "/label-sources, or import one with `holdout import labels`.",
                        label_pick_is_set(labels) ? "The set itself" : arena_cstr(a, labels->version.name));
    }
    pthread_mutex_lock(&s->lock);
    enum err_code rc = model_scores_look(s, db, ask->revision, NULL, &r, err);
    rc = rc == OK ? fold_labels_read(r, db, labels, &l, err) : rc;
    if (rc == OK) {
        struct reading g = {.r = r, .l = l, .ask = ask, .a = a, .out = out};
        read_all(&g);
    }
    fold_labels_free(l);
    pthread_mutex_unlock(&s->lock);
    return rc;
}
