/* effect.c - the default view before and after a decision. */
#include "live/votes/effect.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/sorted.h"
#include "base/xalloc.h"
#include "domain/votes/histogram.h"
#include "stats/cluster.h"

enum { ROLES = 4 };
static const double alpha = 0.05;

/* ---- choosing ---- */

/* Of each person of the walk: whether the ask names them. */
static bool *people_asked(const struct walk *w, const struct effect_ask *ask)
{
    bool *asked = xcalloc(w->n_people, sizeof *asked);
    for (size_t i = 0; i < w->n_people; i++) {
        asked[i] = ask->anybody || sorted_has_i64(ask->people, ask->n_people, w->people[i]);
    }
    return asked;
}

size_t effect_choose(const struct walk *w, const struct effect_ask *ask, uint8_t *marks)
{
    size_t n = 0;
    bool *asked = people_asked(w, ask);
    memset(marks, EFFECT_STAYS, w->ledger.n);
    for (size_t i = 0; i < w->ledger.n; i++) {
        const struct ledger_answer *a = &w->ledger.answers[i];
        bool chosen = a->out != ask->out &&
                      (ask->campaign == 0 || w->grids[a->grid].campaign == ask->campaign) &&
                      (ask->before_ms == 0 || (int64_t)a->at_s * 1000 < ask->before_ms) &&
                      (asked[w->who[i]] || sorted_has_u32(ask->answers, ask->n_answers, a->id));
        if (chosen) {
            marks[i] = ask->out ? EFFECT_OUT : EFFECT_IN;
            n++;
        }
    }
    free(asked);
    return n;
}

/* ---- before and after ---- */

/* Counters of one side, before or after. */
struct side {
    uint32_t *shown, *selected;        /* per pair */
    uint32_t *k[ROLES], *n[ROLES];     /* per person */
    struct effect_mean *mean;
};

static void side_init(struct side *s, const struct walk *w, struct effect_mean *mean)
{
    s->shown = xcalloc(w->n_pairs, sizeof *s->shown);
    s->selected = xcalloc(w->n_pairs, sizeof *s->selected);
    for (unsigned r = 0; r < ROLES; r++) {
        s->k[r] = xcalloc(w->n_people, sizeof *s->k[r]);
        s->n[r] = xcalloc(w->n_people, sizeof *s->n[r]);
    }
    s->mean = mean;
}

static void side_release(struct side *s)
{
    free(s->shown);
    free(s->selected);
    for (unsigned r = 0; r < ROLES; r++) {
        free(s->k[r]);
        free(s->n[r]);
    }
}

/* Adds (sign 1) or takes back (-1) one answer. */
static void count(struct side *s, const struct walk_grid *g, uint64_t mask, uint32_t who, int sign)
{
    for (unsigned j = 0; j < g->grid->n; j++) {
        uint32_t pair = g->cells[j].pair;
        s->shown[pair] += (uint32_t)sign;
        s->selected[pair] += (uint32_t)((int)(mask >> j & 1) * sign);
    }
    for (unsigned r = 0; r < ROLES; r++) {
        s->n[r][who] += (uint32_t)(__builtin_popcountll(g->by_role[r]) * sign);
        s->k[r][who] += (uint32_t)(__builtin_popcountll(g->by_role[r] & (mask ^ g->other)) * sign);
    }
    s->mean->answers += (uint64_t)(int64_t)sign;
}

static void sum_up(struct side *s, const struct walk *w)
{
    for (size_t i = 0; i < w->n_people; i++) {
        bool any = false;
        for (unsigned r = 0; r < ROLES; r++) {
            any = any || s->n[r][i];
            s->mean->shown[r] += s->n[r][i];
            s->mean->selected[r] += s->k[r][i];
        }
        s->mean->people += any;
    }
    for (unsigned r = 0; r < ROLES; r++) {
        s->mean->ci[r] = cluster_interval(s->k[r], s->n[r], w->n_people, alpha);
    }
}

/* Counts the answers that are in the analysis, or (changes) what the marks add and take back. */
static void each_measured(const struct walk *w, const uint8_t *marks, struct side *s, bool changes)
{
    for (size_t i = 0; i < w->n_grids; i++) {
        struct walk_grid g;
        if (!tally_grid_counted(&w->grids[i])) {
            continue;
        }
        walk_grid(w, i, &g);
        for (size_t k = 0; k < g.n; k++) {
            uint32_t at = g.answers[k];
            const struct ledger_answer *a = &w->ledger.answers[at];
            if (a->surplus) {
                continue;
            }
            if (!changes && !a->out) {
                count(s, &g, a->mask, w->who[at], 1);
            } else if (changes && marks[at] == (a->out ? EFFECT_IN : EFFECT_OUT)) {
                count(s, &g, a->mask, w->who[at], a->out ? 1 : -1);
            }
        }
    }
}

static void copy_side(struct side *to, const struct side *from, const struct walk *w)
{
    memcpy(to->shown, from->shown, w->n_pairs * sizeof *to->shown);
    memcpy(to->selected, from->selected, w->n_pairs * sizeof *to->selected);
    for (unsigned r = 0; r < ROLES; r++) {
        memcpy(to->k[r], from->k[r], w->n_people * sizeof *to->k[r]);
        memcpy(to->n[r], from->n[r], w->n_people * sizeof *to->n[r]);
    }
    to->mean->answers = from->mean->answers;
}

