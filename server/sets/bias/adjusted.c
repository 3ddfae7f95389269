/* adjusted.c - images, votes and right answers of a pair of sets as arrays. */
#include "sets/bias/adjusted.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "measures/scores/model_pair.h"
#include "measures/scores/model_right.h"
#include "sets/bias/bias_private.h"

enum { ORIGINAL, FRESH, SIDES };

struct adjusting {
    struct bias_work w;
    const struct set_adjusted_ask *ask;
    struct set_adjusted *out;
    struct set_bias head; /* what `w` fills in */
    int64_t *ids;         /* of the models that count */
    struct model_right right[SIDES];
    uint32_t *of[SIDES];    /* by place in the pool: position in the set; MAP_NONE */
    bool *sealed;           /* by place in the pool: a sealed revision has it too */
    uint32_t *place;        /* by place in the pool: which image of the list below; MAP_NONE */
    struct bias_image *images;
    unsigned char *is_right; /* [model * n_images + image] */
    size_t n_images;
};

/* ---- models ---- */

static const struct subset *part_of(const struct set_adjusted_ask *ask, int side)
{
    return side == FRESH ? ask->fresh_part : ask->part;
}

static enum err_code take_models(struct adjusting *j, struct db *db, struct model_scores *s, struct arena *a, struct err *err)
{
    struct set_adjusted *out = j->out;
    struct scored_set sets[SIDES];
    struct model_row *models;
    size_t n = 0;
    enum err_code rc = scored_set_read(s, db, j->ask->original, part_of(j->ask, ORIGINAL), a, &sets[ORIGINAL], err);
    rc = rc == OK ? scored_set_read(s, db, j->ask->fresh, part_of(j->ask, FRESH), a, &sets[FRESH], err) : rc;
    rc = rc == OK ? models_named(db, j->ask->models, a, &models, &n, err) : rc;
    if (rc != OK) {
        return rc;
    }
    struct set_adjusted_model *left_out = arena_calloc(a, n + 1, sizeof *left_out);
    out->models = arena_calloc(a, n + 1, sizeof *out->models);
    j->ids = arena_calloc(a, n + 1, sizeof *j->ids);
    for (size_t i = 0; i < n; i++) {
        const char *why = scored_set_lacks(&sets[ORIGINAL], models[i].id, j->ask->top, a);
        why = why ? why : scored_set_lacks(&sets[FRESH], models[i].id, j->ask->top, a);
        if (why) {
            left_out[out->n_left_out++] = (struct set_adjusted_model){models[i].name, why};
        } else {
            j->ids[out->n_models] = models[i].id;
            out->models[out->n_models++].name = models[i].name;
        }
    }
    memcpy(out->models + out->n_models, left_out, out->n_left_out * sizeof *left_out);
    out->original = sets[ORIGINAL].r;
    out->fresh = sets[FRESH].r;
    for (int side = 0; side < SIDES && rc == OK; side++) {
        rc = model_right_of(s, db, &sets[side].r, part_of(j->ask, side), j->ask->top, j->ids, out->n_models, &j->right[side], err);
    }
    return rc;
}

/* ---- images ---- */

/* Where images of the pool are in a set under their own class. Sealed ones are nowhere: weights of one's own choice would
 * tell what models say of one by subtraction, as measures/core/subset.h says. */
static void find_side(struct adjusting *j, int side)
{
    const struct pool *p = &j->w.pool;
    const struct model_right *r = &j->right[side];
    j->of[side] = arena_alloc(&j->w.own, (p->n + 1) * sizeof **j->of);
    memset(j->of[side], 0xff, (p->n + 1) * sizeof **j->of);
    for (uint32_t i = 0; i < r->n; i++) {
        uint32_t at = pool_find(p, r->image[i]);
        if (r->sealed[i]) {
            j->out->sealed++;
            if (at != MAP_NONE) {
                j->sealed[at] = true;
            }
        } else if (at != MAP_NONE && j->w.images[at].original == (side == ORIGINAL) &&
                   j->w.images[at].class_index == pool_class(p, r->class_id[i])) {
            j->of[side][at] = i;
        }
    }
}

/* Whether it is one of the other candidates that could have been in the set: also an image of it that does not count. */
static bool is_candidate(const struct adjusting *j, size_t i)
{
    return j->w.images[i].in_set ? !j->sealed[i] : !j->w.out_of_pool[i];
}

/* Originals of the set of originals, images of the new set, and (`pool`) the other candidates. */
static void list_images(struct adjusting *j, bool pool)
{
    const struct bias_work *w = &j->w;
    size_t n = 0;
    for (size_t i = 0; i < w->pool.n; i++) {
        bool original = w->images[i].original, in_set = j->of[FRESH][i] != MAP_NONE;
        bool counts = original ? j->of[ORIGINAL][i] != MAP_NONE : in_set || (pool && is_candidate(j, i));
        j->place[i] = MAP_NONE;
        if (counts) {
            j->images[n] = w->images[i];
            j->images[n].in_set = in_set;
            j->images[n].review = pool ? w->images[i].review : SPREAD_UNSEEN;
            j->place[i] = (uint32_t)n++;
        }
    }
    j->n_images = n;
    for (size_t i = 0; i < w->pool.n; i++) {
        int side = w->images[i].original ? ORIGINAL : FRESH;
        uint32_t at = j->of[side][i];
        for (size_t m = 0; m < j->out->n_models && j->place[i] != MAP_NONE; m++) {
            const struct model_right *r = &j->right[side];
            j->is_right[m * n + j->place[i]] = at != MAP_NONE && r->right[m * r->n + at];
        }
    }
}

