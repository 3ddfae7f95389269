/* listing_test.c - pages of a list against sorting everything, with small and large catalogues. */
#include "unit.h"

#include <string.h>

#include "base/rng.h"
#include "base/xalloc.h"
#include "domain/votes/histogram.h"
#include "live/images/listing.h"
#include "live/votes/stats.h"

struct scene {
    struct catalogue c;
    struct listing_vote *votes;
};

/* Few different values, so that ties are the rule; ids with or without gaps. */
static void make_scene(struct scene *s, size_t n, bool gaps, uint64_t seed)
{
    struct rng r;
    rng_seed(&r, seed);
    *s = (struct scene){.c = {xcalloc(n + 1, sizeof *s->c.images), n, n, 1, !gaps},
                        .votes = xcalloc(n + 1, sizeof *s->votes)};
    for (size_t i = 0; i < n; i++) {
        struct catalogue_image *image = &s->c.images[i];
        bool measured = rng_below(&r, 4) > 0;
        *image = (struct catalogue_image){
            .image = (uint32_t)(gaps ? 2 * i + 1 : i + 1),
            .class_id = 1 + (uint32_t)rng_below(&r, 3),
            .minute = rng_below(&r, 5) ? (uint32_t)rng_below(&r, 50) : CATALOGUE_UNKNOWN,
            .rank = (uint32_t)(n - 1 - i),
            .sharpness = measured ? (float)rng_below(&r, 9) : -1,
            .brightness = (uint16_t)rng_below(&r, 7),
            .saturation = (uint16_t)rng_below(&r, 7),
            .role = (uint8_t)rng_below(&r, IMAGE_ROLES),
            .gray = measured && rng_below(&r, 3) == 0,
        };
        uint32_t shown = (uint32_t)rng_below(&r, 13);
        s->votes[i] = (struct listing_vote){image->class_id, shown,
                                            shown ? (uint32_t)rng_below(&r, shown + 1) : 0};
    }
}

static void free_scene(struct scene *s)
{
    free(s->c.images);
    free(s->votes);
}

/* ---- the same by comparing, without keys ---- */

static const struct scene *sorted; /* what qsort's comparison looks at */
static const struct listing_ask *sorted_ask;

/* -1, 0, 1; unknown values are last whichever way. */
static int by_value(bool known_a, double a, bool known_b, double b, bool falling)
{
    if (!known_a || !known_b) {
        return known_b - known_a;
    }
    int by = (a > b) - (a < b);
    return falling ? -by : by;
}

static double value_of(uint32_t at, bool *known)
{
    const struct catalogue_image *i = &sorted->c.images[at];
    const struct listing_vote *v = &sorted->votes[at];
    *known = true;
    switch (sorted_ask->sort) {
    case LISTING_ID: return i->image;
    case LISTING_NAME: return i->rank;
    case LISTING_FREQUENCY:
        *known = v->shown > 0;
        return *known ? (double)v->selected / v->shown : 0;
    case LISTING_ANSWERS: return v->shown;
    case LISTING_DATE: *known = i->minute != CATALOGUE_UNKNOWN; return i->minute;
    case LISTING_SHARPNESS: *known = i->sharpness >= 0; return (double)i->sharpness;
    case LISTING_BRIGHTNESS: *known = i->sharpness >= 0; return i->brightness;
    case LISTING_SATURATION: *known = i->sharpness >= 0; return i->saturation;
    case LISTING_SORTS: break;
    }
    fail();
    return 0;
}

static int compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    bool known_x, known_y;
    double value_x = value_of(x, &known_x), value_y = value_of(y, &known_y);
    int by = by_value(known_x, value_x, known_y, value_y, sorted_ask->falling);
    if (!by && sorted_ask->sort == LISTING_FREQUENCY) {
        by = by_value(true, sorted->votes[x].shown, true, sorted->votes[y].shown,
                      sorted_ask->falling);
    }
    return by ? by : (x > y) - (x < y);
}

