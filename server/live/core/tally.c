/* tally.c - the fold over answers. */
#include "live/core/tally.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/sorted.h"
#include "base/xalloc.h"
#include "domain/votes/cell_counts.h"
#include "domain/grids/grid.h"
#include "store/votes/votes.h"
#include "store/work/grids.h"

struct tally {
    pthread_rwlock_t lock;
    struct tally_pair *pairs;
    size_t n_pairs, cap_pairs;
    uint32_t *slots;       /* open addressing, see slot_of; MAP_NONE: free; at most 3/4 full */
    size_t n_slots;
    struct map_u64 heads;  /* class -> newest pair */
    struct tally_grid *grids;
    size_t n_grids, cap_grids;
    struct tally_cell *cells;
    size_t n_cells, cap_cells;
    struct tally_exclusion *exclusions;
    size_t n_exclusions, cap_exclusions;
    struct ledger ledger;
    struct tally_positions *positions; /* a few: one per campaign that has answers */
    size_t n_positions, cap_positions;
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
    return t;
}

/* Back to nothing folded; the plan version goes on. */
static void clear(struct tally *t)
{
    free(t->pairs);
    free(t->slots);
    free(t->grids);
    free(t->cells);
    free(t->exclusions);
    map_u64_release(&t->heads);
    ledger_clear(&t->ledger);
    free(t->positions);
    t->pairs = NULL;
    t->slots = NULL;
    t->cells = NULL;
    t->grids = NULL;
    t->exclusions = NULL;
    t->positions = NULL;
    t->n_pairs = t->cap_pairs = t->n_slots = t->n_grids = t->cap_grids = 0;
    t->n_cells = t->cap_cells = t->n_exclusions = t->cap_exclusions = 0;
    t->n_positions = t->cap_positions = 0;
    t->answers = t->votes = t->surplus = t->selected = 0;
    t->cursor = t->last_grid = 0;
}

void tally_free(struct tally *t)
{
    if (t) {
        clear(t);
        ledger_release(&t->ledger);
        pthread_rwlock_destroy(&t->lock);
        free(t);
    }
}

void tally_use_disk(struct tally *t, const char *dir)
{
    ledger_use_disk(&t->ledger, dir);
}

void tally_rest(struct tally *t)
{
    ledger_rest(&t->ledger);
}

void tally_read_lock(struct tally *t)
{
    pthread_rwlock_rdlock(&t->lock);
}

void tally_read_unlock(struct tally *t)
{
    pthread_rwlock_unlock(&t->lock);
}

/* A slot holds the pair's index and above it bits of its hash, which spare most looks at pairs that
 * only happen to stand in the way. */
static size_t slot_of(const struct tally *t, uint32_t image, uint32_t class_id)
{
    uint64_t hash = hash_u64((uint64_t)class_id << 32 | image);
    uint32_t tag = (uint32_t)(hash >> 32) & ~TALLY_MOST;
    for (size_t i = hash & (t->n_slots - 1);; i = (i + 1) & (t->n_slots - 1)) {
        uint32_t slot = t->slots[i];
        if (slot == MAP_NONE) {
            return i;
        }
        const struct tally_pair *p = &t->pairs[slot & TALLY_MOST];
        if ((slot & ~TALLY_MOST) == tag && p->image == image && p->class == class_id) {
            return i;
        }
    }
}

static uint32_t slot_for(const struct tally_pair *p, uint32_t at)
{
    uint64_t hash = hash_u64((uint64_t)p->class << 32 | p->image);
    return ((uint32_t)(hash >> 32) & ~TALLY_MOST) | at;
}

/* Every pair is another one: a free slot will do, and what stands in the others need not be known. */
static void grow_slots(struct tally *t)
{
    free(t->slots);
    t->n_slots = t->n_slots ? t->n_slots * 2 : 1024;
    t->slots = xmalloc(t->n_slots * sizeof *t->slots);
    memset(t->slots, 0xff, t->n_slots * sizeof *t->slots);
    for (size_t i = 0; i < t->n_pairs; i++) {
        const struct tally_pair *p = &t->pairs[i];
        size_t at = hash_u64((uint64_t)p->class << 32 | p->image) & (t->n_slots - 1);
        while (t->slots[at] != MAP_NONE) {
            at = (at + 1) & (t->n_slots - 1);
        }
        t->slots[at] = slot_for(p, (uint32_t)i);
    }
}

