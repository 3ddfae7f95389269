/* review_agreement.c - first verdicts as rows of a matrix: labels by who judged them. */
#include "experts/review_agreement.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/map.h"
#include "base/xalloc.h"
#include "stats/cluster.h"
#include "stats/kappa.h"
#include "stats/raters.h"
#include "stats/shrink.h"
#include "store/classes/classes.h"

#define ALPHA 0.05

enum { CATEGORIES = VERDICTS, NOBODY = UINT32_MAX };

struct person {
    int64_t account;
    struct sv name;
};
struct item {                 /* a label of an image */
    int64_t position, class_id;
    size_t from, n;           /* its judgements */
};
struct judgement {
    uint32_t person, look;    /* index of the person, and of the look among the first ones */
    unsigned char verdict;
};
struct work {
    struct db *db;
    const struct label_review_row *r;
    enum agreement_about about;
    struct review_agreement *out;
    struct arena *a;
    struct err *err;
    struct person *people;
    size_t n_people;
    struct label_first *firsts;
    size_t n_firsts;
    struct item *items;       /* by position */
    struct judgement *said;
    size_t n_items, most;     /* most: judgements of one item */
};

/* ---- what is read ---- */

static struct sv name_of(struct work *w, struct sv login, size_t *forgotten)
{
    return login.n ? login : sv_of(arena_printf(w->a, "forgotten %zu", ++*forgotten));
}

/* Whether an image counts, where a suggestion is shown or not. */
static bool counts(const struct work *w, bool shown)
{
    return !shown || w->about == AGREEMENT_ALL;
}

static enum err_code read_people(struct work *w)
{
    struct label_reviewer_row *rows;
    size_t n = 0, forgotten = 0;
    enum err_code rc = label_reviewers_list(w->db, w->r->id, w->a, &rows, &n, w->err);
    w->people = arena_calloc(w->a, n + 1, sizeof *w->people);
    for (size_t i = 0; i < n && rc == OK; i++) {
        w->people[w->n_people++] = (struct person){rows[i].account, name_of(w, rows[i].login, &forgotten)};
    }
    w->people[w->n_people++] = (struct person){0, SV("imported")};
    return rc;
}

static uint32_t person_of(const struct work *w, int64_t account)
{
    for (size_t i = 0; i < w->n_people; i++) {
        if (w->people[i].account == account) {
            return (uint32_t)i;
        }
    }
    return NOBODY;
}

/* Those at images that count. */
static enum err_code read_firsts(struct work *w)
{
    size_t n = 0;
    enum err_code rc = label_review_firsts(w->db, w->r->id, w->a, &w->firsts, &n, w->err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        if (counts(w, w->firsts[i].shown)) {
            w->firsts[w->n_firsts++] = w->firsts[i];
        }
    }
    w->out->left_out = (int64_t)(n - w->n_firsts);
    return rc;
}

static enum err_code read_said(struct work *w)
{
    struct label_first_said *said;
    struct map_u64 looks;
    size_t n = 0, k = 0;
    enum err_code rc = read_firsts(w);
    rc = rc == OK ? label_review_firsts_said(w->db, w->r->id, w->a, &said, &n, w->err) : rc;
    if (rc != OK) {
        return rc;
    }
    map_u64_init(&looks);
    for (size_t i = 0; i < w->n_firsts; i++) {
        map_u64_put(&looks, (uint64_t)w->firsts[i].look, (uint32_t)i);
    }
    w->items = arena_calloc(w->a, n + 1, sizeof *w->items);
    w->said = arena_calloc(w->a, n + 1, sizeof *w->said);
    for (size_t i = 0; i < n; i++) {
        struct item *last = w->n_items ? &w->items[w->n_items - 1] : NULL;
        const uint32_t look = map_u64_get(&looks, (uint64_t)said[i].look);
        if (said[i].verdict == VERDICT_DONTKNOW || look == MAP_NONE) {
            continue;
        }
        if (!last || last->position != said[i].position || last->class_id != said[i].class_id) {
            last = &w->items[w->n_items++];
            *last = (struct item){said[i].position, said[i].class_id, k, 0};
        }
        w->said[k++] = (struct judgement){person_of(w, said[i].account), look, (unsigned char)said[i].verdict};
        last->n++;
        w->most = last->n > w->most ? last->n : w->most;
    }
    map_u64_release(&looks);
    return OK;
}