static bool fits(const struct scene *s, const struct listing_ask *a, uint32_t at)
{
    const struct catalogue_image *i = &s->c.images[at];
    const struct listing_vote *v = &s->votes[at];
    bool other = a->class_id && i->class_id != a->class_id, in = !a->only;
    for (size_t k = 0; k < a->n_only; k++) {
        in = in || a->only[k] == i->image;
    }
    if (!in || i->image > a->newest || (other && v->shown == 0) || v->shown < a->least_answers) {
        return false;
    }
    if (a->role != LISTING_ALL &&
        (a->role == LISTING_OTHER_CLASS ? !other : other || i->role != a->role)) {
        return false;
    }
    unsigned bin = v->shown ? histogram_bin(v->selected, v->shown) : LISTING_UNANSWERED;
    if (a->bins && !(a->bins & 1u << bin)) {
        return false;
    }
    if (a->ranged && (v->shown == 0 || (double)v->selected < a->least * v->shown - 1e-9 ||
                      (double)v->selected > a->most * v->shown + 1e-9)) {
        return false;
    }
    uint8_t marks = a->marks ? a->marks[at] : 0;
    for (uint8_t bit = 1; bit; bit = (uint8_t)(bit << 1)) {
        if ((a->with & bit && !(marks & bit)) || (a->without & bit && marks & bit)) {
            return false;
        }
    }
    if (a->gray != LISTING_ALL && (i->sharpness < 0 || i->gray != a->gray)) {
        return false;
    }
    bool dated = a->from != LISTING_NO_DATE || a->to != LISTING_NO_DATE;
    return !dated || (i->minute != CATALOGUE_UNKNOWN &&
                      (a->from == LISTING_NO_DATE || i->minute >= a->from) &&
                      (a->to == LISTING_NO_DATE || i->minute <= a->to));
}

static size_t whole_list(const struct scene *s, const struct listing_ask *ask, uint32_t *out)
{
    size_t n = 0;
    for (size_t i = 0; i < s->c.n; i++) {
        if (fits(s, ask, (uint32_t)i)) {
            out[n++] = (uint32_t)i;
        }
    }
    sorted = s;
    sorted_ask = ask;
    qsort(out, n, sizeof *out, compare);
    return n;
}

static void assert_page(const struct scene *s, const struct listing_ask *ask, size_t from,
                        size_t most, const uint32_t *expected, size_t n)
{
    struct listing l;
    listing_make(&s->c, s->votes, ask, from, most, &l);
    size_t rows = from >= n ? 0 : n - from < most ? n - from : most;
    assert_int_equal(l.total, n);
    assert_int_equal(l.n, rows);
    for (size_t i = 0; i < rows; i++) {
        assert_int_equal(l.rows[i].at, expected[from + i]);
        assert_int_equal(l.rows[i].shown, s->votes[expected[from + i]].shown);
        assert_int_equal(l.rows[i].selected, s->votes[expected[from + i]].selected);
    }
    listing_release(&l);
    if (!listing_needs_votes(ask)) {
        listing_make(&s->c, NULL, ask, from, most, &l);
        assert_int_equal(l.total, n);
        for (size_t i = 0; i < rows; i++) {
            assert_int_equal(l.rows[i].at, expected[from + i]);
        }
        listing_release(&l);
    }
}

static const struct listing_ask ALL = {.role = LISTING_ALL,
                                       .gray = LISTING_ALL, .from = LISTING_NO_DATE,
                                       .to = LISTING_NO_DATE, .newest = UINT32_MAX};

/* First, middle and last page, one that overlaps the end and one behind it. */
static void assert_list(const struct scene *s, const struct listing_ask *ask, size_t most)
{
    uint32_t *expected = xcalloc(s->c.n + 1, sizeof *expected);
    size_t n = whole_list(s, ask, expected);
    const size_t from[] = {0, n / 2, n > most ? n - most : 0, n ? n - 1 : 0, n, n + 7};
    for (size_t i = 0; i < sizeof from / sizeof *from; i++) {
        assert_page(s, ask, from[i], most, expected, n);
    }
    free(expected);
}

