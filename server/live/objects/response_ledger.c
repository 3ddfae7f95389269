/* response_ledger.c - the fold. Answers come with their present state; decisions are read too, for how it was before. */
#include "live/objects/response_ledger.h"

#include <stdlib.h>
#include <string.h>

#include "base/sorted.h"
#include "base/xalloc.h"
#include "store/votes/votes.h"
#include "store/work/responses.h"

enum { OPTIONS_MEMORY = 1 << 28 };

void response_ledger_release(struct response_ledger *l)
{
    if (l->mapped) {
        map_u64_release(&l->by_grid);
    }
    free(l->tasks);
    free(l->options);
    free(l->rows);
    free(l->flips);
    free(l->exclusions);
    *l = (struct response_ledger){.version = l->version + 1};
}

static void happened(struct response_ledger *l, int64_t id)
{
    l->newest = id > l->newest ? id : l->newest;
    l->version++;
}

static enum err_code too_large(struct err *err)
{
    return err_rule(err, ERR_LIMIT, "responses", "A number of the answers to CLASSIFY tasks is beyond what 32 bits hold.");
}

static uint32_t task_of(struct response_ledger *l, const struct work_response *w)
{
    uint32_t at = map_u64_put(&l->by_grid, (uint64_t)w->grid, (uint32_t)l->n_tasks);
    if (at < l->n_tasks) {
        return at;
    }
    xgrow(&l->tasks, &l->cap_tasks, l->n_tasks + 1, sizeof *l->tasks);
    l->tasks[l->n_tasks++] = (struct response_task){
        .id = (uint32_t)w->grid, .campaign = (uint32_t)w->campaign, .image = (uint32_t)w->image, .class_id = (uint32_t)w->class_id,
        .first = (uint32_t)l->n_options, .known = w->options->known, .n = (uint8_t)w->options->n,
        .check = w->role == CELL_GOLD, .none_offered = w->none_offered, .excluded = w->excluded};
    for (unsigned i = 0; i < w->options->n; i++) {
        xgrow(&l->options, &l->cap_options, l->n_options + 1, sizeof *l->options);
        l->options[l->n_options++] = (uint32_t)w->options->class_id[i];
    }
    return at;
}

static enum err_code add_row(void *arg, const struct work_response *w, struct err *err)
{
    struct response_ledger *l = arg;
    if (w->id > UINT32_MAX || w->grid > UINT32_MAX || w->image > UINT32_MAX || w->person > UINT32_MAX) {
        return too_large(err);
    }
    xgrow(&l->rows, &l->cap, l->n + 1, sizeof *l->rows);
    l->rows[l->n++] = (struct response_row){
        .seed = (uint64_t)w->seed, .id = (uint32_t)w->id, .task = task_of(l, w), .person = (uint32_t)w->person,
        .at_s = (uint32_t)(w->at / 1000), .active_ms = (uint32_t)w->active_ms, .mask = (uint32_t)w->mask,
        .main = (int16_t)w->main, .shuffled = w->shuffled, .surplus = w->surplus};
    happened(l, w->id);
    return OK;
}

static void add_flip(struct response_flip **list, size_t *cap, size_t *n, int64_t id, size_t at, bool out)
{
    xgrow(list, cap, *n + 1, sizeof **list);
    (*list)[(*n)++] = (struct response_flip){(uint32_t)id, (uint32_t)at, out};
}

/* Decisions about answers of the other task are passed over. */
static enum err_code add_state(void *arg, const struct vote_state *s, struct err *err)
{
    struct response_ledger *l = arg;
    if (s->id > UINT32_MAX || s->answer > UINT32_MAX) {
        return too_large(err);
    }
    size_t at = sorted_u32(l->rows, l->n, sizeof *l->rows, offsetof(struct response_row, id), (uint32_t)s->answer);
    if (at < l->n && l->rows[at].id == s->answer && l->rows[at].out != s->out) {
        l->rows[at].out = s->out;
        add_flip(&l->flips, &l->cap_flips, &l->n_flips, s->id, at, s->out);
        happened(l, s->id);
    }
    return OK;
}

static enum err_code add_exclusion(void *arg, const struct grid_exclusion *x, struct err *err)
{
    struct response_ledger *l = arg;
    uint32_t at = map_u64_get(&l->by_grid, (uint64_t)x->grid);
    if (x->id > UINT32_MAX) {
        return too_large(err);
    }
    if (at != MAP_NONE) {
        add_flip(&l->exclusions, &l->cap_exclusions, &l->n_exclusions, x->id, at, x->excluded);
        happened(l, x->id);
    }
    return OK;
}

static enum err_code fold_rows(struct response_ledger *l, struct db *db, int64_t last, struct err *err)
{
    struct arena a;
    const struct responses_of of = {.after = l->cursor, .until = last};
    arena_init(&a, OPTIONS_MEMORY);
    enum err_code rc = responses_each(db, &of, &a, add_row, l, err);
    rc = rc == OK && l->n ? votes_states(db, l->cursor, last, add_state, l, err) : rc;
    arena_release(&a);
    return rc;
}

/* Exclusions are read with the first answers: a later one clears everything. */
static enum err_code fold_news(struct response_ledger *l, struct db *db, struct err *err)
{
    struct votes_news news;
    enum err_code rc = votes_news(db, l->cursor, &news, err);
    if (rc != OK || news.last == l->cursor) {
        return rc;
    }
    if (news.view_changed && l->cursor > 0) {
        response_ledger_release(l);
    }
    bool first = l->cursor == 0;
    if (!l->mapped) {
        map_u64_init(&l->by_grid);
        l->mapped = true;
    }
    rc = fold_rows(l, db, news.last, err);
    rc = rc == OK && first ? grids_exclusions(db, add_exclusion, l, err) : rc;
    l->cursor = news.last;
    return rc;
}

enum err_code response_ledger_fold(struct response_ledger *l, struct db *db, struct err *err)
{
    enum err_code rc = db_snapshot(db, err);
    if (rc != OK) {
        return rc;
    }
    rc = fold_news(l, db, err);
    db_snapshot_end(db);
    if (rc != OK) {
        response_ledger_release(l);
    }
    return rc;
}

/* Takes what came after the event back, from the end. */
static void take_back(const struct response_flip *list, size_t n, int64_t as_of, bool *state)
{
    for (size_t i = n; i-- > 0 && list[i].id > as_of;) {
        state[list[i].at] = !list[i].out;
    }
}

void response_ledger_states(const struct response_ledger *l, int64_t as_of, bool *out, bool *excluded)
{
    for (size_t i = 0; i < l->n; i++) {
        out[i] = l->rows[i].out;
    }
    for (size_t i = 0; i < l->n_tasks; i++) {
        excluded[i] = l->tasks[i].excluded;
    }
    if (as_of > 0) {
        take_back(l->flips, l->n_flips, as_of, out);
        take_back(l->exclusions, l->n_exclusions, as_of, excluded);
    }
}