static double percent(int64_t k, int64_t n)
{
    return n ? 100.0 * (double)k / (double)n : (double)NAN;
}

static double percent_of(double share)
{
    return 100 * share;
}

/* ---- all of them ---- */

static void add_figure(struct work *w, const char *of, const struct ratings *r, enum raters_figure f)
{
    struct raters_agreement g = raters_agree(r, f, AGREEMENT_DRAWS, AGREEMENT_SEED, ALPHA, w->a);
    w->out->figures[w->out->n_figures++] = (struct agreement_figure){
        of, f == RATERS_FLEISS ? "fleiss" : "krippendorff", g.people, (int64_t)g.items, g.at.value, g.at.lo, g.at.hi};
}

/* Of some items: who said what does not matter, so that each has as many columns as any has judgements. */
static struct ratings ratings_of(struct work *w, const struct item *items, size_t n)
{
    const size_t people = w->most ? w->most : 1;
    uint16_t *said = arena_alloc(w->a, (n * people + 1) * sizeof *said);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < people; k++) {
            said[i * people + k] = k < items[i].n ? w->said[items[i].from + k].verdict : RATERS_NONE;
        }
    }
    return (struct ratings){.items = n, .people = people, .categories = CATEGORIES, .said = said};
}

static void verdict_figures(struct work *w)
{
    struct ratings r = ratings_of(w, w->items, w->n_items);
    size_t *cluster = arena_alloc(w->a, (w->n_items + 1) * sizeof *cluster);
    for (size_t i = 0; i < w->n_items; i++) {
        bool begins = i == 0 || w->items[i].position != w->items[i - 1].position;
        cluster[r.clusters] = begins ? i : cluster[r.clusters];
        r.clusters += begins;
    }
    cluster[r.clusters] = w->n_items;
    r.cluster = cluster;
    add_figure(w, "verdicts", &r, RATERS_KRIPPENDORFF);
    add_figure(w, "verdicts", &r, RATERS_FLEISS);
}

/* Whether an image is problematic, by those who looked at it. */
static void problem_figures(struct work *w)
{
    size_t images = 0, most = 1, n = 0;
    for (size_t i = 0; i < w->n_firsts; i++) {
        bool begins = i == 0 || w->firsts[i].position != w->firsts[i - 1].position;
        images += begins;
        n = begins ? 1 : n + 1;
        most = n > most ? n : most;
    }
    uint16_t *said = arena_alloc(w->a, (images * most + 1) * sizeof *said);
    memset(said, 0xFF, (images * most + 1) * sizeof *said); /* RATERS_NONE */
    images = 0;
    for (size_t i = 0; i < w->n_firsts; i++) {
        bool begins = i == 0 || w->firsts[i].position != w->firsts[i - 1].position;
        images += begins;
        n = begins ? 0 : n + 1;
        said[(images - 1) * most + n] = w->firsts[i].problematic;
    }
    const struct ratings r = {.items = images, .people = most, .categories = 2, .said = said};
    add_figure(w, "problematic", &r, RATERS_KRIPPENDORFF);
    add_figure(w, "problematic", &r, RATERS_FLEISS);
}

static void count_all(struct work *w)
{
    int64_t last = -1;
    bool *there = arena_calloc(w->a, w->n_people, sizeof *there);
    for (size_t i = 0; i < w->n_firsts; i++) {
        there[person_of(w, w->firsts[i].account)] = true;
    }
    for (size_t i = 0; i < w->n_people; i++) {
        w->out->people += there[i];
    }
    w->out->looks = (int64_t)w->n_firsts;
    for (size_t i = 0; i < w->n_items; i++) {
        w->out->labels += w->items[i].n > 1;
        w->out->images += w->items[i].n > 1 && w->items[i].position != last;
        last = w->items[i].n > 1 ? w->items[i].position : last;
    }
}

/* ---- two reviewers ---- */