static void assert_sorts(const struct scene *s, struct listing_ask ask)
{
    for (int sort = 0; sort < LISTING_SORTS; sort++) {
        for (int falling = 0; falling < 2; falling++) {
            ask.sort = (enum listing_sort)sort;
            ask.falling = falling;
            assert_list(s, &ask, 20);
        }
    }
}

TEST(filters)
{
    struct scene s;
    make_scene(&s, 400, true, 1);
    assert_sorts(&s, ALL);
    uint32_t only[] = {1, 2, 3, 17, 401, 799, 5000};
    uint8_t *marks = xcalloc(s.c.n, sizeof *marks);
    for (size_t i = 0; i < s.c.n; i++) {
        marks[i] = (uint8_t)(i % 5 < 4 ? i % 5 : 0);
    }
    for (int k = 0; k < 18; k++) {
        struct listing_ask ask = ALL;
        ask.class_id = k % 3 == 0 ? 2 : 0;
        ask.role = k == 1 ? IMAGE_GOLD : k == 6 ? LISTING_OTHER_CLASS : LISTING_ALL;
        ask.bins = k == 2 ? 1u << 4 : k == 3 ? 1u << LISTING_UNANSWERED : k == 12 ? 0x25 : 0;
        ask.ranged = k == 13 || k == 14;
        ask.least = k == 13 ? 0.5 : 0;
        ask.most = k == 14 ? 0.5 : 1;
        ask.marks = k >= 15 ? marks : NULL;
        ask.with = k == 15 ? LISTING_BLACKLISTED : k == 16 ? 3 : 0;
        ask.without = k == 17 ? LISTING_NEAR_DUPLICATE : 0;
        ask.gray = k == 4 ? 1 : k == 5 ? 0 : LISTING_ALL;
        ask.least_answers = k == 7 ? 10 : 0;
        ask.from = k == 8 || k == 9 ? 10 : LISTING_NO_DATE;
        ask.to = k == 9 || k == 10 ? 30 : LISTING_NO_DATE;
        ask.newest = k == 11 ? 300 : UINT32_MAX;
        ask.only = k == 10 ? only : NULL;
        ask.n_only = k == 10 ? sizeof only / sizeof *only : 0;
        assert_sorts(&s, ask);
    }
    free(marks);
    free_scene(&s);
}

/* So many that a window is guessed, and lists so that guesses fail: all the same but one. */
TEST(large)
{
    struct scene s;
    make_scene(&s, 30000, false, 2);
    struct listing_ask ask = ALL;
    ask.sort = LISTING_FREQUENCY;
    ask.falling = true;
    assert_list(&s, &ask, 100);
    ask.sort = LISTING_NAME;
    assert_list(&s, &ask, 100);
    ask.role = IMAGE_GOLD;
    ask.bins = 1u << 1;
    assert_list(&s, &ask, 100);
    for (size_t i = 0; i < s.c.n; i++) {
        s.votes[i].shown = s.votes[i].selected = 10;
    }
    s.votes[20000].selected = 3;
    ask = ALL;
    ask.sort = LISTING_FREQUENCY;
    assert_list(&s, &ask, 100);
    free_scene(&s);
}

/* Every image once, whatever the page size. */
TEST(every_image_once)
{
    struct scene s;
    make_scene(&s, 25000, false, 3);
    struct listing_ask ask = ALL;
    bool *seen = xcalloc(s.c.n, sizeof *seen);
    ask.sort = LISTING_SHARPNESS;
    size_t found = 0;
    for (size_t from = 0; from < s.c.n; from += 999) {
        struct listing l;
        listing_make(&s.c, s.votes, &ask, from, 999, &l);
        for (size_t i = 0; i < l.n; i++, found++) {
            assert_false(seen[l.rows[i].at]);
            seen[l.rows[i].at] = true;
        }
        listing_release(&l);
    }
    assert_int_equal(found, s.c.n);
    free(seen);
    free_scene(&s);
}

TEST(nothing)
{
    struct scene s;
    make_scene(&s, 0, true, 4);
    assert_list(&s, &ALL, 10);
    free_scene(&s);
}
