/* text_diff.c - the longest common subsequence of lines, by a table over what lies between the common beginning and end. */
#include "view/text_diff.h"

#include <stdint.h>

#include "base/list.h"

enum { TABLE_MOST = 1 << 22 }; /* cells */

static struct sv *lines_of(struct sv text, struct arena *a, size_t *n)
{
    struct list l = {0};
    while (text.n) {
        *LIST_ADD(&l, a, struct sv) = sv_cut(&text, '\n');
    }
    *n = l.n;
    return l.items;
}

struct sides {
    const struct sv *old, *fresh;
    size_t n_old, n_fresh;
};

static void add(struct list *out, struct arena *a, enum diff_line kind, const struct sv *lines, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        *LIST_ADD(out, a, struct text_diff_line) = (struct text_diff_line){kind, lines[i]};
    }
}

/* The length of the longest common subsequence of what follows, at each pair of places. */
static uint32_t *table_of(const struct sides *s, struct arena *a)
{
    const size_t width = s->n_fresh + 1;
    uint32_t *most = arena_calloc(a, (s->n_old + 1) * width, sizeof *most);
    for (size_t i = s->n_old; i-- > 0;) {
        for (size_t k = s->n_fresh; k-- > 0;) {
            uint32_t down = most[(i + 1) * width + k], right = most[i * width + k + 1];
            most[i * width + k] = sv_eq(s->old[i], s->fresh[k]) ? most[(i + 1) * width + k + 1] + 1 : down > right ? down : right;
        }
    }
    return most;
}

static void between(const struct sides *s, struct list *out, struct arena *a)
{
    size_t i = 0, k = 0;
    const size_t width = s->n_fresh + 1;
    const uint32_t *most = (s->n_old + 1) * width <= TABLE_MOST ? table_of(s, a) : NULL;
    while (most && i < s->n_old && k < s->n_fresh) {
        if (sv_eq(s->old[i], s->fresh[k])) {
            add(out, a, DIFF_SAME, &s->old[i++], 1);
            k++;
        } else if (most[(i + 1) * width + k] >= most[i * width + k + 1]) {
            add(out, a, DIFF_OLD, &s->old[i++], 1);
        } else {
            add(out, a, DIFF_NEW, &s->fresh[k++], 1);
        }
    }
    add(out, a, DIFF_OLD, s->old + i, s->n_old - i);
    add(out, a, DIFF_NEW, s->fresh + k, s->n_fresh - k);
}

struct text_diff_line *text_diff(struct sv old, struct sv fresh, struct arena *a, size_t *n)
{
    struct sides s;
    struct list out = {0};
    size_t first = 0, last = 0;
    s.old = lines_of(old, a, &s.n_old);
    s.fresh = lines_of(fresh, a, &s.n_fresh);
    const size_t least = s.n_old < s.n_fresh ? s.n_old : s.n_fresh;
    while (first < least && sv_eq(s.old[first], s.fresh[first])) {
        first++;
    }
    while (last < least - first && sv_eq(s.old[s.n_old - 1 - last], s.fresh[s.n_fresh - 1 - last])) {
        last++;
    }
    const struct sides mid = {s.old + first, s.fresh + first, s.n_old - first - last, s.n_fresh - first - last};
    add(&out, a, DIFF_SAME, s.old, first);
    between(&mid, &out, a);
    add(&out, a, DIFF_SAME, s.old + s.n_old - last, last);
    *n = out.n;
    return out.items;
}
