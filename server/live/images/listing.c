/* listing.c - filters and orders images. */
#include "live/images/listing.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "domain/votes/histogram.h"
#include "live/votes/stats.h"

/* A place in the order: by key, then second, then at, all rising. Every row has another `at`, so the
 * order is one, and none is before itself. */
struct place {
    uint64_t key;
    uint32_t second, at;
};

static bool before(const struct place *a, const struct place *b)
{
    return a->key != b->key         ? a->key < b->key
           : a->second != b->second ? a->second < b->second
                                    : a->at < b->at;
}

static int by_place(const void *a, const void *b)
{
    return before(a, b) ? -1 : 1;
}

/* ---- filters ---- */

static bool role_fits(const struct catalogue_image *i, const struct listing_ask *ask)
{
    bool other = ask->class_id && i->class_id != ask->class_id;
    return ask->role == LISTING_ALL || (ask->role == LISTING_OTHER_CLASS ? other
                                                                         : !other && i->role == ask->role);
}

static bool votes_fit(uint32_t shown, uint32_t selected, const struct listing_ask *ask)
{
    double frequency = shown ? (double)selected / (double)shown : -1;
    if (shown < ask->least_answers ||
        (ask->ranged && !(frequency >= ask->least && frequency <= ask->most))) {
        return false;
    }
    return !ask->bins ||
           ask->bins >> (shown ? histogram_bin(selected, shown) : LISTING_UNANSWERED) & 1;
}

static bool marks_fit(size_t at, const struct listing_ask *ask)
{
    unsigned marks = ask->marks ? ask->marks[at] : 0;
    return (marks & ask->with) == ask->with && (marks & ask->without) == 0;
}

static bool date_fits(uint32_t minute, const struct listing_ask *ask)
{
    return (ask->from == LISTING_NO_DATE && ask->to == LISTING_NO_DATE) ||
           (minute != CATALOGUE_UNKNOWN && (ask->from == LISTING_NO_DATE || minute >= ask->from) &&
            (ask->to == LISTING_NO_DATE || minute <= ask->to));
}

static bool gray_fits(const struct catalogue_image *i, const struct listing_ask *ask)
{
    return ask->gray == LISTING_ALL || (i->sharpness >= 0 && i->gray == ask->gray);
}

/* ---- order ---- */

