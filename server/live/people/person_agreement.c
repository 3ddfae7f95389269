/* person_agreement.c - one person's answers and how they agree with others. */
#include "live/people/person_agreement.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sorted.h"
#include "base/xalloc.h"
#include "live/core/walk.h"

/* The answers to the person's grids, grid by grid, copied out of the ledger. */
struct shelf {
    uint32_t *of_grid;              /* of every grid: its number here, MAP_NONE: not the person's */
    struct tally_grid *grids;
    struct agreement_key *keys;
    size_t n_grids, cap_grids;
    struct ledger_answer *answers;  /* in the ledger's order */
    size_t n, cap;
};

static void take_grids(struct shelf *s, const struct tally *t, int64_t person)
{
    size_t n_grids, n_cells;
    const struct ledger *l = tally_ledger(t);
    const struct tally_grid *grids = tally_grids(t, &n_grids);
    const struct tally_cell *cells = tally_cells(t, &n_cells);
    s->of_grid = xmalloc((n_grids + 1) * sizeof *s->of_grid);
    memset(s->of_grid, 0xff, (n_grids + 1) * sizeof *s->of_grid);
    for (size_t i = 0; i < l->n; i++) {
        uint32_t g = l->answers[i].grid;
        if (l->answers[i].person == person && s->of_grid[g] == UINT32_MAX) {
            size_t keys = s->cap_grids;
            xgrow(&s->grids, &s->cap_grids, s->n_grids + 1, sizeof *s->grids);
            xgrow(&s->keys, &keys, s->n_grids + 1, sizeof *s->keys);
            s->of_grid[g] = (uint32_t)s->n_grids;
            s->keys[s->n_grids] = walk_key(&grids[g], cells + grids[g].first);
            s->grids[s->n_grids++] = grids[g];
        }
    }
}

static void take_answers(struct shelf *s, const struct tally *t)
{
    const struct ledger *l = tally_ledger(t);
    for (size_t i = 0; i < l->n && s->n_grids; i++) {
        uint32_t at = s->of_grid[l->answers[i].grid];
        if (at != UINT32_MAX) {
            xgrow(&s->answers, &s->cap, s->n + 1, sizeof *s->answers);
            s->answers[s->n] = l->answers[i];
            s->answers[s->n++].grid = at;
        }
    }
}

/* All answers to one grid at a time; the person's own are kept. */
static void compare_grid(const struct shelf *s, const uint32_t *members, size_t n, int64_t person,
                         struct arena *scratch, struct person_answer *own)
{
    struct agreement_answer *in = arena_calloc(scratch, n, sizeof *in);
    struct agreement *agreements = arena_calloc(scratch, n, sizeof *agreements);
    const struct ledger_answer *first = &s->answers[members[0]];
    const struct tally_grid *g = &s->grids[first->grid];
    for (size_t i = 0; i < n; i++) {
        const struct ledger_answer *w = &s->answers[members[i]];
        in[i] = (struct agreement_answer){w->mask, !w->surplus && !w->out && !g->excluded};
    }
    agreement_compute(&s->keys[first->grid], in, n, agreements);
    for (size_t i = 0; i < n; i++) {
        const struct ledger_answer *w = &s->answers[members[i]];
        if (w->person == person) {
            own[members[i]] = (struct person_answer){
                .id = w->id, .at_s = w->at_s, .campaign = g->campaign, .active_ms = w->active_ms,
                .surplus = w->surplus, .out = w->out, .excluded = g->excluded, .agreement = agreements[i]};
        }
    }
}

static void compare_all(const struct shelf *s, int64_t person, struct person_answer *own)
{
    uint32_t *from = xcalloc(s->n_grids + 1, sizeof *from);
    uint32_t *next = xcalloc(s->n_grids + 1, sizeof *next);
    uint32_t *members = xcalloc(s->n, sizeof *members);
    struct arena scratch;
    for (size_t i = 0; i < s->n; i++) {
        from[s->answers[i].grid + 1]++;
    }
    for (size_t g = 0; g < s->n_grids; g++) {
        from[g + 1] += from[g];
        next[g] = from[g];
    }
    for (size_t i = 0; i < s->n; i++) {
        members[next[s->answers[i].grid]++] = (uint32_t)i;
    }
    arena_init(&scratch, 64 << 20);
    for (size_t g = 0; g < s->n_grids; g++) {
        arena_clear(&scratch);
        compare_grid(s, members + from[g], from[g + 1] - from[g], person, &scratch, own);
    }
    arena_release(&scratch);
    free(from);
    free(next);
    free(members);
}

