/* listing.c - filters and orders images. */
#include "live/listing.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "live/stats.h"

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
    return shown >= ask->least_answers &&
           (ask->bin == LISTING_ALL ||
            (ask->bin == LISTING_UNANSWERED
                 ? shown == 0
                 : shown > 0 && (int)stats_bin(selected, shown) == ask->bin));
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

/* Puts the middle one of three first: a sorted list, the usual case, is then halved. */
static void choose_pivot(struct place *p, size_t n)
{
    struct place *a = &p[0], *b = &p[n / 2], *c = &p[n - 1];
    struct place *middle = before(a, b) ? (before(b, c) ? b : before(a, c) ? c : a)
                                        : (before(a, c) ? a : before(b, c) ? c : b);
    swap(a, middle);
}

/* Moves the first k of the order to the front, in any order among themselves. */
static void split(struct place *p, size_t n, size_t k)
{
    while (n > 1 && k > 0 && k < n) {
        choose_pivot(p, n);
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

struct collecting {
    const struct catalogue *c;
    const uint32_t *shown, *selected;
    const struct listing_ask *ask;
    struct place *places;
    size_t n;
};

static void consider(struct collecting *l, uint32_t at)
{
    const struct catalogue_image *i = &l->c->images[at];
    uint32_t shown = l->shown[at], selected = l->selected[at];
    const struct listing_ask *ask = l->ask;
    /* Images of other classes come into a class's list with their first answer, not with their grid:
     * grids have no place among events that a list could be as of. */
    bool listed = i->image <= ask->newest &&
                  (!ask->class_id || i->class_id == ask->class_id || shown > 0);
    if (listed && role_fits(i, ask) && votes_fit(shown, selected, ask) &&
        date_fits(i->minute, ask) && gray_fits(i, ask)) {
        l->places[l->n++] = place_of(i, at, shown, selected, ask);
    }
}

void listing_make(const struct catalogue *c, const uint32_t *shown, const uint32_t *selected,
                  const struct listing_ask *ask, size_t from, size_t most, struct listing *out)
{
    size_t room = ask->only ? ask->n_only : c->n;
    struct collecting l = {c, shown, selected, ask, xmalloc((room + 1) * sizeof *l.places), 0};
    for (size_t i = 0; ask->only && i < ask->n_only; i++) {
        uint32_t at = catalogue_find(c, ask->only[i]);
        if (at != CATALOGUE_UNKNOWN) {
            consider(&l, at);
        }
    }
    for (size_t i = 0; !ask->only && i < c->n; i++) {
        consider(&l, (uint32_t)i);
    }
    *out = (struct listing){.total = l.n};
    if (from < l.n && most > 0) {
        out->n = l.n - from < most ? l.n - from : most;
        split(l.places, l.n, from);
        split(l.places + from, l.n - from, out->n);
        qsort(l.places + from, out->n, sizeof *l.places, by_place);
        out->rows = xcalloc(out->n, sizeof *out->rows);
        for (size_t i = 0; i < out->n; i++) {
            uint32_t at = l.places[from + i].at;
            out->rows[i] = (struct listing_row){at, shown[at], selected[at]};
        }
    }
    free(l.places);
}

void listing_release(struct listing *l)
{
    free(l->rows);
    *l = (struct listing){0};
}