struct paired {
    struct judged *list;
    size_t n, cap;
    int64_t alike;
};

static void collect_pairs(const struct work *w, struct paired *of, size_t people)
{
    for (size_t i = 0; i < w->n_items; i++) {
        const struct item *item = &w->items[i];
        for (size_t k = item->from; k < item->from + item->n; k++) {
            for (size_t l = item->from; l < item->from + item->n; l++) {
                const struct judgement *x = &w->said[k], *y = &w->said[l];
                if (x->person < y->person && y->person < people) {
                    struct paired *p = &of[x->person * people + y->person];
                    xgrow(&p->list, &p->cap, p->n + 1, sizeof *p->list);
                    p->list[p->n++] = (struct judged){(uint32_t)item->position, x->verdict, y->verdict};
                    p->alike += x->verdict == y->verdict;
                }
            }
        }
    }
}

static void make_pairs(struct work *w)
{
    const size_t people = w->n_people < AGREEMENT_PAIRED ? w->n_people : AGREEMENT_PAIRED;
    struct paired *of = xcalloc(people * people + 1, sizeof *of);
    collect_pairs(w, of, people);
    w->out->pairs = arena_calloc(w->a, people * people + 1, sizeof *w->out->pairs);
    for (size_t i = 0; i < people * people; i++) {
        const struct paired *p = &of[i];
        if (p->n) {
            struct proportion kappa = kappa_interval(p->list, p->n, AGREEMENT_DRAWS, AGREEMENT_SEED, ALPHA, w->a);
            w->out->pairs[w->out->n_pairs++] = (struct agreement_pair){
                w->people[i / people].name, w->people[i % people].name, (int64_t)p->n, p->alike,
                percent(p->alike, (int64_t)p->n), kappa.value, kappa.lo, kappa.hi};
        }
        free(p->list);
    }
    free(of);
}

/* ---- classes ---- */

static int by_class(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    return x->class_id != y->class_id ? (x->class_id > y->class_id) - (x->class_id < y->class_id)
                                      : (x->position > y->position) - (x->position < y->position);
}

static int least_first(const void *a, const void *b)
{
    const struct agreement_class *x = a, *y = b;
    return x->shrunk != y->shrunk ? (x->shrunk > y->shrunk) - (x->shrunk < y->shrunk) : sv_cmp(x->wnid, y->wnid);
}

static bool all_alike(const struct work *w, const struct item *item)
{
    bool alike = true;
    for (size_t k = 1; k < item->n; k++) {
        alike = alike && w->said[item->from + k].verdict == w->said[item->from].verdict;
    }
    return alike;
}

/* Of items of one class. */
static struct agreement_class class_of(struct work *w, const struct item *items, size_t n)
{
    const struct ratings r = ratings_of(w, items, n);
    struct agreement_class c = {.alpha = raters_agree(&r, RATERS_KRIPPENDORFF, 0, AGREEMENT_SEED, ALPHA, w->a).at.value};
    for (size_t i = 0; i < n; i++) {
        c.labels += items[i].n > 1;
        c.alike += items[i].n > 1 && all_alike(w, &items[i]);
    }
    c.share = percent(c.alike, c.labels);
    return c;
}

static void shrink_classes(struct work *w)
{
    const size_t n = w->out->n_classes;
    struct share_group *groups = arena_alloc(w->a, (n + 1) * sizeof *groups);
    for (size_t i = 0; i < n; i++) {
        groups[i] = (struct share_group){(double)w->out->classes[i].alike, (double)w->out->classes[i].labels};
    }
    const struct share_spread s = share_spread_of(groups, n);
    for (size_t i = 0; i < n; i++) {
        struct proportion p = share_spread_of_group(&s, &groups[i]);
        w->out->classes[i].shrunk = percent_of(p.value);
        w->out->classes[i].lo = percent_of(p.lo);
        w->out->classes[i].hi = percent_of(p.hi);
    }
    if (n) {
        qsort(w->out->classes, n, sizeof *w->out->classes, least_first);
    }
}