/* The pair stands on a grid that is not about labels: what it is there holds. */
static void settle(struct tally_pair *p, enum cell_role role, bool expected)
{
    p->role = (unsigned)role & 3;
    p->other = role == CELL_GOLD && !expected;
    p->labels = false;
}

static uint32_t pair_of(struct tally *t, uint32_t image, const struct tally_grid *g, enum cell_role role,
                        bool expected)
{
    uint32_t class_id = g->class;
    if (t->n_pairs * 4 >= t->n_slots * 3) {
        grow_slots(t);
    }
    size_t slot = slot_of(t, image, class_id);
    if (t->slots[slot] == MAP_NONE) {
        xgrow(&t->pairs, &t->cap_pairs, t->n_pairs + 1, sizeof *t->pairs);
        uint32_t at = (uint32_t)t->n_pairs++;
        /* The chain of a class grows at its second place, so that its head need not be stored
         * again: head -> newest -> ... -> oldest but one. */
        uint32_t head = map_u64_put(&t->heads, class_id, at);
        t->pairs[at] = (struct tally_pair){.image = image,
                                           .class = class_id & TALLY_CLASS_MOST,
                                           .role = (unsigned)role & 3,
                                           .other = role == CELL_GOLD && !expected,
                                           .labels = g->labels,
                                           .next = MAP_NONE};
        if (head != at) {
            t->pairs[at].next = t->pairs[head].next;
            t->pairs[head].next = at;
        }
        t->slots[slot] = slot_for(&t->pairs[at], at);
    }
    uint32_t at = t->slots[slot] & TALLY_MOST;
    if (t->pairs[at].labels && !g->labels) {
        settle(&t->pairs[at], role, expected);
    }
    return at;
}

static enum err_code add_grid(void *arg, const struct grid_row *row, struct err *err)
{
    struct tally *t = arg;
    if (row->id > UINT32_MAX || row->class_id > TALLY_CLASS_MOST || row->campaign > UINT32_MAX ||
        row->options > GRID_OPTIONS) {
        return err_set(err, ERR_LIMIT, "grid %lld is beyond what the counters hold",
                       (long long)row->id);
    }
    xgrow(&t->grids, &t->cap_grids, t->n_grids + 1, sizeof *t->grids);
    t->grids[t->n_grids++] = (struct tally_grid){
        .id = (uint32_t)row->id,
        .campaign = (uint32_t)row->campaign,
        .class = (uint32_t)row->class_id,
        .first = (uint32_t)t->n_cells,
        .chosen = row->chosen,
        .labels = row->labels,
        .excluded = row->excluded,
        .options = (uint8_t)row->options,
        .known = (uint32_t)row->known,
    };
    t->last_grid = row->id;
    return OK;
}

static enum err_code add_cell(void *arg, int64_t image, enum cell_role role, bool expected,
                              struct err *err)
{
    struct tally *t = arg;
    struct tally_grid *g = &t->grids[t->n_grids - 1];
    if (image > UINT32_MAX || t->n_cells >= UINT32_MAX || t->n_pairs >= TALLY_MOST) {
        return err_set(err, ERR_LIMIT, "image %lld is beyond what the counters hold",
                       (long long)image);
    }
    if (g->options) {
        g->image = (uint32_t)image;
        return OK;
    }
    xgrow(&t->cells, &t->cap_cells, t->n_cells + 1, sizeof *t->cells);
    t->cells[t->n_cells++] = (struct tally_cell){
        .pair = pair_of(t, (uint32_t)image, g, role, expected) & TALLY_MOST,
        .role = (unsigned)role & 3,
        .expected = expected && role == CELL_GOLD,
    };
    g->n++;
    return OK;
}

