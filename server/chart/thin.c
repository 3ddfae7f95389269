/* thin.c - fewer marks for many points: what lies on each other in the picture is drawn once. */
#include "chart/thin.h"

#include <math.h>
#include <stdlib.h>

#include "base/xalloc.h"

struct spot *thin_spots(const struct frame *f, const struct series *s, size_t *n)
{
    struct spot *spots = xmalloc((s->n + 1) * sizeof *spots);
    *n = 0;
    for (size_t i = 0; i < s->n; i++) {
        double x = series_x(s, i);
        if (scale_takes(&f->c->o.x, x) && scale_takes(&f->c->o.y, s->y[i])) {
            spots[(*n)++] = (struct spot){scale_at(&f->x, x), scale_at(&f->y, s->y[i]), i, 1};
        }
    }
    return spots;
}

/* The cell of a place, of `across` in a row; a place outside counts to the nearest cell. */
static size_t cell_of(const struct frame *f, const struct spot *p, double side, size_t across)
{
    double x = fmin(fmax(p->x, 0), f->width), y = fmin(fmax(p->y, 0), f->height);
    return (size_t)(y / side) * across + (size_t)(x / side);
}

size_t thin_merge(const struct frame *f, struct spot *spots, size_t n, double side, bool keep)
{
    size_t across = (size_t)(f->width / side) + 1, down = (size_t)(f->height / side) + 1;
    uint32_t *first = xcalloc(across * down, sizeof *first); /* 1 + index into what is left */
    size_t left = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t *cell = &first[cell_of(f, &spots[i], side, across)];
        if (!*cell) {
            *cell = (uint32_t)++left;
            if (keep) {
                spots[left - 1] = spots[i];
            }
        } else if (keep) {
            struct spot *p = &spots[*cell - 1];
            p->x += (spots[i].x - p->x) / (double)(p->n + 1);
            p->y += (spots[i].y - p->y) / (double)(p->n + 1);
            p->n++;
        }
    }
    free(first);
    return left;
}

/* Keeps of spots[from, to) the first, least, largest and last, in order. */
static size_t keep_column(struct spot *spots, size_t from, size_t to, size_t at)
{
    size_t least = from, most = from;
    for (size_t i = from; i < to; i++) {
        least = spots[i].y < spots[least].y ? i : least;
        most = spots[i].y > spots[most].y ? i : most;
    }
    size_t kept[4] = {from, least < most ? least : most, least < most ? most : least, to - 1};
    for (int k = 0; k < 4; k++) {
        if (k == 0 || kept[k] > kept[k - 1]) {
            spots[at++] = spots[kept[k]];
        }
    }
    return at;
}

size_t thin_line(struct spot *spots, size_t n)
{
    if (n <= THIN_TURNS) {
        return n;
    }
    size_t left = 0;
    for (size_t from = 0, to; from < n; from = to) {
        for (to = from + 1; to < n && floor(spots[to].x) == floor(spots[from].x); to++) {
        }
        left = keep_column(spots, from, to, left);
    }
    size_t every = (left + THIN_TURNS - 1) / THIN_TURNS, kept = 0;
    for (size_t i = 0; i < left; i += every) {
        spots[kept++] = spots[i];
    }
    return kept;
}
