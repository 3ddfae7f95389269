/* tally.c - the fold over answers. */
#include "live/tally.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/xalloc.h"
#include "domain/grid.h"
#include "store/grids.h"
#include "store/votes.h"

struct tally {
    pthread_rwlock_t lock;
    struct tally_pair *pairs;
    size_t n_pairs, cap_pairs;
    uint32_t *slots;       /* open addressing: index into pairs, MAP_NONE free; at most 3/4 full */
    size_t n_slots;
    struct map_u64 heads;  /* class -> newest pair */
    struct tally_grid *grids;
    size_t n_grids, cap_grids;
    uint32_t *cells;       /* index into pairs */
    size_t n_cells, cap_cells;
    struct map_u64 out;    /* answers once taken out of the analysis -> 1 out, 2 in again */
    uint64_t answers, votes, surplus, selected;
    int64_t cursor, last_grid;
    uint64_t plan_version, shown_version;
};

struct tally *tally_new(void)
{
    struct tally *t = xcalloc(1, sizeof *t);
    pthread_rwlockattr_t attr;
    pthread_rwlockattr_init(&attr);
    /* Many readers must not keep the writer thread, and so every client, waiting. */
    pthread_rwlockattr_setkind_np(&attr, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlock_init(&t->lock, &attr);
    pthread_rwlockattr_destroy(&attr);
    map_u64_init(&t->heads);
    map_u64_init(&t->out);
    return t;
}

/* Back to nothing folded; the plan version goes on. */
static void clear(struct tally *t)
{
    free(t->pairs);
    free(t->slots);
    free(t->grids);
    free(t->cells);
    map_u64_release(&t->heads);
    map_u64_release(&t->out);
    t->pairs = NULL;
    t->slots = t->cells = NULL;
    t->grids = NULL;
    t->n_pairs = t->cap_pairs = t->n_slots = t->n_grids = t->cap_grids = 0;
    t->n_cells = t->cap_cells = 0;
    t->answers = t->votes = t->surplus = t->selected = 0;
    t->cursor = t->last_grid = 0;
}

void tally_free(struct tally *t)
{
    if (t) {
        clear(t);
        pthread_rwlock_destroy(&t->lock);
        free(t);
    }
}

void tally_read_lock(struct tally *t)
{
    pthread_rwlock_rdlock(&t->lock);
}

void tally_read_unlock(struct tally *t)
{
    pthread_rwlock_unlock(&t->lock);
}

static size_t slot_of(const struct tally *t, uint32_t image, uint32_t class_id)
{
    size_t i = hash_u64((uint64_t)class_id << 32 | image) & (t->n_slots - 1);
    while (t->slots[i] != MAP_NONE && !(t->pairs[t->slots[i]].image == image &&
                                        t->pairs[t->slots[i]].class == class_id)) {
        i = (i + 1) & (t->n_slots - 1);
    }
    return i;
}

static void grow_slots(struct tally *t)
{
    free(t->slots);
    t->n_slots = t->n_slots ? t->n_slots * 2 : 1024;
    t->slots = xmalloc(t->n_slots * sizeof *t->slots);
    memset(t->slots, 0xff, t->n_slots * sizeof *t->slots);
    for (size_t i = 0; i < t->n_pairs; i++) {
        t->slots[slot_of(t, t->pairs[i].image, t->pairs[i].class)] = (uint32_t)i;
    }
}

static uint32_t pair_of(struct tally *t, uint32_t image, uint32_t class_id, enum cell_role role)
{
    if (t->n_pairs * 4 >= t->n_slots * 3) {
        grow_slots(t);
    }
    size_t slot = slot_of(t, image, class_id);
    if (t->slots[slot] == MAP_NONE) {
        xgrow(&t->pairs, &t->cap_pairs, t->n_pairs + 1, sizeof *t->pairs);
        BUG_IF(t->n_pairs >= MAP_NONE);
        uint32_t at = (uint32_t)t->n_pairs++;
        /* The chain of a class grows at its second place, so that its head need not be stored
         * anew: head -> newest -> ... -> oldest but one. */
        uint32_t head = map_u64_put(&t->heads, class_id, at);
        t->pairs[at] = (struct tally_pair){
            .image = image, .class = class_id, .next = MAP_NONE, .role = (uint32_t)role};
        if (head != at) {
            t->pairs[at].next = t->pairs[head].next;
            t->pairs[head].next = at;
        }
        t->slots[slot] = at;
    }
    return t->slots[slot];
}

static enum err_code add_grid(void *arg, const struct grid_row *row, struct err *err)
{
    struct tally *t = arg;
    if (row->id > UINT32_MAX || row->class_id > UINT32_MAX || row->campaign > UINT32_MAX) {
        return err_set(err, ERR_LIMIT, "grid %lld is beyond what the counters hold",
                       (long long)row->id);
    }
    xgrow(&t->grids, &t->cap_grids, t->n_grids + 1, sizeof *t->grids);
    t->grids[t->n_grids++] = (struct tally_grid){
        .id = (uint32_t)row->id,
        .campaign = (uint32_t)row->campaign,
        .class = (uint32_t)row->class_id,
        .first = (uint32_t)t->n_cells,
        .counted = row->counted,
    };
    t->last_grid = row->id;
    return OK;
}

static enum err_code add_cell(void *arg, int64_t image, enum cell_role role, struct err *err)
{
    struct tally *t = arg;
    struct tally_grid *g = &t->grids[t->n_grids - 1];
    if (image > UINT32_MAX || t->n_cells >= UINT32_MAX) {
        return err_set(err, ERR_LIMIT, "image %lld is beyond what the counters hold",
                       (long long)image);
    }
    xgrow(&t->cells, &t->cap_cells, t->n_cells + 1, sizeof *t->cells);
    t->cells[t->n_cells++] = pair_of(t, (uint32_t)image, g->class, role);
    g->n++;
    return OK;
}

static struct tally_grid *find_grid(const struct tally *t, int64_t id)
{
    size_t lo = 0, hi = t->n_grids;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (t->grids[mid].id < id) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo < t->n_grids && t->grids[lo].id == id ? &t->grids[lo] : NULL;
}

/* Adds (sign 1) or takes back (sign -1) one answer's 48 votes. */
static void count_votes(struct tally *t, const struct tally_grid *g, uint64_t mask, int sign)
{
    for (unsigned i = 0; i < g->n; i++) {
        struct tally_pair *p = &t->pairs[t->cells[g->first + i]];
        p->shown += (uint32_t)sign;
        p->selected += (uint32_t)((int)(mask >> i & 1) * sign);
    }
    unsigned ticks = (unsigned)__builtin_popcountll(mask);
    if (sign > 0) {
        t->votes += g->n;
        t->selected += ticks;
    } else {
        t->votes -= g->n;
        t->selected -= ticks;
    }
}

static enum err_code add_answer(void *arg, const struct vote_answer *w, struct err *err)
{
    struct tally *t = arg;
    struct tally_grid *g = find_grid(t, w->grid);
    if (!g) {
        return err_set(err, ERR_BUG, "answer %lld belongs to grid %lld, which is not there",
                       (long long)w->id, (long long)w->grid);
    }
    if (w->surplus) {
        t->surplus++;
        return OK;
    }
    t->answers++;
    g->answers++;
    if (g->counted) {
        count_votes(t, g, w->mask, 1);
    }
    return OK;
}

static enum err_code add_state(void *arg, const struct vote_state *s, struct err *err)
{
    (void)err;
    struct tally *t = arg;
    const struct tally_grid *g = find_grid(t, s->grid);
    uint32_t before = map_u64_get(&t->out, (uint64_t)s->answer);
    bool was_out = before == 1;
    if (was_out == s->out) {
        return OK;
    }
    if (before == MAP_NONE) {
        map_u64_put(&t->out, (uint64_t)s->answer, 1);
    } else {
        map_u64_set(&t->out, (uint64_t)s->answer, s->out ? 1 : 2);
    }
    if (g && g->counted && !s->surplus) {
        count_votes(t, g, s->mask, s->out ? -1 : 1);
    }
    return OK;
}

static enum err_code fold_locked(struct tally *t, struct db *db, struct err *err)
{
    struct votes_news news;
    enum err_code rc = votes_news(db, t->cursor, &news, err);
    if (rc != OK || news.last == t->cursor) {
        return rc;
    }
    if (news.view_changed && t->cursor > 0) {
        clear(t);
    }
    t->shown_version += news.shown_changed;
    if (news.plan_changed || t->cursor == 0) {
        t->plan_version++;
        rc = grids_each(db, t->last_grid, add_grid, add_cell, t, err);
    }
    if (rc == OK) {
        rc = votes_answers(db, t->cursor, news.last, add_answer, t, err);
    }
    if (rc == OK) {
        rc = votes_states(db, t->cursor, news.last, add_state, t, err);
    }
    if (rc == OK) {
        t->cursor = news.last;
    } else {
        clear(t); /* half a fold is no truth: the next one starts from nothing */
    }
    return rc;
}

enum err_code tally_fold(struct tally *t, struct db *db, struct err *err)
{
    enum err_code rc = db_snapshot(db, err);
    if (rc != OK) {
        return rc;
    }
    pthread_rwlock_wrlock(&t->lock);
    rc = fold_locked(t, db, err);
    pthread_rwlock_unlock(&t->lock);
    db_snapshot_end(db);
    return rc;
}

void tally_totals(const struct tally *t, struct tally_totals *out)
{
    *out = (struct tally_totals){
        .pairs = t->n_pairs,
        .grids = t->n_grids,
        .answers = t->answers,
        .votes = t->votes,
        .surplus = t->surplus,
        .selected = t->selected,
        .cursor = t->cursor,
        .plan_version = t->plan_version,
        .shown_version = t->shown_version,
    };
}

const struct tally_pair *tally_find(const struct tally *t, int64_t image, int64_t class_id)
{
    if (t->n_slots == 0 || image > UINT32_MAX || class_id > UINT32_MAX) {
        return NULL;
    }
    uint32_t at = t->slots[slot_of(t, (uint32_t)image, (uint32_t)class_id)];
    return tally_at(t, at);
}

const struct tally_pair *tally_class(const struct tally *t, int64_t class_id)
{
    return tally_at(t, map_u64_get(&t->heads, (uint64_t)class_id));
}

const struct tally_pair *tally_at(const struct tally *t, uint32_t index)
{
    return index == MAP_NONE ? NULL : &t->pairs[index];
}

const struct tally_pair *tally_pairs(const struct tally *t, size_t *n)
{
    *n = t->n_pairs;
    return t->pairs;
}

const struct tally_grid *tally_grids(const struct tally *t, size_t *n)
{
    *n = t->n_grids;
    return t->grids;
}

const struct tally_grid *tally_grid(const struct tally *t, int64_t grid)
{
    return find_grid(t, grid);
}

uint32_t tally_cell_image(const struct tally *t, const struct tally_grid *g, unsigned position)
{
    BUG_IF(position >= g->n);
    return t->pairs[t->cells[g->first + position]].image;
}

size_t tally_memory(const struct tally *t)
{
    return t->cap_pairs * sizeof *t->pairs + t->n_slots * sizeof *t->slots +
           t->cap_grids * sizeof *t->grids + t->cap_cells * sizeof *t->cells +
           (t->heads.cap + t->out.cap) * (sizeof(uint64_t) + sizeof(uint32_t));
}
