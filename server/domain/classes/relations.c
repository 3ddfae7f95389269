/* relations.c - words, and walks over pairs until nothing is added. */
#include "domain/classes/relations.h"

#include <stdlib.h>

const char *const relation_words[RELATIONS] = {"equal", "contains", "confusable", "redefined", "none"};

enum relation relation_of(struct sv word)
{
    int k = 0;
    while (k < RELATIONS && !sv_is(word, relation_words[k])) {
        k++;
    }
    return (enum relation)k;
}

bool relation_directed(enum relation kind)
{
    return kind == RELATION_CONTAINS || kind == RELATION_REDEFINED;
}

/* ---- overlapping ---- */

struct walk {
    const struct relation_pair *list;
    size_t n;
    int64_t *out;
    size_t found;
};

static bool has(const int64_t *list, size_t n, int64_t id)
{
    size_t i = 0;
    while (i < n && list[i] != id) {
        i++;
    }
    return i < n;
}

/* Whose images show which: of each kind, as far as it says so. */
static bool shows(const struct relation_pair *p, bool a_shows_b)
{
    return p->kind == RELATION_EQUAL || (p->kind == RELATION_CONTAINS && !a_shows_b) || (p->kind == RELATION_REDEFINED && a_shows_b);
}

/* Adds all whose images show what is found, or, `upwards`, what those show; one direction at a time. */
static void follow(struct walk *w, bool upwards)
{
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < w->n; i++) {
            const struct relation_pair *p = &w->list[i];
            const bool a_in = has(w->out, w->found, p->a), b_in = has(w->out, w->found, p->b);
            if ((a_in && !b_in && shows(p, upwards)) || (b_in && !a_in && shows(p, !upwards))) {
                w->out[w->found++] = a_in ? p->b : p->a;
                more = true;
            }
        }
    }
}

static int ascending(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

int64_t *relations_overlapping(const struct relation_pair *list, size_t n, int64_t class_id, struct arena *a, size_t *n_out)
{
    struct walk down = {list, n, arena_calloc(a, 2 * n + 2, sizeof *down.out), 1};
    struct walk up = {list, n, arena_calloc(a, n + 1, sizeof *up.out), 1};
    down.out[0] = up.out[0] = class_id;
    follow(&down, false);
    follow(&up, true);
    for (size_t i = 0; i < up.found; i++) {
        if (!has(down.out, down.found, up.out[i])) {
            down.out[down.found++] = up.out[i];
        }
    }
    qsort(down.out, down.found, sizeof *down.out, ascending);
    *n_out = down.found;
    return down.out;
}

bool relations_has(const int64_t *list, size_t n, int64_t class_id)
{
    return n && bsearch(&class_id, list, n, sizeof *list, ascending) != NULL;
}