/* After is before and what changes: mostly that is little. */
static void count_both(const struct walk *w, const uint8_t *marks, struct side *before,
                       struct side *after)
{
    each_measured(w, marks, before, false);
    copy_side(after, before, w);
    each_measured(w, marks, after, true);
}

/* ---- images and classes ---- */

/* Coverage of one class; found by the class's id. */
struct coverage {
    struct map_u64 index;
    struct effect_class *classes;
    size_t n, cap;
};

static struct effect_class *class_of(struct coverage *c, uint32_t class_id)
{
    uint32_t at = map_u64_put(&c->index, class_id, (uint32_t)c->n);
    if (at == c->n) {
        xgrow(&c->classes, &c->cap, c->n + 1, sizeof *c->classes);
        c->classes[c->n++] = (struct effect_class){.class_id = class_id};
    }
    return &c->classes[at];
}

static void compare_pair(struct effect *e, unsigned kind, const struct side *before,
                         const struct side *after, uint32_t pair)
{
    bool was = before->shown[pair] >= STATS_LEAST_ANSWERS;
    bool is = after->shown[pair] >= STATS_LEAST_ANSWERS;
    unsigned old_bin = was ? histogram_bin(before->selected[pair], before->shown[pair]) : 0;
    unsigned new_bin = is ? histogram_bin(after->selected[pair], after->shown[pair]) : 0;
    e->bins_before[kind][old_bin] += was;
    e->bins_after[kind][new_bin] += is;
    e->moved[kind] += was && is && old_bin != new_bin;
    e->lost[kind] += was && !is;
    e->gained[kind] += !was && is;
}

static int by_loss(const void *a, const void *b)
{
    const struct effect_class *x = a, *y = b;
    uint32_t lx = x->covered_before - x->covered_after, ly = y->covered_before - y->covered_after;
    return lx != ly ? (lx < ly) - (lx > ly) : (x->class_id > y->class_id) - (x->class_id < y->class_id);
}

static void compare_images(const struct walk *w, const struct side *before,
                           const struct side *after, struct effect *e)
{
    struct coverage c = {.n = 0};
    bool *seen = xcalloc(w->n_pairs, sizeof *seen);
    map_u64_init(&c.index);
    for (size_t i = 0; i < w->n_grids; i++) {
        const struct tally_grid *g = &w->grids[i];
        for (unsigned j = 0; j < g->n && tally_grid_counted(g); j++) {
            uint32_t pair = w->cells[g->first + j].pair;
            uint8_t role = w->role[pair];
            if (seen[pair] || (role != CELL_POSITIVE && role != CELL_CANDIDATE)) {
                continue;
            }
            seen[pair] = true;
            compare_pair(e, role == CELL_CANDIDATE, before, after, pair);
            if (role == CELL_POSITIVE) {
                struct effect_class *k = class_of(&c, g->class);
                k->covered_before += before->shown[pair] >= STATS_LEAST_ANSWERS;
                k->covered_after += after->shown[pair] >= STATS_LEAST_ANSWERS;
            }
        }
    }
    for (size_t i = 0; i < c.n; i++) {
        if (c.classes[i].covered_after < c.classes[i].covered_before) {
            c.classes[e->n_losing++] = c.classes[i];
        }
    }
    if (e->n_losing) {
        qsort(c.classes, e->n_losing, sizeof *c.classes, by_loss);
    }
    e->losing = c.classes;
    map_u64_release(&c.index);
    free(seen);
}

/* ---- who and where ---- */

static struct effect_campaign *campaign_of(struct effect *e, uint32_t campaign)
{
    for (size_t i = 0; i < e->n_campaigns; i++) {
        if (e->campaigns[i].campaign == campaign) {
            return &e->campaigns[i];
        }
    }
    e->campaigns = xrealloc(e->campaigns, (e->n_campaigns + 1) * sizeof *e->campaigns);
    e->campaigns[e->n_campaigns] = (struct effect_campaign){.campaign = campaign};
    return &e->campaigns[e->n_campaigns++];
}

static void count_chosen(const struct walk *w, const uint8_t *marks, struct effect *e)
{
    bool *person = xcalloc(w->n_people, sizeof *person);
    bool *grid = xcalloc(w->n_grids, sizeof *grid);
    for (size_t i = 0; i < w->ledger.n; i++) {
        const struct ledger_answer *a = &w->ledger.answers[i];
        if (marks[i] == EFFECT_STAYS) {
            continue;
        }
        struct effect_campaign *k = campaign_of(e, w->grids[a->grid].campaign);
        k->answers++;
        k->surplus += a->surplus;
        k->grids += !grid[a->grid] && !a->surplus;
        grid[a->grid] = grid[a->grid] || !a->surplus;
        e->answers++;
        e->surplus += a->surplus;
        e->uncounted += !tally_grid_counted(&w->grids[a->grid]);
        e->people += !person[w->who[i]];
        person[w->who[i]] = true;
    }
    free(person);
    free(grid);
}

void effect_compute(const struct walk *w, const uint8_t *marks, struct effect *out)
{
    struct side before, after;
    *out = (struct effect){.cursor = w->cursor};
    side_init(&before, w, &out->before);
    side_init(&after, w, &out->after);
    count_both(w, marks, &before, &after);
    sum_up(&before, w);
    sum_up(&after, w);
    compare_images(w, &before, &after, out);
    count_chosen(w, marks, out);
    side_release(&before);
    side_release(&after);
}

void effect_release(struct effect *e)
{
    free(e->losing);
    free(e->campaigns);
    e->losing = NULL;
    e->campaigns = NULL;
    e->n_losing = e->n_campaigns = 0;
}