static void adjust(struct adjusting *j, const struct bias_votes *k, bool pool, struct arena *a, struct adjusted_gap *out)
{
    struct bias_vote *votes = xcalloc(k->n + 1, sizeof *votes);
    size_t n = 0;
    list_images(j, pool);
    for (size_t i = 0; i < k->n; i++) {
        if (j->place[k->votes[i].image] != MAP_NONE) {
            votes[n] = k->votes[i];
            votes[n++].image = j->place[k->votes[i].image];
        }
    }
    const struct adjusted_input in = {.images = j->images,
                                      .n_images = j->n_images,
                                      .votes = votes,
                                      .n_votes = n,
                                      .n_classes = j->w.pool.n_classes,
                                      .n_workers = (uint32_t)k->people.n,
                                      .right = j->is_right,
                                      .n_models = j->out->n_models,
                                      .groups = j->ask->groups,
                                      .threads = j->ask->threads,
                                      .resamples = j->ask->resamples,
                                      .seed = j->ask->seed};
    adjusted_gap(&in, &j->w.own, out);
    if (out->lines) {
        const struct adjusted_line *made = out->lines;
        out->lines = arena_alloc(a, (in.n_models + 1) * sizeof *out->lines);
        memcpy(out->lines, made, in.n_models * sizeof *out->lines);
    }
    free(votes);
}

/* ---- all ---- */

static enum err_code adjust_both(struct adjusting *j, struct arena *a, struct err *err)
{
    struct bias_votes first, again = {0};
    enum err_code rc = bias_votes_first(&j->w, &first, err);
    if (rc == OK) {
        adjust(j, &first, true, a, &j->out->first);
        rc = bias_votes_again(&j->w, &again, err);
    }
    if (rc == OK && j->head.again.n_campaigns) {
        adjust(j, &again, false, a, &j->out->again);
    }
    bias_votes_release(&first);
    bias_votes_release(&again);
    return rc;
}

static void take_head(struct adjusting *j)
{
    struct set_adjusted *out = j->out;
    const struct subset *part = part_of(j->ask, ORIGINAL), *fresh = part_of(j->ask, FRESH);
    out->subset = part ? part->name : SV("");
    out->labels = part ? part->labels.name : SV("");
    out->new_labels = fresh ? fresh->labels.name : SV("");
    out->view = j->head.view;
    out->view_version = j->head.view_version;
    out->as_of = j->head.as_of;
    out->campaigns = j->head.again.campaigns;
    out->n_campaigns = j->head.again.n_campaigns;
    out->known_selection = j->head.strategy != SAMPLE_STRATEGIES;
}

enum err_code set_adjusted_make(struct db *db, struct tally *t, struct model_scores *s, const struct set_adjusted_ask *ask,
                                struct arena *a, struct set_adjusted *out, struct err *err)
{
    const struct set_bias_ask bias = {.flags_to_quarantine = ask->flags_to_quarantine, .as_of = ask->as_of};
    struct adjusting j = {.ask = ask, .out = out};
    *out = (struct set_adjusted){.top = ask->top, .seed = ask->seed, .again.silence = ADJUSTED_NO_VOTES};
    j.w = (struct bias_work){.db = db, .t = t, .ask = &bias, .a = a, .out = &j.head};
    enum err_code rc = bias_work_open(&j.w, ask->fresh, err);
    rc = rc == OK ? take_models(&j, db, s, a, err) : rc;
    if (rc == OK) {
        j.sealed = arena_calloc(&j.w.own, j.w.pool.n + 1, sizeof *j.sealed);
        find_side(&j, ORIGINAL);
        find_side(&j, FRESH);
        j.place = arena_alloc(&j.w.own, (j.w.pool.n + 1) * sizeof *j.place);
        j.images = arena_calloc(&j.w.own, j.w.pool.n + 1, sizeof *j.images);
        j.is_right = xcalloc((j.w.pool.n + 1) * (out->n_models + 1), 1);
        rc = adjust_both(&j, a, err);
        take_head(&j);
        free(j.is_right);
    }
    model_right_release(&j.right[ORIGINAL]);
    model_right_release(&j.right[FRESH]);
    bias_work_close(&j.w);
    return rc;
}

/* ---- which one leads ---- */

static bool is_again(const struct set_adjusted *s)
{
    return s->n_campaigns && s->again.silence == ADJUSTED_SPEAKS;
}

const struct adjusted_gap *set_adjusted_leading(const struct set_adjusted *s)
{
    return is_again(s) ? &s->again : &s->first;
}

const char *set_adjusted_how(const struct set_adjusted *s)
{
    return is_again(s) ? "measured again" : "by the votes that chose the set";
}

const char *set_adjusted_why(const struct set_adjusted *s)
{
    static const char *const silence[] = {
        [ADJUSTED_SPEAKS] = NULL,
        [ADJUSTED_NO_MODELS] = "No model has predicted all images of both sets.",
        [ADJUSTED_NO_VOTES] = "No class has answers about images of both sets.",
        [ADJUSTED_FEW_ANSWERS] = "A typical image has fewer than 3 answers, too few to say how true frequencies are spread.",
        [ADJUSTED_NO_TOP] = "The answers hardly tell images apart, so their true frequencies are not known.",
    };
    const struct adjusted_gap *g = set_adjusted_leading(s);
    return g->silence != ADJUSTED_SPEAKS ? silence[g->silence]
           : !is_again(s) && !s->known_selection
               ? "The revision does not say how it was sampled: the figure holds only if these answers chose the images."
               : NULL;
}
