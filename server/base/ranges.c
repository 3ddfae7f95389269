/* ranges.c - places are found by halving: a range knows how many numbers come before it. */
#include "base/ranges.h"

#include "base/err.h"
#include "base/le.h"

enum { RANGE_BYTES = 8 };

/* ------------------------------------------------------------------ building */

static struct range *range_add(struct ranges_build *b, struct arena *a)
{
    struct ranges *r = &b->ranges;
    if (r->n == b->cap) {
        b->cap = b->cap ? 2 * b->cap : 4;
        struct range *grown = arena_alloc(a, b->cap * sizeof *grown);
        if (r->n) {
            memcpy(grown, r->at, r->n * sizeof *grown);
        }
        r->at = grown;
    }
    return &r->at[r->n++];
}

void ranges_add(struct ranges_build *b, struct arena *a, uint32_t number)
{
    struct ranges *r = &b->ranges;
    struct range *last = r->n ? &r->at[r->n - 1] : NULL;
    BUG_IF(number == RANGES_NONE || (last && number < last->first + last->count));
    if (last && number == last->first + last->count) {
        last->count++;
    } else {
        *range_add(b, a) = (struct range){number, 1, r->numbers};
    }
    r->numbers++;
}

/* ------------------------------------------------------------------ places */

/* The last range that does not begin behind the number; NULL: there is none. */
static const struct range *range_before(const struct ranges *r, uint32_t number)
{
    size_t low = 0, high = r->n; /* the first range that begins behind it */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (r->at[middle].first <= number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low ? &r->at[low - 1] : NULL;
}

uint32_t ranges_below(const struct ranges *r, uint32_t number)
{
    const struct range *in = range_before(r, number);
    return in ? in->before + (number - in->first < in->count ? number - in->first : in->count) : 0;
}

uint32_t ranges_place(const struct ranges *r, uint32_t number)
{
    const struct range *in = range_before(r, number);
    return in && number - in->first < in->count ? in->before + (number - in->first) : RANGES_NONE;
}

bool ranges_has(const struct ranges *r, uint32_t number)
{
    return ranges_place(r, number) != RANGES_NONE;
}

uint32_t ranges_at(const struct ranges *r, uint32_t place)
{
    size_t low = 0, high = r->n;
    BUG_IF(place >= r->numbers);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (r->at[middle].before <= place) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return r->at[low - 1].first + (place - r->at[low - 1].before);
}

/* ------------------------------------------------------------------ bytes */

struct sv ranges_bytes(const struct ranges *r, struct arena *a)
{
    unsigned char *bytes = arena_alloc(a, r->n * RANGE_BYTES + 1);
    for (size_t i = 0; i < r->n; i++) {
        le_put_u32(bytes + i * RANGE_BYTES, r->at[i].first);
        le_put_u32(bytes + i * RANGE_BYTES + 4, r->at[i].count);
    }
    return sv_make((const char *)bytes, r->n * RANGE_BYTES);
}

bool ranges_read(struct sv bytes, struct arena *a, struct ranges *out)
{
    const unsigned char *p = (const unsigned char *)bytes.p;
    uint64_t end = 0, numbers = 0; /* of the range before: the first number that it lacks */
    *out = (struct ranges){.at = arena_alloc(a, bytes.n / RANGE_BYTES * sizeof *out->at + 1)};
    for (; out->n < bytes.n / RANGE_BYTES; p += RANGE_BYTES) {
        uint32_t first = le_u32(p), count = le_u32(p + 4);
        bool good = count > 0 && (out->n == 0 || first > end) && (uint64_t)first + count <= RANGES_NONE;
        if (!good) {
            return false;
        }
        out->at[out->n++] = (struct range){first, count, (uint32_t)numbers};
        end = (uint64_t)first + count;
        numbers += count;
    }
    out->numbers = (uint32_t)numbers;
    return bytes.n % RANGE_BYTES == 0;
}
