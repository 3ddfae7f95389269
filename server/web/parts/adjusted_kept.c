/* adjusted_kept.c - adjusted gaps, kept while nothing happens. */
#include "web/parts/adjusted_kept.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/xalloc.h"
#include "measures/scores/model_right.h"
#include "web/parts/set_data.h"

enum { KEPT_MOST = 4, ARENA_MOST = 1 << 26 };

struct kept {
    uint64_t key; /* of what was asked and what it was made of; 0: nothing */
    struct set_adjusted s;
    struct arena arena;
};
struct adjusted_kept {
    pthread_mutex_t lock; /* held while figures are made: who waited finds them */
    struct kept slots[KEPT_MOST];
    unsigned next; /* the oldest */
};

struct adjusted_kept *adjusted_kept_new(void)
{
    struct adjusted_kept *k = xcalloc(1, sizeof *k);
    pthread_mutex_init(&k->lock, NULL);
    for (int i = 0; i < KEPT_MOST; i++) {
        arena_init(&k->slots[i].arena, ARENA_MOST);
    }
    return k;
}

void adjusted_kept_free(struct adjusted_kept *k)
{
    for (int i = 0; k && i < KEPT_MOST; i++) {
        arena_release(&k->slots[i].arena);
    }
    if (k) {
        pthread_mutex_destroy(&k->lock);
    }
    free(k);
}

/* Votes by their event, predictions by their version. */
static enum err_code key_of(struct ctx *c, const struct adjusted_asked *of, uint64_t *out)
{
    const struct revision_row *sets[] = {of->original, of->fresh};
    struct tally_totals totals;
    uint64_t parts[5] = {(uint64_t)of->top, hash_bytes(of->models.p ? of->models.p : "", of->models.n)};
    tally_read_lock(app_tally(c->app));
    tally_totals(app_tally(c->app), &totals);
    tally_read_unlock(app_tally(c->app));
    parts[2] = (uint64_t)totals.cursor;
    enum err_code rc = OK;
    for (int side = 0; side < 2 && rc == OK; side++) {
        rc = model_right_version(app_model_scores(c->app), c->db, sets[side], NULL, &parts[3 + side], &c->err);
    }
    *out = hash_bytes(parts, sizeof parts) | 1;
    return rc;
}

static struct adjusted_gap copy_gap(const struct adjusted_gap *g, size_t n, struct arena *a)
{
    struct adjusted_gap copy = *g;
    if (g->lines) {
        copy.lines = arena_alloc(a, (n + 1) * sizeof *copy.lines);
        memcpy(copy.lines, g->lines, n * sizeof *copy.lines);
    }
    return copy;
}

/* What pages show lives as long as the request. */
static void copy(const struct ctx *c, const struct kept *from, const struct adjusted_asked *of, struct set_adjusted *out)
{
    struct arena *a = c->arena;
    size_t n = from->s.n_models + from->s.n_left_out;
    *out = from->s;
    out->original = *of->original;
    out->fresh = *of->fresh;
    out->view = arena_sv(a, from->s.view);
    out->models = arena_calloc(a, n + 1, sizeof *out->models);
    for (size_t i = 0; i < n; i++) {
        const struct set_adjusted_model *m = &from->s.models[i];
        out->models[i] = (struct set_adjusted_model){arena_sv(a, m->name),
                                                     m->left_out ? arena_printf(a, "%s", m->left_out) : NULL};
    }
    out->campaigns = arena_calloc(a, out->n_campaigns + 1, sizeof *out->campaigns);
    for (size_t i = 0; i < out->n_campaigns; i++) {
        out->campaigns[i] = arena_sv(a, from->s.campaigns[i]);
    }
    out->first = copy_gap(&from->s.first, from->s.n_models, a);
    out->again = copy_gap(&from->s.again, from->s.n_models, a);
}

static enum err_code make(struct ctx *c, const struct adjusted_asked *of, uint64_t key, struct kept *slot)
{
    const struct set_adjusted_ask ask = {.original = sv_of(set_title(c->arena, of->original)),
                                         .fresh = sv_of(set_title(c->arena, of->fresh)),
                                         .top = of->top,
                                         .models = of->models,
                                         .flags_to_quarantine = c->config->flags_to_quarantine};
    arena_clear(&slot->arena);
    slot->key = 0;
    enum err_code rc = set_adjusted_make(c->db, app_tally(c->app), app_model_scores(c->app), &ask, &slot->arena, &slot->s, &c->err);
    if (rc == OK) {
        slot->key = key;
    }
    return rc;
}

enum err_code adjusted_get(struct ctx *c, const struct adjusted_asked *of, struct set_adjusted *out)
{
    struct adjusted_kept *k = app_adjusted_kept(c->app);
    uint64_t key;
    int i = 0;
    enum err_code rc = key_of(c, of, &key);
    if (rc != OK) {
        return rc;
    }
    pthread_mutex_lock(&k->lock);
    while (i < KEPT_MOST && k->slots[i].key != key) {
        i++;
    }
    if (i == KEPT_MOST) {
        i = (int)(k->next++ % KEPT_MOST);
        rc = make(c, of, key, &k->slots[i]);
    }
    if (rc == OK) {
        copy(c, &k->slots[i], of, out);
    }
    pthread_mutex_unlock(&k->lock);
    return rc;
}