static struct tally_grid *find_grid(const struct tally *t, int64_t id)
{
    if (id < 0 || id > UINT32_MAX) {
        return NULL;
    }
    size_t at = sorted_u32(t->grids, t->n_grids, sizeof *t->grids, offsetof(struct tally_grid, id),
                           (uint32_t)id);
    return at < t->n_grids && t->grids[at].id == id ? &t->grids[at] : NULL;
}

/* Grids have their present state already: these rows say what it was before. */
static enum err_code add_exclusion(void *arg, const struct grid_exclusion *x, struct err *err)
{
    struct tally *t = arg;
    const struct tally_grid *g = find_grid(t, x->grid);
    if (!g || x->id > UINT32_MAX) {
        return err_set(err, ERR_BUG, "exclusion %lld is about grid %lld, which does not exist",
                       (long long)x->id, (long long)x->grid);
    }
    xgrow(&t->exclusions, &t->cap_exclusions, t->n_exclusions + 1, sizeof *t->exclusions);
    t->exclusions[t->n_exclusions++] = (struct tally_exclusion){
        (uint32_t)x->id, (uint32_t)(g - t->grids), x->excluded};
    return OK;
}

/* Adds (sign 1) or takes back (sign -1) one answer's 48 votes. */
static void count_votes(struct tally *t, const struct tally_grid *g, uint64_t mask, int sign)
{
    for (unsigned i = 0; i < g->n; i++) {
        struct tally_pair *p = &t->pairs[t->cells[g->first + i].pair];
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

static struct tally_positions *positions_of(struct tally *t, uint32_t campaign)
{
    for (size_t i = 0; i < t->n_positions; i++) {
        if (t->positions[i].campaign == campaign) {
            return &t->positions[i];
        }
    }
    xgrow(&t->positions, &t->cap_positions, t->n_positions + 1, sizeof *t->positions);
    t->positions[t->n_positions] = (struct tally_positions){.campaign = campaign};
    return &t->positions[t->n_positions++];
}

/* The same answer by where its candidates were shown; the candidates by shown position. */
static uint64_t count_positions(struct tally_positions *p, const struct tally *t,
                                const struct tally_grid *g, uint64_t mask,
                                const uint8_t order[GRID_CELLS], int sign)
{
    uint64_t candidates = 0;
    for (unsigned shown = 0; shown < tally_bits(g); shown++) {
        unsigned planned = order[shown];
        if (g->options ? !g->known : t->cells[g->first + planned].role == CELL_CANDIDATE) {
            p->shown[shown] += (uint64_t)(int64_t)sign;
            p->selected[shown] += (uint64_t)((int64_t)(mask >> planned & 1) * sign);
            candidates |= (uint64_t)1 << shown;
        }
    }
    return candidates;
}

/* An answer of a block's own: see struct tally_positions. */
static void count_block(struct tally_positions *p, unsigned n, uint64_t candidates, uint64_t mask,
                        const uint8_t order[GRID_CELLS], int sign)
{
    unsigned of = cells_in(candidates), selected = 0;
    for (unsigned shown = 0; shown < n; shown++) {
        selected += (unsigned)(candidates >> shown & mask >> order[shown] & 1);
    }
    p->shuffled += (uint32_t)sign;
    if (selected == 0 || selected == of) {
        return;
    }
    int64_t one = INT64_C(1) << TALLY_POINT, share = one * selected / of;
    for (unsigned shown = 0; shown < n; shown++) {
        if (candidates >> shown & 1) {
            p->excess[shown] += sign * ((mask >> order[shown] & 1 ? one : 0) - share);
        }
    }
    uint64_t squares = (uint64_t)one * selected * (of - selected) / of;
    p->squares[n] += sign > 0 ? squares : -squares;
}

/* An answer that is not surplus comes into the analysis (sign 1) or leaves it (sign -1). */
static void count(struct tally *t, const struct ledger_answer *w, bool has_seed, uint64_t seed,
                  int sign)
{
    const struct tally_grid *g = &t->grids[w->grid];
    uint8_t order[GRID_CELLS];
    if (tally_grid_counted(g)) {
        count_votes(t, g, w->mask, sign);
    }
    if (!g->excluded) {
        grid_order(seed, has_seed, tally_bits(g), order);
        struct tally_positions *p = positions_of(t, g->campaign);
        uint64_t candidates = count_positions(p, t, g, w->mask, order, sign);
        if (has_seed) {
            count_block(p, tally_bits(g), candidates, w->mask, order, sign);
        }
    }
}

static enum err_code add_answer(void *arg, const struct vote_answer *w, struct err *err)
{
    struct tally *t = arg;
    struct tally_grid *g = find_grid(t, w->grid);
    if (!g) {
        return err_set(err, ERR_BUG, "answer %lld belongs to grid %lld, which does not exist",
                       (long long)w->id, (long long)w->grid);
    }
    const struct ledger_answer *stored = NULL;
    enum err_code rc = ledger_add(&t->ledger, w, (uint32_t)(g - t->grids), &stored, err);
    if (rc != OK) {
        return rc;
    }
    if (w->surplus) {
        t->surplus++;
        return OK;
    }
    t->answers++;
    g->answers++;
    count(t, stored, w->has_seed, w->seed, 1);
    return OK;
}

static enum err_code add_state(void *arg, const struct vote_state *s, struct err *err)
{
    struct tally *t = arg;
    const struct ledger_answer *turned = NULL;
    enum err_code rc = ledger_turn(&t->ledger, s, &turned, err);
    if (rc == OK && turned && !turned->surplus) {
        count(t, turned, s->has_seed, s->seed, s->out ? -1 : 1);
    }
    return rc;
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
    bool first = t->cursor == 0;
    t->shown_version += news.shown_changed;
    if (news.plan_changed || first) {
        t->plan_version++;
        rc = grids_each(db, t->last_grid, add_grid, add_cell, t, err);
    }
    if (rc == OK && first) { /* a later one clears everything */
        rc = grids_exclusions(db, add_exclusion, t, err);
    }
    if (rc == OK) {
        rc = votes_answers(db, t->cursor, news.last, add_answer, t, err);
        ledger_flush(&t->ledger);
    }
    rc = rc == OK ? votes_states(db, t->cursor, news.last, add_state, t, err) : rc;
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
    if (t->n_slots == 0 || image > UINT32_MAX || class_id > TALLY_CLASS_MOST) {
        return NULL;
    }
    uint32_t slot = t->slots[slot_of(t, (uint32_t)image, (uint32_t)class_id)];
    return slot == MAP_NONE ? NULL : &t->pairs[slot & TALLY_MOST];
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

const struct tally_cell *tally_cells(const struct tally *t, size_t *n)
{
    *n = t->n_cells;
    return t->cells;
}

const struct tally_exclusion *tally_exclusions(const struct tally *t, size_t *n)
{
    *n = t->n_exclusions;
    return t->exclusions;
}

const struct ledger *tally_ledger(const struct tally *t)
{
    return &t->ledger;
}

const struct tally_positions *tally_positions(const struct tally *t, size_t *n)
{
    *n = t->n_positions;
    return t->positions;
}

uint32_t tally_cell_image(const struct tally *t, const struct tally_grid *g, unsigned position)
{
    BUG_IF(position >= tally_images(g));
    return g->options ? g->image : t->pairs[t->cells[g->first + position].pair].image;
}

size_t tally_memory(const struct tally *t)
{
    return t->cap_pairs * sizeof *t->pairs + t->n_slots * sizeof *t->slots +
           t->cap_grids * sizeof *t->grids + t->cap_cells * sizeof *t->cells +
           t->heads.cap * (sizeof(uint64_t) + sizeof(uint32_t)) +
           (t->ledger.on_disk ? 0 : t->ledger.cap * sizeof *t->ledger.answers) +
           t->cap_exclusions * sizeof *t->exclusions + t->ledger.cap_flips * sizeof *t->ledger.flips +
           t->cap_positions * sizeof *t->positions;
}
