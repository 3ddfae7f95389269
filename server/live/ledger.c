/* ledger.c - every answer in memory, in the order of its event. Called by live/tally.c, which holds
 * the lock; read by live/stats_make.c and live/view_count.c. Knows nothing of pairs and grids. */
#include "live/ledger.h"

#include <stdlib.h>

#include "base/xalloc.h"

void ledger_release(struct ledger *l)
{
    free(l->answers);
    free(l->flips);
    *l = (struct ledger){0};
}

static uint32_t fit(int64_t v)
{
    return v < 0 ? 0 : v > UINT32_MAX ? UINT32_MAX : (uint32_t)v;
}

enum err_code ledger_add(struct ledger *l, const struct vote_answer *w, uint32_t grid,
                         const struct ledger_answer **stored, struct err *err)
{
    if (w->id > UINT32_MAX || w->person > UINT32_MAX) {
        return err_set(err, ERR_LIMIT, "answer %lld is beyond what the counters hold",
                       (long long)w->id);
    }
    if (l->n && w->id <= l->answers[l->n - 1].id) {
        return err_set(err, ERR_BUG, "answer %lld comes after a newer one", (long long)w->id);
    }
    xgrow(&l->answers, &l->cap, l->n + 1, sizeof *l->answers);
    l->answers[l->n] = (struct ledger_answer){
        .mask = w->mask,
        .id = (uint32_t)w->id,
        .grid = grid,
        .person = (uint32_t)w->person,
        .at_s = fit(w->at / 1000),
        .active_ms = fit(w->active_ms),
        .surplus = w->surplus,
    };
    *stored = &l->answers[l->n++];
    return OK;
}

enum err_code ledger_turn(struct ledger *l, const struct vote_state *s,
                          const struct ledger_answer **turned, struct err *err)
{
    size_t at = ledger_find(l, s->answer);
    *turned = NULL;
    if (at == l->n || s->id > UINT32_MAX) {
        return err_set(err, ERR_BUG, "decision %lld is about answer %lld, which is not there",
                       (long long)s->id, (long long)s->answer);
    }
    struct ledger_answer *w = &l->answers[at];
    if (w->out == s->out) {
        return OK;
    }
    xgrow(&l->flips, &l->cap_flips, l->n_flips + 1, sizeof *l->flips);
    l->flips[l->n_flips++] = (struct ledger_flip){(uint32_t)s->id, (uint32_t)at, s->out};
    w->out = s->out;
    *turned = w;
    return OK;
}

size_t ledger_until(const struct ledger *l, int64_t as_of)
{
    size_t lo = 0, hi = l->n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (l->answers[mid].id <= as_of) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo;
}

size_t ledger_find(const struct ledger *l, int64_t answer)
{
    size_t n = ledger_until(l, answer);
    return n > 0 && l->answers[n - 1].id == answer ? n - 1 : l->n;
}