static enum err_code make_classes(struct work *w)
{
    struct item *items = arena_alloc(w->a, (w->n_items + 1) * sizeof *items);
    size_t to;
    enum err_code rc = OK;
    if (w->n_items) {
        memcpy(items, w->items, w->n_items * sizeof *items);
        qsort(items, w->n_items, sizeof *items, by_class);
    }
    w->out->classes = arena_calloc(w->a, w->n_items + 1, sizeof *w->out->classes);
    for (size_t i = 0; i < w->n_items && rc == OK; i = to) {
        struct class_info info;
        to = i;
        while (to < w->n_items && items[to].class_id == items[i].class_id) {
            to++;
        }
        struct agreement_class c = class_of(w, &items[i], to - i);
        rc = c.labels ? classes_get(w->db, items[i].class_id, w->a, &info, w->err) : OK;
        if (rc == OK && c.labels) {
            c.wnid = info.wnid;
            c.synset = info.synset;
            w->out->classes[w->out->n_classes++] = c;
        }
    }
    shrink_classes(w);
    return rc;
}

/* In percent, with images as clusters; NAN without any verdicts. */
static struct proportion clustered(const struct cluster_sums *s)
{
    if (s->n == 0) {
        return (struct proportion){(double)NAN, (double)NAN, (double)NAN};
    }
    const struct interval i = cluster_sums_interval(s, ALPHA, s->m > 1 ? student_quantile((double)s->m - 1, 1 - ALPHA / 2) : 0);
    return (struct proportion){percent((int64_t)s->k, (int64_t)s->n), percent_of(i.lo), percent_of(i.hi)};
}

/* ---- over time ---- */

/* Of the looks list[0 .. n - 1] (indices): k of n verdicts of each are another reviewer's, too. */
static struct agreement_time time_of(const struct work *w, const uint32_t *list, size_t n, const uint32_t *k, const uint32_t *of)
{
    struct agreement_time t = {.images = (int64_t)n};
    struct cluster_sums sums = {0};
    for (size_t i = 0; i < n; i++) {
        const struct label_first *look = &w->firsts[list[i]];
        cluster_add(&sums, k[list[i]], of[list[i]]);
        t.from = i ? t.from : look->at;
        t.to = look->at;
    }
    const struct proportion p = clustered(&sums);
    t.pairs = (int64_t)sums.n;
    t.alike = (int64_t)sums.k;
    t.share = p.value;
    t.lo = p.lo;
    t.hi = p.hi;
    return t;
}

static void count_others(const struct work *w, uint32_t *alike, uint32_t *pairs)
{
    for (size_t i = 0; i < w->n_items; i++) {
        const struct judgement *said = &w->said[w->items[i].from];
        for (size_t k = 0; k < w->items[i].n; k++) {
            for (size_t l = 0; l < w->items[i].n; l++) {
                pairs[said[k].look] += k != l;
                alike[said[k].look] += k != l && said[k].verdict == said[l].verdict;
            }
        }
    }
}

struct order {
    int64_t look;
    uint32_t at;
};

static int by_look(const void *a, const void *b)
{
    int64_t x = ((const struct order *)a)->look, y = ((const struct order *)b)->look;
    return (x > y) - (x < y);
}

/* Looks of one person that somebody else judged labels of, in the order of time. */
static size_t looks_of(const struct work *w, size_t person, const uint32_t *pairs, uint32_t *out)
{
    struct order *order = xcalloc(w->n_firsts + 1, sizeof *order);
    size_t n = 0;
    for (size_t i = 0; i < w->n_firsts; i++) {
        if (w->firsts[i].account == w->people[person].account && pairs[i]) {
            order[n++] = (struct order){w->firsts[i].look, (uint32_t)i};
        }
    }
    qsort(order, n, sizeof *order, by_look);
    for (size_t i = 0; i < n; i++) {
        out[i] = order[i].at;
    }
    free(order);
    return n;
}