void person_agreement(struct tally *t, int64_t person, struct arena *a, struct person_answer **out,
                   size_t *n)
{
    struct shelf s = {.n = 0};
    tally_read_lock(t);
    take_grids(&s, t, person);
    take_answers(&s, t);
    tally_read_unlock(t);
    struct person_answer *own = xcalloc(s.n, sizeof *own);
    compare_all(&s, person, own);
    *n = 0;
    *out = arena_calloc(a, s.n_grids + 1, sizeof **out); /* nobody answers a grid twice */
    for (size_t i = 0; i < s.n; i++) {
        if (own[i].id) {
            (*out)[(*n)++] = own[i];
        }
    }
    free(own);
    free(s.of_grid);
    free(s.grids);
    free(s.keys);
    free(s.answers);
}

/* ---- lists ---- */

enum person_answer_state person_answer_state(const struct person_answer *w)
{
    return w->out ? PERSON_ANSWER_OUT : w->surplus ? PERSON_ANSWER_SURPLUS : PERSON_ANSWER_STORED;
}

static double sort_key(const struct person_answer *w, enum person_answer_sort sort)
{
    const struct agreement *s = &w->agreement;
    switch (sort) {
    case PERSON_ANSWERS_BY_ACTIVE: return w->active_ms ? (double)w->active_ms : (double)NAN;
    case PERSON_ANSWERS_BY_RELATIVE: return s->compared ? s->relative : (double)NAN;
    case PERSON_ANSWERS_BY_CONTROL: return s->control >= 0 ? s->control : (double)NAN;
    case PERSON_ANSWERS_BY_TIME: break;
    }
    return w->id;
}

struct person_answer *person_answers_find(const struct person_answer *list, size_t n,
                                          const struct person_answers_ask *ask, struct arena *a,
                                          size_t *found)
{
    struct sorted_key *fit = arena_calloc(a, n + 1, sizeof *fit);
    *found = 0;
    for (size_t i = 0; i < n; i++) {
        if (ask->state == PERSON_ANSWER_ANY || person_answer_state(&list[i]) == ask->state) {
            fit[(*found)++] = (struct sorted_key){sort_key(&list[i], ask->sort), n - i};
        }
    }
    sorted_keys(fit, *found, ask->falling);
    struct person_answer *out = arena_calloc(a, *found + 1, sizeof *out);
    for (size_t i = 0; i < *found; i++) {
        out[i] = list[n - fit[i].at];
    }
    return out;
}

struct person_sums person_sum(const struct person_answer *list, size_t n, uint32_t campaign)
{
    struct person_sums sum = {0};
    for (size_t i = 0; i < n; i++) {
        const struct person_answer *w = &list[i];
        if (campaign && w->campaign != campaign) {
            continue;
        }
        sum.n++;
        sum.out += w->out;
        sum.surplus += w->surplus;
        sum.active_ms += w->active_ms;
        if (w->excluded) {
            continue;
        }
        sum.compared += w->agreement.compared;
        sum.agreement += w->agreement.compared ? w->agreement.agreement : 0;
        sum.relative += w->agreement.compared ? w->agreement.relative : 0;
        if (w->out) {
            continue;
        }
        sum.pos_right += w->agreement.pos_right;
        sum.pos += w->agreement.pos;
        sum.neg_right += w->agreement.neg_right;
        sum.neg += w->agreement.neg;
        sum.gold_right += w->agreement.gold_right;
        sum.gold += w->agreement.gold;
    }
    if (sum.compared) {
        sum.agreement /= sum.compared;
        sum.relative /= sum.compared;
    }
    return sum;
}
