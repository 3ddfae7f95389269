/* flag_surges.c - surges and people, from flags in the order of their events. */
#include "domain/votes/flag_surges.h"

#include <stdlib.h>

#include "base/map.h"

enum { HOUR_MS = 3600 * 1000 };

static struct flag_sum sum(const struct flag_point *p, size_t n)
{
    struct flag_sum s = {.first = p[0].id,
                         .last = p[n - 1].id,
                         .first_at = p[0].at,
                         .last_at = p[n - 1].at,
                         .flags = (int64_t)n};
    struct map_u64 images, people;
    map_u64_init(&images);
    map_u64_init(&people);
    for (size_t i = 0; i < n; i++) {
        size_t before = images.n;
        map_u64_put(&images, (uint64_t)p[i].image, 1);
        s.hidden += images.n > before && p[i].hidden;
        map_u64_put(&people, (uint64_t)p[i].person, 1);
        s.uncounted += !p[i].counts;
    }
    s.images = (int64_t)images.n;
    s.people = (int64_t)people.n;
    map_u64_release(&images);
    map_u64_release(&people);
    return s;
}

/* Marks every flag that lies in an hour with `least` of them: in the hour that ends with flag i are
 * those from `from` on. */
static void mark(const struct flag_point *p, size_t n, int64_t least, bool *in)
{
    size_t from = 0, marked = 0;
    for (size_t i = 0; i < n; i++) {
        while (p[i].at - p[from].at > HOUR_MS) {
            from++;
        }
        if ((int64_t)(i + 1 - from) >= least) {
            for (size_t j = from > marked ? from : marked; j <= i; j++) {
                in[j] = true;
            }
            marked = i + 1;
        }
    }
}

void flag_surges(const struct flag_point *p, size_t n, int64_t least, struct arena *a,
                 struct flag_sum **out, size_t *n_out)
{
    bool *in = arena_calloc(a, n + 1, sizeof *in);
    *out = arena_calloc(a, n + 1, sizeof **out);
    *n_out = 0;
    mark(p, n, least, in);
    for (size_t end = n; end > 0;) {
        size_t begin = end;
        while (begin > 0 && in[begin - 1]) {
            begin--;
        }
        if (begin < end) {
            (*out)[(*n_out)++] = sum(p + begin, end - begin);
        }
        end = begin > 0 ? begin - 1 : 0;
    }
}

static int by_person(const void *x, const void *y)
{
    const struct flag_point *a = x, *b = y;
    return a->person != b->person ? (a->person > b->person) - (a->person < b->person)
                                  : (a->id > b->id) - (a->id < b->id);
}

static int most_first(const void *x, const void *y)
{
    const struct flag_sum *a = x, *b = y;
    return a->images != b->images ? (a->images < b->images) - (a->images > b->images)
                                  : (a->first > b->first) - (a->first < b->first);
}

void flags_by_person(const struct flag_point *p, size_t n, struct arena *a, struct flag_sum **out,
                     size_t *n_out)
{
    struct flag_point *sorted = arena_calloc(a, n + 1, sizeof *sorted);
    *out = arena_calloc(a, n + 1, sizeof **out);
    *n_out = 0;
    for (size_t i = 0; i < n; i++) {
        sorted[i] = p[i];
    }
    qsort(sorted, n, sizeof *sorted, by_person);
    for (size_t from = 0, i = 1; i <= n; i++) {
        if (i == n || sorted[i].person != sorted[from].person) {
            struct flag_sum *s = &(*out)[(*n_out)++];
            *s = sum(sorted + from, i - from);
            s->person = sorted[from].person;
            from = i;
        }
    }
    qsort(*out, *n_out, sizeof **out, most_first);
}