static void make_times(struct work *w)
{
    uint32_t *alike = arena_calloc(w->a, w->n_firsts + 1, sizeof *alike), *pairs = arena_calloc(w->a, w->n_firsts + 1, sizeof *pairs);
    uint32_t *looks = arena_calloc(w->a, w->n_firsts + 1, sizeof *looks);
    count_others(w, alike, pairs);
    w->out->times = arena_calloc(w->a, w->n_people * (AGREEMENT_PARTS + 1) + 1, sizeof *w->out->times);
    for (size_t p = 0; p < w->n_people; p++) {
        const size_t n = looks_of(w, p, pairs, looks), parts = n < AGREEMENT_PARTS ? n : AGREEMENT_PARTS;
        for (size_t part = 0; part <= parts && n; part++) {
            size_t from = part ? (part - 1) * n / parts : 0, to = part ? part * n / parts : n;
            struct agreement_time t = time_of(w, looks + from, to - from, alike, pairs);
            t.person = w->people[p].name;
            t.part = (int64_t)part;
            t.parts = (int64_t)parts;
            w->out->times[w->out->n_times++] = t;
        }
    }
}

/* ---- repeats ---- */

static struct agreement_repeat repeat_of(const struct label_repeated *list, size_t n, struct sv person)
{
    struct agreement_repeat r = {.person = person};
    int64_t table[CATEGORIES * CATEGORIES] = {0};
    struct cluster_sums sums = {0};
    uint32_t k = 0, of = 0;
    for (size_t i = 0; i < n; i++) {
        bool last = i + 1 == n || list[i + 1].position != list[i].position || list[i + 1].account != list[i].account;
        table[list[i].first * CATEGORIES + list[i].again]++;
        k += list[i].first == list[i].again;
        of++;
        if (last) {
            cluster_add(&sums, k, of);
            k = of = 0;
            r.images++;
        }
    }
    const struct proportion p = clustered(&sums);
    r.labels = (int64_t)sums.n;
    r.alike = (int64_t)sums.k;
    r.share = p.value;
    r.lo = p.lo;
    r.hi = p.hi;
    r.kappa = kappa_cohen(table, CATEGORIES);
    return r;
}

static enum err_code make_repeats(struct work *w)
{
    struct label_repeated *list;
    size_t all = 0, n = 0, to;
    enum err_code rc = label_review_repeated(w->db, w->r->id, w->a, &list, &all, w->err);
    for (size_t i = 0; i < all && rc == OK; i++) {
        if (counts(w, list[i].shown)) {
            list[n++] = list[i];
        }
    }
    w->out->repeats = arena_calloc(w->a, w->n_people + 1, sizeof *w->out->repeats);
    if (rc != OK || n == 0) {
        return rc;
    }
    w->out->repeats[w->out->n_repeats++] = repeat_of(list, n, SV("everybody"));
    for (size_t i = 0; i < n; i = to) {
        to = i;
        while (to < n && list[to].account == list[i].account) {
            to++;
        }
        w->out->repeats[w->out->n_repeats++] = repeat_of(&list[i], to - i, w->people[person_of(w, list[i].account)].name);
    }
    return OK;
}

static enum err_code begin(struct work *w)
{
    *w->out = (struct review_agreement){.row = *w->r, .suggestions = agreement_about_word(w->about), .draws = AGREEMENT_DRAWS, .seed = AGREEMENT_SEED};
    enum err_code rc = read_people(w);
    return rc == OK ? read_said(w) : rc;
}

enum err_code review_agreement_read(struct db *db, const struct label_review_row *r, enum agreement_about about, struct arena *a,
                                    struct review_agreement *out, struct err *err)
{
    struct work w = {.db = db, .r = r, .about = about, .out = out, .a = a, .err = err};
    enum err_code rc = begin(&w);
    out->figures = arena_calloc(a, 4, sizeof *out->figures);
    if (rc == OK) {
        count_all(&w);
        verdict_figures(&w);
        problem_figures(&w);
        make_pairs(&w);
        make_times(&w);
    }
    rc = rc == OK ? make_classes(&w) : rc;
    return rc == OK ? make_repeats(&w) : rc;
}

enum err_code review_agreement_times(struct db *db, const struct label_review_row *r, enum agreement_about about, struct arena *a,
                                     struct review_agreement *out, struct err *err)
{
    struct work w = {.db = db, .r = r, .about = about, .out = out, .a = a, .err = err};
    enum err_code rc = begin(&w);
    if (rc == OK) {
        make_times(&w);
    }
    return rc;
}