/* As a whole number that orders as the value does: numbers that are not negative do so by their bits. */
static uint64_t bits_of(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

#define KEY_UNKNOWN UINT64_MAX

/* Two different fractions of numbers below 2^26 differ as doubles too, and equal ones are equal. */
static uint64_t key_of(const struct catalogue_image *i, uint32_t shown, uint32_t selected,
                       enum listing_sort sort)
{
    bool measured = i->sharpness >= 0;
    switch (sort) {
    case LISTING_NAME: return i->rank;
    case LISTING_FREQUENCY:
        return shown ? bits_of((double)selected / (double)shown) : KEY_UNKNOWN;
    case LISTING_ANSWERS: return shown;
    case LISTING_DATE: return i->minute == CATALOGUE_UNKNOWN ? KEY_UNKNOWN : i->minute;
    case LISTING_SHARPNESS: return measured ? bits_of((double)i->sharpness) : KEY_UNKNOWN;
    case LISTING_BRIGHTNESS: return measured ? i->brightness : KEY_UNKNOWN;
    case LISTING_SATURATION: return measured ? i->saturation : KEY_UNKNOWN;
    case LISTING_ID:
    case LISTING_SORTS: break;
    }
    return i->image;
}

static struct place place_of(const struct catalogue_image *i, uint32_t at, uint32_t shown,
                             uint32_t selected, const struct listing_ask *ask)
{
    uint64_t key = key_of(i, shown, selected, ask->sort);
    struct place p = {.key = key, .at = at};
    if (ask->sort == LISTING_FREQUENCY) {
        p.second = ask->falling ? UINT32_MAX - shown : shown;
    }
    if (ask->falling && key != KEY_UNKNOWN) {
        p.key = KEY_UNKNOWN - 1 - key;
    }
    return p;
}

/* ---- selection ---- */

static void swap(struct place *a, struct place *b)
{
    struct place t = *a;
    *a = *b;
    *b = t;
}

/* Puts the middle one of three first, drawn by a generator of its own so that no order of the images
 * is the bad one; the outcome does not depend on the draw. */
static void choose_pivot(struct place *p, size_t n, uint64_t *draw)
{
    struct place *three[3];
    for (int i = 0; i < 3; i++) {
        *draw = *draw * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        three[i] = &p[(*draw >> 33) % n];
    }
    struct place *a = three[0], *b = three[1], *c = three[2];
    swap(p, before(a, b) ? (before(b, c) ? b : before(a, c) ? c : a)
                         : (before(a, c) ? a : before(b, c) ? c : b));
}

/* Moves the first k of the order to the front, in any order among themselves. */
static void split(struct place *p, size_t n, size_t k)
{
    uint64_t draw = n;
    while (n > 1 && k > 0 && k < n) {
        choose_pivot(p, n, &draw);
        struct place pivot = p[0];
        size_t i = 0, j = n;
        for (;;) {
            do {
                i++;
            } while (i < n && before(&p[i], &pivot));
            do {
                j--;
            } while (before(&pivot, &p[j]));
            if (i >= j) {
                break;
            }
            swap(&p[i], &p[j]);
        }
        swap(&p[0], &p[j]); /* j: the pivot's place */
        if (k <= j) {
            n = j;
        } else if (k > j + 1) {
            p += j + 1;
            n -= j + 1;
            k -= j + 1;
        } else {
            return;
        }
    }
}

/* ---- the list ---- */

struct pass {
    const struct catalogue *c;
    const struct listing_vote *votes;
    const struct listing_ask *ask;
};

/* Whether the image is in the list, and where. */
static bool listed(const struct pass *l, size_t at, struct place *out)
{
    const struct catalogue_image *i = &l->c->images[at];
    const struct listing_ask *ask = l->ask;
    uint32_t shown = l->votes ? l->votes[at].shown : 0;
    uint32_t selected = l->votes ? l->votes[at].selected : 0;
    /* Images of other classes come into a class's list with their first answer, not with their grid:
     * grids have no place among events that a list could be as of. */
    if (i->image > ask->newest || (ask->class_id && i->class_id != ask->class_id && shown == 0) ||
        !role_fits(i, ask) || !votes_fit(shown, selected, ask) || !date_fits(i->minute, ask) ||
        !gray_fits(i, ask) || !marks_fit(at, ask)) {
        return false;
    }
    *out = place_of(i, (uint32_t)at, shown, selected, ask);
    return true;
}

struct places {
    struct place *list;
    size_t n, cap;
};

static void add(struct places *p, struct place one)
{
    if (p->n == p->cap) {
        xgrow(&p->list, &p->cap, p->n + 1, sizeof *p->list);
    }
    p->list[p->n++] = one;
}

/* Rows of the list between two places, and how many come before them and in all. */
struct window {
    struct place lo, hi;
    struct places in;
    size_t before, total;
};

static void fill_window(const struct pass *l, struct window *w)
{
    struct place p;
    w->in.n = w->before = w->total = 0;
    for (size_t i = 0; i < l->c->n; i++) {
        if (!listed(l, i, &p)) {
            continue;
        }
        w->total++;
        if (before(&p, &w->lo)) {
            w->before++;
        } else if (before(&p, &w->hi)) {
            add(&w->in, p);
        }
    }
}

static const struct place FIRST = {0, 0, 0};
static const struct place LAST = {UINT64_MAX, UINT32_MAX, UINT32_MAX};

enum { SAMPLE = 2048, MARGIN = 128 /* four deviations of a rank in the sample */, SMALL = 20000 };

/* Where the rows are likely to be, from a sample at even distances: then one pass finds them without
 * keeping the others. The positions are those of images, which have nothing to do with their order. */
static void guess_window(const struct pass *l, size_t from, size_t to, struct window *w)
{
    struct place sample[SAMPLE];
    size_t n = 0;
    w->lo = FIRST;
    w->hi = LAST;
    if (l->c->n < SMALL) {
        return;
    }
    for (size_t i = 0; i < SAMPLE; i++) {
        /* Not the same step for all: names and classes often repeat at a regular distance. */
        size_t at = (size_t)((i * UINT64_C(11400714819323198485)) % l->c->n);
        n += listed(l, at, &sample[n]);
    }
    if (n <= 4 * MARGIN) {
        return; /* few are listed: all of them are few enough */
    }
    double total = (double)l->c->n * (double)n / SAMPLE, scale = (double)n / total;
    double first = (double)from * scale - MARGIN, last = (double)to * scale + MARGIN;
    qsort(sample, n, sizeof *sample, by_place);
    w->lo = first <= 0 ? FIRST : first < (double)n ? sample[(size_t)first] : sample[n - MARGIN];
    w->hi = last < (double)n ? sample[(size_t)last] : LAST;
}

static void fill_only(const struct pass *l, struct window *w)
{
    struct place p;
    for (size_t i = 0; i < l->ask->n_only; i++) {
        uint32_t at = catalogue_find(l->c, l->ask->only[i]);
        if (at != CATALOGUE_UNKNOWN && listed(l, at, &p)) {
            add(&w->in, p);
        }
    }
    w->total = w->in.n;
}

/* The rows from .. to - 1 into the front of the window, sorted; how many there are. */
static size_t cut(struct window *w, size_t from, size_t to)
{
    size_t skip = from - w->before, n = to - from;
    split(w->in.list, w->in.n, skip);
    split(w->in.list + skip, w->in.n - skip, n);
    qsort(w->in.list + skip, n, sizeof *w->in.list, by_place);
    memmove(w->in.list, w->in.list + skip, n * sizeof *w->in.list);
    return n;
}

bool listing_needs_votes(const struct listing_ask *ask)
{
    return ask->class_id || ask->sort == LISTING_FREQUENCY || ask->sort == LISTING_ANSWERS ||
           ask->bins || ask->ranged || ask->least_answers > 0;
}

void listing_make(const struct catalogue *c, const struct listing_vote *votes,
                  const struct listing_ask *ask, size_t from, size_t most, struct listing *out)
{
    struct pass l = {c, votes, ask};
    struct window w = {.lo = FIRST, .hi = LAST};
    if (ask->only) {
        fill_only(&l, &w);
    } else {
        guess_window(&l, from, from + most, &w);
        fill_window(&l, &w);
    }
    size_t start = from < w.total ? from : w.total;
    size_t to = w.total - start < most ? w.total : start + most;
    if (start < to && (start < w.before || to > w.before + w.in.n)) {
        w.lo = FIRST; /* the guess was wrong: keep them all */
        w.hi = LAST;
        fill_window(&l, &w);
    }
    *out = (struct listing){.total = w.total};
    if (start < to) {
        out->n = cut(&w, start, to);
        out->rows = xcalloc(out->n, sizeof *out->rows);
        for (size_t i = 0; i < out->n; i++) {
            uint32_t at = w.in.list[i].at;
            out->rows[i] = (struct listing_row){at, 0, 0};
            if (votes) {
                out->rows[i].shown = votes[at].shown;
                out->rows[i].selected = votes[at].selected;
            }
        }
    }
    free(w.in.list);
}

void listing_release(struct listing *l)
{
    free(l->rows);
    *l = (struct listing){0};
}
